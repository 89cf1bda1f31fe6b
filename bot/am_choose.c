/* am_choose.c - which series of a thread is meant
 * All versions of it are looked at, wherever they were sent. */
#include <string.h>

#include "bot/am_priv.h"

GHashTable *am_index_mails(const struct series_set *set)
{
	GHashTable *out = g_hash_table_new(g_str_hash, g_str_equal);

	for (guint i = 0; i < set->series->len; i++) {
		const struct series *s = set->series->pdata[i];
		const struct series_mail *mails =
			(const struct series_mail *)set->mails->data;

		if (s->cover >= 0 && !s->cover_inherited)
			g_hash_table_insert(out, (gpointer)mails[s->cover].mid,
					    GUINT_TO_POINTER(i + 1));
		for (guint k = 0; k < s->patches->len; k++) {
			const struct series_patch *p =
				&g_array_index(s->patches, struct series_patch,
					       k);

			if (!p->inherited)
				g_hash_table_insert(
					out, (gpointer)mails[p->mail].mid,
					GUINT_TO_POINTER(i + 1));
		}
	}
	return out;
}

/* The series of the mail itself, of its nearest ancestor that has one, or the
 * first of the thread. */
static int find_start(const struct thread *t, GHashTable *mails)
{
	int at = t->asked;

	for (guint step = 0; at >= 0 && step < t->nodes->len; step++) {
		const struct thread_node *n = t->nodes->pdata[at];
		guint found =
			GPOINTER_TO_UINT(g_hash_table_lookup(mails, n->mid));

		if (found)
			return (int)found - 1;
		at = n->parent;
	}
	for (guint i = 0; i < t->nodes->len; i++) {
		const struct thread_node *n = t->nodes->pdata[i];
		guint found =
			GPOINTER_TO_UINT(g_hash_table_lookup(mails, n->mid));

		if (found)
			return (int)found - 1;
	}
	return -1;
}

static void push(GQueue *queue, gboolean *seen, int i)
{
	if (i < 0 || seen[i])
		return;
	seen[i] = TRUE;
	g_queue_push_tail(queue, GINT_TO_POINTER(i));
}

/* Later versions first; of one version the later sending. */
static gboolean is_newer(const struct series_set *set, int a, int b)
{
	const struct series *x = set->series->pdata[a];
	const struct series *y = b >= 0 ? set->series->pdata[b] : NULL;

	return !y || x->version > y->version ||
	       (x->version == y->version && a > b);
}

/* Everything linked to `start`: versions and resends, both ways. */
static gboolean *find_family(const struct series_set *set, int start)
{
	gboolean *seen = g_new0(gboolean, set->series->len);
	g_autoptr(GQueue) queue = g_queue_new();

	push(queue, seen, start);
	while (!g_queue_is_empty(queue)) {
		int at = GPOINTER_TO_INT(g_queue_pop_head(queue));
		const struct series *s = set->series->pdata[at];

		push(queue, seen, s->supersedes);
		push(queue, seen, s->superseded_by);
		push(queue, seen, s->resend_of);
		for (guint i = 0; i < set->series->len; i++) {
			const struct series *o = set->series->pdata[i];

			if (o->supersedes == at || o->resend_of == at)
				push(queue, seen, (int)i);
		}
	}
	return seen;
}

int am_choose(const struct series_set *set, const struct thread *t,
	      GHashTable *mails, int *newest)
{
	g_autofree gboolean *family = NULL;
	int start = find_start(t, mails), chosen = -1;

	*newest = -1;
	if (start < 0)
		return -1;
	family = find_family(set, start);
	for (guint i = 0; i < set->series->len; i++) {
		const struct series *s = set->series->pdata[i];

		if (!family[i])
			continue;
		if (is_newer(set, (int)i, *newest))
			*newest = (int)i;
		if (s->complete && is_newer(set, (int)i, chosen))
			chosen = (int)i;
	}
	return chosen;
}
