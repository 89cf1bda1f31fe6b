/* series_index.c - sets found by what they share
 * Keys hold the sender: nothing is ever found across two people. */
#include <string.h>

#include "mail/series_priv.h"

int series_first_mail(const struct series_work *w, const struct set *s)
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

const char *series_title(const struct series_work *w, const struct set *s)
{
	int fact = s->cover;

	if (fact < 0 && s->announced == 1 && s->patches->len == 1)
		fact = g_array_index(s->patches, struct series_patch, 0).mail;
	return fact >= 0 && *w->mails[fact].title_key ? w->mails[fact].title_key
						      : NULL;
}

const char *series_sender(const struct series_work *w, const struct set *s)
{
	if (s->cover >= 0)
		return w->mails[s->cover].sender;
	return w->mails[g_array_index(s->patches, struct series_patch, 0).mail]
		.sender;
}

static char *make_key(enum series_key kind, const char *sender,
		      const char *value)
{
	return g_strdup_printf("%c%s\n%s", kind, sender, value);
}

static void add_key(struct series_index *x, enum series_key kind,
		    const char *sender, const char *value, int rank)
{
	g_autofree char *key = NULL;
	GArray *ranks;

	if (!value || !*value)
		return;
	key = make_key(kind, sender, value);
	ranks = g_hash_table_lookup(x->keys, key);
	if (!ranks) {
		ranks = g_array_new(FALSE, FALSE, sizeof(int));
		g_hash_table_insert(x->keys, g_steal_pointer(&key), ranks);
	}
	if (!ranks->len || g_array_index(ranks, int, ranks->len - 1) != rank)
		g_array_append_val(ranks, rank);
}

static void add_mail(struct series_index *x, const struct series_work *w,
		     int fact, int rank)
{
	const struct series_mail *m = &w->mails[fact];

	g_hash_table_insert(x->by_mid, (gpointer)m->mid,
			    GINT_TO_POINTER(fact + 1));
	add_key(x, SERIES_KEY_CHANGE, m->sender, m->change_id, rank);
}

static void add_set(struct series_index *x, const struct series_work *w,
		    int rank)
{
	const struct set *s = g_ptr_array_index(w->sets, x->by_date[rank]);
	const char *sender = series_sender(w, s);

	add_key(x, SERIES_KEY_TITLE, sender, series_title(w, s), rank);
	if (s->cover >= 0)
		add_mail(x, w, s->cover, rank);
	for (guint i = 0; i < s->patches->len; i++) {
		int fact =
			g_array_index(s->patches, struct series_patch, i).mail;

		add_mail(x, w, fact, rank);
		add_key(x, SERIES_KEY_PATCH, sender, w->mails[fact].title_key,
			rank);
		add_key(x, SERIES_KEY_ID, sender, w->mails[fact].patch_id,
			rank);
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
		first[i] = series_first_mail(w, g_ptr_array_index(w->sets, i));
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
				enum series_key kind, const char *sender,
				const char *value)
{
	g_autofree char *key = NULL;

	if (!value || !*value)
		return NULL;
	key = make_key(kind, sender, value);
	return g_hash_table_lookup(x->keys, key);
}
