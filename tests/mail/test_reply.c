/* test_reply.c - who gets an answer, its subject, its place in the thread */
#include <string.h>

#include "mail/recipients.h"
#include "mail/reply.h"
#include "mail/reply_howto.h"
#include "mail/subject.h"

#include "tests/test.h"

#define NOW G_GINT64_CONSTANT(1796126400) /* 2026-12-01 */

static message *mail_of(const char *head)
{
	g_autofree char *text = g_strconcat(head, "\nHello\n", NULL);
	g_autoptr(GBytes) raw = g_bytes_new(text, strlen(text));
	message *msg = message_parse(raw, 0, NULL);

	ck_assert_ptr_nonnull(msg);
	return msg;
}

/* ---- recipients */

static const struct {
	const char *head;
	gboolean everybody;
	const char *to, *cc;
} recipient_cases[] = {
	{"From: A <a@x.org>\nTo: B <b@x.org>\nCc: l@lists.x.org\n", TRUE,
	 "a@x.org", "b@x.org l@lists.x.org"},
	{"From: A <a@x.org>\nTo: B <b@x.org>\nCc: l@lists.x.org\n", FALSE,
	 "a@x.org", ""},
	{"From: A <a@x.org>\nReply-To: o@x.org\nTo: b@x.org\n", TRUE, "o@x.org",
	 "b@x.org"},
	/* a list put itself into Reply-To */
	{"From: A <a@x.org>\nReply-To: l@x.org\nTo: l@x.org\n", TRUE, "a@x.org",
	 "l@x.org"},
	{"From: A <a@x.org>\nMail-Reply-To: m@x.org\nReply-To: o@x.org\n"
	 "To: b@x.org\n",
	 FALSE, "m@x.org", ""},
	{"From: \"Jo Wu via L\" <l@lists.x.org>\nReply-To: Jo <jo@y.org>\n"
	 "To: ann@x.org\nCc: l@lists.x.org, Bot+r7k2m@Bot.example.org\n"
	 "List-Id: <l.lists.x.org>\n",
	 TRUE, "jo@y.org", "ann@x.org l@lists.x.org"},
	/* twice, ourselves, other bots, no addresses */
	{"From: a@x.org\nTo: B@x.org, b@X.org, A@x.org\n"
	 "Cc: syzbot+1f@x.com, bugzilla-daemon@x.org, no-reply@x.org, "
	 "undisclosed-recipients:;, c d, other@bot.example.org\n",
	 TRUE, "a@x.org", "B@x.org"},
	{"From: a@x.org\nTo: b@x.org\nMail-Followup-To: l@vger.kernel.org, "
	 "b@x.org\nCc: l@vger.kernel.org, k@vger.kernel.org, c@x.org\n",
	 TRUE, "l@vger.kernel.org", "b@x.org k@vger.kernel.org"},
	{"From: a@x.org\nTo: b@x.org\nMail-Followup-To: a@x.org, b@x.org\n",
	 TRUE, "a@x.org", "b@x.org"},
	/* of nobody who got it: not honest */
	{"From: a@x.org\nTo: b@x.org\nMail-Followup-To: victim@y.org\n", TRUE,
	 "a@x.org", "b@x.org"},
	{"From: a@x.org\nTo: b@x.org\nCc: l@vger.kernel.org\n"
	 "Mail-Copies-To: never\n",
	 TRUE, "l@vger.kernel.org", "b@x.org"},
	/* our own mail: where that went */
	{"From: bot@bot.example.org\nTo: b@x.org\nCc: c@x.org\n", TRUE,
	 "b@x.org", "c@x.org"},
	{"From: noreply@x.org\nTo: b@x.org\nCc: c@x.org\n", TRUE, "b@x.org",
	 "c@x.org"},
	{"From: noreply@x.org\nTo: bot@bot.example.org\n", TRUE, "", ""},
};

static char *addresses(GPtrArray *all)
{
	GString *out = g_string_new(NULL);

	for (guint i = 0; i < all->len; i++) {
		const struct address *a = all->pdata[i];

		g_string_append_printf(out, "%s%s", i ? " " : "", a->address);
	}
	return g_string_free(out, FALSE);
}

START_TEST(test_recipients)
{
	static const char *const own[] = {"bot@bot.example.org",
					  "other@bot.example.org", NULL};
	g_autoptr(message) msg = mail_of(recipient_cases[_i].head);
	g_autofree char *to = NULL;
	g_autofree char *cc = NULL;
	struct recipients r;

	recipients_of(msg, recipient_cases[_i].everybody, own, &r);
	to = addresses(r.to);
	cc = addresses(r.cc);
	recipients_clear(&r);
	ck_assert_str_eq(to, recipient_cases[_i].to);
	ck_assert_str_eq(cc, recipient_cases[_i].cc);
}
END_TEST

/* ---- subjects */

