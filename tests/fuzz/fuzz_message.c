/* fuzz_message.c - any bytes as a message */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "mail/message.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_utf8(const char *s)
{
	g_assert_true(g_utf8_validate(s, -1, NULL));
}

static void check_strings(GPtrArray *strings)
{
	for (guint i = 0; i < strings->len; i++)
		check_utf8(g_ptr_array_index(strings, i));
}

static void check_person(const struct address *a)
{
	check_utf8(a->name);
	check_utf8(a->address);
}

static void check_people(GPtrArray *people)
{
	for (guint i = 0; i < people->len; i++)
		check_person(g_ptr_array_index(people, i));
}

static void check_ids(const message *msg)
{
	GPtrArray *all = message_thread_ids(msg);
	const char *parent = message_parent(msg);

	g_assert_true(*message_id(msg));
	check_utf8(message_id(msg));
	check_strings(all);
	if (message_parent_marc(msg))
		check_utf8(message_parent_marc(msg));
	for (guint i = 0; i < all->len; i++)
		g_assert_cmpstr(g_ptr_array_index(all, i), !=, message_id(msg));
	if (parent)
		g_assert_true(g_ptr_array_find_with_equal_func(all, parent,
							       g_str_equal,
							       NULL));
}

static void check_text(const message *msg)
{
	const char *text = message_body(msg);
	gsize len = message_body_len(msg), patch_len;

	g_assert_true(g_utf8_validate_len(text, len, NULL));
	g_assert_cmpuint(strlen(text), ==, len);
	g_assert_true(!len || text[len - 1] == '\n');
	text = message_patch_bytes(msg, &patch_len);
	g_assert_true(!patch_len || text[patch_len - 1] == '\n');
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	g_autoptr(GBytes) bytes = g_bytes_new_static(data, size);
	g_autoptr(message) msg = message_parse(bytes, 0, NULL);
	guint8 hash[32], again[32];

	if (!msg)
		return 0;
	check_text(msg);
	check_ids(msg);
	check_utf8(message_subject(msg));
	check_utf8(message_from_header(msg));
	check_person(message_from(msg));
	check_people(message_to(msg));
	check_people(message_cc(msg));
	check_people(message_reply_to(msg));
	check_strings(message_list_ids(msg));
	check_strings(message_attachments(msg));
	for (guint i = 0; i < message_warnings(msg)->len; i++) {
		const struct warning *w =
			g_ptr_array_index(message_warnings(msg), i);

		check_utf8(w->text);
	}
	message_content_hash(msg, hash);
	message_content_hash(msg, again);
	g_assert_cmpmem(hash, 32, again, 32);
	message_loose_hash(msg, hash);
	return 0;
}
