/* test_body.c - quote depth and kinds of lines, each case a short mail */
#include <string.h>

#include "mail/body.h"

#include "tests/test.h"

static char kind_letter(const struct body_line *l)
{
	static const char letters[] = "T>ASFXWDC";

	return letters[l->kind];
}

/* One letter a line: T text, > quote, A attribution, S signature, F footer,
 * X scissors, W forward, D diff, C code. */
static char *kinds(const char *text)
{
	g_autoptr(body) b = body_parse(text, strlen(text));
	GString *out = g_string_new(NULL);
	guint i;

	for (i = 0; i < body_count(b); i++)
		g_string_append_c(out, kind_letter(body_line(b, i)));
	return g_string_free(out, FALSE);
}

static const struct {
	const char *line;
	guint depth;
	const char *content;
} prefixes[] = {
	{"plain", 0, "plain"},
	{"> one", 1, "one"},
	{">one", 1, "one"},
	{">", 1, ""},
	{">> two", 2, "two"},
	{"> > two", 2, "two"},
	{">> > three", 3, "three"},
	{">>>>>> six", 6, "six"},
	{"> >> >three", 4, "three"},
	{" > indented", 1, "indented"},
	{">  keeps its indent", 1, " keeps its indent"},
	{">\ttab", 1, "tab"},
	{">   > far apart", 1, "  > far apart"},
	{"AB> initials", 1, "initials"},
	{"> AB> initials", 2, "initials"},
	{"A>B", 0, "A>B"},
	{"kdb> prompt", 0, "kdb> prompt"},
	{"| pipe", 0, "| pipe"},
	{"> | pipe", 1, "| pipe"},
	{">From the mbox", 0, ">From the mbox"},
	{"> From the reply", 1, "From the reply"},
	{">= 4.0 is wanted", 0, ">= 4.0 is wanted"},
	{" > 319\tfoo();", 0, " > 319\tfoo();"},
	{"     > code", 0, "     > code"},
	{">>>>>>>>>>>>>>>>>>>> deep", BODY_MAX_DEPTH, "deep"},
};

START_TEST(test_prefix)
{
	const char *line = prefixes[_i].line;
	guint depth, skip;

	skip = body_quote_prefix(line, strlen(line), &depth);
	ck_assert_uint_eq(depth, prefixes[_i].depth);
	ck_assert_str_eq(line + skip, prefixes[_i].content);
}
END_TEST

#define HUNK                         \
	"diff --git a/f b/f\n"       \
	"index 1111111..2222222 1\n" \
	"--- a/f\n"                  \
	"+++ b/f\n"                  \
	"@@ -1,3 +1,3 @@ int f()\n"  \
	" one\n"                     \
	"-> two\n"                   \
	"+> zwei\n"                  \
	" > three\n"

