/* patch_priv.h - shared by patch.c (what a patch mail says), patch_cut.c
 * (where its parts begin and end) and patch_tags.c (what tools write there) */
#ifndef MAIL_PATCH_PRIV_H
#define MAIL_PATCH_PRIV_H

#include "mail/patch.h"

/* A text cut where `git mailinfo` cuts it. Slices of the text. */
struct patch_cut {
	const char *message; /* without the in-body headers */
	gsize message_len;   /* blank lines around it are left out */
	guint message_line;  /* from 1 */
	const char *notes;
	gsize notes_len;
	guint notes_line;
	char *from; /* in-body headers, unfolded, undecoded; or NULL */
	char *subject;
	gboolean scissors;
};

/* With `has_diff` the message ends at "---" or the diff, and what stands
 * above scissors is cut off; otherwise it goes on to the signature. */
void patch_cut_text(struct patch_cut *cut, const char *text, gsize len,
		    gboolean has_diff);
void patch_cut_clear(struct patch_cut *cut);

/* change-id:, base-commit:, prerequisite-...: of the lines of a text. */
void patch_read_tags(struct patch *p, const char *text, gsize len);
/* Older versions that a changelog links to; `version` is the mail's own, 0 if
 * it states none. */
void patch_read_older(struct patch *p, const char *text, gsize len,
		      int version);

#endif
