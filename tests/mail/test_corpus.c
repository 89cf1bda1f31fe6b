/* test_corpus.c - every mail of a real archive is read: soundly, and how fast
 * Skipped with a word where the archive is absent (TEST_CORPUS). */
#include <string.h>
#include <time.h>

#include "mail/body.h"
#include "mail/message.h"

#include "tests/mail/corpus_help.h"

struct effort {
	guint messages;
	double seconds;
};

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

static void read_one(GBytes *raw, gpointer data)
{
	struct effort *effort = data;
	double start = cpu_seconds();
	g_autoptr(message) msg = message_parse(raw, 0, NULL);
	g_autoptr(body) b = NULL;

	ck_assert_ptr_nonnull(msg);
	b = body_parse(message_body(msg), message_body_len(msg));
	effort->seconds += cpu_seconds() - start;
	effort->messages++;
	check_message(msg, b);
}

START_TEST(test_archive)
{
	struct effort effort = {0};

	corpus_each(read_one, &effort);
	if (effort.messages)
		printf("corpus: %u messages, %.0f a CPU second\n",
		       effort.messages, effort.messages / effort.seconds);
}
END_TEST

static Suite *corpus_suite(void)
{
	Suite *s = suite_create("corpus");
	TCase *t = tcase_create("corpus");

	tcase_add_test(t, test_archive);
	suite_add_tcase(s, t);
	return s;
}

TEST_MAIN(corpus_suite)
