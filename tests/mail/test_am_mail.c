/* test_am_mail.c - one patch mail rewritten: headers, trailers, what is below
 * Whole series and their replies: tests/bot/test_am.c. */
#include <string.h>

#include "mail/am_mail.h"
#include "mail/am_text.h"

#include "tests/test.h"

/* ---- a commit message taken apart */

static const struct {
	const char *name, *message, *prose, *trailers;
} texts[] = {
	{"nothing", "", "", ""},
	{"prose alone", "Why.\n\nMore.\n", "Why.\n\nMore.", ""},
	{"a block", "Why.\n\nAcked-by: A <a@x>\nLink: https://x/y\n", "Why.",
	 "Acked-by: A <a@x>\nLink: https://x/y\n"},
	{"trailers alone", "Signed-off-by: A <a@x>", "",
	 "Signed-off-by: A <a@x>\n"},
	{"prose above in one paragraph", "Why.\nAcked-by: A <a@x>", "Why.",
	 "Acked-by: A <a@x>\n"},
	{"prose between", "Why.\n\nCc: a@x\nand so on\nAcked-by: A <a@x>",
	 "Why.\n\nand so on", "Cc: a@x\nAcked-by: A <a@x>\n"},
	{"an earlier paragraph is prose", "Fixes: it\n\nAcked-by: A <a@x>",
	 "Fixes: it", "Acked-by: A <a@x>\n"},
	{"a wrapped title",
	 "Why.\n\nFixes: 0123456 (\"a title that\nis long\")", "Why.",
	 "Fixes: 0123456 (\"a title that is long\")\n"},
	{"a wrapped person", "Why.\n\nAcked-by: A Long Name\n<a@x>", "Why.",
	 "Acked-by: A Long Name <a@x>\n"},
	{"a note below", "Why.\n\nAcked-by: A <a@x>\n[b: changed]\n", "Why.",
	 "Acked-by: A <a@x>\n[b: changed]\n"},
	{"blanks", "Why.\n\n  Acked-by:   A <a@x>  \n\n\n", "Why.",
	 "Acked-by: A <a@x>\n"},
};

START_TEST(taken_apart)
{
	struct am_text t;
	GString *lines = g_string_new(NULL);

	am_text_init(&t, texts[_i].message);
	for (guint i = 0; i < t.trailers->len; i++)
		g_string_append_printf(lines, "%s\n",
				       (char *)t.trailers->pdata[i]);
	ck_assert_msg(!strcmp(t.prose->str, texts[_i].prose),
		      "%s: prose \"%s\"", texts[_i].name, t.prose->str);
	ck_assert_msg(!strcmp(lines->str, texts[_i].trailers),
		      "%s: trailers \"%s\"", texts[_i].name, lines->str);
	ck_assert_uint_eq(t.trailers->len, t.read->len);
	g_string_free(lines, TRUE);
	am_text_clear(&t);
}
END_TEST

/* ---- which trailers are the same */

static const struct {
	const char *a, *b;
	gboolean equal;
} pairs[] = {
	{"Acked-by: Ann B <a@x.org>", "acked-by: Ann B <a@x.org>", TRUE},
	{"Acked-by: Ann B <a@x.org>", "Acked-by: ann b <A@x.org>", TRUE},
	{"Acked-by: Ann B <a+k@x.org>", "Acked-by: Ann B <a@x.org>", TRUE},
	{"Acked-by: Ann B <a@l.x.org>", "Acked-by: Ann B <a@x.org>", TRUE},
	{"Acked-by: Ann B <a@x.org>", "Tested-by: Ann B <a@x.org>", FALSE},
	{"Acked-by: Ann B <a@x.org>", "Acked-by: Cyd D <a@x.org>", FALSE},
	{"Link: https://lore.kernel.org/r/A@x",
	 "Link: "
	 "https://patch.msgid.link/a@x",
	 TRUE},
	{"Link: https://lore.kernel.org/r/a@x",
	 "Link: https://lore.kernel.org/r/b@x", FALSE},
	{"Fixes: 0123456789ab (\"x\")", "Fixes: 0123456789ab (\"x\")", TRUE},
	{"Fixes: 0123456789ab (\"x\")", "Fixes: 0123456789ac (\"x\")", FALSE},
};

START_TEST(the_same)
{
	g_autoptr(GPtrArray) a = trailers_in_commit(pairs[_i].a, 1);
	g_autoptr(GPtrArray) b = trailers_in_commit(pairs[_i].b, 1);

	ck_assert_uint_eq(a->len, 1);
	ck_assert_uint_eq(b->len, 1);
	ck_assert_msg(am_trailer_equal(a->pdata[0], b->pdata[0]) ==
			      pairs[_i].equal,
		      "%s / %s", pairs[_i].a, pairs[_i].b);
	ck_assert(am_trailer_equal(b->pdata[0], a->pdata[0]) ==
		  pairs[_i].equal);
}
END_TEST

/* ---- the message written */

static struct reading *read_mail(const char *headers, const char *text)
{
	g_autofree char *raw =
		g_strdup_printf("Date: Mon, 2 Mar 2020 10:00:00 +0100\n"
				"Message-ID: <p@x>\n%s\n%s",
				headers, text);
	g_autoptr(GBytes) bytes = g_bytes_new(raw, strlen(raw));
	g_autoptr(message) msg = message_parse(bytes, 0, NULL);

	return reading_new(msg);
}

#define HUNK "--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\n"
#define FROM "From: Ann <ann@example.org>\nSubject: [PATCH] x\n"

