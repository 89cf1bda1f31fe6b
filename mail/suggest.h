/* suggest.h - "did you mean ...?" */
#ifndef MAIL_SUGGEST_H
#define MAIL_SUGGEST_H

#include <glib.h>

#define SUGGEST_MAX_WORD 32 /* a longer word gets no suggestion */

/* The candidate (NULL-terminated vector) nearest to `word`: at most one edit
 * for three letters of it. NULL if none is near. Lent by the vector. */
const char *suggest_nearest(const char *word, const char *const *candidates);

/* Edits from `a` to `b`: a letter more, less, another, or two exchanged;
 * G_MAXUINT if one of them is longer than SUGGEST_MAX_WORD. */
guint suggest_distance(const char *a, const char *b);

#endif
