/* version_range.c - the grammar of ranges, and the cycles they lie in
 * Knows names only: what they stand for is told by git. */
#include "mail/version_range.h"

#include <string.h>

/* What may stand in a reference; anything else ends it. */
static gboolean is_ref_char(char c)
{
	return g_ascii_isalnum(c) || (c && strchr("._/~^+-@{}", c)) ||
	       (guchar)c >= 0x80;
}

static gboolean is_blank(const char *p, gsize *len)
{
	*len = 1;
	if (*p && strchr(" \t\r\n\f\v", *p))
		return TRUE;
	*len = 2;
	return !strncmp(p, "\xc2\xa0", 2);
}

static const char *skip_blanks(const char *p)
{
	gsize n;

	while (is_blank(p, &n))
		p += n;
	return p;
}

static gsize ref_len(const char *p)
{
	gsize n = 0, blank;

	while (is_ref_char(p[n]) && !is_blank(p + n, &blank))
		n++;
	return n;
}

/* The word without a full stop or the pointer at its end. */
static char *word_at(const char *p, gsize len)
{
	if (len > 1 && p[len - 1] == '^')
		len--;
	if (len > 1 && p[len - 1] == '.' && p[len - 2] != '.')
		len--;
	if (len > 3 && !strncmp(p + len - 3, "...", 3))
		len--;
	return g_strndup(p, len);
}

/* "A .. B", "A.. B": the words that belong together. */
static char *join_range(char *first, const char *rest)
{
	g_autofree char *word = first;
	g_autofree char *next = NULL;
	struct version v;
	const char *p = skip_blanks(rest);
	gboolean dots = !strncmp(p, "..", 2), known;

	if (dots && !strstr(word, "..")) {
		g_autofree char *tail = word_at(p, ref_len(p));

		if (!tail[strspn(tail, ".")])
			return join_range(g_strconcat(word, "..", NULL),
					  p + ref_len(p));
		return g_strconcat(word, tail, NULL);
	}
	if (!g_str_has_suffix(word, ".."))
		return g_steal_pointer(&word);
	next = word_at(p, ref_len(p));
	known = version_parse(next, &v);
	version_clear(&v);
	return known ? g_strconcat(word, next, NULL) : g_steal_pointer(&word);
}

/* "HEAD" and the like: what there was when it was written. */
static gboolean means_tip(const char *text)
{
	static const char *const tips[] = {"HEAD",     "head",
					   "master",   "origin/master",
					   "mainline", NULL};

	return g_strv_contains(tips, text);
}

static void parse_ends(struct version_range *r, const char *text)
{
	const char *dots = strstr(text, "..");
	g_autofree char *from = NULL;

	if (!dots) {
		version_parse("", &r->from);
		version_parse(text, &r->to);
		return;
	}
	from = g_strndup(text, (gsize)(dots - text));
	r->range = TRUE;
	r->symmetric = dots[2] == '.';
	version_parse(from, &r->from);
	text = dots + (r->symmetric ? 3 : 2);
	r->open = !*text || means_tip(text);
	version_parse(r->open ? "" : text, &r->to);
}

struct version_range *version_range_parse(const char *text)
{
	g_autofree char *word = NULL;
	struct version_range *r;
	const char *p = text;
	gsize n;

	while (*p && (is_blank(p, &n) || !is_ref_char(*p)))
		p += is_blank(p, &n) ? n : 1;
	n = ref_len(p);
	if (n == 6 && !g_ascii_strncasecmp(p, "commit", n)) {
		p = skip_blanks(p + n);
		n = ref_len(p);
	}
	if (!n)
		return NULL;
	word = join_range(word_at(p, n), p + n);
	r = g_new0(struct version_range, 1);
	parse_ends(r, word);
	return r;
}

void version_range_free(struct version_range *r)
{
	if (!r)
		return;
	version_clear(&r->from);
	version_clear(&r->to);
	g_free(r);
}

char *version_range_text(const struct version_range *r)
{
	if (!r->range)
		return g_strdup(r->to.text);
	return g_strconcat(r->from.text, "..", r->to.text, NULL);
}

static gboolean same_series(const struct version *a, const struct version *b)
{
	return !memcmp(a->number, b->number, sizeof(a->number));
}

static const char *tree_of(const struct version *v)
{
	switch (v->kind) {
	case VERSION_MAINLINE:
		return "mainline";
	case VERSION_STABLE:
		return "stable";
	case VERSION_NEXT:
		return "next";
	default:
		return NULL;
	}
}

