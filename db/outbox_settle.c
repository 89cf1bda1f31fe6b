/* outbox_settle.c - how tries end, and what becomes of those nobody knows */
#include "db/outbox_priv.h"
#include "db/outbox_queue.h"

#define HOST_PAUSE 300 /* a server that takes nothing is left alone for */
#define MAX_TEXT   300 /* bytes of a server's reply that are kept */

/* Until the next try, after the first, the second ... */
static const gint64 pauses[] = {300, 900, 3600, 4 * 3600, 12 * 3600, 24 * 3600};

void outbox_result_init(struct outbox_result *r)
{
	*r = (struct outbox_result){0};
	r->replies = g_array_new(FALSE, TRUE, sizeof(struct outbox_reply));
}

void outbox_result_clear(struct outbox_result *r)
{
	for (guint i = 0; r->replies && i < r->replies->len; i++)
		g_free(g_array_index(r->replies, struct outbox_reply, i).text);
	g_clear_pointer(&r->replies, g_array_unref);
	g_clear_pointer(&r->note, g_free);
}

void outbox_result_add(struct outbox_result *r, guint number,
		       enum outbox_told told, guint code, const char *text)
{
	g_autofree char *cut = g_strndup(text ? text : "", MAX_TEXT);
	struct outbox_reply one = {.number = number,
				   .told = told,
				   .code = code,
				   .text = g_utf8_make_valid(cut, -1)};

	g_array_append_val(r->replies, one);
}

struct ending {
	gint64 id, now;
	const struct outbox_result *r;
	int jitter;
	enum outbox_state state;
	gint64 changed;
};

/* ---- counting */

struct tally {
	guint ok, open, never; /* open: pending or later */
};

static void count(const struct outbox_entry *e, struct tally *t)
{
	*t = (struct tally){0};
	for (guint i = 0; i < e->rcpts->len; i++) {
		const struct outbox_rcpt *r = e->rcpts->pdata[i];

		t->ok += r->told == OUTBOX_OK;
		t->never += r->told == OUTBOX_PERM;
		t->open += r->told == OUTBOX_PENDING || r->told == OUTBOX_TEMP;
	}
}

/* Of one that nobody will try again. */
static enum outbox_state final_state(const struct tally *t)
{
	if (!t->never)
		return OUTBOX_SENT;
	return t->ok ? OUTBOX_PARTIAL : OUTBOX_FAILED;
}

static gboolean set(store *st, struct ending *d, enum outbox_state state,
		    const char *why, GError **err)
{
	d->state = state;
	return outbox_set_state(st, d->id, state, why, d->now, err);
}

static gboolean set_due(store *st, struct ending *d, gint64 due, GError **err)
{
	return db_run(st->state, err, "UPDATE outbox SET due = ? WHERE id = ?",
		      INT(due), INT(d->id));
}

/* Those that nobody told of end so. */
static gboolean tell_open(store *st, struct ending *d, enum outbox_told told,
			  const char *text, GError **err)
{
	return db_run(st->state, err,
		      "UPDATE outbox_rcpt SET told = ?1, "
		      "text = coalesce(?2, text) "
		      "WHERE outbox = ?3 AND told IN (0, 2)",
		      INT(told), TEXT(text), INT(d->id));
}
G_STATIC_ASSERT(OUTBOX_PENDING == 0 && OUTBOX_TEMP == 2);

/* ---- one try */

static gboolean tell_all(store *st, struct ending *d, GError **err)
{
	for (guint i = 0; i < d->r->replies->len; i++) {
		const struct outbox_reply *o =
			&g_array_index(d->r->replies, struct outbox_reply, i);
		struct outbox_rcpt r = {.number = o->number};

		if (!outbox_tell(st, d->id, &r, o->told, o->code, o->text,
				 err) ||
		    !outbox_log(st, d->id, d->now, err,
				"recipient %u: %s %u %s", o->number,
				outbox_told_name(o->told), o->code, o->text))
			return FALSE;
	}
	return !d->r->note ||
	       outbox_log(st, d->id, d->now, err, "%s", d->r->note);
}

