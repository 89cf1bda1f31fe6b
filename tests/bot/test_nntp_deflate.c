/* test_nntp_deflate.c - packed connections, cut and garbled */
#include <zlib.h>

#include "bot/nntp_deflate.h"

#include "tests/dialogue.h"

static const char text[] = "220 1 <1@x>\r\nSubject: m\r\n\r\n..\r\nb\r\n.\r\n";

/* `text`, `times` over, packed; each of them whole. */
static GByteArray *pack(guint times)
{
	GByteArray *out = g_byte_array_new();
	z_stream z = {0};
	guint8 buf[4096];

	ck_assert_int_eq(deflateInit2(&z, 6, Z_DEFLATED, -MAX_WBITS, 8, 0),
			 Z_OK);
	for (guint i = 0; i < times; i++) {
		z.next_in = (guint8 *)text;
		z.avail_in = sizeof(text) - 1;
		z.next_out = buf;
		z.avail_out = sizeof(buf);
		deflate(&z, i % 2 ? Z_SYNC_FLUSH : Z_FULL_FLUSH);
		g_byte_array_append(out, buf, sizeof(buf) - z.avail_out);
	}
	deflateEnd(&z);
	return out;
}

static tls_stream *connect_to(const dialogue *d)
{
	g_autoptr(endpoint_auto) e = dialogue_endpoint(d, "nntp", 20);
	g_autoptr(GError) err = NULL;
	tls_stream *s = tls_stream_open(e, NULL, &err);

	ck_assert_msg(s != NULL, "%s", err ? err->message : "?");
	return s;
}

/* What comes until an end, through a buffer of `size`. */
static char *read_all(nntp_deflate *z, gsize size, GError **err)
{
	g_autofree char *buf = g_malloc(size);
	GString *out = g_string_new(NULL);
	gssize n;

	while ((n = nntp_deflate_read(z, buf, size, err)) > 0)
		g_string_append_len(out, buf, n);
	return g_string_free(out, FALSE);
}

static const gsize sizes[] = {1, 7, 4096, 65536};

START_TEST(test_read)
{
	g_autoptr(GByteArray) packed = pack(1000);
	const struct dialogue_step steps[] = {
		{.say = (char *)packed->data,
		 .len = packed->len,
		 .end = DIALOGUE_CUT},
		{.end = DIALOGUE_OVER},
	};
	g_autoptr(dialogue) d = dialogue_start(steps, NULL);
	g_autoptr(tls_stream) tls = connect_to(d);
	g_autoptr(nntp_deflate) z = nntp_deflate_new(tls);
	g_autoptr(GError) err = NULL;
	g_autofree char *got = read_all(z, sizes[_i], &err);

	ck_assert_msg(!err, "%s", err ? err->message : "");
	ck_assert_uint_eq(strlen(got), 1000 * (sizeof(text) - 1));
	for (guint i = 0; i < 1000; i++)
		ck_assert_mem_eq(got + i * (sizeof(text) - 1), text,
				 sizeof(text) - 1);
}
END_TEST

/* A little that unpacks to much comes in pieces of the size asked for. */
START_TEST(test_bomb)
{
	g_autofree char *zeros = g_malloc0(64 << 20);
	uLongf len = compressBound(64 << 20);
	g_autofree guint8 *packed = g_malloc(len);
	g_autofree char *buf = g_malloc(65536);
	gsize all = 0;
	gssize n;

	ck_assert_int_eq(compress(packed, &len, (guint8 *)zeros, 64 << 20),
			 Z_OK);
	/* without the two bytes that zlib puts before and four behind */
	const struct dialogue_step steps[] = {
		{.say = (char *)packed + 2,
		 .len = len - 6,
		 .end = DIALOGUE_CUT},
		{.end = DIALOGUE_OVER},
	};
	g_autoptr(dialogue) d = dialogue_start(steps, NULL);
	g_autoptr(tls_stream) tls = connect_to(d);
	g_autoptr(nntp_deflate) z = nntp_deflate_new(tls);

	while ((n = nntp_deflate_read(z, buf, 65536, NULL)) > 0)
		all += (gsize)n;
	ck_assert_uint_eq(all, 64 << 20);
}
END_TEST

START_TEST(test_garbage)
{
	const struct dialogue_step steps[] = {
		{.say = "\xff\xff\xff\xff garbage"},
		{.end = DIALOGUE_OVER},
	};
	g_autoptr(dialogue) d = dialogue_start(steps, NULL);
	g_autoptr(tls_stream) tls = connect_to(d);
	g_autoptr(nntp_deflate) z = nntp_deflate_new(tls);
	g_autoptr(GError) err = NULL;
	char buf[100];

	ck_assert_int_eq(nntp_deflate_read(z, buf, sizeof(buf), &err), -1);
	ck_assert(g_error_matches(err, NET_ERROR, NET_ERROR_REPLY));
}
END_TEST

/* Each write can be unpacked when it is there. */
START_TEST(test_write)
{
	const struct dialogue_step steps[] = {{.end = DIALOGUE_OVER}};
	g_autoptr(dialogue) d = dialogue_start(steps, NULL);
	tls_stream *tls = connect_to(d);
	nntp_deflate *z = nntp_deflate_new(tls);
	char buf[1000];
	z_stream in = {0};

	ck_assert(nntp_deflate_write(z, "ARTICLE 1\r\n", 11, NULL));
	ck_assert(nntp_deflate_write(z, "ARTICLE 2\r\n", 11, NULL));
	nntp_deflate_free(z);
	tls_stream_close(tls);
	dialogue_await(d, NULL);
	dialogue_await_over(d);
	inflateInit2(&in, -MAX_WBITS);
	in.next_in = d->heard->data;
	in.avail_in = d->heard->len;
	in.next_out = (guint8 *)buf;
	in.avail_out = sizeof(buf);
	inflate(&in, Z_SYNC_FLUSH);
	ck_assert_uint_eq(sizeof(buf) - in.avail_out, 22);
	ck_assert_mem_eq(buf, "ARTICLE 1\r\nARTICLE 2\r\n", 22);
	inflateEnd(&in);
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("nntp_deflate");
	TCase *t = tcase_create("deflate");

	tcase_add_loop_test(t, test_read, 0, G_N_ELEMENTS(sizes));
	tcase_add_test(t, test_bomb);
	tcase_add_test(t, test_garbage);
	tcase_add_test(t, test_write);
	suite_add_tcase(s, t);
	return s;
}

TEST_MAIN(suite)
