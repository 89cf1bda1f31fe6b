/* test_mailmap.c - .mailmap as git reads it, and as git itself says */
#include <gio/gio.h>
#include <string.h>

#include "mail/mailmap.h"

#include "tests/folder.h"

static const char map[] =
	"# people of an invented project\n"
	"Jane Doe <jane@example.org>\n"
	"<joe@example.org> <joe@OLD.example.org>\n"
	"Joe Roe <joe@example.org> <roe@example.org>\n"
	"Max Moe <max@example.org> mm <shared@example.org>\n"
	"Nia Noe <nia@example.org> N Noe <shared@example.org>\n"
	"Shared Box <shared@example.org>\n"
	"  Blank Before   <blank@example.org>   \n"
	" # no comment <hash@example.org>\n"
	"First Name <twice@example.org>\n"
	"Second Name <twice@example.org>\n"
	"<moved@example.org> <twice@example.org>\n"
	"Only Name <a@example.org> <b@example.org> <c@example.org>\n"
	"No Address\n"
	"Half <open\n"
	"Empty <>\n"
	"To Nobody <nobody@example.org> <>\n"
	"<plain@example.org>\n"
	"Tail <tail@example.org> # a comment\n"
	"Windows User <win@example.org> <win@old.example.org>\r\n"
	"Z\xc3\xbc \xc3\x84 <zue@example.org> \xc3\x84 <umlaut@example.org>\n"
	"Last Line <last@example.org> <end@example.org>";

static const struct {
	const char *name, *address;
	const char *proper; /* NULL: stays */
} people[] = {
	{"jane", "jane@example.org", "Jane Doe <jane@example.org>"},
	{"jane", "JANE@Example.org", "Jane Doe <JANE@Example.org>"},
	{"Joe", "joe@old.example.org", "Joe <joe@example.org>"},
	{"Joe", "roe@example.org", "Joe Roe <joe@example.org>"},
	{"mm", "shared@example.org", "Max Moe <max@example.org>"},
	{"MM", "shared@example.org", "Max Moe <max@example.org>"},
	{"n noe", "Shared@example.org", "Nia Noe <nia@example.org>"},
	{"other", "shared@example.org", "Shared Box <shared@example.org>"},
	{"mm ", "shared@example.org", "Shared Box <shared@example.org>"},
	{"x", "blank@example.org", "Blank Before <blank@example.org>"},
	{"x", "hash@example.org", "# no comment <hash@example.org>"},
	{"x", "twice@example.org", "Second Name <moved@example.org>"},
	{"x", "b@example.org", "Only Name <a@example.org>"},
	{"x", "a@example.org", NULL},
	{"x", "c@example.org", NULL},
	{"x", "plain@example.org", NULL},
	{"x", "tail@example.org", "Tail <tail@example.org>"},
	{"x", "win@old.example.org", "Windows User <win@example.org>"},
	{"\xc3\x84", "umlaut@example.org",
	 "Z\xc3\xbc \xc3\x84 <zue@example.org>"},
	{"\xc3\xa4", "umlaut@example.org", NULL},
	{"x", "end@example.org", "Last Line <last@example.org>"},
	{"x", "nobody@example.org", NULL},
	{"x", "unknown@example.org", NULL},
};

START_TEST(a_person)
{
	g_autoptr(mailmap) m = mailmap_parse(map, strlen(map));
	const char *name = people[_i].name, *address = people[_i].address;
	gboolean known = mailmap_apply(m, &name, &address);
	g_autofree char *got = g_strdup_printf("%s <%s>", name, address);
	g_autofree char *same =
		g_strdup_printf("%s <%s>", people[_i].name, people[_i].address);

	ck_assert_int_eq(known, people[_i].proper != NULL);
	ck_assert_str_eq(got, people[_i].proper ? people[_i].proper : same);
}
END_TEST

START_TEST(no_map)
{
	const char *name = "Jane", *address = "jane@example.org";
	g_autoptr(mailmap) empty = mailmap_parse("", 0);

	ck_assert(!mailmap_apply(NULL, &name, &address));
	ck_assert(!mailmap_apply(empty, &name, &address));
	ck_assert_str_eq(name, "Jane");
	ck_assert_uint_eq(mailmap_count(empty), 0);
}
END_TEST

/* ---- git's own answers */

