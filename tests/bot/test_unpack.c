/* test_unpack.c - gzip, zstd and plain files, whole, joined, cut, damaged */
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include "bot/source.h"
#include "bot/unpack.h"

#include "tests/folder.h"

enum form { PLAIN, GZIP, ZSTD };

/* `n` bytes that repeat little. */
static GByteArray *make_text(gsize n)
{
	GByteArray *text = g_byte_array_new();
	guint32 x = 1;

	g_byte_array_set_size(text, n);
	for (gsize i = 0; i < n; i++) {
		x = x * 1664525 + 1013904223;
		text->data[i] = "abcdefgh ijkl\nmnop"[(x >> 24) % 18];
	}
	return text;
}

static void append_gzip(GByteArray *out, const GByteArray *text)
{
	z_stream z = {0};
	GByteArray *packed = g_byte_array_new();

	g_byte_array_set_size(packed, text->len + 1000);
	ck_assert_int_eq(deflateInit2(&z, 6, Z_DEFLATED, 15 + 16, 8,
				      Z_DEFAULT_STRATEGY),
			 Z_OK);
	z.next_in = text->data;
	z.avail_in = text->len;
	z.next_out = packed->data;
	z.avail_out = packed->len;
	ck_assert_int_eq(deflate(&z, Z_FINISH), Z_STREAM_END);
	g_byte_array_append(out, packed->data, packed->len - z.avail_out);
	deflateEnd(&z);
	g_byte_array_unref(packed);
}

static void append_zstd(GByteArray *out, const GByteArray *text)
{
	GByteArray *packed = g_byte_array_new();
	ZSTD_CCtx *z = ZSTD_createCCtx();
	gsize n;

	g_byte_array_set_size(packed, ZSTD_compressBound(text->len));
	ZSTD_CCtx_setParameter(z, ZSTD_c_checksumFlag, 1);
	n = ZSTD_compress2(z, packed->data, packed->len, text->data, text->len);
	ck_assert(!ZSTD_isError(n));
	g_byte_array_append(out, packed->data, n);
	ZSTD_freeCCtx(z);
	g_byte_array_unref(packed);
}

static void append_packed(GByteArray *out, enum form form,
			  const GByteArray *text)
{
	if (form == GZIP)
		append_gzip(out, text);
	else if (form == ZSTD)
		append_zstd(out, text);
	else
		g_byte_array_append(out, text->data, text->len);
}

/* Read all of a file with the bytes `file` in steps of `step`. */
static GByteArray *read_back(const GByteArray *file, gsize step, GError **err)
{
	g_autofree char *path = g_build_filename(dir, "file", NULL);
	GByteArray *got = g_byte_array_new();
	g_autofree char *buf = g_malloc(step);
	unpack *u;
	gssize n;

	ck_assert(
		g_file_set_contents(path, (char *)file->data, file->len, NULL));
	u = unpack_open(path, NULL, err);
	ck_assert_ptr_nonnull(u);
	while ((n = unpack_read(u, buf, step, err)) > 0)
		g_byte_array_append(got, (guint8 *)buf, n);
	if (n == 0)
		unpack_end(u, err);
	unpack_close(u);
	g_unlink(path);
	return got;
}

/* `got` is the beginning of `text`. */
static gboolean begins(const GByteArray *got, const GByteArray *text)
{
	return got->len <= text->len &&
	       (got->len == 0 || memcmp(got->data, text->data, got->len) == 0);
}

/* All of it up to the limit, then an error. */
START_TEST(more_than_allowed_is_an_error)
{
	GByteArray *text = make_text(400000);
	GByteArray *file = g_byte_array_new();

	append_packed(file, _i, text);
	for (guint64 max = 399999; max <= 400000; max++) {
		g_autofree char *path = g_build_filename(dir, "file", NULL);
		g_autofree char *buf = g_malloc(1000);
		g_autoptr(GError) err = NULL;
		g_autoptr(unpack) u = NULL;
		gsize got = 0;
		gssize n;

		ck_assert(g_file_set_contents(path, (char *)file->data,
					      file->len, NULL));
		u = unpack_open(path, NULL, &err);
		unpack_limit(u, max);
		while ((n = unpack_read(u, buf, 1000, &err)) > 0)
			got += (gsize)n;
		ck_assert_int_eq(n, max < 400000 ? -1 : 0);
		ck_assert_int_eq(err != NULL, max < 400000);
		ck_assert_uint_ge(got, 399000);
	}
	g_byte_array_unref(text);
	g_byte_array_unref(file);
}
END_TEST

