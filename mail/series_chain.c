/* series_chain.c - which series is the older version of which
 * Each edge has a weight (threads-patches 3.3); the heaviest decides, unless
 * a newer version is known to descend from it. Then what a partial reroll
 * takes from the version before. Never across people. */
#include <string.h>

#include "mail/series_priv.h"

enum weight {
	WEIGHT_REFS_OTHER = 60, /* of another tree */
	WEIGHT_PATCH_ID = 65,
	WEIGHT_TITLES = 70,
	WEIGHT_TITLE = 80,
	WEIGHT_REFS = 90,
	WEIGHT_OVER = 92, /* opened because a slot was taken */
	WEIGHT_LINK = 95,
	WEIGHT_CHANGE_ID = 100,
};

#define CHAIN_SECONDS	 ((gint64)SERIES_CHAIN_DAYS * 24 * 60 * 60)
#define INHERIT_PER_MAIL 16 /* inherited slots, for each fact on the whole */

struct candidate {
	int rank;
	int weight;
	guint titles;	  /* equal patch titles */
	guint last_patch; /* which patch counted last, from 1 */
	gboolean same_title;
};

struct chainer {
	struct series_work *w;
	const struct series_index *x;
	struct set *s; /* the one whose predecessor is sought */
	int rank;
	GArray *found;	  /* of struct candidate */
	GHashTable *seen; /* rank -> index in found + 1 */
	guint64 budget;	  /* slots that may still be inherited */
};

static struct set *ranked(const struct chainer *c, int rank)
{
	return g_ptr_array_index(c->w->sets, c->x->by_date[rank]);
}

static const char *tags_of(const struct series_work *w, const struct set *s)
{
	return w->mails[s->first_mail].tags;
}

/* "v2.1", or v2 a second time: newer than v2, whatever it counts. */
static gboolean is_amended(const struct chainer *c, const struct set *s,
			   const struct set *o)
{
	if (o->inferred && !s->inferred)
		return TRUE;
	return s->stated && o->stated && s->version > 1 &&
	       !g_strcmp0(tags_of(c->w, s), tags_of(c->w, o));
}

static gboolean is_older(const struct chainer *c, int rank)
{
	const struct set *o = ranked(c, rank), *s = c->s;

	if (rank >= c->rank || o->stable != s->stable)
		return FALSE;
	if (s->stable && g_strcmp0(tags_of(c->w, s), tags_of(c->w, o)))
		return FALSE;
	if (!series_same_people(c->w, s, o))
		return FALSE;
	if (o->version != s->version)
		return o->version < s->version;
	return o->resend_of < 0 && s->resend_of < 0 && is_amended(c, s, o);
}

/* A candidate, or NULL where it can't be one. Lent until the next call. */
static struct candidate *candidate(struct chainer *c, int rank)
{
	struct candidate fresh = {.rank = rank};
	gpointer key = GINT_TO_POINTER(rank + 1);
	guint at = GPOINTER_TO_UINT(g_hash_table_lookup(c->seen, key));

	if (at)
		return &g_array_index(c->found, struct candidate, at - 1);
	if (!is_older(c, rank))
		return NULL;
	g_array_append_val(c->found, fresh);
	g_hash_table_insert(c->seen, key, GUINT_TO_POINTER(c->found->len));
	return &g_array_index(c->found, struct candidate, c->found->len - 1);
}

static void weigh(struct chainer *c, int rank, int weight)
{
	struct candidate *k = rank >= 0 ? candidate(c, rank) : NULL;

	if (k)
		k->weight = MAX(k->weight, weight);
}

static void weigh_ranks(struct chainer *c, const GArray *ranks,
			enum series_key kind, int weight, guint patch)
{
	guint looked = 0;

	for (guint i = series_ranks_before(ranks, c->rank);
	     i > 0 && looked < SERIES_MAX_LOOK; i--, looked++) {
		int rank = g_array_index(ranks, int, i - 1);
		struct candidate *k;

		if (kind != SERIES_KEY_CHANGE &&
		    c->s->first - ranked(c, rank)->first > CHAIN_SECONDS)
			return;
		k = candidate(c, rank);
		if (!k)
			continue;
		if (patch && k->last_patch != patch) {
			k->last_patch = patch;
			k->titles++;
		}
		k->weight = MAX(k->weight, weight);
		k->same_title |= kind == SERIES_KEY_TITLE;
	}
}

/* All older sets that share a value; the nearest SERIES_MAX_LOOK of them.
 * `patch`: count equal titles instead of weighing. */
