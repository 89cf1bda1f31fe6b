/* test_config.c - settings files: what is read, what is refused and how */
#include <string.h>

#include "mail/suggest.h"

#include "bot/config.h"
#include "bot/duration.h"

#include "tests/folder.h"

static char *write_file(const char *name, const char *text)
{
	char *path = in_dir(name);

	g_assert(g_file_set_contents(path, text, -1, NULL));
	return path;
}

static const struct {
	const char *text;
	const char *group, *name, *key;
	const char *value; /* "@" begins with the folder; NULL = unset */
} right[] = {
	{"", "bot", NULL, "name", "culprit"},
	{"", "bot", NULL, "address", NULL},
	{"[bot]\nname=A B\n", "bot", NULL, "name", "A B"},
	{"[bot]\n  name =  A B  \n", "bot", NULL, "name", "A B"},
	{"[bot]\r\nname=A B\r\n", "bot", NULL, "name", "A B"},
	{"\xef\xbb\xbf[bot]\nname=A\n", "bot", NULL, "name", "A"},
	{"# one\n\n[bot]\n# two\nname=A", "bot", NULL, "name", "A"},
	{"[bot]\nname=\n", "bot", NULL, "name", "culprit"},
	{"[bot]\nname=a#b\n", "bot", NULL, "name", "a#b"},
	{"[bot]\nname=a\\\\b\n", "bot", NULL, "name", "a\\b"},
	{"[bot]\nname=J\xc3\xbcrgen\n", "bot", NULL, "name", "J\xc3\xbcrgen"},
	{"[store]\npath=x.db\n", "store", NULL, "path", "@/x.db"},
	{"[store]\npath=./a/../x.db\n", "store", NULL, "path", "@/x.db"},
	{"[store]\npath=/x.db\n", "store", NULL, "path", "/x.db"},
	{"[send]\nhold=2h\n", "send", NULL, "hold", "2h"},
	{"[send]\nmode=auto\n", "send", NULL, "mode", "auto"},
	{"[list a]\naddress=a@example.org\n", "list", "a", "address",
	 "a@example.org"},
	{"[list  a b ]\nnewsgroup=x\n", "list", "a b", "newsgroup", "x"},
	{"[list a]\nmax_per_day=3\n", "list", "a", "max-per-day", "3"},
	{"[list a]\n", "list", "a", "max-per-day", "5"},
	{"[tree t]\norder=-1\n", "tree", "t", "order", "-1"},
	{"[track]\nwhat=boot human\n", "track", NULL, "what", "boot human"},
};

START_TEST(config_reads)
{
	g_autoptr(GError) err = NULL;
	g_autofree char *path = write_file("c.conf", right[_i].text);
	g_autoptr(config) c = config_load(path, &err);
	const char *got, *want = right[_i].value;
	g_autofree char *expected = NULL;

	ck_assert_msg(c != NULL, "%s", err ? err->message : "");
	got = config_get(c, right[_i].group, right[_i].name, right[_i].key);
	if (want && *want == '@')
		expected = g_strconcat(dir, want + 1, NULL);
	else
		expected = g_strdup(want);
	ck_assert_pstr_eq(got, expected);
}
END_TEST

static const struct {
	const char *text;
	guint line;
	const char *says; /* part of the text */
} wrong[] = {
	{"name=x\n", 1, "before the first group"},
	{"[bto]\n", 1, "did you mean bot?"},
	{"[frobnicate]\n", 1, "no group of settings; there are store"},
	{"[bot]\n\nnmae=x\n", 3, "did you mean name?"},
	{"[bot]\nfrobnicate=x\n", 2, "no setting of [bot]; there are name"},
	{"[send]\npassword=x\n", 2, "password-command"},
	{"[bot]\nname\n", 2, "KEY=VALUE"},
	{"[bot]\n=x\n", 2, "KEY=VALUE"},
	{"[bot]\n; old style\n", 2, "a comment begins with #"},
	{"[bot\nname=x\n", 1, "must look like [store]"},
	{"[bot] x\n", 1, "must look like [store]"},
	{"[list]\n", 1, "write [list NAME]"},
	{"[store x]\n", 1, "write [store]"},
	{"[bot]\nname=a\nname=b\n", 3, "again after line 2"},
	{"[list a]\nmax-per-day=1\nmax_per_day=2\n", 3, "again after line 2"},
	{"[bot]\n[store]\n[bot]\n", 3, "again after line 1"},
	{"[list a]\n[list  a]\n", 2, "again after line 1"},
	{"[send]\nmode=always\n", 2, "one of dry-run, approve, auto"},
	{"[send]\nhold=10m\n", 2, "a span of time like"},
	{"[tree t]\norder=first\n", 2, "a whole number"},
	{"[tree t]\norder=3000000000\n", 2, "a whole number"},
	{"[track]\nwhat=boot foo\n", 2, "one of performance"},
	{"[bot]\nname=\xff\n", 2, "not UTF-8"},
	{"[bot]\nname=a\x1b[0m\n", 2, "a control character"},
	{"[list a\x01]\n", 1, "a control character"},
	{"[bot]\nname=a\\qb\n", 2, "a backslash"},
};

