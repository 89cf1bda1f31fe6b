/* outbox_claim.c - which mail goes out next, if any may
 * What stands in its way is looked at here, in the transaction that claims it:
 * after that only the network can. */
#include "db/outbox_priv.h"
#include "db/outbox_queue.h"

#define MAX_PASSED_BY 1000 /* that are held or put off before one is found */
#define STALE_AFTER   3600 /* a retry is as good as new for so long */

struct claim {
	gint64 id; /* 0: the next one */
	const struct outbox_policy *p;
	gint64 now, next;
	struct outbox_entry *found;
};

/* ---- what stands in the way of one */

enum passing { PASS_ERROR = -1, PASS_GO, PASS_HELD, PASS_LATER };

static enum passing put(store *st, struct claim *c, gint64 id, const char *why,
			GError **err)
{
	return outbox_set_state(st, id, OUTBOX_HELD, why, c->now, err)
		       ? PASS_HELD
		       : PASS_ERROR;
}

static enum passing check_seal(store *st, struct claim *c,
			       const struct outbox_entry *e, GError **err)
{
	g_autofree char *text = outbox_text_of(e, err);
	g_autofree char *hash = text ? outbox_hash_of(text) : NULL;

	if (!hash)
		return PASS_ERROR;
	if (e->hash && g_str_equal(hash, e->hash))
		return PASS_GO;
	return put(st, c, e->id, "it is not what was approved", err);
}

static enum passing check_lists(store *st, struct claim *c,
				const struct outbox_entry *e, GError **err)
{
	for (guint i = 0; i < e->rcpts->len; i++) {
		const struct outbox_rcpt *r = e->rcpts->pdata[i];
		const char *why =
			r->is_list && r->told != OUTBOX_MUTED
				? outbox_list_refusal(c->p, r->address)
				: NULL;

		if (why && r->told != OUTBOX_OK)
			return put(st, c, e->id, why, err);
	}
	return PASS_GO;
}

/* Has the talk gone on since it was approved? */
static enum passing check_stale(store *st, struct claim *c,
				const struct outbox_entry *e, GError **err)
{
	gint64 then = 0, heard;

	if (!e->public || !e->parent ||
	    (e->released && c->now - e->released < STALE_AFTER))
		return PASS_GO;
	heard = outbox_heard(st, e->parent, err);
	if (heard < 0 || db_get_int(st->state, &then, err,
				    "SELECT coalesce(heard, 0) FROM outbox "
				    "WHERE id = ?",
				    INT(e->id)) < 0)
		return PASS_ERROR;
	return heard <= then ? PASS_GO
			     : put(st, c, e->id,
				   "stale: its thread has newer mail", err);
}

static enum passing later(store *st, struct claim *c, gint64 id, gint64 when,
			  const char *why, GError **err)
{
	c->next = c->next ? MIN(c->next, when) : when;
	return db_run(st->state, err,
		      "UPDATE outbox SET due = ?, why = ? WHERE id = ?",
		      INT(when), TEXT(why), INT(id))
		       ? PASS_LATER
		       : PASS_ERROR;
}

/* Mails of a day to one list. */
static enum passing check_budget(store *st, struct claim *c,
				 const struct outbox_entry *e, GError **err)
{
	static const char sql[] =
		"SELECT o.released FROM outbox_rcpt r JOIN outbox o "
		"ON o.id = r.outbox WHERE r.address = ?1 COLLATE NOCASE "
		"AND r.told <> 4 AND o.released > ?2 AND o.id <> ?3 "
		"ORDER BY o.released DESC LIMIT 1 OFFSET ?4";

	G_STATIC_ASSERT(OUTBOX_MUTED == 4);
	for (guint i = 0; !e->released && i < e->rcpts->len; i++) {
		const struct outbox_rcpt *r = e->rcpts->pdata[i];
		const struct outbox_list *l =
			r->is_list && r->told != OUTBOX_MUTED
				? outbox_list_of(c->p, r->address)
				: NULL;
		gint64 oldest = 0;

		if (!l)
			continue;
		if (!l->max_per_day)
			return put(st, c, e->id, "a list with max-per-day=0",
				   err);
		if (db_get_int(st->state, &oldest, err, sql, TEXT(r->address),
			       INT(c->now - OUTBOX_DAY), INT(e->id),
			       INT(l->max_per_day - 1)) < 0)
			return PASS_ERROR;
		if (oldest)
			return later(st, c, e->id, oldest + OUTBOX_DAY,
				     "the list got its mails of this day", err);
	}
	return PASS_GO;
}

static enum passing check(store *st, struct claim *c,
			  const struct outbox_entry *e, GError **err)
{
	static enum passing (*const checks[])(store *, struct claim *,
					      const struct outbox_entry *,
					      GError **) = {check_lists,
							    check_seal,
							    check_stale,
							    check_budget};
	enum passing p = PASS_GO;

	for (guint i = 0; i < G_N_ELEMENTS(checks) && p == PASS_GO; i++)
		p = checks[i](st, c, e, err);
	return p;
}

/* ---- all mail together */

