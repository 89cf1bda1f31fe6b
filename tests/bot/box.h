/* box.h - an mbox fixture in a database, and golden files beside it */
#ifndef TESTS_BOT_BOX_H
#define TESTS_BOT_BOX_H

#include <string.h>

#include "mail/mbox.h"

#include "db/archive.h"
#include "db/store.h"

#include "tests/test.h"

static inline char *data_path(const char *folder, const char *name,
			      const char *suffix)
{
	g_autofree char *file = g_strconcat(name, suffix, NULL);

	return g_build_filename(test_data(), folder, file, NULL);
}

static inline gboolean box_add(store *st, void *data, GError **err)
{
	GBytes *raw = data;
	guint8 oid[OID_LEN];
	enum archive_added added;
	g_autoptr(message) msg = message_parse(raw, 0, err);
	g_autoptr(reading_auto) r = msg ? reading_new(msg) : NULL;
	struct archive_incoming in = {.reading = r, .oid = oid};

	archive_oid(raw, oid);
	in.source = archive_source(st, "mbox", "/mail/box", NULL, err);
	return r && in.source > 0 && archive_add(st, &in, &added, err);
}

/* The messages of an mbox text, own bytes. */
static inline GPtrArray *box_split(const char *text, gsize len)
{
	GPtrArray *out =
		g_ptr_array_new_with_free_func((GDestroyNotify)g_bytes_unref);
	gsize start, end, next, resume = 0;

	while (len && mbox_next(text, len, TRUE, MBOX_RD, &resume, &start, &end,
				&next)) {
		g_ptr_array_add(out, mbox_unquote(text + start, end - start,
						  MBOX_RD));
		text += next;
		len -= next;
		resume = 0;
	}
	return out;
}

/* All messages of tests/data/FOLDER/NAME.mbox in a database in memory. */
static inline store *box_open(const char *folder, const char *name)
{
	g_autofree char *path = data_path(folder, name, ".mbox");
	g_autofree char *text = NULL;
	g_autoptr(GPtrArray) mails = NULL;
	g_autoptr(GError) err = NULL;
	store *st = store_open(":memory:", STORE_WRITE, &err);
	gsize len;

	ck_assert_msg(st != NULL, "%s", err ? err->message : "no store");
	ck_assert_msg(g_file_get_contents(path, &text, &len, NULL), "%s", path);
	mails = box_split(text, len);
	ck_assert_uint_gt(mails->len, 0);
	for (guint i = 0; i < mails->len; i++)
		ck_assert_msg(store_transact(st, box_add, mails->pdata[i],
					     &err),
			      "%s: %s", path, err ? err->message : "refused");
	return st;
}

/* The text must be what the file holds; `make golden` writes it anew. */
static inline void golden(const char *folder, const char *name,
			  const char *suffix, const char *got)
{
	g_autofree char *path = data_path(folder, name, suffix);
	g_autofree char *want = NULL;

	if (!g_strcmp0(g_getenv("TEST_GOLDEN"), "write"))
		ck_assert(g_file_set_contents(path, got, -1, NULL));
	ck_assert_msg(g_file_get_contents(path, &want, NULL, NULL),
		      "%s is missing: make golden writes it", path);
	ck_assert_msg(!strcmp(got, want), "%s: expected\n%s\ngot\n%s", path,
		      want, got);
}

#endif
