/* webcopy_priv.h - pages of web archives: for the webcopy*.c files alone */
#ifndef MAIL_WEBCOPY_PRIV_H
#define MAIL_WEBCOPY_PRIV_H

#include "mail/webcopy.h"

#define WEBCOPY_MAX_FIELD 16384 /* bytes of one field of the new head */

struct webcopy_line {
	const char *text; /* blanks at both ends trimmed */
	gsize len;
	const char *start; /* of the whole line */
	const char *next;  /* behind its end */
};

struct webcopy_page {
	const char *end;
	const char *body; /* where it begins */
	GString *from;
	GString *date;
	GString *subject;
	GString *other; /* whole fields */
	GString *last;	/* the one that was read last */
	gboolean has_id;
};

gboolean webcopy_next_line(const char **p, const char *end,
			   struct webcopy_line *l);
/* The line begins with that, in any case. */
gboolean webcopy_starts(const struct webcopy_line *l, const char *with);

/* webcopy_mail.c: the mail of what was read. */
GBytes *webcopy_build(struct webcopy_page *pg);

#endif
