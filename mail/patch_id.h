/* patch_id.h - the name that `git patch-id --stable` gives a change
 * A state machine of git's own making: it does not judge a diff, it only
 * repeats what git 2.39 does with the same bytes. For diffs that git made; of
 * those in mail, see struct diff. */
#ifndef MAIL_PATCH_ID_H
#define MAIL_PATCH_ID_H

#include <glib.h>

enum patch_id_mode {
	PATCH_ID_GIT,	 /* as git does with these bytes */
	PATCH_ID_BLANKS, /* an empty line in a hunk is an empty context line */
};

/* The first id that git prints for `text[0..len)`: 40 hex digits that you
 * own. NULL if git prints none (no line begins with "diff "). */
char *patch_id_compute(const char *text, gsize len, enum patch_id_mode mode);

#endif
