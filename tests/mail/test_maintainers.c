/* test_maintainers.c - sections of files and changes, by an invented file */
#include <string.h>

#include "mail/error.h"
#include "mail/maintainers.h"

#include "tests/test.h"

static maintainers *parse(const char *text)
{
	g_autoptr(GError) err = NULL;
	maintainers *m =
		maintainers_parse(text, strlen(text), NULL, NULL, &err);

	ck_assert_msg(m != NULL, "%s", err ? err->message : "");
	return m;
}

static maintainers *sample(void)
{
	g_autofree char *path =
		g_build_filename(test_data(), "maintainers", "sample", NULL);
	g_autofree char *text = NULL;

	ck_assert(g_file_get_contents(path, &text, NULL, NULL));
	return parse(text);
}

/* "TITLE=DEPTH", "!" for exact, "*files" of more than one, "~" by keyword. */
static char *as_text(GArray *matches)
{
	GString *s = g_string_new(NULL);

	for (guint i = 0; i < matches->len; i++) {
		const struct maintainers_match *m =
			&g_array_index(matches, struct maintainers_match, i);

		g_string_append_printf(s, "%s%s=%d%s%s", i ? " " : "",
				       m->section->title, m->depth,
				       m->exact ? "!" : "",
				       m->keyword ? "~" : "");
		if (m->files != 1)
			g_string_append_printf(s, "*%u", m->files);
	}
	return g_string_free(s, FALSE);
}

static const struct {
	const char *path, *sections;
} paths[] = {
	{"fs/alpha/inode.c", "ALPHA FILE SYSTEM=2!"},
	{"fs/alpha/sub/x.c", "ALPHA FILE SYSTEM=2"},
	{"fs/alpha", ""},
	{"fs/alphabet/x.c", ""},
	/* excluded from the one, in the other */
	{"fs/alpha/verity/x.c", "ALPHA VERITY=3!"},
	{"fs/alpha/verity/include/x.h", "ALPHA VERITY=3 HEADERS OF ALL=-1"},
	/* a star stays in its directory where no slash ends the pattern */
	{"fs/alpha/super.h", "ALPHA VERITY=3! ALPHA FILE SYSTEM=2!"},
	{"fs/alpha/sub/super.h", "ALPHA FILE SYSTEM=2"},
	/* the end is open */
	{"fs/alpha/super.hpp", "ALPHA VERITY=3! ALPHA FILE SYSTEM=2!"},
	{"include/linux/alpha.h", "ALPHA FILE SYSTEM=3!"},
	{"include/linux/alphanumeric.h", "ALPHA FILE SYSTEM=3!"},
	{"include/linux/alpha/x.h", ""},
	{"include/linux/Alpha.h", ""},
	{"Documentation/filesystems/alpha.rst.old", "ALPHA FILE SYSTEM=3!"},
	{"Documentation/filesystems/alphaXrst", ""},
	{"Makefile", "FILE AT THE TOP=1"},
	{"Makefile.am", "FILE AT THE TOP=1"},
	{"fs/Makefile", ""},
	{"Xdot-format", ""},
	{".dot-format", "FILE AT THE TOP=1"},
	/* a slash at the end: a star crosses directories */
	{"drivers/a/foo/x.c", "DRIVERS ANY=3"},
	{"drivers/a/b/foo/x.c", "DRIVERS ANY=3"},
	{"drivers/foo/x.c", ""},
	{"drivers/a/foo.c", "DRIVERS ANY=3"},
	{"drivers/a/b/foo.c", ""},
	{"drivers/cat/x.c", "DRIVERS ANY=3"},
	{"drivers/at/x.c", ""},
	{"drivers/net/bard.c", "DRIVERS ANY=3"},
	{"drivers/net/dard.c", ""},
	{"lib/include/x", "HEADERS OF ALL=-1"},
	{"include/x", ""},
	/* N: anywhere, without depth, and F before it counts no more */
	{"sound/abeta", ""},
	{"sound/x-beta", "BOARDS OF BETA=0"},
	{"arch/beta/x.c", "BOARDS OF BETA=0"},
	{"beta/x.c", ""},
	{"drivers/net/x-beta.c", ""},
	{"drivers/gpu/beta x", "BOARDS OF BETA=0"},
	{"lib/none.c", "NO STATUS=2"},
	{"", ""},
	{"/", ""},
	{"//", ""},
	{"fs//alpha/", ""},
	{"anything", ""},
};

