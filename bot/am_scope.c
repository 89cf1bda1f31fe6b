/* am_scope.c - how far the trailers of a reply reach, in its own words
 * Only lines next to a trailer count: prose about "the series" elsewhere is
 * not a statement about tags. */
#include <string.h>

#include "bot/am_priv.h"

#define SCOPE_LINES 3	/* between such a line and the trailer */
#define SCOPE_BYTES 80	/* longest line that says it */
#define MAX_NUMBERS 100 /* "patches 1-20, 22": of one reply */

static char *low_line(const struct body_line *line)
{
	gsize n = line->len - line->skip;

	if (line->kind != BODY_TEXT || n > SCOPE_BYTES)
		return NULL;
	return g_strstrip(g_ascii_strdown(line->text + line->skip, (gssize)n));
}

static gboolean says_whole(const char *low)
{
	static const char *const starts[] = {
		"for the series",	 "for the whole series",
		"for the entire series", "for the full series",
		"for this series",	 "for the whole set",
		"for the patchset",	 "for the whole patchset",
		"for all patches",	 "for all the patches",
		"whole series",		 "entire series",
		"to the whole series",	 "for the entire patchset",
	};

	for (guint i = 0; i < G_N_ELEMENTS(starts); i++)
		if (g_str_has_prefix(low, starts[i]))
			return TRUE;
	return FALSE;
}

static void add_range(GArray *numbers, int from, int to)
{
	for (int n = from; n <= to && numbers->len < MAX_NUMBERS; n++)
		g_array_append_val(numbers, n);
}

/* "for patches 1-3, 5 and 7" */
static void read_numbers(GArray *numbers, const char *low)
{
	const char *at = low;

	if (g_str_has_prefix(at, "for "))
		at += 4;
	if (!g_str_has_prefix(at, "patch"))
		return;
	at += strspn(at, "patches");
	while (*at) {
		char *end;
		gint64 from, to;

		at += strspn(at, " ,&#");
		if (g_str_has_prefix(at, "and "))
			at += 4;
		from = to = g_ascii_strtoll(at, &end, 10);
		if (end == at || from < 0 || from > G_MAXINT16)
			return;
		at = end + strspn(end, " ");
		if (*at == '-') {
			to = g_ascii_strtoll(at + 1, &end, 10);
			if (end == at + 1 || to > G_MAXINT16)
				return;
			at = end;
		}
		add_range(numbers, (int)from, (int)to);
	}
}

static gboolean is_near_trailer(GPtrArray *trailers, guint line)
{
	for (guint i = 0; i < trailers->len; i++) {
		const struct trailer *t = trailers->pdata[i];

		if (t->line <= line + SCOPE_LINES &&
		    line <= t->line + SCOPE_LINES)
			return TRUE;
	}
	return FALSE;
}

/* "NAK", "Nack, because ..." at the head of a line. */
static gboolean says_nak(const char *low)
{
	gsize n = strspn(low, "nack");

	return (!strncmp(low, "nak", n) || !strncmp(low, "nack", n)) &&
	       n >= 3 && !g_ascii_isalnum(low[n]) && low[n] != '-' &&
	       !strstr(low, "packet");
}

static gboolean says_withdraw(const char *low)
{
	static const char *const words[] = {
		"withdraw my", "retract my",	 "please drop my",
		"drop my tag", "drop my review", "drop my acked",
		"drop my r-b", "remove my tag",	 "remove my review",
	};

	for (guint i = 0; i < G_N_ELEMENTS(words); i++)
		if (strstr(low, words[i]))
			return TRUE;
	return FALSE;
}

void am_scope_init(struct am_scope *s, const body *b, GPtrArray *trailers)
{
	s->whole = s->withdraws = FALSE;
	s->numbers = g_array_new(FALSE, FALSE, sizeof(int));
	for (guint i = 0; i < body_count(b); i++) {
		g_autofree char *low = low_line(body_line(b, i));

		if (!low || !*low)
			continue;
		s->withdraws =
			s->withdraws || says_nak(low) || says_withdraw(low);
		if (!is_near_trailer(trailers, i + 1))
			continue;
		s->whole = s->whole || says_whole(low);
		read_numbers(s->numbers, low);
	}
	for (guint i = 0; i < trailers->len; i++) {
		const struct trailer *t = trailers->pdata[i];
		g_autofree char *low =
			t->note ? g_ascii_strdown(t->note, -1) : NULL;

		s->whole = s->whole || (low && says_whole(low));
	}
}

void am_scope_clear(struct am_scope *s)
{
	g_array_unref(s->numbers);
}
