/* outbox.c - mail of our own as it is stored: rows to values */
#include "db/outbox.h"

#include <stdarg.h>
#include <string.h>

#include "db/outbox_priv.h"

/* ---- names */

static const char *const states[] = {
	[OUTBOX_DRAFT] = "draft",	  [OUTBOX_HELD] = "held",
	[OUTBOX_APPROVED] = "approved",	  [OUTBOX_SENDING] = "sending",
	[OUTBOX_SENT] = "sent",		  [OUTBOX_PARTIAL] = "partial",
	[OUTBOX_UNCERTAIN] = "uncertain", [OUTBOX_RETRY] = "retry",
	[OUTBOX_FAILED] = "failed",	  [OUTBOX_CANCELLED] = "cancelled",
};

static const char *const kinds[] = {
	[OUTBOX_RESULT] = "result",   [OUTBOX_ANSWER] = "answer",
	[OUTBOX_MISTAKE] = "mistake", [OUTBOX_CONFIRM] = "confirm",
	[OUTBOX_NOTICE] = "notice",   [OUTBOX_DIGEST] = "digest",
	[OUTBOX_ALERT] = "alert",
};

static const char *const tolds[] = {
	[OUTBOX_PENDING] = "pending", [OUTBOX_OK] = "ok",
	[OUTBOX_TEMP] = "temp",	      [OUTBOX_PERM] = "perm",
	[OUTBOX_MUTED] = "muted",
};

const char *outbox_state_name(enum outbox_state s)
{
	return states[s];
}

int outbox_state_find(const char *name)
{
	for (guint i = 0; i < G_N_ELEMENTS(states); i++)
		if (g_str_equal(states[i], name))
			return (int)i;
	return -1;
}

const char *outbox_kind_name(enum outbox_kind k)
{
	return kinds[k];
}

const char *outbox_told_name(enum outbox_told t)
{
	return tolds[t];
}

/* ---- freeing */

void outbox_list_free(struct outbox_list *l)
{
	if (!l)
		return;
	g_free(l->name);
	g_free(l->address);
	g_free(l->prefix_text);
	g_free(l);
}

void outbox_fate_clear(struct outbox_fate *f)
{
	g_clear_pointer(&f->why, g_free);
}

void outbox_rcpt_free(void *data)
{
	struct outbox_rcpt *r = data;

	g_free(r->name);
	g_free(r->address);
	g_free(r->text);
	g_free(r);
}

void outbox_entry_free(struct outbox_entry *e)
{
	if (!e)
		return;
	g_free(e->why);
	g_free(e->rule);
	g_free(e->parent);
	g_free(e->item);
	g_free(e->author);
	g_free(e->message_id);
	outgoing_free(e->mail);
	g_clear_pointer(&e->rcpts, g_ptr_array_unref);
	g_free(e->hash);
	g_free(e->approved_text);
	g_free(e);
}

/* ---- history */

gboolean outbox_log(store *st, gint64 id, gint64 now, GError **err,
		    const char *format, ...)
{
	g_autofree char *text = NULL;
	va_list args;

	va_start(args, format);
	text = g_strdup_vprintf(format, args);
	va_end(args);
	return db_run(st->state, err,
		      "INSERT INTO outbox_log SELECT ?1, "
		      "coalesce(max(seq), 0) + 1, ?2, ?3 FROM outbox_log "
		      "WHERE outbox = ?1 HAVING count(*) < ?4",
		      INT(id), INT(now), TEXT(text), INT(OUTBOX_MAX_LOG));
}

/* ---- what would go out */

char *outbox_hash_of(const char *text)
{
	return g_compute_checksum_for_string(G_CHECKSUM_SHA256, text, -1);
}

