/* test_message.c - the header of whole mails: ids, dates, people, copies */
#include "mail/error.h"

#include "tests/mail/message_help.h"

/* ---- ids */

static const struct id_case {
	const char *head;
	const char *id; /* NULL: made */
	const char *extra;
	const char *parent;
	const char *references;
	const char *all;
} ids[] = {
	{"Message-ID: <a@x>\n", "a@x", "", NULL, "", ""},
	{"Message-ID:\n <a@x>\n", "a@x", "", NULL, "", ""},
	{"Message-ID: <a@x> <b@x>\nMessage-ID: <c@x>\n", "a@x", "b@x c@x", NULL,
	 "", "b@x c@x"},
	{"Message-ID: <a@x>\nIn-Reply-To: <p@x>\nReferences: <r@x> <p@x>\n",
	 "a@x", "", "p@x", "r@x p@x", "r@x p@x"},
	/* a gateway's own id stands last */
	{"Message-ID: <a@x>\nIn-Reply-To: <p@x>\n"
	 "References: <r@x> <p@x> <CGME1@y>\n",
	 "a@x", "", "p@x", "r@x p@x CGME1@y", "r@x p@x CGME1@y"},
	{"Message-ID: <a@x>\nIn-Reply-To: <p@x>\n", "a@x", "", "p@x", "",
	 "p@x"},
	{"Message-ID: <a@x>\nReferences: <r@x>\n\t<s@x>\n", "a@x", "", "s@x",
	 "r@x s@x", "r@x s@x"},
	/* text around the id: References know better */
	{"Message-ID: <a@x>\nReferences: <r@x> <s@x>\n"
	 "In-Reply-To: <r@x> (X's message of \"Tue\")\n",
	 "a@x", "", "s@x", "r@x s@x", "r@x s@x"},
	{"Message-ID: <a@x>\nIn-Reply-To: <p@x> (X's message)\n", "a@x", "",
	 "p@x", "", "p@x"},
	{"Message-ID: <a@x>\nIn-Reply-To: <p@x> <q@x>\nReferences: <q@x>\n",
	 "a@x", "", "q@x", "q@x", "q@x p@x"},
	{"Message-ID: <a@x>\nIn-Reply-To: <p@x> <q@x>\nReferences: <r@x>\n",
	 "a@x", "", "p@x", "r@x", "r@x p@x q@x"},
	{"Message-ID: <a@x>\nIn-Reply-To: <p@x>\nIn-Reply-To: \n", "a@x", "",
	 "p@x", "", "p@x"},
	{"Message-ID: <a@x>\nReferences: <r@x>\nReferences: <s@x> <r@x>\n",
	 "a@x", "", "s@x", "r@x s@x", "r@x s@x"},
	/* itself, and addresses that people paste */
	{"Message-ID: <a@x>\nIn-Reply-To: <a@x>\nReferences: <r@x> <a@x>\n",
	 "a@x", "", "r@x", "r@x", "r@x"},
	{"Message-ID: <a@x>\nTo: L <List@example.org>\n"
	 "In-Reply-To: <list@example.org>\n",
	 "a@x", "", NULL, "", ""},
	{"Message-ID: <a@x>\nIn-Reply-To: y\n", "a@x", "", NULL, "", ""},
	{"Subject: x\n", NULL, "", NULL, "", ""},
};

START_TEST(test_ids)
{
	const struct id_case *c = &ids[_i];
	g_autofree char *raw = g_strdup_printf("%s\ntext\n", c->head);
	g_autoptr(message) msg = parse_text(raw);
	g_autofree char *extra = join(message_extra_ids(msg));
	g_autofree char *refs = join(message_references(msg));
	g_autofree char *all = join(message_thread_ids(msg));

	ck_assert_int_eq(message_id_made(msg), c->id == NULL);
	if (c->id)
		ck_assert_str_eq(message_id(msg), c->id);
	ck_assert_str_eq(extra, c->extra);
	ck_assert_pstr_eq(message_parent(msg), c->parent);
	ck_assert_str_eq(refs, c->references);
	ck_assert_str_eq(all, c->all);
}
END_TEST