/* When one more may go out; 0: now. */
static gboolean room(store *st, struct claim *c, gint64 *when, GError **err)
{
	static const struct {
		gint64 span;
		guint most;
	} budgets[] = {{OUTBOX_HOUR, BUDGET_HOUR}, {OUTBOX_DAY, BUDGET_DAY}};

	*when = 0;
	for (guint i = 0; i < G_N_ELEMENTS(budgets); i++) {
		gint64 oldest = 0;

		if (db_get_int(st->state, &oldest, err,
			       "SELECT released FROM outbox WHERE released > ? "
			       "ORDER BY released DESC LIMIT 1 OFFSET ?",
			       INT(c->now - budgets[i].span),
			       INT(budgets[i].most - 1)) < 0)
			return FALSE;
		if (oldest)
			*when = MAX(*when, oldest + budgets[i].span);
	}
	return TRUE;
}

/* ---- the next one */

static const char due_ones[] =
	"SELECT id FROM outbox WHERE state IN (2, 7) AND due <= ?1 "
	"ORDER BY due, id LIMIT ?2";
static const char soonest[] = "SELECT min(due) FROM outbox WHERE state IN "
			      "(2, 7) AND due > ?1";
G_STATIC_ASSERT(OUTBOX_APPROVED == 2 && OUTBOX_RETRY == 7);

static GArray *candidates(store *st, struct claim *c, GError **err)
{
	g_autoptr(GArray) ids = g_array_new(FALSE, FALSE, sizeof(gint64));
	g_autoptr(db_rows) rows = NULL;
	int rc;

	if (c->id) {
		g_array_append_val(ids, c->id);
		return g_steal_pointer(&ids);
	}
	rows = db_query(st->state, err, due_ones, INT(c->now),
			INT(MAX_PASSED_BY));
	while ((rc = db_next(rows, err)) > 0) {
		gint64 id = db_int(rows, 0);

		g_array_append_val(ids, id);
	}
	return rc < 0 ? NULL : g_steal_pointer(&ids);
}

static gboolean take(store *st, struct claim *c, struct outbox_entry *e,
		     GError **err)
{
	if (!db_run(st->state, err,
		    "UPDATE outbox SET attempts = attempts + 1, started = ?1, "
		    "released = coalesce(released, ?1) WHERE id = ?2",
		    INT(c->now), INT(e->id)) ||
	    !outbox_set_state(st, e->id, OUTBOX_SENDING, "", c->now, err))
		return FALSE;
	c->found = outbox_load(st, e->id, err);
	return c->found != NULL;
}

static gboolean try_one(store *st, struct claim *c, gint64 id, GError **err)
{
	g_autoptr(outbox_entry_auto) e = outbox_load(st, id, err);
	enum passing p;

	if (!e)
		return FALSE;
	if (e->state != OUTBOX_APPROVED && e->state != OUTBOX_RETRY) {
		g_set_error(err, OUTBOX_ERROR, OUTBOX_ERROR_STATE,
			    "outbox %" G_GINT64_FORMAT ": it is %s; only what "
			    "is approved can be sent",
			    id, outbox_state_name(e->state));
		return FALSE;
	}
	p = check(st, c, e, err);
	if (p == PASS_GO)
		return take(st, c, e, err);
	return p != PASS_ERROR;
}

static gboolean find(store *st, void *data, GError **err)
{
	struct claim *c = data;
	g_autofree char *stopped = NULL;
	g_autoptr(GArray) ids = NULL;
	g_autoptr(GError) why = NULL;
	gint64 when = 0;

	stopped = outbox_stopped(st, &why);
	if (why) {
		g_propagate_error(err, g_steal_pointer(&why));
		return FALSE;
	}
	if (stopped || c->p->mode == OUTBOX_DRY_RUN)
		return TRUE;
	if (!room(st, c, &when, err))
		return FALSE;
	if (when) {
		c->next = when;
		return TRUE;
	}
	ids = candidates(st, c, err);
	for (guint i = 0; ids && !c->found && i < ids->len; i++)
		if (!try_one(st, c, g_array_index(ids, gint64, i), err))
			return FALSE;
	if (!ids)
		return FALSE;
	when = DB_NULL;
	if (db_get_int(st->state, &when, err, soonest, INT(c->now)) < 0)
		return FALSE;
	if (when != DB_NULL)
		c->next = c->next ? MIN(c->next, when) : when;
	return TRUE;
}

struct outbox_entry *outbox_claim(store *st, gint64 id,
				  const struct outbox_policy *p, gint64 now,
				  gint64 *next, GError **err)
{
	struct claim c = {.id = id, .p = p, .now = now};

	if (next)
		*next = 0;
	if (!store_write(st, find, &c, err)) {
		outbox_entry_free(c.found);
		return NULL;
	}
	if (next)
		*next = c.next;
	return c.found;
}

int outbox_has_work(store *st, gint64 now, GError **err)
{
	static const char sql[] =
		"SELECT 1 FROM outbox o WHERE (state IN (2, 6, 7) AND due <= "
		"?1) OR state = 3 OR (state = 6 AND EXISTS (SELECT 1 FROM node "
		"n JOIN message m ON m.node = n.id WHERE n.mid = o.mid)) "
		"LIMIT 1";
	gint64 one;

	G_STATIC_ASSERT(OUTBOX_SENDING == 3 && OUTBOX_UNCERTAIN == 6);
	return db_get_int(st->state, &one, err, sql, INT(now));
}
