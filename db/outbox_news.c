/* outbox_news.c - how far the mail that came was looked at for answers */
#include "db/outbox_priv.h"
#include "db/outbox_queue.h"

/* Changes are numbered anew by a rebuild, which makes no news. */
static const char is_begun[] =
	"SELECT 1 FROM meta a JOIN meta g ON g.key = 'answered-generation' "
	"WHERE a.key = 'answered' AND g.value = coalesce((SELECT value FROM "
	"meta WHERE key = 'generation'), 0)";

static gboolean begin(store *st, void *data, GError **err)
{
	return db_run(st->state, err,
		      "INSERT OR REPLACE INTO meta SELECT 'answered', "
		      "coalesce(max(seq), 0) FROM change") &&
	       db_run(st->state, err,
		      "INSERT OR REPLACE INTO meta SELECT "
		      "'answered-generation', coalesce((SELECT value FROM meta "
		      "WHERE key = 'generation'), 0)");
}

gboolean outbox_news_begin(store *st, GError **err)
{
	gint64 one;
	int rc = db_get_int(st->state, &one, err, is_begun);

	return rc > 0 || (rc == 0 && store_write(st, begin, NULL, err));
}

static void news_free(void *data)
{
	struct outbox_news *n = data;

	g_free(n->mid);
	g_free(n);
}

GPtrArray *outbox_news(store *st, guint most, GError **err)
{
	g_autoptr(GPtrArray) all = g_ptr_array_new_with_free_func(news_free);
	g_autoptr(db_rows) rows = db_query(
		st->state, err,
		"SELECT c.seq, n.mid FROM change c JOIN node n ON n.id = "
		"c.node JOIN message m ON m.node = n.id WHERE c.seq > (SELECT "
		"value FROM meta WHERE key = 'answered') ORDER BY c.seq "
		"LIMIT ?",
		INT(most));
	int rc;

	while ((rc = db_next(rows, err)) > 0) {
		struct outbox_news *n = g_new0(struct outbox_news, 1);

		n->seq = db_int(rows, 0);
		n->mid = db_dup(rows, 1);
		g_ptr_array_add(all, n);
	}
	return rc < 0 ? NULL : g_steal_pointer(&all);
}

gboolean outbox_news_done(store *st, gint64 seq, GError **err)
{
	return db_run(st->state, err,
		      "UPDATE meta SET value = max(value, ?) WHERE key = "
		      "'answered'",
		      INT(seq));
}
