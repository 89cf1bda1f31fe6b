/* test_mime_peer.c - our parts against GMime's own parser, on a real archive
 * Same leaves, same types, same decoded bytes. Skipped without TEST_CORPUS. */
#include <string.h>

#include "mail/gmime_priv.h"
#include "mail/mime_priv.h"
#include "mail/warning.h"

#include "tests/mail/corpus_help.h"

struct leaves {
	GPtrArray *types;
	GPtrArray *contents; /* of GBytes */
};

static GBytes *decoded(GMimeObject *object)
{
	g_autoptr(GByteArray) bytes = g_byte_array_new();
	GMimeStream *stream = g_mime_stream_mem_new_with_byte_array(bytes);
	GMimeDataWrapper *data;

	g_mime_stream_mem_set_owner(GMIME_STREAM_MEM(stream), FALSE);
	if (GMIME_IS_PART(object)) {
		data = g_mime_part_get_content(GMIME_PART(object));
		if (data)
			g_mime_data_wrapper_write_to_stream(data, stream);
	}
	g_object_unref(stream);
	return g_byte_array_free_to_bytes(g_steal_pointer(&bytes));
}

static void add_leaf(GMimeObject *parent, GMimeObject *object, gpointer data)
{
	GMimeContentType *type = g_mime_object_get_content_type(object);
	struct leaves *l = data;
	char *name;

	(void)parent;
	if (GMIME_IS_MULTIPART(object))
		return;
	name = g_mime_content_type_get_mime_type(type);
	g_ptr_array_add(l->types, g_ascii_strdown(name, -1));
	g_ptr_array_add(l->contents, decoded(object));
	g_free(name);
}

static void gmime_leaves(GBytes *raw, struct leaves *l)
{
	GMimeStream *stream;
	GMimeParser *parser;
	GMimeMessage *msg;
	GMimeObject *top;

	gmime_ready();
	stream = g_mime_stream_mem_new_with_buffer(g_bytes_get_data(raw, NULL),
						   g_bytes_get_size(raw));
	parser = g_mime_parser_new_with_stream(stream);
	msg = g_mime_parser_construct_message(parser, gmime_options());
	top = g_mime_message_get_mime_part(msg);
	add_leaf(NULL, top, l);
	if (GMIME_IS_MULTIPART(top))
		g_mime_multipart_foreach(GMIME_MULTIPART(top), add_leaf, l);
	g_object_unref(msg);
	g_object_unref(parser);
	g_object_unref(stream);
}

/* Without CRs and blanks at the end: who owns the last line end is a matter
 * of taste. */
static GString *plain(const char *bytes, gsize len)
{
	GString *s = g_string_sized_new(len);
	gsize i;

	for (i = 0; i < len; i++)
		if (bytes[i] != '\r')
			g_string_append_c(s, bytes[i]);
	while (s->len && g_ascii_isspace(s->str[s->len - 1]))
		g_string_truncate(s, s->len - 1);
	return s;
}

static void compare(const char *id, const struct mime_part *p, const char *type,
		    GBytes *content)
{
	gboolean cut;
	g_autoptr(GString) raw = NULL, ours = NULL, theirs = NULL;

	ck_assert_msg(g_str_equal(p->type, type), "%s: %s, not %s", id, p->type,
		      type);
	if (g_str_has_prefix(type, "message/"))
		return;
	raw = mime_decode(p, G_MAXUINT32, &cut);
	ours = plain(raw->str, raw->len);
	theirs = plain(g_bytes_get_data(content, NULL),
		       g_bytes_get_size(content));
	ck_assert_msg(g_string_equal(ours, theirs), "%s: a %s differs", id,
		      type);
}

static void compare_one(GBytes *raw, gpointer data)
{
	guint *multiparts = data, i;
	gsize len, at;
	const char *bytes = g_bytes_get_data(raw, &len);
	g_autoptr(header) h = header_scan(bytes, len, &at);
	g_autofree char *id = header_dup(h, "Message-ID");
	g_autoptr(GPtrArray) warnings = warnings_new();
	g_autoptr(GPtrArray) parts =
		mime_split(h, bytes + at, len - at, warnings);
	struct leaves l = {g_ptr_array_new_with_free_func(g_free),
			   g_ptr_array_new_with_free_func(
				   (GDestroyNotify)g_bytes_unref)};

	gmime_leaves(raw, &l);
	if (!warnings->len) {
		ck_assert_msg(parts->len == l.types->len, "%s: %u, not %u", id,
			      parts->len, l.types->len);
		for (i = 0; i < parts->len; i++)
			compare(id, g_ptr_array_index(parts, i),
				g_ptr_array_index(l.types, i),
				g_ptr_array_index(l.contents, i));
		*multiparts += parts->len > 1;
	}
	g_ptr_array_unref(l.types);
	g_ptr_array_unref(l.contents);
}

START_TEST(test_parts)
{
	guint multiparts = 0;

	corpus_each(compare_one, &multiparts);
	if (test_corpus())
		ck_assert_uint_gt(multiparts, 100);
}
END_TEST

static Suite *mime_peer_suite(void)
{
	Suite *s = suite_create("mime_peer");
	TCase *t = tcase_create("mime_peer");

	tcase_add_test(t, test_parts);
	suite_add_tcase(s, t);
	return s;
}

TEST_MAIN(mime_peer_suite)
