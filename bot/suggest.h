/* suggest.h - "did you mean ...?" */
#ifndef BOT_SUGGEST_H
#define BOT_SUGGEST_H

#include <glib.h>

#define SUGGEST_MAX_WORD 32 /* a longer word gets no suggestion */

/* The candidate (NULL-terminated vector) nearest to `word`: at most one edit
 * for three letters of it. NULL if none is near. Lent by the vector. */
const char *suggest_nearest(const char *word, const char *const *candidates);

#endif
