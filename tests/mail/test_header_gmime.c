/* test_header_gmime.c - our header scan and address reader against GMime's
 * Both see the same fields on mail as it is written and on all of a real
 * archive. Where they differ on damage, the difference is named here. */
#include <string.h>

#include "mail/address.h"
#include "mail/gmime_priv.h"
#include "mail/header.h"

#include "tests/mail/corpus_help.h"

/* Runs of blanks are one: GMime keeps the first blank of a fold, we make it
 * a space; it also keeps what stands before the fold. */
static char *squeeze(const char *s)
{
	GString *out = g_string_new(NULL);

	for (; *s; s++)
		if (!g_ascii_isspace(*s))
			g_string_append_c(out, *s);
		else if (out->len > 0 && out->str[out->len - 1] != ' ')
			g_string_append_c(out, ' ');
	if (out->len > 0 && out->str[out->len - 1] == ' ')
		g_string_truncate(out, out->len - 1);
	return g_string_free(out, FALSE);
}

/* GMime keeps Content-* with the part: two lists, each in order. */
struct fields {
	GString *message, *part;
};

static void fields_init(struct fields *f)
{
	f->message = g_string_new(NULL);
	f->part = g_string_new(NULL);
}

static void fields_clear(struct fields *f)
{
	g_string_free(f->message, TRUE);
	g_string_free(f->part, TRUE);
}

static void add_field(struct fields *f, const char *name, const char *value)
{
	g_autofree char *text = squeeze(value);
	gboolean content = g_ascii_strncasecmp(name, "Content-", 8) == 0;

	g_string_append_printf(content ? f->part : f->message, "%s: %s\n", name,
			       text);
}

static void read_ours(struct fields *f, const char *raw, gsize len)
{
	g_autoptr(header) h = header_scan(raw, len, NULL);

	for (guint i = 0; i < header_count(h); i++) {
		const struct header_field *field = header_at(h, i);
		g_autofree char *name = g_strndup(field->name, field->name_len);
		g_autofree char *value = header_unfold(field);

		add_field(f, name, value);
	}
}

static void add_list(struct fields *f, GMimeObject *object)
{
	GMimeHeaderList *list = g_mime_object_get_header_list(object);

	for (int i = 0; i < g_mime_header_list_get_count(list); i++) {
		GMimeHeader *h = g_mime_header_list_get_header_at(list, i);
		g_autofree char *value = g_mime_utils_header_unfold(
			g_mime_header_get_raw_value(h));

		add_field(f, g_mime_header_get_name(h), value);
	}
}

static void read_gmime(struct fields *f, const char *raw, gsize len)
{
	GMimeStream *stream;
	GMimeParser *parser;
	GMimeMessage *msg;

	gmime_ready();
	stream = g_mime_stream_mem_new_with_buffer(raw, len);
	parser = g_mime_parser_new_with_stream(stream);
	msg = g_mime_parser_construct_message(parser, gmime_options());
	if (msg) {
		add_list(f, GMIME_OBJECT(msg));
		if (msg->mime_part)
			add_list(f, msg->mime_part);
		g_object_unref(msg);
	}
	g_object_unref(parser);
	g_object_unref(stream);
}

static void check_fields(const char *raw, gsize len)
{
	struct fields ours, theirs;

	fields_init(&ours);
	fields_init(&theirs);
	read_ours(&ours, raw, len);
	read_gmime(&theirs, raw, len);
	ck_assert_str_eq(ours.message->str, theirs.message->str);
	ck_assert_str_eq(ours.part->str, theirs.part->str);
	fields_clear(&ours);
	fields_clear(&theirs);
}

static const char *const alike[] = {
	"Subject: one\nFrom: a@example.org\nTo: b@example.org\n\nbody\n",
	"Subject: one\r\nFrom: a@example.org\r\n\r\nbody\r\n",
	"subject: folded\n here\n\tand here\nFROM: a@example.org\n\n",
	"Subject: folded\r\n here\r\n\tand here\r\nTo:\r\n b@example.org\r\n"
	"\r\n",
	"X-Empty:\nX-Blank: \nSubject:no blank\n\n",
	"Received: 1\nReceived: 2\nReceived: 1\nSubject: x\n\n",
	"Subject: =?utf-8?q?caf=C3=A9?=\nX-Raw: caf\xc3\xa9 \xe9\n\nx",
	"Content-Type: text/plain;\n charset=utf-8\nSubject: x\n"
	"Content-Transfer-Encoding: 8bit\n\nbody\n",
	"Subject: x\n \n blank in a fold\nTo: b@example.org\n\n",
	"Subject: a: b: c\nDate: Tue, 30 Aug 2022 11:19:07 -0400\n\nA: b\n",
	"Subject: no body\nTo: b@example.org\n",
	">From a@example.org Tue Aug 30 11:19:07 2022\nSubject: x\n\n",
};

