/* stats.c - counts and ages over the whole database
 * Reads every row once: for pages and checks, not for hot paths. */
#include "db/stats.h"

#include "db/db_priv.h"

static void list_free(gpointer data)
{
	struct list_stats *l = data;

	g_free(l->name);
	g_free(l);
}

void stats_free(struct stats *s)
{
	if (!s)
		return;
	g_ptr_array_unref(s->lists);
	g_free(s);
}

static gint64 known(gint64 value)
{
	return value == DB_NULL ? 0 : value;
}

static gboolean load_lists(store *st, struct stats *s, GError **err)
{
	g_autoptr(db_rows) rows =
		db_query(st->state, err,
			 "SELECT l.name, count(DISTINCT s.node), max(s.date)"
			 " FROM (SELECT x.list, r.node, r.date FROM location x"
			 " JOIN raw r ON r.id = x.raw WHERE x.list <> 0"
			 " UNION ALL SELECT list, node, date FROM raw"
			 " WHERE list NOTNULL) s JOIN list l ON l.id = s.list"
			 " WHERE s.node NOTNULL GROUP BY l.id ORDER BY l.name");
	int rc;

	while ((rc = db_next(rows, err)) > 0) {
		struct list_stats *l = g_new0(struct list_stats, 1);

		l->name = db_dup(rows, 0);
		l->mails = (guint64)db_int(rows, 1);
		l->newest = known(db_int(rows, 2));
		g_ptr_array_add(s->lists, l);
	}
	return rc == 0;
}

static gboolean load_counts(store *st, struct stats *s, GError **err)
{
	g_autoptr(db_rows) rows = db_query(
		st->state, err,
		"SELECT count(*), count(DISTINCT tid), min(date), max(date)"
		" FROM node WHERE raw NOTNULL");

	if (db_next(rows, err) < 0)
		return FALSE;
	s->mails = (guint64)db_int(rows, 0);
	s->threads = (guint64)db_int(rows, 1);
	s->oldest = known(db_int(rows, 2));
	s->newest = known(db_int(rows, 3));
	return TRUE;
}

struct stats *stats_load(store *st, GError **err)
{
	g_autoptr(stats_auto) s = g_new0(struct stats, 1);

	s->lists = g_ptr_array_new_with_free_func(list_free);
	return load_counts(st, s, err) && load_lists(st, s, err)
		       ? g_steal_pointer(&s)
		       : NULL;
}

gboolean stats_newest(store *st, gint64 *newest, GError **err)
{
	if (db_get_int(st->state, newest, err,
		       "SELECT max(date) FROM node WHERE raw NOTNULL") < 0)
		return FALSE;
	*newest = known(*newest);
	return TRUE;
}

char *stats_newest_of(store *st, const char *address, const char *begin,
		      const char *end, gint64 before, gint64 *date,
		      GError **err)
{
	static const char sql[] =
		"SELECT n.mid, n.date FROM node n JOIN message m ON m.node = n.id"
		" JOIN person p ON p.id = m.person"
		" JOIN address a ON a.id = p.address"
		" WHERE n.mid >= ?1 AND n.mid < ?1 || char(0x10ffff)"
		" AND substr(n.mid, -length(?2)) = ?2 AND a.text = lower(?3)"
		" AND n.date < ?4 ORDER BY n.date DESC, n.mid LIMIT 1";
	g_autoptr(db_rows) rows =
		db_query(st->state, err, sql, TEXT(begin), TEXT(end),
			 TEXT(address), INT(before));

	if (db_next(rows, err) < 1)
		return NULL;
	*date = db_int(rows, 1);
	return db_dup(rows, 0);
}