static const gsize sizes[] = {0, 1, 2, 5, 6, 7, 65535, 65536, 65537, 400000};

START_TEST(gives_the_bytes_back)
{
	enum form form = _i;

	for (guint i = 0; i < G_N_ELEMENTS(sizes); i++)
		for (gsize step = 1000; step <= 300000; step *= 300) {
			GByteArray *text = make_text(sizes[i]);
			GByteArray *file = g_byte_array_new();
			g_autoptr(GError) err = NULL;
			GByteArray *got;

			append_packed(file, form, text);
			got = read_back(file, step, &err);
			ck_assert_msg(!err, "%s", err ? err->message : "");
			ck_assert_uint_eq(got->len, text->len);
			ck_assert(begins(got, text));
			g_byte_array_unref(got);
			g_byte_array_unref(file);
			g_byte_array_unref(text);
		}
}
END_TEST

START_TEST(joined_parts_are_one)
{
	enum form form = _i;
	GByteArray *text = make_text(70000), *file = g_byte_array_new();
	GByteArray *none = g_byte_array_new();
	static const guint8 zeros[512];
	g_autoptr(GError) err = NULL;
	GByteArray *got;

	append_packed(file, form, text);
	append_packed(file, form, none);
	append_packed(file, form, text);
	g_byte_array_append(file, zeros, sizeof(zeros));
	got = read_back(file, 10000, &err);
	ck_assert_ptr_null(err);
	ck_assert_uint_eq(got->len, 140000);
	ck_assert_mem_eq(got->data + 70000, text->data, 70000);
	g_byte_array_unref(got);
	g_byte_array_unref(file);
	g_byte_array_unref(none);
	g_byte_array_unref(text);
}
END_TEST

/* Wherever it is cut: an error, and before it a prefix of the text. */
START_TEST(cut_is_an_error)
{
	enum form form = _i;
	GByteArray *text = make_text(3000), *file = g_byte_array_new();

	append_packed(file, form, text);
	for (guint len = 6; len < file->len; len++) {
		GByteArray cut = {.data = file->data, .len = len};
		g_autoptr(GError) err = NULL;
		GByteArray *got = read_back(&cut, 512, &err);

		ck_assert_msg(g_error_matches(err, SOURCE_ERROR,
					      SOURCE_ERROR_READ),
			      "cut at %u", len);
		ck_assert_ptr_nonnull(strstr(err->message, "is truncated"));
		ck_assert(begins(got, text));
		g_byte_array_unref(got);
	}
	g_byte_array_unref(file);
	g_byte_array_unref(text);
}
END_TEST

START_TEST(damage_is_an_error)
{
	enum form form = _i;
	GByteArray *text = make_text(300000), *file = g_byte_array_new();
	g_autoptr(GError) err = NULL;
	GByteArray *got;

	append_packed(file, form, text);
	memset(file->data + file->len / 2, 0xee, 64);
	got = read_back(file, 4096, &err);
	ck_assert(g_error_matches(err, SOURCE_ERROR, SOURCE_ERROR_READ));
	ck_assert_ptr_nonnull(strstr(err->message, "/file: is damaged: "));
	ck_assert_uint_lt(got->len, text->len);
	g_byte_array_unref(got);
	g_byte_array_unref(file);
	g_byte_array_unref(text);
}
END_TEST

START_TEST(other_bytes_behind_are_told)
{
	enum form form = _i;
	GByteArray *text = make_text(1000), *file = g_byte_array_new();
	g_autoptr(GError) err = NULL;
	GByteArray *got;

	append_packed(file, form, text);
	g_byte_array_append(file, (const guint8 *)"trailing text", 13);
	got = read_back(file, 4096, &err);
	ck_assert_ptr_nonnull(err);
	ck_assert_ptr_nonnull(strstr(err->message, "other bytes follow"));
	ck_assert_uint_eq(got->len, 1000);
	g_byte_array_unref(got);
	g_byte_array_unref(file);
	g_byte_array_unref(text);
}
END_TEST

static const struct {
	const char *magic;
	gsize len;
} unknown[] = {
	{"\3757zXZ\0\0\4", 8},
	{"BZh91AY&SY", 10},
	{"PK\003\004\024\000", 6},
};

