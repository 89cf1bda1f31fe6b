/* suggest.c - "did you mean ...?" */
#include "bot/suggest.h"

#include <string.h>

/* Levenshtein distance of two words of at most SUGGEST_MAX_WORD bytes. */
static guint edit_distance(const char *a, const char *b)
{
	guint row[SUGGEST_MAX_WORD + 1];
	guint len = strlen(b);

	for (guint j = 0; j <= len; j++)
		row[j] = j;
	for (guint i = 0; a[i]; i++) {
		guint corner = row[0];

		row[0] = i + 1;
		for (guint j = 0; j < len; j++) {
			guint best = corner + (a[i] != b[j]);

			corner = row[j + 1];
			best = MIN(best, corner + 1);
			row[j + 1] = MIN(best, row[j] + 1);
		}
	}
	return row[len];
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