static const struct {
	const char *name;
	const char *text;
	const char *kinds;
} cases[] = {
	{"no text at all", "", ""},
	{"no final newline", "a\n> b", "T>"},
	{"attribution on one line",
	 "On Tue, 3 Mar 2020, A Person wrote:\n> hello\n\nhi\n", "A>TT"},
	{"attribution over two lines",
	 "Hi,\n\nOn Tue, Mar 3, 2020 at 10:00 AM A Person\n"
	 "<a@example.org> wrote:\n> hello\n",
	 "TTAA>"},
	{"attribution over three lines",
	 "On Tue, Mar 3, 2020 at 10:00 AM A Person via\nThe List\n"
	 "<a@example.org> wrote:\n>\n> hello\n",
	 "AAA>>"},
	{"a blank line before the quote",
	 "A Person <a@example.org> writes:\n\n> hello\n", "AT>"},
	{"German", "Am 03.03.20 um 10:00 schrieb A Person:\n> hallo\n", "A>"},
	{"French", "Le mar. 3 mars 2020, A Person a écrit :\n> salut\n", "A>"},
	{"Spanish", "El mar, 3 mar 2020, A Person escribió:\n> hola\n", "A>"},
	{"Chinese", "在 2020/3/3 10:00, A Person 写道:\n> 你好\n", "A>"},
	{"Russian", "3 марта 2020, A Person написал:\n> привет\n", "A>"},
	{"a name and a time", "A Person - 23.07.20, 06:51:06 CEST:\n> x\n",
	 "A>"},
	{"attribution whose quote was removed",
	 "On 3/3/20 10:00 AM, A Person wrote:\n[snip]\n", "AT"},
	{"a quote between is no part of an attribution",
	 "On 3/3/20, A\n> a\nPerson wrote:\n> b\n", "T>A>"},
	{"a colon alone is no attribution",
	 "The change is in this line:\n> return 0;\n", "T>"},
	{"interleaved", "On 3/3/20, A Person wrote:\n> a\nno\n> b\nyes\n>> c\n",
	 "A>T>T>"},
	{"signature", "text\n-- \nA Person\nPhone\n", "TSSS"},
	{"signature that lost its blank", "text\n--\nA Person\n", "TSS"},
	{"two dashes in the middle of much text",
	 "a\n--\n1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n", "TTTTTTTTTTTTTT"},
	{"top posting: quote below the signature",
	 "yes\n-- \nA Person\n\nOn 3/3/20, B Person wrote:\n> really?\n",
	 "TSSSA>"},
	{"list footer of Mailman",
	 "text\n\n_______________________________________________\n"
	 "Dev mailing list\nDev@lists.example.org\n"
	 "https://lists.example.org/listinfo/dev\n",
	 "TTFFFF"},
	{"footer below a signature",
	 "text\n-- \nA Person\n\n"
	 "_______________________________________________\n"
	 "Dev mailing list\nDev@lists.example.org\n",
	 "TSSSFFF"},
	{"a rule with text below is no footer",
	 "text\n_______________________________________________\nmore text\n",
	 "TTT"},
	{"footer of two dashes",
	 "text\n--\ndev mailing list\ndev@example.org\n"
	 "https://lists.example.org/dev\n",
	 "TFFFF"},
	{"original message",
	 "I agree.\n\n-----Original Message-----\nFrom: A Person\n"
	 "Sent: Tuesday\nTo: list\nSubject: x\n\nold text\nTested-by: X <x@y>\n",
	 "TTWWWWWWWW"},
	{"Outlook without a rule",
	 "I agree.\n\nFrom: A Person\nSent: Tuesday\nSubject: x\n\nold\n",
	 "TTWWWWW"},
	{"Outlook in German",
	 "Ja.\n\nVon: A Person\nGesendet: Dienstag\nBetreff: x\n\nalt\n",
	 "TTWWWWW"},
	{"a rule of underscores and a head",
	 "Ok\n________________________________\nFrom: A Person\n"
	 "To: list\nDate: x\n\nold\n",
	 "TWWWWWW"},
	{"a head, then a quote with marks and answers",
	 "-----Original Message-----\n> old\nnew\n", "A>T"},
	{"forwarded, in French",
	 "FYI\n-------- Message d'origine --------\nold\n", "TWW"},
	{"author of a patch at the top is no forward",
	 "From: A Person <a@example.org>\nDate: Tue, 3 Mar 2020\n\ntext\n",
	 "TTTT"},
	{"scissors", "Try this.\n\n-- >8 --\nSubject: x\n\nwhy\n", "TTXTTT"},
	{"scissors below a signature", "-- \nme\n---8<----\nwhy\n", "SSXT"},
	{"scissors that begin like a quote", ">8------8<\nwhy\n", "XT"},
	{"an oops is no scissors", "------------[ cut here ]------------\nx\n",
	 "TT"},
	{"a patch",
	 "why\n---\n f | 2 +-\n 1 file changed, 1 insertion(+)\n\n" HUNK
	 "-- \n2.40.0\n",
	 "TTDDTDDDDDDDDDSS"},
	{"a removed line that looks like a signature mark",
	 "--- a/f\n+++ b/f\n@@ -1,2 +1 @@\n x\n-- \n-- \n2.40\n", "DDDDDSS"},
	{"context that looks like a quote is diff", HUNK "> said\n",
	 "DDDDDDDDD>"},
	{"a quoted diff is a quote", "> diff --git a/f b/f\n> --- a/f\n", ">>"},
	{"text between hunks of two files", HUNK "\nAnd this one:\n\n" HUNK,
	 "DDDDDDDDDTTTDDDDDDDDD"},
	{"svn style",
	 "Index: f\n===================\n--- f\n+++ f\n"
	 "@@ -1 +1 @@\n-a\n+b\ntext\n",
	 "DDDDDDDT"},
	{"rename without a hunk",
	 "diff --git a/f b/g\nsimilarity index 100%\nrename from f\n"
	 "rename to g\ntext\n",
	 "DDDDT"},
	{"binary",
	 "diff --git a/f b/f\nindex 1..2\nGIT binary patch\n"
	 "literal 3\nKcmZ\n\nliteral 0\nHcmV\n\ntext\n",
	 "DDDDDDDDDT"},
	{"no newline at the end of the file",
	 "--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n\\ No newline at end of file\n"
	 "+b\n\\ No newline at end of file\ntext\n",
	 "DDDDDDDT"},
	{"a hunk that ends early",
	 "--- a/f\n+++ b/f\n@@ -1,9 +1,9 @@\n x\nSome words.\nMore words.\n",
	 "DDDDTT"},
	{"merge",
	 "diff --cc f\nindex 1,2..3\n--- a/f\n+++ b/f\n"
	 "@@@ -1,1 -1,1 +1,2 @@@\n  x\n +y\n-- \nB\n",
	 "DDDDDDDSS"},
	{"a command in prose is no diff", "diff -u is enough\nsays he\n", "TT"},
	{"a table is no diffstat", " a | 3\n b | 4\nwords\n", "TTT"},
	{"code", "Like this:\n\n\tif (x)\n      return;\n    not code\n",
	 "TTCCT"},
	{"PGP inline", "text\n-----BEGIN PGP SIGNATURE-----\nabc\n", "TSS"},
	{"a shield of pipes is text", "| Reported-by: X <x@example.org>\n",
	 "T"},
};

