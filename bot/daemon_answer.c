/* daemon_answer.c - mail that came is answered, and bounces are noted
 * How far it got is stored with the draft that came of it: a kill at any
 * moment loses and doubles nothing. */
#include <string.h>

#include "mail/bounce.h"
#include "mail/recipients.h"

#include "db/archive.h"
#include "db/outbox_queue.h"

#include "bot/answer.h"
#include "bot/daemon_priv.h"
#include "bot/log_line.h"

#define AT_ONCE 100
#define MARKER	"#culprit"

/* One mail that came. */
struct arrival {
	const struct outbox_policy *policy;
	const message *msg;
	const struct answer *answer; /* NULL none */
	gint64 seq;
	struct outbox_fate fate;
};

/* ---- what came back */

static gboolean take_bounce(store *st, const struct bounce *b, GError **err)
{
	for (guint i = 0; i < b->failed->len; i++) {
		const struct bounce_failed *f = b->failed->pdata[i];
		gboolean known;

		if (!outbox_bounced(st, b->outbox, b->number, f->address,
				    f->status, f->text, cli_now(), &known, err))
			return FALSE;
		log_line(LOG_LINE_WARNING,
			 "outbox %" G_GINT64_FORMAT ": %s of %s: %s %s",
			 b->outbox, known ? "bounce" : "a bounce, not ours,",
			 f->address, f->status, f->text);
	}
	return TRUE;
}

/* ---- answers */

static gboolean is_to_us(const struct outbox_policy *p, GPtrArray *all)
{
	const char *const own[] = {p->address, NULL};

	for (guint i = 0; i < all->len; i++) {
		const struct address *a = all->pdata[i];

		if (recipients_is_own(a->address, own) ||
		    (p->also &&
		     recipients_is_own(a->address,
				       (const char *const *)p->also)))
			return TRUE;
	}
	return FALSE;
}

static gboolean has_marker(const message *msg)
{
	const char *p = message_body(msg);

	while ((p = strchr(p, '#'))) {
		if (!g_ascii_strncasecmp(p, MARKER, strlen(MARKER)))
			return TRUE;
		p++;
	}
	return FALSE;
}

/* Most mail is for others: that is seen without asking further. */
static gboolean may_want_answer(const struct outbox_policy *p,
				const message *msg)
{
	return is_to_us(p, message_to(msg)) || is_to_us(p, message_cc(msg)) ||
	       has_marker(msg);
}

static gboolean keep(store *st, void *data, GError **err)
{
	struct arrival *in = data;
	const struct answer *a = in->answer;
	struct outbox_draft d = {.rule = a->reason,
				 .parent = message_id(in->msg),
				 .item = a->item,
				 .author = message_from(in->msg)->address,
				 .kind = a->draft,
				 .mail = a->mail};

	return outbox_add(st, &d, in->policy, cli_now(), &in->fate, err) &&
	       outbox_news_done(st, in->seq, err);
}

static gboolean answer_one(store *st, const config *c, struct arrival *in,
			   GBytes *raw, GError **err)
{
	g_autoptr(GError) why = NULL;
	g_autoptr(answer_auto) a =
		answer_make_stored(st, c, raw, cli_now(), &why);

	if (!a && why->domain == STORE_ERROR) {
		g_propagate_error(err, g_steal_pointer(&why));
		return FALSE;
	}
	if (!a) {
		log_line(LOG_LINE_WARNING, "answer: <%s>: %s",
			 message_id(in->msg), why->message);
		return TRUE;
	}
	if (!a->mail) {
		log_line(LOG_LINE_DEBUG, "answer: <%s>: none: %s",
			 message_id(in->msg), a->reason);
		return TRUE;
	}
	in->answer = a;
	if (!store_transact(st, keep, in, err))
		return FALSE;
	log_line(LOG_LINE_INFO,
		 "answer: <%s>: outbox %" G_GINT64_FORMAT " %s%s%s",
		 message_id(in->msg), in->fate.id,
		 outbox_state_name(in->fate.state), *in->fate.why ? ": " : "",
		 in->fate.why);
	outbox_fate_clear(&in->fate);
	return TRUE;
}

/* ---- all that came */

static gboolean look_at(store *st, const config *c,
			const struct outbox_policy *p,
			const struct outbox_news *n, GError **err)
{
	g_autoptr(GBytes) raw = archive_raw(st, n->mid, NULL);
	g_autoptr(message) msg = raw ? message_parse(raw, 0, NULL) : NULL;
	g_autoptr(bounce_auto) b = msg ? bounce_read(msg, p->address) : NULL;
	struct arrival in = {.policy = p, .msg = msg, .seq = n->seq};

	if (b)
		return take_bounce(st, b, err);
	return !msg || !may_want_answer(p, msg) ||
	       answer_one(st, c, &in, raw, err);
}

static gboolean done(store *st, void *data, GError **err)
{
	return outbox_news_done(st, *(const gint64 *)data, err);
}

gboolean daemon_answer(store *st, const config *c,
		       const struct outbox_policy *p, GError **err)
{
	g_autoptr(GPtrArray) news = NULL;

	if (!outbox_news_begin(st, err))
		return FALSE;
	news = outbox_news(st, AT_ONCE, err);
	for (guint i = 0; news && i < news->len; i++) {
		struct outbox_news *n = news->pdata[i];

		if (!look_at(st, c, p, n, err))
			return FALSE;
		if (daemon_is_ending() || i + 1 == news->len)
			return store_transact(st, done, &n->seq, err);
	}
	return news != NULL;
}
