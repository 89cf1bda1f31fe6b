/* reply_anchors.h - which lines of a mail are answered, from a JSON file */
#ifndef BOT_REPLY_ANCHORS_H
#define BOT_REPLY_ANCHORS_H

#include "mail/quote.h"

#define REPLY_ANCHORS_MAX_BYTES (8 * 1024 * 1024)

struct reply_anchors {
	GArray *anchors;  /* of struct quote_anchor, its texts lent by: */
	GPtrArray *texts; /* of strings */
};
void reply_anchors_free(struct reply_anchors *a);

/* [{"lines": [first, last], "text": "..."}] of `file` ("-": stdin). NULL with
 * MAIL_ERROR_SYNTAX, naming the file and what is wrong, or a G_FILE_ERROR. */
struct reply_anchors *reply_anchors_read(const char *file, GError **err);

#endif
