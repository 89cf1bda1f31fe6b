/* series_group.c - which patches belong into one set
 * A patch joins the set of its nearest ancestor that fits, else one sent near
 * it in time. A slot holds one mail: the second opens a new set. Knows nothing
 * of versions beyond what the subjects say. */
#include <string.h>

#include "mail/series_priv.h"

struct grouper {
	struct series_work *w;
	GHashTable *slots; /* (set, number) -> fact + 1 */
	GHashTable
		*buckets;  /* sender, version, total, tags -> GArray of sets */
	GPtrArray *chains; /* of GArray of sets */
	gboolean *has_child; /* a numbered mail hangs below this one */
};

static gint64 *slot_key(int set, int number)
{
	gint64 *key = g_new(gint64, 1);

	*key = ((gint64)set << 32) | (guint32)number;
	return key;
}

/* Both halves count: g_int64_hash() takes the lower one, the number, alone. */
static guint slot_hash(gconstpointer key)
{
	guint64 mixed =
		*(const guint64 *)key * G_GUINT64_CONSTANT(0x9e3779b97f4a7c15);

	return (guint)(mixed >> 32);
}

static int slot_holder(const struct grouper *g, int set, int number)
{
	gint64 key = ((gint64)set << 32) | (guint32)number;

	return GPOINTER_TO_INT(g_hash_table_lookup(g->slots, &key)) - 1;
}

static struct set *set_at(const struct grouper *g, int i)
{
	return g_ptr_array_index(g->w->sets, i);
}

static gboolean is_free(const struct grouper *g, int set, int number)
{
	return slot_holder(g, set, number) < 0 &&
	       set_at(g, set)->patches->len < SERIES_MAX_PATCHES;
}

static int stated_version(const struct series_mail *m)
{
	return m->version_stated ? m->version : 0;
}

/* Equal, or one of both unmarked; but an unmarked set is v1 to a patch that
 * states a later version. */
static gboolean version_fits(const struct set *s, const struct series_mail *m)
{
	int have = s->stated ? s->version : 0, want = stated_version(m);

	return !want || want == have || (!have && want == 1);
}

static gboolean total_fits(const struct set *s, const struct series_mail *m,
			   gboolean extra)
{
	int total = series_total(m);

	if (total < 0 || s->announced < 0 || total == s->announced)
		return TRUE;
	return extra && total > s->announced && m->number > s->announced;
}

static gboolean same_family(const struct grouper *g, const struct set *s,
			    int fact)
{
	int mate = s->cover;

	if (mate < 0)
		mate = g_array_index(s->patches, struct series_patch, 0).mail;
	return g->w->family[mate] && g->w->family[fact] &&
	       !strcmp(g->w->family[mate], g->w->family[fact]);
}

/* Where a mail without a fitting ancestor looks for its set. */
enum where { BY_CHAIN, BY_THREAD, BY_TIME };

/* The sets that such a mail could belong to by thread or time: of the sender,
 * of that version, size and tree. An unnumbered one must share the title, too:
 * it can only be a copy or the next version. */
static GArray *bucket_of(struct grouper *g, const struct series_mail *m,
			 enum where where)
{
	gboolean lone = m->number < 0;
	g_autofree char *key =
		g_strdup_printf("%s\n%d\n%d\n%s\n%" G_GINT64_FORMAT "\n%s",
				m->sender, m->version_stated ? m->version : 1,
				lone ? -2 : series_total(m),
				m->tags ? m->tags : "",
				where == BY_THREAD ? m->thread : -1,
				lone ? m->title_key : "");
	GArray *sets = g_hash_table_lookup(g->buckets, key);

	if (!sets) {
		sets = g_array_new(FALSE, FALSE, sizeof(int));
		g_hash_table_insert(g->buckets, g_steal_pointer(&key), sets);
	}
	return sets;
}

static void count_version(struct set *s, const struct series_mail *m,
			  gboolean is_cover)
{
	if (!m->version_stated || (s->stated && !is_cover))
		return;
	s->version = m->version;
	s->stated = TRUE;
}

static void set_join(struct grouper *g, int at, int fact)
{
	const struct series_mail *m = &g->w->mails[fact];
	struct set *s = set_at(g, at);
	struct series_patch p = {fact, series_slot(m), FALSE};

	if (series_is_cover(m)) {
		s->cover = fact;
		s->announced = m->total;
		s->cover_total = m->total >= 0;
		p.number = 0;
	} else {
		g_array_append_val(s->patches, p);
		s->own++;
		if (!s->cover_total)
			s->announced = MAX(s->announced, series_total(m));
	}
	count_version(s, m, p.number == 0);
	s->first = MIN(s->first, m->date);
	s->last = MAX(s->last, m->date);
	g->w->set_of[fact] = at;
	g_hash_table_insert(g->slots, slot_key(at, p.number),
			    GINT_TO_POINTER(fact + 1));
}

static int set_open(struct grouper *g, int fact, int over, gboolean same_chain)
{
	const struct series_mail *m = &g->w->mails[fact];
	struct set *s = g_new0(struct set, 1);
	int at = (int)g->w->sets->len;
	GArray *chain;

	s->cover = -1;
	s->patches = g_array_new(FALSE, FALSE, sizeof(struct series_patch));
	s->version = 1;
	s->announced = -1;
	s->first = s->last = m->date;
	s->over = over;
	s->supersedes = s->superseded_by = s->resend_of = -1;
	if (same_chain) {
		s->chain = set_at(g, over)->chain;
		chain = g_ptr_array_index(g->chains, s->chain);
	} else {
		s->chain = (int)g->chains->len;
		chain = g_array_new(FALSE, FALSE, sizeof(int));
		g_ptr_array_add(g->chains, chain);
	}
	g_ptr_array_add(g->w->sets, s);
	g_array_append_val(chain, at);
	g_array_append_val(bucket_of(g, m, BY_THREAD), at);
	g_array_append_val(bucket_of(g, m, BY_TIME), at);
	return at;
}

