/* track_suggest.c - items that may be the same, since their culprit is
 * Only told: whether they are, somebody has to say. */
#include <string.h>

#include "db/track_priv.h"

#define PREFIX 7 /* digits: the fewest of a commit id */

static const struct track_note *introduced_by(const struct tracked *i)
{
	const struct track_note *last = NULL;

	for (guint n = 0; n < i->notes->len; n++) {
		const struct track_note *x = i->notes->pdata[n];

		if (!x->undone && !strcmp(x->note.type, "introduced"))
			last = x;
	}
	return last;
}

static gboolean same_commit(const char *a, const char *b)
{
	return g_str_has_prefix(a, b) || g_str_has_prefix(b, a);
}

static void suggest(struct tracker *t, struct tracked *i,
		    const struct tracked *of)
{
	const struct track_note *by = introduced_by(i);
	struct track_note *n;
	g_autofree char *text = NULL;

	if (!by)
		return;
	text = g_strdup_printf("the same culprit as %s: a duplicate?", of->id);
	n = g_new0(struct track_note, 1);
	n->item = i;
	n->note = by->note;
	n->note.type = "suggested";
	n->note.ref = NULL;
	n->note.text = item_ref(text);
	g_ptr_array_add(t->strings, n->note.text);
	g_ptr_array_add(i->notes, n);
}

void track_suggest(struct tracker *t)
{
	g_autoptr(GHashTable) seen =
		g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);

	/* by date: the first one of a commit is whose duplicate others are */
	for (guint n = 0; n < t->all->len; n++) {
		struct tracked *i = t->all->pdata[n], *first;
		char *key;

		if (i->dropped || !i->commit || i->duplicate_of ||
		    strlen(i->commit) < PREFIX)
			continue;
		key = g_strndup(i->commit, PREFIX);
		first = g_hash_table_lookup(seen, key);
		if (!first) {
			g_hash_table_insert(seen, key, i);
			continue;
		}
		g_free(key);
		if (same_commit(first->commit, i->commit))
			suggest(t, i, first);
	}
}