char *outbox_text_of(const struct outbox_entry *e, GError **err)
{
	g_autoptr(GBytes) bytes =
		outgoing_write(e->mail, OUTGOING_EML, TRUE, err);
	const char *text, *date, *rest;
	gsize len;

	if (!bytes)
		return NULL;
	text = g_bytes_get_data(bytes, &len);
	/* the Date is that of the moment it goes out */
	date = g_strstr_len(text, (gssize)len, "\nDate:");
	rest = date ? memchr(date + 1, '\n', len - (gsize)(date + 1 - text))
		    : NULL;
	if (!rest)
		return g_strndup(text, len);
	return g_strdup_printf("%.*s%.*s", (int)(date - text), text,
			       (int)(len - (gsize)(rest - text)), rest);
}

gint64 outbox_heard(store *st, const char *mid, GError **err)
{
	static const char sql[] =
		"SELECT count(*) FROM node a JOIN node n ON n.tid = a.tid "
		"JOIN message m ON m.node = n.id WHERE a.mid = ?1 "
		"AND NOT EXISTS (SELECT 1 FROM outbox o WHERE o.mid = n.mid)";
	gint64 n = 0;

	if (mid && db_get_int(st->state, &n, err, sql, TEXT(mid)) < 0)
		return -1;
	return n;
}

/* ---- reading */

#define COLUMNS                                                                  \
	"SELECT id, mid, state, why, kind, rule, parent, item, author, public, " \
	"created, coalesce(approved, 0), coalesce(due, 0), "                     \
	"coalesce(released, 0), attempts, coalesce(seven_bit, 0), hash, "        \
	"approved_text, from_name, from_address, subject, in_reply_to, refs, "   \
	"extra, body FROM outbox "

static void add_lines(GPtrArray *to, const char *text)
{
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);

	for (guint i = 0; lines[i]; i++)
		if (*lines[i])
			g_ptr_array_add(to, g_strdup(lines[i]));
}

static struct outgoing *read_mail(db_rows *rows, gint64 date)
{
	struct outgoing *m = outgoing_new();

	m->date = date;
	m->message_id = g_strdup_printf("<%s>", db_text(rows, 1));
	m->from = address_new(db_text(rows, 18), db_text(rows, 19));
	m->subject = db_dup(rows, 20);
	m->in_reply_to = db_dup(rows, 21);
	add_lines(m->references, db_text(rows, 22));
	add_lines(m->extra, db_text(rows, 23));
	m->body = db_dup(rows, 24);
	return m;
}

static struct outbox_entry *read_entry(db_rows *rows)
{
	struct outbox_entry *e = g_new0(struct outbox_entry, 1);

	e->id = db_int(rows, 0);
	e->message_id = db_dup(rows, 1);
	e->state = (enum outbox_state)db_int(rows, 2);
	e->why = db_dup(rows, 3);
	e->kind = (enum outbox_kind)db_int(rows, 4);
	e->rule = db_dup(rows, 5);
	e->parent = db_dup(rows, 6);
	e->item = db_dup(rows, 7);
	e->author = db_dup(rows, 8);
	e->public = db_int(rows, 9) != 0;
	e->created = db_int(rows, 10);
	e->approved = db_int(rows, 11);
	e->due = db_int(rows, 12);
	e->released = db_int(rows, 13);
	e->attempts = (guint)db_int(rows, 14);
	e->seven_bit = db_int(rows, 15) != 0;
	e->hash = db_dup(rows, 16);
	e->approved_text = db_dup(rows, 17);
	e->mail = read_mail(rows, e->released ? e->released : e->created);
	e->rcpts = g_ptr_array_new_with_free_func(outbox_rcpt_free);
	return e;
}

static struct outbox_rcpt *read_rcpt(db_rows *rows)
{
	struct outbox_rcpt *r = g_new0(struct outbox_rcpt, 1);

