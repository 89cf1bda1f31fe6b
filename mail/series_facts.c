/* series_facts.c - the facts put in order before they are grouped
 * Ancestors of the same sender, depth, and which mails left one `git
 * send-email` together. Must not depend on the order of the array. */
#include <stdlib.h>
#include <string.h>

#include "mail/series_priv.h"

gboolean series_is_cover(const struct series_mail *m)
{
	return m->is_patch_like && !m->reply && m->number == 0;
}

gboolean series_is_patch(const struct series_mail *m)
{
	return m->has_diff && !m->reply && m->number != 0;
}

int series_slot(const struct series_mail *m)
{
	return m->number < 0 ? 1 : m->number;
}

int series_total(const struct series_mail *m)
{
	return m->number < 0 ? 1 : m->total;
}

static int compare_numbers(const void *a, const void *b)
{
	const struct series_patch *x = a, *y = b;

	return (x->number > y->number) - (x->number < y->number);
}

void series_sort_patches(struct set *s)
{
	g_array_sort(s->patches, compare_numbers);
}

int series_at(const struct set *s, int number)
{
	struct series_patch key = {.number = number};
	const struct series_patch *p;

	if (!s->patches->len)
		return -1;
	p = bsearch(&key, s->patches->data, s->patches->len, sizeof(key),
		    compare_numbers);

	return p ? p->mail : -1;
}

/* "<digits>[.-]<digits>": the head of ids made by git send-email. */
static gsize stamp_len(const char *mid)
{
	gsize a = strspn(mid, "0123456789"), b;

	if (!a || (mid[a] != '.' && mid[a] != '-'))
		return 0;
	b = strspn(mid + a + 1, "0123456789");
	return b && mid[a + 1 + b] == '-' ? a + 1 + b : 0;
}

/* "20221025-slug-v1": the head of ids made by b4. */
static gsize b4_len(const char *mid)
{
	const char *at = mid;

	if (strspn(mid, "0123456789") != 8 || mid[8] != '-')
		return 0;
	while ((at = strstr(at, "-v"))) {
		gsize digits = strspn(at + 2, "0123456789");

		if (digits && at[2 + digits] == '-' &&
		    g_ascii_isdigit(at[3 + digits]))
			return (gsize)(at - mid) + 2 + digits;
		at += 2;
	}
	return 0;
}

/* What the ids of one sending share: the counter is left out. */
static char *family_of(const char *mid)
{
	gsize hex = strspn(mid, "0123456789abcdef"), head, counter;
	const char *rest;

	if (strlen(mid) > 4 * SERIES_MAX_FAMILY)
		return NULL;
	if (g_str_has_prefix(mid, "cover."))
		rest = mid + 6;
	else
		rest = hex == 40 && mid[40] == '.' ? mid + 41 : NULL;
	if (rest &&
	    g_str_has_prefix(rest + strspn(rest, "0123456789"), ".git."))
		return g_strdup(rest);
	head = stamp_len(mid);
	if (!head)
		head = b4_len(mid);
	if (!head)
		return NULL;
	counter = strspn(mid + head + 1, "0123456789");
	rest = mid + head + 1 + counter;
	if (!counter || *rest != '-')
		return NULL;
	return g_strdup_printf("%.*s%s", (int)head, mid, rest);
}

static int fact_compare(const struct series_mail *mails, int a, int b)
{
	if (mails[a].date != mails[b].date)
		return mails[a].date < mails[b].date ? -1 : 1;
	return strcmp(mails[a].mid, mails[b].mid);
}

static int ancestor_of_sender(const struct series_work *w, guint i)
{
	int at = w->mails[i].parent;

	for (guint step = 0; at >= 0 && step < SERIES_MAX_WALK; step++) {
		if ((guint)at >= w->n || (guint)at == i)
			return -1;
		if (!strcmp(w->mails[at].sender, w->mails[i].sender))
			return at;
		at = w->mails[at].parent;
	}
	return -1;
}

/* A ring of ancestors is cut above its oldest mail. */
static void cut_ring(struct series_work *w, int at)
{
	int oldest = at;

	for (int x = w->up[at]; x != at; x = w->up[x])
		if (fact_compare(w->mails, x, oldest) < 0)
			oldest = x;
	w->up[oldest] = -1;
}

enum { UNSEEN = -1, UNDERWAY = -2 };

struct sorting {
	const struct series_mail *mails;
	int *depth;
	gint64 *when; /* date, but never before that of an ancestor */
};

/* Does nothing but cut a ring where there is one: to be called again. */
static void find_depth(struct series_work *w, int i, struct sorting *s,
		       GArray *path)
{
	int at = i, *depth = s->depth;

	g_array_set_size(path, 0);
	while (at >= 0 && depth[at] == UNSEEN) {
		depth[at] = UNDERWAY;
		g_array_append_val(path, at);
		at = w->up[at];
	}
	if (at >= 0 && depth[at] == UNDERWAY) {
		cut_ring(w, at);
		for (guint k = 0; k < path->len; k++)
			depth[g_array_index(path, int, k)] = UNSEEN;
		return;
	}
	for (guint k = path->len; k > 0; k--) {
		int next = g_array_index(path, int, k - 1);

		depth[next] = at >= 0 ? depth[at] + 1 : 0;
		s->when[next] = w->mails[next].date;
		if (at >= 0)
			s->when[next] = MAX(s->when[next], s->when[at]);
		at = next;
	}
}

static int compare_facts(const void *a, const void *b, void *data)
{
	const struct sorting *s = data;
	int x = *(const int *)a, y = *(const int *)b;

	if (s->when[x] != s->when[y])
		return s->when[x] < s->when[y] ? -1 : 1;
	if (s->depth[x] != s->depth[y])
		return s->depth[x] - s->depth[y];
	return fact_compare(s->mails, x, y);
}

void series_prepare(struct series_work *w)
{
	g_autofree int *depth = g_new(int, w->n);
	g_autofree gint64 *when = g_new(gint64, w->n);
	g_autoptr(GArray) path = g_array_new(FALSE, FALSE, sizeof(int));
	struct sorting s = {w->mails, depth, when};

	for (guint i = 0; i < w->n; i++) {
		w->up[i] = ancestor_of_sender(w, i);
		w->order[i] = (int)i;
		w->set_of[i] = -1;
		w->family[i] = family_of(w->mails[i].mid);
		depth[i] = UNSEEN;
	}
	for (guint i = 0; i < w->n; i++)
		while (depth[i] == UNSEEN)
			find_depth(w, (int)i, &s, path);
	g_qsort_with_data(w->order, (int)w->n, sizeof(int), compare_facts, &s);
}
