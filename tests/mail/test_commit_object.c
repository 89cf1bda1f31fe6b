/* test_commit_object.c - commit objects: heads, text, what they say of others */
#include <string.h>

#include "mail/commit_object.h"

#include "tests/test.h"

#define TREE  "tree 4b825dc642cb6eb9a060e54bf8d69288fbee4904\n"
#define ID_A  "1111111111111111111111111111111111111111"
#define ID_B  "2222222222222222222222222222222222222222"
#define WHO   "author Ann Other <ann@example.org> 1600000000 +0200\n"
#define TAKER "committer Max Taker <max@example.org> 1600000060 -0730\n"
#define HEAD  TREE "parent " ID_A "\n" WHO TAKER "\n"

static struct commit_object *parse(const char *raw)
{
	return commit_object_parse(raw, strlen(raw));
}

static struct commit_object *with_message(const char *message)
{
	g_autofree char *raw = g_strconcat(HEAD, message, NULL);
	struct commit_object *c = parse(raw);

	ck_assert_ptr_nonnull(c);
	return c;
}

static const char *const words[] = {"link",   "closes",	 "url",
				    "fixes",  "reverts", "backports",
				    "picked", "mentions"};

/* "fixes 1234567 (title); link <mid>": what a message says. */
static char *notes_of(const char *message)
{
	g_autoptr(commit_object_auto) c = with_message(message);
	GString *out = g_string_new(NULL);

	for (guint i = 0; i < c->notes->len; i++) {
		const struct commit_note *n = c->notes->pdata[i];

		g_string_append_printf(out, "%s%s", i ? "; " : "",
				       words[n->says]);
		if (n->id)
			g_string_append_printf(out, " %s", n->id);
		if (n->subject)
			g_string_append_printf(out, " (%s)", n->subject);
		if (n->mid)
			g_string_append_printf(out, " <%s>", n->mid);
		else if (n->url)
			g_string_append_printf(out, " %s", n->url);
	}
	return g_string_free(out, FALSE);
}

START_TEST(the_head)
{
	g_autoptr(commit_object_auto) c =
		parse(TREE "parent " ID_A "\nparent " ID_B "\n" WHO TAKER
			   "gpgsig -----BEGIN PGP SIGNATURE-----\n"
			   " parent " ID_A "\n author nobody\n\nfs: title\n");
	static const guint8 first[] = {0x11, 0x11}, second[] = {0x22, 0x22};

	ck_assert_ptr_nonnull(c);
	ck_assert_uint_eq(c->parents->len, 2 * COMMIT_OID_LEN);
	ck_assert_mem_eq(c->parents->data, first, 2);
	ck_assert_mem_eq(c->parents->data + COMMIT_OID_LEN, second, 2);
	ck_assert_str_eq(c->author->name, "Ann Other");
	ck_assert_str_eq(c->author->address, "ann@example.org");
	ck_assert_int_eq(c->author_date, 1600000000);
	ck_assert_int_eq(c->commit_date, 1600000060);
	ck_assert_str_eq(c->subject, "fs: title");
	ck_assert_ptr_null(c->trailers);
}
END_TEST

START_TEST(what_is_no_commit)
{
	static const char *const raws[] = {
		"",
		"tree",
		"object " ID_A "\ntype commit\n",
		TREE "parent 123\n" WHO TAKER "\nx",
		TREE "parent zz11111111111111111111111111111111111111\n" TAKER
		     "\nx",
		TREE "\nno committer",
	};

	for (guint i = 0; i < G_N_ELEMENTS(raws); i++) {
		g_autoptr(GByteArray) parents = g_byte_array_new();
		gint64 date;

		ck_assert_ptr_null(parse(raws[i]));
		ck_assert(!commit_object_parents(raws[i], strlen(raws[i]),
						 parents, &date));
	}
}
END_TEST

START_TEST(odd_people)
{
	static const struct {
		const char *line, *name, *address;
		gint64 date;
	} cases[] = {
		{"A <a@example.org> 5 +0000", "A", "a@example.org", 5},
		{"<a@example.org> 5 +0000", "", "a@example.org", 5},
		{"A B 5 +0000", "A B 5 +0000", "", 0},
		{"A <a@example.org>", "A", "a@example.org", 0},
		{"A <a@example.org> soon", "A", "a@example.org", 0},
		{"A <a@example.org> 99999999999999999999 +0", "A",
		 "a@example.org", 0},
		{"A > B <a@example.org> 7 +0000", "A > B", "a@example.org", 7},
	};

	for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autofree char *raw =
			g_strconcat(TREE "author ", cases[i].line,
				    "\n" TAKER "\nx\n", NULL);
		g_autoptr(commit_object_auto) c = parse(raw);

		ck_assert_ptr_nonnull(c);
		ck_assert_str_eq(c->author->name, cases[i].name);
		ck_assert_str_eq(c->author->address, cases[i].address);
		ck_assert_int_eq(c->author_date, cases[i].date);
	}
}
END_TEST

START_TEST(subjects)
{
	static const struct {
		const char *message, *subject;
	} cases[] = {
		{"one\n", "one"},
		{"one", "one"},
		{"", ""},
		{"\n\n one\n two \n\nbody", "one two"},
		{"one\r\n\r\nbody", "one body"},
		{"caf\xe9\n", "caf\xc3\xa9"},
		{"caf\xc3\xa9\n", "caf\xc3\xa9"},
	};

	for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autoptr(commit_object_auto) c =
			with_message(cases[i].message);

		ck_assert_str_eq(c->subject, cases[i].subject);
	}
}
END_TEST

