/* test_links.c - URLs in mails, their roles and the mails they name */
#include <string.h>

#include "mail/links.h"

#include "tests/test.h"

#define LORE "https://lore.kernel.org/"

static const struct {
	const char *body;
	const char *links; /* "line role url id;" ... */
} cases[] = {
	{"see https://example.org/a for more\n",
	 "1 other https://example.org/a -;"},
	/* punctuation around a URL is not of it */
	{"(https://example.org/a), https://example.org/b.\n",
	 "1 other https://example.org/a -;1 other https://example.org/b -;"},
	{"https://example.org/a_(b) (at https://example.org/c_(d))!\n",
	 "1 other https://example.org/a_(b) -;"
	 "1 other https://example.org/c_(d) -;"},
	{"<https://example.org/a> \"https://example.org/b\"\n",
	 "1 other https://example.org/a -;1 other https://example.org/b -;"},
	{"[1]: https://example.org/a?b=c&d=[e]#f...\n",
	 "1 other https://example.org/a?b=c&d=[e]#f -;"},
	{"[https://example.org/a]\n", "1 other https://example.org/a -;"},
	{"https://example.org/\xe3\x80\x82\n",
	 "1 other https://example.org/ -;"},
	/* schemes */
	{"git://example.org/x.git http://example.org ssh://a@example.org/x\n",
	 "1 other git://example.org/x.git -;1 other http://example.org -;"
	 "1 other ssh://a@example.org/x -;"},
	{"HTTPS://example.org/a\n", "1 other HTTPS://example.org/a -;"},
	{"ftp://example.org/ x://y :// https://\n", ""},
	{"xhttps://example.org/ git+ssh://example.org/\n",
	 "1 other ssh://example.org/ -;"},
	/* mails */
	{"as in " LORE "r/a%2Fb@example.org.\n",
	 "1 lore " LORE "r/a%2Fb@example.org a/b@example.org;"},
	{LORE "all/a@example.org/T/#u\n",
	 "1 lore " LORE "all/a@example.org/T/#u a@example.org;"},
	{LORE "r/<a@example.org>\n",
	 "1 lore " LORE "r/<a@example.org> a@example.org;"},
	{"<" LORE "r/a@example.org>\n",
	 "1 lore " LORE "r/a@example.org a@example.org;"},
	{LORE "linux-btrfs/\n", "1 other " LORE "linux-btrfs/ -;"},
	/* roles */
	{"Link: " LORE "r/a@example.org # [1]\n",
	 "1 link " LORE "r/a@example.org a@example.org;"},
	{"  link:https://example.org/a https://example.org/b\n",
	 "1 link https://example.org/a -;1 link https://example.org/b -;"},
	{"Closes: https://bugs.example.org/1\nBug: https://example.org/2\n"
	 "BugLink: https://example.org/3\n",
	 "1 closes https://bugs.example.org/1 -;"
	 "2 closes https://example.org/2 -;3 closes https://example.org/3 -;"},
	{"Fixes: https://example.org/1\n", "1 fixes https://example.org/1 -;"},
	{"Message-ID: <" LORE "r/a@example.org>\n",
	 "1 link " LORE "r/a@example.org a@example.org;"},
	{"Patchwork-Link: https://example.org/1\n",
	 "1 link https://example.org/1 -;"},
	{"patch link:    " LORE "r/a@example.org\n",
	 "1 patch " LORE "r/a@example.org a@example.org;"},
	{"| Closes: " LORE "oe-lkp/a@example.org\n",
	 "1 lore " LORE "oe-lkp/a@example.org a@example.org;"},
	{"     Link: https://example.org/1\n",
	 "1 other https://example.org/1 -;"},
	{"The link: https://example.org/1\n",
	 "1 other https://example.org/1 -;"},
	{"Link to v1: " LORE "r/a@example.org\n",
	 "1 lore " LORE "r/a@example.org a@example.org;"},
	{"https://download.01.org/0day-ci/archive/20220101/a@example.org\n",
	 "1 artifact https://download.01.org/0day-ci/archive/20220101/"
	 "a@example.org -;"},
	/* once in a role */
	{"https://example.org/a\n\nhttps://example.org/a\n"
	 "Link: https://example.org/a\n",
	 "1 other https://example.org/a -;4 link https://example.org/a -;"},
	/* only one's own words */
	{"> https://example.org/a\n>> Link: https://example.org/b\nmine\n", ""},
	{"text\n\n-- \nhttps://example.org/home\n", ""},
	{"text\n---\ndiff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n"
	 "-https://example.org/a\n+https://example.org/b\n",
	 ""},
	{"", ""},
	{"\n", ""},
};

static char *joined(const char *text)
{
	g_autoptr(body) b = body_parse(text, strlen(text));
	g_autoptr(GPtrArray) links = links_find(b);
	GString *out = g_string_new(NULL);

	for (guint i = 0; i < links->len; i++) {
		const struct link *l = g_ptr_array_index(links, i);

		g_string_append_printf(out, "%u %s %s %s;", l->line,
				       link_role_name(l->role), l->url,
				       l->message_id ? l->message_id : "-");
	}
	return g_string_free(out, FALSE);
}

START_TEST(find)
{
	g_autofree char *text = joined(cases[_i].body);

	ck_assert_str_eq(text, cases[_i].links);
}
END_TEST

START_TEST(limit)
{
	g_autoptr(GString) s = g_string_new(NULL);
	g_autoptr(body) b = NULL;
	g_autoptr(GPtrArray) links = NULL;

	for (int i = 0; i < LINKS_MAX + 10; i++)
		g_string_append_printf(s, "https://example.org/%d\n", i);
	b = body_parse(s->str, s->len);
	links = links_find(b);
	ck_assert_uint_eq(links->len, LINKS_MAX);
}
END_TEST

START_TEST(hostile)
{
	static const char *const units[] = {"://",	   "https://",
					    "https://x/<", "https://x)))]]",
					    "http:",	   "https://x.....\n"};

	for (guint u = 0; u < G_N_ELEMENTS(units); u++) {
		g_autoptr(GString) s = g_string_new(NULL);
		g_autoptr(body) b = NULL;
		g_autoptr(GPtrArray) links = NULL;

		while (s->len < 1024 * 1024)
			g_string_append(s, units[u]);
		b = body_parse(s->str, s->len);
		links = links_find(b);
		ck_assert_uint_le(links->len, LINKS_MAX);
	}
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("links");
	TCase *tc = tcase_create("all");

	tcase_add_loop_test(tc, find, 0, G_N_ELEMENTS(cases));
	tcase_add_test(tc, limit);
	tcase_add_test(tc, hostile);
	suite_add_tcase(s, tc);
	return s;
}

TEST_MAIN(suite)