static const char *const names[] = {"a", "B", "a b", "A B", "", "\xc3\xa4"};
static const char *const hosts[] = {"x", "X", "y", ""};

static const char *pick(GRand *r, const char *const *from, guint n)
{
	return from[g_rand_int_range(r, 0, (gint32)n)];
}

static void add_person(GRand *r, GString *s)
{
	static const char *const blanks[] = {"", " ", "  ", "\t"};

	g_string_append(s, pick(r, blanks, 4));
	g_string_append(s, pick(r, names, G_N_ELEMENTS(names)));
	g_string_append(s, pick(r, blanks, 4));
	g_string_append_printf(s, "<%s@%s>",
			       pick(r, names, G_N_ELEMENTS(names)),
			       pick(r, hosts, G_N_ELEMENTS(hosts)));
	if (g_rand_int_range(r, 0, 20) == 0)
		g_string_append_c(s, "<>#"[g_rand_int_range(r, 0, 3)]);
}

static char *make_map(GRand *r)
{
	GString *s = g_string_new(NULL);

	for (guint i = 0; i < 12; i++) {
		add_person(r, s);
		if (g_rand_int_range(r, 0, 4))
			add_person(r, s);
		g_string_append_c(s, '\n');
	}
	return g_string_free(s, FALSE);
}

/* Needs a repository to stand in, though it asks nothing of it. */
static void make_repository(void)
{
	g_autoptr(GSubprocess) child = NULL;

	make_dir();
	child = g_subprocess_new(G_SUBPROCESS_FLAGS_NONE, NULL, "git", "init",
				 "-q", dir, NULL);
	ck_assert(child && g_subprocess_wait_check(child, NULL, NULL));
}

static char *ask_git(const char *file, const char *lines)
{
	g_autofree char *path = in_dir("map");
	g_autofree char *setting = g_strconcat("mailmap.file=", path, NULL);
	g_autoptr(GSubprocess) child = NULL;
	char *out = NULL;

	ck_assert(g_file_set_contents(path, file, -1, NULL));
	child = g_subprocess_new(G_SUBPROCESS_FLAGS_STDIN_PIPE |
					 G_SUBPROCESS_FLAGS_STDOUT_PIPE,
				 NULL, "git", "-C", dir, "-c", setting,
				 "check-mailmap", "--stdin", NULL);
	ck_assert_ptr_nonnull(child);
	ck_assert(g_subprocess_communicate_utf8(child, lines, NULL, &out, NULL,
						NULL));
	ck_assert(g_subprocess_get_successful(child));
	return out;
}

START_TEST(as_git_says)
{
	g_autoptr(GRand) r = g_rand_new_with_seed(2000 + (guint32)_i);
	g_autofree char *file = make_map(r);
	g_autoptr(mailmap) m = mailmap_parse(file, strlen(file));
	g_autoptr(GString) ask = g_string_new(NULL);
	g_autoptr(GString) got = g_string_new(NULL);
	g_autofree char *said = NULL;
	guint changed = 0;

	for (guint i = 0; i < 200; i++) {
		const char *name = pick(r, names, G_N_ELEMENTS(names));
		const char *local = pick(r, names, G_N_ELEMENTS(names));
		g_autofree char *address =
			g_strdup_printf("%s@%s", local,
					pick(r, hosts, G_N_ELEMENTS(hosts)));
		const char *proper = address;

		g_string_append_printf(ask, "%s%s<%s>\n", name,
				       *name ? " " : "", address);
		changed += mailmap_apply(m, &name, &proper);
		g_string_append_printf(got, "%s%s<%s>\n", name,
				       *name ? " " : "", proper);
	}
	said = ask_git(file, ask->str);
	ck_assert_str_eq(got->str, said);
	ck_assert_uint_gt(changed, 5);
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("mailmap");
	TCase *c = tcase_create("mailmap");

	tcase_add_loop_test(c, a_person, 0, G_N_ELEMENTS(people));
	tcase_add_test(c, no_map);
	suite_add_tcase(s, c);
	c = tcase_create("git");
	tcase_add_checked_fixture(c, make_repository, remove_dir);
	tcase_add_loop_test(c, as_git_says, 0, 20);
	suite_add_tcase(s, c);
	return s;
}

TEST_MAIN(suite)
