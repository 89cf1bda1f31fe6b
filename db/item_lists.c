/* item_lists.c - where a report was seen, and whether its numbers agree
 * Facts of the report's own mail; the fold of db/item_fold.c needs neither. */
#include "db/items_priv.h"

/* The lists given for any copy of it, and those its copies name. */
static const char lists_of[] =
	"WITH raws AS (SELECT w.id, w.list FROM node n JOIN raw w ON w.id = n.raw"
	" WHERE n.id = ?1 UNION ALL SELECT id, list FROM raw"
	" WHERE node = ?1 AND spare = 1)"
	" SELECT l.name FROM raws w JOIN location x ON x.raw = w.id"
	" JOIN list l ON l.id = x.list"
	" UNION SELECT l.name FROM raws w JOIN list l ON l.id = w.list"
	" ORDER BY 1 LIMIT ?2";

static const char findings_of[] =
	"SELECT 1 FROM measure_problem WHERE node = ?1 AND code <> 'not-read'"
	" LIMIT 1";

GPtrArray *item_lists(store *st, gint64 node, GError **err)
{
	g_autoptr(GPtrArray) out = g_ptr_array_new_with_free_func(g_free);
	g_autoptr(db_rows) lists = db_query(st->state, err, lists_of, INT(node),
					    INT(ITEM_MAX_LISTS));
	int rc;

	while ((rc = db_next(lists, err)) > 0)
		g_ptr_array_add(out, db_dup(lists, 0));
	return rc < 0 ? NULL : g_steal_pointer(&out);
}

gboolean item_read_lists(store *st, struct item_facts *f, GError **err)
{
	GPtrArray *lists = item_lists(st, f->node, err);
	g_autoptr(db_rows) findings = NULL;
	int found;

	if (!lists)
		return FALSE;
	g_ptr_array_extend_and_steal(f->item->lists, lists);
	findings = db_query(st->state, err, findings_of, INT(f->node));
	found = db_next(findings, err);
	f->item->inconsistent = found > 0;
	return found >= 0;
}