static const struct {
	const char *name, *headers, *text;
	const char *want; /* is in the result */
} written[] = {
	{"a short subject",
	 "From: Ann <ann@example.org>\nSubject: [net,v2,PATCH 02/12] x\n",
	 "Why.\n" HUNK,
	 "Subject: [PATCH v2 2/12] x\nFrom: Ann <ann@example.org>\n"
	 "Date: Mon, 2 Mar 2020 10:00:00 +0100\nMessage-Id: <p@x>\n"
	 "MIME-Version: 1.0\n"},
	{"a long one is wrapped at 75",
	 "From: Ann <ann@example.org>\nSubject: [PATCH] aaaaaaaaaaaaaaaaaaaa "
	 "bbbbbbbbbbbbbbbbbbbb cccccccccccccccccccc ddd e\n",
	 "Why.\n" HUNK,
	 "Subject: [PATCH] aaaaaaaaaaaaaaaaaaaa bbbbbbbbbbbbbbbbbbbb\n"
	 " cccccccccccccccccccc ddd e\n"},
	{"a name that must be quoted",
	 "From: \"B. \\\"Bob\\\" C (D)\" <b@example.org>\n"
	 "Subject: [PATCH] x\n",
	 "Why.\n" HUNK, "From: \"B. \\\"Bob\\\" C (D)\" <b@example.org>\n"},
	{"an address alone", "From: b@example.org\nSubject: [PATCH] x\n",
	 "Why.\n" HUNK, "From: b@example.org\n"},
	{"letters beyond ASCII",
	 "From: =?utf-8?q?=C3=84nn?= <a@example.org>\nSubject: [PATCH] x\n"
	 "Content-Type: text/plain; charset=utf-8\n",
	 "Gr\xc3\xbc\xc3\x9f.\n" HUNK,
	 "Content-Transfer-Encoding: 8bit\n\nGr\xc3\xbc\xc3\x9f.\n"},
	{"no --- without notes", FROM,
	 "Why.\n\nAcked-by: A <a@x.org>\n---\n\n" HUNK,
	 "\nWhy.\n\nAcked-by: A <a@x.org>\n\n--- a/f\n"},
	{"--- before notes", FROM,
	 "Why.\n\nAcked-by: A <a@x.org>\n---\nnotes\n\n" HUNK,
	 "\nAcked-by: A <a@x.org>\n---\nnotes\n\n--- a/f\n"},
	{"a rule inside the notes stays", FROM,
	 "Why.\n---\nnotes\n---\n f | 2 +-\n 1 file changed, 1 "
	 "insertion(+), 1 deletion(-)\n\n" HUNK "-- \n2.40\n\n_____\nlist\n",
	 "\nWhy.\n\n---\nnotes\n---\n f | 2 +-\n"},
	{"the signature below", FROM, "Why.\n---\n\n" HUNK "-- \n2.40.0\n",
	 "+b\n-- \n2.40.0\n\n"},
	{"CRLF", FROM, "Why.\r\n\r\nCc: a@x.org\r\n---\r\n" HUNK,
	 "\nWhy.\n\nCc: a@x.org\n\n--- a/f\n"},
	{"flowed stays flowed",
	 FROM "Content-Type: text/plain; charset=us-ascii; format=flowed\n",
	 "Why.\n---\n\n" HUNK, "charset=\"utf-8\"; format=flowed\n"},
};

START_TEST(as_git_reads_it)
{
	g_autoptr(reading_auto) r =
		read_mail(written[_i].headers, written[_i].text);
	g_autoptr(GString) out = g_string_new(NULL);
	struct am_mail mail = {.patch = r};

	ck_assert_ptr_nonnull(r->patch);
	ck_assert_uint_eq(am_mail_append(out, &mail), 0);
	ck_assert_msg(strstr(out->str, written[_i].want) != NULL,
		      "%s: not in\n%s", written[_i].name, out->str);
	ck_assert(g_str_has_prefix(out->str, "From git@z Thu Jan  1 "));
	ck_assert_msg(g_str_has_suffix(out->str, "\n\n"), "%s",
		      written[_i].name);
}
END_TEST

START_TEST(own_signoff_is_last)
{
	g_autoptr(reading_auto) r =
		read_mail(FROM, "Why.\n\nSigned-off-by: Zoe <z@x.org>\n"
				"Acked-by: A <a@x.org>\n---\n\n" HUNK);
	g_autoptr(GPtrArray) given =
		trailers_in_commit("Tested-by: T <t@x.org>\n"
				   "Acked-by: A <a@x.org>\n"
				   "Tested-by: T <t@x.org>\n",
				   1);
	g_autoptr(GString) out = g_string_new(NULL);
	struct am_mail mail = {.patch = r,
			       .given = given,
			       .signoff = "Zoe <z@x.org>"};

	ck_assert_uint_eq(am_mail_append(out, &mail), 1);
	ck_assert_ptr_nonnull(strstr(out->str,
				     "Why.\n\nAcked-by: A <a@x.org>\n"
				     "Tested-by: T <t@x.org>\n"
				     "Signed-off-by: Zoe <z@x.org>\n\n---"));
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("am_mail");
	TCase *t = tcase_create("am_mail");

	tcase_add_loop_test(t, taken_apart, 0, G_N_ELEMENTS(texts));
	tcase_add_loop_test(t, the_same, 0, G_N_ELEMENTS(pairs));
	tcase_add_loop_test(t, as_git_reads_it, 0, G_N_ELEMENTS(written));
	tcase_add_test(t, own_signoff_is_last);
	suite_add_tcase(s, t);
	return s;
}

TEST_MAIN(suite)
