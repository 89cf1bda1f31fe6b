/* ingest.c - from what sources say to committed batches
 * Sources fill a queue; a full queue becomes one transaction. Knows no mail
 * format and no SQL: parsing is mail/'s, storing is db/'s. */
#include "bot/ingest.h"

#include <string.h>

#include "mail/message.h"
#include "mail/reading.h"

#include "db/search.h"

#include "bot/ingest_place.h"
#include "bot/trouble.h"

struct queued {
	enum source_event_type type;
	struct ingest_place *at;
	guint8 oid[OID_LEN];
	gboolean in_git;
	gint64 received;
	guint64 offset;
	GBytes *raw;
	char *text;	  /* MAIL: file's name or NULL; CURSOR; BROKEN: why */
	const char *code; /* BROKEN: a literal of source.c */
};

struct ingest {
	store *st;
	struct ingest_options opt;
	struct source_context context;
	GHashTable *places;	   /* "kind\nplace" -> struct ingest_place */
	struct ingest_place *last; /* the one used last */
	GArray *queue;		   /* of struct queued */
	gsize bytes;		   /* of mail in the queue */
	guint mails;
	struct ingest_counts counts, batch; /* committed; in the open batch */
	GPtrArray *problems;		    /* texts of the open batch */
	gboolean stopped;
	GError *failed;	   /* of the store; nothing works after it */
	GError *unindexed; /* why the full text is left for the end */
};

/* ---- the store, if others use it, too */

static void hold(ingest *in)
{
	if (in->opt.lock)
		g_mutex_lock(in->opt.lock);
}

static void release(ingest *in)
{
	if (in->opt.lock)
		g_mutex_unlock(in->opt.lock);
}

/* ---- places */

static gboolean place_find_id(ingest *in, struct ingest_place *p, GError **err)
{
	if (p->id < 0)
		p->id = archive_source(in->st, p->kind, p->place, in->opt.list,
				       err);
	return p->id >= 0;
}

/* ---- the queue */

static void queued_clear(gpointer data)
{
	struct queued *q = data;

	g_clear_pointer(&q->raw, g_bytes_unref);
	g_clear_pointer(&q->text, g_free);
}

static struct queued *queue_add(ingest *in, const struct source_event *ev)
{
	struct queued *q;

	g_array_set_size(in->queue, in->queue->len + 1);
	q = &g_array_index(in->queue, struct queued, in->queue->len - 1);
	q->type = ev->type;
	q->at = ingest_place_get(in->places, &in->last, ev->kind, ev->place);
	return q;
}

static gboolean is_ahead(const ingest *in, gint64 time)
{
	return in->opt.now && time > in->opt.now + MESSAGE_DATE_SLACK;
}

static void queue_mail(ingest *in, const struct source_event *ev)
{
	struct queued *q = queue_add(in, ev);

	q->in_git = ev->in_git;
	q->received = is_ahead(in, ev->received) ? in->opt.now : ev->received;
	q->offset = ev->offset;
	q->text = g_strdup(ev->name);
	if (ev->raw) {
		q->raw = g_bytes_ref(ev->raw);
		in->bytes += g_bytes_get_size(ev->raw);
	}
	if (ev->oid)
		memcpy(q->oid, ev->oid, OID_LEN);
	else
		archive_oid(ev->raw, q->oid);
	in->mails++;
}

static void queue_event(ingest *in, const struct source_event *ev)
{
	struct queued *q;

	switch (ev->type) {
	case SOURCE_MAIL:
		queue_mail(in, ev);
		break;
	case SOURCE_DELETED:
		q = queue_add(in, ev);
		memcpy(q->oid, ev->oid, OID_LEN);
		in->mails++;
		break;
	case SOURCE_CURSOR:
		q = queue_add(in, ev);
		q->text = g_strdup(ev->cursor);
		break;
	case SOURCE_BROKEN:
		q = queue_add(in, ev);
		q->code = ev->code;
		q->text = g_strdup(ev->error->message);
		break;
	case SOURCE_AFRESH:
	case SOURCE_AGAIN:
		queue_add(in, ev);
		break;
	case SOURCE_SKIPPED:
		in->counts.skipped++;
		break;
	}
}

static void queue_clear(ingest *in)
{
	g_array_set_size(in->queue, 0);
	in->bytes = 0;
	in->mails = 0;
}

/* ---- one transaction */

