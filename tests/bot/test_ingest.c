/* test_ingest.c - batches, interrupts at every point, bad parts and paths */
#include <glib/gstdio.h>
#include <string.h>

#include "mail/mbox.h"

#include "db/problems.h"
#include "db/search.h"

#include "bot/ingest.h"

#include "tests/bot/archive.h"

static struct heard h; /* for its folder */
static guint patience; /* calls of stopped() until it says so; 0: never */

static void setup(void)
{
	git_libgit2_init();
	heard_init(&h);
	patience = 0;
}

static void teardown(void)
{
	heard_clear(&h);
	git_libgit2_shutdown();
}

static gboolean stopped(void)
{
	return patience > 0 && --patience == 0 ? (patience = 1) : FALSE;
}

static char *path_of(const char *name)
{
	return g_build_filename(h.dir, name, NULL);
}

/* `n` mails; each answers one before it. */
static void write_mbox(const char *name, guint n)
{
	GString *box = g_string_new(NULL);

	for (guint i = 0; i < n; i++) {
		g_autofree char *text = g_strdup_printf(
			"From: Ann <ann@example.org>\nSubject: mail %u\n"
			"Date: Mon, 6 Jan 2020 10:%02u:%02u +0000\n"
			"Message-ID: <m%u@example.org>\n"
			"In-Reply-To: <m%u@example.org>\n\nText %u\n",
			i, i / 60 % 60, i % 60, i, i / 3, i);

		mbox_append(box, text, strlen(text));
	}
	heard_write(&h, name, box->str, box->len);
	g_string_free(box, TRUE);
}

static store *open_store(const char *name)
{
	g_autofree char *path = path_of(name);
	g_autoptr(GError) err = NULL;
	store *st = store_open(path, STORE_WRITE, &err);

	ck_assert_msg(st != NULL, "%s", err ? err->message : "");
	return st;
}

/* One ingest of these names below the test's folder; its counts. */
static struct ingest_counts take(store *st, const char *names, guint stop)
{
	struct ingest_options opt = {.stopped = stopped};
	g_autoptr(ingest) in = ingest_new(st, &opt);
	g_auto(GStrv) list = g_strsplit(names, " ", -1);
	g_autoptr(GError) err = NULL;

	patience = stop;
	for (guint i = 0; list[i]; i++) {
		g_autofree char *path = path_of(list[i]);

		ck_assert_msg(ingest_path(in, path, &err), "%s",
			      err ? err->message : "");
	}
	ck_assert(ingest_finish(in, &err));
	patience = 0;
	return *ingest_counts(in);
}

static char *dump(store *st)
{
	GString *out = g_string_new(NULL);

	ck_assert(dump_threads(st, out, NULL));
	ck_assert(dump_links(st, out, NULL));
	return g_string_free(out, FALSE);
}

/* However often it is interrupted, and wherever: the same in the end. */
START_TEST(interrupts_lose_and_double_nothing)
{
	struct repo r = repo_new(&h, "a.git", TRUE);
	g_autoptr(store) whole = open_store("whole.db");
	g_autoptr(store) parts = open_store("parts.db");
	g_autofree char *want = NULL;
	g_autofree char *got = NULL;
	guint64 new = 0, all;
	guint stop;

	v2_fill(&r, "a b c d e f g h i j");
	v2(&r, "d", "c");
	write_mbox("box", 40);
	all = take(whole, "box a.git box", 0).new;
	for (stop = 1; stop < 150; stop += 1 + stop / 8)
		new += take(parts, "box a.git box", stop).new;
	new += take(parts, "box a.git box", 0).new;
	ck_assert_uint_eq(new, all);
	want = dump(whole);
	got = dump(parts);
	ck_assert_str_eq(got, want);
	ck_assert_ptr_null(strstr(got, "c@example.org\tc@"));
	repo_free(&r);
}
END_TEST

static void count_batches(const struct ingest_counts *c, guint done, guint all,
			  void *data)
{
	guint *batches = data;

	++*batches;
	ck_assert_uint_le(c->seen, *batches * INGEST_BATCH_MAILS);
}

START_TEST(a_batch_is_bounded)
{
	g_autoptr(store) st = open_store("x.db");
	guint batches = 0;
	struct ingest_options opt = {.progress = count_batches,
				     .data = &batches};
	g_autoptr(ingest) in = ingest_new(st, &opt);
	g_autofree char *path = path_of("box");

	write_mbox("box", 2 * INGEST_BATCH_MAILS + 1);
	ck_assert(ingest_path(in, path, NULL));
	/* two are committed while it is read, the rest at the end */
	ck_assert_uint_eq(batches, 2);
	ck_assert_uint_eq(ingest_counts(in)->seen, 2 * INGEST_BATCH_MAILS);
	ck_assert(ingest_finish(in, NULL));
	ck_assert_uint_eq(batches, 3);
	ck_assert_uint_eq(ingest_counts(in)->seen, 2 * INGEST_BATCH_MAILS + 1);
}
END_TEST

static void collect(const char *text, void *data)
{
	g_string_append_printf(data, "%s\n", text);
}