static gboolean problem(store *st, struct ending *d, const char *code,
			const char *text, GError **err)
{
	g_autofree char *place =
		g_strdup_printf("outbox %" G_GINT64_FORMAT, d->id);

	return archive_problem(st, "delivery", place, code, text, err);
}

static gboolean give_up(store *st, struct ending *d, GError **err)
{
	g_autoptr(outbox_entry_auto) e = NULL;
	struct tally t;

	if (!tell_open(st, d, OUTBOX_PERM, NULL, err))
		return FALSE;
	e = outbox_load(st, d->id, err);
	if (!e)
		return FALSE;
	count(e, &t);
	return set(st, d, final_state(&t), "given up after 3 days", err) &&
	       problem(st, d, "given-up", "no server took it within 3 days",
		       err);
}

static gboolean again(store *st, struct ending *d, const struct outbox_entry *e,
		      GError **err)
{
	guint n = MIN(MAX(e->attempts, 1) - 1, G_N_ELEMENTS(pauses) - 1);
	gint64 pause = pauses[n] + pauses[n] * d->jitter / 1000;

	if (d->now + pause - e->released > OUTBOX_GIVE_UP)
		return give_up(st, d, err);
	if (d->r->host && !db_run(st->state, err,
				  "UPDATE outbox SET due = max(due, ?) "
				  "WHERE state IN (2, 7)",
				  INT(d->now + HOST_PAUSE)))
		return FALSE;
	return set_due(st, d, d->now + pause, err) &&
	       set(st, d, OUTBOX_RETRY, "", err);
}

static gboolean uncertain(store *st, struct ending *d, GError **err)
{
	return db_run(st->state, err,
		      "UPDATE outbox SET unsure = unsure + 1 WHERE id = ?",
		      INT(d->id)) &&
	       set_due(st, d, d->now + OUTBOX_UNSURE_WAIT, err) &&
	       set(st, d, OUTBOX_UNCERTAIN,
		   "the line broke when it may have been taken", err);
}

/* What this server will not take it may well refuse from others, too. */
static gboolean refused(store *st, struct ending *d, GError **err)
{
	g_autofree char *why = g_strdup_printf(
		"the server refuses what is in outbox %" G_GINT64_FORMAT,
		d->id);

	return outbox_stop(st, why, d->now, err) &&
	       problem(st, d, "content-refused",
		       "the server refuses its content; nothing is sent until "
		       "culprit outbox resume",
		       err);
}

static gboolean end_try(store *st, struct ending *d,
			const struct outbox_entry *e, GError **err)
{
	struct tally t;

	count(e, &t);
	if (d->r->uncertain)
		return uncertain(st, d, err);
	if (t.open)
		return again(st, d, e, err);
	if (t.never &&
	    !problem(st, d, "refused", "a server refused recipients", err))
		return FALSE;
	return set(st, d, final_state(&t), "", err) &&
	       (!d->r->content || refused(st, d, err));
}

static gboolean settle(store *st, void *data, GError **err)
{
	struct ending *d = data;
	g_autoptr(outbox_entry_auto) e = NULL;

	if (!tell_all(st, d, err) ||
	    !db_run(st->state, err,
		    "UPDATE outbox SET seven_bit = coalesce(seven_bit, ?) "
		    "WHERE id = ?",
		    INT(d->r->seven_bit), INT(d->id)))
		return FALSE;
	e = outbox_load(st, d->id, err);
	if (!e)
		return FALSE;
	if (e->state != OUTBOX_SENDING) {
		g_set_error(err, OUTBOX_ERROR, OUTBOX_ERROR_STATE,
			    "outbox %" G_GINT64_FORMAT ": it is %s and not "
			    "being sent",
			    d->id, outbox_state_name(e->state));
		return FALSE;
	}
	return end_try(st, d, e, err);
}

