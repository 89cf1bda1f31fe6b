/* trailer_names.c - the names of trailers: known, mistyped, joking
 * A name decides what its value must be; see trailer_line.c. */
#include <string.h>

#include "mail/trailers_priv.h"

#define MAX_DISTANCE	2 /* edits between a typo and what was meant */
#define MIN_TYPO_LENGTH 6 /* bytes; shorter names are not mended */

static const struct {
	const char *key;
	enum trailer_kind kind;
} known[] = {
	{"Signed-off-by", NAME_PERSON},
	{"Reviewed-by", NAME_PERSON},
	{"Acked-by", NAME_PERSON},
	{"Tested-by", NAME_PERSON},
	{"Reported-by", NAME_PERSON},
	{"Suggested-by", NAME_PERSON},
	{"Co-developed-by", NAME_PERSON},
	{"Co-authored-by", NAME_PERSON},
	{"Reported-and-tested-by", NAME_PERSON},
	{"Reported-and-bisected-by", NAME_PERSON},
	{"Reported-and-root-caused-by", NAME_PERSON},
	{"Reviewed-and-tested-by", NAME_PERSON},
	{"Tested-and-reviewed-by", NAME_PERSON},
	{"Acked-and-tested-by", NAME_PERSON},
	{"Requested-by", NAME_PERSON},
	{"Originally-by", NAME_PERSON},
	{"Debugged-by", NAME_PERSON},
	{"Inspired-by", NAME_PERSON},
	{"Bisected-by", NAME_PERSON},
	{"Nacked-by", NAME_PERSON},
	{"Build-tested-by", NAME_PERSON},
	{"Assisted-by", NAME_PERSON},
	{"Root-caused-by", NAME_PERSON},
	{"Triaged-by", NAME_PERSON},
	{"Analyzed-by", NAME_PERSON},
	{"Diagnosed-by", NAME_PERSON},
	{"Original-patch-by", NAME_PERSON},
	{"Fix-suggested-by", NAME_PERSON},
	{"Based-on-patch-by", NAME_PERSON},
	{"Cc", NAME_CC},
	{"Fixes", NAME_FIXES},
	{"Link", NAME_LINK},
	{"Closes", NAME_LINK},
	{"Bug", NAME_LINK},
	{"BugLink", NAME_LINK},
	{"Bugzilla", NAME_LINK},
	{"References", NAME_UTILITY},
	{"Message-ID", NAME_UTILITY},
	{"Patch", NAME_LINK},
	{"Change-Id", NAME_UTILITY},
	{"Depends-on", NAME_UTILITY},
	{"Stable-dep-of", NAME_FIXES},
};

/* They look like the known ones, and are meant. */
static const char *const no_typos[] = {
	"asked-by",	"backed-by",  "checked-by",  "exported-by",
	"hacked-by",	"hosted-by",  "imported-by", "linked-by",
	"listed-by",	"locked-by",  "marked-by",   "packed-by",
	"parsed-by",	"picked-by",  "ported-by",   "posted-by",
	"rejected-by",	"renewed-by", "resolved-by", "reverted-by",
	"supported-by", "tracked-by", "rested-by",   "texted-by",
};

static const char *const jokes[] = {
	"asked-by",	   "buggered-by", "reviewed-off-by", "acked-off-by",
	"introduced-by",   "exposed-by",  "test-by",	     "tested-off-by",
	"reported-off-by", "caused-by",	  "broken-by",	     "bored-by",
	"complained-by",   "blamed-by",
};

static gboolean is_among(const char *name, const char *const *list, gsize n)
{
	for (gsize i = 0; i < n; i++)
		if (!strcmp(name, list[i]))
			return TRUE;
	return FALSE;
}

/* "not-acked-by", "totally-not-signed-off-by", "almost-reviewed-by". */
static gboolean is_negation(const char *name)
{
	static const char *const words[] = {"not",    "almost", "never", "non",
					    "nearly", "un",	"dis"};
	const char *p = name;

	while (*p) {
		gsize n = strcspn(p, "-");

		for (guint i = 0; p[n] && i < G_N_ELEMENTS(words); i++)
			if (strlen(words[i]) == n && !memcmp(p, words[i], n))
				return TRUE;
		p += n;
		p += *p == '-';
	}
	return FALSE;
}

/* Edits (insert, delete, replace, swap) from `a`, in lower case, to `b` in any;
 * MAX_DISTANCE + 1 if there are more. */