START_TEST(what_is_no_mail_is_a_problem_of_its_place)
{
	g_autoptr(store) st = open_store("x.db");
	GString *told = g_string_new(NULL);
	struct ingest_options opt = {.problem = collect, .data = told};
	g_autoptr(ingest) in = ingest_new(st, &opt);
	g_autofree char *path = path_of("mh");
	g_autoptr(GPtrArray) problems = NULL;
	g_autofree char *text = NULL;
	const struct problem *p;

	heard_write(&h, "mh/1", "nothing here\n", -1);
	heard_write(&h, "mh/2", "Subject: two\nMessage-ID: <2@example.org>\n\n",
		    -1);
	ck_assert(ingest_path(in, path, NULL));
	ck_assert(ingest_finish(in, NULL));
	ck_assert_uint_eq(ingest_counts(in)->new, 1);
	ck_assert_uint_eq(ingest_counts(in)->broken, 1);
	text = heard_short(&h, told->str);
	ck_assert(g_str_has_prefix(text, "mh/1: "));
	problems = problems_load(st, NULL);
	ck_assert_uint_ge(problems->len, 1);
	p = problems->pdata[0];
	ck_assert_str_eq(p->kind, "message");
	ck_assert_str_eq(p->place, path);
	ck_assert_str_eq(p->code, "no-mail");
	g_string_free(told, TRUE);
}
END_TEST

START_TEST(a_bad_path_does_not_stop_the_next)
{
	g_autoptr(store) st = open_store("x.db");
	struct ingest_options opt = {0};
	g_autoptr(ingest) in = ingest_new(st, &opt);
	g_autofree char *good = path_of("box");
	g_autoptr(GError) err = NULL;

	write_mbox("box", 3);
	ck_assert(!ingest_path(in, "/nonexistent", &err));
	ck_assert(g_error_matches(err, SOURCE_ERROR, SOURCE_ERROR_OPEN));
	ck_assert(ingest_path(in, good, NULL));
	ck_assert(ingest_finish(in, NULL));
	ck_assert_uint_eq(ingest_counts(in)->new, 3);
}
END_TEST

/* The mails that a list's name is given for are looked at again, once. */
START_TEST(a_position_counts_for_its_list)
{
	static const struct {
		const char *list;
		guint64 seen;
	} steps[] = {{NULL, 4}, {NULL, 0}, {"a", 4}, {"a", 0}, {"b", 4}};
	struct repo r = repo_new(&h, "a.git", TRUE);
	g_autoptr(store) st = open_store("x.db");
	g_autofree char *path = path_of("a.git");

	v2_fill(&r, "a b c d");
	for (guint i = 0; i < G_N_ELEMENTS(steps); i++) {
		struct ingest_options opt = {.list = steps[i].list};
		g_autoptr(ingest) in = ingest_new(st, &opt);

		ck_assert(ingest_path(in, path, NULL));
		ck_assert(ingest_finish(in, NULL));
		ck_assert_uint_eq(ingest_counts(in)->seen, steps[i].seen);
		ck_assert_uint_eq(ingest_counts(in)->new, i ? 0 : 4);
	}
	repo_free(&r);
}
END_TEST

START_TEST(again_looks_at_everything)
{
	struct ingest_options opt = {.again = TRUE};
	struct repo r = repo_new(&h, "a.git", TRUE);
	g_autoptr(store) st = open_store("x.db");
	g_autofree char *path = path_of("a.git");
	g_autoptr(ingest) in = NULL;

	v2_fill(&r, "a b c d");
	ck_assert_uint_eq(take(st, "a.git", 0).new, 4);
	in = ingest_new(st, &opt);
	ck_assert(ingest_path(in, path, NULL));
	ck_assert(ingest_finish(in, NULL));
	ck_assert_uint_eq(ingest_counts(in)->known, 4);
	repo_free(&r);
}
END_TEST

/* Mail is kept, and told as kept, whatever becomes of its full text. */
START_TEST(a_bad_full_text_costs_no_mail)
{
	struct ingest_options opt = {.index = TRUE};
	g_autofree char *fts = path_of("x.db-fts"), *path = path_of("box");
	g_autoptr(store) st = open_store("x.db");
	g_autoptr(ingest) in = ingest_new(st, &opt);
	g_autoptr(GError) err = NULL;
	guint behind = 0;

	write_mbox("box", 2 * INGEST_BATCH_MAILS + 1);
	ck_assert_int_eq(g_mkdir(fts, 0700), 0);
	ck_assert(ingest_path(in, path, NULL));
	ck_assert(!ingest_finish(in, &err));
	ck_assert_int_eq(err->domain, STORE_ERROR);
	ck_assert_msg(strstr(err->message, "x.db-fts: "), "%s", err->message);
	ck_assert_uint_eq(ingest_counts(in)->new, 2 * INGEST_BATCH_MAILS + 1);
	/* nothing of it is left to do but the index */
	ck_assert_int_eq(g_rmdir(fts), 0);
	ck_assert(ingest_finish(in, NULL));
	ck_assert(search_behind(st, &behind, NULL));
	ck_assert_uint_eq(behind, 0);
	ck_assert_uint_eq(take(st, "box", 0).new, 0);
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("ingest");
	TCase *tc = tcase_create("ingest");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, interrupts_lose_and_double_nothing);
	tcase_add_test(tc, a_batch_is_bounded);
	tcase_add_test(tc, what_is_no_mail_is_a_problem_of_its_place);
	tcase_add_test(tc, a_bad_path_does_not_stop_the_next);
	tcase_add_test(tc, a_position_counts_for_its_list);
	tcase_add_test(tc, again_looks_at_everything);
	tcase_add_test(tc, a_bad_full_text_costs_no_mail);
	suite_add_tcase(s, tc);
	return s;
}

TEST_MAIN(suite)