START_TEST(test_made_id)
{
	static const char *const mails[] = {
		"From: a@x\nSubject: s\n\ntext\n",
		"From: a@x\nSubject: s\n\ntext\r\n",
		"From: a@x\nSubject: s\nX-Other: y\n\ntext\n",
		"From: a@x\nSubject: s\n\nother text\n",
	};
	message *m[G_N_ELEMENTS(mails)];
	guint i;

	for (i = 0; i < G_N_ELEMENTS(mails); i++)
		m[i] = parse_text(mails[i]);
	ck_assert_str_eq(message_id(m[0]), message_id(m[1]));
	ck_assert_str_eq(message_id(m[0]), message_id(m[2]));
	ck_assert_str_ne(message_id(m[0]), message_id(m[3]));
	ck_assert(g_str_has_suffix(message_id(m[0]), "@missing.invalid"));
	for (i = 0; i < G_N_ELEMENTS(mails); i++)
		message_unref(m[i]);
}
END_TEST

/* ---- dates */

#define T2020 G_GINT64_CONSTANT(1583226000) /* 3 Mar 2020 09:00 UTC */

static const struct date_case {
	const char *head;
	gint64 received;
	gint64 date;
	const char *zone;
	const char *warnings;
} dates[] = {
	{"Date: Tue, 3 Mar 2020 10:00:00 +0100\n", 0, T2020, "+0100", ""},
	{"Date: Tue, 3 Mar 2020 10:00:00 +0100\n", T2020 + 60, T2020, "+0100",
	 ""},
	{"Date: Tue, 3 Mar 2020 09:00:00 GMT\n", 0, T2020, "+0000", ""},
	{"Date: Fri, 3 Mar 2028 10:00:00 +0100\n", T2020, T2020, "+0100",
	 "future-date"},
	{"Received: from x by y; Tue, 3 Mar 2020 10:00:00 +0100\n"
	 "Received: from w by x; Tue, 3 Mar 2020 08:00:00 +0100\n"
	 "Date: Fri, 3 Mar 2028 10:00:00 +0100\n",
	 0, T2020, "+0100", "future-date"},
	{"Received: from x by y; Tue, 3 Mar 2020 10:00:00 +0100\n", T2020 + 5,
	 T2020, NULL, "no-date"},
	{"Received: from x by y; Tue, 3 Mar 2020 10:00:00 +0100\n", T2020 - 5,
	 T2020, NULL, "no-date"},
	/* a hop's clock is ahead, too */
	{"Received: from x by y; Tue, 19 Jan 2038 10:00:00 +0100\n"
	 "Date: Tue, 19 Jan 2038 10:00:00 +0100\n",
	 T2020, T2020, "+0100", "future-date"},
	{"Received: from x by y; Tue, 19 Jan 2038 10:00:00 +0100\n"
	 "Date: Tue, 3 Mar 2020 10:00:00 +0100\n",
	 T2020 + 5, T2020, "+0100", ""},
	{"Received: from x by y; Tue, 19 Jan 2038 10:00:00 +0100\n", T2020,
	 T2020, NULL, "no-date"},
	{"Date: soon\n", 5, 5, NULL, "bad-date"},
	{"Date: soon\n", 0, 0, NULL, "bad-date"},
	{"Subject: x\n", 7, 7, NULL, "no-date"},
};

START_TEST(test_date)
{
	const struct date_case *c = &dates[_i];
	g_autofree char *raw =
		g_strdup_printf("Message-ID: <a@x>\nFrom: a@x\n%s\ntext\n",
				c->head);
	g_autoptr(message) msg = parse(raw, strlen(raw), c->received);
	g_autofree char *warnings = warning_codes(msg);

	ck_assert_int_eq(message_date(msg), c->date);
	ck_assert_pstr_eq(message_date_zone(msg), c->zone);
	ck_assert_str_eq(warnings, c->warnings);
}
END_TEST

