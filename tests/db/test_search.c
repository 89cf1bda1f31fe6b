/* test_search.c - what a query finds, and that the full text keeps up */
#include <glib/gstdio.h>
#include <string.h>

#include "mail/message.h"
#include "mail/reading.h"

#include "db/archive.h"
#include "db/search.h"

#include "tests/folder.h"

#define NOW 1705600000

static store *st;
static gint64 source;

static void setup(void)
{
	g_autofree char *path = NULL;

	make_dir();
	path = in_dir("t.db");
	st = store_open(path, STORE_WRITE, NULL);
	ck_assert(st != NULL);
}

static void teardown(void)
{
	store_close(st);
	remove_dir();
}

struct adding {
	const char *text;
	gboolean queue;
};

static gboolean add(store *db, void *data, GError **err)
{
	const struct adding *a = data;
	g_autoptr(GBytes) raw = g_bytes_new_static(a->text, strlen(a->text));
	g_autoptr(message) msg = message_parse(raw, 0, err);
	g_autoptr(reading_auto) r = reading_new(msg);
	enum archive_added added;
	guint8 oid[OID_LEN];
	struct archive_incoming in = {.reading = r, .oid = oid};

	archive_oid(raw, oid);
	source = archive_source(db, "stdin", "-", NULL, err);
	in.source = source;
	if (!archive_add(db, &in, &added, err))
		return FALSE;
	if (a->queue)
		search_queue(db, message_id(msg), r);
	return TRUE;
}

static void take_in(const char *text, gboolean queue)
{
	struct adding a = {text, queue};
	g_autoptr(GError) err = NULL;

	ck_assert_msg(store_transact(st, add, &a, &err), "%s",
		      err ? err->message : "");
	if (queue)
		ck_assert(search_flush(st, &err));
}

/* The Message-IDs of the hits, joined by blanks. */
static char *find(const char *text)
{
	g_autoptr(GError) err = NULL;
	g_autoptr(query_auto) q = query_parse(text, NOW, &err);
	g_autoptr(GPtrArray) hits = q ? search_run(st, q, 0, &err) : NULL;
	GString *ids = g_string_new(NULL);

	if (!hits)
		g_string_printf(ids, "error: %s", err->message);
	for (guint i = 0; hits && i < hits->len; i++)
		g_string_append_printf(
			ids, "%s%s", i ? " " : "",
			((struct search_hit *)hits->pdata[i])->mid);
	return g_string_free(ids, FALSE);
}

static const char patch[] =
	"From: Jane Doe <jane@example.org>\n"
	"To: Bob Roe <bob@example.org>\nCc: list@example.org\n"
	"Subject: [PATCH] examplefs: widen the gadget\n"
	"Date: Mon, 8 Jan 2024 09:00:00 +0000\n"
	"Message-ID: <patch@example.org>\n"
	"List-Id: <examplefs.lists.example.org>\n"
	"Content-Type: text/plain; charset=utf-8\n\n"
	"The gadget was narrow; caf\xc3\xa9.\n\n"
	"Tested-by: Ann Other <ann@example.org>\n"
	"Signed-off-by: Jane Doe <jane@example.org>\n"
	"---\n"
	"diff --git a/fs/examplefs/super.c b/fs/examplefs/super.c\n"
	"index 1111111..2222222 100644\n"
	"--- a/fs/examplefs/super.c\n+++ b/fs/examplefs/super.c\n"
	"@@ -1,2 +1,2 @@\n one\n-exfs_narrow();\n+exfs_widen();\n";

static const char reply[] =
	"From: Bob Roe <bob@example.org>\nTo: Jane Doe <jane@example.org>\n"
	"Subject: Re: [PATCH] examplefs: widen the gadget\n"
	"Date: Tue, 9 Jan 2024 09:00:00 +0000\n"
	"Message-ID: <reply@example.org>\nIn-Reply-To: <patch@example.org>\n\n"
	"On Mon, Jane Doe wrote:\n> The gadget was narrow\n\n"
	"How wide is it now?\n";

