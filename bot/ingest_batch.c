/* ingest_batch.c - a queue becomes one transaction
 * Knows no mail format and no SQL: parsing is mail/'s, storing is db/'s. */
#include <string.h>

#include "mail/message.h"
#include "mail/reading.h"

#include "db/search.h"

#include "bot/ingest_priv.h"

#define BUSY_TRIES 24 /* of some seconds each */

gboolean place_find_id(ingest *in, struct ingest_place *p, GError **err)
{
	if (p->id < 0)
		p->id = archive_source(in->st, p->kind, p->place, in->opt.list,
				       err);
	return p->id >= 0;
}

gboolean ingest_is_stopped(ingest *in)
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
	gint64 now;

	if (!msg || !ingest_is_ahead(in, message_date(msg), &now))
		return msg;
	message_unref(msg);
	*received = now;
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
	if (added == ARCHIVE_NEW) {
		in->batch.new ++;
		if (in->opt.added)
			g_ptr_array_add(in->added, g_strdup(message_id(msg)));
	} else if (added == ARCHIVE_COPY)
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

char *cursor_unwrap(const ingest *in, const char *stored)
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

	in->begun = TRUE;
	for (i = 0; i < in->queue->len; i++) {
		const struct queued *q =
			&g_array_index(in->queue, struct queued, i);

		if (!in->opt.cancel && !q->at->once && ingest_is_stopped(in))
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

void ingest_counts_add(struct ingest_counts *sum,
		       const struct ingest_counts *more)
{
	sum->seen += more->seen;
	sum->new += more->new;
	sum->copies += more->copies;
	sum->known += more->known;
	sum->deleted += more->deleted;
	sum->broken += more->broken;
	sum->skipped += more->skipped;
}

static void say_batch(ingest *in)
{
	for (guint i = 0; in->opt.problem && i < in->problems->len; i++)
		in->opt.problem(in->problems->pdata[i], in->opt.data);
	if (in->opt.added && in->added->len)
		in->opt.added((const char *const *)in->added->pdata,
			      in->added->len, in->opt.data);
	if (in->opt.progress)
		in->opt.progress(&in->counts, 0, 0, in->opt.data);
}

/* What was fetched is dear: another writer, such as one that takes in a whole
 * tree, is waited for longer than SQLite does, as long as nothing was begun. */
static gboolean transact(ingest *in, GError **err)
{
	for (guint i = 0;; i++) {
		g_autoptr(GError) why = NULL;

		in->begun = FALSE;
		if (store_transact(in->st, run_batch, in, &why))
			return TRUE;
		if (i < BUSY_TRIES && in->opt.cancel && !in->begun &&
		    g_error_matches(why, STORE_ERROR, STORE_ERROR_BUSY) &&
		    !g_cancellable_is_cancelled(in->opt.cancel))
			continue;
		g_propagate_error(err, g_steal_pointer(&why));
		return FALSE;
	}
}

gboolean batch_run(ingest *in, GError **err)
{
	if (in->failed) {
		g_propagate_error(err, g_error_copy(in->failed));
		return FALSE;
	}
	if (in->queue->len == 0)
		return TRUE;
	memset(&in->batch, 0, sizeof(in->batch));
	g_ptr_array_set_size(in->problems, 0);
	g_ptr_array_set_size(in->added, 0);
	if (!transact(in, &in->failed)) {
		g_propagate_error(err, g_error_copy(in->failed));
		return FALSE;
	}
	ingest_counts_add(&in->counts, &in->batch);
	queue_clear(in);
	/* mail is worth more than its index: that is tried again at the end */
	if (in->opt.index && !in->unindexed)
		search_flush(in->st, &in->unindexed);
	say_batch(in);
	return TRUE;
}
