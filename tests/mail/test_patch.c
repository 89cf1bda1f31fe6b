/* test_patch.c - author, title, message, notes and tags of patch mails */
#include <string.h>

#include "mail/patch.h"
#include "mail/patch_priv.h"

#include "tests/test.h"

#define HEAD                               \
	"From: A Person <a@example.org>\n" \
	"Message-ID: <1@example.org>\n"    \
	"Date: Tue, 30 Aug 2022 11:19:07 +0200\n"
#define DIFF                              \
	"diff --git a/x.c b/x.c\n"        \
	"index 1111111..2222222 100644\n" \
	"--- a/x.c\n"                     \
	"+++ b/x.c\n"                     \
	"@@ -1 +1 @@\n"                   \
	"-a\n"                            \
	"+b\n"
#define STAT " x.c | 2 +-\n 1 file changed, 1 insertion(+), 1 deletion(-)\n\n"
#define SIGN "-- \n2.40.0\n"
#define ID   "0123456789abcdef0123456789abcdef01234567"

static const struct {
	const char *subject;
	const char *body;
	const char *title; /* NULL: that of the subject */
	const char *author;
	const char *message;
	const char *notes;
	guint message_line;
	guint notes_line;
} cases[] = {
	{"[PATCH] x", "Why.\n\nMore.\n---\n" STAT DIFF SIGN, "x",
	 "A Person <a@example.org>", "Why.\n\nMore.", "", 1, 1},
	{"[PATCH] x", "\n\nWhy.\n\n\n---\nv2: y\n\nz\n" STAT DIFF SIGN, "x",
	 "A Person <a@example.org>", "Why.", "v2: y\n\nz", 3, 7},
	{"[PATCH] x", "Why.\n" DIFF, "x", "A Person <a@example.org>", "Why.",
	 "", 1, 1},
	{"[PATCH] x", DIFF, "x", "A Person <a@example.org>", "", "", 1, 1},
	{"[PATCH] x", "Why.\n---\n---\nnote\n---\n" STAT DIFF, "x",
	 "A Person <a@example.org>", "Why.", "note", 1, 4},
	{"[PATCH] x", "Why.\n---\n a | 1 is no diffstat\n\n" DIFF, "x",
	 "A Person <a@example.org>", "Why.", " a | 1 is no diffstat", 1, 3},
	/* in-body headers */
	{"[PATCH] x", "From: B <b@example.org>\n\nWhy.\n---\n" DIFF, "x",
	 "B <b@example.org>", "Why.", "", 3, 1},
	{"[PATCH] x",
	 "From: =?utf-8?q?B=C3=A4?= <b@example.org>\nDate: Monday\n"
	 "Subject: [PATCH v2] y\n z\n\nWhy.\n---\n" DIFF,
	 "y z", "B\xc3\xa4 <b@example.org>", "Why.", "", 6, 1},
	{"[PATCH] x", "From: B <b@example.org>\nWhy.\n---\n" DIFF, "x",
	 "B <b@example.org>", "Why.", "", 2, 1},
	{"[PATCH] x", "From: nobody\n\nWhy.\n---\n" DIFF, "x",
	 "A Person <a@example.org>", "Why.", "", 3, 1},
	{"[PATCH] x", "Why.\n\nFrom: B <b@example.org>\n---\n" DIFF, "x",
	 "A Person <a@example.org>", "Why.\n\nFrom: B <b@example.org>", "", 1,
	 1},
	{"[PATCH] x",
	 "From " ID " Mon Sep 17 00:00:00 2001\n"
	 "From: B <b@example.org>\nSubject: [PATCH] y\n\nWhy.\n---\n" DIFF,
	 "y", "B <b@example.org>", "Why.", "", 5, 1},
	/* scissors */
	{"Re: x",
	 "> quoted\n\nTry this:\n\n-- >8 --\nSubject: y\n"
	 "From: B <b@example.org>\n\nWhy.\n---\n" DIFF,
	 "y", "B <b@example.org>", "Why.", "", 9, 1},
	{"[PATCH] x", "Why.\n---\nnote\n-- >8 --\nmore\n" DIFF, "x",
	 "A Person <a@example.org>", "Why.", "note\n-- >8 --\nmore", 1, 3},
	/* rules that are no end, and ends that are no rules */
	{"[PATCH] x", "Why.\n----\nMore.\n---\n" DIFF, "x",
	 "A Person <a@example.org>", "Why.\n----\nMore.", "", 1, 1},
	{"[PATCH] x", "Why.\n---   \nnote\n" DIFF, "x",
	 "A Person <a@example.org>", "Why.", "note", 1, 3},
	{"[PATCH] x",
	 "Why.\nIndex: x.c\n====\n--- x.c\n+++ x.c\n@@ -1 +1 @@\n"
	 "-a\n+b\n",
	 "x", "A Person <a@example.org>", "Why.", "", 1, 1},
	/* covers */
	{"[PATCH 0/2] x", "Why.\n---\nMore.\n\nA (2):\n  y\n  z\n" SIGN, "x",
	 "A Person <a@example.org>", "Why.\n---\nMore.\n\nA (2):\n  y\n  z", "",
	 1, 1},
};

