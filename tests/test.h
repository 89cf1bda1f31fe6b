/* test.h - one program a test file: TEST_MAIN(suite function)
 * Links only its own layer and those below. CK_FORK as check has it. */
#ifndef TESTS_TEST_H
#define TESTS_TEST_H

#include <check.h>
#include <glib.h>
#include <stdlib.h>

/* Seconds for one test: against a hang, never a measure of speed, since the
 * machine may be slow, busy, and the program full of sanitizers. */
#define TEST_TIMEOUT "600"

/* Folder of fixtures ("tests/data"), given by the Makefile's runner. */
static inline const char *test_data(void)
{
	const char *dir = g_getenv("TEST_DATA");

	return dir ? dir : "tests/data";
}

/* Folder of real mail that the project does not ship, NULL if absent. */
static inline const char *test_corpus(void)
{
	const char *dir = g_getenv("TEST_CORPUS");

	return dir && g_file_test(dir, G_FILE_TEST_IS_DIR) ? dir : NULL;
}

static inline int test_run(Suite *(*make_suite)(void))
{
	SRunner *runner;
	int failed;

	g_setenv("CK_DEFAULT_TIMEOUT", TEST_TIMEOUT, FALSE);
	runner = srunner_create(make_suite());
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

#define TEST_MAIN(make_suite)                \
	int main(void)                       \
	{                                    \
		return test_run(make_suite); \
	}

#endif
