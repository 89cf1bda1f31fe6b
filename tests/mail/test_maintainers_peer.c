/* test_maintainers_peer.c - the same sections as by trying every pattern
 * Invented files of sections and paths, which a short script in Perl answers
 * by the rules alone. */
#include <gio/gio.h>
#include <glib/gstdio.h>
#include <string.h>

#include "mail/maintainers.h"

#include "tests/test.h"

#define FILES	 12
#define SECTIONS 40
#define PATHS	 400

static const char *const words[] = {
	"fs", "net", "a", "ab", "abc", "x.c", "x.h", "drivers", "lib", "foo",
};
static const char *const marks[] = {"*",     "?",   "a*",  "*c",  "f*o",
				    "[a-c]", "x.?", "*.h", "ab+", "(foo|lib)"};
static const char *const names[] = {
	"a b",	    "[^a-z]foo", "\\bx\\.c$", "^fs/", "ab|net", "(?:foo|ab)c",
	"x\\.[ch]", "\\w+ers",	 "f o o",     "a{2}", "li?b",	"(a|b)c",
};

static const char *pick(GRand *r, const char *const *from, guint n)
{
	return from[g_rand_int_range(r, 0, (gint32)n)];
}

/* A path, or a pattern of one. */
static char *make_path(GRand *r, gboolean pattern)
{
	GString *s = g_string_new(NULL);
	guint parts = (guint)g_rand_int_range(r, 1, 5);

	for (guint i = 0; i < parts; i++) {
		gboolean special = pattern && g_rand_int_range(r, 0, 3) == 0;

		g_string_append(s, i ? "/" : "");
		g_string_append(s,
				special ? pick(r, marks, G_N_ELEMENTS(marks))
					: pick(r, words, G_N_ELEMENTS(words)));
	}
	if (pattern && g_rand_boolean(r))
		g_string_append_c(s, '/');
	return g_string_free(s, FALSE);
}

static void add_section(GRand *r, GString *s, guint n)
{
	static const char *const status[] = {"Maintained", "Supported",
					     "Orphan", "Odd Fixes"};
	guint lines = (guint)g_rand_int_range(r, 1, 7);

	g_string_append_printf(s, "\nSECTION%u\n", n);
	if (g_rand_boolean(r))
		g_string_append(s, "M:\tA <a@example.org>\n");
	g_string_append_printf(s, "S:\t%s\n",
			       pick(r, status, G_N_ELEMENTS(status)));
	for (guint i = 0; i < lines; i++) {
		guint kind = (guint)g_rand_int_range(r, 0, 10);
		g_autofree char *path = make_path(r, TRUE);

		if (kind == 0)
			g_string_append_printf(s, "N:\t%s\n",
					       pick(r, names,
						    G_N_ELEMENTS(names)));
		else
			g_string_append_printf(s, "%c:\t%s\n",
					       kind == 1 ? 'X' : 'F', path);
	}
}

static char *make_file(GRand *r)
{
	GString *s = g_string_new("a heading\n");

	for (guint i = 0; i < SECTIONS; i++)
		add_section(r, s, i);
	g_string_append(s, "\nTHE REST\nS:\tMaintained\nF:\t*\nF:\t*/\n");
	return g_string_free(s, FALSE);
}

static char *ask_perl(const char *file, const char *paths)
{
	g_autofree char *script =
		g_build_filename(test_data(), "maintainers", "peer.pl", NULL);
	g_autofree char *dir = g_dir_make_tmp("maintainers-XXXXXX", NULL);
	g_autofree char *a = g_build_filename(dir, "file", NULL);
	g_autofree char *b = g_build_filename(dir, "paths", NULL);
	g_autoptr(GSubprocess) child = NULL;
	char *out = NULL;

	ck_assert(g_file_set_contents(a, file, -1, NULL));
	ck_assert(g_file_set_contents(b, paths, -1, NULL));
	child = g_subprocess_new(G_SUBPROCESS_FLAGS_STDOUT_PIPE, NULL, "perl",
				 script, a, b, NULL);
	ck_assert_ptr_nonnull(child);
	ck_assert(g_subprocess_communicate_utf8(child, NULL, NULL, &out, NULL,
						NULL));
	ck_assert(g_subprocess_get_successful(child));
	g_unlink(a);
	g_unlink(b);
	g_rmdir(dir);
	return out;
}

static void answer(const maintainers *m, const char *path, GString *s)
{
	g_autoptr(GArray) found = maintainers_of_path(m, path);

	for (guint i = 0; i < found->len; i++) {
		const struct maintainers_match *one =
			&g_array_index(found, struct maintainers_match, i);

		g_string_append_printf(s, "%s%s=%d%s", i ? " " : "",
				       one->section->title, one->depth,
				       one->exact ? "!" : "");
	}
	g_string_append_c(s, '\n');
}

START_TEST(as_the_rules_say)
{
	g_autofree char *perl = g_find_program_in_path("perl");
	g_autoptr(GRand) r = g_rand_new_with_seed(1000 + (guint32)_i);
	g_autofree char *file = make_file(r);
	g_autoptr(maintainers) m =
		maintainers_parse(file, strlen(file), NULL, NULL, NULL);
	g_autoptr(GString) paths = g_string_new(NULL);
	g_autoptr(GString) got = g_string_new(NULL);
	g_autofree char *expected = NULL;
	g_auto(GStrv) a = NULL;
	g_auto(GStrv) b = NULL;
	g_auto(GStrv) of = NULL;

	if (!perl) {
		g_printerr("test_maintainers_peer: no perl: skipped\n");
		return;
	}
	for (guint i = 0; i < PATHS; i++) {
		g_autofree char *path = make_path(r, FALSE);

		g_string_append_printf(paths, "%s\n", path);
		answer(m, path, got);
	}
	expected = ask_perl(file, paths->str);
	a = g_strsplit(got->str, "\n", -1);
	b = g_strsplit(expected, "\n", -1);
	of = g_strsplit(paths->str, "\n", -1);
	ck_assert_uint_eq(g_strv_length(a), g_strv_length(b));
	ck_assert_uint_gt(got->len, 2 * PATHS);
	for (guint i = 0; a[i]; i++)
		ck_assert_msg(!strcmp(a[i], b[i]), "%s: %s, not %s", of[i],
			      a[i], b[i]);
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("maintainers_peer");
	TCase *c = tcase_create("maintainers_peer");

	tcase_add_loop_test(c, as_the_rules_say, 0, FILES);
	suite_add_tcase(s, c);
	return s;
}

TEST_MAIN(suite)
