/* heard.h - what a source says, as lines of text, and the positions it leaves
 * One line an event, paths relative to the test's folder, a message as its
 * subject: "mail KIND PLACE SUBJECT", "gone KIND PLACE SUBJECT", "broken KIND
 * PLACE CODE: TEXT", "skipped NAME"; last "error CODE: TEXT". */
#ifndef TESTS_BOT_HEARD_H
#define TESTS_BOT_HEARD_H

#include <glib/gstdio.h>
#include <string.h>

#include "bot/source.h"

#include "tests/test.h"

struct heard {
	char *dir; /* the test's folder, real path */
	GString *log;
	GPtrArray *raws;	/* GBytes of each mail, in order */
	GHashTable *cursor;	/* "kind place" -> position */
	GHashTable *oids;	/* GBytes of oid and place: what is there */
	GHashTable *subject_of; /* GBytes oid -> subject */
	guint stop_after;	/* mails; 0: never */
	guint mails;
	guint cursors; /* said */
	void *git;
};

static inline void heard_init(struct heard *h)
{
	g_autofree char *tmp = g_dir_make_tmp("source-XXXXXX", NULL);

	memset(h, 0, sizeof(*h));
	h->dir = realpath(tmp, NULL);
	h->log = g_string_new(NULL);
	h->raws = g_ptr_array_new_with_free_func((GDestroyNotify)g_bytes_unref);
	h->cursor =
		g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	h->oids = g_hash_table_new_full(g_bytes_hash, g_bytes_equal,
					(GDestroyNotify)g_bytes_unref, NULL);
	h->subject_of =
		g_hash_table_new_full(g_bytes_hash, g_bytes_equal,
				      (GDestroyNotify)g_bytes_unref, g_free);
	h->git = source_git_cache_new();
}

static inline void heard_clear(struct heard *h)
{
	g_autofree char *command = g_strdup_printf("rm -rf '%s'", h->dir);

	ck_assert_int_eq(system(command), 0);
	g_free(h->dir);
	g_string_free(h->log, TRUE);
	g_ptr_array_unref(h->raws);
	g_hash_table_unref(h->cursor);
	g_hash_table_unref(h->oids);
	g_hash_table_unref(h->subject_of);
	source_git_cache_free(h->git);
}

/* Every "DIR/" of the test's folder removed. */
static inline char *heard_short(struct heard *h, const char *text)
{
	g_autofree char *prefix = g_strconcat(h->dir, "/", NULL);
	g_auto(GStrv) parts = g_strsplit(text, prefix, -1);

	return g_strjoinv("", parts);
}

static inline char *heard_subject(GBytes *raw)
{
	gsize len;
	const char *text = g_bytes_get_data(raw, &len);
	const char *at = g_strstr_len(text, len, "Subject: ");

	if (!at)
		return g_strdup("?");
	at += strlen("Subject: ");
	return g_strndup(at, strcspn(at, "\n"));
}

static inline GBytes *heard_key(const guint8 *oid, const char *place)
{
	GByteArray *key = g_byte_array_new();

	g_byte_array_append(key, oid, OID_LEN);
	g_byte_array_append(key, (const guint8 *)place, strlen(place));
	return g_byte_array_free_to_bytes(key);
}

static inline void heard_mail(struct heard *h, const struct source_event *ev,
			      const char *place)
{
	g_autoptr(GError) err = NULL;
	GBytes *raw =
		ev->raw ? g_bytes_ref(ev->raw)
			: source_git_fetch(h->git, ev->place, ev->oid, &err);
	g_autofree char *subject = NULL;
	guint8 oid[OID_LEN];
	GBytes *key;

	h->mails++;
	if (!raw) {
		g_autofree char *why = heard_short(h, err->message);

		g_string_append_printf(h->log, "lost %s\n", why);
		return;
	}
	subject = heard_subject(raw);
	if (ev->oid)
		memcpy(oid, ev->oid, OID_LEN);
	else
		archive_oid(raw, oid);
	key = g_bytes_new(oid, OID_LEN);
	g_hash_table_add(h->oids, heard_key(oid, place));
	g_hash_table_insert(h->subject_of, key, g_strdup(subject));
	g_ptr_array_add(h->raws, raw);
	g_string_append_printf(h->log, "mail %s %s %s", ev->kind, place,
			       subject);
	if (ev->received)
		g_string_append_printf(h->log, " @%" G_GINT64_FORMAT,
				       ev->received);
	g_string_append_c(h->log, '\n');
}