/* ---- people, subjects, lists */

START_TEST(test_header)
{
	g_autoptr(message) msg =
		parse_text("From: =?utf-8?q?J=C3=B6rg?= <j@example.org>\n"
			   "Sender: list-owner@example.org\n"
			   "Reply-To: j2@example.org\n"
			   "To: a@example.org,\n b@example.org\n"
			   "To: c@example.org\n"
			   "Cc: \"D, E\" <d@example.org>\n"
			   "Subject: =?utf-8?b?Z3LDvMOf?=\n =?utf-8?q?_dich?=\n"
			   "List-Id: Dev list <Dev.Lists.example.org>\n"
			   "List-Id: <other.example.org>\n"
			   "X-Mailing-List: dev@lists.example.org\n"
			   "Message-ID: <m@example.org>\n\nx\n");
	g_autofree char *lists = join(message_list_ids(msg));
	const struct address *d;

	ck_assert_str_eq(message_from(msg)->name, "Jörg");
	ck_assert_str_eq(message_from(msg)->address, "j@example.org");
	ck_assert_str_eq(message_from_header(msg), "Jörg <j@example.org>");
	ck_assert_str_eq(message_sender(msg)->address,
			 "list-owner@example.org");
	ck_assert_uint_eq(message_reply_to(msg)->len, 1);
	ck_assert_uint_eq(message_to(msg)->len, 3);
	ck_assert_uint_eq(message_cc(msg)->len, 1);
	d = g_ptr_array_index(message_cc(msg), 0);
	ck_assert_str_eq(d->name, "D, E");
	ck_assert_str_eq(message_subject(msg), "grüß dich");
	ck_assert_str_eq(lists, "dev.lists.example.org other.example.org");
}
END_TEST

START_TEST(test_bare)
{
	g_autoptr(message) msg = parse_text("X: y\n\n");

	ck_assert_str_eq(message_subject(msg), "");
	ck_assert_str_eq(message_from(msg)->address, "");
	ck_assert_str_eq(message_from_header(msg), "");
	ck_assert_ptr_null(message_sender(msg));
	ck_assert_ptr_null(message_in_reply_to(msg));
	ck_assert_uint_eq(message_to(msg)->len, 0);
	ck_assert_int_eq(message_date(msg), 0);
}
END_TEST

START_TEST(test_not_mail)
{
	static const char *const texts_[] = {"", "\n\n", "hello world\n",
					     "diff --git a/x b/x\n"};
	g_autoptr(GBytes) raw =
		g_bytes_new_static(texts_[_i], strlen(texts_[_i]));
	g_autoptr(GError) err = NULL;

	ck_assert_ptr_null(message_parse(raw, 0, &err));
	ck_assert(g_error_matches(err, MAIL_ERROR, MAIL_ERROR_NOT_MAIL));
}
END_TEST

/* ---- copies */

enum same {
	SAME_ALL,
	SAME_LOOSE, /* what a list changes */
	SAME_NONE,
};

