/* test_message_text.c - which text of a mail is read, and what damage does */
#include "tests/mail/message_help.h"

/* ---- bodies */

#define HEAD                                     \
	"From: A Person <a@example.org>\n"       \
	"Date: Tue, 3 Mar 2020 10:00:00 +0100\n" \
	"Message-ID: <m1@example.org>\n"
#define MULTI(kind) \
	HEAD "Content-Type: multipart/" kind "; boundary=\"b 1\"\n\n"
#define PART(type, text) "--b 1\nContent-Type: " type "\n\n" text "\n"
#define DIFF		 "--- a/f\n+++ b/f\n@@ -1 +1 @@\n-\t1\n+\t2\n"

static const struct text_case {
	const char *name;
	const char *mail;
	const char *body;
	const char *patch;	 /* NULL: as the body */
	const char *attachments; /* "" if NULL */
	const char *warnings;	 /* "" if NULL */
} texts[] = {
	{"plain", HEAD "\nhello\n", "hello\n", NULL, NULL, NULL},
	{"no final newline", HEAD "\nhello", "hello\n", NULL, NULL, NULL},
	{"no body", HEAD "\n", "", NULL, NULL, NULL},
	{"header only, cut off", HEAD, "", NULL, NULL, NULL},
	{"CRLF", HEAD "\nhello\r\nworld\r\n", "hello\nworld\n", NULL, NULL,
	 NULL},
	{"a CR of its own stays", HEAD "\na\rb\r\r\n", "a\rb\r\n", NULL, NULL,
	 NULL},
	{"no MIME header, UTF-8", HEAD "\ngrüß\n", "grüß\n", NULL, NULL, NULL},
	{"no MIME header, Latin-1", HEAD "\ngr\xfc\xdf\n", "grüß\n",
	 "gr\xfc\xdf\n", NULL, NULL},
	{"declared charset",
	 HEAD "Content-Type: text/plain; charset=iso-8859-1\n\n4 \xb1 2%\n",
	 "4 ± 2%\n", "4 \xb1 2%\n", NULL, NULL},
	{"unknown charset",
	 HEAD "Content-Type: text/plain; charset=klingon\n\ngrüß\n", "grüß\n",
	 NULL, NULL, "unknown-charset"},
	{"wrong charset",
	 HEAD "Content-Type: text/plain; charset=utf-8\n\ngr\xfc\xdf\n",
	 "grüß\n", "gr\xfc\xdf\n", NULL, "bad-charset"},
	{"quoted-printable",
	 HEAD "Content-Transfer-Encoding: quoted-printable\n\n"
	      "a=20=\nb =C2=B1=3D=\r\n.\n",
	 "a b ±=.\n", NULL, NULL, NULL},
	{"quoted-printable that is not",
	 HEAD "Content-Transfer-Encoding: quoted-printable\n\na=b 100=% =\n",
	 "a=b 100=% \n", NULL, NULL, NULL},
	{"base64", HEAD "Content-Transfer-Encoding: base64\n\naGVs\nbG8=\n",
	 "hello\n", NULL, NULL, NULL},
	{"base64 with a plain footer below",
	 HEAD "Content-Transfer-Encoding: base64\n\naGVsbG8K\n--\n"
	      "To unsubscribe from this list\n",
	 "hello\n", NULL, NULL, NULL},
	{"base64 of CRLF text",
	 HEAD "Content-Transfer-Encoding: BASE64\n\nYQ0KYg0K\n", "a\nb\n", NULL,
	 NULL, NULL},
	{"8-bit is no legal token",
	 HEAD "Content-Transfer-Encoding: 8-bit\n\na=3D\n", "a=3D\n", NULL,
	 NULL, NULL},
	{"flowed",
	 HEAD "Content-Type: text/plain; format=flowed\n\none \ntwo\n> a \n"
	      "> b\n",
	 "one two\n> a b\n", "one \ntwo\n> a \n> b\n", NULL, NULL},
	{"flowed patch of a mailer that stuffs",
	 HEAD "Content-Type: text/plain; format=flowed\n\nwhy \nnot\n"
	      "--- a/f\n+++ b/f\n@@ -1,2 +1 @@\n-\t1\n  \tx\n",
	 "why \nnot\n--- a/f\n+++ b/f\n@@ -1,2 +1 @@\n-\t1\n \tx\n", NULL, NULL,
	 NULL},
	{"flowed patch of one that does not",
	 HEAD "Content-Type: text/plain; format=flowed\n\nwhy \nnot\n"
	      "--- a/f\n+++ b/f\n@@ -1,2 +1 @@\n-\t1\n \tx\n",
	 "why \nnot\n--- a/f\n+++ b/f\n@@ -1,2 +1 @@\n-\t1\n \tx\n", NULL, NULL,
	 NULL},
	{"signed",
	 MULTI("signed") PART("text/plain", "hello\n")
		 PART("application/pgp-signature", "xyz") "--b 1--\n",
	 "hello\n", NULL, "unnamed (application/pgp-signature, 3 bytes)", NULL},
	{"preamble and epilogue are not read",
	 MULTI("mixed") "preamble\n" PART("text/plain",
					  "hello") "--b 1--\nepilogue\n",
	 "hello\n", NULL, NULL, NULL},
	{"no last boundary", MULTI("mixed") PART("text/plain", "hello"),
	 "hello\n", NULL, NULL, NULL},
	{"a part without a header",
	 MULTI("mixed") "--b 1\n\nX: text\n--b 1--\n", "X: text\n", NULL, NULL,
	 NULL},
	{"two texts",
	 MULTI("mixed") PART("text/plain", "one")
		 PART("text/plain", "two") "--b 1--\n",
	 "one\ntwo\n", "one\n", NULL, NULL},
	{"alternative",
	 MULTI("alternative") PART("text/plain", "hello")
		 PART("text/html", "<p>hello") "--b 1--\n",
	 "hello\n", NULL, NULL, NULL},
	{"HTML alone", HEAD "Content-Type: text/html\n\n<p>a &lt; b</p><p>c",
	 "a < b\n\nc\n", "<p>a &lt; b</p><p>c\n", NULL, NULL},
	{"HTML and the footer of a list",
	 MULTI("mixed") PART("text/html", "<b>hello</b>")
		 PART("text/plain", "____________________\nlist\n") "--b 1--\n",
	 "hello\n____________________\nlist\n", "<b>hello</b>\n", NULL, NULL},
	{"a boundary that is the beginning of another",
	 MULTI("mixed") PART("text/plain", "one\n--b 12") "--b 1--\n",
	 "one\n--b 12\n", NULL, NULL, NULL},
	{"nested",
	 MULTI("mixed") "--b 1\nContent-Type: multipart/signed; boundary=c\n\n"
			"--c\n\nin\n--c--\n" PART("text/plain",
						  "out") "--b 1--\n",
	 "in\nout\n", "in\n", NULL, NULL},
	{"an inner part that the outer boundary ends",
	 MULTI("mixed") "--b 1\nContent-Type: multipart/signed; boundary=c\n\n"
			"--c\n\nin\n" PART("text/plain", "out") "--b 1--\n",
	 "in\nout\n", "in\n", NULL, NULL},
	{"attached patch",
	 MULTI("mixed") PART("text/plain", "why") PART(
		 "text/x-patch; name=\"0001-a.patch\"\n"
		 "Content-Disposition: attachment; filename=\"0001-a.patch\"",
		 DIFF) "--b 1--\n",
	 "why\n", DIFF, "0001-a.patch (text/x-patch, 36 bytes)", NULL},
	{"patch as an attached text",
	 MULTI("mixed") PART("text/plain", "why")
		 PART("text/plain\nContent-Disposition: attachment",
		      DIFF) "--b 1--\n",
	 "why\n", DIFF, "unnamed (text/plain, 36 bytes)", NULL},
	{"a patch that says so is preferred to a text with a diff",
	 MULTI("mixed") PART("text/plain", "old:\n--- a\n+++ b\n@@ -1 +1 @@\n")
		 PART("text/x-diff", DIFF) "--b 1--\n",
	 "old:\n--- a\n+++ b\n@@ -1 +1 @@\n", DIFF,
	 "unnamed (text/x-diff, 36 bytes)", NULL},
	{"an attachment without a diff is no patch",
	 MULTI("mixed") PART("text/plain", "log attached")
		 PART("text/x-patch", "empty") "--b 1--\n",
	 "log attached\n", NULL, "unnamed (text/x-patch, 5 bytes)", NULL},
	{"the only text is attached",
	 MULTI("mixed") PART("text/plain\nContent-Disposition: attachment",
			     "hello") "--b 1--\n",
	 "hello\n", NULL, NULL, NULL},
	{"a message attached is not ours",
	 MULTI("mixed") PART("text/plain", "see")
		 PART("message/rfc822", "Subject: x\n\nother") "--b 1--\n",
	 "see\n", NULL, "unnamed (message/rfc822, 17 bytes)", NULL},
	{"a digest", MULTI("digest") "--b 1\n\nSubject: x\n\none\n--b 1--\n",
	 "", NULL, "unnamed (message/rfc822, 15 bytes)", NULL},
	{"name in RFC 2231",
	 MULTI("mixed") PART("text/plain", "see")
		 PART("image/png\nContent-Disposition: attachment; "
		      "filename*=utf-8''gr%C3%BC.png",
		      "x") "--b 1--\n",
	 "see\n", NULL, "grü.png (image/png, 1 bytes)", NULL},
	{"control characters in a name and a type",
	 MULTI("mixed") PART("text/plain", "see")
		 PART("image/x\x1b[m\nContent-Disposition: attachment; "
		      "filename*=utf-8''a%0Ab%1B%5Bm",
		      "x") "--b 1--\n",
	 "see\n", NULL, "a b[m (image/x[m, 1 bytes)", NULL},
	{"boundary that never occurs",
	 HEAD "Content-Type: multipart/mixed; boundary=x\n\nhello\n", "hello\n",
	 NULL, NULL, "no-boundary"},
	{"multipart without a boundary",
	 HEAD "Content-Type: multipart/mixed\n\nhello\n", "hello\n", NULL, NULL,
	 "no-boundary"},
	{"a type that is none", HEAD "Content-Type: text\n\nhello\n", "hello\n",
	 NULL, NULL, NULL},
	{"no text at all", HEAD "Content-Type: image/png\n\nxyz\n", "", NULL,
	 "unnamed (image/png, 4 bytes)", NULL},
	{"a header that ends in text", HEAD "hello world\n", "hello world\n",
	 NULL, NULL, "header-damaged"},
};

