/* series.c - facts in, series out
 * The stages: order the facts, group them, find covers, infer, chain. Keeps
 * nothing between calls. */
#include <string.h>

#include "mail/series_priv.h"

static void set_free(void *data)
{
	struct set *s = data;

	g_array_free(s->patches, TRUE);
	g_free(s);
}

static void work_init(struct series_work *w, const struct series_mail *mails,
		      guint n)
{
	w->mails = mails;
	w->n = n;
	w->order = g_new(int, n);
	w->up = g_new(int, n);
	w->set_of = g_new(int, n);
	w->family = g_new0(char *, n);
	w->sets = g_ptr_array_new_with_free_func(set_free);
}

static void work_clear(struct series_work *w)
{
	for (guint i = 0; i < w->n; i++)
		g_free(w->family[i]);
	g_free(w->family);
	g_free(w->set_of);
	g_free(w->up);
	g_free(w->order);
	g_ptr_array_unref(w->sets);
}

static void add_prerequisites(GPtrArray *out, GHashTable *seen,
			      const struct series_mail *m)
{
	for (guint i = 0; m->prerequisites && m->prerequisites[i]; i++)
		if (g_hash_table_add(seen, (gpointer)m->prerequisites[i]))
			g_ptr_array_add(out, (gpointer)m->prerequisites[i]);
}

static GPtrArray *prerequisites(const struct series_work *w,
				const struct set *s)
{
	g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);
	GPtrArray *out = g_ptr_array_new();

	if (s->cover >= 0 && !s->cover_inherited)
		add_prerequisites(out, seen, &w->mails[s->cover]);
	for (guint i = 0; i < s->patches->len; i++) {
		const struct series_patch *p =
			&g_array_index(s->patches, struct series_patch, i);

		if (!p->inherited)
			add_prerequisites(out, seen, &w->mails[p->mail]);
	}
	return out;
}

/* All of 1..announced are there; more do no harm. */
static void count_slots(const struct set *s, struct series *out)
{
	int have = 0, highest = 0;

	for (guint i = 0; i < s->patches->len; i++) {
		const struct series_patch *p =
			&g_array_index(s->patches, struct series_patch, i);

		have += p->number >= 1 && p->number <= s->announced;
		highest = MAX(highest, p->number);
	}
	out->total = MAX(s->announced, highest);
	out->complete = s->announced > 0 && have == s->announced;
}

static int rank_of(const struct series_index *x, int set)
{
	return set >= 0 ? x->rank[set] : -1;
}

/* What a series is called by: its cover, else its lowest patch. */
static int name_of(const struct set *s)
{
	if (s->cover >= 0 && !s->cover_inherited)
		return s->cover;
	for (guint i = 0; i < s->patches->len; i++) {
		const struct series_patch *p =
			&g_array_index(s->patches, struct series_patch, i);

		if (!p->inherited)
			return p->mail;
	}
	return -1;
}

static struct series *make_series(const struct series_work *w,
				  const struct series_index *x, struct set *s)
{
	struct series *out = g_new0(struct series, 1);

	out->cover = s->cover;
	out->cover_inherited = s->cover_inherited;
	out->version = s->version;
	out->version_inferred = s->inferred;
	count_slots(s, out);
	out->change_id = s->change_id;
	out->supersedes = rank_of(x, s->supersedes);
	out->superseded_by = rank_of(x, s->superseded_by);
	out->resend_of = rank_of(x, s->resend_of);
	out->backport_of = s->backport_of;
	out->depends_on = prerequisites(w, s);
	out->first = name_of(s);
	out->patches = g_steal_pointer(&s->patches);
	s->patches = g_array_new(FALSE, FALSE, sizeof(struct series_patch));
	return out;
}

static void series_free_item(void *s)
{
	series_free(s);
}

GPtrArray *series_assemble(const struct series_mail *mails, guint n)
{
	GPtrArray *out = g_ptr_array_new_with_free_func(series_free_item);
	struct series_index *x;
	struct series_work w;

	work_init(&w, mails, n);
	series_prepare(&w);
	series_group(&w);
	series_find_covers(&w);
	x = series_index_new(&w);
	series_infer(&w, x);
	series_chain(&w, x);
	for (guint r = 0; r < x->count; r++)
		g_ptr_array_add(out,
				make_series(&w, x,
					    g_ptr_array_index(w.sets,
							      x->by_date[r])));
	series_index_free(x);
	work_clear(&w);
	return out;
}

void series_free(struct series *s)
{
	if (!s)
		return;
	g_array_free(s->patches, TRUE);
	g_ptr_array_unref(s->depends_on);
	g_free(s);
}