static gboolean is_stopped(ingest *in)
{
	if (!in->stopped && in->opt.stopped && in->opt.stopped())
		in->stopped = TRUE;
	return in->stopped;
}

static gboolean note_problem(ingest *in, const struct ingest_place *at,
			     const char *kind, const char *code,
			     const char *text, GError **err)
{
	in->batch.broken++;
	g_ptr_array_add(in->problems, g_strdup(text));
	return archive_problem(in->st, kind, at->place, code, text, err);
}

/* Which message it is, for a person: file and byte, or blob. */
static char *describe(const struct queued *q)
{
	GString *s = g_string_new(q->text ? q->text : q->at->place);

	if (q->in_git) {
		g_string_append(s, ": blob ");
		for (guint i = 0; i < OID_LEN; i++)
			g_string_append_printf(s, "%02x", q->oid[i]);
	} else if (q->offset > 0) {
		g_string_append_printf(s,
				       ": message at byte %" G_GUINT64_FORMAT,
				       q->offset);
	}
	return g_string_free(s, FALSE);
}

/* Nobody told when a mail dated ahead was received: not after now. Else it
 * would be the newest for years. */
static message *parse(const ingest *in, GBytes *raw, gint64 *received,
		      GError **err)
{
	message *msg = message_parse(raw, *received, err);

	if (!msg || !is_ahead(in, message_date(msg)))
		return msg;
	message_unref(msg);
	*received = in->opt.now;
	return message_parse(raw, *received, err);
}

static gboolean add_mail(ingest *in, const struct queued *q, GBytes *raw,
			 GError **err)
{
	g_autoptr(GError) bad = NULL;
	gint64 received = q->received;
	g_autoptr(message) msg = parse(in, raw, &received, &bad);
	g_autoptr(reading_auto) reading = NULL;
	struct archive_incoming incoming = {.oid = q->oid,
					    .source = q->at->id,
					    .list = in->opt.list,
					    .received = received,
					    .in_git = q->in_git};
	enum archive_added added;

	if (!msg) {
		g_autofree char *which = describe(q);
		g_autofree char *text =
			g_strconcat(which, ": ", bad->message, NULL);

		return note_problem(in, q->at, "message", "no-mail", text, err);
	}
	reading = reading_new(msg);
	incoming.reading = reading;
	if (!archive_add(in->st, &incoming, &added, err))
		return FALSE;
	if (in->opt.index && !in->unindexed && added != ARCHIVE_SEEN)
		search_queue(in->st, message_id(msg), reading);
	if (added == ARCHIVE_NEW)
		in->batch.new ++;
	else if (added == ARCHIVE_COPY)
		in->batch.copies++;
	else
		in->batch.known++;
	return TRUE;
}

/* The next import shall find it, should it be there by then. */
static gboolean mail_gone(ingest *in, const struct queued *q, const GError *why,
			  GError **err)
{
	q->at->stuck |=
		!g_error_matches(why, SOURCE_ERROR, SOURCE_ERROR_NO_MAIL);
	return note_problem(in, q->at, "source", source_error_code(why),
			    why->message, err);
}

static gboolean take_mail(ingest *in, const struct queued *q, GError **err)
{
	g_autoptr(GError) bad = NULL;
	g_autoptr(GBytes) raw = NULL;
	gboolean known;

	in->batch.seen++;
	if (!archive_note(in->st, q->oid, q->at->id, in->opt.list, q->received,
			  &known, err))
		return FALSE;
	if (known) {
		in->batch.known++;
		return TRUE;
	}
	raw = q->raw ? g_bytes_ref(q->raw)
		     : source_git_fetch(in->context.git, q->at->place, q->oid,
					&bad);
	return raw ? add_mail(in, q, raw, err) : mail_gone(in, q, bad, err);
}

static gboolean take_deletion(ingest *in, const struct queued *q, GError **err)
{
	gboolean gone;

	if (!archive_remove(in->st, q->oid, q->at->id, &gone, err))
		return FALSE;
	if (gone)
		in->batch.deleted++;
	return TRUE;
}