static inline gboolean heard_event(const struct source_event *ev, void *data)
{
	struct heard *h = data;
	g_autofree char *place = heard_short(h, ev->place);
	g_autofree char *text = NULL;
	g_autoptr(GBytes) key = NULL;
	g_autoptr(GBytes) gone = NULL;

	switch (ev->type) {
	case SOURCE_MAIL:
		heard_mail(h, ev, place);
		break;
	case SOURCE_DELETED:
		gone = heard_key(ev->oid, place);
		g_hash_table_remove(h->oids, gone);
		key = g_bytes_new(ev->oid, OID_LEN);
		text = g_strdup(g_hash_table_lookup(h->subject_of, key));
		g_string_append_printf(h->log, "gone %s %s %s\n", ev->kind,
				       place, text ? text : "?");
		break;
	case SOURCE_AFRESH:
	case SOURCE_AGAIN:
		break;
	case SOURCE_CURSOR:
		h->cursors++;
		g_hash_table_insert(h->cursor,
				    g_strconcat(ev->kind, " ", place, NULL),
				    g_strdup(ev->cursor));
		break;
	case SOURCE_BROKEN:
		text = heard_short(h, ev->error->message);
		g_string_append_printf(h->log, "broken %s %s %s: %s\n",
				       ev->kind, place, ev->code, text);
		break;
	case SOURCE_SKIPPED:
		text = heard_short(h, ev->name);
		g_string_append_printf(h->log, "skipped %s\n", text);
		break;
	}
	return h->stop_after == 0 || h->mails < h->stop_after;
}

static inline char *heard_cursor(const char *kind, const char *place,
				 void *data)
{
	struct heard *h = data;
	g_autofree char *where = heard_short(h, place);
	g_autofree char *key = g_strconcat(kind, " ", where, NULL);

	return g_strdup(g_hash_table_lookup(h->cursor, key));
}

static inline GHashTable *heard_oids(const char *kind, const char *place,
				     void *data)
{
	struct heard *h = data;
	GHashTable *copy =
		g_hash_table_new_full(g_bytes_hash, g_bytes_equal,
				      (GDestroyNotify)g_bytes_unref, NULL);
	g_autofree char *where = heard_short(h, place);
	GHashTableIter iter;
	gpointer key;

	g_hash_table_iter_init(&iter, h->oids);
	while (g_hash_table_iter_next(&iter, &key, NULL)) {
		gsize len;
		const char *id = g_bytes_get_data(key, &len);

		if (len == OID_LEN + strlen(where) &&
		    memcmp(id + OID_LEN, where, len - OID_LEN) == 0)
			g_hash_table_add(copy, g_bytes_new(id, OID_LEN));
	}
	return copy;
}

/* Read `name` (relative; "-" and absolute ones as they are); the log since.
 * Lent until the next call. */
static inline const char *heard_read(struct heard *h, const char *name)
{
	struct source_context ctx = {.sink = heard_event,
				     .cursor_of = heard_cursor,
				     .oids_of = heard_oids,
				     .git = h->git,
				     .data = h};
	g_autofree char *path =
		g_str_equal(name, "-") || g_path_is_absolute(name)
			? g_strdup(name)
			: g_build_filename(h->dir, name, NULL);
	g_autoptr(GError) err = NULL;

	g_string_truncate(h->log, 0);
	g_ptr_array_set_size(h->raws, 0);
	h->mails = h->cursors = 0;
	if (!source_read_path(path, &ctx, &err)) {
		g_autofree char *text = heard_short(h, err->message);

		g_string_append_printf(h->log, "error %d: %s\n", err->code,
				       text);
	}
	return h->log->str;
}

/* A file below the test's folder, with the folders it needs. */
static inline void heard_write(struct heard *h, const char *name,
			       const char *data, gssize len)
{
	g_autofree char *path = g_build_filename(h->dir, name, NULL);
	g_autofree char *folder = g_path_get_dirname(path);

	ck_assert_int_eq(g_mkdir_with_parents(folder, 0700), 0);
	ck_assert(g_file_set_contents(path, data, len, NULL));
}

/* A mail with that subject. */
static inline char *heard_text(const char *subject)
{
	return g_strdup_printf("From: Ann <ann@example.org>\n"
			       "Subject: %s\n"
			       "Message-ID: <%s@example.org>\n\n"
			       "Text of %s.\n",
			       subject, subject, subject);
}

#endif
