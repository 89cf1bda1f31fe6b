/* suggest.c - "did you mean ...?" */
#include "mail/suggest.h"

#include <string.h>

guint suggest_distance(const char *a, const char *b)
{
	guint row[SUGGEST_MAX_WORD + 1][SUGGEST_MAX_WORD + 1];
	guint len = strlen(b), i, j;

	if (len > SUGGEST_MAX_WORD || strlen(a) > SUGGEST_MAX_WORD)
		return G_MAXUINT;
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
		distance = suggest_distance(word, *candidates);
		if (distance > limit || (nearest && distance == limit))
			continue;
		nearest = *candidates;
		limit = distance;
	}
	return nearest;
}