START_TEST(config_refuses)
{
	g_autoptr(GError) err = NULL;
	g_autofree char *path = write_file("c.conf", wrong[_i].text);
	g_autoptr(config) c = config_load(path, &err);
	g_autofree char *where =
		g_strdup_printf("%s:%u: ", path, wrong[_i].line);

	ck_assert_ptr_null(c);
	ck_assert(g_error_matches(err, CONFIG_ERROR, CONFIG_ERROR_SYNTAX));
	ck_assert_msg(g_str_has_prefix(err->message, where), "%s",
		      err->message);
	ck_assert_msg(strstr(err->message, wrong[_i].says) != NULL, "%s",
		      err->message);
	ck_assert_ptr_null(strchr(err->message, '\n'));
}
END_TEST

START_TEST(config_refuses_nul)
{
	static const char text[] = "[bot]\nname=a\0b\n";
	g_autofree char *path = in_dir("c.conf");
	g_autoptr(GError) err = NULL;

	g_assert(g_file_set_contents(path, text, sizeof(text) - 1, NULL));
	ck_assert_ptr_null(config_load(path, &err));
	ck_assert_ptr_nonnull(strstr(err->message, ":2: not UTF-8"));
}
END_TEST

START_TEST(config_missing_file)
{
	g_autofree char *path = in_dir("none.conf");
	g_autoptr(GError) err = NULL;

	ck_assert_ptr_null(config_load(path, &err));
	ck_assert(g_error_matches(err, CONFIG_ERROR, CONFIG_ERROR_READ));
	ck_assert(g_str_has_prefix(err->message, path));
	ck_assert(g_str_has_suffix(err->message,
				   "none.conf: No such file or directory"));
}
END_TEST

/* $CULPRIT_CONFIG first, then the user's folder, then built-in defaults. */
START_TEST(config_search)
{
	g_autofree char *own = write_file("env.conf", "[bot]\nname=env\n");
	g_autofree char *nested = in_dir("culprit");
	g_autofree char *user = NULL;
	config *c;

	g_setenv("XDG_CONFIG_HOME", dir, TRUE);
	g_unsetenv("CULPRIT_CONFIG");
	c = config_load(NULL, NULL);
	ck_assert_ptr_null(config_file(c));
	config_free(c);

	g_mkdir_with_parents(nested, 0700);
	user = write_file("culprit/culprit.conf", "[bot]\nname=user\n");
	c = config_load(NULL, NULL);
	ck_assert_str_eq(config_file(c), user);
	ck_assert_str_eq(config_get(c, "bot", NULL, "name"), "user");
	config_free(c);

	g_setenv("CULPRIT_CONFIG", own, TRUE);
	c = config_load(NULL, NULL);
	ck_assert_str_eq(config_file(c), own);
	ck_assert_str_eq(config_get(c, "bot", NULL, "name"), "env");
	config_free(c);
}
END_TEST

START_TEST(config_lists_and_numbers)
{
	g_autofree char *path =
		write_file("c.conf", "[bot]\nalso= a@example.org \t "
				     "b@example.org\n[send]\nhold=2min\n"
				     "[list one]\n[tree t]\norder=7\n"
				     "[list two]\nmaintainers=\n");
	g_autoptr(config) c = config_load(path, NULL);
	g_auto(GStrv) also = config_get_list(c, "bot", NULL, "also");
	g_auto(GStrv) none = config_get_list(c, "list", "two", "maintainers");
	g_auto(GStrv) lists = config_names(c, "list");
	g_auto(GStrv) sources = config_names(c, "source");

	ck_assert_uint_eq(g_strv_length(also), 2);
	ck_assert_str_eq(also[1], "b@example.org");
	ck_assert_uint_eq(g_strv_length(none), 0);
	ck_assert_uint_eq(g_strv_length(lists), 2);
	ck_assert_str_eq(lists[0], "one");
	ck_assert_str_eq(lists[1], "two");
	ck_assert_uint_eq(g_strv_length(sources), 0);
	ck_assert_int_eq(config_get_int(c, "send", NULL, "hold"), 120);
	ck_assert_int_eq(config_get_int(c, "tree", "t", "order"), 7);
	ck_assert_int_eq(config_get_int(c, "tree", "none", "order"), 0);
}
END_TEST