static const struct {
	const char *query, *ids;
} cases[] = {
	{"gadget", "reply@example.org patch@example.org"},
	{"s:gadget", "reply@example.org patch@example.org"},
	{"s:\"widen the gadget\" is:patch", "patch@example.org"},
	{"nq:narrow", "patch@example.org"},
	{"q:narrow", "reply@example.org"},
	{"b:narrow", "reply@example.org patch@example.org"},
	{"nq:wide", "reply@example.org"},
	{"exfs_widen", "patch@example.org"},
	{"exfs_wid*", "patch@example.org"},
	{"widen gadget -is:reply", "patch@example.org"},
	{"CAFE", "patch@example.org"},
	{"f:bob@example.org", "reply@example.org"},
	{"t:bob", "patch@example.org"},
	{"c:list@example.org", "patch@example.org"},
	{"tc:jane", "reply@example.org"},
	{"a:jane", "reply@example.org patch@example.org"},
	{"person:ann", "patch@example.org"},
	{"trailer:\"tested-by ann\"", "patch@example.org"},
	{"f:ann", ""},
	{"l:examplefs", "patch@example.org"},
	{"l:examplefs.lists.example.org", "patch@example.org"},
	{"l:examplefs@lists.example.org", "patch@example.org"},
	{"l:example", ""},
	{"m:patch@example.org", "patch@example.org"},
	{"m:<patch@example.org>", "patch@example.org"},
	{"m:pat*", "patch@example.org"},
	{"m:Patch@Example.org", "patch@example.org"},
	{"m:https://lore.kernel.org/r/patch@example.org", "patch@example.org"},
	{"rfc822msgid:patch@example.org", "patch@example.org"},
	{"patch@example.org", "patch@example.org"},
	{"<patch@example.org>", "patch@example.org"},
	{"PATCH@example.org", "patch@example.org"},
	{"https://lore.kernel.org/all/reply@example.org/", "reply@example.org"},
	{"https://lore.kernel.org/dev/patch%40example.org/t/#u",
	 "patch@example.org"},
	{"http://lore.kernel.org/dev/patch@example.org/T/",
	 "patch@example.org"},
	{"lore.kernel.org/r/patch@example.org", "patch@example.org"},
	{"https://patch.msgid.link/patch@example.org", "patch@example.org"},
	{"patch@example.org OR <reply@example.org>",
	 "reply@example.org patch@example.org"},
	{"<patch@example.org> gadget", "patch@example.org"},
	{"<patch@example.org> is:reply", ""},
	{"-patch@example.org", "reply@example.org"},
	{"gadget -https://lore.kernel.org/r/patch@example.org",
	 "reply@example.org"},
	{"<nobody@example.org>", ""},
	{"https://lore.kernel.org/r/nobody@example.org/", ""},
	{"jane@example.org", "reply@example.org patch@example.org"},
	{"thread:reply@example.org", "reply@example.org patch@example.org"},
	{"d:2024-01-08", "patch@example.org"},
	{"d:2024-01-09..", "reply@example.org"},
	{"d:..2024-01-08", "patch@example.org"},
	{"dfn:super.c", "patch@example.org"},
	{"dfn:fs/examplefs/super.c", "patch@example.org"},
	{"dfn:inode.c", ""},
	{"is:reply OR is:patch", "reply@example.org patch@example.org"},
	{"NOT is:reply", "patch@example.org"},
	{"s:/^re:/", "reply@example.org"},
	{"", "reply@example.org patch@example.org"},
	{"nosuchword", ""},
	{"it's (gadget OR \"-- ;\")", ""},
	{"a culprit:1234567",
	 "error: query: column 3: culprit: not known of messages, only of "
	 "tracked items"},
	{"b:/x/", "error: query: column 1: b: a /regex/ works with s:, f: "
		  "and m: only"},
	{"patchid:xyz",
	 "error: query: column 1: patchid: expected 4 to 40 hex digits"},
	{"is:open", "error: query: column 1: is: messages are patch, cover, "
		    "pull, report, reply, notice or other"},
};

START_TEST(finds_what_is_asked)
{
	g_autofree char *ids = NULL;

	take_in(patch, TRUE);
	take_in(reply, TRUE);
	ids = find(cases[_i].query);
	ck_assert_msg(!strcmp(ids, cases[_i].ids), "%s: %s", cases[_i].query,
		      ids);
}
END_TEST

START_TEST(finds_a_patch_by_its_patch_id)
{
	g_autoptr(GBytes) raw = g_bytes_new_static(patch, strlen(patch));
	g_autoptr(message) msg = message_parse(raw, 0, NULL);
	g_autoptr(reading_auto) r = reading_new(msg);
	g_autofree char *whole = NULL, *part = NULL, *a = NULL, *b = NULL;

	take_in(patch, TRUE);
	ck_assert(r->patch && r->patch->diff && r->patch->diff->patch_id);
	whole = g_strconcat("patchid:", r->patch->diff->patch_id, NULL);
	part = g_strndup(whole, strlen("patchid:") + 7);
	a = find(whole);
	b = find(part);
	ck_assert_str_eq(a, "patch@example.org");
	ck_assert_str_eq(b, "patch@example.org");
}
END_TEST

START_TEST(catches_up_with_what_was_not_indexed)
{
	g_autofree char *before = NULL, *after = NULL;
	g_autoptr(GError) err = NULL;
	guint behind;

	take_in(patch, FALSE);
	take_in(reply, FALSE);
	ck_assert(search_behind(st, &behind, &err));
	ck_assert_uint_eq(behind, 2);
	before = find("gadget");
	ck_assert_str_eq(before, "");
	ck_assert(search_index(st, NULL, NULL, &err));
	ck_assert(search_behind(st, &behind, &err));
	ck_assert_uint_eq(behind, 0);
	after = find("gadget");
	ck_assert_str_eq(after, "reply@example.org patch@example.org");
}
END_TEST

