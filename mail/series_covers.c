/* series_covers.c - covers that do not look like one
 * A root without counter to which the patches reply ("naked"), and a cover
 * whose sender forgot the version that the patches state. */
#include "mail/series_priv.h"

#define NAKED_GAP (24 * 60 * 60) /* seconds, where a diffstat tells */

static int member(const struct set *s, guint i)
{
	return g_array_index(s->patches, struct series_patch, i).mail;
}

static gboolean is_candidate(const struct series_mail *m)
{
	return !m->has_diff && !m->reply && m->number < 0 && m->parent < 0;
}

/* What the members hang below, if they all agree or two of them say so. */
static gboolean hangs_below(const struct series_work *w, const struct set *s,
			    int root)
{
	guint direct = 0, numbered = 0, inside = 0;

	for (guint i = 0; i < s->patches->len; i++) {
		int p = member(s, i), up = w->up[p];

		if (up == root) {
			direct++;
			numbered += w->mails[p].number > 0;
		} else if (up >= 0 && w->set_of[up] == w->set_of[p]) {
			inside++;
		}
	}
	return direct && (numbered >= 2 || w->mails[root].has_diffstat ||
			  direct + inside == s->patches->len);
}

static int naked_cover(const struct series_work *w, const struct set *s)
{
	for (guint i = 0; i < s->patches->len; i++) {
		int root = w->up[member(s, i)];
		const struct series_mail *m;
		gint64 gap;

		if (root < 0 || w->set_of[root] >= 0)
			continue;
		m = &w->mails[root];
		gap = m->has_diffstat ? NAKED_GAP : SERIES_GAP;
		if (!is_candidate(m) || ABS(s->first - m->date) > gap)
			continue;
		if (m->version_stated && s->stated && m->version != s->version)
			continue;
		return hangs_below(w, s, root) ? root : -1;
	}
	return -1;
}

static int compare_first(const void *a, const void *b, void *data)
{
	const struct series_work *w = data;
	int x = *(const int *)a, y = *(const int *)b;
	const struct set *s = g_ptr_array_index(w->sets, x);
	const struct set *t = g_ptr_array_index(w->sets, y);

	if (s->first != t->first)
		return s->first < t->first ? -1 : 1;
	return x - y;
}

static void take_cover(struct series_work *w, int at, int cover)
{
	struct set *s = g_ptr_array_index(w->sets, at);
	const struct series_mail *m = &w->mails[cover];

	s->cover = cover;
	w->set_of[cover] = at;
	s->first = MIN(s->first, m->date);
	if (m->version_stated && !s->stated) {
		s->version = m->version;
		s->stated = TRUE;
	}
}

/* A cover without patches, right above patches that state a later version:
 * theirs, its sender forgot to count. */
static void adopt_cover(struct series_work *w, int at)
{
	struct set *s = g_ptr_array_index(w->sets, at), *empty;
	int up = w->up[member(s, 0)], from;
	gint64 gap;

	from = up >= 0 ? w->set_of[up] : -1;
	if (from < 0 || from == at || !s->stated)
		return;
	empty = g_ptr_array_index(w->sets, from);
	gap = empty->stated ? SERIES_GAP : NAKED_GAP;
	if (empty->cover != up || empty->patches->len ||
	    empty->version >= s->version || empty->announced != s->announced ||
	    ABS(s->first - empty->first) > gap)
		return;
	empty->cover = -1;
	s->cover_total = TRUE;
	take_cover(w, at, up);
}

void series_find_covers(struct series_work *w)
{
	g_autofree int *order = g_new(int, w->sets->len);

	for (guint i = 0; i < w->sets->len; i++)
		order[i] = (int)i;
	g_qsort_with_data(order, (int)w->sets->len, sizeof(int), compare_first,
			  w);
	for (guint i = 0; i < w->sets->len; i++) {
		struct set *s = g_ptr_array_index(w->sets, order[i]);
		int cover;

		series_sort_patches(s);
		if (s->cover >= 0 || !s->patches->len)
			continue;
		cover = naked_cover(w, s);
		if (cover >= 0)
			take_cover(w, order[i], cover);
		else
			adopt_cover(w, order[i]);
	}
}
