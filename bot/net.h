/* net.h - what can go wrong between us and a server
 * One domain for all that speaks to one, each text naming the server. */
#ifndef BOT_NET_H
#define BOT_NET_H

#include <glib.h>

#define NET_ERROR (net_error_quark())
GQuark net_error_quark(void);
enum net_error {
	NET_ERROR_CONNECT, /* no such name, refused, no route, proxy */
	NET_ERROR_VERIFY,  /* certificate, host name or TLS version */
	NET_ERROR_PLAIN,   /* plain text is not allowed to this server */
	NET_ERROR_TIME,	   /* silent, or slower than NET_MIN_RATE */
	NET_ERROR_CLOSED,  /* it hung up in the middle of something */
	NET_ERROR_IO,	   /* any other failure of the connection */
	NET_ERROR_REPLY,   /* it said what its protocol does not allow */
	NET_ERROR_REFUSED, /* it said no: wrong password, no such group ... */
	NET_ERROR_LIMIT,   /* larger than we take */
	NET_ERROR_SECRET,  /* the password can't be had */
	NET_ERROR_STOPPED, /* cancelled: an interrupt, or the daemon ends */
};

#define NET_MIN_RATE 64 /* bytes a second, averaged over a time limit */

/* A word for a NET_ERROR: "connect", "verify" ...; "failed" for others. */
const char *net_error_code(const GError *e);

/* Worth trying again without a change of the settings? FALSE of VERIFY,
 * PLAIN, SECRET and REFUSED: back off for long. */
gboolean net_is_passing(const GError *e);

#endif
