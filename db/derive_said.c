/* derive_said.c - rows of what a mail says became of a patch
 * As it says: nothing is looked up here. */
#include "db/db_priv.h"
#include "db/derive.h"

static gint64 known(int number)
{
	return number < 0 ? DB_NULL : number;
}

static gboolean derive_item(store *st, gint64 node, guint seq,
			    const struct applied_item *i, GError **err)
{
	return db_run(st->state, err,
		      "INSERT INTO applied_item (node, seq, number, total, "
		      "title, commit_id, mid) VALUES (?, ?, ?, ?, ?, ?, ?)",
		      INT(node), INT(seq), INT(known(i->number)),
		      INT(known(i->total)), TEXT(i->title), TEXT(i->commit),
		      TEXT(i->mid));
}

gboolean derive_applied(store *st, gint64 node, const struct applied *a,
			GError **err)
{
	g_autofree char *commits = a ? derive_lines(a->commits) : NULL;

	if (!a)
		return TRUE;
	if (!db_run(st->state, err,
		    "INSERT INTO applied (node, kind, tree, branch, commits, "
		    "text, line, partial, robot) "
		    "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
		    INT(node), INT(a->kind), TEXT(a->tree), TEXT(a->branch),
		    TEXT(commits), TEXT(a->text), INT(a->line), INT(a->partial),
		    INT(a->robot)))
		return FALSE;
	for (guint i = 0; i < a->commits->len; i++)
		if (!db_run(st->state, err,
			    "INSERT OR IGNORE INTO applied_commit VALUES (?, ?)",
			    INT(node), TEXT(a->commits->pdata[i])))
			return FALSE;
	for (guint i = 0; i < a->items->len; i++)
		if (!derive_item(st, node, i, a->items->pdata[i], err))
			return FALSE;
	return TRUE;
}
