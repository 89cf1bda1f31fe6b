/* test_trailers.c - which lines are trailers, where, and what they say */
#include <string.h>

#include "mail/trailers.h"
#include "mail/trailers_priv.h"

#include "tests/test.h"

/* "Key: name <address> # note" of all, one a line; marks at the end: ~ typo,
 * ! does not count, ^ relayed. */
static char *describe(const GPtrArray *trailers)
{
	GString *out = g_string_new(NULL);

	for (guint i = 0; i < trailers->len; i++) {
		const struct trailer *t = g_ptr_array_index(trailers, i);

		g_string_append_printf(out, "%s%s:", i ? "\n" : "", t->key);
		if (t->who)
			g_string_append_printf(out, " %s <%s>", t->who->name,
					       t->who->address);
		if (t->commit)
			g_string_append_printf(out, " %s", t->commit);
		if (t->subject)
			g_string_append_printf(out, " (%s)", t->subject);
		if (t->url)
			g_string_append_printf(out, " %s", t->url);
		if (!t->who && !t->commit && !t->url)
			g_string_append_printf(out, " \"%s\"", t->value);
		if (t->note)
			g_string_append_printf(out, " # %s", t->note);
		g_string_append_printf(out, "%s%s%s", t->typo ? " ~" : "",
				       t->counts ? "" : " !",
				       t->relayed ? " ^" : "");
	}
	return g_string_free(out, FALSE);
}

