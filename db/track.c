/* track.c - the tracker: reports, then all commands by date */
#include <string.h>

#include "db/track_priv.h"

static void mail_free(struct track_mail *m)
{
	g_free(m->mid);
	g_free(m->subject);
	g_free(m->name);
	g_free(m->address);
	g_clear_pointer(&m->linked, g_ptr_array_unref);
	g_free(m);
}

static void tracked_free(struct tracked *i)
{
	g_ptr_array_foreach(i->notes, (GFunc)(void *)track_note_free, NULL);
	g_ptr_array_unref(i->notes);
	g_ptr_array_foreach(i->links, (GFunc)(void *)item_link_free, NULL);
	g_ptr_array_unref(i->links);
	g_ptr_array_unref(i->duplicates);
	g_ptr_array_unref(i->commands);
	g_free(i->id);
	g_hash_table_unref(i->values);
	track_people_free(i->people);
	g_free(i->reported);
	g_free(i->commit);
	g_free(i->key);
	g_free(i->ticket);
	g_free(i);
}

static struct tracker *tracker_new(store *st)
{
	struct tracker *t = g_new0(struct tracker, 1);

	t->refs = 1;
	t->st = st;
	t->all = g_ptr_array_new_with_free_func((GDestroyNotify)tracked_free);
	t->heads = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free,
					 (GDestroyNotify)g_ptr_array_unref);
	t->keys = g_hash_table_new(g_str_hash, g_str_equal);
	t->tickets = g_hash_table_new(g_str_hash, g_str_equal);
	t->mails = g_hash_table_new_full(g_int64_hash, g_int64_equal, NULL,
					 (GDestroyNotify)mail_free);
	t->subjects = g_hash_table_new_full(g_str_hash, g_str_equal, g_free,
					    (GDestroyNotify)g_ptr_array_unref);
	t->commands = g_ptr_array_new_with_free_func(
		(GDestroyNotify)track_command_free);
	t->strings =
		g_ptr_array_new_with_free_func((GDestroyNotify)item_ref_drop);
	t->everywhere =
		g_ptr_array_steal_index(t->all,
					(track_add(t, "", NULL, NULL), 0));
	return t;
}

struct tracker *tracker_ref(struct tracker *t)
{
	t->refs++;
	return t;
}

void tracker_free(struct tracker *t)
{
	if (!t || --t->refs)
		return;
	g_hash_table_unref(t->heads);
	g_hash_table_unref(t->keys);
	g_hash_table_unref(t->tickets);
	g_hash_table_unref(t->subjects);
	g_clear_pointer(&t->ids, g_hash_table_unref);
	g_hash_table_unref(t->mails);
	g_ptr_array_unref(t->commands);
	g_ptr_array_unref(t->all);
	tracked_free(t->everywhere);
	track_known_free(t->known);
	g_ptr_array_unref(t->strings);
	g_clear_error(&t->error);
	g_free(t);
}

/* ---- names: the earliest of those that collide keeps the short one */

static int compare_tracked(gconstpointer a, gconstpointer b)
{
	const struct tracked *x = *(struct tracked *const *)a;
	const struct tracked *y = *(struct tracked *const *)b;

	if (x->date != y->date)
		return x->date < y->date ? -1 : 1;
	return strcmp(x->key, y->key);
}

static void name_all(struct tracker *t)
{
	g_autoptr(GHashTable) taken = g_hash_table_new(g_str_hash, g_str_equal);

	g_ptr_array_sort(t->all, compare_tracked);
	for (guint n = 0; n < t->all->len; n++) {
		struct tracked *i = t->all->pdata[n];
		guint more = 0;

		i->id = item_id(i->key, i->date, 0);
		while (g_hash_table_contains(taken, i->id)) {
			g_free(i->id);
			more += 2;
			i->id = item_id(i->key, i->date, more);
		}
		g_hash_table_add(taken, i->id);
	}
}

/* What belongs to which is known at the end only. */
static void join(struct tracker *t)
{
	for (guint n = 0; n < t->commands->len; n++) {
		struct track_command *c = t->commands->pdata[n];

		if (c->item)
			g_ptr_array_add(c->item->commands, c);
	}
	for (guint n = 0; n < t->all->len; n++) {
		struct tracked *i = t->all->pdata[n];

		if (i->duplicate_of && !i->dropped)
			g_ptr_array_add(i->duplicate_of->duplicates, i);
	}
}

struct tracker *tracker_make(store *st, GError **err)
{
	g_autoptr(tracker_auto) t = tracker_new(st);

	if (track_load_reports(t) && track_load_commands(t))
		track_apply_all(t);
	g_clear_pointer(&t->known, track_known_free);
	if (!t->error)
		name_all(t);
	join(t);
	track_suggest(t);
	if (!t->error)
		return g_steal_pointer(&t);
	g_propagate_error(err, g_steal_pointer(&t->error));
	return NULL;
}
