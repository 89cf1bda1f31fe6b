/* corpus_help.h - the messages of a real archive, one after the other */
#ifndef TESTS_MAIL_CORPUS_HELP_H
#define TESTS_MAIL_CORPUS_HELP_H

#include <gio/gio.h>
#include <stdio.h>

#include "mail/mbox.h"

#include "tests/test.h"

#define CORPUS_ARCHIVE	"robot-threads-2019-2023.mboxrd.gz"
#define CORPUS_MESSAGES 6209

static inline GBytes *corpus_gunzip(const char *path)
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

/* Call `fn` with the bytes of each message. Without an archive: a word on
 * stdout and no call. */
static inline void corpus_each(void (*fn)(GBytes *raw, gpointer data),
			       gpointer data)
{
	g_autofree char *path = NULL;
	g_autoptr(GBytes) box = NULL;
	gsize len, resume = 0, start, end, next, done = 0;
	const char *buf;
	guint n = 0;

	if (test_corpus()) {
		path = g_build_filename(test_corpus(), CORPUS_ARCHIVE, NULL);
		box = corpus_gunzip(path);
	}
	if (!box) {
		printf("skipped: no %s in TEST_CORPUS\n", CORPUS_ARCHIVE);
		return;
	}
	buf = g_bytes_get_data(box, &len);
	while (mbox_next(buf + done, len - done, TRUE, MBOX_RD, &resume, &start,
			 &end, &next)) {
		g_autoptr(GBytes) raw =
			mbox_unquote(buf + done + start, end - start, MBOX_RD);

		fn(raw, data);
		done += next;
		resume = 0;
		n++;
	}
	ck_assert_uint_eq(n, CORPUS_MESSAGES);
}

#endif