START_TEST(a_path)
{
	g_autoptr(maintainers) m = sample();
	g_autoptr(GArray) found = maintainers_of_path(m, paths[_i].path);
	g_autofree char *text = as_text(found);

	ck_assert_str_eq(text, paths[_i].sections);
}
END_TEST

static const struct {
	const char *files; /* by blanks */
	const char *message, *diff;
	const char *sections;
} changes[] = {
	{"fs/alpha/a.c fs/alpha/verity/b.c fs/alpha/c.h", NULL, NULL,
	 "ALPHA VERITY=3!*2 ALPHA FILE SYSTEM=2!*2"},
	{"fs/alpha/a.c fs/alpha/b.c fs/alpha/c.h", NULL, NULL,
	 "ALPHA FILE SYSTEM=2!*3 ALPHA VERITY=3!"},
	{"", "title\n\nCall beta_on of it\n", NULL, "BOARDS OF BETA=-1~*0"},
	{"arch/beta/x", "beta_off", NULL, "BOARDS OF BETA=0~"},
	{"fs/alpha/a.c", "beta_off", NULL,
	 "ALPHA FILE SYSTEM=2! BOARDS OF BETA=-1~*0"},
	{"", "beta_onward", NULL, ""},
	{"", "GAMMA:word", NULL, "GAMMA TRACES=-1~*0"},
	{"", "a\n GAMMA:word", NULL, "GAMMA TRACES=-1~*0"},
	{"", "GAMMA: word", NULL, ""}, /* blanks do not count */
	{"", "a GAMMA:word", NULL, ""},
	{"", NULL, "+\tbeta_on(x);\n", "BOARDS OF BETA=-1~*0"},
	{"", NULL, "-\tbeta_on(x);\n", "BOARDS OF BETA=-1~*0"},
	{"", NULL, " \tbeta_on(x);\n", ""},
	{"", NULL, "--- a/beta_on\n+++ b/beta_on\n@@ -1 +1 @@ beta_on\n", ""},
	{"", NULL, NULL, ""},
};

START_TEST(a_change)
{
	g_autoptr(maintainers) m = sample();
	g_auto(GStrv) names = g_strsplit(changes[_i].files, " ", -1);
	g_autoptr(GPtrArray) files = g_ptr_array_new();
	g_autoptr(GArray) found = NULL;
	g_autofree char *text = NULL;

	for (guint i = 0; names[i]; i++)
		g_ptr_array_add(files, names[i]);
	found = maintainers_of_change(m, files, changes[_i].message,
				      changes[_i].diff);
	text = as_text(found);
	ck_assert_str_eq(text, changes[_i].sections);
}
END_TEST

static char *people(const GPtrArray *all)
{
	GString *s = g_string_new(NULL);

	for (guint i = 0; i < all->len; i++) {
		const struct maintainers_person *p = all->pdata[i];

		g_string_append_printf(s, "%s%s|%s|%s", i ? ", " : "", p->name,
				       p->address, p->role);
	}
	return g_string_free(s, FALSE);
}

static const struct {
	const char *title, *m, *r, *l;
} sections[] = {
	{"ALPHA FILE SYSTEM",
	 "Ann Alpha|ann@example.org|maintainer, "
	 "Bo (the second) Alpha|bo@example.org|maintainer",
	 "Rae Reader|rae@example.org|reviewer",
	 "|linux-alpha@lists.example.org|open list, "
	 "|alpha-private@lists.example.org|moderated list, "
	 "|alpha-devs@lists.example.org|subscriber list"},
	{"ALPHA VERITY", "Vera Verity|vera@example.org|supporter", "", ""},
	{"BOARDS OF BETA", "Bea Beta|bea@example.org|odd fixer", "", ""},
	{"DRIVERS ANY", "Dan Driver|dan@example.org|orphan minder", "", ""},
	{"FILE AT THE TOP", "", "", ""},
	{"GAMMA TRACES", "Gus Gamma|gus@example.org|chief penguin", "", ""},
	{"HEADERS OF ALL", "Hal Header|hal@example.org|obsolete minder", "",
	 ""},
	{"NO STATUS",
	 "Nina|nina@example.org|unknown, Otto|otto@example.org|unknown", "",
	 ""},
};