static gboolean fits(const struct grouper *g, const struct set *s, int fact,
		     enum where where)
{
	const struct series_mail *m = &g->w->mails[fact];

	if (where == BY_CHAIN)
		return version_fits(s, m);
	/* a cover that patches answer is not that of others */
	if (series_is_cover(m) && s->cover < 0 && g->has_child[fact])
		return FALSE;
	return where == BY_THREAD || (series_total(m) >= 0 &&
				      (ABS(m->date - s->first) <= SERIES_GAP ||
				       ABS(m->date - s->last) <= SERIES_GAP));
}

static gboolean same_title(const struct grouper *g, int set, int slot, int fact)
{
	int holder = slot_holder(g, set, slot);

	return holder >= 0 && !strcmp(g->w->mails[holder].title_key,
				      g->w->mails[fact].title_key);
}

/* The newest of the last SERIES_MAX_LOOK sets with the slot free, one of the
 * same sending first; -1 if there is none. `over`: the newest that has it
 * taken, by a mail of the same title first. */
static int newest_free(const struct grouper *g, const GArray *sets, int fact,
		       enum where where, int *over)
{
	const struct series_mail *m = &g->w->mails[fact];
	int slot = series_is_cover(m) ? 0 : series_slot(m), found = -1;
	guint stop =
		sets->len > SERIES_MAX_LOOK ? sets->len - SERIES_MAX_LOOK : 0;

	for (guint k = sets->len; k > stop; k--) {
		int at = g_array_index(sets, int, k - 1);

		if (!fits(g, set_at(g, at), fact, where))
			continue;
		if (!is_free(g, at, slot)) {
			if (*over < 0 || (!same_title(g, *over, slot, fact) &&
					  same_title(g, at, slot, fact)))
				*over = at;
		} else if (same_family(g, set_at(g, at), fact)) {
			return at;
		} else if (found < 0) {
			found = at;
		}
	}
	return found;
}

static int place_near(struct grouper *g, int fact, int *over)
{
	const struct series_mail *m = &g->w->mails[fact];
	int at = newest_free(g, bucket_of(g, m, BY_THREAD), fact, BY_THREAD,
			     over);

	if (at >= 0 || *over >= 0)
		return at;
	return newest_free(g, bucket_of(g, m, BY_TIME), fact, BY_TIME, over);
}

/* The nearest ancestor whose set can take such a patch. */
static int find_anchor(const struct grouper *g, int fact, gboolean extra)
{
	const struct series_mail *m = &g->w->mails[fact];
	int a = g->w->up[fact];

	for (guint step = 0; a >= 0 && step < SERIES_MAX_WALK; step++) {
		int at = g->w->set_of[a];

		if (at >= 0 && version_fits(set_at(g, at), m) &&
		    total_fits(set_at(g, at), m, extra))
			return a;
		a = g->w->up[a];
	}
	return -1;
}

static int place_anchored(struct grouper *g, int fact, gboolean extra,
			  int *over)
{
	int a = find_anchor(g, fact, extra), at;
	GArray *chain;

	if (a < 0)
		return -1;
	at = g->w->set_of[a];
	if (!series_is_cover(&g->w->mails[a]) &&
	    is_free(g, at, series_slot(&g->w->mails[fact])))
		return at;
	chain = g_ptr_array_index(g->chains, set_at(g, at)->chain);
	return newest_free(g, chain, fact, BY_CHAIN, over);
}

static void place_cover(struct grouper *g, int fact)
{
	int over = -1, at = place_near(g, fact, &over), a;

	if (at < 0) {
		a = find_anchor(g, fact, FALSE);
		at = set_open(g, fact, a >= 0 ? g->w->set_of[a] : over, FALSE);
	}
	set_join(g, at, fact);
}

static void place_patch(struct grouper *g, int fact)
{
	int over = -1, at;
	gboolean anchored;

	at = place_anchored(g, fact, FALSE, &over);
	anchored = over >= 0;
	if (at < 0 && !anchored)
		at = place_near(g, fact, &over);
	if (at < 0 && over < 0)
		at = place_anchored(g, fact, TRUE, &over);
	if (at < 0)
		at = set_open(g, fact, over, anchored);
	set_join(g, at, fact);
}

static void array_free(void *array)
{
	g_array_free(array, TRUE);
}

static void find_children(struct grouper *g)
{
	for (guint i = 0; i < g->w->n; i++)
		if (g->w->up[i] >= 0 && series_is_patch(&g->w->mails[i]) &&
		    g->w->mails[i].number > 0)
			g->has_child[g->w->up[i]] = TRUE;
}

void series_group(struct series_work *w)
{
	struct grouper g = {.w = w};

	g.slots = g_hash_table_new_full(slot_hash, g_int64_equal, g_free, NULL);
	g.buckets = g_hash_table_new_full(g_str_hash, g_str_equal, g_free,
					  array_free);
	g.chains = g_ptr_array_new_with_free_func(array_free);
	g.has_child = g_new0(gboolean, w->n);
	find_children(&g);
	for (guint i = 0; i < w->n; i++) {
		int fact = w->order[i];

		if (series_is_cover(&w->mails[fact]))
			place_cover(&g, fact);
		else if (series_is_patch(&w->mails[fact]))
			place_patch(&g, fact);
	}
	g_free(g.has_child);
	g_ptr_array_unref(g.chains);
	g_hash_table_unref(g.buckets);
	g_hash_table_unref(g.slots);
}
