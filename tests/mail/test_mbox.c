/* test_mbox.c - splitting and writing mbox files */
#include <string.h>

#include "mail/mbox.h"

#include "tests/test.h"

#define F  "From a@example.org Tue Aug 30 11:19:07 2022\n"
#define RD "From mboxrd@z Thu Jan  1 00:00:00 1970\n"
#define GIT                                                         \
	"From 0123456789abcdef0123456789abcdef01234567 Mon Sep 17 " \
	"00:00:00 2001\n"

static const struct {
	enum mbox_format format;
	const char *file;
	const char *messages; /* joined by "|" */
} split_cases[] = {
	{MBOX_AUTO, F "A: 1\n\nx\n\n" F "A: 2\n\ny\n\n",
	 "A: 1\n\nx\n|A: 2\n\ny\n|"},
	{MBOX_AUTO, RD "A: 1\n\nx\n\n" RD "A: 2\n\ny\n", /* no end */
	 "A: 1\n\nx\n|A: 2\n\ny\n|"},
	{MBOX_AUTO, RD "A: 1\n\nx\n\n" RD "A: 2\n\ny",
	 "A: 1\n\nx\n|A: 2\n\ny|"},
	{MBOX_AUTO, RD "A: 1\n\nx\n\n\n\n" RD "A: 2\n\ny\n\n",
	 "A: 1\n\nx\n\n\n|A: 2\n\ny\n|"},
	{MBOX_AUTO, RD "A: 1\n\n" RD "A: 2\n\ny\n\n", "A: 1\n|A: 2\n\ny\n|"},
	{MBOX_AUTO, RD "A: 1\r\n\r\nx\r\n\r\n" RD "A: 2\r\n\r\n",
	 "A: 1\r\n\r\nx\r\n|A: 2\r\n|"},
	{MBOX_AUTO, RD "A: 1\r\n\r\nx\r\n\n" RD "A: 2\r\n\r\ny\r\n",
	 "A: 1\r\n\r\nx\r\n|A: 2\r\n\r\ny\r\n|"},
	{MBOX_AUTO, "\n\n" RD "A: 1\n\nx\n", "A: 1\n\nx\n|"},
	{MBOX_AUTO, "A: 1\n\nx\n\n" RD "A: 2\n\ny\n",
	 "A: 1\n\nx\n|A: 2\n\ny\n|"},
	/* of public-inbox, behind a mail without a line end */
	{MBOX_AUTO, RD "A: 1\n\nx\n" RD "A: 2\n\ny\n\n" RD "A: 3\n\nz",
	 "A: 1\n\nx|A: 2\n\ny\n|A: 3\n\nz|"},
	{MBOX_AUTO, RD "A: 1\n\nx\n" RD "no field\n",
	 "A: 1\n\nx\n" RD "no field\n|"},
	{MBOX_AUTO, F "A: 1\n\nx\n" RD "A: 2\n\ny\n",
	 "A: 1\n\nx\n" RD "A: 2\n\ny\n|"},
	{MBOX_AUTO, RD "A: 1\n\nx\nFrom mboxrd@z Thu Jan  1\nA: 2\n\ny\n",
	 "A: 1\n\nx\nFrom mboxrd@z Thu Jan  1\nA: 2\n\ny\n|"},
	/* people's and programs' separators */
	{MBOX_AUTO, F "A: 1\n\nx\n\nFrom - Tue Aug 30 11:19:07 2022\nB: 2\n\n",
	 "A: 1\n\nx\n|B: 2\n|"},
	{MBOX_AUTO,
	 F "A: 1\n\nx\n\nFrom b Tue, 30 Aug 2022 11:19:07 +0200\nB: 2\n\n",
	 "A: 1\n\nx\n|B: 2\n|"},
	{MBOX_AUTO,
	 F "A: 1\n\nx\n\nFrom b Tue Aug 30 11:19 CEST 2022\n>From x\nB: 2\n",
	 "A: 1\n\nx\n|>From x\nB: 2\n|"},
	/* no separators */
	{MBOX_AUTO, RD "A: 1\n\nx\n\nFrom me to you\nNote: this\n\n",
	 "A: 1\n\nx\n\nFrom me to you\nNote: this\n|"},
	{MBOX_AUTO, RD "A: 1\n\nx\n\nFrom May 2019 on, at 10:30\nB: y\n\n",
	 "A: 1\n\nx\n\nFrom May 2019 on, at 10:30\nB: y\n|"},
	{MBOX_AUTO, RD "A: 1\n\nx\n" F "A: 2\n\ny\n", /* in a paragraph */
	 "A: 1\n\nx\n" F "A: 2\n\ny\n|"},
	{MBOX_AUTO, RD "A: 1\n\nx\n\n" F "no field\n\ny\n",
	 "A: 1\n\nx\n\n" F "no field\n\ny\n|"},
	{MBOX_AUTO, RD "A: 1\n\nx\n\n " F "A: 2\n\n",
	 "A: 1\n\nx\n\n " F "A: 2\n|"},
	{MBOX_AUTO, RD "A: 1\n\nx\n\n" F, "A: 1\n\nx\n\n" F "|"},
	/* git format-patch: files of patches, and patches in mail */
	{MBOX_AUTO, GIT "A: 1\n\nx\n\n" GIT "A: 2\n\ny\n\n",
	 "A: 1\n\nx\n|A: 2\n\ny\n|"},
	{MBOX_AUTO, RD "A: 1\n\nx\n\n" GIT "A: 2\n\ny\n\n" RD "A: 3\n\n",
	 "A: 1\n\nx\n\n" GIT "A: 2\n\ny\n|A: 3\n|"},
	{MBOX_AUTO, GIT "A: 1\n\nx\n\n" RD "A: 2\n\ny\n\n",
	 "A: 1\n\nx\n|A: 2\n\ny\n|"},
	/* Content-Length that fits hides separators in the body */
	{MBOX_AUTO, F "Content-Length: 52\n\nx\n\n" F "A: 2\n\n\n" F "A: 3\n\n",
	 "Content-Length: 52\n\nx\n\n" F "A: 2\n|A: 3\n|"},
	{MBOX_CL2, F "content-length:52 \n\nx\n\n" F "A: 2\n\n" F "A: 3\n\n",
	 "content-length:52 \n\nx\n\n" F "A: 2\n|A: 3\n|"},
	{MBOX_AUTO, F "Content-Length: 2\n\nx\n", "Content-Length: 2\n\nx\n|"},
	{MBOX_AUTO, F "Content-Length: 1\n\nx", "Content-Length: 1\n\nx|"},
	/* and is not believed where it does not */
	{MBOX_AUTO, F "Content-Length: 50\n\nx\n\n" F "A: 2\n\n" F "A: 3\n\n",
	 "Content-Length: 50\n\nx\n|A: 2\n|A: 3\n|"},
	{MBOX_AUTO, F "Content-Length: 999\n\nx\n\n" F "A: 2\n\n",
	 "Content-Length: 999\n\nx\n|A: 2\n|"},
	{MBOX_AUTO, F "Content-Length: -5\n\nx\n\n" F "A: 2\n\n",
	 "Content-Length: -5\n\nx\n|A: 2\n|"},
	{MBOX_AUTO, F "Content-Length: 52y\n\nx\n\n" F "A: 2\n\n",
	 "Content-Length: 52y\n\nx\n|A: 2\n|"},
	{MBOX_AUTO, F "Content-Length: 99999999999999999999\n\nx\n",
	 "Content-Length: 99999999999999999999\n\nx\n|"},
	{MBOX_RD, F "Content-Length: 52\n\nx\n\n" F "A: 2\n\n\n" F "A: 3\n\n",
	 "Content-Length: 52\n\nx\n|A: 2\n\n|A: 3\n|"},
	{MBOX_AUTO, RD, "|"},
	{MBOX_AUTO, "", ""},
	{MBOX_AUTO, "\n\r\n", ""},
};

