/* item_disputes.c - who says that a report is none, or takes it back
 * In words, below the report and before any fix of it: that it could not be
 * seen again, that it was a mistake. What numbers and commands say of it is
 * found elsewhere; what settles it is decided in item_fold.c. */
#include "mail/words.h"

#include "db/items_priv.h"

static char *keep(struct item_facts *f, char *ref)
{
	if (ref)
		g_ptr_array_add(f->kept, ref);
	return ref;
}

/* Not of a patch that was sent below the report. */
static gboolean is_about(const struct item_thread *t, int report, int at)
{
	return at > report && at < t->end[report] &&
	       t->above[at] == t->above[report];
}

static gboolean is_before_fixes(const struct item *i, gint64 date)
{
	for (guint n = 0; n < i->fixes->len; n++)
		if (((struct item_fix *)i->fixes->pdata[n])->date <= date)
			return FALSE;
	return TRUE;
}

/* Whoever runs a robot takes its report back. What persons are sorry for may be
 * anything. */
static gboolean is_own(const struct item_facts *f, db_rows *rows)
{
	return f->item->robot && db_int(rows, 7) == f->reporter &&
	       db_int(rows, 8) == WORD_RETRACTED;
}

static void add_note(struct item_facts *f, db_rows *rows, GArray *notes)
{
	struct item_note note = {.type = is_own(f, rows) ? "retracted"
							 : "disputed",
				 .time = db_int(rows, 1)};

	note.mid = keep(f, item_ref_column(rows, 2));
	note.name = keep(f, item_ref_column(rows, 3));
	note.address = keep(f, item_ref_column(rows, 4));
	note.by = keep(f, item_ref_person(note.name, note.address));
	note.text = keep(f, item_ref_column(rows, 5));
	note.seq = (int)db_int(rows, 6);
	g_array_append_val(notes, note);
}

gboolean item_find_disputes(struct item_cache *c, struct item_facts *f,
			    struct item_thread *t, GArray *notes, GError **err)
{
	static const char sql[] =
		"SELECT n.id, n.date, n.mid, p.name, p.written, w.text, w.seq,"
		" p.address, w.kind"
		" FROM node n JOIN word w ON w.node = n.id"
		" JOIN message m ON m.node = n.id"
		" JOIN person p ON p.id = m.person"
		" WHERE n.tid = ?1 AND w.kind IN (?2, ?3)"
		" AND m.kind NOT IN (?4, ?5) AND n.date NOTNULL"
		" ORDER BY n.date, n.mid, w.seq LIMIT ?6";
	int report = t ? item_thread_index(t, f->node) : -1;
	g_autoptr(db_rows) rows = NULL;
	int rc;

	if (report < 0)
		return TRUE;
	rows = db_query(c->st->state, err, sql, INT(f->tid),
			INT(WORD_NOT_REPRODUCED), INT(WORD_RETRACTED),
			INT(KIND_REPORT), INT(KIND_NOTICE),
			INT(ITEM_MAX_LOOKS));
	while ((rc = db_next(rows, err)) > 0)
		if (is_about(t, report,
			     item_thread_index(t, db_int(rows, 0))) &&
		    (is_own(f, rows) ||
		     is_before_fixes(f->item, db_int(rows, 1))))
			add_note(f, rows, notes);
	return rc == 0;
}