static gboolean take(ingest *in, const struct queued *q, GError **err)
{
	if (!place_find_id(in, q->at, err))
		return FALSE;
	switch (q->type) {
	case SOURCE_MAIL:
		return take_mail(in, q, err);
	case SOURCE_DELETED:
		return take_deletion(in, q, err);
	case SOURCE_BROKEN:
		return note_problem(in, q->at, "source", q->code, q->text, err);
	case SOURCE_AFRESH:
		return archive_forget_problems(in->st, q->at->place, err);
	case SOURCE_AGAIN:
		return archive_forget_unread(in->st, q->at->place, err);
	case SOURCE_CURSOR:
		if (!q->at->stuck)
			q->at->cursor = q->text;
		break;
	case SOURCE_SKIPPED:
		break;
	}
	return TRUE;
}

/* A position counts for the list that the mail was said to be of: under
 * another name everything is looked at again. */
static char *cursor_wrap(ingest *in, const char *cursor)
{
	return g_strconcat(in->opt.list ? in->opt.list : "", "\t", cursor,
			   NULL);
}

static char *cursor_unwrap(ingest *in, const char *stored)
{
	const char *list = in->opt.list ? in->opt.list : "";
	gsize len = strlen(list);

	if (!stored || strncmp(stored, list, len) != 0 || stored[len] != '\t')
		return NULL;
	return g_strdup(stored + len + 1);
}

static gboolean set_cursor(ingest *in, struct ingest_place *p, GError **err)
{
	g_autofree char *cursor = cursor_wrap(in, p->cursor);

	p->cursor = NULL;
	return archive_set_cursor(in->st, p->id, cursor, err);
}

static gboolean run_batch(store *st, void *data, GError **err)
{
	ingest *in = data;
	guint i;

	for (i = 0; i < in->queue->len; i++) {
		const struct queued *q =
			&g_array_index(in->queue, struct queued, i);

		if (is_stopped(in) && !q->at->once)
			break;
		if (!take(in, q, err))
			return FALSE;
	}
	while (i-- > 0) {
		struct ingest_place *p =
			g_array_index(in->queue, struct queued, i).at;

		if (p->cursor && !set_cursor(in, p, err))
			return FALSE;
	}
	return TRUE;
}

static void add_counts(struct ingest_counts *sum,
		       const struct ingest_counts *more)
{
	sum->seen += more->seen;
	sum->new += more->new;
	sum->copies += more->copies;
	sum->known += more->known;
	sum->deleted += more->deleted;
	sum->broken += more->broken;
}

static void say_batch(ingest *in)
{
	for (guint i = 0; in->opt.problem && i < in->problems->len; i++)
		in->opt.problem(in->problems->pdata[i], in->opt.data);
	if (in->opt.progress)
		in->opt.progress(&in->counts, 0, 0, in->opt.data);
}

/* With the store held. */
static gboolean flush_held(ingest *in, GError **err)
{
	if (in->failed) {
		g_propagate_error(err, g_error_copy(in->failed));
		return FALSE;
	}
	if (in->queue->len == 0)
		return TRUE;
	memset(&in->batch, 0, sizeof(in->batch));
	g_ptr_array_set_size(in->problems, 0);
	if (!store_transact(in->st, run_batch, in, &in->failed)) {
		g_propagate_error(err, g_error_copy(in->failed));
		return FALSE;
	}
	add_counts(&in->counts, &in->batch);
	queue_clear(in);
	/* mail is worth more than its index: that is tried again at the end */
	if (in->opt.index && !in->unindexed)
		search_flush(in->st, &in->unindexed);
	say_batch(in);
	return TRUE;
}

static gboolean flush(ingest *in, GError **err)
{
	gboolean ok;

	hold(in);
	ok = flush_held(in, err);
	release(in);
	return ok;
}

/* ---- what sources call */

static gboolean on_event(const struct source_event *ev, void *data)
{
	ingest *in = data;

	queue_event(in, ev);
	if (in->mails >= INGEST_BATCH_MAILS ||
	    in->bytes >= INGEST_BATCH_BYTES ||
	    in->queue->len >= INGEST_BATCH_EVENTS)
		return flush(in, NULL) && !in->stopped;
	return TRUE;
}

static char *on_cursor(const char *kind, const char *place, void *data)
{
	ingest *in = data;
	struct ingest_place *p =
		ingest_place_get(in->places, &in->last, kind, place);
	g_autofree char *stored = NULL;

	if (in->opt.again || in->failed)
		return NULL;
	hold(in);
	if (place_find_id(in, p, &in->failed))
		stored = archive_cursor(in->st, p->id, &in->failed);
	release(in);
	return cursor_unwrap(in, stored);
}