/* All messages, joined; the file arrives in pieces of `step` bytes. */
static char *split(const char *file, gsize size, enum mbox_format format,
		   gsize step)
{
	GString *out = g_string_new(NULL);
	gsize pos = 0, have = MIN(step, size), resume = 0;

	for (;;) {
		gsize start, end, next;
		char *buf = g_memdup2(file + pos, have - pos);
		gboolean good = mbox_next(buf, have - pos, have == size, format,
					  &resume, &start, &end, &next);

		if (good) {
			ck_assert_uint_le(start, end);
			ck_assert_uint_le(end, next);
			ck_assert_uint_le(next, have - pos);
			ck_assert_uint_gt(next, 0);
			g_string_append_len(out, buf + start, end - start);
			g_string_append_c(out, '|');
			pos += next;
		}
		g_free(buf);
		if (!good && have == size)
			break;
		if (!good)
			have = MIN(have + step, size);
	}
	return g_string_free(out, FALSE);
}

START_TEST(split_whole)
{
	const char *file = split_cases[_i].file;
	g_autofree char *text =
		split(file, strlen(file), split_cases[_i].format, 100000);

	ck_assert_str_eq(text, split_cases[_i].messages);
}
END_TEST

START_TEST(split_pieces)
{
	const char *file = split_cases[_i].file;

	for (gsize step = 1; step < 40; step++) {
		g_autofree char *text =
			split(file, strlen(file), split_cases[_i].format, step);

		ck_assert_str_eq(text, split_cases[_i].messages);
	}
}
END_TEST