START_TEST(same_fields)
{
	check_fields(alike[_i], strlen(alike[_i]));
}
END_TEST

/* Damage that GMime reads otherwise. */
static const struct {
	const char *raw, *ours, *theirs;
} unlike[] = {
	/* a line that is no field: for us the body begins, GMime drops it
	 * and goes on, so that text of a body may become fields */
	{"Subject: x\nno field here\nTo: b@example.org\n\n", "Subject: x\n",
	 "Subject: x\nTo: b@example.org\n"},
};

START_TEST(other_fields)
{
	struct fields ours, theirs;
	const char *raw = unlike[_i].raw;

	fields_init(&ours);
	fields_init(&theirs);
	read_ours(&ours, raw, strlen(raw));
	read_gmime(&theirs, raw, strlen(raw));
	ck_assert_str_eq(ours.message->str, unlike[_i].ours);
	ck_assert_str_eq(theirs.message->str, unlike[_i].theirs);
	fields_clear(&ours);
	fields_clear(&theirs);
}
END_TEST

static void add_mailboxes(GString *out, InternetAddressList *list)
{
	for (int i = 0; list && i < internet_address_list_length(list); i++) {
		InternetAddress *a = internet_address_list_get_address(list, i);
		const char *name = internet_address_get_name(a);
		g_autofree char *plain = squeeze(name ? name : "");

		if (INTERNET_ADDRESS_IS_GROUP(a))
			add_mailboxes(out, internet_address_group_get_members(
						   INTERNET_ADDRESS_GROUP(a)));
		else
			g_string_append_printf(
				out, "%s <%s>\n", plain,
				internet_address_mailbox_get_addr(
					INTERNET_ADDRESS_MAILBOX(a)));
	}
}

struct tally {
	guint lists, other;
};

/* GMime's answer to a list, if it reads all of it. */
static void check_list(struct tally *t, const char *value)
{
	InternetAddressList *list =
		internet_address_list_parse(gmime_options(), value);
	g_autoptr(GPtrArray) mine = address_parse_list(value);
	g_autoptr(GString) ours = g_string_new(NULL);
	g_autoptr(GString) theirs = g_string_new(NULL);

	add_mailboxes(theirs, list);
	g_clear_object(&list);
	for (guint i = 0; i < mine->len; i++) {
		const struct address *a = g_ptr_array_index(mine, i);

		g_string_append_printf(ours, "%s <%s>\n", a->name, a->address);
	}
	t->lists++;
	t->other += !g_str_equal(ours->str, theirs->str);
}

static void check_mail(GBytes *raw, gpointer data)
{
	static const char *const names[] = {"From", "To", "Cc", "Sender",
					    "Reply-To"};
	gsize len;
	const char *bytes = g_bytes_get_data(raw, &len);
	g_autoptr(header) h = header_scan(bytes, len, NULL);

	check_fields(bytes, len);
	for (guint i = 0; i < G_N_ELEMENTS(names); i++) {
		g_autofree char *value = header_dup(h, names[i]);

		if (value)
			check_list(data, value);
	}
}

/* All fields are the same, and all lists but those with a name like "Person
 * (Company)" without quotes, of which GMime drops the second part. */
START_TEST(archive)
{
	struct tally t = {0};

	gmime_ready();
	corpus_each(check_mail, &t);
	if (t.lists)
		printf("%u of %u address lists differ\n", t.other, t.lists);
	ck_assert_uint_le(t.other, t.lists / 500);
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("header_gmime");
	TCase *tc = tcase_create("all");

	tcase_add_loop_test(tc, same_fields, 0, G_N_ELEMENTS(alike));
	tcase_add_loop_test(tc, other_fields, 0, G_N_ELEMENTS(unlike));
	tcase_add_test(tc, archive);
	suite_add_tcase(s, tc);
	return s;
}

TEST_MAIN(suite)
