/* place.c - what one raw mail says of itself as a copy
 * Its date, its List-Id, and the best rank of the lists it was seen on: that
 * by which the primary copy of an id is chosen. */
#include "db/copies.h"
#include "db/db_priv.h"

static gint64 own_list(store *st, const message *msg, GError **err)
{
	GPtrArray *ids = message_list_ids(msg);

	if (!ids->len)
		return DB_NULL;
	return intern_text(st, INTERN_LIST, ids->pdata[0], err);
}

/* The best rank of all lists that the raw was seen on. */
static int best_rank(store *st, gint64 raw, gint64 own, gint64 *rank,
		     GError **err)
{
	return db_get_int(st->state, rank, err,
			  "SELECT min(coalesce(l.rank, 3)) FROM location x "
			  "LEFT JOIN list l ON l.id = CASE x.list WHEN 0 "
			  "THEN ?1 ELSE x.list END WHERE x.raw = ?2",
			  INT(own), INT(raw));
}

static gboolean read_facts(store *st, const message *msg,
			   struct raw_facts *facts, GError **err)
{
	facts->date = message_date(msg) ? message_date(msg) : DB_NULL;
	facts->list = own_list(st, msg, err);
	return facts->list != -1;
}

gboolean place_write(store *st, gint64 raw, const struct raw_facts *facts,
		     GError **err)
{
	return db_run(st->state, err,
		      "UPDATE raw SET node = ?, spare = ?, rank = ?, "
		      "date = ?, list = ? WHERE id = ?",
		      INT(facts->node), INT(facts->spare), INT(facts->rank),
		      INT(facts->date), INT(facts->list), INT(raw));
}

gboolean place_raw(store *st, gint64 raw, const char *list,
		   const struct reading *r, enum archive_added *added,
		   GError **err)
{
	struct raw_facts facts = {.rank = DB_NULL};

	if (!read_facts(st, r->msg, &facts, err))
		return FALSE;
	if (list)
		facts.rank = intern_list_rank(list);
	else if (best_rank(st, raw, facts.list, &facts.rank, err) < 0)
		return FALSE;
	if (facts.rank == DB_NULL)
		facts.rank = intern_list_rank("");
	return copies_add(st, raw, &facts, r, added, err);
}

static gboolean write_date(store *st, gint64 raw, const message *msg,
			   GError **err)
{
	gint64 date = message_date(msg);

	return db_run(st->state, err, "UPDATE raw SET date = ? WHERE id = ?",
		      INT(date ? date : DB_NULL), INT(raw));
}

gboolean place_again(store *st, gint64 raw, gboolean redate, GError **err)
{
	g_autoptr(message) msg = NULL;
	g_autoptr(GError) why = NULL;
	gint64 own, old, rank;

	msg = redate ? raw_message(st, raw, &why) : NULL;
	if (why && !g_error_matches(why, STORE_ERROR, STORE_ERROR_MISSING)) {
		g_propagate_error(err, g_steal_pointer(&why));
		return FALSE;
	}
	if ((msg && !write_date(st, raw, msg, err)) ||
	    db_get_int(st->state, &own, err,
		       "SELECT list FROM raw WHERE id = ?", INT(raw)) < 1 ||
	    db_get_int(st->state, &old, err,
		       "SELECT rank FROM raw WHERE id = ?", INT(raw)) < 1 ||
	    best_rank(st, raw, own, &rank, err) < 1)
		return FALSE;
	if (!msg && (rank == old || rank == DB_NULL))
		return TRUE;
	return db_run(st->state, err, "UPDATE raw SET rank = ? WHERE id = ?",
		      INT(rank == DB_NULL ? old : rank), INT(raw)) &&
	       copies_changed(st, raw, msg != NULL, err);
}
