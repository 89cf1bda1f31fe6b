/* test_reference.c - what arguments name */
#include <string.h>

#include "mail/reference.h"

#include "tests/test.h"

#define ID   "0123456789abcdef0123456789abcdef01234567"
#define LORE "https://lore.kernel.org/"

/* "kind id;" of all references of a text, with ("title"). */
static const struct {
	const char *text;
	const char *refs;
} words[] = {
	{"", ""},
	{" ,; ", ""},
	{"0123456", "commit 0123456;"},
	{"0123456789ABCDEF", "commit 0123456789abcdef;"},
	{ID, "commit " ID ";"},
	{"012345", "title 012345;"},
	{ID "0", "title " ID "0;"},
	{"(0123456789ab)", "commit 0123456789ab;"},
	{"0123456789ab, 0123456789ac.", "commit 0123456789ab;commit "
					"0123456789ac;"},
	{"commit 0123456789ab", "commit 0123456789ab;"},
	{"Upstream commit: 0123456789ab", "commit 0123456789ab;"},
	{"0123456789ab(\"a: b\")", "commit 0123456789ab (\"a: b\");"},
	{"commit message", "title commit;title message;"},
	{"0123456789ab (\"a: (b) c\") ^",
	 "commit 0123456789ab (\"a: (b) c\");parent ;"},
	{"https://git.kernel.org/linus/0123456789ab", "commit 0123456789ab;"},
	{"https://git.kernel.org/torvalds/c/0123456789ab",
	 "commit 0123456789ab;"},
	{"https://git.kernel.org/pub/scm/linux/kernel/git/torvalds/linux.git/"
	 "commit/?h=v6.1&id=0123456789ab",
	 "commit 0123456789ab;"},
	{"https://github.com/a/b/commit/" ID ",", "commit " ID ";"},
	{"v6.2-rc1", "tag v6.2-rc1;"},
	{"next-20230102", "tag next-20230102;"},
	{"6.1.7", "tag 6.1.7;"},
	{"v6.1..v6.2", "range v6.1..v6.2;"},
	{"v6.1...v6.2", "range v6.1..v6.2;"},
	{"v6.1\xe2\x80\xa6v6.2", "range v6.1..v6.2;"},
	{"v6.1..", "range v6.1..;"},
	{"..v6.1", "range ..v6.1;"},
	{"v6.1.. ^", "range v6.1..;parent ;"},
	{"v6.1 .. v6.2", "range v6.1..v6.2;"},
	{"v6.1 ..v6.2 /", "range v6.1..v6.2;root ;"},
	{"v6.1.. v6.2.", "range v6.1..v6.2;"},
	{"v6.1 to v6.2", "range v6.1..v6.2;"},
	{"6.1 - 6.2 ^", "range 6.1..6.2;parent ;"},
	{"v6.1 to be sure", "tag v6.1;title to;title be;title sure;"},
	{"v6.1 ..", "range v6.1..;"},
	{"v6.1.1..0123456789ABCD", "range v6.1.1..0123456789abcd;"},
	{"well..ahem", "title well..ahem;"},
	{"...", "title ...;"},
	{"^", "parent ;"},
	{"~ /", "root ;root ;"},
	{"<a@example.org>", "mail a@example.org;"},
	{"a+b@example.org", "mail a+b@example.org;"},
	{LORE "all/a@example.org/", "mail a@example.org;"},
	{LORE "r/a@example.org.", "mail a@example.org;"},
	{"(" LORE "r/a%2Bb@example.org)", "mail a+b@example.org;"},
	{"<" LORE "r/a@example.org>", "mail a@example.org;"},
	{"lore.kernel.org/r/a@example.org", "mail a@example.org;"},
	{"https://patch.msgid.link/a@example.org", "mail a@example.org;"},
	{LORE "all/a@example.org/t.mbox.gz", "mail a@example.org;"},
	{LORE "l/a@example.org/T/#m" ID, "mail a@example.org #" ID ";"},
	{LORE "l/a@example.org/T/#u", "mail a@example.org;"},
	{"https://bugzilla.kernel.org/show_bug.cgi?id=1234",
	 "ticket bugzilla.kernel.org/show_bug.cgi?id=1234;"},
	{"https://bugzilla.kernel.org/show_bug.cgi?id=1234#c5",
	 "ticket bugzilla.kernel.org/show_bug.cgi?id=1234;"},
	{"http://Bugzilla.kernel.org/1234",
	 "ticket bugzilla.kernel.org/show_bug.cgi?id=1234;"},
	{"https://gitlab.example.org/a/b/-/issues/12#note_5",
	 "ticket gitlab.example.org/a/b/-/issues/12;"},
	{"https://github.com/a/b/issues/12",
	 "ticket github.com/a/b/issues/12;"},
	{"https://bugs.debian.org/cgi-bin/bugreport.cgi?bug=12",
	 "ticket bugs.debian.org/12;"},
	{"https://example.org/page", "url https://example.org/page;"},
	{"git://example.org/a.git master",
	 "url git://example.org/a.git;title master;"},
	{"202309-abcdefgh23", "item 202309-abcdefgh23;"},
	{"r202309-abcdefgh23", "item 202309-abcdefgh23;"},
	{"and/or", "title and/or;"},
};