START_TEST(test_text)
{
	const struct text_case *c = &texts[_i];
	g_autoptr(message) msg = parse_text(c->mail);
	g_autofree char *attached = join(message_attachments(msg));
	g_autofree char *warnings = warning_codes(msg);
	gsize len;
	const char *patch = message_patch_bytes(msg, &len);

	ck_assert_msg(g_str_equal(message_body(msg), c->body), "%s: %s",
		      c->name, message_body(msg));
	ck_assert_uint_eq(message_body_len(msg), strlen(c->body));
	ck_assert_msg(g_str_equal(patch, c->patch ? c->patch : c->body),
		      "%s: %s", c->name, patch);
	ck_assert_uint_eq(len, strlen(patch));
	ck_assert_int_eq(message_patch_attached(msg),
			 strstr(c->mail, DIFF) != NULL);
	ck_assert_str_eq(attached, c->attachments ? c->attachments : "");
	ck_assert_str_eq(warnings, c->warnings ? c->warnings : "");
}
END_TEST

START_TEST(test_nul)
{
	static const char raw[] = HEAD "\na\0b\n";
	g_autoptr(message) msg = parse(raw, sizeof(raw) - 1, 0);
	gsize len;
	const char *patch = message_patch_bytes(msg, &len);

	ck_assert_str_eq(message_body(msg), "a\uFFFD"
					    "b\n");
	ck_assert_uint_eq(len, 4);
	ck_assert_mem_eq(patch, "a\0b\n", 4);
}
END_TEST

