/* test_inbox_manifest.c - the repositories of an inbox, whatever a server
 * says they are */
#include "bot/inbox_manifest.h"
#include "bot/net.h"

#include "tests/bot/web_inbox.h"

static const struct {
	const char *text, *path;
	const char *want; /* NULL: no manifest */
} cases[] = {
	{"{}", NULL, ""},
	{"{\"/list/git/0.git\":{\"modified\":7,\"fingerprint\":\"ab\"}}", NULL,
	 "0 ab 7\n"},
	{"{\"/list/git/10.git\":{},\"/list/git/9.git\":{\"modified\":1},"
	 "\"/list/git/0.git\":{\"fingerprint\":null}}",
	 NULL, "0 - 0\n9 - 1\n10 - 0\n"},
	/* of a site: ours alone */
	{"{\"/other/git/0.git\":{},\"/a/list/git/1.git\":{},"
	 "\"/list/git/2.git\":{},\"/listen/git/3.git\":{}}",
	 "/list", "2 - 0\n"},
	{"{\"/a/list/git/1.git\":{},\"/list/git/2.git\":{}}", "/a/list",
	 "1 - 0\n"},
	/* what is no epoch, or would lead elsewhere */
	{"{\"/list\":{},\"/list/git/x.git\":{},\"/list/git/-1.git\":{},"
	 "\"/list/git/1.git/\":{},\"/list/git/../../2.git\":{},"
	 "\"/list/git/.git\":{},\"3.git\":{},\"git/4.git\":{},"
	 "\"/list/git/10000.git\":{},\"/list/git/99999999999999999999.git\":{},"
	 "\"/list/all.git\":{},\"\":{}}",
	 NULL, ""},
	/* members of the wrong kind */
	{"{\"/list/git/0.git\":7,\"/list/git/1.git\":[\"modified\"],"
	 "\"/list/git/2.git\":{\"modified\":\"x\",\"fingerprint\":3}}",
	 NULL, "0 - 0\n1 - 0\n2 - 0\n"},
	{"", NULL, NULL},
	{"[]", NULL, NULL},
	{"null", NULL, NULL},
	{"{\"/list/git/0.git\":{", NULL, NULL},
	{"<html>not here</html>", NULL, NULL},
	{"\x1f\x8b\x08 not packed", NULL, NULL},
};

static char *describe(GPtrArray *epochs)
{
	GString *out = g_string_new(NULL);

	for (guint i = 0; i < epochs->len; i++) {
		const struct inbox_epoch *e = epochs->pdata[i];

		g_string_append_printf(out, "%u %s %" G_GINT64_FORMAT "\n",
				       e->number,
				       e->fingerprint ? e->fingerprint : "-",
				       e->modified);
	}
	return g_string_free(out, FALSE);
}

static void check(const char *bytes, gsize len, guint i)
{
	g_autoptr(GByteArray) array = g_byte_array_new();
	g_autoptr(GPtrArray) epochs = NULL;
	g_autoptr(GError) err = NULL;
	g_autofree char *got = NULL;

	g_byte_array_append(array, (const guint8 *)bytes, (guint)len);
	epochs = inbox_manifest_parse(array, cases[i].path, "x", &err);
	if (!cases[i].want) {
		ck_assert_ptr_null(epochs);
		ck_assert(g_error_matches(err, NET_ERROR, NET_ERROR_REPLY));
		return;
	}
	ck_assert_msg(epochs != NULL, "%s: %s", cases[i].text,
		      err ? err->message : "?");
	got = describe(epochs);
	ck_assert_str_eq(got, cases[i].want);
}

START_TEST(test_text)
{
	gsize len;
	g_autofree char *packed = web_gzip(cases[_i].text, &len);

	check(cases[_i].text, strlen(cases[_i].text), (guint)_i);
	check(packed, len, (guint)_i);
	/* cut anywhere it is none */
	if (cases[_i].want)
		for (gsize n = 3; n < len - 8; n += 5) {
			g_autoptr(GByteArray) part = g_byte_array_new();
			g_autoptr(GError) err = NULL;

			g_byte_array_append(part, (guint8 *)packed, (guint)n);
			ck_assert_ptr_null(inbox_manifest_parse(part,
								cases[_i].path,
								"x", &err));
			ck_assert_ptr_nonnull(err);
		}
}
END_TEST