/* What is shown is a settings file that gives the same again. */
START_TEST(config_show_is_a_file)
{
	g_autofree char *path =
		write_file("c.conf",
			   "[bot]\nname= \\sA \\\\ B#;\n[list  l m]\n"
			   "address=a@example.org\n[store]\npath=~/x y\n"
			   "[track]\nwhat=human  boot\n[send]\n"
			   "password-command=pass show \"x\"\n");
	g_autoptr(config) first = config_load(path, NULL);
	g_autofree char *shown = config_show(first);
	g_autofree char *again = write_file("d.conf", shown);
	g_autoptr(GError) err = NULL;
	g_autoptr(config) second = config_load(again, &err);
	g_autofree char *twice = NULL;

	ck_assert_msg(second != NULL, "%s", err ? err->message : "");
	twice = config_show(second);
	ck_assert_str_eq(strchr(shown, '\n'), strchr(twice, '\n'));
	ck_assert_ptr_nonnull(strstr(shown, "[list l m]"));
	ck_assert_ptr_nonnull(strstr(shown, "pass show \"x\""));
}
END_TEST

/* The table itself: presets are values of their own type, and each key stands
 * once, with its group in one place. */
START_TEST(config_table)
{
	g_autoptr(GHashTable) seen =
		g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	g_autoptr(GString) text = g_string_new(NULL);
	g_autofree char *path = NULL;
	g_autoptr(config) c = NULL;
	g_autoptr(GError) err = NULL;
	const char *group = "";

	for (const struct config_key *k = config_keys; k->group; k++) {
		gboolean named = strstr("list source tree", k->group) != NULL;

		ck_assert_msg(g_hash_table_add(seen, g_strconcat(k->group, ".",
								 k->key, NULL)),
			      "%s.%s twice", k->group, k->key);
		ck_assert(k->help && *k->help);
		ck_assert(k->help[strlen(k->help) - 1] != '.');
		ck_assert(k->type != CONFIG_ENUM || k->choices);
		if (!g_str_equal(group, k->group))
			g_string_append_printf(text,
					       named ? "[%s x]\n" : "[%s]\n",
					       k->group);
		group = k->group;
		if (k->preset)
			g_string_append_printf(text, "%s=%s\n", k->key,
					       k->preset);
	}
	path = write_file("c.conf", text->str);
	c = config_load(path, &err);
	ck_assert_msg(c != NULL, "%s", err ? err->message : "");
}
END_TEST

static const struct {
	const char *text;
	gint64 seconds; /* -1: none */
} spans[] = {
	{"0s", 0},	     {"90s", 90},    {"10min", 600},
	{"36h", 129600},     {"7d", 604800}, {"2w", 1209600},
	{"1y", 31536000},    {"", -1},	     {"10", -1},
	{"min", -1},	     {"-1d", -1},    {"+1d", -1},
	{"1m", -1},	     {"1 d", -1},    {"1d ", -1},
	{"1.5h", -1},	     {"101y", -1},   {"99999999999999999999s", -1},
	{"5270400000w", -1},
};

START_TEST(duration_forms)
{
	gint64 seconds = -1;

	ck_assert_int_eq(duration_parse(spans[_i].text, &seconds),
			 spans[_i].seconds >= 0);
	ck_assert_int_eq(seconds, spans[_i].seconds);
}
END_TEST

static const struct {
	const char *word, *near;
} words[] = {
	{"thread", "thread"},
	{"thred", "thread"},
	{"serach", "search"},
	{"shwo", "show"},
	{"xyzzy", NULL},
	{"", NULL},
	{"threads", "thread"},
	{"an-option-that-is-far-too-long-for-anybody", NULL},
};

START_TEST(suggest_words)
{
	static const char *const known[] = {"thread", "search", "show",
					    "status", NULL};

	ck_assert_pstr_eq(suggest_nearest(words[_i].word, known),
			  words[_i].near);
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("config");
	TCase *t = tcase_create("config");

	tcase_add_checked_fixture(t, make_dir, remove_dir);
	tcase_add_loop_test(t, config_reads, 0, G_N_ELEMENTS(right));
	tcase_add_loop_test(t, config_refuses, 0, G_N_ELEMENTS(wrong));
	tcase_add_test(t, config_refuses_nul);
	tcase_add_test(t, config_missing_file);
	tcase_add_test(t, config_search);
	tcase_add_test(t, config_lists_and_numbers);
	tcase_add_test(t, config_show_is_a_file);
	tcase_add_test(t, config_table);
	tcase_add_loop_test(t, duration_forms, 0, G_N_ELEMENTS(spans));
	tcase_add_loop_test(t, suggest_words, 0, G_N_ELEMENTS(words));
	suite_add_tcase(s, t);
	return s;
}

TEST_MAIN(suite)