START_TEST(other_packing_is_named)
{
	GByteArray file = {.data = (guint8 *)unknown[_i].magic,
			   .len = unknown[_i].len};
	g_autoptr(GError) err = NULL;
	GByteArray *got = read_back(&file, 100, &err);

	ck_assert_uint_eq(got->len, 0);
	ck_assert_ptr_nonnull(err);
	ck_assert_ptr_nonnull(strstr(err->message, "unpack it first"));
	g_byte_array_unref(got);
}
END_TEST

START_TEST(a_fifo_is_refused_at_once)
{
	g_autofree char *path = g_build_filename(dir, "fifo", NULL);
	g_autoptr(GError) err = NULL;

	ck_assert_int_eq(mkfifo(path, 0600), 0);
	ck_assert_ptr_null(unpack_open(path, NULL, &err));
	ck_assert_ptr_nonnull(strstr(err->message, "/fifo: is a FIFO"));
	g_unlink(path);
}
END_TEST

static const struct {
	const char *path, *why;
} refused[] = {
	{"/dev/zero", "/dev/zero: is a device, not a file"},
	{"/", "/: is a folder, not a file"},
	{"/nonexistent/x", "/nonexistent/x: No such file or directory"},
};

START_TEST(what_is_no_file_is_refused)
{
	g_autoptr(GError) err = NULL;

	ck_assert_ptr_null(unpack_open(refused[_i].path, NULL, &err));
	ck_assert(g_error_matches(err, SOURCE_ERROR, SOURCE_ERROR_OPEN));
	ck_assert_str_eq(err->message, refused[_i].why);
}
END_TEST

static gboolean always(void)
{
	return TRUE;
}

/* Nothing was written and the pipe stays open: only the interrupt ends it. */
START_TEST(an_interrupt_ends_waiting)
{
	g_autoptr(GError) err = NULL;
	char buf[10];
	int fds[2];
	unpack *u;

	ck_assert_int_eq(pipe(fds), 0);
	u = unpack_stream(fds[0], "stdin", always);
	ck_assert_int_eq(unpack_read(u, buf, sizeof(buf), &err), -1);
	ck_assert(g_error_matches(err, SOURCE_ERROR, SOURCE_ERROR_STOPPED));
	unpack_close(u);
	close(fds[0]);
	close(fds[1]);
}
END_TEST

START_TEST(a_stream_is_unpacked_too)
{
	GByteArray *text = make_text(2000), *file = g_byte_array_new();
	g_autoptr(GError) err = NULL;
	char buf[4096];
	gsize got = 0;
	gssize n;
	int fds[2];
	unpack *u;

	append_packed(file, _i, text);
	ck_assert_int_eq(pipe(fds), 0);
	ck_assert_int_eq(write(fds[1], file->data, file->len), file->len);
	close(fds[1]);
	u = unpack_stream(fds[0], "stdin", NULL);
	while ((n = unpack_read(u, buf + got, sizeof(buf) - got, &err)) > 0)
		got += n;
	ck_assert_ptr_null(err);
	ck_assert_uint_eq(got, 2000);
	ck_assert(memcmp(buf, text->data, got) == 0);
	ck_assert_int_eq(unpack_packed(u), _i != PLAIN);
	unpack_close(u);
	close(fds[0]);
	g_byte_array_unref(file);
	g_byte_array_unref(text);
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("unpack");
	TCase *tc = tcase_create("unpack");

	tcase_add_checked_fixture(tc, make_dir, remove_dir);
	tcase_add_loop_test(tc, gives_the_bytes_back, PLAIN, ZSTD + 1);
	tcase_add_loop_test(tc, more_than_allowed_is_an_error, PLAIN, ZSTD + 1);
	tcase_add_loop_test(tc, joined_parts_are_one, GZIP, ZSTD + 1);
	tcase_add_loop_test(tc, cut_is_an_error, GZIP, ZSTD + 1);
	tcase_add_loop_test(tc, damage_is_an_error, GZIP, ZSTD + 1);
	tcase_add_loop_test(tc, other_bytes_behind_are_told, GZIP, ZSTD + 1);
	tcase_add_loop_test(tc, other_packing_is_named, 0,
			    G_N_ELEMENTS(unknown));
	tcase_add_test(tc, a_fifo_is_refused_at_once);
	tcase_add_loop_test(tc, what_is_no_file_is_refused, 0,
			    G_N_ELEMENTS(refused));
	tcase_add_test(tc, an_interrupt_ends_waiting);
	tcase_add_loop_test(tc, a_stream_is_unpacked_too, PLAIN, ZSTD + 1);
	suite_add_tcase(s, tc);
	return s;
}

TEST_MAIN(suite)
