/* test_derive.c - what is stored of one message */
#include "db/db_priv.h"

#include "tests/db/support.h"

static const struct mail patch = {
	"p2@x",
	"cover@x",
	"cover@x",
	.subject = "[PATCH v3 2/5] fs: mend the thing",
	.day = 2,
	.body = "From: Bo Author <bo@Example.org>\n\n"
		"It was broken since that change.\n\n"
		"Fixes: 0123456789ab (\"fs: make the thing\")\n"
		"Link: https://lore.kernel.org/r/report@x\n"
		"Reviewed-by: Cy Reader <cy@example.org>\n"
		"Reviewed-by: Di (of Co) <di@example.org> # for fs\n"
		"Signed-off-by: Bo Author <bo@Example.org>\n"
		"---\n"
		"v2: https://lore.kernel.org/all/old%2Fp2@x/\n\n"
		" fs/new.c | 1 +\n"
		" 1 file changed, 1 insertion(+)\n\n"
		"diff --git a/fs/thing.c b/fs/thing.c\n"
		"index 1111111..2222222 100644\n"
		"--- a/fs/thing.c\n"
		"+++ b/fs/thing.c\n"
		"@@ -1,2 +1,3 @@\n"
		" one\n"
		"+two\n"
		" three\n"
		"diff --git a/fs/gone.c b/fs/gone.c\n"
		"deleted file mode 100644\n"
		"index 3333333..0000000\n"
		"--- a/fs/gone.c\n"
		"+++ /dev/null\n"
		"@@ -1 +0,0 @@\n"
		"-all\n"
		"-- \n"
		"2.43.0\n",
};

static const struct mail reply = {
	"r@x",	  "cover@x p2@x",
	"p2@x",	  .subject = "Re: [PATCH v3 2/5] fs: mend the thing",
	.day = 3, .body = "> text\n\nTested-by: Ed Ward <ed@example.org>\n",
};

static const struct {
	const char *sql, *want; /* first column, rows joined by '|' */
} facts[] = {
	{"SELECT version || ' ' || number || '/' || total FROM patch", "3 2/5"},
	{"SELECT title_key FROM patch", "fs: mend the thing"},
	{"SELECT text FROM address JOIN patch ON id = author",
	 "bo@example.org"},
	{"SELECT text FROM address JOIN patch ON id = sender",
	 "ann@example.org"},
	{"SELECT written FROM person JOIN patch ON id = author_person",
	 "bo@Example.org"},
	{"SELECT patch_like || has_diff || has_diffstat || reply FROM patch",
	 "1110"},
	{"SELECT insertions || '+' || deletions || '-' FROM patch", "1+1-"},
	{"SELECT length(patch_id) FROM patch", "20"},
	{"SELECT text || ' ' || status FROM patch_file JOIN path ON id = path "
	 "ORDER BY seq",
	 "fs/thing.c 0|fs/gone.c 2"},
	{"SELECT key || '=' || value FROM trailer_text t JOIN node n ON "
	 "n.id = node WHERE mid = 'p2@x' AND key LIKE '%-by' ORDER BY seq",
	 "Reviewed-by=Cy Reader <cy@example.org>|"
	 "Reviewed-by=Di (of Co) <di@example.org> # for fs|"
	 "Signed-off-by=Bo Author <bo@Example.org>"},
	{"SELECT note FROM trailer_text WHERE note IS NOT NULL", "for fs"},
	{"SELECT key || ' ' || name FROM trailer_text t JOIN node n ON "
	 "n.id = node WHERE mid = 'r@x'",
	 "Tested-by Ed Ward"},
	/* the common form costs no text of its own */
	{"SELECT count(*) FROM trailer WHERE value IS NULL", "3"},
	{"SELECT id || ' ' || subject FROM commit_ref",
	 "0123456789ab fs: make the thing"},
	{"SELECT older FROM patch", "old/p2@x"},
	{"SELECT url FROM link_url WHERE mid = 'report@x'",
	 "https://lore.kernel.org/r/report@x"},
	{"SELECT url FROM link_url WHERE mid = 'old/p2@x'",
	 "https://lore.kernel.org/all/old%2Fp2@x/"},
	{"SELECT count(*) FROM message", "2"},
	{"SELECT kind FROM message JOIN node ON id = node ORDER BY mid",
	 "1|5"}, /* stored numbers never change */
};