static struct patch *parse(const char *head, const char *subject,
			   const char *body)
{
	char *text = g_strconcat(HEAD, "Subject: ", subject, "\n", head, "\n",
				 body, NULL);
	g_autoptr(GBytes) raw = g_bytes_new_take(text, strlen(text));
	g_autoptr(message) msg = message_parse(raw, 0, NULL);
	g_autoptr(subject_auto) s = NULL;

	ck_assert_ptr_nonnull(msg);
	s = subject_parse(message_subject(msg), NULL);
	return patch_parse(msg, s);
}

static char *author_of(const struct patch *p)
{
	return g_strdup_printf("%s <%s>", p->author->name, p->author->address);
}

START_TEST(test_cases)
{
	g_autoptr(patch_auto) p = parse("", cases[_i].subject, cases[_i].body);
	g_autofree char *author = author_of(p);

	ck_assert_str_eq(p->title, cases[_i].title);
	ck_assert_str_eq(author, cases[_i].author);
	ck_assert_int_eq(p->author_in_body,
			 !g_str_has_prefix(author, "A Person"));
	ck_assert_str_eq(p->commit_message, cases[_i].message);
	ck_assert_str_eq(p->notes, cases[_i].notes);
	ck_assert_uint_eq(p->message_line, cases[_i].message_line);
	ck_assert_uint_eq(p->notes_line, cases[_i].notes_line);
	ck_assert_int_eq(p->diff != NULL,
			 strstr(cases[_i].body, "+++") != NULL);
	ck_assert_int_eq(p->scissors, strstr(cases[_i].subject, "Re:") != NULL);
}
END_TEST

/* What the mail is wrapped in changes nothing of the patch. */
static const struct {
	const char *head;
	gboolean base64;
	gboolean crlf;
} wrappings[] = {
	{"Content-Type: text/plain; charset=utf-8\n"
	 "Content-Transfer-Encoding: base64\n",
	 TRUE, FALSE},
	{"Content-Type: text/plain; charset=utf-8\n"
	 "Content-Transfer-Encoding: base64\n",
	 TRUE, TRUE},
	{"Content-Type: text/plain; charset=utf-8\n"
	 "Content-Transfer-Encoding: 8-bit\n",
	 FALSE, TRUE},
};

START_TEST(test_wrappings)
{
	static const char body[] =
		"From: B <b@example.org>\n\nWhy \xc3\xa4.\n---\n" STAT DIFF
			SIGN;
	g_auto(GStrv) split = g_strsplit(body, "\n", -1);
	g_autofree char *ends =
		g_strjoinv(wrappings[_i].crlf ? "\r\n" : "\n", split);
	g_autofree char *sent =
		wrappings[_i].base64
			? g_base64_encode((guchar *)ends, strlen(ends))
			: g_strdup(ends);
	g_autoptr(patch_auto) plain = parse("", "[PATCH] x", body);
	g_autoptr(patch_auto) p = parse(wrappings[_i].head, "[PATCH] x", sent);

	ck_assert_str_eq(p->commit_message, "Why \xc3\xa4.");
	ck_assert_str_eq(p->author->address, "b@example.org");
	ck_assert_str_eq(p->diff->patch_id, plain->diff->patch_id);
	ck_assert_uint_eq(p->message_line, 3);
}
END_TEST

#define PART "--b\nContent-Type: text/plain; charset=utf-8\n"

START_TEST(test_attached)
{
	static const char head[] =
		"Content-Type: multipart/mixed; boundary=b\n";
	static const char attached[] =
		PART "\nSee the patch.\n-- \nA Person\n"
		     "--b\nContent-Type: text/x-patch\n\n" DIFF "--b--\n";
	static const char formatted[] =
		PART "\nSee the patch.\n"
		     "--b\nContent-Type: text/x-patch\n\n"
		     "From " ID " Mon Sep 17 00:00:00 2001\n"
		     "From: B <b@example.org>\nSubject: [PATCH 1/2] y\n\n"
		     "Why.\n---\n" DIFF "--b--\n";
	g_autoptr(patch_auto) a = parse(head, "[PATCH] x", attached);
	g_autoptr(patch_auto) b = parse(head, "see this", formatted);

	ck_assert_str_eq(a->commit_message, "See the patch.");
	ck_assert_str_eq(a->title, "x");
	ck_assert_uint_eq(a->diff->insertions, 1);
	ck_assert_str_eq(b->commit_message, "Why.");
	ck_assert_str_eq(b->title, "y");
	ck_assert_str_eq(b->author->address, "b@example.org");
	ck_assert_str_eq(a->diff->patch_id, b->diff->patch_id);
}
END_TEST