const char *version_range_tree(const struct version_range *r)
{
	const struct version *from = &r->from, *to = &r->to;

	if (!r->range)
		return tree_of(to);
	if (!tree_of(from) || (!r->open && !tree_of(to)))
		return NULL;
	if (r->open || to->kind == from->kind) {
		if (from->kind == VERSION_STABLE && !r->open &&
		    !same_series(from, to))
			return NULL;
		return tree_of(from);
	}
	if (to->kind == VERSION_NEXT)
		return "next";
	/* A release and a later one of its own stable series. */
	return to->kind == VERSION_STABLE && from->release &&
			       same_series(from, to)
		       ? "stable"
		       : NULL;
}

/* ---- cycles */

const char *version_cycle_name(enum version_cycle c)
{
	static const char *const names[] = {NULL, "current", "previous",
					    "older", "next"};

	return names[c];
}

gboolean version_newest_release(const struct version_tag *tags, guint n,
				gint64 now, struct version *v)
{
	gboolean found = FALSE;

	memset(v, 0, sizeof(*v));
	for (guint i = 0; i < n; i++) {
		struct version one;

		version_parse(tags[i].name, &one);
		if (one.release && tags[i].date <= now &&
		    (!found || version_compare(&one, v) > 0)) {
			version_clear(v);
			*v = one;
			found = TRUE;
		} else {
			version_clear(&one);
		}
	}
	return found;
}

/* The cycle that led to the release `v` is of. */
static enum version_cycle cycle_of(const struct version *v,
				   const struct version *newest)
{
	int order;

	if (v->kind == VERSION_NEXT)
		return CYCLE_NEXT;
	if (v->kind != VERSION_MAINLINE)
		return CYCLE_UNKNOWN;
	order = memcmp(v->number, newest->number, sizeof(v->number));
	if (!order)
		return CYCLE_PREVIOUS;
	return version_compare(v, newest) > 0 ? CYCLE_CURRENT : CYCLE_OLDER;
}

enum version_cycle version_cycle_of(const char *tag,
				    const struct version_tag *tags, guint n,
				    gint64 now)
{
	struct version v, newest;
	enum version_cycle cycle = CYCLE_UNKNOWN;

	if (!tag)
		return CYCLE_CURRENT;
	version_parse(tag, &v);
	if (version_newest_release(tags, n, now, &newest) ||
	    v.kind == VERSION_NEXT)
		cycle = cycle_of(&v, &newest);
	version_clear(&newest);
	version_clear(&v);
	return cycle;
}

/* The first cycle whose commits are not in `v`: after a release that is the
 * following one, and of two neighbours the newer one tells. */
static enum version_cycle cycle_after(const struct version *v,
				      const struct version *newest,
				      const struct version_tag *tags, guint n)
{
	gboolean between = FALSE;

	if (!v->release || cycle_of(v, newest) != CYCLE_OLDER)
		return v->release ? CYCLE_CURRENT : cycle_of(v, newest);
	for (guint i = 0; i < n && !between; i++) {
		struct version one;

		version_parse(tags[i].name, &one);
		between = one.release && version_compare(v, &one) < 0 &&
			  version_compare(&one, newest) < 0;
		version_clear(&one);
	}
	return between ? CYCLE_OLDER : CYCLE_PREVIOUS;
}

enum version_cycle version_range_cycle(const struct version_range *r,
				       const struct version_tag *tags, guint n,
				       gint64 written, gint64 now)
{
	const char *tree = version_range_tree(r);
	enum version_cycle start, end;
	struct version newest, then;

	if (g_strcmp0(tree, "next") == 0)
		return CYCLE_NEXT;
	if (g_strcmp0(tree, "mainline") != 0)
		return CYCLE_UNKNOWN;
	if (!r->range)
		return version_cycle_of(r->to.text, tags, n, now);
	if (!version_newest_release(tags, n, now, &newest)) {
		version_clear(&newest);
		return CYCLE_UNKNOWN;
	}
	start = cycle_after(&r->from, &newest, tags, n);
	if (r->open &&
	    version_newest_release(tags, n, written ? written : now, &then)) {
		end = cycle_after(&then, &newest, tags, n);
		version_clear(&then);
	} else {
		end = r->open ? start : cycle_of(&r->to, &newest);
	}
	version_clear(&newest);
	return MAX(start, end); /* the numbers grow with age */
}
