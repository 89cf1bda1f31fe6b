/* item_report.c - the stored reports, as items that nothing happened to yet */
#include <math.h>

#include "db/items_priv.h"

/* "+": not by walking the index of all ids. */
#define REPORTS                                                              \
	"SELECT r.node, n.tid, n.mid, n.date, m.subject, s.name, s.written," \
	" s.address, r.direction, r.metric, r.change, r.commit_id,"          \
	" r.commit_subject, r.base, r.base_tree, r.branch, r.testcase,"      \
	" r.machine, r.tbox, r.parameters, r.patch_mid, r.tags_offered,"     \
	" r.category, r.title"                                               \
	" FROM report r JOIN node n ON n.id = r.node"                        \
	" JOIN message m ON m.node = r.node JOIN person s ON s.id = m.person"

static const char all_reports[] =
	REPORTS " WHERE 1 << r.category & ?1 ORDER BY +n.tid, +n.mid";
static const char one_report[] = REPORTS " WHERE r.node = ?1";

static void read_lines(GPtrArray *into, const char *text)
{
	g_auto(GStrv) lines = text ? g_strsplit(text, "\n", -1) : NULL;

	for (guint n = 0; lines && lines[n]; n++)
		if (*lines[n])
			g_ptr_array_add(into, g_strdup(lines[n]));
}

static gint64 known_time(gint64 time)
{
	return time == DB_NULL ? 0 : time;
}

void item_facts_strings(struct item_facts *f)
{
	const struct item *i = f->item;

	f->kept = g_ptr_array_new_with_free_func((GDestroyNotify)item_ref_drop);
	f->mid = item_ref(i->mid);
	f->name = item_ref(i->reporter_name);
	f->address = item_ref(i->reporter_address);
	f->by = item_ref_person(i->reporter_name, i->reporter_address);
	f->subject = item_ref(i->subject);
	f->commit = item_ref(i->commit);
	f->commit_subject = item_ref(i->commit_subject);
}

static void read_report(db_rows *rows, struct item_facts *f)
{
	struct item *i = f->item = item_new();

	f->node = db_int(rows, 0);
	f->tid = db_int(rows, 1);
	i->mid = db_dup(rows, 2);
	i->reported = known_time(db_int(rows, 3));
	i->subject = db_dup(rows, 4);
	i->reporter_name = db_dup(rows, 5);
	i->reporter_address = db_dup(rows, 6);
	f->reporter = db_int(rows, 7);
	i->robot = TRUE;
	i->category = (enum report_category)db_int(rows, 22);
	i->direction = (enum report_direction)db_int(rows, 8);
	i->metric = db_dup(rows, 9);
	if (db_int(rows, 10) != DB_NULL)
		i->change_percent = sqlite3_column_double(rows, 10);
	i->commit = db_dup(rows, 11);
	i->commit_subject = db_dup(rows, 12);
	i->base = db_dup(rows, 13);
	i->tree = db_dup(rows, 14);
	i->branch = db_dup(rows, 15);
	i->testcase = db_dup(rows, 16);
	i->machine = db_dup(rows, 17);
	i->tbox = db_dup(rows, 18);
	read_lines(i->parameters, db_text(rows, 19));
	i->patch_mid = db_dup(rows, 20);
	read_lines(i->tags_offered, db_text(rows, 21));
	i->title = item_title(i, db_text(rows, 23));
	item_facts_strings(f);
}

void item_facts_free(void *data)
{
	struct item_facts *f = data;

	item_free(f->item);
	g_free(f->reported_key);
	item_ref_drop(f->mid);
	item_ref_drop(f->name);
	item_ref_drop(f->address);
	item_ref_drop(f->by);
	item_ref_drop(f->subject);
	item_ref_drop(f->commit);
	item_ref_drop(f->commit_subject);
	g_clear_pointer(&f->kept, g_ptr_array_unref);
}

GArray *item_reports_load(store *st, gint64 node, GError **err)
{
	g_autoptr(GArray) all =
		g_array_new(FALSE, TRUE, sizeof(struct item_facts));
	g_autoptr(db_rows) rows =
		node ? db_query(st->state, err, one_report, INT(node))
		     : db_query(st->state, err, all_reports,
				INT(items_tracked(st) & 0xff));
	int rc;

	g_array_set_clear_func(all, item_facts_free);
	while ((rc = db_next(rows, err)) > 0) {
		struct item_facts f = {0};

		read_report(rows, &f);
		g_array_append_val(all, f);
	}
	return rc < 0 ? NULL : g_steal_pointer(&all);
}