START_TEST(test_kinds)
{
	g_autofree char *got = kinds(cases[_i].text);

	ck_assert_msg(g_str_equal(got, cases[_i].kinds), "%s: %s, not %s",
		      cases[_i].name, got, cases[_i].kinds);
}
END_TEST

START_TEST(test_split)
{
	static const char text[] = "On 3/3/20, A Person wrote:\n> old\n"
				   ">> older\nnew\n\n\tcode\n" HUNK "-- \nme\n";
	g_autoptr(body) b = body_parse(text, strlen(text));
	g_autoptr(GString) own = g_string_new(NULL);
	g_autoptr(GString) quoted = g_string_new(NULL);
	g_autoptr(GString) diff = g_string_new(NULL);

	body_split(b, own, quoted, diff);
	ck_assert_str_eq(own->str, "new\n\n\tcode\n");
	ck_assert_str_eq(quoted->str, "old\nolder\n");
	ck_assert_str_eq(diff->str, HUNK);
	body_split(b, NULL, NULL, NULL);
}
END_TEST

/* Quoting a mail once more raises each depth by one and changes no content. */
START_TEST(test_quote_again)
{
	g_autoptr(body) plain =
		body_parse(cases[_i].text, strlen(cases[_i].text));
	g_autoptr(GString) again = g_string_new(NULL);
	g_autoptr(body) b = NULL;
	guint i;

	for (i = 0; i < body_count(plain); i++)
		g_string_append_printf(again, "> %.*s\n",
				       (int)body_line(plain, i)->len,
				       body_line(plain, i)->text);
	b = body_parse(again->str, again->len);
	ck_assert_uint_eq(body_count(b), body_count(plain));
	for (i = 0; i < body_count(b); i++) {
		const struct body_line *l = body_line(b, i);
		const struct body_line *p = body_line(plain, i);
		guint depth;

		ck_assert_int_eq(kind_letter(l), '>');
		body_quote_prefix(p->text, p->len, &depth);
		if (p->kind != BODY_SCISSORS && (!p->len || p->text[0] != ' '))
			ck_assert_uint_eq(l->depth, depth + 1);
	}
}
END_TEST

/* The lines are the text: nothing is lost, whatever it holds. */
static void assert_whole(const char *text, gsize len)
{
	g_autoptr(body) b = body_parse(text, len);
	gsize at = 0;
	guint i;

	for (i = 0; i < body_count(b); i++) {
		const struct body_line *l = body_line(b, i);

		ck_assert_ptr_eq(l->text, text + at);
		ck_assert_uint_le(l->skip, l->len);
		at += l->len + 1;
	}
	ck_assert(at == len || at == len + 1);
}

START_TEST(test_too_many_lines)
{
	gsize n = BODY_MAX_LINES + 1000;
	g_autofree char *text = g_malloc(n * 2);
	gsize i;

	for (i = 0; i < n; i++) {
		text[2 * i] = i % 3 ? '>' : 'x';
		text[2 * i + 1] = '\n';
	}
	assert_whole(text, n * 2);
}
END_TEST

START_TEST(test_hostile)
{
	static const char *const lines[] = {
		"--\n",
		"-- \n",
		" a | 1\n",
		"From: x\n",
		"a wrote:\n",
		">",
		"____________________\n",
		"> > > > > > ",
		"@@ -1,999999999999999999999 +1 @@\n",
		"diff -u\n",
		"\n",
		"--- a\n+++ b\n@@ -1,9 +1,9 @@\n+\nx\n",
		"On wrote:\n>\n"};
	guint i, k;

	for (i = 0; i < G_N_ELEMENTS(lines); i++) {
		g_autoptr(GString) s = g_string_new(NULL);

		for (k = 0; k < 50000; k++)
			g_string_append(s, lines[i]);
		assert_whole(s->str, s->len);
	}
}
END_TEST

static Suite *body_suite(void)
{
	Suite *s = suite_create("body");
	TCase *t = tcase_create("body");

	tcase_add_loop_test(t, test_prefix, 0, G_N_ELEMENTS(prefixes));
	tcase_add_loop_test(t, test_kinds, 0, G_N_ELEMENTS(cases));
	tcase_add_test(t, test_split);
	tcase_add_loop_test(t, test_quote_again, 0, G_N_ELEMENTS(cases));
	tcase_add_test(t, test_too_many_lines);
	tcase_add_test(t, test_hostile);
	suite_add_tcase(s, t);
	return s;
}

TEST_MAIN(body_suite)