static const struct {
	const char *lines;
	const char *read;
} lines[] = {
	/* names */
	{"Reviewed-by: A Person <a@example.org>",
	 "Reviewed-by: A Person <a@example.org>"},
	{"reviewed-BY:  A Person   <a@example.org>  ",
	 "Reviewed-by: A Person <a@example.org>"},
	{"CC: a@example.org", "Cc:  <a@example.org>"},
	{"Signed-Off-By:A Person <a@example.org>",
	 "Signed-off-by: A Person <a@example.org>"},
	{"Reported-and-tested-by: A Person <a@example.org>",
	 "Reported-and-tested-by: A Person <a@example.org>"},
	{"Moved-and-mended-by: A Person <a@example.org>",
	 "Moved-and-mended-by: A Person <a@example.org>"},
	{"LINK: https://example.org/x", "Link: https://example.org/x"},
	/* typos */
	{"Singed-off-by: A <a@example.org>",
	 "Signed-off-by: A <a@example.org> ~"},
	{"Signed-of_-by: A <a@example.org>",
	 "Signed-off-by: A <a@example.org> ~"},
	{"Reviewed--by: A <a@example.org>", "Reviewed-by: A <a@example.org> ~"},
	{"Reivewed-by: A <a@example.org>", "Reviewed-by: A <a@example.org> ~"},
	{"Reviewed by: A <a@example.org>", "Reviewed-by: A <a@example.org> ~"},
	{"Rreported-by: A <a@example.org>", "Reported-by: A <a@example.org> ~"},
	{"Reported and tested by: A <a@example.org>",
	 "Reported-and-tested-by: A <a@example.org> ~"},
	{"Hacked-by: A <a@example.org>", "Hacked-by: A <a@example.org>"},
	{"Ported-by: A <a@example.org>", "Ported-by: A <a@example.org>"},
	/* jokes and negations */
	{"Not-acked-by: A <a@example.org>",
	 "Not-acked-by: A <a@example.org> !"},
	{"totally-not-signed-off-by: A <a@example.org>",
	 "Totally-not-signed-off-by: A <a@example.org> !"},
	{"Almost-reviewed-by: A <a@example.org>",
	 "Almost-reviewed-by: A <a@example.org> !"},
	{"Asked-by: A <a@example.org>", "Asked-by: A <a@example.org> !"},
	{"Test-by: A <a@example.org>", "Test-by: A <a@example.org> !"},
	{"Introduced-by: A <a@example.org>",
	 "Introduced-by: A <a@example.org> !"},
	{"Grudgingly-acked-by: A <a@example.org>",
	 "Acked-by: A <a@example.org> # grudgingly"},
	/* persons */
	{"Cc: Jane \"JD\" Doe, Jr. (X) <a@example.org>",
	 "Cc: Jane \"JD\" Doe, Jr. (X) <a@example.org>"},
	{"Cc: Doe, Jane <a@example.org>", "Cc: Doe, Jane <a@example.org>"},
	{"Acked-by: A<a@example.org>", "Acked-by: A <a@example.org>"},
	{"Cc: A <a@example.org>, B <b@example.org>",
	 "Cc: A <a@example.org>\nCc: B <b@example.org>"},
	{"Cc: a@example.org, b@example.org",
	 "Cc:  <a@example.org>\nCc:  <b@example.org>"},
	{"Tested-by: A Long Name\n<a@example.org>",
	 "Tested-by: A Long Name <a@example.org>"},
	{"Tested-by: A <a@example.org> # on arm64",
	 "Tested-by: A <a@example.org> # on arm64"},
	{"Tested-by: A <a@example.org> [on arm64]",
	 "Tested-by: A <a@example.org> # on arm64"},
	{"Tested-by: A <a@example.org>\n   [on arm64]",
	 "Tested-by: A <a@example.org> # on arm64"},
	{"Tested-by: A <a@example.org>\n[me: mended the title]",
	 "Tested-by: A <a@example.org>"},
	{"Reported-by: A <a at example dot org>",
	 "Reported-by: A <a@example.org>"},
	{"Reported-by: A <a[at]example[dot]org>",
	 "Reported-by: A <a@example.org>"},
	{"Reported-by: A Person <xxxx@xxxxxxxxx>", "Reported-by: A Person <>"},
	{"Cc: <stable@vger.kernel.org> # 5.10+",
	 "Cc:  <stable@vger.kernel.org> # 5.10+"},
	{"Cc: stable@vger.kernel.org # v5.4, v5.10",
	 "Cc:  <stable@vger.kernel.org> # v5.4, v5.10"},
	{"Cc: stable@vger.kernel.org#5.10",
	 "Cc:  <stable@vger.kernel.org> # 5.10"},
	{"Cc: stable@vger.kernel.org v5.10+",
	 "Cc:  <stable@vger.kernel.org> # v5.10+"},
	{"Cc: stable # 5.10+", "Cc: stable <> # 5.10+"},
	{"Reviewed-by: me", ""},
	{"Reviewed-by: yet.", ""},
	/* Fixes */
	{"Fixes: 0123456789ab (\"fs: break it\")",
	 "Fixes: 0123456789ab (fs: break it)"},
	{"Fixes: 0123456789AB (“fs: break it”)",
	 "Fixes: 0123456789ab (fs: break it)"},
	{"Fixes: 0123456789ab (\"fs: break\n it all\")",
	 "Fixes: 0123456789ab (fs: break it all)"},
	{"Fixes: 0123456789ab (\"fs: \"break\" it",
	 "Fixes: 0123456789ab (fs: \"break\" it)"},
	{"Fixes: commit 0123456789ab (fs: break it)",
	 "Fixes: 0123456789ab (fs: break it)"},
	{"Fixes: 0123456789ab \"fs: break it\"",
	 "Fixes: 0123456789ab (fs: break it)"},
	{"Fixes: 0123456", "Fixes: 0123456"},
	{"Fixes: 0123456789ab (\"fs: break it\nAcked-by: A <a@example.org>",
	 "Fixes: 0123456789ab (fs: break it)\nAcked-by: A <a@example.org>"},
	{"Fixes: https://example.org/1", "Fixes: https://example.org/1"},
	{"Fixes: #21", "Fixes: \"#21\""},
	{"Fixes: 012345", ""},
	{"Fixes: and Cc: stable tags are missing", ""},
	/* links */
	{"Closes: https://example.org/1 # first report",
	 "Closes: https://example.org/1 # first report"},
	{"Link: https://example.org/1 [1]", "Link: https://example.org/1"},
	{"BugLink: <https://example.org/1>", "BugLink: https://example.org/1"},
	{"Link: id@example.org", "Link: \"id@example.org\""},
	{"BUG: unable to handle page fault", ""},
	{"Change-Id: I0123", "Change-Id: \"I0123\""},
	/* no names */
	{"Note: A <a@example.org>", ""},
	{"From: A <a@example.org>", ""},
	{"To: A <a@example.org>", ""},
	{"This is reviewed by: A <a@example.org>", ""},
	{"> Acked-by: A <a@example.org>", ""},
	{"| Acked-by: A <a@example.org>", ""},
	{" Acked-by: A <a@example.org>", ""},
	{"Acked-by", ""},
	{":", ""},
};

