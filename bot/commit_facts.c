/* commit_facts.c - gathering what is known of one commit */
#include "bot/commit_facts.h"

void commit_facts_free(struct commit_facts *f)
{
	GPtrArray *arrays[] = {f->places, f->trees, f->patches, f->sayings,
			       f->others, f->items, f->mentions};

	commit_free(f->commit);
	commit_free(f->follow);
	g_free(f->asked);
	g_free(f->describe);
	for (guint i = 0; i < G_N_ELEMENTS(arrays); i++)
		if (arrays[i])
			g_ptr_array_unref(arrays[i]);
	g_free(f);
}

/* Of others about it; a mention alone is not worth a line. */
static gboolean load_others(store *st, struct commit_facts *f, GError **err)
{
	static const enum commit_says kinds[] = {SAYS_FIXES, SAYS_REVERTS,
						 SAYS_BACKPORTS, SAYS_PICKED};

	f->others = g_ptr_array_new_with_free_func(
		(GDestroyNotify)commit_saying_free);
	for (guint i = 0; i < G_N_ELEMENTS(kinds); i++) {
		GPtrArray *some =
			commits_saying(st, kinds[i], f->commit->id, err);

		if (!some)
			return FALSE;
		g_ptr_array_extend_and_steal(f->others, some);
	}
	return TRUE;
}

static gboolean load_known(store *st, struct commit_facts *f, GError **err)
{
	GError *why = NULL;

	f->places = commit_places(st, f->commit, err);
	f->patches = f->places ? patches_of_commit(st, f->commit, err) : NULL;
	f->sayings = f->patches ? commit_sayings(st, f->commit, err) : NULL;
	if (!f->sayings || !load_others(st, f, err))
		return FALSE;
	f->describe = commit_describe(st, f->commit, &why);
	if (!why)
		f->follow = commit_follow(st, f->commit, &f->same, &why);
	if (!why)
		return TRUE;
	g_propagate_error(err, why);
	return FALSE;
}

struct commit_facts *commit_facts_load(store *st, struct commit *c,
				       const char *asked, GError **err)
{
	g_autoptr(commit_facts_auto) f = g_new0(struct commit_facts, 1);

	f->commit = c;
	f->asked = g_ascii_strdown(asked, -1);
	if (c && !load_known(st, f, err))
		return NULL;
	f->trees = c ? NULL : trees_load(st, err);
	if (!c && !f->trees)
		return NULL;
	f->items = commit_items(st, asked, c, err);
	f->mentions =
		f->items ? commit_mentions(st, c ? c->id : asked, err) : NULL;
	return f->mentions ? g_steal_pointer(&f) : NULL;
}
