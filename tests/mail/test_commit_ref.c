/* test_commit_ref.c - commits mentioned in mails, and what is none */
#include <string.h>

#include "mail/commit_ref.h"

#include "tests/test.h"

#define A40 "0123456789abcdef0123456789abcdef01234567"
#define B40 "89abcdef0123456789abcdef0123456789abcdef"
#define A64 A40 "89abcdef0123456789abcdef"

static const struct {
	const char *body;
	const char *refs; /* "line role id (subject);" ... */
} cases[] = {
	/* the word "commit" */
	{"since commit abcdef123456 it fails\n", "1 mentioned abcdef123456;"},
	{"Commit ABCDEF123456, then\n", "1 mentioned abcdef123456;"},
	{"(commit abcdef1).\n", "1 mentioned abcdef1;"},
	{"commit `abcdef1` and \"abcdef2\"\n", "1 mentioned abcdef1;"},
	{"with commit\nabcdef123456 it fails\n", "2 mentioned abcdef123456;"},
	{"commit " A40 "\nAuthor: A\n", "1 mentioned " A40 ";"},
	{"commit " A64 "\n", "1 mentioned " A64 ";"},
	{"commits abcdef1, abcdef2 and abcdef3, but abcdef4\n",
	 "1 mentioned abcdef1;1 mentioned abcdef2;1 mentioned abcdef3;"},
	{"commits abcdef1 (\"a\") and abcdef2 (\"b\")\n",
	 "1 mentioned abcdef1 (a);1 mentioned abcdef2 (b);"},
	/* a title */
	{"abcdef123456 (\"fs: do it\")\n",
	 "1 mentioned abcdef123456 (fs: do it);"},
	{"\tabcdef1(\"x\") broke it\n", "1 mentioned abcdef1 (x);"},
	{"abcdef1 (\xe2\x80\x9cx y\xe2\x80\x9d)\n",
	 "1 mentioned abcdef1 (x y);"},
	{"see abcdef1 ('x (\"y\") z')\n", "1 mentioned abcdef1 (x (\"y\") z);"},
	{"commit abcdef123456 (\"fs: a title that\nis wrapped\") is it\n",
	 "1 mentioned abcdef123456 (fs: a title that is wrapped);"},
	{"commit abcdef123456\n(\"fs: x\") is it\n",
	 "1 mentioned abcdef123456 (fs: x);"},
	{"commit abcdef123456 (\"fs: never closed\n\nnext\n",
	 "1 mentioned abcdef123456;"},
	{"abcdef1 (\"x\") abcdef2 (\"y\")\n",
	 "1 mentioned abcdef1 (x);1 mentioned abcdef2 (y);"},
	/* 40 digits alone */
	{"it was " A40 ".\n", "1 mentioned " A40 ";"},
	{"[" A40 "] Merge x\n", "1 mentioned " A40 ";"},
	/* roles */
	{"Fixes: abcdef123456 (\"fs: do it\")\n",
	 "1 fixes abcdef123456 (fs: do it);"},
	{"Fixes: abcdef123456 (\"fs: do\n it\")\n",
	 "1 fixes abcdef123456 (fs: do it);"},
	{"fixes:123456789012\n", "1 fixes 123456789012;"},
	{"Fixes: https://git.kernel.org/linus/abcdef123456\n",
	 "1 fixes abcdef123456;"},
	{"base-commit: " A40 "\n", "1 base " A40 ";"},
	{"base:   " A40 "\n", "1 base " A40 ";"},
	{"This reverts commit " A40 ".\n", "1 reverted " A40 ";"},
	{"This reverts commit\n" A40 ".\n", "2 reverted " A40 ";"},
	{"this reverts abcdef1 (\"x\")\n", "1 reverted abcdef1 (x);"},
	{"commit " A40 " upstream.\n", "1 parent " A40 ";"},
	{"[ Upstream commit " A40 " ]\n", "1 parent " A40 ";"},
	{"(cherry picked from commit " A40 ")\n", "1 parent " A40 ";"},
	{"was fixed by commit abcdef123456 (\"x\")\n",
	 "1 fix abcdef123456 (x);"},
	{"was not fixed by commit abcdef123456\n", "1 mentioned abcdef123456;"},
	{"#regzbot introduced: abcdef123456\n", "1 culprit abcdef123456;"},
	{"#regzbot introduced abcdef123456\n", "1 culprit abcdef123456;"},
	{"#regzbot introduced: abcdef123456..bbcdef123456\n", ""},
	{"#regzbot ^introduced abcdef123456\n", "1 culprit abcdef123456;"},
	{"#culprit track: abcdef123456\n", "1 culprit abcdef123456;"},
	{"#regzbot fix: abcdef123456\n", "1 fix abcdef123456;"},
	{"#regzbot fixed by: abcdef123456\n", "1 fix abcdef123456;"},
	{"#regzbot title: abcdef123456\n", ""},
	{A40 " is the first bad commit\n", "1 culprit " A40 ";"},
	{"# first bad commit: [" A40 "] fs: do it\n",
	 "1 culprit " A40 " (fs: do it);"},
	{"HEAD commit:    abcdef123456 Merge x\n",
	 "1 tested abcdef123456 (Merge x);"},
	/* a robot's headline and its first commit */
	{"kernel test robot noticed a 5.0% regression of x on:\n\n\ncommit: " A40
	 " (\"fs: do it\")\nhttps://example.org master\n\n  commit: " B40
	 "\ncommit: " B40 "\n",
	 "4 culprit " A40 " (fs: do it);7 mentioned " B40 ";"},
	{"> kernel test robot noticed a x\ncommit: " A40 "\n",
	 "2 mentioned " A40 ";"},
	{"[1/2] fs: do it\n      commit: " A40 "\n", "2 mentioned " A40 ";"},
	{"commit: " A40 " [5/8] fs: do it\n",
	 "1 mentioned " A40 " (fs: do it);"},
	{":::::: " A40 " fs: do it\n", "1 mentioned " A40 " (fs: do it);"},
	{"base:   https://git.example.org/x.git " A40 "\n", "1 base " A40 ";"},
	/* URLs */
	{"https://git.kernel.org/pub/scm/x.git/commit/?h=y&id=abcdef123456\n"
	 "https://git.kernel.org/torvalds/c/abcdef1\n",
	 "1 mentioned abcdef123456;2 mentioned abcdef1;"},
	{"https://git.kernel.org/x.git/tree/fs?id=" A40 "\n"
	 "https://example.org/x/commit/" A40 "\n"
	 "https://lore.kernel.org/r/" A40 "@example.org\n"
	 "https://git.kernel.org.example.org/x/c/abcdef123456\n",
	 ""},
	/* each once in a role, the title from wherever it is */
	{"commit abcdef1\ncommit ABCDEF1 (\"x\")\nFixes: abcdef1 (\"x\")\n",
	 "1 mentioned abcdef1 (x);3 fixes abcdef1 (x);"},
	/* none */
	{"a decade, a facade, effaced, 1234567 bytes, 20190412\n", ""},
	{"commit defaced, commit 20190412\n", ""},
	{"abcdef123456 alone is a word\n", ""},
	{"Message <abcdef123456@example.org> commit abcdef1@example.org\n", ""},
	{"syzbot+abcdef1234567890abcd@example.org (\"x\")\n", ""},
	{"index abcdef1..abcdef2 100644\n", ""},
	{A40 ".." B40 "\n", ""},
	{"commit abcdef1^ and commit abcdef1~2\n", ""},
	{"tree " A40 "\nblob " A40 "\nprerequisite-patch-id: " A40
	 "\nsha1: " A40 "\nBuild ID=" A40 "\nculprit signature: " A40
	 "\ncompiler: x (https://example.org/x.git " A40 ")\n",
	 ""},
	{"key 0123456789ABCDEF0123456789ABCDEF01234567\n", ""},
	{"using 0123456789ABCDEF0123456789ABCDEF01234567\n", ""},
	{A64 "\n", ""}, /* more often a checksum */
	{A40 "0\n", ""},
	{"From " A40 " Mon Sep 17 00:00:00 2001\n", ""},
	{"v5.10-rc1-gabcdef123456 (\"x\")\n", ""},
	{"x-abcdef123456 (\"x\") /abcdef123456 (\"x\")\n", ""},
	{"RIP: 0010:[<ffffffff81234567>] 0xffffffff81234567\n", ""},
	{"0d0ddc18ad6da03e 1d3d4b5bb35f6d9dc9cd2ff7f57\n----\n", ""},
	/* only one's own words */
	{"> commit abcdef123456 (\"x\")\nmine\n", ""},
	{"text\n\n-- \ncommit abcdef123456\n", ""},
	{"text\n---\n x | 2 +-\n\ndiff --git a/x b/x\nindex abcdef1..abcdef2 "
	 "100644\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-commit abcdef123456\n"
	 "+commit abcdef123456\n\nbase-commit: " A40 "\n-- \n2.40\n",
	 "13 base " A40 ";"},
	{"", ""},
};

