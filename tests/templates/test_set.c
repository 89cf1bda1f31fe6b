/* test_set.c - sets: compiled-in templates, a folder over them, checking */
#include <glib/gstdio.h>
#include <jansson.h>
#include <string.h>

#include "templates/render.h"

#include "tests/folder.h"

static void put(const char *name, const char *text)
{
	g_autofree char *path = g_build_filename(dir, name, NULL);

	ck_assert(g_file_set_contents(path, text, -1, NULL));
}

static char *render(template_set *set, const char *name, GError **err)
{
	json_t *tree = json_pack("{ss}", "v", "<a:b>");
	GString *out = g_string_new(NULL);
	gboolean ok = template_render(set, name, tree, out, err);

	json_decref(tree);
	return g_string_free(out, !ok);
}

START_TEST(suffix_decides)
{
	static const struct {
		const char *name, *expected;
	} names[] = {
		{"a.html", "x=&lt;a:b&gt;"}, {"a.atom", "x=&lt;a:b&gt;"},
		{"a.svg", "x=&lt;a:b&gt;"},  {"a.xml", "x=&lt;a:b&gt;"},
		{"a.txt", "x=<a:b>"},	     {"a", "x=<a:b>"},
	};
	g_autoptr(template_set) set = template_set_open(dir);

	for (gsize i = 0; i < G_N_ELEMENTS(names); i++) {
		g_autofree char *got = NULL;

		put(names[i].name, "x={{v}}");
		got = render(set, names[i].name, NULL);
		ck_assert_pstr_eq(got, names[i].expected);
	}
}
END_TEST

START_TEST(folder_overrides)
{
	g_autoptr(template_set) plain = template_set_open(NULL);
	g_autoptr(template_set) over = NULL;
	g_autofree char *before = render(plain, "style.css", NULL);
	g_autofree char *after = NULL;

	put("style.css", "mine");
	over = template_set_open(dir);
	after = render(over, "style.css", NULL);
	ck_assert_ptr_nonnull(before);
	ck_assert_str_ne(before, "mine");
	ck_assert_str_eq(after, "mine");
}
END_TEST

START_TEST(names_stay_in_the_folder)
{
	static const char *const names[] = {"nothing.html", "", "../a.txt",
					    "/etc/passwd", ".hidden"};
	g_autoptr(template_set) set = template_set_open(dir);

	put(".hidden", "x");
	for (gsize i = 0; i < G_N_ELEMENTS(names); i++) {
		g_autoptr(GError) err = NULL;
		g_autofree char *got = render(set, names[i], &err);

		ck_assert_ptr_null(got);
		ck_assert(g_error_matches(err, TEMPLATE_ERROR,
					  TEMPLATE_ERROR_NAME));
	}
}
END_TEST

START_TEST(compiled_in_ones_pass)
{
	g_autoptr(template_set) set = template_set_open(NULL);
	g_autoptr(GError) err = NULL;

	ck_assert_msg(template_set_check(set, &err), "%s",
		      err ? err->message : "");
}
END_TEST

START_TEST(check_finds_errors)
{
	static const struct {
		const char *name, *text, *message;
	} bad[] = {
		{"a.html", "x\n<p {{v}}>",
		 "a.html:2: a value in a tag has to stand in quotes"},
		{"a.txt", "{{#v}}",
		 "a.txt:1: the section of line 1 is not ended"},
		{"b.html", "{{> nowhere }}",
		 "b.html:1: \"nowhere\" is no known partial"},
		{"c.html", "<a href='{{> _d.html }}'>",
		 "_d.html:1: markup cannot stand in an attribute"},
	};

	put("_d.html", "{{{v}}}");
	for (gsize i = 0; i < G_N_ELEMENTS(bad); i++) {
		g_autofree char *path =
			g_build_filename(dir, bad[i].name, NULL);
		g_autoptr(template_set) set = template_set_open(dir);
		g_autoptr(GError) err = NULL;

		put(bad[i].name, bad[i].text);
		ck_assert(!template_set_check(set, &err));
		ck_assert_str_eq(err->message, bad[i].message);
		g_unlink(path);
	}
}
END_TEST

START_TEST(text_has_to_be_utf8)
{
	g_autoptr(template_set) set = template_set_open(dir);
	g_autoptr(GError) err = NULL;
	g_autofree char *got = NULL;

	put("a.txt", "\xff");
	got = render(set, "a.txt", &err);
	ck_assert_ptr_null(got);
	ck_assert(g_str_has_suffix(err->message, "a.txt: not UTF-8 text"));
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("set");
	TCase *tc = tcase_create("files");

	tcase_add_checked_fixture(tc, make_dir, remove_dir);
	tcase_add_test(tc, suffix_decides);
	tcase_add_test(tc, folder_overrides);
	tcase_add_test(tc, names_stay_in_the_folder);
	tcase_add_test(tc, compiled_in_ones_pass);
	tcase_add_test(tc, check_finds_errors);
	tcase_add_test(tc, text_has_to_be_utf8);
	suite_add_tcase(s, tc);
	return s;
}

TEST_MAIN(suite)
