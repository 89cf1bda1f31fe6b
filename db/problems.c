/* problems.c - what could not be handled, and all that is stored of a message
 * Warnings follow from the mail; problems of sources are recorded. */
#include "db/problems.h"

#include <string.h>

#include "mail/reading.h"

#include "db/commands.h"
#include "db/db_priv.h"
#include "db/items.h"
#include "db/keepers.h"
#include "db/thread.h"

void problem_free(struct problem *p)
{
	if (!p)
		return;
	g_free(p->kind);
	g_free(p->mid);
	g_free(p->place);
	g_free(p->code);
	g_free(p->text);
	g_free(p->item);
	g_free(p);
}

/* ---- commands that did nothing */

static void add_command(GPtrArray *all, const struct command_record *c)
{
	struct problem *p;

	if (c->outcome != OUTCOME_HELD && c->outcome != OUTCOME_REFUSED &&
	    c->outcome != OUTCOME_WAITING &&
	    c->outcome != OUTCOME_NOT_UNDERSTOOD)
		return;
	p = g_new0(struct problem, 1);
	p->time = c->date;
	p->kind = g_strdup("command");
	p->mid = g_strdup(c->mid);
	p->code = g_strdup(command_outcome_name(c->outcome));
	p->text = g_strdup_printf("%s %s%s%s: %s", c->marker, c->verb_written,
				  *c->args ? " " : "", c->args, c->text);
	p->item = g_strdup(c->item);
	g_ptr_array_add(all, p);
}

static int compare_problems(gconstpointer a, gconstpointer b)
{
	const struct problem *x = *(struct problem *const *)a;
	const struct problem *y = *(struct problem *const *)b;
	int order;

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	order = g_strcmp0(x->mid, y->mid);
	if (!order)
		order = strcmp(x->code, y->code);
	if (!order)
		order = strcmp(x->text, y->text);
	return order ? order : g_strcmp0(x->place, y->place);
}

/* ---- patterns of MAINTAINERS */

static gboolean add_patterns(store *st, GPtrArray *all, GError **err)
{
	g_autoptr(GError) why = NULL;
	GPtrArray *texts = keepers_problems(st, &why);

	for (guint n = 0; !why && texts && n < texts->len; n++) {
		struct problem *p = g_new0(struct problem, 1);

		p->kind = g_strdup("tree");
		p->place = g_strdup("MAINTAINERS");
		p->code = g_strdup("maintainers-pattern");
		p->text = g_strdup(texts->pdata[n]);
		g_ptr_array_add(all, p);
	}
	if (!why)
		return TRUE;
	g_propagate_error(err, g_steal_pointer(&why));
	return FALSE;
}

static gboolean add_commands(store *st, GPtrArray *all, GError **err)
{
	g_autoptr(GPtrArray) commands = command_records_load(st, NULL, err);

	for (guint n = 0; commands && n < commands->len; n++)
		add_command(all, commands->pdata[n]);
	g_ptr_array_sort(all, compare_problems);
	return commands != NULL;
}

GPtrArray *problems_load(store *st, GError **err)
{
	static const char sql[] =
		"SELECT coalesce(n.date, 0) AS time, 'message' AS kind, "
		"n.mid AS mid, NULL AS place, w.code AS code, w.text AS text "
		"FROM warning w JOIN node n ON n.id = w.node UNION ALL "
		"SELECT coalesce(n.date, 0), 'message', n.mid, NULL, "
		"'same-id', m.copies || ' mails with other content have this "
		"Message-ID' FROM message m JOIN node n ON n.id = m.node "
		"WHERE m.copies > 1 UNION ALL "
		"SELECT coalesce(n.date, 0), 'table', n.mid, NULL, p.code, "
		"p.text FROM measure_problem p JOIN node n ON n.id = p.node "
		"UNION ALL "
		"SELECT 0, kind, NULL, nullif(place, ''), code, text "
		"FROM problem ORDER BY time, mid, code, text, place";
	g_autoptr(GPtrArray) all =
		g_ptr_array_new_with_free_func((GDestroyNotify)problem_free);
	g_autoptr(db_rows) rows = db_query(st->state, err, sql);
	struct problem *p;
	int rc;

	while ((rc = db_next(rows, err)) > 0) {
		p = g_new0(struct problem, 1);
		p->time = db_int(rows, 0);
		p->kind = db_dup(rows, 1);
		p->mid = db_dup(rows, 2);
		p->place = db_dup(rows, 3);
		p->code = db_dup(rows, 4);
		p->text = db_dup(rows, 5);
		g_ptr_array_add(all, p);
	}
	if (rc < 0 || !add_patterns(st, all, err) ||
	    !add_commands(st, all, err))
		return NULL;
	return g_steal_pointer(&all);
}

/* ---- one message */

void stored_message_free(struct stored_message *m)
{
	if (!m)
		return;
	g_free(m->mid);
	g_free(m->subject);
	g_free(m->kind);
	g_clear_pointer(&m->lists, g_ptr_array_unref);
	g_clear_pointer(&m->places, g_ptr_array_unref);
	g_clear_pointer(&m->warnings, g_ptr_array_unref);
	g_clear_pointer(&m->measures, g_ptr_array_unref);
	g_clear_pointer(&m->verdicts, g_ptr_array_unref);
	g_clear_pointer(&m->commands, g_ptr_array_unref);
	g_free(m->thread_root);
	g_free(m->parent);
	g_free(m->item);
	g_free(m);
}