START_TEST(test_lines)
{
	g_autofree char *text =
		g_strconcat("Why.\n\n", lines[_i].lines, "\n", NULL);
	g_autoptr(GPtrArray) found = trailers_in_commit(text, 1);
	g_autofree char *read = describe(found);

	ck_assert_str_eq(read, lines[_i].read);
	for (guint i = 0; i < found->len; i++) {
		const struct trailer *t = g_ptr_array_index(found, i);

		ck_assert_uint_ge(t->line, 3);
		ck_assert_int_eq(t->where, TRAILER_COMMIT_MESSAGE);
	}
}
END_TEST

#define ACK "Acked-by: A <a@example.org>\n"
#define SOB "Signed-off-by: B <b@example.org>\n"

static const struct {
	const char *text;
	guint count;
} blocks[] = {
	{"", 0},
	{"\n\n", 0},
	{ACK, 1},
	{"Why.\n\n" ACK SOB, 2},
	{"Why.\n\n" ACK "\n" SOB, 2},
	{"Why.\n" ACK SOB, 2},
	{"Why.\n\n" ACK "[me: mended]\n" SOB "\n\n", 2},
	{"Why.\n\n" ACK SOB "\nChanges since v1: none.\n", 2},
	{"Why.\n\n" ACK "\nv2: this\n\nv1: that\n", 1},
	{"Why.\n\n" ACK "\nv3: x\n\nv2: y\n\nv1: z\n", 0},
	{"Why.\n\nAs in\n" ACK "it is fine.\n\n" SOB, 1},
	{"Why.\n\n" ACK "Upstream-status: none\n\n" SOB, 2},
	{"Why.\n\n" ACK "(cherry picked from commit 0123456)\n\n" SOB, 2},
};

START_TEST(test_blocks)
{
	g_autoptr(GPtrArray) found = trailers_in_commit(blocks[_i].text, 1);

	ck_assert_uint_eq(found->len, blocks[_i].count);
}
END_TEST

START_TEST(test_line_numbers)
{
	g_autoptr(GPtrArray) found =
		trailers_in_commit("Why.\n\n" ACK
				   "Tested-by: C\n<c@example.org>\n" SOB,
				   10);
	guint expected[] = {12, 13, 15};

	ck_assert_uint_eq(found->len, 3);
	for (guint i = 0; i < found->len; i++)
		ck_assert_uint_eq(
			((struct trailer *)g_ptr_array_index(found, i))->line,
			expected[i]);
}
END_TEST

START_TEST(test_notes)
{
	g_autoptr(GPtrArray) found = trailers_in_notes(
		"v2: new title\nCc: A <a@example.org>\n> " ACK
		"base-commit: 0123456789\nchange-id: x-y\n\n" SOB,
		1);
	g_autofree char *read = describe(found);

	ck_assert_str_eq(read, "Cc: A <a@example.org>\n"
			       "Signed-off-by: B <b@example.org>");
	ck_assert_int_eq(((struct trailer *)g_ptr_array_index(found, 0))->where,
			 TRAILER_NOTES);
}
END_TEST

