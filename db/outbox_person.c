/* outbox_person.c - what persons decide: approve, hold, drop, stop, go on */
#include "db/outbox_priv.h"
#include "db/outbox_queue.h"

G_DEFINE_QUARK(outbox - error - quark, outbox_error)

struct decision {
	gint64 id, now;
	const char *why;
	const struct outbox_policy *p;
};

static struct outbox_entry *load(store *st, gint64 id, GError **err)
{
	g_autoptr(GError) why = NULL;
	struct outbox_entry *e = outbox_load(st, id, &why);

	if (why)
		g_propagate_error(err, g_steal_pointer(&why));
	else if (!e)
		g_set_error(err, OUTBOX_ERROR, OUTBOX_ERROR_STATE,
			    "outbox %" G_GINT64_FORMAT ": there is none", id);
	return e;
}

static gboolean refuse(const struct outbox_entry *e, const char *what,
		       GError **err)
{
	g_set_error(err, OUTBOX_ERROR, OUTBOX_ERROR_STATE,
		    "outbox %" G_GINT64_FORMAT ": it is %s; %s", e->id,
		    outbox_state_name(e->state), what);
	return FALSE;
}

gboolean outbox_set_state(store *st, gint64 id, enum outbox_state state,
			  const char *why, gint64 now, GError **err)
{
	return db_run(st->state, err,
		      "UPDATE outbox SET state = ?, why = ? WHERE id = ?",
		      INT(state), TEXT(why), INT(id)) &&
	       outbox_log(st, id, now, err, "%s%s%s", outbox_state_name(state),
			  *why ? ": " : "", why);
}

gboolean outbox_tell(store *st, gint64 id, const struct outbox_rcpt *r,
		     enum outbox_told told, guint code, const char *text,
		     GError **err)
{
	return db_run(st->state, err,
		      "UPDATE outbox_rcpt SET told = ?, code = ?, text = ? "
		      "WHERE outbox = ? AND number = ?",
		      INT(told), INT(code), TEXT(text), INT(id),
		      INT(r->number));
}

/* ---- approve */

/* Lists by the settings of today; those that got it already stay. */
static gboolean review_lists(store *st, const struct outbox_entry *e,
			     const struct outbox_policy *p, GError **err)
{
	for (guint i = 0; i < e->rcpts->len; i++) {
		const struct outbox_rcpt *r = e->rcpts->pdata[i];
		const char *why =
			r->is_list ? outbox_list_refusal(p, r->address) : NULL;
		gboolean muted = r->told == OUTBOX_MUTED;

		if (!r->is_list || r->told == OUTBOX_OK ||
		    g_str_equal(r->text, "named twice") ||
		    muted == (why != NULL))
			continue;
		if (!outbox_tell(st, e->id, r,
				 why ? OUTBOX_MUTED : OUTBOX_PENDING, 0,
				 why ? why : "", err))
			return FALSE;
	}
	return TRUE;
}

static gboolean is_anybody_left(const struct outbox_entry *e)
{
	for (guint i = 0; i < e->rcpts->len; i++) {
		const struct outbox_rcpt *r = e->rcpts->pdata[i];

		if (r->told == OUTBOX_PENDING || r->told == OUTBOX_TEMP)
			return TRUE;
	}
	return FALSE;
}

static gboolean is_public(const struct outbox_entry *e)
{
	guint left = 0;

	for (guint i = 0; i < e->rcpts->len; i++) {
		const struct outbox_rcpt *r = e->rcpts->pdata[i];

		if (r->told == OUTBOX_MUTED)
			continue;
		if (r->is_list)
			return TRUE;
		left++;
	}
	return left > OUTBOX_FEW;
}

static gboolean seal(store *st, const struct outbox_entry *e,
		     const struct decision *d, GError **err)
{
	g_autofree char *text = outbox_text_of(e, err);
	g_autofree char *hash = text ? outbox_hash_of(text) : NULL;
	gint64 heard = outbox_heard(st, e->parent, err);
	gboolean public = is_public(e);

	return text && heard >= 0 &&
	       db_run(st->state, err,
		      "UPDATE outbox SET hash = ?, approved_text = ?, "
		      "heard = ?, approved = ?, due = ?, public = ? "
		      "WHERE id = ?",
		      TEXT(hash), TEXT(text), INT(heard), INT(d->now),
		      INT(d->now + (public ? d->p->hold : 0)), INT(public),
		      INT(e->id)) &&
	       outbox_set_state(st, e->id, OUTBOX_APPROVED, "", d->now, err);
}

