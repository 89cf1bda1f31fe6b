/* test_words.c - what people say about a fix, sentence by sentence */
#include <string.h>

#include "mail/words.h"

#include "tests/test.h"

static const struct {
	const char *body;
	const char *words; /* "line kind;" ... */
} cases[] = {
	/* it works */
	{"I tested this on arm64 and the warning is gone.\n", "1 tested-ok;"},
	{"Hi,\n\nwe confirmed your patch fixed the regression.\n",
	 "3 tested-ok;"},
	{"With this the performance is\nrestored.\n", "1 tested-ok;"},
	{"Works for me.\n", "1 tested-ok;"},
	{"We ran it again. The crash went away.\n", "1 tested-ok;"},
	{"After a night of testing it no longer crashes.\n", "1 tested-ok;"},
	/* it does not */
	{"The issue still reproduces.\n", "1 tested-bad;"},
	{"On v6.9-rc1 I still see the same warning.\n", "1 tested-bad;"},
	{"Your patch didn't fix the problem.\n", "1 tested-bad;"},
	{"Your patch didn\xe2\x80\x99t fix the problem.\n", "1 tested-bad;"},
	{"We tested it, but the regression is not gone.\n", "1 tested-bad;"},
	{"It cannot fix this regression.\n", "1 tested-bad;"},
	{"I applied this and the hang has not disappeared.\n", "1 tested-bad;"},
	{"There is still a regression of 4.8%.\n", "1 tested-bad;"},
	/* it can't be seen */
	{"I can't reproduce it here.\n", "1 not-reproduced;"},
	{"I could not reproduce it here.\n", "1 not-reproduced;"},
	{"We were not able to reproduce this.\n", "1 not-reproduced;"},
	{"Still failed to reproduce here.\n", "1 not-reproduced;"},
	{"The problem does not reproduce here.\n", "1 not-reproduced;"},
	{"I tried with the reproducer, and couldn't reproduce it.\n",
	 "1 not-reproduced;"},
	/* nobody says so */
	{"This issue doesn't have a reproducer unfortunately.\n", ""},
	{"Given we don't have a reproducer it will be hard to debug.\n", ""},
	{"We still don't have a reproducer for this bug.\n", ""},
	{"I've had more than one case where the problem doesn't reproduce.\n",
	 ""},
	{"And often it doesn't reproduce on anything.\n", ""},
	{"I can't reproduce it reliably, but it is there.\n", ""},
	{"I don't know how to reproduce this at all.\n", ""},
	{"And it doesn't need cancel to reproduce.\n", ""},
	{"I am not sure I can reproduce, but I can try.\n", ""},
	{"Interesting that you could not reproduce.\n", ""},
	{"There are no regression tests for it.\n", ""},
	{"I can _not_ reproduce it.\n", "1 not-reproduced;"},
	{"We revalidated and confirmed there is no regression:\n",
	 "1 not-reproduced;"},
	/* it is taken back */
	{"Sorry this is a false positive report.\n", "1 retracted;"},
	{"Please ignore this report.\n", "1 retracted;"},
	{"Sorry for the noise!\n", "1 retracted;"},
	{"NAK, I should've built this first.\n", "1 retracted;"},
	/* refusals */
	{"NACK.\n", "1 nak;"},
	{"NAK on this one.\n", "1 nak;"},
	{"Nak.\n", "1 nak;"},
	{"I don't want this in the core, so NACK.\n", "1 nak;"},
	{"As I said before:  clear NAK for that.\n", "1 nak;"},
	{"Nacked-by: A Person <a@example.org>\n", "1 nak;"},
	{"IOW - NAK.\n", "1 nak;"},
	{"So, definitely NACK.\n", "1 nak;"},
	{"I'm inclined to NAK this.\n", ""},
	{"It got a NAK because nobody explained it.\n", ""},
	{"That's a NAK from me.\n", "1 nak;"},
	{"This is no strict NAK.\n", ""},
	{"It's not a NAK.\n", ""},
	{"The device sends a NACK packet then.\n", ""},
	{"All this private NAK stuff is over.\n", ""},
	{"The buffer was left naked.\n", ""},
	/* what is to come */
	{"I'll send a v2.\n", "1 promised;"},
	{"Good catch, will fix in v3.\n", "1 promised;"},
	{"OK, I will resend with that changed.\n", "1 promised;"},
	{"Thanks, I'll fix the typo in the commit message in v2.\n",
	 "1 promised;"},
	{"v2 coming.\n", "1 promised;"},
	{"A new version is on its way.\n", "1 promised;"},
	{"v4 will follow tomorrow.\n", "1 promised;"},
	{"Sure, I'll address this in the next version.\n", "1 promised;"},
	{"This will be fixed in the next revision.\n", "1 promised;"},
	{"Let me respin it.\n", "1 promised;"},
	{"I'm working on v2 already.\n", "1 promised;"},
	{"I am going to post an updated version soon.\n", "1 promised;"},
	{"I will send a fix.\n", "1 promised;"},
	{"I won't send a v2.\n", ""},
	{"I'll send a v2 if you want.\n", ""},
	{"Will you send a v2?\n", "1 question;"},
	{"David will send a v2.\n", ""},
	{"I'll wait for v2.\n", ""},
	{"I'll review the next version.\n", ""},
	{"I'll queue v2 for testing.\n", ""},
	{"I'll add v3 to misc-next.\n", ""},
	{"I'll queue this for v5.4.\n", ""},
	{"This was fixed in v2.\n", ""},
	{"The callback will resend the request.\n", ""},
	{"Should I send a v2?\n", "1 question;"},
	/* what is meant so */
	{"This regression is expected.\n", "1 intended;"},
	{"It is a trade-off between latency and throughput.\n", "1 intended;"},
	{"This is working as designed.\n", "1 intended;"},
	{"That is by design.\n", "1 intended;"},
	{"We did this on purpose.\n", "1 intended;"},
	{"That's the price we have to pay for correctness.\n", "1 intended;"},
	{"This is not expected.\n", ""},
	{"That is _not_ expected.\n", ""},
	{"This can't be by design.\n", ""},
	{"But maybe this is intended.\n", ""},
	{"This is slower than expected.\n", ""},
	{"It's working as expected for ext4.\n", ""},
	{"Thanks, that's what I expected.\n", ""},
	{"It is intended for small files.\n", ""},
	{"The change is expected to improve things.\n", ""},
	{"Is this expected?\n", "1 question;"},
	{"It was unexpected.\n", ""},
	/* wishes */
	{"Please resend with a changelog.\n", "1 changes-requested;"},
	{"Please fix the comment.\n", "1 changes-requested;"},
	{"This needs a rebase.\n", "1 changes-requested;"},
	{"No need to resend.\n", ""},
	/* questions */
	{"Does this fix the regression?\n", "1 question;"},
	{"Could you test the patch below?\nThanks,\n", "1 question;"},
	{"Why?\n", ""},
	/* conditions and plans are no claims */
	{"If this fixes the issue, kindly add a tag.\n", ""},
	{"This should fix the issue you tested.\n", ""},
	{"Let me see whether the warning is gone.\n", ""},
	{"I hope that the tested patch solved the problem.\n", ""},
	{"We'll test it to confirm that it fixes the bug.\n", ""},
	{"I'm still tracking this regression.\n", ""},
	{"I'm still trying to reproduce the issue.\n", ""},
	/* only the sender's own prose */
	{"> The issue is gone with this.\n", ""},
	{"On Mon, A Person wrote:\n> Works for me.\n\nGreat.\n", ""},
	{"\t\tit works for me\n", ""},
	{"Fine.\n-- \nWorks for me.\n", ""},
	{"> NAK\nWell.\n", ""},
	/* several, over lines and paragraphs */
	{"Hi Ann,\n\nI can't reproduce it on my laptop. But on the server\n"
	 "the regression is gone with v2. Could you\nsend that?\n\n"
	 "NAK for the\nsecond one, though.\n",
	 "3 not-reproduced;3 tested-ok;4 question;7 nak;"},
	{"", ""},
	{"\n\n.\n?\n! ? .\n", ""},
};