gboolean outbox_settle(store *st, gint64 id, const struct outbox_result *r,
		       int jitter, gint64 now, enum outbox_state *state,
		       GError **err)
{
	struct ending d = {.id = id, .now = now, .r = r, .jitter = jitter};
	gboolean ok = store_write(st, settle, &d, err);

	if (state)
		*state = d.state;
	return ok;
}

/* ---- those of whom nobody knows */

static GArray *ids_of(store *st, enum outbox_state state, GError **err)
{
	g_autoptr(GArray) ids = g_array_new(FALSE, FALSE, sizeof(gint64));
	g_autoptr(db_rows) rows =
		db_query(st->state, err,
			 "SELECT id FROM outbox WHERE state = ?", INT(state));
	int rc;

	while ((rc = db_next(rows, err)) > 0) {
		gint64 id = db_int(rows, 0);

		g_array_append_val(ids, id);
	}
	return rc < 0 ? NULL : g_steal_pointer(&ids);
}

static gboolean recover(store *st, void *data, GError **err)
{
	struct ending *d = data;
	g_autoptr(GArray) ids = ids_of(st, OUTBOX_SENDING, err);

	for (guint i = 0; ids && i < ids->len; i++) {
		d->id = g_array_index(ids, gint64, i);
		if (!set_due(st, d, d->now + OUTBOX_UNSURE_WAIT, err) ||
		    !set(st, d, OUTBOX_UNCERTAIN,
			 "the program ended while it was being sent", err))
			return FALSE;
		d->changed++;
	}
	return ids != NULL;
}

gint64 outbox_recover(store *st, gint64 now, GError **err)
{
	struct ending d = {.now = now};

	return store_write(st, recover, &d, err) ? d.changed : -1;
}

/* 1: the mail was seen; 0: not; -1 and *err. */
static int was_seen(store *st, const char *mid, GError **err)
{
	gint64 one;

	return db_get_int(st->state, &one, err,
			  "SELECT 1 FROM node n JOIN message m ON m.node = "
			  "n.id WHERE n.mid = ?",
			  TEXT(mid));
}

static gboolean seen(store *st, struct ending *d, GError **err)
{
	g_autoptr(outbox_entry_auto) e = NULL;
	struct tally t;

	if (!tell_open(st, d, OUTBOX_OK, "seen", err))
		return FALSE;
	e = outbox_load(st, d->id, err);
	if (!e)
		return FALSE;
	count(e, &t);
	return set(st, d, final_state(&t), "it was seen", err);
}

static gboolean unseen(store *st, struct ending *d,
		       const struct outbox_entry *e, GError **err)
{
	gint64 unsure = 0;

	if (db_get_int(st->state, &unsure, err,
		       "SELECT unsure FROM outbox WHERE id = ?",
		       INT(d->id)) < 0)
		return FALSE;
	if (!e->public && unsure <= 1)
		return set_due(st, d, d->now, err) &&
		       set(st, d, OUTBOX_RETRY, "it was not seen", err);
	return set(st, d, OUTBOX_HELD,
		   "it may be out already, and was not seen: approve sends it "
		   "again",
		   err);
}

static gboolean reconcile(store *st, void *data, GError **err)
{
	struct ending *d = data;
	g_autoptr(GArray) ids = ids_of(st, OUTBOX_UNCERTAIN, err);

	for (guint i = 0; ids && i < ids->len; i++) {
		gint64 id = g_array_index(ids, gint64, i);
		g_autoptr(outbox_entry_auto) e = outbox_load(st, id, err);
		int there = e ? was_seen(st, e->message_id, err) : -1;

		d->id = id;
		if (there < 0)
			return FALSE;
		if (!there && e->due > d->now)
			continue;
		d->changed++;
		if (there ? !seen(st, d, err) : !unseen(st, d, e, err))
			return FALSE;
	}
	return ids != NULL;
}

gint64 outbox_reconcile(store *st, gint64 now, GError **err)
{
	struct ending d = {.now = now};

	return store_write(st, reconcile, &d, err) ? d.changed : -1;
}
