/* http_inbox.h - a public-inbox as its web server shows it
 * What an answer means, and the mail in it. Knows no positions. */
#ifndef BOT_HTTP_INBOX_H
#define BOT_HTTP_INBOX_H

#include "bot/http_get.h"
#include "bot/remote.h"

#define HTTP_INBOX_KIND	      "http"
#define HTTP_INBOX_MAX_PAGE   (8 * 1024 * 1024)
#define HTTP_INBOX_MAX_PACKED (128 * 1024 * 1024) /* of one answer's mail */
#define HTTP_INBOX_MAX_MAIL   (4LL << 30)	  /* the same, unpacked */
#define HTTP_INBOX_HASH	      16 /* letters: two are not alike by chance */

struct http_inbox {
	const struct remote *r;
	struct source_context *ctx;
	char *url;   /* with a slash at its end; the place of its mail */
	gint64 wait; /* seconds that the server wants to be left alone */
	/* Mails to leave out, and all that came, by HTTP_INBOX_HASH letters of
	 * their bytes; NULL: none, and not wanted. Lent. */
	GHashTable *known, *came;
	guint64 bytes;	/* of the last answer with mail, packed */
	gboolean large; /* it was cut off by HTTP_INBOX_MAX_PACKED */
};
void http_inbox_init(struct http_inbox *h, const struct remote *r,
		     struct source_context *ctx);
void http_inbox_clear(struct http_inbox *h);

/* HTTP_INBOX_HASH letters by which these bytes are known again; you own it. */
char *http_inbox_hash(GBytes *bytes);

/* A page below it. TRUE: its status is 200, 304 or 404. FALSE: NET_ERROR. */
gboolean http_inbox_page(struct http_inbox *h, const char *path,
			 const char *etag, const char *modified,
			 struct http_answer *a, GError **err);
/* Say the mail of an answer to `path`, an mbox, most often packed; `post` as
 * searches want it. `*found`: there was one; 404 is an answer. */
gboolean http_inbox_mails(struct http_inbox *h, const char *path, gboolean post,
			  gboolean *found, GError **err);

#endif
