/* outbox_bounce.c - what came back, and who is not written to any more
 * Anybody can write a bounce: it counts only for a mail of ours that went to
 * that very address not long ago. */
#include <string.h>

#include "db/outbox_priv.h"
#include "db/outbox_queue.h"

#define BOUNCE_DAYS 7 /* after the mail went out; later ones are forged */

struct return_of {
	gint64 id, now;
	guint number;
	const char *address, *code, *text;
	gboolean known;
};

static const struct outbox_rcpt *find_rcpt(const struct outbox_entry *e,
					   const struct return_of *b)
{
	for (guint i = 0; i < e->rcpts->len; i++) {
		const struct outbox_rcpt *r = e->rcpts->pdata[i];
		gboolean named = b->address && *b->address &&
				 !g_ascii_strcasecmp(r->address, b->address);

		if (r->told != OUTBOX_MUTED &&
		    (b->number ? r->number == b->number : named))
			return r;
	}
	return NULL;
}

/* Two hard ones a day apart, and it is not written to any more. */
static gboolean count_hard(store *st, const struct return_of *b,
			   const struct outbox_rcpt *r, GError **err)
{
	g_autofree char *who = g_ascii_strdown(r->address, -1);

	return db_run(st->state, err,
		      "INSERT INTO outbox_bounce VALUES (?1, ?2, ?2, 1, NULL) "
		      "ON CONFLICT (address) DO UPDATE SET last = ?2, "
		      "hard = hard + 1, disabled = CASE WHEN ?3 THEN NULL "
		      "WHEN disabled IS NULL AND ?2 - first >= ?4 THEN ?2 "
		      "ELSE disabled END",
		      TEXT(who), INT(b->now), INT(r->is_list), INT(OUTBOX_DAY));
}

static gboolean end_one(store *st, const struct return_of *b,
			const struct outbox_entry *e,
			const struct outbox_rcpt *r, GError **err)
{
	guint ok = 0;
	g_autofree char *place =
		g_strdup_printf("outbox %" G_GINT64_FORMAT, b->id);
	g_autofree char *why = g_strdup_printf("mail to %s came back: %s %s",
					       r->address, b->code, b->text);

	for (guint i = 0; i < e->rcpts->len; i++) {
		const struct outbox_rcpt *o = e->rcpts->pdata[i];

		ok += o != r && o->told == OUTBOX_OK;
	}
	if (!outbox_tell(st, b->id, r, OUTBOX_PERM, 0, why, err) ||
	    !archive_problem(st, "delivery", place, "bounce", why, err) ||
	    !count_hard(st, b, r, err))
		return FALSE;
	if (e->state != OUTBOX_SENT && e->state != OUTBOX_PARTIAL)
		return TRUE;
	return outbox_set_state(st, b->id, ok ? OUTBOX_PARTIAL : OUTBOX_FAILED,
				why, b->now, err);
}

static gboolean take(store *st, void *data, GError **err)
{
	struct return_of *b = data;
	g_autoptr(GError) why = NULL;
	g_autoptr(outbox_entry_auto) e = outbox_load(st, b->id, &why);
	const struct outbox_rcpt *r = e ? find_rcpt(e, b) : NULL;

	if (why) {
		g_propagate_error(err, g_steal_pointer(&why));
		return FALSE;
	}
	if (!r || !e->released ||
	    b->now - e->released > BOUNCE_DAYS * OUTBOX_DAY)
		return TRUE;
	b->known = TRUE;
	if (!outbox_log(st, b->id, b->now, err, "bounce of %s: %s %s",
			r->address, b->code, b->text))
		return FALSE;
	return *b->code != '5' || r->told == OUTBOX_PERM ||
	       end_one(st, b, e, r, err);
}

gboolean outbox_bounced(store *st, gint64 id, guint number, const char *address,
			const char *code, const char *text, gint64 now,
			gboolean *known, GError **err)
{
	struct return_of b = {.id = id,
			      .number = number,
			      .address = address,
			      .code = code,
			      .text = text,
			      .now = now};
	gboolean ok = store_write(st, take, &b, err);

	*known = b.known;
	return ok;
}