static char *column(store *st, const char *sql)
{
	g_autoptr(GError) err = NULL;
	g_autoptr(db_once) rows =
		db_query_once(st->state, &err, sql, DB_ARGS());
	GString *all = g_string_new(NULL);
	int rc;

	while ((rc = db_next(rows, &err)) > 0)
		g_string_append_printf(all, "%s%s", all->len ? "|" : "",
				       db_text(rows, 0));
	must(rc == 0, err);
	return g_string_free(all, FALSE);
}

START_TEST(facts_of_a_patch)
{
	g_autoptr(store) st = open_memory();
	g_autofree char *got = NULL;

	put(st, &patch);
	put(st, &reply);
	got = column(st, facts[_i].sql);
	ck_assert_msg(g_str_equal(got, facts[_i].want), "%s: %s", facts[_i].sql,
		      got);
}
END_TEST

START_TEST(nothing_is_left_of_what_is_gone)
{
	static const char *const tables[] = {
		"raw",	   "location", "node",	     "thread", "ref",
		"message", "trailer",  "link",	     "patch",  "patch_file",
		"pull",	   "report",   "commit_ref", "marc",   "warning"};
	g_autoptr(store) st = open_memory();
	guint i;

	put(st, &patch);
	put(st, &reply);
	ck_assert(take_out(st, &patch));
	ck_assert(take_out(st, &reply));
	for (i = 0; i < G_N_ELEMENTS(tables); i++) {
		g_autofree char *sql =
			g_strdup_printf("SELECT count(*) FROM %s", tables[i]);
		g_autofree char *n = column(st, sql);

		ck_assert_msg(g_str_equal(n, "0"), "%s rows of %s", n,
			      tables[i]);
	}
}
END_TEST

START_TEST(links_in_bulk)
{
	static const char want[] = "p2@x\tcommit-fixes\t0123456789ab\n"
				   "p2@x\tlink\treport@x\n"
				   "p2@x\tlore\told/p2@x\n"
				   "p2@x\tpatch-id\t";
	g_autoptr(GError) err = NULL;
	g_autoptr(store) st = open_memory();
	g_autoptr(GString) out = g_string_new(NULL);

	put(st, &patch);
	must(dump_links(st, out, &err), err);
	ck_assert_msg(g_str_has_prefix(out->str, want), "%s", out->str);
	ck_assert_uint_eq(out->len, strlen(want) + 40 + 1);
}
END_TEST

/* Who follows the changes learns of every message made, remade and removed. */
START_TEST(changes_can_be_followed)
{
	static const struct mail copy = {"r@x", .subject = "earlier", .day = 1};
	g_autoptr(store) st = open_memory();
	g_autofree char *made = NULL, *more = NULL, *gone = NULL;

	put(st, &reply);
	made = column(st, "SELECT max(seq) FROM change");
	put(st, &copy); /* becomes the primary one */
	more = column(st, "SELECT max(seq) FROM change");
	take_out(st, &copy);
	take_out(st, &reply);
	gone = column(st, "SELECT max(seq) FROM change");
	ck_assert(g_ascii_strtoll(made, NULL, 10) <
			  g_ascii_strtoll(more, NULL, 10) &&
		  g_ascii_strtoll(more, NULL, 10) <
			  g_ascii_strtoll(gone, NULL, 10));
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("derive");
	TCase *c = tcase_create("derive");

	tcase_add_loop_test(c, facts_of_a_patch, 0, G_N_ELEMENTS(facts));
	tcase_add_test(c, nothing_is_left_of_what_is_gone);
	tcase_add_test(c, links_in_bulk);
	tcase_add_test(c, changes_can_be_followed);
	suite_add_tcase(s, c);
	return s;
}
TEST_MAIN(suite)