/* Of a whole site, without a path: epochs of several inboxes are no archive. */
START_TEST(test_several)
{
	static const char text[] = "{\"/one/git/0.git\":{},\"/one.git\":{},"
				   "\"/two/git/1.git\":{}}";
	g_autoptr(GByteArray) array = g_byte_array_new();
	g_autoptr(GPtrArray) epochs = NULL;
	g_autoptr(GError) err = NULL;

	g_byte_array_append(array, (const guint8 *)text, sizeof(text) - 1);
	ck_assert_ptr_null(inbox_manifest_parse(array, NULL, "x", &err));
	ck_assert(g_error_matches(err, NET_ERROR, NET_ERROR_REFUSED));
	ck_assert_ptr_nonnull(strstr(err->message, "/one and /two"));
	epochs = inbox_manifest_parse(array, "/two", "x", NULL);
	ck_assert_uint_eq(epochs->len, 1);
}
END_TEST

/* Small to send, large to keep: refused. */
START_TEST(test_large)
{
	g_autofree char *text = g_strnfill(INBOX_MANIFEST_MAX + 1, ' ');
	gsize len;
	g_autofree char *packed = web_gzip(text, &len);
	g_autoptr(GByteArray) array = g_byte_array_new();
	g_autoptr(GError) err = NULL;

	g_byte_array_append(array, (guint8 *)packed, (guint)len);
	ck_assert_ptr_null(inbox_manifest_parse(array, NULL, "x", &err));
	ck_assert(g_error_matches(err, NET_ERROR, NET_ERROR_LIMIT));
}
END_TEST

/* ---- what a source does with it */

static struct heard h;
static struct web w;

static void setup(void)
{
	heard_init(&h);
	memset(&w, 0, sizeof(w));
}

static void teardown(void)
{
	heard_clear(&h);
}

static const struct {
	const char *status, *text; /* of the inbox, then of the site */
	const char *status2, *text2;
	const char *log;
} sources[] = {
	{"404 No", "", "404 No", "",
	 "error refused: URL/list/: has no git repositories in its manifest; "
	 "is it a public-inbox?\n"},
	{"404 No", "", "200 OK", "{\"/other/git/0.git\":{}}",
	 "error refused: URL/list/: has no git repositories in its manifest; "
	 "is it a public-inbox?\n"},
	{"200 OK", "{\"/list\":{}}", NULL, NULL,
	 "error refused: URL/list/: has no git repositories in its manifest; "
	 "is it a public-inbox?\n"},
	{"200 OK", "<html>", NULL, NULL,
	 "error reply: URL/list/: its manifest can't be read\n"},
	{"503 Busy", "", NULL, NULL, "error reply: URL/list/: answers 503\n"},
	/* older than `since`: nothing is cloned */
	{"404 No", "", "200 OK", "{\"/list/git/0.git\":{\"modified\":99}}", ""},
	/* git finds no repository there: it is told, and tried again */
	{"200 OK", "{\"/list/git/0.git\":{\"modified\":200}}", NULL, NULL,
	 "error io: "},
};

START_TEST(test_source)
{
	g_autofree char *path = g_build_filename(h.dir, "copies", NULL);
	g_autofree char *got = NULL;
	g_autoptr(dialogue) d = NULL;
	struct remote r = {.ops = &remote_inbox, .path = path, .since = 100};
	guint n = 0;

	web_answer(&w, "GET /list/manifest.js.gz ", sources[_i].status, "",
		   sources[_i].text, strlen(sources[_i].text));
	if (sources[_i].status2)
		web_answer(&w, "GET /manifest.js.gz ", sources[_i].status2, "",
			   sources[_i].text2, strlen(sources[_i].text2));
	for (; n < 4; n++)
		web_status(&w, "GET /list/git/0.git/", "404 No", "");
	d = dialogue_start(w.steps, NULL);
	got = web_read(&h, d, r, NULL);
	ck_assert_msg(g_str_has_prefix(got, sources[_i].log) &&
			      (*sources[_i].log || !*got),
		      "expected\n%sgot\n%s", sources[_i].log, got);
}
END_TEST

static Suite *make_suite(void)
{
	Suite *s = suite_create("inbox_manifest");
	TCase *c = tcase_create("all");

	tcase_add_checked_fixture(c, setup, teardown);
	tcase_add_loop_test(c, test_text, 0, G_N_ELEMENTS(cases));
	tcase_add_test(c, test_several);
	tcase_add_test(c, test_large);
	tcase_add_loop_test(c, test_source, 0, G_N_ELEMENTS(sources));
	suite_add_tcase(s, c);
	return s;
}

TEST_MAIN(make_suite)
