/* test_bounce.c - our own mail that came back */
#include <string.h>

#include "mail/bounce.h"

#include "tests/test.h"

static const char own[] = "bot@bot.example.org";

static const struct {
	const char *address;
	gboolean is_one;
	gint64 outbox;
	guint number;
} addresses[] = {
	{"bot+b-12-1@bot.example.org", TRUE, 12, 1},
	{"BOT+B-12-0@Bot.Example.Org", TRUE, 12, 0},
	{"bot+b-12@bot.example.org", FALSE, 0, 0},
	{"bot+b-12-@bot.example.org", FALSE, 0, 0},
	{"bot+b--1@bot.example.org", FALSE, 0, 0},
	{"bot+b-12-1@bot.example.org.evil.example", FALSE, 0, 0},
	{"bot+b-12-1x@bot.example.org", FALSE, 0, 0},
	{"bot+b-99999999999999999999999-1@bot.example.org", FALSE, 0, 0},
	{"bot+b-1-99999999999@bot.example.org", FALSE, 0, 0},
	{"rob+b-12-1@bot.example.org", FALSE, 0, 0},
	{"bot+r7k2m@bot.example.org", FALSE, 0, 0},
	{"bot@bot.example.org", FALSE, 0, 0},
	{"", FALSE, 0, 0},
};

START_TEST(test_address)
{
	gint64 outbox = 0;
	guint number = 0;

	ck_assert_int_eq(bounce_address(addresses[_i].address, own, &outbox,
					&number),
			 addresses[_i].is_one);
	if (addresses[_i].is_one) {
		ck_assert_int_eq(outbox, addresses[_i].outbox);
		ck_assert_uint_eq(number, addresses[_i].number);
	}
}
END_TEST

static const char report[] =
	"From: Mail Delivery System <mailer-daemon@mx.example.org>\n"
	"To: bot+b-12-0@bot.example.org\n"
	"Subject: Mail delivery failed\n"
	"Message-ID: <E1@mx.example.org>\n"
	"MIME-Version: 1.0\n"
	"Content-Type: multipart/report; report-type=delivery-status; "
	"boundary=b\n\n"
	"--b\nContent-Type: text/plain\n\nIt failed.\nAction: failed\n\n"
	"--b\nContent-Type: message/delivery-status\n\n"
	"Reporting-MTA: dns; mx.example.org\n\n"
	"Action: failed\nFinal-Recipient: rfc822;ann@example.org\n"
	"Status: 5.1.1\nDiagnostic-Code: smtp; 550 no\n such user\n\n"
	"Action: delayed\nFinal-Recipient: rfc822;bob@example.org\n"
	"Status: 4.4.1\n\n"
	"action: FAILED\nfinal-recipient: RFC822; <eve@example.org>\n"
	"status: 5.2.2 (full)\n"
	"--b\nContent-Type: message/rfc822\n\n"
	"From: bot@bot.example.org\n\nAction: failed\n"
	"--b--\n";

static struct bounce *read_text(const char *text, gsize len)
{
	g_autoptr(GBytes) raw = g_bytes_new(text, len);
	g_autoptr(GError) err = NULL;
	g_autoptr(message) msg = message_parse(raw, 0, &err);

	return msg ? bounce_read(msg, own) : NULL;
}

START_TEST(test_report)
{
	g_autoptr(bounce_auto) b = read_text(report, strlen(report));
	const struct bounce_failed *f;

	ck_assert_ptr_nonnull(b);
	ck_assert_int_eq(b->outbox, 12);
	ck_assert_uint_eq(b->number, 0);
	ck_assert_uint_eq(b->failed->len, 2);
	f = b->failed->pdata[0];
	ck_assert_str_eq(f->address, "ann@example.org");
	ck_assert_str_eq(f->status, "5.1.1");
	ck_assert_str_eq(f->text, "550 no such user");
	f = b->failed->pdata[1];
	ck_assert_str_eq(f->address, "eve@example.org");
	ck_assert_str_eq(f->status, "5.2.2");
	ck_assert_str_eq(f->text, "");
}
END_TEST

/* What the one who delivers writes down counts, too. */
START_TEST(test_delivered_to)
{
	static const char text[] =
		"From: mailer-daemon@mx.example.org\n"
		"Delivered-To: bot+b-3-2@bot.example.org\n"
		"Message-ID: <E2@mx.example.org>\nSubject: failure\n\nno\n";
	g_autoptr(bounce_auto) b = read_text(text, strlen(text));

	ck_assert_int_eq(b->outbox, 3);
	ck_assert_uint_eq(b->number, 2);
	ck_assert_uint_eq(b->failed->len, 0);
}
END_TEST

START_TEST(test_cut_anywhere)
{
	for (gsize len = 0; len <= strlen(report); len++)
		bounce_free(read_text(report, len));
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("bounce");
	TCase *t = tcase_create("bounce");

	tcase_add_loop_test(t, test_address, 0, G_N_ELEMENTS(addresses));
	tcase_add_test(t, test_report);
	tcase_add_test(t, test_delivered_to);
	tcase_add_test(t, test_cut_anywhere);
	suite_add_tcase(s, t);
	return s;
}

TEST_MAIN(suite)