static const struct {
	const char *subject, *reply;
} subject_cases[] = {
	{"RE: [f2fs-dev] Re: [PATCH v2] f2fs: x", "Re: [PATCH v2] f2fs: x"},
	{"AW: Fwd: foo", "Re: foo"},
	{"Re[2]: foo", "Re: foo"},
	{"Vs: Ref: foo", "Re: foo"},
	{"答复：foo", "Re: foo"},
	{"Regression in foo", "Re: Regression in foo"},
	{"[lkp-robot] [f2fs]  4ac9: -33.7% aim7",
	 "Re: [lkp-robot] [f2fs] 4ac9: -33.7% aim7"},
	{"Re meep", "Re: Re meep"},
	{"Re: ", "Re: (no subject)"},
	{"", "Re: (no subject)"},
	{"Re: New talk (was: old)", "Re: New talk (was: old)"},
	{"[dm-devel] foo", "Re: [dm-devel] foo"},
};

START_TEST(test_subject)
{
	g_autofree char *got = subject_reply(subject_cases[_i].subject);

	ck_assert_str_eq(got, subject_cases[_i].reply);
}
END_TEST

/* ---- References */

static const struct {
	const char *head, *references;
} reference_cases[] = {
	{"Message-ID: <c@x>\nReferences: <a@x> <b@x> <a@x>\n",
	 "<b@x> <a@x> <c@x>"},
	{"Message-ID: <c@x>\nIn-Reply-To: <a@x> (Bob's message of Monday)\n",
	 "<a@x> <c@x>"},
	{"Message-ID: <c@x>\nIn-Reply-To: <a@x> <b@x>\n", "<c@x>"},
	{"Message-ID: <c@x>\n", "<c@x>"},
	{"Subject: no id\n", ""},
};

static char *references(const message *msg)
{
	g_autoptr(GPtrArray) ids = reply_references(msg);

	g_ptr_array_add(ids, NULL);
	return g_strjoinv(" ", (char **)ids->pdata);
}

START_TEST(test_references)
{
	g_autofree char *head =
		g_strconcat("From: a@x\n", reference_cases[_i].head, NULL);
	g_autoptr(message) msg = mail_of(head);
	g_autofree char *got = references(msg);

	ck_assert_str_eq(got, reference_cases[_i].references);
}
END_TEST

/* Long chains keep their first and their newest. */
START_TEST(test_many_references)
{
	g_autoptr(GString) head =
		g_string_new("Message-ID: <own@x>\nReferences:");
	g_autoptr(message) msg = NULL;
	g_autoptr(GPtrArray) ids = NULL;

	for (guint i = 0; i < 40; i++)
		g_string_append_printf(head, "\n <%u@x>", i);
	g_string_append_c(head, '\n');
	msg = mail_of(head->str);
	ids = reply_references(msg);
	ck_assert_uint_eq(ids->len, OUTGOING_LAST_REFS + 1);
	ck_assert_str_eq(ids->pdata[0], "<0@x>");
	ck_assert_str_eq(ids->pdata[1], "<31@x>");
	ck_assert_str_eq(ids->pdata[ids->len - 1], "<own@x>");
}
END_TEST

/* ---- attributions */

static const struct {
	const char *head;
	enum attribution_form form;
	const char *line;
} attribution_cases[] = {
	{"From: Ida Brandt <i@x>\nDate: Mon, 29 Mar 2021 20:23:45 +0200\n",
	 ATTRIBUTION_DEFAULT,
	 "On Mon, Mar 29, 2021 at 08:23:45PM +0200, Ida Brandt wrote:"},
	{"From: \"B, A (TI)\" <i@x>\nDate: Mon, 29 Mar 2021 00:05:00 GMT\n",
	 ATTRIBUTION_DEFAULT,
	 "On Mon, Mar 29, 2021 at 12:05:00AM +0000, B, A (TI) wrote:"},
	{"From: i@x\nDate: Mon, 5 Jul 2021 12:00:00 -0430\n",
	 ATTRIBUTION_DEFAULT,
	 "On Mon, Jul 05, 2021 at 12:00:00PM -0430, i wrote:"},
	{"From: =?utf-8?q?M=C3=BCller=2C_Eva?= <e@x>\n"
	 "Date: Tue, 05 Jan 2010 15:43:56 -0000\n",
	 ATTRIBUTION_DEFAULT,
	 "On Tue, Jan 05, 2010 at 03:43:56PM +0000, Müller, Eva wrote:"},
	{"From: A B <i@x>\n", ATTRIBUTION_DEFAULT, "A B wrote:"},
	{"From: =?iso-8859-2?Q?A=A0B?= <i@x>\n", ATTRIBUTION_DEFAULT,
	 "A B wrote:"},
	{"From: A B <i@x>\nDate: whenever\n", ATTRIBUTION_DEFAULT,
	 "A B wrote:"},
	{"From: A B <i@x>\nDate: Mon, 5 Jul 2021 12:00:00 -0430\n",
	 ATTRIBUTION_RFC, "On Mon, 5 Jul 2021 12:00:00 -0430, A B wrote:"},
	{"From: A B <i@x>\nDate: Mon, 5 Jul 2021 12:00:00 -0430\n",
	 ATTRIBUTION_ISO, "On 2021-07-05 12:00 -0430, A B wrote:"},
	{"From: A B <i@x>\nDate: Mon, 5 Jul 2021 12:00:00 -0430\n",
	 ATTRIBUTION_SHORT, "On 07/05, A B wrote:"},
};

