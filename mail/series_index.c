/* series_index.c - sets found by what they share
 * Titles are kept by author and by sender; who looks anything up has to ask
 * series_same_people(), too. */
#include <string.h>

#include "mail/series_priv.h"

static int find_first_mail(const struct series_work *w, const struct set *s)
{
	int first = s->cover_inherited ? -1 : s->cover;

	for (guint i = 0; i < s->patches->len; i++) {
		const struct series_patch *p =
			&g_array_index(s->patches, struct series_patch, i);
		const struct series_mail *a, *b;

		if (p->inherited)
			continue;
		if (first < 0) {
			first = p->mail;
			continue;
		}
		a = &w->mails[p->mail];
		b = &w->mails[first];
		if (a->date < b->date ||
		    (a->date == b->date && strcmp(a->mid, b->mid) < 0))
			first = p->mail;
	}
	return first;
}

const struct series_mail *series_titled(const struct series_work *w,
					const struct set *s)
{
	int fact = s->cover;

	if (fact < 0 && s->announced == 1 && s->own == 1)
		fact = g_array_index(s->patches, struct series_patch, 0).mail;
	return fact >= 0 && *w->mails[fact].title_key ? &w->mails[fact] : NULL;
}

/* Of the first patch; a cover has no author but its sender. */
static const char *author_of(const struct series_work *w, const struct set *s)
{
	return w->mails[s->patches->len ? g_array_index(s->patches,
							struct series_patch, 0)
						  .mail
					: s->cover]
		.author;
}

gboolean series_same_people(const struct series_work *w, const struct set *s,
			    const struct set *o)
{
	int a = s->first_mail, b = o->first_mail;

	return !strcmp(w->mails[a].sender, w->mails[b].sender) ||
	       !strcmp(author_of(w, s), author_of(w, o));
}

/* Backports are not found by what they share with the original. NULL: the
 * mail has no such value, or it is the same key as without `sent`. */
static char *make_key(enum series_key kind, const struct series_mail *m,
		      gboolean sent)
{
	const char *who = "", *value = m->title_key;

	if (kind == SERIES_KEY_TITLE || kind == SERIES_KEY_PATCH) {
		who = sent ? m->sender : m->author;
		if (sent && !strcmp(m->sender, m->author))
			return NULL;
	} else {
		value = kind == SERIES_KEY_ID ? m->patch_id : m->change_id;
		if (sent)
			return NULL;
	}
	if (!value || !*value)
		return NULL;
	return g_strdup_printf("%c%d%s\n%s", kind, m->stable || m->backport_of,
			       who, value);
}

static void add_one_key(struct series_index *x, char *key, int rank)
{
	GArray *ranks = g_hash_table_lookup(x->keys, key);

	if (!ranks) {
		ranks = g_array_new(FALSE, FALSE, sizeof(int));
		g_hash_table_insert(x->keys, g_strdup(key), ranks);
	}
	if (!ranks->len || g_array_index(ranks, int, ranks->len - 1) != rank)
		g_array_append_val(ranks, rank);
}

static void add_key(struct series_index *x, enum series_key kind,
		    const struct series_mail *m, int rank)
{
	for (int sent = 0; m && sent < 2; sent++) {
		g_autofree char *key = make_key(kind, m, sent);

		if (key)
			add_one_key(x, key, rank);
	}
}

static void add_mail(struct series_index *x, const struct series_work *w,
		     int fact, int rank)
{
	const struct series_mail *m = &w->mails[fact];

	g_hash_table_insert(x->by_mid, (gpointer)m->mid,
			    GINT_TO_POINTER(fact + 1));
	add_key(x, SERIES_KEY_CHANGE, m, rank);
}

static void add_set(struct series_index *x, const struct series_work *w,
		    int rank)
{
	const struct set *s = g_ptr_array_index(w->sets, x->by_date[rank]);

	add_key(x, SERIES_KEY_TITLE, series_titled(w, s), rank);
	if (s->cover >= 0)
		add_mail(x, w, s->cover, rank);
	for (guint i = 0; i < s->patches->len; i++) {
		int fact =
			g_array_index(s->patches, struct series_patch, i).mail;

		add_mail(x, w, fact, rank);
		add_key(x, SERIES_KEY_PATCH, &w->mails[fact], rank);
		add_key(x, SERIES_KEY_ID, &w->mails[fact], rank);
	}
}

struct dated {
	const struct series_work *w;
	const int *first; /* mail of each set */
};

static int compare_sets(const void *a, const void *b, void *data)
{
	const struct dated *d = data;
	const struct series_mail *x = &d->w->mails[d->first[*(const int *)a]];
	const struct series_mail *y = &d->w->mails[d->first[*(const int *)b]];

	if (x->date != y->date)
		return x->date < y->date ? -1 : 1;
	return strcmp(x->mid, y->mid);
}

static void array_free(void *array)
{
	g_array_free(array, TRUE);
}

struct series_index *series_index_new(const struct series_work *w)
{
	struct series_index *x = g_new0(struct series_index, 1);
	g_autofree int *first = g_new(int, w->sets->len);
	struct dated d = {w, first};

	x->by_date = g_new(int, w->sets->len);
	x->rank = g_new(int, w->sets->len);
	for (guint i = 0; i < w->sets->len; i++) {
		struct set *s = g_ptr_array_index(w->sets, i);

		first[i] = s->first_mail = find_first_mail(w, s);
		x->rank[i] = -1;
		if (first[i] >= 0)
			x->by_date[x->count++] = (int)i;
	}
	g_qsort_with_data(x->by_date, (int)x->count, sizeof(int), compare_sets,
			  &d);
	x->keys = g_hash_table_new_full(g_str_hash, g_str_equal, g_free,
					array_free);
	x->by_mid = g_hash_table_new(g_str_hash, g_str_equal);
	for (guint r = 0; r < x->count; r++) {
		x->rank[x->by_date[r]] = (int)r;
		add_set(x, w, (int)r);
	}
	return x;
}

void series_index_free(struct series_index *x)
{
	if (!x)
		return;
	g_hash_table_unref(x->by_mid);
	g_hash_table_unref(x->keys);
	g_free(x->rank);
	g_free(x->by_date);
	g_free(x);
}

const GArray *series_index_find(const struct series_index *x,
				enum series_key kind,
				const struct series_mail *m, gboolean sent)
{
	g_autofree char *key = m ? make_key(kind, m, sent) : NULL;

	return key ? g_hash_table_lookup(x->keys, key) : NULL;
}

guint series_ranks_before(const GArray *ranks, int rank)
{
	guint low = 0, high = ranks ? ranks->len : 0;

	while (low < high) {
		guint middle = low + (high - low) / 2;

		if (g_array_index(ranks, int, middle) < rank)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}
