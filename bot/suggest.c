/* suggest.c - "did you mean ...?" */
#include "bot/suggest.h"

#include <string.h>

/* Edits from `a` to `b`, both of at most SUGGEST_MAX_WORD bytes: a letter more,
 * less, another, or two exchanged. */
static guint edit_distance(const char *a, const char *b)
{
	guint row[SUGGEST_MAX_WORD + 1][SUGGEST_MAX_WORD + 1];
	guint len = strlen(b), i, j;

	for (j = 0; j <= len; j++)
		row[0][j] = j;
	for (i = 1; a[i - 1]; i++) {
		row[i][0] = i;
		for (j = 1; j <= len; j++) {
			guint best = row[i - 1][j - 1] + (a[i - 1] != b[j - 1]);

			best = MIN(best, row[i - 1][j] + 1);
			best = MIN(best, row[i][j - 1] + 1);
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] &&
			    a[i - 2] == b[j - 1])
				best = MIN(best, row[i - 2][j - 2] + 1);
			row[i][j] = best;
		}
	}
	return row[i - 1][len];
}

const char *suggest_nearest(const char *word, const char *const *candidates)
{
	guint limit = strlen(word);
	const char *nearest = NULL;

	if (limit > SUGGEST_MAX_WORD)
		return NULL;
	limit = (limit + 2) / 3;
	for (; *candidates; candidates++) {
		guint distance;

		if (strlen(*candidates) > SUGGEST_MAX_WORD)
			continue;
		distance = edit_distance(word, *candidates);
		if (distance > limit || (nearest && distance == limit))
			continue;
		nearest = *candidates;
		limit = distance;
	}
	return nearest;
}