static char *list(const char *text)
{
	g_autoptr(body) b = body_parse(text, strlen(text));
	g_autoptr(GPtrArray) words = words_read(b);
	GString *out = g_string_new(NULL);

	for (guint i = 0; i < words->len; i++) {
		const struct verdict_word *w = words->pdata[i];

		ck_assert(g_utf8_validate(w->text, -1, NULL));
		ck_assert(!strchr(w->text, '\n'));
		g_string_append_printf(out, "%u %s;", w->line,
				       verdict_word_name(w->kind));
	}
	return g_string_free(out, FALSE);
}

START_TEST(says)
{
	g_autofree char *got = list(cases[_i].body);

	ck_assert_msg(!strcmp(got, cases[_i].words), "%s: got \"%s\"",
		      cases[_i].body, got);
}
END_TEST

START_TEST(text)
{
	static const char mail[] = "Hello. With this   the issue\n"
				   "is  gone, thanks! Bye\n";
	g_autoptr(body) b = body_parse(mail, strlen(mail));
	g_autoptr(GPtrArray) words = words_read(b);
	const struct verdict_word *w;

	ck_assert_uint_eq(words->len, 1);
	w = words->pdata[0];
	ck_assert_str_eq(w->text, "With this the issue is gone, thanks!");
	ck_assert_uint_eq(w->line, 1);
}
END_TEST

START_TEST(no_body)
{
	g_autoptr(GPtrArray) words = words_read(NULL);

	ck_assert_uint_eq(words->len, 0);
}
END_TEST

/* Quoting a mail takes every claim away; nothing else may depend on where
 * lines are broken. */
START_TEST(properties)
{
	for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_auto(GStrv) lines = g_strsplit(cases[i].body, "\n", -1);
		GString *quoted = g_string_new(NULL);
		g_autofree char *got = NULL;

		for (guint k = 0; lines[k]; k++)
			g_string_append_printf(quoted, "> %s\n", lines[k]);
		got = list(quoted->str);
		ck_assert_msg(!*got, "%s: got %s", quoted->str, got);
		g_string_free(quoted, TRUE);
	}
}
END_TEST

START_TEST(hostile)
{
	static const char *const parts[] = {"nak ",   "a ",	 "so NAK ",
					    "still ", "? ",	 "not ",
					    "fixes ", "\xff\xe2"};

	for (guint i = 0; i < G_N_ELEMENTS(parts); i++) {
		GString *s = g_string_new(NULL);
		g_autofree char *got = NULL;

		for (guint k = 0; k < 200000; k++)
			g_string_append(s, parts[i]);
		g_string_append(s, "\n");
		got = list(s->str);
		ck_assert_uint_le(strlen(got), WORDS_MAX * 30);
		g_string_free(s, TRUE);
	}
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("words");
	TCase *tc = tcase_create("all");

	tcase_add_loop_test(tc, says, 0, G_N_ELEMENTS(cases));
	tcase_add_test(tc, text);
	tcase_add_test(tc, no_body);
	tcase_add_test(tc, properties);
	tcase_add_test(tc, hostile);
	suite_add_tcase(s, tc);
	return s;
}

TEST_MAIN(suite)