static void weigh_shared(struct chainer *c, enum series_key kind,
			 const struct series_mail *m, int weight, guint patch)
{
	weigh_ranks(c, series_index_find(c->x, kind, m, FALSE), kind, weight,
		    patch);
	weigh_ranks(c, series_index_find(c->x, kind, m, TRUE), kind, weight,
		    patch);
}

static int rank_of_fact(const struct chainer *c, int fact)
{
	int set = fact >= 0 ? c->w->set_of[fact] : -1;

	return set >= 0 ? c->x->rank[set] : -1;
}

static void weigh_links(struct chainer *c, const struct series_mail *m)
{
	for (guint i = 0; m->older_links && m->older_links[i]; i++) {
		gpointer fact =
			g_hash_table_lookup(c->x->by_mid, m->older_links[i]);
		int at = GPOINTER_TO_INT(fact) - 1;

		if (i >= SERIES_MAX_LOOK)
			return;
		if (at >= 0)
			weigh(c, rank_of_fact(c, at), WEIGHT_LINK);
	}
}

/* The nearest older version above a mail, of the same tree if there is one:
 * patches for several projects may share a thread. */
static void weigh_refs(struct chainer *c, int fact)
{
	const char *tags = c->w->mails[fact].tags;
	int at = c->w->up[fact], other = -1;

	for (guint step = 0; at >= 0 && step < SERIES_MAX_WALK; step++) {
		int rank = rank_of_fact(c, at);

		if (rank >= 0 && ranked(c, rank) != c->s && is_older(c, rank)) {
			if (!g_strcmp0(tags, c->w->mails[at].tags)) {
				weigh(c, rank, WEIGHT_REFS);
				return;
			}
			if (other < 0)
				other = rank;
		}
		at = c->w->up[at];
	}
	weigh(c, other, WEIGHT_REFS_OTHER);
}

static void weigh_mail(struct chainer *c, int fact)
{
	const struct series_mail *m = &c->w->mails[fact];

	weigh_shared(c, SERIES_KEY_CHANGE, m, WEIGHT_CHANGE_ID, 0);
	weigh_links(c, m);
	weigh_refs(c, fact);
}

static void weigh_all(struct chainer *c)
{
	struct set *s = c->s;

	if (s->over >= 0 && s->inferred)
		weigh(c, c->x->rank[s->over], WEIGHT_OVER);
	if (s->cover >= 0)
		weigh_mail(c, s->cover);
	for (guint i = 0; i < s->patches->len; i++) {
		int fact =
			g_array_index(s->patches, struct series_patch, i).mail;
		const struct series_mail *m = &c->w->mails[fact];

		weigh_mail(c, fact);
		weigh_shared(c, SERIES_KEY_PATCH, m, 0, i + 1);
		weigh_shared(c, SERIES_KEY_ID, m, WEIGHT_PATCH_ID, 0);
	}
	weigh_shared(c, SERIES_KEY_TITLE, series_titled(c->w, s), WEIGHT_TITLE,
		     0);
	for (guint i = 0; i < c->found->len; i++) {
		struct candidate *k =
			&g_array_index(c->found, struct candidate, i);
		guint least = MIN(s->own, ranked(c, k->rank)->own);

		if (k->titles && 2 * k->titles >= least)
			k->weight = MAX(k->weight, WEIGHT_TITLES);
	}
}

/* Heavier, then the later version, then more equal titles, then newer. */
static gboolean is_better(const struct chainer *c, const struct candidate *a,
			  const struct candidate *b)
{
	int va = ranked(c, a->rank)->version, vb = ranked(c, b->rank)->version;

	if (a->weight != b->weight)
		return a->weight > b->weight;
	if (va != vb)
		return va > vb;
	if (a->same_title != b->same_title)
		return a->same_title;
	if (a->titles != b->titles)
		return a->titles > b->titles;
	return a->rank > b->rank;
}

/* Does `s` descend from `old` by the links found so far? */
static gboolean descends(const struct chainer *c, const struct set *s,
			 const struct set *old)
{
	for (guint step = 0; step < SERIES_MAX_LOOK; step++) {
		if (s == old)
			return TRUE;
		if (s->supersedes < 0)
			return FALSE;
		s = g_ptr_array_index(c->w->sets, s->supersedes);
	}
	return FALSE;
}

/* An edge may reach far back (each version answering the first one): step
 * forward to the newest version on the way. */
static int step_forward(const struct chainer *c, int best)
{
	const struct set *o = ranked(c, best);

	for (guint i = 0; i < c->found->len; i++) {
		const struct candidate *k =
			&g_array_index(c->found, struct candidate, i);
		const struct set *t = ranked(c, k->rank);

		if (k->weight && t->version > o->version &&
		    descends(c, t, ranked(c, best)))
			o = t;
	}
	for (guint step = 0; step < SERIES_MAX_LOOK; step++) {
		int next = o->superseded_by;

		if (next < 0 || !is_older(c, c->x->rank[next]))
			break;
		o = g_ptr_array_index(c->w->sets, next);
	}
	return c->x->rank[c->w->set_of[o->first_mail]];
}