static gboolean approve(store *st, void *data, GError **err)
{
	const struct decision *d = data;
	g_autoptr(outbox_entry_auto) e = load(st, d->id, err);
	g_autoptr(outbox_entry_auto) now = NULL;

	if (!e)
		return FALSE;
	if (e->state != OUTBOX_DRAFT && e->state != OUTBOX_HELD)
		return refuse(e, "only a draft or a held one can be approved",
			      err);
	if (!review_lists(st, e, d->p, err))
		return FALSE;
	now = load(st, d->id, err);
	if (now && !is_anybody_left(now))
		return refuse(e, "nobody is left to send it to", err);
	return now && seal(st, now, d, err);
}

gboolean outbox_approve(store *st, gint64 id, const struct outbox_policy *p,
			gint64 now, GError **err)
{
	struct decision d = {.id = id, .now = now, .p = p};

	return store_write(st, approve, &d, err);
}

/* ---- hold and drop */

static gboolean hold(store *st, void *data, GError **err)
{
	const struct decision *d = data;
	g_autoptr(outbox_entry_auto) e = load(st, d->id, err);

	if (!e)
		return FALSE;
	if (e->state != OUTBOX_DRAFT && e->state != OUTBOX_HELD &&
	    e->state != OUTBOX_APPROVED && e->state != OUTBOX_RETRY)
		return refuse(e, "nothing is left to hold", err);
	return outbox_set_state(st, e->id, OUTBOX_HELD, d->why, d->now, err);
}

gboolean outbox_hold(store *st, gint64 id, const char *why, gint64 now,
		     GError **err)
{
	struct decision d = {.id = id, .now = now, .why = why};

	return store_write(st, hold, &d, err);
}

static gboolean drop(store *st, void *data, GError **err)
{
	const struct decision *d = data;
	g_autoptr(outbox_entry_auto) e = load(st, d->id, err);

	if (!e)
		return FALSE;
	switch (e->state) {
	case OUTBOX_SENDING:
		return refuse(e, "it is on its way", err);
	case OUTBOX_SENT:
	case OUTBOX_PARTIAL:
		return refuse(e, "what is out can't be taken back", err);
	case OUTBOX_FAILED:
	case OUTBOX_CANCELLED:
		return refuse(e, "nothing is left to drop", err);
	default:
		return outbox_set_state(st, e->id, OUTBOX_CANCELLED, d->why,
					d->now, err);
	}
}

gboolean outbox_drop(store *st, gint64 id, const char *why, gint64 now,
		     GError **err)
{
	struct decision d = {.id = id, .now = now, .why = why};

	return store_write(st, drop, &d, err);
}

/* ---- stop */

static gboolean stop(store *st, void *data, GError **err)
{
	const struct decision *d = data;

	return db_run(st->state, err,
		      "INSERT OR REPLACE INTO outbox_stop VALUES (1, ?, ?)",
		      INT(d->now), TEXT(d->why));
}

gboolean outbox_stop(store *st, const char *why, gint64 now, GError **err)
{
	struct decision d = {.why = why, .now = now};

	return store_write(st, stop, &d, err);
}

/* Loops that were noticed before count no more. */
static gboolean resume(store *st, void *data, GError **err)
{
	return db_run(st->state, err, "DELETE FROM outbox_stop") &&
	       db_run(st->state, err, "DELETE FROM outbox_loop");
}

gboolean outbox_resume(store *st, GError **err)
{
	return store_write(st, resume, NULL, err);
}

char *outbox_stopped(store *st, GError **err)
{
	g_autoptr(db_rows) rows =
		db_query(st->state, err, "SELECT why FROM outbox_stop");

	return db_next(rows, err) > 0 ? db_dup(rows, 0) : NULL;
}

/* ---- history */

static void event_free(void *data)
{
	struct outbox_event *e = data;

	g_free(e->text);
	g_free(e);
}

GPtrArray *outbox_history(store *st, gint64 id, GError **err)
{
	g_autoptr(GPtrArray) all = g_ptr_array_new_with_free_func(event_free);
	g_autoptr(db_rows) rows =
		db_query(st->state, err,
			 "SELECT time, text FROM outbox_log WHERE outbox = ? "
			 "ORDER BY seq",
			 INT(id));
	int rc;

	while ((rc = db_next(rows, err)) > 0) {
		struct outbox_event *e = g_new0(struct outbox_event, 1);

		e->time = db_int(rows, 0);
		e->text = db_dup(rows, 1);
		g_ptr_array_add(all, e);
	}
	return rc < 0 ? NULL : g_steal_pointer(&all);
}
