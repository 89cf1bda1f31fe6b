/* test_corpus.c - every mail of a real archive is read: soundly, and how fast
 * Skipped with a word where the archive is absent (TEST_CORPUS). */
#include <gio/gio.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "mail/body.h"
#include "mail/mbox.h"
#include "mail/message.h"

#include "tests/test.h"

#define ARCHIVE	 "robot-threads-2019-2023.mboxrd.gz"
#define MESSAGES 6209

static GBytes *gunzip(const char *path)
{
	g_autoptr(GFile) file = g_file_new_for_path(path);
	g_autoptr(GInputStream) raw =
		G_INPUT_STREAM(g_file_read(file, NULL, NULL));
	g_autoptr(GConverter) unzip = G_CONVERTER(
		g_zlib_decompressor_new(G_ZLIB_COMPRESSOR_FORMAT_GZIP));
	g_autoptr(GInputStream) in = NULL;
	g_autoptr(GOutputStream) out = g_memory_output_stream_new_resizable();

	if (!raw)
		return NULL;
	in = g_converter_input_stream_new(raw, unzip);
	ck_assert_int_gt(g_output_stream_splice(
				 out, in, G_OUTPUT_STREAM_SPLICE_CLOSE_TARGET,
				 NULL, NULL),
			 0);
	return g_memory_output_stream_steal_as_bytes(
		G_MEMORY_OUTPUT_STREAM(out));
}

static double cpu_seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void check_message(const message *msg, const body *b)
{
	const char *text = message_body(msg);
	gsize len = message_body_len(msg), lines = 0;
	guint i;

	ck_assert_msg(g_utf8_validate_len(text, len, NULL), "%s",
		      message_id(msg));
	ck_assert(g_utf8_validate(message_subject(msg), -1, NULL));
	ck_assert(g_utf8_validate(message_from(msg)->name, -1, NULL));
	ck_assert(!message_id_made(msg));
	ck_assert_int_gt(message_date(msg), 0);
	for (i = 0; i < body_count(b); i++)
		lines += body_line(b, i)->len + 1;
	ck_assert_uint_eq(lines, len);
}

START_TEST(test_archive)
{
	g_autofree char *path = NULL;
	g_autoptr(GBytes) box = NULL;
	const char *buf;
	gsize len, resume = 0, start, end, next, done = 0;
	double spent = 0;
	guint n = 0;

	if (!test_corpus()) {
		printf("corpus: skipped, TEST_CORPUS is not set\n");
		return;
	}
	path = g_build_filename(test_corpus(), ARCHIVE, NULL);
	box = gunzip(path);
	if (!box) {
		printf("corpus: skipped, no %s\n", ARCHIVE);
		return;
	}
	buf = g_bytes_get_data(box, &len);
	while (mbox_next(buf + done, len - done, TRUE, MBOX_RD, &resume, &start,
			 &end, &next)) {
		g_autoptr(GBytes) raw =
			mbox_unquote(buf + done + start, end - start, MBOX_RD);
		g_autoptr(message) msg = NULL;
		g_autoptr(body) b = NULL;

		spent -= cpu_seconds();
		msg = message_parse(raw, 0, NULL);
		ck_assert_ptr_nonnull(msg);
		b = body_parse(message_body(msg), message_body_len(msg));
		spent += cpu_seconds();
		check_message(msg, b);
		done += next;
		resume = 0;
		n++;
	}
	ck_assert_uint_eq(n, MESSAGES);
	printf("corpus: %u messages, %.0f a CPU second\n", n, n / spent);
}
END_TEST

static Suite *corpus_suite(void)
{
	Suite *s = suite_create("corpus");
	TCase *t = tcase_create("corpus");

	tcase_set_timeout(t, 10 * TEST_TIMEOUT);
	tcase_add_test(t, test_archive);
	suite_add_tcase(s, t);
	return s;
}

TEST_MAIN(corpus_suite)