static const struct {
	enum mbox_format format;
	const char *quoted;
	const char *plain;
} quote_cases[] = {
	{MBOX_RD, "A: 1\n\n>From x\n>>From y\n> From z\n>From\n",
	 "A: 1\n\nFrom x\n>From y\n> From z\n>From\n"},
	{MBOX_RD, "A: 1\n\nx\n>>>From y", "A: 1\n\nx\n>>From y"},
	{MBOX_RD, "A: 1\r\n\r\n>From x\r\n", "A: 1\r\n\r\nFrom x\r\n"},
	{MBOX_RD, ">From x\nA: 1\n\ny\n", ">From x\nA: 1\n\ny\n"},
	{MBOX_RD, "A: 1\n>From x\n", "A: 1\n>From x\n"},
	{MBOX_AUTO, "A: 1\n\n>From x\n", "A: 1\n\nFrom x\n"},
	{MBOX_AUTO, "Content-Length: 8\n\n>From x\n",
	 "Content-Length: 8\n\n>From x\n"},
	{MBOX_AUTO, "Content-Length: 7\n\n>From x\n",
	 "Content-Length: 7\n\nFrom x\n"},
	{MBOX_O, "A: 1\n\n>From x\n", "A: 1\n\n>From x\n"},
	{MBOX_CL2, "A: 1\n\n>From x\n", "A: 1\n\n>From x\n"},
	{MBOX_RD, "", ""},
};

START_TEST(unquote)
{
	const char *quoted = quote_cases[_i].quoted;
	g_autoptr(GBytes) b =
		mbox_unquote(quoted, strlen(quoted), quote_cases[_i].format);
	gsize len;
	const char *data = g_bytes_get_data(b, &len);
	g_autofree char *text = g_strndup(data ? data : "", len);

	ck_assert_str_eq(text, quote_cases[_i].plain);
}
END_TEST

