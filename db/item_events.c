/* item_events.c - what the mails say of one item
 * The report itself, its thread, what commands say (item_tracked.c), what may
 * repair it (item_fixes.c), and what was measured later (item_reruns.c). A new
 * kind of event begins here, with a note; what it means for the state stands
 * in the table of item_fold.c. */
#include "db/item_commits.h"

/* The patch it speaks of: the one it links, else the one it answers. */
static void find_patch(struct item *i, const struct thread *t, int at)
{
	const struct thread_node *n = at < 0 ? NULL : t->nodes->pdata[at];

	if (i->patch_mid || !n || n->parent < 0)
		return;
	n = t->nodes->pdata[n->parent];
	if (n->kind == KIND_PATCH && !n->ghost)
		i->patch_mid = g_strdup(n->mid);
}

static gboolean read_patch(store *st, struct item_facts *f, GError **err)
{
	g_autoptr(db_rows) rows = NULL;
	int rc;

	if (!f->item->patch_mid)
		return TRUE;
	rows = db_query(st->state, err,
			"SELECT CASE WHEN a.name = '' THEN a.written ELSE"
			" a.name || ' <' || a.written || '>' END, p.title_key"
			" FROM node n JOIN patch p ON p.node = n.id"
			" JOIN person a ON a.id = p.author_person"
			" WHERE n.mid = ?1",
			TEXT(f->item->patch_mid));
	rc = db_next(rows, err);
	if (rc > 0) {
		f->item->author = db_dup(rows, 0);
		f->reported_key = db_dup(rows, 1);
	}
	return rc >= 0;
}

static void note_report(const struct item_facts *f, GArray *notes)
{
	struct item_note note = {.type = "reported",
				 .time = f->item->reported,
				 .by = f->by,
				 .name = f->name,
				 .address = f->address,
				 .mid = f->mid,
				 .text = f->subject};

	g_array_append_val(notes, note);
	if (!f->commit)
		return;
	note.type = "bisected";
	note.commit = f->commit;
	note.text = f->commit_subject;
	g_array_append_val(notes, note);
}

/* Robots go on to search: the last of their later reports of the same bug that
 * names a commit, where the first did not. */
static gboolean take_bisection(struct item_cache *c, struct item_facts *f,
			       GArray *notes, GError **err)
{
	static const char sql[] =
		"SELECT n.mid, n.date, r.commit_id, r.commit_subject"
		" FROM report own JOIN report r ON r.bug_id = own.bug_id"
		" JOIN node n ON n.id = r.node WHERE own.node = ?1"
		" AND r.commit_id IS NOT NULL"
		" ORDER BY n.date DESC, n.mid DESC LIMIT 1";
	struct item *i = f->item;
	struct item_note note = {.type = "bisected", .by = f->by};
	g_autoptr(db_rows) rows = NULL;
	int rc;

	if (!i->robot || f->commit)
		return TRUE;
	rows = db_query(c->st->state, err, sql, INT(f->node));
	rc = db_next(rows, err);
	if (rc <= 0)
		return rc == 0;
	i->commit = db_dup(rows, 2);
	i->commit_subject = db_dup(rows, 3);
	note.mid = item_ref_column(rows, 0);
	note.time = db_int(rows, 1) == DB_NULL ? 0 : db_int(rows, 1);
	note.commit = item_ref(i->commit);
	note.text = item_ref(i->commit_subject);
	g_ptr_array_add(f->kept, note.mid);
	g_ptr_array_add(f->kept, note.commit);
	if (note.text)
		g_ptr_array_add(f->kept, note.text);
	g_array_append_val(notes, note);
	return TRUE;
}

/* A ticket, or a mail of which nothing is known, has none. */
static gboolean take_thread(struct item_cache *c, struct item_facts *f,
			    struct item_thread **t, GError **err)
{
	struct item *i = f->item;

	*t = f->tid ? item_thread_get(c, f->tid, i->mid, err) : NULL;
	if (f->tid && !*t)
		return FALSE;
	i->thread_root = g_strdup(*t ? (*t)->t->root : i->mid);
	if (!*t)
		return TRUE;
	i->messages = (*t)->t->count;
	i->last_activity =
		i->robot ? (*t)->newest : item_thread_newest(*t, f->node);
	find_patch(i, (*t)->t, item_thread_index(*t, f->node));
	return TRUE;
}

/* Reports of performance alone are measured, and belong to a series. */
static gboolean take_numbers(struct item_cache *c, struct item_facts *f,
			     GArray *notes, GError **err)
{
	return !f->item->metric || (item_find_history(c, f, err) &&
				    item_find_reruns(c, f, notes, err));
}

gboolean item_collect(struct item_cache *c, struct item_facts *f, GArray *notes,
		      GError **err)
{
	struct item *i = f->item;
	struct item_thread *t;

	if (!take_thread(c, f, &t, err))
		return FALSE;
	note_report(f, notes);
	if (!take_bisection(c, f, notes, err))
		return FALSE;
	item_take_commands(f, notes);
	if (!item_find_links(c, f, err) || !read_patch(c->st, f, err) ||
	    !item_find_culprit(c, f, err) || !take_numbers(c, f, notes, err) ||
	    (i->direction != REPORT_IMPROVEMENT &&
	     (!item_words_of_report(c, f, t, notes, err) ||
	      !item_find_fixes(c, f, t, notes, err) ||
	      !item_find_disputes(c, f, t, notes, err) ||
	      !item_find_commits(c, f, notes, err))))
		return FALSE;
	item_mark_fixes(i);
	if (i->fixes->len && !item_find_needs(c, f, err))
		return FALSE;
	return TRUE;
}
