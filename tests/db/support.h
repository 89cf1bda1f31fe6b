/* support.h - invented mail, and a database to put it into */
#ifndef TESTS_DB_SUPPORT_H
#define TESTS_DB_SUPPORT_H

#include <string.h>

#include "db/archive.h"
#include "db/problems.h"
#include "db/store.h"
#include "db/thread.h"

#include "tests/test.h"

#define LIST "fs.lists.example.org"
#define DAY  86400

/* A mail in short. NULL and 0 leave a field out. */
struct mail {
	const char *id;
	const char *refs; /* ids, blank-separated, without <> */
	const char *reply_to;
	const char *subject;
	const char *body;
	int day;	    /* since 2020-01-01; 0: no Date */
	const char *fields; /* further header lines, each with its newline */
};

static inline void append_ids(GString *s, const char *name, const char *ids)
{
	g_auto(GStrv) each = ids ? g_strsplit(ids, " ", -1) : NULL;
	guint i;

	if (!each)
		return;
	g_string_append_printf(s, "%s:", name);
	for (i = 0; each[i]; i++)
		g_string_append_printf(s, " <%s>", each[i]);
	g_string_append_c(s, '\n');
}

static inline GBytes *mail_bytes(const struct mail *m)
{
	GString *s = g_string_new("From: Ann Other <ann@example.org>\n");
	g_autoptr(GDateTime) t =
		g_date_time_new_from_unix_utc(1577836800 + m->day * DAY);
	g_autofree char *date = g_date_time_format(t, "%a, %d %b %Y %T +0000");

	append_ids(s, "Message-ID", m->id);
	append_ids(s, "References", m->refs);
	append_ids(s, "In-Reply-To", m->reply_to);
	g_string_append_printf(s, "Subject: %s\n",
			       m->subject ? m->subject : "hello");
	if (m->day)
		g_string_append_printf(s, "Date: %s\n", date);
	if (m->fields)
		g_string_append(s, m->fields);
	g_string_append_printf(s, "\n%s\n", m->body ? m->body : "text");
	return g_string_free_to_bytes(s);
}

struct add {
	GBytes *bytes;
	const char *kind, *place, *list;
	gint64 received;
	gboolean in_git;
	enum archive_added added;
	gboolean gone;
};

static inline gboolean add_in(store *st, void *data, GError **err)
{
	struct add *a = data;
	guint8 oid[OID_LEN];
	g_autoptr(message) msg = message_parse(a->bytes, a->received, err);
	g_autoptr(reading_auto) r = msg ? reading_new(msg) : NULL;
	struct archive_incoming in = {
		.reading = r,
		.oid = oid,
		.list = a->list,
		.received = a->received,
		.in_git = a->in_git,
	};

	archive_oid(a->bytes, oid);
	in.source = archive_source(st, a->kind, a->place, NULL, err);
	return r && in.source > 0 && archive_add(st, &in, &a->added, err);
}

static inline gboolean remove_in(store *st, void *data, GError **err)
{
	struct add *a = data;
	guint8 oid[OID_LEN];
	gint64 source = archive_source(st, a->kind, a->place, NULL, err);

	archive_oid(a->bytes, oid);
	return source > 0 && archive_remove(st, oid, source, &a->gone, err);
}

static inline void must(gboolean ok, GError *err)
{
	ck_assert_msg(ok, "%s", err ? err->message : "no reason given");
}

static inline void run(store *st, store_fn fn, void *data)
{
	g_autoptr(GError) err = NULL;

	must(store_transact(st, fn, data, &err), err);
}

static inline store *open_memory(void)
{
	g_autoptr(GError) err = NULL;
	store *st = store_open(":memory:", STORE_WRITE, &err);

	must(st != NULL, err);
	return st;
}

/* Each in a transaction of its own, from one mbox. */
static inline enum archive_added put(store *st, const struct mail *m)
{
	struct add a = {.bytes = mail_bytes(m),
			.kind = "mbox",
			.place = "/mail/box",
			.list = LIST};

	run(st, add_in, &a);
	g_bytes_unref(a.bytes);
	return a.added;
}

static inline gboolean take_out(store *st, const struct mail *m)
{
	struct add a = {.bytes = mail_bytes(m),
			.kind = "mbox",
			.place = "/mail/box",
			.list = LIST};

	run(st, remove_in, &a);
	g_bytes_unref(a.bytes);
	return a.gone;
}

static inline char *threads_of(store *st)
{
	g_autoptr(GError) err = NULL;
	GString *out = g_string_new(NULL);

	must(dump_threads(st, out, &err), err);
	return g_string_free(out, FALSE);
}

struct picture {
	GPtrArray *lines;
};

static inline gboolean picture_thread(const struct thread *t, void *data,
				      GError **err)
{
	struct picture *p = data;
	const struct thread_node *n;
	guint i;

	for (i = 0; i < t->nodes->len; i++) {
		n = t->nodes->pdata[i];
		g_ptr_array_add(
			p->lines,
			g_strdup_printf("%s %04u %d %s %d %" G_GINT64_FORMAT
					" %u %d %s",
					t->root, i, n->depth, n->mid, n->ghost,
					n->date, n->copies, n->kind,
					n->subject ? n->subject : "-"));
	}
	return TRUE;
}

static inline int by_text(gconstpointer a, gconstpointer b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* All that can be seen of threads, in an order that hides internal ids. */
static inline char *picture_of(store *st)
{
	struct picture p = {g_ptr_array_new_with_free_func(g_free)};
	g_autoptr(GError) err = NULL;
	GString *out = g_string_new(NULL);
	guint i;

	must(thread_each(st, picture_thread, &p, &err), err);
	g_ptr_array_sort(p.lines, by_text);
	for (i = 0; i < p.lines->len; i++)
		g_string_append_printf(out, "%s\n", (char *)p.lines->pdata[i]);
	g_ptr_array_unref(p.lines);
	must(dump_threads(st, out, &err), err);
	must(dump_links(st, out, &err), err);
	return g_string_free(out, FALSE);
}

#endif
