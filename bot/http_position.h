/* http_position.h - how far an inbox was read over HTTP, as text
 * A cursor of the source: kept with the mail that it covers. */
#ifndef BOT_HTTP_POSITION_H
#define BOT_HTTP_POSITION_H

#include "mail/auto.h"

#define HTTP_POSITION_MAX_SEEN 4000 /* more are not kept */

struct http_position {
	gint64 to;    /* all that arrived before this second was taken */
	gint64 swept; /* when it was last looked for late ones */
	gint64 again; /* when a search shall be repeated; 0: need not */
	gint64 alone; /* the server shall be left alone until then */
	char *etag, *modified; /* of the feed, when all it shows was taken */
	GHashTable *feed;      /* its entries then, by hashes of their pages */
	GHashTable *seen;      /* mails that the next answer may have again */
};

/* NULL or nonsense: a position before all mail. */
struct http_position *http_position_parse(const char *text);
char *http_position_print(const struct http_position *p);
void http_position_free(struct http_position *p);
AUTO_STRUCT(http_position, http_position_free)

#endif