START_TEST(who_and_where)
{
	g_autoptr(maintainers) m = sample();
	const struct maintainers_section *s =
		maintainers_find(m, sections[_i].title);
	g_autofree char *of_m = NULL, *of_r = NULL, *of_l = NULL;

	ck_assert_ptr_nonnull(s);
	of_m = people(s->m);
	of_r = people(s->r);
	of_l = people(s->l);
	ck_assert_str_eq(of_m, sections[_i].m);
	ck_assert_str_eq(of_r, sections[_i].r);
	ck_assert_str_eq(of_l, sections[_i].l);
}
END_TEST

START_TEST(the_rest_of_a_section)
{
	g_autoptr(maintainers) m = sample();
	const struct maintainers_section *s =
		maintainers_find(m, "alpha file system");

	ck_assert_ptr_eq(s, maintainers_section(m, 0));
	ck_assert_ptr_eq(s, maintainers_find(m, "alpha-file-system"));
	ck_assert_str_eq(s->slug, "alpha-file-system");
	ck_assert_str_eq(s->status, "Maintained");
	ck_assert_str_eq(s->t->pdata[0],
			 "git git://git.example.org/alpha.git for-next");
	ck_assert_str_eq(s->w->pdata[0], "https://alpha.example.org/");
	ck_assert_uint_eq(s->line, 8);
	ck_assert(!s->hidden);
	ck_assert(maintainers_find(m, "THE REST")->hidden);
	ck_assert(maintainers_find(m, "WHOLE TREE")->hidden);
	ck_assert_ptr_null(maintainers_find(m, "nothing"));
	ck_assert_ptr_null(maintainers_find(m, ""));
}
END_TEST

START_TEST(what_cannot_be_used_is_told)
{
	g_autoptr(maintainers) m = sample();
	GPtrArray *problems = maintainers_problems(m);

	ck_assert_uint_eq(problems->len, 1);
	ck_assert_str_eq(problems->pdata[0],
			 "line 68: N: missing terminating )");
}
END_TEST

/* ---- directories without a slash */

static gboolean is_dir(const char *path, void *data)
{
	return !strcmp(path, "fs/alpha") || !strcmp(path, "fs/al.pha");
}

START_TEST(a_directory_without_its_slash)
{
	static const char text[] = "A\nS: Maintained\nM: A <a@example.org>\n"
				   "F: fs/alpha\nB\nF: fs/al.pha\n";
	g_autoptr(maintainers) m =
		maintainers_parse(text, strlen(text), is_dir, NULL, NULL);
	g_autoptr(GArray) in = maintainers_of_path(m, "fs/alpha/x.c");
	g_autoptr(GArray) beside = maintainers_of_path(m, "fs/alphabet.c");
	g_autoptr(GArray) dotted = maintainers_of_path(m, "fs/al.pha/x.c");
	g_autofree char *text_in = as_text(in);

	ck_assert_str_eq(text_in, "A=2!");
	ck_assert_uint_eq(beside->len, 0);
	ck_assert_uint_eq(dotted->len, 0);
}
END_TEST

START_TEST(a_title_is_a_hint)
{
	static const char text[] = "ALPHA FILE SYSTEM\nF: fs/alpha/\n"
				   "BETA NETWORK DRIVER\nF: net/beta/\n"
				   "BETA SOUND DRIVER\nF: sound/beta/\n"
				   "THE REST\nF: *\nF: */\n";
	static const struct {
		const char *title, *section;
	} cases[] = {
		{"alpha: be fast", "ALPHA FILE SYSTEM"},
		{"Alpha: be fast: now", "ALPHA FILE SYSTEM"},
		{"beta: be loud", NULL},
		{"sound/beta: be loud", "BETA SOUND DRIVER"},
		{"beta, network: x", "BETA NETWORK DRIVER"},
		{"alpha beta: x", NULL},
		{"rest: x", NULL},
		{"gamma: x", NULL},
		{"alpha is slow", NULL},
		{": x", NULL},
		{"", NULL},
	};
	g_autoptr(maintainers) m = parse(text);

	for (gsize n = 0; n < G_N_ELEMENTS(cases); n++) {
		const struct maintainers_section *s =
			maintainers_hint(m, cases[n].title);

		ck_assert_msg(!g_strcmp0(s ? s->title : NULL, cases[n].section),
			      "%s: %s", cases[n].title, s ? s->title : "none");
	}
}
END_TEST

/* ---- slugs */