/* Whatever is written comes back, byte for byte. */
START_TEST(write_and_read)
{
	static const char parts[][12] = {"From ",	">From ",  ">",
					 "\n",		"\n\n",	   "A: b\n",
					 "x",		"\r\n",	   "Content-",
					 "Length: 3\n", "From x\n"};
	g_autoptr(GRand) rand = g_rand_new_with_seed(6);

	for (int n = 0; n < 4000; n++) {
		g_autoptr(GString) file = g_string_new(NULL);
		g_autoptr(GString) want = g_string_new(NULL);
		g_autoptr(GString) got = g_string_new(NULL);
		gsize pos = 0, resume = 0, start, end, next;

		for (int m = 0; m < 3; m++) {
			g_autoptr(GString) msg = g_string_new("Subject: x\n");

			for (int i = g_rand_int_range(rand, 0, 10); i > 0; i--)
				g_string_append(
					msg,
					parts[g_rand_int_range(
						rand, 0, G_N_ELEMENTS(parts))]);
			if (msg->str[msg->len - 1] != '\n')
				g_string_append_c(msg, '\n');
			mbox_append(file, msg->str, msg->len);
			g_string_append_printf(want, "%s|", msg->str);
		}
		while (mbox_next(file->str + pos, file->len - pos, TRUE,
				 MBOX_RD, &resume, &start, &end, &next)) {
			g_autoptr(GBytes) b =
				mbox_unquote(file->str + pos + start,
					     end - start, MBOX_RD);

			g_string_append_len(got, g_bytes_get_data(b, NULL),
					    g_bytes_get_size(b));
			g_string_append_c(got, '|');
			pos += next;
		}
		ck_assert_str_eq(got->str, want->str);
	}
}
END_TEST

/* A message of many MB in small pieces: scanned once, not once a piece. */
START_TEST(long_message)
{
	g_autoptr(GString) file = g_string_new(RD "A: 1\n\n");
	gsize size = 64 * 1024 * 1024, step = 4096;
	gsize resume = 0, start, end, next, have;
	gboolean good = FALSE;

	while (file->len < size)
		g_string_append(file, "\nFrom here to there, and back: x\n");
	size = file->len;
	g_string_append(file, "\n" RD "A: 2\n\n");
	for (have = step; !good; have = MIN(have + step, file->len))
		good = mbox_next(file->str, have, have == file->len, MBOX_AUTO,
				 &resume, &start, &end, &next);
	ck_assert_uint_eq(end, size);
	ck_assert_uint_eq(next, size + 1);
	ck_assert_uint_eq(resume, 0);
}
END_TEST

/* A wrong Content-Length makes nobody wait for what it promises. */
START_TEST(false_promise)
{
	g_autoptr(GString) file = g_string_new(
		F "Content-Length: 100000000\n\nx\n\n" F "A: 2\n\ny\n");
	gsize resume = 0, start, end, next;

	ck_assert(mbox_next(file->str, file->len, FALSE, MBOX_AUTO, &resume,
			    &start, &end, &next));
	ck_assert(g_str_has_prefix(file->str + next, F "A: 2"));
	ck_assert(!mbox_next(file->str, file->len, FALSE, MBOX_CL2, &resume,
			     &start, &end, &next));
}
END_TEST

static const struct {
	const char *buf;
	gboolean mbox, dated;
} probe_cases[] = {
	{F "A: 1\n", TRUE, TRUE},
	{RD ">From x\nA: 1\n", TRUE, TRUE},
	{RD, TRUE, TRUE}, /* not told yet */
	{"From nobody\nA: 1\n", TRUE, FALSE},
	{"From here on\nit is text\n", FALSE, FALSE},
	{"From: a@example.org\n", FALSE, FALSE},
	{"A: 1\n", FALSE, FALSE},
	{"From ", FALSE, FALSE},
	{"", FALSE, FALSE},
};

START_TEST(probe)
{
	const char *buf = probe_cases[_i].buf;
	gboolean dated = TRUE;

	ck_assert_int_eq(mbox_probe(buf, strlen(buf), &dated),
			 probe_cases[_i].mbox);
	ck_assert_int_eq(dated, probe_cases[_i].dated);
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("mbox");
	TCase *tc = tcase_create("all");

	tcase_add_loop_test(tc, split_whole, 0, G_N_ELEMENTS(split_cases));
	tcase_add_loop_test(tc, split_pieces, 0, G_N_ELEMENTS(split_cases));
	tcase_add_loop_test(tc, unquote, 0, G_N_ELEMENTS(quote_cases));
	tcase_add_test(tc, write_and_read);
	tcase_add_test(tc, long_message);
	tcase_add_test(tc, false_promise);
	tcase_add_loop_test(tc, probe, 0, G_N_ELEMENTS(probe_cases));
	suite_add_tcase(s, tc);
	return s;
}

TEST_MAIN(suite)