static void append(GString *out, const struct reference *r)
{
	const char *id = r->id					  ? r->id
			 : r->url				  ? r->url
			 : r->title && r->kind == REFERENCE_TITLE ? r->title
								  : "";

	g_string_append_printf(out, "%s %s", reference_kind_name(r->kind), id);
	if (r->kind != REFERENCE_TITLE && r->title)
		g_string_append_printf(out, " (\"%s\")", r->title);
	if (r->anchor)
		g_string_append_printf(out, " #%s", r->anchor);
	g_string_append_c(out, ';');
}

START_TEST(next)
{
	GString *out = g_string_new(NULL);
	const char *p = words[_i].text;
	struct reference *r;

	while ((r = reference_next(&p)) != NULL) {
		append(out, r);
		reference_free(r);
	}
	ck_assert_str_eq(p, "");
	ck_assert_msg(!strcmp(out->str, words[_i].refs), "%s: got \"%s\"",
		      words[_i].text, out->str);
	g_string_free(out, TRUE);
}
END_TEST

static const struct {
	const char *text;
	const char *ref;
} wholes[] = {
	{"0123456789ab", "commit 0123456789ab;"},
	{"0123456789ab (\"a: b\")", "commit 0123456789ab (\"a: b\");"},
	{"0123456789ab as I said", "commit 0123456789ab;"},
	{"commit 0123456", "commit 0123456;"},
	{"defaced pages", "title defaced pages;"},
	{"defaced", "commit defaced;"},
	{"btrfs: fix it", "title btrfs: fix it;"},
	{"'btrfs: fix it'", "title btrfs: fix it;"},
	{"\xe2\x80\x9c"
	 "btrfs: fix it\xe2\x80\x9d",
	 "title btrfs: fix it;"},
	{"(\"btrfs: fix it\")", "title btrfs: fix it;"},
	{"[PATCH v2 1/3] btrfs: fix it.", "title btrfs: fix it;"},
	{"Re: [PATCH] btrfs: fix it", "title btrfs: fix it;"},
	{"\"Revert \"a: b\"\"", "title Revert \"a: b\";"},
	{"Revert \"a: b\"", "title Revert \"a: b\";"},
	{"\"a\" and \"b\"", "title \"a\" and \"b\";"},
	{"'a: don't do it'", "title a: don't do it;"},
	{"v6.5 hangs", "title v6.5 hangs;"},
	{"v6.5", "tag v6.5;"},
	{"v6.5..v6.6", "range v6.5..v6.6;"},
	{LORE "r/a@example.org as a whole", "mail a@example.org;"},
	{"/proc: fix it", "title /proc: fix it;"},
	{"^ 5", "title ^ 5;"},
	{"^", "parent ;"},
};

START_TEST(whole)
{
	g_autoptr(reference_auto) r = reference_parse(wholes[_i].text);
	GString *out = g_string_new(NULL);

	ck_assert_ptr_nonnull(r);
	append(out, r);
	ck_assert_msg(!strcmp(out->str, wholes[_i].ref), "%s: got \"%s\"",
		      wholes[_i].text, out->str);
	g_string_free(out, TRUE);
}
END_TEST

START_TEST(parts)
{
	const char *text = "  v6.1  ..  v6.2 (" LORE "r/a@example.org)";
	g_autoptr(reference_auto) range = reference_next(&text);
	g_autoptr(reference_auto) url = reference_next(&text);
	g_autoptr(reference_auto) none = reference_next(&text);

	ck_assert_str_eq(range->from, "v6.1");
	ck_assert_str_eq(range->to, "v6.2");
	ck_assert_str_eq(range->text, "v6.1 .. v6.2");
	ck_assert_str_eq(url->url, LORE "r/a@example.org");
	ck_assert_ptr_null(none);
	ck_assert_ptr_null(reference_parse("  "));
}
END_TEST

START_TEST(bounds)
{
	static const char *const pieces[] = {"commit ", "..", "(\"", "\"",
					     "<a@b>",	"^ ", "a",   ")"};

	for (guint i = 0; i < G_N_ELEMENTS(pieces); i++) {
		GString *s = g_string_new("0123456789ab ");
		const char *p;
		struct reference *r;

		for (guint k = 0; k < 2000; k++)
			g_string_append(s, pieces[i]);
		reference_free(reference_parse(s->str));
		for (p = s->str; (r = reference_next(&p)) != NULL;)
			reference_free(r);
		ck_assert_str_eq(p, "");
		g_string_free(s, TRUE);
	}
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("reference");
	TCase *tc = tcase_create("all");

	tcase_add_loop_test(tc, next, 0, G_N_ELEMENTS(words));
	tcase_add_loop_test(tc, whole, 0, G_N_ELEMENTS(wholes));
	tcase_add_test(tc, parts);
	tcase_add_test(tc, bounds);
	suite_add_tcase(s, tc);
	return s;
}

TEST_MAIN(suite)