static char *joined(const char *text)
{
	g_autoptr(body) b = body_parse(text, strlen(text));
	g_autoptr(GPtrArray) refs = commit_refs_find(b);
	GString *out = g_string_new(NULL);

	for (guint i = 0; i < refs->len; i++) {
		const struct commit_ref *c = g_ptr_array_index(refs, i);

		g_string_append_printf(out, "%u %s %s", c->line,
				       commit_role_name(c->role), c->id);
		if (c->subject)
			g_string_append_printf(out, " (%s)", c->subject);
		g_string_append_c(out, ';');
	}
	return g_string_free(out, FALSE);
}

START_TEST(find)
{
	g_autofree char *text = joined(cases[_i].body);

	ck_assert_str_eq(text, cases[_i].refs);
}
END_TEST

/* An id is found wherever it stands in a line. */
START_TEST(any_column)
{
	for (int n = 0; n < 60; n++) {
		g_autofree char *pad = g_strnfill(n, 'x');
		g_autofree char *line = g_strdup_printf(
			"%s commit abcdef1 and abcdef12 (\"t\") %s", pad, pad);
		g_autofree char *text = joined(line);

		ck_assert_str_eq(text, "1 mentioned abcdef1;"
				       "1 mentioned abcdef12 (t);");
	}
}
END_TEST

