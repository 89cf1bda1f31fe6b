/* nntp_login.h - AUTHINFO USER and PASS (RFC 4643): only for nntp_session.c */
#ifndef BOT_NNTP_LOGIN_H
#define BOT_NNTP_LOGIN_H

#include "bot/nntp_session.h"

/* May the login of `r` be sent to its server? Over TLS or to this machine
 * only, whatever the settings say: NET_ERROR_PLAIN. Asked before connecting. */
gboolean nntp_login_check(const struct remote *r, GError **err);
/* NET_ERROR_REFUSED, _SECRET ...; the password is in no text. */
gboolean nntp_login(nntp_session *s, const struct remote *r,
		    GCancellable *cancel, GError **err);

#endif