static guint distance(const char *a, gsize a_len, const char *b)
{
	char key[TRAILER_MAX_NAME];
	gsize b_len = strlen(b);
	guint rows[3][TRAILER_MAX_NAME + 1], least = 0;
	gsize gap = a_len > b_len ? a_len - b_len : b_len - a_len;

	if (gap > MAX_DISTANCE || MAX(a_len, b_len) > TRAILER_MAX_NAME)
		return MAX_DISTANCE + 1;
	for (gsize j = 0; j < b_len; j++)
		key[j] = g_ascii_tolower(b[j]);
	for (gsize j = 0; j <= b_len; j++)
		rows[0][j] = (guint)j;
	for (gsize i = 1; i <= a_len; i++) {
		guint *row = rows[i % 3];
		const guint *up = rows[(i + 2) % 3];
		const guint *up2 = rows[(i + 1) % 3];
		guint least_above = least;

		least = row[0] = (guint)i;
		for (gsize j = 1; j <= b_len; j++) {
			guint cost = a[i - 1] != key[j - 1];

			row[j] = MIN(MIN(up[j], row[j - 1]) + 1,
				     up[j - 1] + cost);
			if (i > 1 && j > 1 && a[i - 1] == key[j - 2] &&
			    a[i - 2] == key[j - 1])
				row[j] = MIN(row[j], up2[j - 2] + 1);
			least = MIN(least, row[j]);
		}
		if (MIN(least, least_above) > MAX_DISTANCE)
			return MAX_DISTANCE + 1; /* it only grows */
	}
	return rows[a_len % 3][b_len];
}

static gboolean read_known(struct trailer_name *name, const char *folded)
{
	for (gsize i = 0; i < G_N_ELEMENTS(known); i++)
		if (!g_ascii_strcasecmp(folded, known[i].key)) {
			name->kind = known[i].kind;
			name->key = g_strdup(known[i].key);
			return TRUE;
		}
	return FALSE;
}

/* "Tested-on" and "Reported-to" are words of their own; "-bu" is a slip. */
static gboolean may_end_in_by(const char *folded)
{
	const char *dash = strrchr(folded, '-');

	return strpbrk(dash ? dash : folded, "by") != NULL;
}

/* The nearest known name; of equally near ones the first in the table. */
static gboolean read_typo(struct trailer_name *name, const char *folded)
{
	gsize len = strlen(folded), nearest = 0;
	guint best = MAX_DISTANCE + 1;

	if (len < MIN_TYPO_LENGTH || !may_end_in_by(folded) ||
	    is_among(folded, no_typos, G_N_ELEMENTS(no_typos)))
		return FALSE;
	for (gsize i = 0; i < G_N_ELEMENTS(known); i++) {
		guint d = known[i].kind == NAME_PERSON
				  ? distance(folded, len, known[i].key)
				  : best;

		if (d < best) {
			best = d;
			nearest = i;
		}
	}
	if (best > MAX_DISTANCE)
		return FALSE;
	name->key = g_strdup(known[nearest].key);
	name->kind = NAME_PERSON;
	name->typo = TRUE;
	return TRUE;
}

static char *capitalise(const char *folded)
{
	char *key = g_strdup(folded);

	*key = g_ascii_toupper(*key);
	return key;
}

/* Letters in words joined by single '-', the last one "by". */
static gboolean is_by_name(const char *folded)
{
	gsize len = strlen(folded);

	if (!g_str_has_suffix(folded, "-by") || strstr(folded, "--"))
		return FALSE;
	for (gsize i = 0; i < len; i++)
		if (!g_ascii_isalpha(folded[i]) && folded[i] != '-')
			return FALSE;
	return g_ascii_isalpha(*folded);
}

/* "grudgingly-acked-by" is an ack all the same. */
static gboolean read_mood(struct trailer_name *name, const char *folded)
{
	static const char *const moods[] = {"grudgingly", "reluctantly",
					    "happily", "gladly"};

	for (guint i = 0; i < G_N_ELEMENTS(moods); i++) {
		gsize n = strlen(moods[i]);

		if (g_str_has_prefix(folded, moods[i]) && folded[n] == '-' &&
		    read_known(name, folded + n + 1)) {
			name->mood = moods[i];
			return TRUE;
		}
	}
	return FALSE;
}

void trailer_name_read(struct trailer_name *name, const char *text, gsize len)
{
	g_autofree char *folded = NULL;

	*name = (struct trailer_name){.counts = TRUE};
	if (!len || len > TRAILER_MAX_NAME)
		return;
	folded = g_ascii_strdown(text, (gssize)len);
	if (read_known(name, folded) || read_mood(name, folded))
		return;
	if (strpbrk(folded, " _")) { /* "Reviewed by:" */
		g_strdelimit(folded, " _", '-');
		name->typo =
			read_known(name, folded) || read_typo(name, folded);
		return;
	}
	if (is_by_name(folded) &&
	    (is_negation(folded) ||
	     is_among(folded, jokes, G_N_ELEMENTS(jokes)))) {
		name->kind = NAME_PERSON;
		name->key = capitalise(folded);
		name->counts = FALSE;
		return;
	}
	if (read_typo(name, folded))
		return;
	if (!is_by_name(folded))
		return;
	name->kind = NAME_PERSON;
	name->key = capitalise(folded);
}