static gboolean remove_patch(store *db, void *data, GError **err)
{
	g_autoptr(GBytes) raw = g_bytes_new_static(patch, strlen(patch));
	guint8 oid[OID_LEN];
	gboolean gone;

	archive_oid(raw, oid);
	return archive_remove(db, oid, source, &gone, err);
}

START_TEST(forgets_what_is_removed)
{
	g_autofree char *ids = NULL;
	g_autoptr(GError) err = NULL;

	take_in(patch, TRUE);
	take_in(reply, TRUE);
	ck_assert(store_transact(st, remove_patch, NULL, &err));
	ck_assert(search_index(st, NULL, NULL, &err));
	ids = find("gadget");
	ck_assert_str_eq(ids, "reply@example.org");
}
END_TEST

START_TEST(is_made_again_after_a_rebuild)
{
	g_autofree char *ids = NULL;
	g_autoptr(GError) err = NULL;
	guint behind;

	take_in(patch, TRUE);
	take_in(reply, TRUE);
	ck_assert(archive_rebuild(st, NULL, NULL, &err));
	ck_assert(search_behind(st, &behind, &err));
	ck_assert_uint_eq(behind, 2);
	ck_assert(search_index(st, NULL, NULL, &err));
	ids = find("nq:narrow");
	ck_assert_str_eq(ids, "patch@example.org");
}
END_TEST

START_TEST(is_made_again_when_damaged)
{
	g_autofree char *path = in_dir("t.db");
	g_autofree char *fts = g_strconcat(path, "-fts", NULL);
	g_autofree char *ids = NULL;
	g_autoptr(GError) err = NULL;

	take_in(patch, TRUE);
	store_close(st);
	ck_assert(g_file_set_contents(fts, "this is no database at all", -1,
				      NULL));
	st = store_open(path, STORE_WRITE, &err);
	ck_assert(st != NULL);
	ck_assert(search_index(st, NULL, NULL, &err));
	ids = find("gadget");
	ck_assert_str_eq(ids, "patch@example.org");
}
END_TEST

/* Everything behind the first two pages, where tables and index are. */
static void spoil(const char *path)
{
	g_autofree char *bytes = NULL;
	gsize len;

	ck_assert(g_file_get_contents(path, &bytes, &len, NULL));
	ck_assert_uint_gt(len, 3 * 4096);
	memset(bytes + 2 * 4096, 0x55, len - 2 * 4096);
	ck_assert(g_file_set_contents(path, bytes, (gssize)len, NULL));
}

START_TEST(damage_is_told_with_its_remedy)
{
	g_autofree char *path = in_dir("t.db");
	g_autofree char *fts = g_strconcat(path, "-fts", NULL);
	g_autofree char *told = NULL, *ids = NULL;
	g_autoptr(GError) err = NULL;

	take_in(patch, TRUE);
	store_close(st);
	spoil(fts);
	st = store_open(path, STORE_WRITE, &err);
	ck_assert(st != NULL);
	told = find("gadget");
	ck_assert_msg(strstr(told, "t.db-fts: the full text is damaged"), "%s",
		      told);
	ck_assert_msg(strstr(told, "culprit index --again"), "%s", told);
	ck_assert(search_discard(st, &err));
	ck_assert(search_index(st, NULL, NULL, &err));
	ids = find("gadget");
	ck_assert_str_eq(ids, "patch@example.org");
}
END_TEST

/* A wrong path in the settings must not cost anybody a file. */
START_TEST(what_is_not_ours_is_left_alone)
{
	static const char diary[] = "Dear diary, this is no database at all.";
	g_autofree char *path = in_dir("diary");
	g_autofree char *left = NULL;
	g_autoptr(GError) err = NULL, why = NULL;

	ck_assert(g_file_set_contents(path, diary, -1, NULL));
	store_set_paths(st, NULL, path);
	take_in(patch, FALSE);
	ck_assert(!search_index(st, NULL, NULL, &err));
	ck_assert(g_error_matches(err, STORE_ERROR, STORE_ERROR_CORRUPT));
	ck_assert_msg(strstr(err->message, "diary: "), "%s", err->message);
	ck_assert(!search_discard(st, &why));
	ck_assert(g_file_get_contents(path, &left, NULL, NULL));
	ck_assert_str_eq(left, diary);
	g_unlink(path);
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("search");
	TCase *tc = tcase_create("search");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_loop_test(tc, finds_what_is_asked, 0, G_N_ELEMENTS(cases));
	tcase_add_test(tc, finds_a_patch_by_its_patch_id);
	tcase_add_test(tc, catches_up_with_what_was_not_indexed);
	tcase_add_test(tc, forgets_what_is_removed);
	tcase_add_test(tc, is_made_again_after_a_rebuild);
	tcase_add_test(tc, is_made_again_when_damaged);
	tcase_add_test(tc, damage_is_told_with_its_remedy);
	tcase_add_test(tc, what_is_not_ours_is_left_alone);
	suite_add_tcase(s, tc);
	return s;
}

TEST_MAIN(suite)