	r->number = (guint)db_int(rows, 0);
	r->cc = db_int(rows, 1) != 0;
	r->name = db_dup(rows, 2);
	r->address = db_dup(rows, 3);
	r->is_list = db_int(rows, 4) != 0;
	r->is_new = db_int(rows, 5) != 0;
	r->told = (enum outbox_told)db_int(rows, 6);
	r->code = (guint)db_int(rows, 7);
	r->text = db_dup(rows, 8);
	return r;
}

/* Those that get it; where that is nobody, those it was written for. */
static void address_mail(struct outbox_entry *e)
{
	gboolean all = TRUE;

	for (guint i = 0; i < e->rcpts->len; i++)
		all &= ((struct outbox_rcpt *)e->rcpts->pdata[i])->told ==
		       OUTBOX_MUTED;
	for (guint i = 0; i < e->rcpts->len; i++) {
		const struct outbox_rcpt *r = e->rcpts->pdata[i];

		if ((all && g_str_is_ascii(r->address)) ||
		    r->told != OUTBOX_MUTED)
			g_ptr_array_add(r->cc ? e->mail->cc : e->mail->to,
					address_new(r->name, r->address));
	}
	if (!e->mail->to->len && !e->mail->cc->len)
		g_ptr_array_add(e->mail->to, address_new("", "nobody@invalid"));
	if (!e->mail->to->len && e->mail->cc->len)
		g_ptr_array_add(e->mail->to,
				g_ptr_array_steal_index(e->mail->cc, 0));
}

static gboolean load_rcpts(store *st, struct outbox_entry *e, GError **err)
{
	g_autoptr(db_rows) rows =
		db_query(st->state, err,
			 "SELECT number, cc, name, address, is_list, is_new, "
			 "told, code, text FROM outbox_rcpt WHERE outbox = ? "
			 "ORDER BY number",
			 INT(e->id));
	int rc;

	while ((rc = db_next(rows, err)) > 0)
		g_ptr_array_add(e->rcpts, read_rcpt(rows));
	address_mail(e);
	return rc == 0;
}

struct outbox_entry *outbox_load(store *st, gint64 id, GError **err)
{
	g_autoptr(outbox_entry_auto) e = NULL;
	g_autoptr(db_rows) rows =
		db_query(st->state, err,
			 COLUMNS "WHERE id = ? AND mid IS NOT NULL", INT(id));

	if (db_next(rows, err) <= 0)
		return NULL;
	e = read_entry(rows);
	return load_rcpts(st, e, err) ? g_steal_pointer(&e) : NULL;
}

GPtrArray *outbox_list_load(store *st, guint wanted, GError **err)
{
	g_autoptr(GPtrArray) all = g_ptr_array_new_with_free_func(
		(GDestroyNotify)outbox_entry_free);
	g_autoptr(db_rows) rows =
		db_query(st->state, err,
			 COLUMNS "WHERE (?1 >> state) & 1 AND mid IS NOT NULL "
				 "ORDER BY id LIMIT ?2",
			 INT(wanted), INT(OUTBOX_MAX_LISTED));
	int rc;

	while ((rc = db_next(rows, err)) > 0)
		g_ptr_array_add(all, read_entry(rows));
	if (rc < 0)
		return NULL;
	for (guint i = 0; i < all->len; i++)
		if (!load_rcpts(st, all->pdata[i], err))
			return NULL;
	return g_steal_pointer(&all);
}

gint64 outbox_find(store *st, const char *what, GError **err)
{
	gint64 id = 0, number = 0;

	if (!g_ascii_string_to_unsigned(what, 10, 1, G_MAXINT64,
					(guint64 *)&number, NULL))
		number = 0;
	if (db_get_int(st->state, &id, err,
		       "SELECT id FROM outbox WHERE id = ? OR mid = ?",
		       INT(number), TEXT(what)) < 0)
		return -1;
	return id;
}

int outbox_is_ours(store *st, const char *mid, GError **err)
{
	gint64 one;

	return db_get_int(st->state, &one, err,
			  "SELECT 1 FROM outbox WHERE mid = ?", TEXT(mid));
}
