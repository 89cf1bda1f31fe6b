/* ingest_queue.c - what sources say, kept until it is a batch
 * Takes copies: what a source lends is gone with its call. */
#include <string.h>

#include "mail/message.h"

#include "bot/ingest_priv.h"

void queued_clear(gpointer data)
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

gboolean ingest_is_ahead(const ingest *in, gint64 time, gint64 *now)
{
	*now = in->opt.clock ? in->opt.clock() : 0;
	return *now && time > *now + MESSAGE_DATE_SLACK;
}

static void queue_mail(ingest *in, const struct source_event *ev)
{
	struct queued *q = queue_add(in, ev);
	gint64 now;

	q->in_git = ev->in_git;
	q->received =
		ingest_is_ahead(in, ev->received, &now) ? now : ev->received;
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

void queue_event(ingest *in, const struct source_event *ev)
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

void queue_clear(ingest *in)
{
	g_array_set_size(in->queue, 0);
	in->bytes = 0;
	in->mails = 0;
}