START_TEST(slugs_are_names_of_files)
{
	g_autoptr(GString) text = g_string_new(NULL);
	g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);
	g_autoptr(maintainers) m = NULL;

	g_string_append(text, "A/B (C)\nS: x\na b c\nS: x\nA.B.\nS: x\n"
			      "---\nS: x\n\xc3\xa4\nS: x\nA/B (C)\nS: x\n");
	for (guint i = 0; i < 200; i++)
		g_string_append_c(text, 'Q');
	g_string_append(text, "\nS: x\n");
	m = parse(text->str);
	ck_assert_uint_eq(maintainers_count(m), 7);
	for (guint i = 0; i < maintainers_count(m); i++) {
		const char *slug = maintainers_section(m, i)->slug;

		ck_assert_msg(!slug[strspn(slug, "abcdefghijklmnopqrstuvwxyz"
						 "0123456789.-")],
			      "%s", slug);
		ck_assert_uint_ge(strlen(slug), 1);
		ck_assert_uint_le(strlen(slug), 64);
		ck_assert(*slug != '.' && !g_str_has_suffix(slug, "."));
		ck_assert(g_hash_table_add(seen, (gpointer)slug));
	}
	ck_assert_str_eq(maintainers_section(m, 0)->slug, "a-b-c");
	ck_assert_str_eq(maintainers_section(m, 2)->slug, "a.b");
}
END_TEST

/* ---- hostile files */

START_TEST(bounds)
{
	g_autoptr(GString) text = g_string_new(NULL);
	g_autoptr(GError) err = NULL;

	for (guint i = 0; i <= MAINTAINERS_MAX_SECTIONS; i++)
		g_string_append(text, "A\nS: x\n");
	ck_assert_ptr_null(
		maintainers_parse(text->str, text->len, NULL, NULL, &err));
	ck_assert(g_error_matches(err, MAIL_ERROR, MAIL_ERROR_LIMIT));
}
END_TEST

/* An expression that would try for ever gives up. */
START_TEST(an_endless_expression)
{
	g_autoptr(maintainers) m = parse("A\nN: (x+x+)+y\nK: (x+x+)+y\n"
					 "B\nF: f*x*x*x*x*x*x*x*x*x*x*y\n");
	g_autofree char *xs = g_strnfill(4000, 'x');
	g_autofree char *path = g_strconcat("f", xs, NULL);
	g_autofree char *diff = g_strconcat("+", xs, NULL);
	g_autoptr(GArray) found = maintainers_of_path(m, path);
	g_autoptr(GArray) change = maintainers_of_change(m, NULL, xs, diff);

	ck_assert_uint_eq(found->len, 0);
	ck_assert_uint_eq(change->len, 0);
}
END_TEST

START_TEST(odd_files)
{
	static const char *const texts[] = {
		"",
		"\n\n",
		"F: x\n",
		"A",
		"A\n",
		"A\nF:",
		"A\nF:\nX:\nN:\nK:\nM:\nL:\nR:\nS:\nT:\nW:\nP:",
		"A\nM: <<<>>>\nM: @\nM: <>\nM: a@b, c@d\nL: \t x\n",
		"A\r\nF:\tx/\r\n",
		"A\nF: \xff\xfe/\nM: \xff <\xff@x>\nS: \xff\nT: \xff\n",
		"A\nF: [\nX: (\nF: a{99999}\nF: +\nF: \\\n",
	};
	for (guint i = 0; i < G_N_ELEMENTS(texts); i++) {
		g_autoptr(maintainers) m = parse(texts[i]);
		g_autoptr(GArray) found = maintainers_of_path(m, "x/y");

		ck_assert_uint_eq(found->len, i == 8);
	}
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("maintainers");
	TCase *c = tcase_create("maintainers");

	tcase_add_loop_test(c, a_path, 0, G_N_ELEMENTS(paths));
	tcase_add_loop_test(c, a_change, 0, G_N_ELEMENTS(changes));
	tcase_add_loop_test(c, who_and_where, 0, G_N_ELEMENTS(sections));
	tcase_add_test(c, the_rest_of_a_section);
	tcase_add_test(c, what_cannot_be_used_is_told);
	tcase_add_test(c, a_directory_without_its_slash);
	tcase_add_test(c, a_title_is_a_hint);
	tcase_add_test(c, slugs_are_names_of_files);
	tcase_add_test(c, bounds);
	tcase_add_test(c, an_endless_expression);
	tcase_add_test(c, odd_files);
	suite_add_tcase(s, c);
	return s;
}

TEST_MAIN(suite)