START_TEST(limit)
{
	g_autoptr(GString) s = g_string_new(NULL);
	g_autoptr(body) b = NULL;
	g_autoptr(GPtrArray) refs = NULL;

	for (int i = 0; i < COMMIT_REF_MAX + 10; i++)
		g_string_append_printf(s, "commit %08xab\n", i);
	b = body_parse(s->str, s->len);
	refs = commit_refs_find(b);
	ck_assert_uint_eq(refs->len, COMMIT_REF_MAX);
}
END_TEST

START_TEST(hostile)
{
	static const char *const units[] = {
		"abcdef1 ",  "abcdef1 (\"",	 "commit abcdef1 (\"x\n",
		"a",	     "commits ",	 "          abcdef1(",
		"abcdef1/",  "abcdef1 (\"x",	 "https://x/abcdef1",
		"abcdef1\n", "commit: " A40 "\n"};

	for (guint u = 0; u < G_N_ELEMENTS(units); u++) {
		g_autoptr(GString) s = g_string_new(NULL);
		g_autoptr(body) b = NULL;
		g_autoptr(GPtrArray) refs = NULL;

		while (s->len < 1024 * 1024)
			g_string_append(s, units[u]);
		b = body_parse(s->str, s->len);
		refs = commit_refs_find(b);
		ck_assert_uint_le(refs->len, COMMIT_REF_MAX);
	}
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("commit_ref");
	TCase *tc = tcase_create("all");

	tcase_add_loop_test(tc, find, 0, G_N_ELEMENTS(cases));
	tcase_add_test(tc, any_column);
	tcase_add_test(tc, limit);
	tcase_add_test(tc, hostile);
	suite_add_tcase(s, tc);
	return s;
}

TEST_MAIN(suite)
