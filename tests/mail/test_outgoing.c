/* test_outgoing.c - mails of our own as bytes, read back by GMime */
#include <gmime/gmime.h>
#include <string.h>

#include "mail/error.h"
#include "mail/header.h"
#include "mail/outgoing.h"
#include "mail/own_text.h"

#include "tests/test.h"

static struct outgoing *mail_new(const char *body)
{
	struct outgoing *m = outgoing_new();

	m->from = address_new("Culprit", "bot@example.org");
	g_ptr_array_add(m->to, address_new("Ida Brandt", "ida@example.org"));
	m->subject = g_strdup("Re: x");
	m->date = 1791965722;
	m->message_id = g_strdup("<1@example.org>");
	m->in_reply_to = g_strdup("<0@example.org>");
	g_ptr_array_add(m->references, g_strdup("<0@example.org>"));
	m->body = g_strdup(body);
	return m;
}

static char *bytes_of(const struct outgoing *m, enum outgoing_form form,
		      gboolean eight_bit)
{
	g_autoptr(GBytes) raw = outgoing_write(m, form, eight_bit, NULL);
	gsize len;
	const char *data;

	ck_assert_ptr_nonnull(raw);
	data = g_bytes_get_data(raw, &len);
	return g_strndup(data, len);
}

START_TEST(test_plain)
{
	g_autoptr(outgoing_auto) m = mail_new("Hello\nFrom here\n");
	g_autofree char *eml = bytes_of(m, OUTGOING_EML, TRUE);
	g_autofree char *mbox = bytes_of(m, OUTGOING_MBOX, TRUE);
	g_autofree char *wire = bytes_of(m, OUTGOING_WIRE, TRUE);

	ck_assert_str_eq(eml, "From: Culprit <bot@example.org>\n"
			      "To: Ida Brandt <ida@example.org>\n"
			      "Subject: Re: x\n"
			      "Date: Wed, 14 Oct 2026 08:15:22 +0000\n"
			      "Message-ID: <1@example.org>\n"
			      "In-Reply-To: <0@example.org>\n"
			      "References: <0@example.org>\n"
			      "MIME-Version: 1.0\n"
			      "Content-Type: text/plain; charset=us-ascii\n"
			      "Content-Transfer-Encoding: 7bit\n"
			      "\nHello\nFrom here\n");
	ck_assert(g_str_has_prefix(
		mbox, "From mboxrd@z Thu Jan  1 00:00:00 1970\nFrom: "));
	ck_assert(g_str_has_suffix(mbox, "Hello\n>From here\n\n"));
	ck_assert(g_str_has_suffix(wire, "\r\n\r\nHello\r\nFrom here\r\n"));
	for (char *p = wire; (p = strchr(p, '\n')); p++)
		ck_assert(p[-1] == '\r');
}
END_TEST

/* ---- what a mail program gets of it */

static const struct {
	const char *body;
	gboolean eight_bit;
	const char *encoding;
} bodies[] = {
	{"plain\n", FALSE, "7bit"},
	{"Größe\n", TRUE, "8bit"},
	{"Größe\n", FALSE, "quoted-printable"},
	{".\n..\nFrom me\nend = 1 \n\t\n", FALSE, "7bit"},
	{"ü\n.\n..\nFrom me\nend = 1 \n\t\n", FALSE, "quoted-printable"},
	{"a\rb\n", TRUE, "quoted-printable"},
	{"性能回归仍然存在，我们在最新的内核上重新运行了这个测试，结果与之前的"
	 "报告基本一致。\n",
	 FALSE, "quoted-printable"},
};

static char *decoded(const char *wire)
{
	g_autofree char *text = NULL;
	g_auto(GStrv) lines = NULL;
	GMimeStream *stream;
	GMimeParser *parser;
	GMimeMessage *msg;

	g_mime_init();
	stream = g_mime_stream_mem_new_with_buffer(wire, strlen(wire));
	parser = g_mime_parser_new_with_stream(stream);
	msg = g_mime_parser_construct_message(parser, NULL);
	text = g_mime_text_part_get_text(
		GMIME_TEXT_PART(g_mime_message_get_mime_part(msg)));
	lines = g_strsplit(text, "\r\n", -1);
	g_object_unref(msg);
	g_object_unref(parser);
	g_object_unref(stream);
	return g_strjoinv("\n", lines);
}

START_TEST(test_bodies)
{
	g_autoptr(outgoing_auto) m = mail_new(bodies[_i].body);
	g_autofree char *wire =
		bytes_of(m, OUTGOING_WIRE, bodies[_i].eight_bit);
	g_autofree char *field =
		g_strconcat("Content-Transfer-Encoding: ", bodies[_i].encoding,
			    "\r\n", NULL);
	g_autofree char *text = decoded(wire);
	g_auto(GStrv) lines = g_strsplit(wire, "\r\n", -1);

	ck_assert_ptr_nonnull(strstr(wire, field));
	ck_assert_str_eq(text, bodies[_i].body);
	for (guint i = 0; lines[i]; i++)
		ck_assert(strlen(lines[i]) <= OUTGOING_LINE);
}
END_TEST

/* A line beyond what SMTP carries is not cut. */
START_TEST(test_long_line)
{
	g_autofree char *line = g_strnfill(1200, 'x');
	g_autofree char *body = g_strconcat("> ", line, "\n", NULL);
	g_autoptr(outgoing_auto) m = mail_new(body);
	g_autofree char *wire = bytes_of(m, OUTGOING_WIRE, TRUE);
	g_autofree char *text = decoded(wire);
	g_auto(GStrv) lines = g_strsplit(wire, "\r\n", -1);

	ck_assert_str_eq(text, body);
	for (guint i = 0; lines[i]; i++)
		ck_assert(strlen(lines[i]) <= 76);
}
END_TEST