/* The first column of each row. */
static GPtrArray *strings(store *st, GError **err, const char *sql, gint64 node)
{
	g_autoptr(GPtrArray) all = g_ptr_array_new_with_free_func(g_free);
	g_autoptr(db_rows) rows = db_query(st->state, err, sql, INT(node));
	int rc;

	while ((rc = db_next(rows, err)) > 0)
		g_ptr_array_add(all, db_dup(rows, 0));
	return rc < 0 ? NULL : g_steal_pointer(&all);
}

/* Every raw mail of the id ?1. */
#define RAWS                                                        \
	"WITH raws AS (SELECT w.* FROM node n JOIN raw w ON "       \
	"w.id = n.raw WHERE n.id = ?1 UNION ALL SELECT * FROM raw " \
	"WHERE node = ?1 AND spare = 1) "

static gboolean load_whereabouts(store *st, struct stored_message *m,
				 gint64 node, GError **err)
{
	m->lists = strings(st, err,
			   RAWS "SELECT l.name FROM raws w JOIN location x "
				"ON x.raw = w.id JOIN list l ON l.id = x.list "
				"UNION SELECT l.name FROM raws w JOIN list l "
				"ON l.id = w.list ORDER BY 1",
			   node);
	m->places =
		strings(st, err,
			RAWS "SELECT s.kind || ' ' || s.place FROM raws w "
			     "JOIN location x ON x.raw = w.id JOIN source s "
			     "ON s.id = x.source UNION SELECT 'spool' FROM "
			     "raws WHERE spooled = 1 ORDER BY 1",
			node);
	m->warnings = strings(st, err,
			      "SELECT code || ': ' || text FROM warning "
			      "WHERE node = ?1 UNION ALL "
			      "SELECT code || ': ' || text "
			      "FROM measure_problem WHERE node = ?1",
			      node);
	m->measures = strings(
		st, err,
		"SELECT group_concat(coalesce(nullif(k.label, ''), '?'), ' ')"
		" || ', line ' || m.line || CASE m.depth WHEN 0 THEN ''"
		" ELSE ', quoted' END"
		" FROM measure m JOIN measure_column k ON k.node = m.node"
		" AND k.seq = m.seq WHERE m.node = ?1"
		" GROUP BY m.seq ORDER BY m.seq",
		node);
	return m->lists && m->places && m->warnings && m->measures;
}

static gboolean load_report(store *st, struct stored_message *m, gint64 node,
			    GError **err)
{
	gint64 one;
	int rc = db_get_int(st->state, &one, err,
			    "SELECT 1 FROM report WHERE node = ?", INT(node));

	m->is_report = rc > 0;
	return rc >= 0;
}

/* What the item's judge made of the tables of this mail. */
static void find_verdicts(struct stored_message *m, const struct item *i)
{
	for (guint n = 0; n < i->reruns->len; n++) {
		const struct rerun *r = i->reruns->pdata[n];

		if (strcmp(r->message_id, m->mid) != 0)
			continue;
		g_ptr_array_add(
			m->verdicts,
			g_strdup_printf("%s%s: %s%s%s",
					r->headline ? "" : "(beside it) ",
					verdict_name(r->judgement.verdict),
					r->metric, r->candidate ? " with " : "",
					r->candidate ? r->candidate : ""));
	}
}

static gboolean load_item(store *st, struct stored_message *m, GError **err)
{
	GError *error = NULL;
	g_autoptr(item_auto) i = item_of_mail(st, m->mid, &error);

	m->verdicts = g_ptr_array_new_with_free_func(g_free);
	if (i) {
		m->item = g_strdup(i->id);
		m->item_cut = i->cut;
		find_verdicts(m, i);
	}
	if (!error)
		return TRUE;
	g_propagate_error(err, error);
	return FALSE;
}

static gboolean load_commands(store *st, struct stored_message *m, GError **err)
{
	m->commands = command_records_load(st, m->mid, err);
	return m->commands != NULL;
}

struct stored_message *stored_message_load(store *st, const char *mid,
					   GError **err)
{
	g_autoptr(db_snapshot) snap = db_snapshot_begin(st->state, err);
	g_autoptr(thread_auto) t = snap ? thread_load(st, mid, err) : NULL;
	g_autoptr(stored_message_auto) m = NULL;
	const struct thread_node *n;

	if (!t || t->asked < 0)
		return NULL;
	n = t->nodes->pdata[t->asked];
	m = g_new0(struct stored_message, 1);
	m->mid = g_strdup(n->mid);
	m->subject = g_strdup(n->subject);
	m->kind = n->ghost ? NULL : g_strdup(mail_kind_name(n->kind));
	m->date = n->date;
	m->copies = n->copies;
	m->ghost = n->ghost;
	m->thread_root = g_strdup(t->root);
	if (n->parent >= 0)
		m->parent = g_strdup(
			((struct thread_node *)t->nodes->pdata[n->parent])
				->mid);
	return load_whereabouts(st, m, n->id, err) &&
			       load_report(st, m, n->id, err) &&
			       load_item(st, m, err) &&
			       load_commands(st, m, err)
		       ? g_steal_pointer(&m)
		       : NULL;
}
