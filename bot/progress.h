/* progress.h - what a person at a terminal sees while something runs
 * A block of lines at the bottom that is drawn anew a few times a second.
 * Nothing at all where stderr is no terminal. For one thread at a time. */
#ifndef BOT_PROGRESS_H
#define BOT_PROGRESS_H

#include <glib.h>

#define PROGRESS_USEC	   (G_USEC_PER_SEC / 4) /* between two drawings */
#define PROGRESS_MAX_LINES 12			/* the rest is counted */

typedef struct progress progress;

/* `wanted` FALSE: as if there were no terminal. */
progress *progress_new(gboolean wanted);
/* What is shown is wiped away. NULL is fine. */
void progress_free(progress *p);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(progress, progress_free)

/* Nobody sees it: then no text need be made for it. */
gboolean progress_is_off(const progress *p);
/* Is it time to draw? Then for the caller to progress_set(). */
gboolean progress_is_due(const progress *p);
/* The line called `name`, made if need be, in order of the first call; `text`
 * NULL: it is gone. Shown by the next progress_draw(). */
void progress_set(progress *p, const char *name, const char *text);
void progress_draw(progress *p);
/* Wipe it away: before anything else is written to the terminal. */
void progress_hide(progress *p);

/* "1200 of 5000 messages, 340/s, 11 s left"; `all` 0: not known; `since`: the
 * monotonic time when it began. You own it. */
char *progress_messages(guint64 done, guint64 all, gint64 since);

#endif