START_TEST(test_attribution)
{
	g_autoptr(message) msg = mail_of(attribution_cases[_i].head);
	g_autofree char *got =
		attribution_line(msg, attribution_cases[_i].form, NOW);

	ck_assert_str_eq(got, attribution_cases[_i].line);
}
END_TEST

/* ---- the whole */

START_TEST(test_same_twice)
{
	g_autoptr(message) msg =
		mail_of("From: A <a@x.org>\nTo: b@x.org\nSubject: s\n"
			"Message-ID: <p@x.org>\n");
	struct quote_anchor anchor = {1, 1, "Hi."};
	g_autoptr(address_auto) from = address_new("Bot", "bot@y.org");
	const struct reply_options opt = {.from = from,
					  .everybody = TRUE,
					  .now = NOW};
	g_autoptr(outgoing_auto) a = reply_new(msg, &anchor, 1, &opt, NULL);
	g_autoptr(outgoing_auto) b = reply_new(msg, &anchor, 1, &opt, NULL);

	ck_assert_str_eq(a->message_id, b->message_id);
	ck_assert(g_str_has_prefix(a->message_id, "<culprit.20261201"));
	ck_assert(g_str_has_suffix(a->message_id, "@y.org>"));
	ck_assert_str_eq(a->in_reply_to, "<p@x.org>");
	ck_assert_str_eq(a->body, "A wrote:\n> Hello\n\nHi.\n");
}
END_TEST

/* ---- for people */

static struct outgoing *answer_to(const char *cc)
{
	struct outgoing *m = outgoing_new();

	g_ptr_array_add(m->to, address_new("Ida", "ida+x@example.org"));
	g_ptr_array_add(m->cc, address_new("", cc));
	m->subject = g_strdup("Re: a & b, 50% off: ü");
	m->in_reply_to = g_strdup("<a$b@example.org>");
	return m;
}

START_TEST(test_howto)
{
	g_autoptr(outgoing_auto) m = answer_to("o'neil@example.org");
	g_autofree char *command = reply_command(m);
	g_autofree char *link = reply_mailto(m);

	ck_assert_str_eq(command, "git send-email --suppress-cc=all \\\n"
				  "    --in-reply-to='a$b@example.org' \\\n"
				  "    --to=ida+x@example.org \\\n"
				  "    --cc='o'\\''neil@example.org' \\\n"
				  "    YOUR_FILE\n");
	ck_assert_str_eq(link, "mailto:ida%2Bx@example.org?In-Reply-To="
			       "%3Ca%24b@example.org%3E&"
			       "Cc=o%27neil@example.org&"
			       "Subject=Re%3A%20a%20%26%20b%2C%2050%25%20off"
			       "%3A%20%C3%BC");
}
END_TEST

START_TEST(test_howto_too_long)
{
	g_autoptr(outgoing_auto) m = answer_to("b@example.org");
	g_autofree char *first = NULL;
	g_autofree char *second = NULL;

	g_free(m->subject);
	m->subject = g_strnfill(REPLY_MAILTO_MAX, 'x');
	first = reply_mailto(m);
	ck_assert(g_str_has_suffix(first, "Cc=b@example.org"));
	for (guint i = 0; i < 200; i++)
		g_ptr_array_add(m->cc, address_new("", "b@example.org"));
	second = reply_mailto(m);
	ck_assert_ptr_null(second);
}
END_TEST

static Suite *reply_suite(void)
{
	Suite *suite = suite_create("reply");
	TCase *tc = tcase_create("reply");

	tcase_add_loop_test(tc, test_recipients, 0,
			    G_N_ELEMENTS(recipient_cases));
	tcase_add_loop_test(tc, test_subject, 0, G_N_ELEMENTS(subject_cases));
	tcase_add_loop_test(tc, test_references, 0,
			    G_N_ELEMENTS(reference_cases));
	tcase_add_test(tc, test_many_references);
	tcase_add_loop_test(tc, test_attribution, 0,
			    G_N_ELEMENTS(attribution_cases));
	tcase_add_test(tc, test_same_twice);
	tcase_add_test(tc, test_howto);
	tcase_add_test(tc, test_howto_too_long);
	suite_add_tcase(suite, tc);
	return suite;
}

TEST_MAIN(reply_suite)