static const char *const texts[] = {
	"Re: btrfs: größer",
	"ü",
	"Re: =?utf-8?q?no?=",
	"a  b",
	"Re: a very long subject that has to be folded somewhere since it is "
	"longer than a line may be, with ä at its end",
	"性能回归仍然存在，我们在最新的内核上重新运行了这个测试，结果与之前",
};

START_TEST(test_subjects)
{
	g_autoptr(outgoing_auto) m = mail_new("x\n");
	g_autofree char *eml = NULL;
	g_autofree char *want = NULL;
	g_autoptr(header) h = NULL;
	g_autofree char *got = NULL;
	g_auto(GStrv) blanks = g_strsplit(texts[_i], "  ", -1);

	g_free(m->subject);
	m->subject = g_strdup(texts[_i]);
	want = g_strjoinv(" ", blanks);
	eml = bytes_of(m, OUTGOING_EML, TRUE);
	h = header_scan(eml, strlen(eml), NULL);
	got = header_dup_decoded(h, "Subject");
	ck_assert_str_eq(got, want);
	for (const char *p = eml; *p && strncmp(p, "\n\n", 2); p++)
		ck_assert((guchar)*p < 0x80);
}
END_TEST

static const char *const names[] = {
	"",	      "Foo Bar",	"Quux, Foo", "Müller, Eva",
	"A \"B\" C",  "back\\slash",	"J. R. Doe", "Jane (TI)",
	"性能回归仍", "=?utf-8?q?no?=", "a@b",	     "Ünal Öz Ğül Şah Çağ Ürün",
};

START_TEST(test_names)
{
	g_autoptr(outgoing_auto) m = mail_new("x\n");
	g_autofree char *eml = NULL;
	g_autoptr(header) h = NULL;
	g_autofree char *value = NULL;
	g_autoptr(GPtrArray) got = NULL;

	g_ptr_array_add(m->cc, address_new(names[_i], "foo@example.org"));
	g_ptr_array_add(m->cc, address_new("", "bar@example.org"));
	eml = bytes_of(m, OUTGOING_EML, TRUE);
	h = header_scan(eml, strlen(eml), NULL);
	value = header_dup(h, "Cc");
	got = address_parse_list(value);
	ck_assert_uint_eq(got->len, 2);
	ck_assert_str_eq(((struct address *)got->pdata[0])->name, names[_i]);
	ck_assert_str_eq(((struct address *)got->pdata[0])->address,
			 "foo@example.org");
}
END_TEST

/* ---- refused */

START_TEST(test_refused)
{
	g_autoptr(outgoing_auto) m = mail_new("x\n");
	g_autoptr(GError) err = NULL;

	g_free(m->subject);
	m->subject = g_strdup("a\nBcc: victim@example.org");
	ck_assert_ptr_null(outgoing_write(m, OUTGOING_EML, TRUE, &err));
	ck_assert(g_error_matches(err, MAIL_ERROR, MAIL_ERROR_SYNTAX));
	g_clear_error(&err);
	g_free(m->subject);
	m->subject = g_strdup("a");
	g_ptr_array_add(m->cc, address_new("x", "a@x\r\nBcc: v@example.org"));
	ck_assert_ptr_null(outgoing_write(m, OUTGOING_EML, TRUE, &err));
	g_clear_error(&err);
	g_ptr_array_set_size(m->cc, 0);
	g_ptr_array_set_size(m->to, 0);
	ck_assert_ptr_null(outgoing_write(m, OUTGOING_EML, TRUE, &err));
	ck_assert_str_eq(err->message, "nobody is left to send it to");
}
END_TEST

/* ---- our own words */

static const struct {
	const char *text, *wrapped;
} own[] = {
	{"The regression was reported for 4ac912427c and is gone since "
	 "1382c0f3f9, see the rerun at "
	 "https://lore.example.org/all/20170317005827.GA11903@example.org/",
	 "The regression was reported for 4ac912427c and is gone since "
	 "1382c0f3f9,\nsee the rerun at\n"
	 "https://lore.example.org/all/20170317005827.GA11903@example.org/\n"},
	{"a \nb\t\n", "a\nb\n"},
	{"  #culprit fix: a long line that is longer than seventy-two columns "
	 "and stays",
	 "  #culprit fix: a long line that is longer than seventy-two columns "
	 "and stays\n"},
	{"x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x "
	 "x x From here on it is fine",
	 "x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x "
	 "x\nx From here on it is fine\n"},
	{"Reviewed-by: A Person With A Really Long Name In It For The Sake Of "
	 "It <a@example.org>",
	 "Reviewed-by: A Person With A Really Long Name In It For The Sake Of "
	 "It <a@example.org>\n"},
};

START_TEST(test_own_text)
{
	g_autoptr(GString) out = g_string_new(NULL);

	own_text_wrap(out, own[_i].text);
	ck_assert_str_eq(out->str, own[_i].wrapped);
}
END_TEST

static Suite *outgoing_suite(void)
{
	Suite *suite = suite_create("outgoing");
	TCase *tc = tcase_create("outgoing");

	tcase_add_test(tc, test_plain);
	tcase_add_loop_test(tc, test_bodies, 0, G_N_ELEMENTS(bodies));
	tcase_add_test(tc, test_long_line);
	tcase_add_loop_test(tc, test_subjects, 0, G_N_ELEMENTS(texts));
	tcase_add_loop_test(tc, test_names, 0, G_N_ELEMENTS(names));
	tcase_add_test(tc, test_refused);
	tcase_add_loop_test(tc, test_own_text, 0, G_N_ELEMENTS(own));
	suite_add_tcase(suite, tc);
	return suite;
}

TEST_MAIN(outgoing_suite)