static const struct {
	const char *text;
	const char *read;
} replies[] = {
	{"On Monday, X wrote:\n> text\n\n" ACK, "Acked-by: A <a@example.org>"},
	{"> " ACK ">> " ACK "AB> " ACK "| " ACK, ""},
	{"> text\n\n    " ACK, "Acked-by: A <a@example.org>"},
	{"text\n\n      " ACK "\t" ACK, ""},
	{"text\n\n-- \n" ACK, ""},
	{"text\n\n-----Original Message-----\nFrom: X <x@example.org>\n"
	 "Sent: Monday\nTo: Y\nSubject: z\n\n" ACK,
	 ""},
	{"Cc: A <a@example.org>\nTo: A <a@example.org>\n"
	 "Message-ID: <x@example.org>\n",
	 ""},
	{"Reviewed-by: A <a@example.org> with one nit\n",
	 "Reviewed-by: A <a@example.org> # with one nit"},
	{"Reviewed-by: B <b@example.org> is what I miss\n", ""},
	{"Reviewed-by: B <b@example.org>\n",
	 "Reviewed-by: B <b@example.org> ^"},
	{"Reported-by: B <b@example.org>\n", "Reported-by: B <b@example.org>"},
	{"Reviewed-by: A <a+list@example.org>\n",
	 "Reviewed-by: A <a+list@example.org>"},
	{"Fixes: 0123456789ab (\"x\")\n", "Fixes: 0123456789ab (x)"},
	{"Fixes: is missing\n", ""},
	{"Closes: https://example.org/1\n", "Closes: https://example.org/1"},
	{"Link: here\n", ""},
	{"Reviewed-by: A\n> quoted\n<a@example.org>\n", ""},
	{"Mine:\n\ndiff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1,2 @@\n a\n"
	 "+Acked-by: A <a@example.org>\n",
	 ""},
};

START_TEST(test_replies)
{
	const char *text = replies[_i].text;
	struct address from = {(char *)"A Person", (char *)"a@example.org"};
	g_autoptr(body) b = body_parse(text, strlen(text));
	g_autoptr(GPtrArray) found = trailers_in_reply(b, &from);
	g_autofree char *read = describe(found);

	ck_assert_str_eq(read, replies[_i].read);
}
END_TEST

/* Quoting a text leaves none of its trailers. */
START_TEST(test_quoted_never_counts)
{
	g_autoptr(GString) text = g_string_new("On Monday, X wrote:\n");
	g_auto(GStrv) split = g_strsplit(lines[_i].lines, "\n", -1);
	g_autoptr(body) b = NULL;
	g_autoptr(GPtrArray) found = NULL;

	for (guint i = 0; split[i]; i++)
		g_string_append_printf(text, "> %s\n", split[i]);
	b = body_parse(text->str, text->len);
	found = trailers_in_reply(b, NULL);
	ck_assert_uint_eq(found->len, 0);
}
END_TEST

START_TEST(test_many)
{
	g_autoptr(GString) text = g_string_new(NULL);
	g_autoptr(GPtrArray) found = NULL;

	for (guint i = 0; i < TRAILERS_MAX + 100; i++)
		g_string_append(text, ACK);
	found = trailers_in_commit(text->str, 1);
	ck_assert_uint_eq(found->len, TRAILERS_MAX);
}
END_TEST

START_TEST(test_names)
{
	static const char *const names[][2] = {
		{"REVIEWED-by", "Reviewed-by"},
		{"cC", "Cc"},
		{"buglink", "BugLink"},
		{"reveiwed-by", "Reviewed-by"},
		{"foo-BY", "Foo-by"},
		{"Reviewed-bu", "Reviewed-by"},
		{"Tested by", "Tested-by"},
		{"Tested-on", NULL},
		{"Reported to", NULL},
		{"Acked-in", NULL},
		{"foo-BAR", NULL},
	};

	for (guint i = 0; i < G_N_ELEMENTS(names); i++) {
		struct trailer_name name;

		trailer_name_read(&name, names[i][0], strlen(names[i][0]));
		ck_assert_pstr_eq(name.key, names[i][1]);
		ck_assert_int_eq(name.kind == NAME_NONE, !names[i][1]);
		g_free(name.key);
	}
}
END_TEST

static Suite *trailers_suite(void)
{
	Suite *suite = suite_create("trailers");
	TCase *tc = tcase_create("trailers");

	tcase_add_loop_test(tc, test_lines, 0, G_N_ELEMENTS(lines));
	tcase_add_loop_test(tc, test_blocks, 0, G_N_ELEMENTS(blocks));
	tcase_add_test(tc, test_line_numbers);
	tcase_add_test(tc, test_notes);
	tcase_add_loop_test(tc, test_replies, 0, G_N_ELEMENTS(replies));
	tcase_add_loop_test(tc, test_quoted_never_counts, 0,
			    G_N_ELEMENTS(lines));
	tcase_add_test(tc, test_many);
	tcase_add_test(tc, test_names);
	suite_add_tcase(suite, tc);
	return suite;
}

TEST_MAIN(trailers_suite)