START_TEST(test_tags)
{
	g_autoptr(patch_auto) p =
		parse("", "[PATCH] x",
		      "Why.\n---\n" DIFF "\n---\nbase-commit: " ID "\n"
		      "change-id: 20220101-x-0123456789ab\n"
		      "prerequisite-patch-id: " ID "\n"
		      "prerequisite-message-id: <2@example.org>\n"
		      "prerequisite-change-id: y:v2\n" SIGN);
	g_autoptr(patch_auto) none =
		parse("", "[PATCH] x", "Why.\nbase-commit: master\n---\n" DIFF);

	ck_assert_str_eq(p->base_commit, ID);
	ck_assert_str_eq(p->change_id, "20220101-x-0123456789ab");
	ck_assert_uint_eq(p->prerequisites->len, 3);
	ck_assert_str_eq(g_ptr_array_index(p->prerequisites, 0),
			 "patch-id: " ID);
	ck_assert_str_eq(g_ptr_array_index(p->prerequisites, 1),
			 "message-id: <2@example.org>");
	ck_assert_str_eq(g_ptr_array_index(p->prerequisites, 2),
			 "change-id: y:v2");
	ck_assert_ptr_null(none->base_commit);
	ck_assert_ptr_null(none->change_id);
}
END_TEST

#define LORE "https://lore.kernel.org/r/"

/* What notes link to, and the Message-IDs that are older versions. */
static const struct {
	const char *notes;
	const char *ids; /* joined by blanks */
} links[] = {
	{"v1: " LORE "1@x\n", "1@x"},
	{"- Link to v1: " LORE "1@x\n- Link to v2: " LORE "2@x/\n", "1@x 2@x"},
	{"v2: " LORE "2@x\nv1: " LORE "1@x\nv2: " LORE "2@x\n", "2@x 1@x"},
	{"The previous version is at <" LORE "1@x>.\n", "1@x"},
	{"RFC: " LORE "1@x\n", "1@x"},
	{"Changes since v1 [1]:\n- this\n\n[1] " LORE "1@x\n[2] " LORE "9@x\n",
	 "1@x"},
	{"v1:\n" LORE "1@x\n", "1@x"},
	{"Version 1 was:\n\ntext\n" LORE "9@x\n", ""},
	{"v3: " LORE "9@x\n", ""}, /* the mail is v3 itself */
	{"Link: " LORE "9@x\n", ""},
	{"Depends on " LORE "9@x\n", ""},
	{"> v1: " LORE "9@x\n", ""},
	{"v1: https://example.org/other\n", ""},
};

START_TEST(test_older_links)
{
	g_autofree char *body = g_strconcat("Why.\nv1: " LORE "9@x\n---\n",
					    links[_i].notes, DIFF, NULL);
	g_autofree char *cover = g_strconcat("Why.\n", links[_i].notes, NULL);
	g_autoptr(patch_auto) p = parse("", "[PATCH v3] x", body);
	g_autoptr(patch_auto) c = parse("", "[PATCH v3 0/2] x", cover);
	g_autofree char *ids = NULL;

	g_ptr_array_add(p->older_links, NULL);
	ids = g_strjoinv(" ", (char **)p->older_links->pdata);
	ck_assert_str_eq(ids, links[_i].ids);
	ck_assert_uint_eq(c->older_links->len, p->older_links->len - 1);
}
END_TEST

/* Cut off at any byte, nothing behind the end is read. */
START_TEST(test_cut_anywhere)
{
	static const char text[] =
		"From: B <b@example.org>\n\nWhy.\n\n-- >8 --\nSubject: y\n"
		"\nWhy.\n---\nv1: " LORE "1@x\n" STAT DIFF "--\n2.40.0\nmore\n";

	for (gsize len = 0; len < sizeof(text); len++) {
		g_autofree char *copy = g_memdup2(text, MAX(len, 1));

		for (guint has_diff = 0; has_diff < 2; has_diff++) {
			struct patch_cut cut;

			patch_cut_text(&cut, copy, len, has_diff);
			ck_assert(cut.message >= copy && cut.notes >= copy);
			ck_assert(cut.message + cut.message_len <= copy + len);
			ck_assert(cut.notes + cut.notes_len <= copy + len);
			patch_cut_clear(&cut);
		}
	}
}
END_TEST

static Suite *patch_suite(void)
{
	Suite *suite = suite_create("patch");
	TCase *tc = tcase_create("patch");

	tcase_add_loop_test(tc, test_cases, 0, G_N_ELEMENTS(cases));
	tcase_add_loop_test(tc, test_wrappings, 0, G_N_ELEMENTS(wrappings));
	tcase_add_test(tc, test_attached);
	tcase_add_test(tc, test_tags);
	tcase_add_test(tc, test_cut_anywhere);
	tcase_add_loop_test(tc, test_older_links, 0, G_N_ELEMENTS(links));
	suite_add_tcase(suite, tc);
	return suite;
}

TEST_MAIN(patch_suite)