/* ---- damage */

static void assert_sound(const message *msg)
{
	const char *body = message_body(msg);
	gsize len = message_body_len(msg), patch_len;
	GPtrArray *w = message_warnings(msg);
	guint i;

	ck_assert(g_utf8_validate_len(body, len, NULL));
	ck_assert_uint_eq(strlen(body), len);
	ck_assert(len == 0 || body[len - 1] == '\n');
	ck_assert_ptr_nonnull(message_patch_bytes(msg, &patch_len));
	ck_assert(g_utf8_validate(message_id(msg), -1, NULL));
	ck_assert(g_utf8_validate(message_subject(msg), -1, NULL));
	ck_assert(g_utf8_validate(message_from_header(msg), -1, NULL));
	for (i = 0; i < w->len; i++) {
		const struct warning *one = g_ptr_array_index(w, i);

		ck_assert(g_utf8_validate(one->text, -1, NULL));
	}
}

/* A mail cut at any byte is a mail, or none; it never ends badly. */
START_TEST(test_cut_anywhere)
{
	const char *raw = texts[_i].mail;
	gsize n;

	for (n = 0; n <= strlen(raw); n++) {
		g_autoptr(GBytes) bytes = g_bytes_new(raw, n);
		g_autoptr(message) msg = message_parse(bytes, 0, NULL);

		if (msg)
			assert_sound(msg);
	}
}
END_TEST

static GString *repeat(const char *head, const char *unit, guint n)
{
	GString *s = g_string_new(head);

	while (n--)
		g_string_append(s, unit);
	return s;
}

