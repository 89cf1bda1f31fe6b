/* source_nntp_view.c - overviews: which articles a group has, and since when */
#include <string.h>

#include "mail/nntp_text.h"

#include "bot/source_nntp_priv.h"

#define SINCE_SLACK (2 * 86400) /* seconds that mail is late, or dated so */
#define SAMPLE	    32		/* articles whose dates vote */
#define WIDER	    16

/* ---- an answer */

struct view {
	guint64 from, to; /* what may come yet */
	nntp_view_fn fn;
	void *data;
};

/* Anything but rising numbers in the range is passed over. */
static gboolean on_line(const char *line, gsize len, void *data, GError **err)
{
	struct view *v = data;
	struct nntp_over o;

	if (!nntp_over(line, len, &o) || o.number < v->from || o.number > v->to)
		return TRUE;
	v->from = o.number + 1;
	return v->fn(&o, v->data, err);
}

/* `*known` is FALSE where the server does not know the command. */
static gboolean read_view(struct nntp_group *g, struct view *v, gboolean *known,
			  GError **err)
{
	const char *text;
	guint code;

	*known = TRUE;
	if (!nntp_session_reply(g->s, &code, &text, err))
		return FALSE;
	switch (code) {
	case 224:
		return nntp_session_lines(g->s, NNTP_MAX_OVER, on_line, v, err);
	case 420: /* of the old XOVER, and of public-inbox */
	case 423:
		return TRUE;
	case 500:
	case 501:
	case 502:
	case 503:
		*known = FALSE;
		return TRUE;
	default:
		return nntp_session_refused(g->s, g->name, code, text, err);
	}
}

static gboolean send_view(struct nntp_group *g, guint64 from, guint64 to,
			  GError **err)
{
	g_autofree char *command =
		g_strdup_printf("%s %" G_GUINT64_FORMAT "-%" G_GUINT64_FORMAT
				"\r\n",
				g->views == NNTP_XOVER ? "XOVER" : "OVER", from,
				to);

	return nntp_session_send(g->s, command, strlen(command), err);
}

gboolean nntp_view(struct nntp_group *g, guint64 from, guint64 to,
		   nntp_view_fn fn, void *data, GError **err)
{
	struct view v = {from, to, fn, data};
	gboolean known = FALSE;

	for (; !known && g->views != NNTP_NO_OVER; g->views += !known)
		if (!send_view(g, from, to, err) ||
		    !read_view(g, &v, &known, err))
			return FALSE;
	return TRUE;
}

/* ---- where a date begins */

struct sample {
	gint64 dates[SAMPLE];
	guint n;
	guint64 last; /* the last number that was seen; 0: none */
};

static gboolean on_sample(const struct nntp_over *o, void *data, GError **err)
{
	struct sample *s = data;

	if (s->n < SAMPLE) {
		s->last = o->number;
		if (o->date)
			s->dates[s->n++] = o->date;
	}
	return TRUE;
}

static gboolean ask_sample(struct nntp_group *g, guint64 from, guint64 to,
			   struct sample *sample, GError **err)
{
	if (!nntp_view(g, from, to, on_sample, sample, err))
		return FALSE;
	if (g->views != NNTP_NO_OVER)
		return TRUE;
	g_set_error(err, NET_ERROR, NET_ERROR_REFUSED,
		    "%s: the server has no overviews, and since= can't be "
		    "found without them; remove it",
		    g->place);
	return FALSE;
}

static int compare(const void *a, const void *b)
{
	gint64 x = *(const gint64 *)a, y = *(const gint64 *)b;

	return (x > y) - (x < y);
}

/* Some articles from `from` on, and the date in their middle: single ones have
 * clocks that are wrong. `*date` is 0 where there is none up to `high`. */
static gboolean date_at(struct nntp_group *g, guint64 from, guint64 high,
			gint64 *date, guint64 *last, GError **err)
{
	guint64 width = SAMPLE / 2;
	struct sample s = {.n = 0};

	while (s.n == 0 && from <= high) {
		guint64 to = high - from < width ? high : from + width;

		if (!ask_sample(g, from, to, &s, err))
			return FALSE;
		from = to + 1;
		width = MIN(width, (guint64)G_MAXINT64 / WIDER) * WIDER;
	}
	if (s.n)
		qsort(s.dates, s.n, sizeof(s.dates[0]), compare);
	*date = s.n ? s.dates[s.n / 2] : 0;
	*last = s.last;
	return TRUE;
}

gboolean nntp_since(struct nntp_group *g, guint64 *first, GError **err)
{
	guint64 low = 1, high = g->high;

	while (low < high) {
		guint64 middle = low + (high - low) / 2, last;
		gint64 date;

		if (!date_at(g, middle, high, &date, &last, err))
			return FALSE;
		if (!date || date >= g->since - SINCE_SLACK || last >= high)
			high = middle;
		else
			low = MAX(last, middle) + 1;
	}
	*first = low;
	return TRUE;
}