static GHashTable *on_oids(const char *kind, const char *place, void *data)
{
	ingest *in = data;
	struct ingest_place *p =
		ingest_place_get(in->places, &in->last, kind, place);

	GHashTable *oids = NULL;

	hold(in);
	if (flush_held(in, NULL) && place_find_id(in, p, &in->failed))
		oids = archive_source_oids(in->st, p->id, &in->failed);
	release(in);
	return oids;
}

static gboolean on_keep(void *data, GError **err)
{
	ingest *in = data;

	if (!flush(in, err))
		return FALSE;
	if (!in->stopped)
		return TRUE;
	g_set_error_literal(err, SOURCE_ERROR, SOURCE_ERROR_STOPPED,
			    "interrupted");
	return FALSE;
}

static void on_expect(guint64 mails, void *data)
{
	ingest *in = data;

	if (!in->opt.expect)
		return;
	hold(in);
	in->opt.expect(mails, in->opt.data);
	release(in);
}

/* ---- the module's face */

ingest *ingest_new(store *st, const struct ingest_options *opt)
{
	ingest *in = g_new0(ingest, 1);

	in->st = st;
	in->opt = *opt;
	in->places = ingest_places_new();
	in->queue = g_array_new(FALSE, TRUE, sizeof(struct queued));
	g_array_set_clear_func(in->queue, queued_clear);
	in->problems = g_ptr_array_new_with_free_func(g_free);
	in->context = (struct source_context){.sink = on_event,
					      .cursor_of = on_cursor,
					      .oids_of = on_oids,
					      .stopped = opt->stopped,
					      .cancel = opt->cancel,
					      .keep = on_keep,
					      .expect = on_expect,
					      .git = source_git_cache_new(),
					      .data = in};
	return in;
}

void ingest_free(ingest *in)
{
	if (!in)
		return;
	g_array_free(in->queue, TRUE);
	g_hash_table_unref(in->places);
	g_ptr_array_unref(in->problems);
	source_git_cache_free(in->context.git);
	g_clear_error(&in->failed);
	g_clear_error(&in->unindexed);
	g_free(in);
}

typedef gboolean (*settle_fn)(store *st, const char *name, const GError *why,
			      GError **err);

/* A source has ended; takes `*why`, which is set unless it was read to its
 * end. */
static gboolean settle(ingest *in, settle_fn set, const char *name,
		       GError **why, GError **err)
{
	g_autoptr(GError) e = g_steal_pointer(why);
	gboolean written = FALSE;

	if (in->failed) {
		g_propagate_error(err, g_error_copy(in->failed));
		return FALSE;
	}
	if (g_error_matches(e, SOURCE_ERROR, SOURCE_ERROR_STOPPED) ||
	    g_error_matches(e, NET_ERROR, NET_ERROR_STOPPED))
		return TRUE;
	hold(in);
	if (!e || flush_held(in, err))
		written = set(in->st, name, e, err);
	release(in);
	if (!written || !e)
		return written;
	g_propagate_error(err, g_steal_pointer(&e));
	return FALSE;
}

gboolean ingest_path(ingest *in, const char *path, GError **err)
{
	g_autoptr(GError) why = NULL;

	source_read_path(path, &in->context, &why);
	return settle(in, trouble_set_path, path, &why, err);
}

gboolean ingest_remote(ingest *in, const struct remote *r, gboolean follow,
		       GError **err)
{
	g_autoptr(GError) why = NULL;

	if (follow)
		r->ops->follow(r, &in->context, &why);
	else
		r->ops->read(r, &in->context, &why);
	return settle(in, trouble_set_source, r->name, &why, err);
}

static gboolean on_indexed(guint done, guint all, void *data)
{
	ingest *in = data;

	if (in->opt.progress)
		in->opt.progress(&in->counts, done, all, in->opt.data);
	return !is_stopped(in);
}

static gboolean finish_held(ingest *in, GError **err)
{
	if (!flush_held(in, err))
		return FALSE;
	if (!in->opt.index || in->stopped)
		return TRUE;
	g_clear_error(&in->unindexed);
	return search_index(in->st, on_indexed, in, err);
}

gboolean ingest_finish(ingest *in, GError **err)
{
	gboolean ok;

	hold(in);
	ok = finish_held(in, err);
	release(in);
	return ok;
}

const struct ingest_counts *ingest_counts(const ingest *in)
{
	return &in->counts;
}