static void find_predecessor(struct chainer *c)
{
	const struct candidate *best = NULL;
	struct set *o;
	int rank;

	g_array_set_size(c->found, 0);
	g_hash_table_remove_all(c->seen);
	weigh_all(c);
	for (guint i = 0; i < c->found->len; i++) {
		const struct candidate *k =
			&g_array_index(c->found, struct candidate, i);

		if (k->weight && (!best || is_better(c, k, best)))
			best = k;
	}
	if (!best)
		return;
	rank = step_forward(c, best->rank);
	c->s->supersedes = c->x->by_date[rank];
	o = ranked(c, rank);
	if (o->superseded_by < 0)
		o->superseded_by = c->x->by_date[c->rank];
}

/* Does this patch answer the one in its slot of an older version? */
static gboolean answers_slot(const struct chainer *c, int fact)
{
	const struct set *o = g_ptr_array_index(c->w->sets, c->s->supersedes);
	int slot = series_slot(&c->w->mails[fact]), at = c->w->up[fact];

	for (guint step = 0; at >= 0 && step < SERIES_MAX_WALK; step++) {
		int set = c->w->set_of[at];

		if (set >= 0 && series_is_patch(&c->w->mails[at]) &&
		    series_slot(&c->w->mails[at]) == slot &&
		    descends(c, o, g_ptr_array_index(c->w->sets, set)))
			return TRUE;
		at = c->w->up[at];
	}
	return FALSE;
}

/* A partial reroll takes what it lacks from the version before. */
static void inherit(struct chainer *c)
{
	struct set *s = c->s, *o;
	g_autoptr(GArray) lent = NULL;

	if (s->supersedes < 0 || !s->own || (int)s->own >= s->announced)
		return;
	o = g_ptr_array_index(c->w->sets, s->supersedes);
	if (o->announced != s->announced || o->patches->len > c->budget)
		return;
	for (guint i = 0; i < s->own; i++)
		if (!answers_slot(c, g_array_index(s->patches,
						   struct series_patch, i)
					     .mail))
			return;
	lent = g_array_new(FALSE, FALSE, sizeof(struct series_patch));
	for (guint i = 0; i < o->patches->len; i++) {
		struct series_patch p =
			g_array_index(o->patches, struct series_patch, i);

		p.inherited = TRUE;
		if (series_at(s, p.number) < 0)
			g_array_append_val(lent, p);
	}
	c->budget -= lent->len;
	g_array_append_vals(s->patches, lent->data, lent->len);
	series_sort_patches(s);
	if (s->cover < 0 && o->cover >= 0) {
		s->cover = o->cover;
		s->cover_inherited = TRUE;
	}
}

/* A version sent again is superseded by what superseded its copy. */
static void share_successors(struct series_work *w,
			     const struct series_index *x)
{
	for (guint r = x->count; r > 0; r--) {
		struct set *s = g_ptr_array_index(w->sets, x->by_date[r - 1]);
		struct set *o;

		if (s->resend_of < 0)
			continue;
		o = g_ptr_array_index(w->sets, s->resend_of);
		if (o->superseded_by < 0)
			o->superseded_by = s->superseded_by;
	}
}

static int compare_versions(const void *a, const void *b, void *data)
{
	const struct chainer *c = data;
	int x = *(const int *)a, y = *(const int *)b;
	int vx = ranked(c, x)->version, vy = ranked(c, y)->version;

	return vx != vy ? (vx > vy) - (vx < vy) : x - y;
}

void series_chain(struct series_work *w, const struct series_index *x)
{
	struct chainer c = {.w = w, .x = x};
	g_autofree int *order = g_new(int, x->count);

	for (guint r = 0; r < x->count; r++)
		order[r] = (int)r;
	g_qsort_with_data(order, (int)x->count, sizeof(int), compare_versions,
			  &c);
	c.budget = (guint64)w->n * INHERIT_PER_MAIL;
	c.found = g_array_new(FALSE, FALSE, sizeof(struct candidate));
	c.seen = g_hash_table_new(NULL, NULL);
	for (guint i = 0; i < x->count; i++) {
		c.rank = order[i];
		c.s = ranked(&c, c.rank);
		find_predecessor(&c);
		inherit(&c);
	}
	share_successors(w, x);
	g_hash_table_unref(c.seen);
	g_array_free(c.found, TRUE);
}
