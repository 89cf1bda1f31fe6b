/* series_infer.c - what the subjects do not tell: backports, a reroll without
 * its version, a resend. Looks back at sets of the same people only. */
#include <string.h>

#include "mail/series_priv.h"

#define REROLL_TIME 60 /* seconds that the next version takes at least */

static const struct series_patch *patch_at(const struct set *s, guint i)
{
	return &g_array_index(s->patches, struct series_patch, i);
}

static void find_own(const struct series_work *w, struct set *s)
{
	const struct series_mail *m;

	if (s->cover >= 0) {
		m = &w->mails[s->cover];
		s->stable = m->stable;
		s->change_id = m->change_id;
	}
	for (guint i = 0; i < s->patches->len; i++) {
		m = &w->mails[patch_at(s, i)->mail];
		s->stable = s->stable || m->stable || m->backport_of;
		if (!s->backport_of)
			s->backport_of = m->backport_of;
		if (!s->change_id)
			s->change_id = m->change_id;
	}
}

/* How many patches of `s` are in the same slot of `o` with equal titles, and
 * with equal patch-ids. */
static void count_equal(const struct series_work *w, const struct set *s,
			const struct set *o, guint *titles, guint *ids)
{
	*titles = *ids = 0;
	for (guint i = 0; i < s->patches->len; i++) {
		const struct series_patch *p = patch_at(s, i);
		int other = series_at(o, p->number);
		const struct series_mail *a = &w->mails[p->mail], *b;

		if (other < 0)
			continue;
		b = &w->mails[other];
		*titles += *a->title_key && !strcmp(a->title_key, b->title_key);
		*ids += a->patch_id && b->patch_id &&
			!strcmp(a->patch_id, b->patch_id);
	}
}

static gboolean says_resend(const struct series_work *w, const struct set *s)
{
	if (s->cover >= 0 && w->mails[s->cover].resend)
		return TRUE;
	return s->patches->len && w->mails[patch_at(s, 0)->mail].resend;
}

static gboolean titles_agree(const struct series_work *w, const struct set *s,
			     const struct set *o, guint titles)
{
	const struct series_mail *a = series_titled(w, s);
	const struct series_mail *b = series_titled(w, o);
	guint least = MIN(s->patches->len, o->patches->len);

	if (a && b && !strcmp(a->title_key, b->title_key))
		return TRUE;
	return least && 2 * titles >= least;
}

/* Same branch of stable, or none at all. */
static gboolean same_branch(const struct series_work *w, const struct set *s,
			    const struct set *o)
{
	int a = s->first_mail, b = o->first_mail;

	if (s->stable != o->stable)
		return FALSE;
	return !s->stable || !g_strcmp0(w->mails[a].tags, w->mails[b].tags);
}

/* A slot was taken twice: with the same patches it is sent again, with others
 * under the same titles it is the next version; but what was sent at once is
 * meant for several trees. */
static void infer_reroll(struct series_work *w, struct set *s)
{
	const struct set *o = g_ptr_array_index(w->sets, s->over);
	guint titles, ids;

	count_equal(w, s, o, &titles, &ids);
	if (!titles_agree(w, s, o, titles) || !same_branch(w, s, o))
		return;
	if (says_resend(w, s) || (s->patches->len && ids == s->patches->len)) {
		s->resend_of = s->over;
		s->version = o->version;
	} else if (s->first - o->first >= REROLL_TIME) {
		s->version = o->version + 1;
	}
	s->inferred = s->version != 1;
}

static gboolean is_resend(const struct series_work *w, const struct set *s,
			  const struct set *o)
{
	gboolean said = says_resend(w, s);
	guint titles, ids;

	if (!series_same_people(w, s, o) || !same_branch(w, s, o) ||
	    (s->version != o->version && (s->stated || !said)))
		return FALSE;
	count_equal(w, s, o, &titles, &ids);
	if (said)
		return titles_agree(w, s, o, titles) || ids;
	return s->patches->len && ids == s->patches->len &&
	       s->patches->len == o->patches->len;
}

static int newest_resent(const struct series_work *w,
			 const struct series_index *x, int rank,
			 const GArray *ranks)
{
	const struct set *s = g_ptr_array_index(w->sets, x->by_date[rank]);
	guint looked = 0;

	for (guint k = series_ranks_before(ranks, rank);
	     k > 0 && looked < SERIES_MAX_LOOK; k--, looked++) {
		int other = g_array_index(ranks, int, k - 1);

		if (is_resend(w, s,
			      g_ptr_array_index(w->sets, x->by_date[other])))
			return other;
	}
	return -1;
}

/* The newest older set that was sent again, among those found by one key. */
static int find_resent(const struct series_work *w,
		       const struct series_index *x, int rank,
		       enum series_key kind, const struct series_mail *m)
{
	int a = newest_resent(w, x, rank, series_index_find(x, kind, m, FALSE));
	int b = newest_resent(w, x, rank, series_index_find(x, kind, m, TRUE));

	return MAX(a, b);
}

static void infer_resend(struct series_work *w, const struct series_index *x,
			 int rank)
{
	struct set *s = g_ptr_array_index(w->sets, x->by_date[rank]);
	const struct series_mail *m;
	const struct set *o;
	int found, other;

	found = find_resent(w, x, rank, SERIES_KEY_TITLE, series_titled(w, s));
	if (s->patches->len) {
		m = &w->mails[patch_at(s, 0)->mail];
		other = find_resent(w, x, rank, SERIES_KEY_ID, m);
		found = MAX(found, other);
		other = find_resent(w, x, rank, SERIES_KEY_PATCH, m);
		found = MAX(found, other);
	}
	if (found < 0)
		return;
	s->resend_of = x->by_date[found];
	o = g_ptr_array_index(w->sets, s->resend_of);
	if (s->version != o->version) {
		s->version = o->version;
		s->inferred = TRUE;
	}
}

void series_infer(struct series_work *w, const struct series_index *x)
{
	for (guint r = 0; r < x->count; r++)
		find_own(w, g_ptr_array_index(w->sets, x->by_date[r]));
	for (guint r = 0; r < x->count; r++) {
		struct set *s = g_ptr_array_index(w->sets, x->by_date[r]);

		if (s->over >= 0 && !s->stated && x->rank[s->over] >= 0 &&
		    x->rank[s->over] < (int)r)
			infer_reroll(w, s);
		if (s->resend_of < 0 && !s->inferred)
			infer_resend(w, x, (int)r);
	}
}