START_TEST(encodings_are_undone)
{
	g_autoptr(commit_object_auto) c =
		parse(TREE "author J\xf6rg <j@example.org> 1 +0000\n" TAKER
			   "encoding ISO-8859-1\n\nm\xfcll\n");

	ck_assert_str_eq(c->author->name, "J\xc3\xb6rg");
	ck_assert_str_eq(c->subject, "m\xc3\xbcll");
}
END_TEST

START_TEST(what_is_very_long_is_cut)
{
	GString *raw = g_string_new(HEAD);
	g_autoptr(commit_object_auto) c = NULL;

	for (guint i = 0; i < 100000; i++)
		g_string_append(raw, "\xe2\x82\xac");
	c = commit_object_parse(raw->str, raw->len);
	ck_assert(g_utf8_validate(c->subject, -1, NULL));
	ck_assert_uint_le(strlen(c->subject), COMMIT_MAX_SUBJECT);
	ck_assert_uint_gt(strlen(c->subject), COMMIT_MAX_SUBJECT - 8);
	ck_assert_ptr_nonnull(strstr(c->subject, "\xe2\x82\xac"));
	g_string_free(raw, TRUE);
}
END_TEST

START_TEST(trailers_of_the_last_paragraph)
{
	g_autoptr(commit_object_auto) c = with_message(
		"fs: x\n\nText.\n\nFixes: 123456789abc (\"fs: y\")\n"
		"Cc: stable@vger.kernel.org # 5.10+\n"
		"Signed-off-by: Ann Other <ann@example.org>\n");

	ck_assert_str_eq(c->trailers,
			 "Fixes: 123456789abc (\"fs: y\")\n"
			 "Cc: stable@vger.kernel.org # 5.10+\n"
			 "Signed-off-by: Ann Other <ann@example.org>");
}
END_TEST

START_TEST(what_it_says)
{
	static const struct {
		const char *message, *notes;
	} cases[] = {
		{"x\n\nFixes: 123456789abc (\"fs: y\")\n",
		 "fixes 123456789abc (fs: y)"},
		{"x\n\nLink: https://lore.kernel.org/r/a+b@example.org\n",
		 "link <a+b@example.org>"},
		{"x\n\nLink: https://patch.msgid.link/a%2Bb@example.org\n",
		 "link <a+b@example.org>"},
		{"x\n\nLink: https://lkml.kernel.org/r/a@example.org/T/#u\n",
		 "link <a@example.org>"},
		{"x\n\nCloses: https://lore.kernel.org/all/a@example.org/ "
		 "[1]\n",
		 "closes <a@example.org>"},
		{"x\n\nLink: https://bugs.example.org/7\n",
		 "link https://bugs.example.org/7"},
		{"x\n\nSee https://lore.kernel.org/all/a@example.org/ for "
		 "it.\n",
		 "url <a@example.org>"},
		{"Revert \"fs: y\"\n\nThis reverts commit " ID_A ".\n",
		 "reverts " ID_A},
		{"Revert \"fs: y\"\n\nIt was wrong.\n", "reverts (fs: y)"},
		{"fs: y\n\ncommit " ID_A " upstream.\n\nText.\n",
		 "backports " ID_A},
		{"fs: y\n\n[ Upstream commit " ID_A " ]\n\nText.\n",
		 "backports " ID_A},
		{"fs: y\n\nText.\n\n(cherry picked from commit " ID_A ")\n",
		 "picked " ID_A},
		{"fs: y\n\nSince commit 123456789abc (\"fs: z\") it fails.\n",
		 "mentions 123456789abc (fs: z)"},
		{"Revert \"\n\nx\n", ""},
		{"Revert \"\"\n\nx\n", ""},
		{"no word\n", ""},
	};

	for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autofree char *got = notes_of(cases[i].message);

		ck_assert_str_eq(got, cases[i].notes);
	}
}
END_TEST

START_TEST(parents_alone)
{
	static const char raw[] = HEAD "x";
	g_autoptr(GByteArray) parents = g_byte_array_new();
	gint64 date;

	ck_assert(commit_object_parents(raw, strlen(raw), parents, &date));
	ck_assert_uint_eq(parents->len, COMMIT_OID_LEN);
	ck_assert_int_eq(date, 1600000060);
}
END_TEST

/* Cut anywhere, it is read or it is none; never more. */
START_TEST(cut_at_any_byte)
{
	static const char raw[] =
		HEAD "fs: x\n\nFixes: 123456789abc (\"fs: y\")\n";

	for (gsize len = 0; len <= strlen(raw); len++) {
		g_autofree char *exact = g_memdup2(raw, len);
		g_autoptr(commit_object_auto) c =
			commit_object_parse(exact, len);

		if (c)
			ck_assert_uint_le(c->notes->len, 1);
	}
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("commit_object");
	TCase *c = tcase_create("all");

	tcase_add_test(c, the_head);
	tcase_add_test(c, what_is_no_commit);
	tcase_add_test(c, odd_people);
	tcase_add_test(c, subjects);
	tcase_add_test(c, encodings_are_undone);
	tcase_add_test(c, what_is_very_long_is_cut);
	tcase_add_test(c, trailers_of_the_last_paragraph);
	tcase_add_test(c, what_it_says);
	tcase_add_test(c, parents_alone);
	tcase_add_test(c, cut_at_any_byte);
	suite_add_tcase(s, c);
	return s;
}

TEST_MAIN(suite)
