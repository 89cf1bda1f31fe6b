/* wanted.c - mails that threads of reports refer to and that never came */
#include "db/wanted.h"

#include "mail/report.h"

#include "db/db_priv.h"

#define MAX_THREADS 2000 /* the latest ones */
#define MAX_ID	    500	 /* bytes; nobody would answer */

static const char sql[] =
	"WITH told AS (SELECT node FROM report WHERE category <> ?3"
	"	UNION SELECT node FROM command),"
	" latest AS (SELECT n.tid AS tid FROM told"
	"	JOIN node n ON n.id = told.node"
	"	GROUP BY n.tid ORDER BY MAX(n.date) DESC LIMIT ?4)"
	" SELECT MIN(g.mid) FROM latest JOIN node g ON g.tid = latest.tid"
	" WHERE g.raw IS NULL AND length(g.mid) <= ?5 AND NOT EXISTS"
	"	(SELECT 1 FROM source s WHERE s.kind = '" WANTED_KIND "'"
	"		AND s.place = ?1 || g.mid)"
	" GROUP BY g.tid LIMIT ?2";

GPtrArray *wanted_find(store *st, const char *prefix, guint max, GError **err)
{
	g_autoptr(GPtrArray) out = g_ptr_array_new_with_free_func(g_free);
	g_autoptr(db_rows) rows =
		db_query(st->state, err, sql, TEXT(prefix), INT(max),
			 INT(REPORT_BUILD), INT(MAX_THREADS), INT(MAX_ID));
	int rc;

	while ((rc = db_next(rows, err)) > 0)
		g_ptr_array_add(out, db_dup(rows, 0));
	return rc < 0 ? NULL : g_steal_pointer(&out);
}