static const struct {
	const char *name;
	const char *mail;
	enum same same;
} copies[] = {
	{"itself",
	 "From: A <a@x>\nTo: l@x\nSubject: [PATCH 1/2] s\n"
	 "References: <r@x> <s@x>\nDate: Tue, 3 Mar 2020 10:00:00 +0100\n"
	 "Message-ID: <m@x>\n\nhello\n",
	 SAME_ALL},
	{"another way, CRLF, order of ids",
	 "Received: by y\nFrom:  \"A\" <a@X>\nTo: l@X\n"
	 "Subject: [PATCH 1/2]\n s\nReferences: <s@x> <r@x>\n"
	 "Date: Tue, 3 Mar 2020 10:00:00 +0100\nMessage-ID: <m@x>\n\n"
	 "hello\r\n\r\n",
	 SAME_ALL},
	{"another encoding",
	 "From: A <a@x>\nTo: l@x\nSubject: =?utf-8?q?[PATCH_1/2]_s?=\n"
	 "References: <r@x> <s@x>\nDate: Tue, 3 Mar 2020 10:00:00 +0100\n"
	 "Content-Transfer-Encoding: base64\nMessage-ID: <m@x>\n\naGVsbG8=\n",
	 SAME_ALL},
	{"through a list",
	 "From: A via Dev <dev@y>\nReply-To: A <a@x>\nList-Id: <dev.y>\n"
	 "To: dev@y\nSubject: [f2fs-dev] [PATCH 1/2] s\n"
	 "Date: Tue, 3 Mar 2020 10:00:00 +0100\nMessage-ID: <m@x>\n\nhello\n\n"
	 "_______________________________________________\n"
	 "Dev mailing list\nhttps://y/listinfo\n",
	 SAME_LOOSE},
	{"another text",
	 "From: A <a@x>\nTo: l@x\nSubject: [PATCH 1/2] s\n"
	 "References: <r@x> <s@x>\nDate: Tue, 3 Mar 2020 10:00:00 +0100\n"
	 "Message-ID: <m@x>\n\nhello!\n",
	 SAME_NONE},
	{"another number",
	 "From: A <a@x>\nTo: l@x\nSubject: [PATCH 2/2] s\n"
	 "References: <r@x> <s@x>\nDate: Tue, 3 Mar 2020 10:00:00 +0100\n"
	 "Message-ID: <m@x>\n\nhello\n",
	 SAME_NONE},
	{"another author",
	 "From: A <b@x>\nTo: l@x\nSubject: [PATCH 1/2] s\n"
	 "References: <r@x> <s@x>\nDate: Tue, 3 Mar 2020 10:00:00 +0100\n"
	 "Message-ID: <m@x>\n\nhello\n",
	 SAME_NONE},
	{"another day",
	 "From: A <a@x>\nTo: l@x\nSubject: [PATCH 1/2] s\n"
	 "References: <r@x> <s@x>\nDate: Wed, 4 Mar 2020 10:00:00 +0100\n"
	 "Message-ID: <m@x>\n\nhello\n",
	 SAME_NONE},
	{"a further part",
	 "From: A <a@x>\nTo: l@x\nSubject: [PATCH 1/2] s\n"
	 "References: <r@x> <s@x>\nDate: Tue, 3 Mar 2020 10:00:00 +0100\n"
	 "Message-ID: <m@x>\nContent-Type: multipart/mixed; boundary=b\n\n"
	 "--b\n\nhello\n--b\nContent-Type: image/png\n\nx\n--b--\n",
	 SAME_LOOSE},
};

START_TEST(test_hashes)
{
	g_autoptr(message) a = parse_text(copies[0].mail);
	g_autoptr(message) b = parse_text(copies[_i].mail);
	guint8 ha[32], hb[32];
	enum same same = copies[_i].same;

	message_content_hash(a, ha);
	message_content_hash(b, hb);
	ck_assert_msg((memcmp(ha, hb, 32) == 0) == (same == SAME_ALL),
		      "content: %s", copies[_i].name);
	message_loose_hash(a, ha);
	message_loose_hash(b, hb);
	ck_assert_msg((memcmp(ha, hb, 32) == 0) == (same != SAME_NONE),
		      "loose: %s", copies[_i].name);
}
END_TEST

static Suite *message_suite(void)
{
	Suite *s = suite_create("message");
	TCase *t = tcase_create("message");

	tcase_add_loop_test(t, test_ids, 0, G_N_ELEMENTS(ids));
	tcase_add_test(t, test_made_id);
	tcase_add_loop_test(t, test_date, 0, G_N_ELEMENTS(dates));
	tcase_add_test(t, test_header);
	tcase_add_test(t, test_bare);
	tcase_add_loop_test(t, test_not_mail, 0, 4);
	tcase_add_loop_test(t, test_hashes, 0, G_N_ELEMENTS(copies));
	suite_add_tcase(s, t);
	return s;
}

TEST_MAIN(message_suite)