static const struct {
	const char *head;
	const char *unit;
	guint n;
	const char *warning;
} floods[] = {
	{HEAD "\n", "text of a line\n", 7000000, "body-limit"},
	{HEAD "\n", "no line end ", 8000000, "body-limit"},
	{HEAD "\n", "\r\n", 1000000, NULL},
	{HEAD "\n", "\xff", 1000000, NULL},
	{HEAD "Content-Type: text/html\n\n", "<p>", 1000000, NULL},
	{HEAD "Content-Transfer-Encoding: quoted-printable\n\n", "=", 1000000,
	 NULL},
	{HEAD "Content-Transfer-Encoding: base64\n\n", "=", 1000000, NULL},
	{HEAD "Content-Transfer-Encoding: base64\n\n", "aGVsbG8h", 3000000,
	 "body-limit"},
	{HEAD "Content-Type: text/plain; format=flowed\n\n", "> \n", 1000000,
	 NULL},
	{HEAD "Content-Type: multipart/mixed; boundary=b\n\n", "--b\n\nx\n",
	 100000, "too-many-parts"},
	{HEAD "Content-Type: multipart/mixed; boundary=b\n\n",
	 "--b\nContent-Type: multipart/mixed; boundary=b\n\n", 10000,
	 "too-many-parts"},
	{HEAD "Content-Type: multipart/mixed; boundary=--------\n\n", "-",
	 1000000, "no-boundary"},
	{HEAD, "X-Field: value\n", 100000, "header-limit"},
	{HEAD, "References: <a@x>\n", 100000, "header-limit"},
	{HEAD "References:", " <a@x>\n", 100000, NULL},
	{HEAD "To:", " a@example.org,\n", 30000, NULL},
	{HEAD "Subject:", " =?utf-8?q?a?=\n", 30000, NULL},
	{HEAD "Content-Type: text/plain", "; a=b", 30000, NULL},
};

START_TEST(test_flood)
{
	g_autoptr(GString) raw =
		repeat(floods[_i].head, floods[_i].unit, floods[_i].n);
	g_autoptr(message) msg = parse(raw->str, raw->len, 0);
	g_autofree char *warnings = warning_codes(msg);

	assert_sound(msg);
	ck_assert_str_eq(message_id(msg), "m1@example.org");
	if (floods[_i].warning)
		ck_assert_msg(strstr(warnings, floods[_i].warning) != NULL,
			      "%u: %s", _i, warnings);
}
END_TEST

/* What does not fit any more is told, also where it is a whole part. */
START_TEST(test_part_beyond_the_limit)
{
	g_autofree char *first =
		g_strnfill(MESSAGE_MAX_BODY / 2 + 1, (char)0xff);
	g_autofree char *raw =
		g_strconcat(MULTI("mixed") PART("text/plain", ""), first,
			    "\n" PART("text/plain", "hello") "--b 1--\n", NULL);
	g_autoptr(message) msg = parse_text(raw);
	g_autofree char *warnings = warning_codes(msg);

	ck_assert_uint_gt(message_body_len(msg), MESSAGE_MAX_BODY);
	ck_assert_ptr_null(strstr(message_body(msg), "hello"));
	ck_assert_str_eq(warnings, "body-limit");
}
END_TEST

/* Each level with a boundary of its own, so that all are really nested. */
START_TEST(test_nested)
{
	g_autoptr(GString) raw = g_string_new(
		HEAD "Content-Type: multipart/mixed; boundary=b0\n\n");
	g_autoptr(message) msg = NULL;
	g_autofree char *warnings = NULL;
	guint i;

	for (i = 0; i < 10000; i++)
		g_string_append_printf(
			raw,
			"--b%u\n\nlevel %u\n--b%u\n"
			"Content-Type: multipart/mixed; boundary=b%u\n\n",
			i, i, i, i + 1);
	msg = parse(raw->str, raw->len, 0);
	warnings = warning_codes(msg);
	assert_sound(msg);
	ck_assert_ptr_nonnull(strstr(warnings, "too-deep"));
	ck_assert(g_str_has_prefix(message_body(msg), "level 0\nlevel 1\n"));
}
END_TEST

static Suite *message_text_suite(void)
{
	Suite *s = suite_create("message_text");
	TCase *t = tcase_create("message_text");

	tcase_add_loop_test(t, test_text, 0, G_N_ELEMENTS(texts));
	tcase_add_test(t, test_nul);
	tcase_add_loop_test(t, test_cut_anywhere, 0, G_N_ELEMENTS(texts));
	tcase_add_loop_test(t, test_flood, 0, G_N_ELEMENTS(floods));
	tcase_add_test(t, test_nested);
	tcase_add_test(t, test_part_beyond_the_limit);
	suite_add_tcase(s, t);
	return s;
}

TEST_MAIN(message_text_suite)
