/* test_store.c - files that are missing, foreign, damaged, locked, full */
#include <glib/gstdio.h>
#include <sqlite3.h>

#include "db/db_priv.h"

#include "tests/db/folder.h"

static void assert_fails(store *st, GError *err, enum store_error code,
			 const char *part)
{
	ck_assert(!st);
	ck_assert_msg(g_error_matches(err, STORE_ERROR, code), "%s",
		      err ? err->message : "no error");
	ck_assert_msg(strstr(err->message, part) != NULL, "%s", err->message);
}

START_TEST(kept_on_disk)
{
	g_autofree char *path = in_dir("db");
	g_autofree char *before = NULL, *after = NULL;
	g_autoptr(GError) err = NULL;
	store *st = open_file(path);
	g_autoptr(GBytes) raw = NULL;

	put(st, &first);
	put(st, &second);
	before = picture_of(st);
	store_close(st);
	st = store_open(path, STORE_READ, &err);
	must(st != NULL, err);
	after = picture_of(st);
	ck_assert_str_eq(before, after);
	raw = archive_raw(st, "a@x", &err);
	must(raw != NULL, err);
	must(store_check(st, &err), err);
	store_close(st);
}
END_TEST

START_TEST(reading_what_is_not_there)
{
	g_autofree char *path = in_dir("db");
	g_autoptr(GError) err = NULL;

	ck_assert(!store_open(path, STORE_READ, &err) && !err);
	ck_assert(!g_file_test(path, G_FILE_TEST_EXISTS));
	ck_assert(g_file_set_contents(path, "", 0, NULL)); /* nothing yet */
	ck_assert(!store_open(path, STORE_READ, &err) && !err);
	store_close(open_file(path));
}
END_TEST

START_TEST(in_a_folder_that_is_not_there)
{
	g_autofree char *path = in_dir("no/such/db");
	g_autoptr(GError) err = NULL;
	store *st = store_open(path, STORE_WRITE, &err);

	assert_fails(st, err, STORE_ERROR_IO, path);
}
END_TEST

static const struct {
	const char *name, *content, *sql, *says;
	enum store_error code;
} strangers[] = {
	{"text",
	 "this is a text of some length, and no database at all ....."
	 "............................................................",
	 NULL, "not a database", STORE_ERROR_CORRUPT},
	{"foreign", NULL, "CREATE TABLE t (a); PRAGMA user_version = 1;",
	 "another program", STORE_ERROR_CORRUPT},
	{"newer", NULL,
	 "CREATE TABLE t (a); PRAGMA user_version = 99;"
	 "PRAGMA application_id = 0x63756c70;",
	 "newer version", STORE_ERROR_SCHEMA},
};

START_TEST(not_ours)
{
	g_autofree char *path = in_dir(strangers[_i].name);
	g_autofree char *before = NULL, *after = NULL;
	gsize len[2];
	int mode;

	if (strangers[_i].sql) {
		sqlite3 *h;

		ck_assert_int_eq(sqlite3_open(path, &h), SQLITE_OK);
		ck_assert_int_eq(sqlite3_exec(h, strangers[_i].sql, NULL, NULL,
					      NULL),
				 SQLITE_OK);
		sqlite3_close(h);
	} else {
		ck_assert(g_file_set_contents(path, strangers[_i].content, -1,
					      NULL));
	}
	ck_assert(g_file_get_contents(path, &before, &len[0], NULL));
	for (mode = STORE_READ; mode <= STORE_WRITE; mode++) {
		g_autoptr(GError) err = NULL;
		store *st = store_open(path, mode, &err);

		assert_fails(st, err, strangers[_i].code, strangers[_i].says);
	}
	ck_assert(g_file_get_contents(path, &after, &len[1], NULL));
	ck_assert(len[0] == len[1] && memcmp(before, after, len[0]) == 0);
}
END_TEST

/* As version 1 left it: other derived tables, even a rebuild half done. */
static const char *const version_1[] = {
	"DROP TABLE measure; ALTER TABLE report DROP COLUMN title;"
	"DROP INDEX location_source; DROP TABLE git_committer;"
	"DROP TABLE applied_commit; PRAGMA user_version = 1;",
	"DROP TABLE measure; ALTER TABLE report DROP COLUMN title;"
	"INSERT INTO meta VALUES ('rebuilding', 1);"
	"PRAGMA user_version = 1;",
};

/* Tables and indexes, sorted. */
static char *schema_of(store *st)
{
	g_autoptr(GError) err = NULL;
	g_autoptr(db_rows) rows =
		db_query(st->state, &err,
			 "SELECT type || ' ' || name FROM sqlite_schema"
			 " ORDER BY 1");
	GString *out = g_string_new(NULL);

	while (db_next(rows, &err) > 0)
		g_string_append_printf(out, "%s\n", db_text(rows, 0));
	must(!err, err);
	return g_string_free(out, FALSE);
}

START_TEST(written_by_an_older_version)
{
	g_autofree char *path = in_dir(_i ? "half" : "old");
	g_autofree char *before = NULL, *after = NULL;
	g_autofree char *fresh = NULL, *migrated = NULL;
	g_autoptr(GError) err = NULL;
	store *st = open_file(path);

	put(st, &first);
	put(st, &second);
	before = picture_of(st);
	fresh = schema_of(st);
	must(db_script(st->state, version_1[_i], &err), err);
	store_close(st);
	st = store_open(path, STORE_READ, &err);
	assert_fails(st, err, STORE_ERROR_SCHEMA, "culprit rebuild");
	g_clear_error(&err);
	st = store_open(path, STORE_WRITE, &err);
	must(st != NULL, err);
	must(archive_rebuild(st, NULL, NULL, &err), err);
	after = picture_of(st);
	ck_assert_str_eq(before, after);
	migrated = schema_of(st);
	ck_assert_str_eq(fresh, migrated);
	store_close(st);
}
END_TEST

/* ---- damage met in the middle */

static void fill(const char *path, guint n)
{
	store *st = open_file(path);
	guint i;

	for (i = 0; i < n; i++) {
		g_autofree char *id = g_strdup_printf("m%u@x", i);

		put(st, &(struct mail){id, "a@x", .day = 1});
	}
	store_close(st);
}

static void scribble(const char *path, gsize from)
{
	g_autofree char *data = NULL;
	gsize len;

	ck_assert(g_file_get_contents(path, &data, &len, NULL));
	ck_assert_uint_gt(len, from);
	memset(data + from, 0x5a, len - from);
	ck_assert(g_file_set_contents(path, data, len, NULL));
}

START_TEST(damaged_in_the_middle)
{
	g_autofree char *path = in_dir("db");
	g_autoptr(GError) err = NULL;
	g_autoptr(GError) why = NULL;
	g_autoptr(store) st = NULL;
	struct add a = {.kind = "mbox", .place = "/a"};
	GString *out = g_string_new(NULL);

	fill(path, 1000);
	scribble(path, 110 * 4096);
	st = store_open(path, STORE_WRITE, &err);
	must(st != NULL, err);
	ck_assert(!dump_threads(st, out, &why));
	ck_assert(g_error_matches(why, STORE_ERROR, STORE_ERROR_CORRUPT));
	g_clear_error(&why);
	a.bytes = mail_bytes(&first);
	ck_assert(!store_transact(st, add_in, &a, &why));
	ck_assert(g_error_matches(why, STORE_ERROR, STORE_ERROR_CORRUPT));
	g_clear_error(&why);
	ck_assert(!store_check(st, &why));
	ck_assert(g_error_matches(why, STORE_ERROR, STORE_ERROR_CORRUPT));
	g_string_free(out, TRUE);
	g_bytes_unref(a.bytes);
}
END_TEST

START_TEST(damaged_spool)
{
	g_autofree char *path = in_dir("db");
	g_autofree char *spool = in_dir("db-spool");
	g_autoptr(GError) err = NULL;
	store *st = open_file(path);
	g_autoptr(GBytes) raw = NULL;

	put(st, &first);
	store_close(st);
	scribble(spool, 4096);
	st = open_file(path);
	raw = archive_raw(st, "a@x", &err);
	ck_assert(!raw);
	ck_assert(g_error_matches(err, STORE_ERROR, STORE_ERROR_CORRUPT));
	g_clear_error(&err);
	ck_assert(!store_check(st, &err));
	store_close(st);
}
END_TEST

/* What could not be derived again is not thrown away. */
START_TEST(no_rebuild_from_a_damaged_spool)
{
	g_autofree char *path = in_dir("db"), *spool = in_dir("db-spool");
	g_autofree char *want = NULL, *got = NULL;
	g_autoptr(GError) err = NULL;
	g_autoptr(store) st = NULL;

	fill(path, 200);
	scribble(spool, 2 * 4096);
	st = open_file(path);
	want = picture_of(st);
	ck_assert(!archive_rebuild(st, NULL, NULL, &err));
	ck_assert(g_error_matches(err, STORE_ERROR, STORE_ERROR_CORRUPT));
	ck_assert_msg(strstr(err->message, "db-spool: damaged"), "%s",
		      err->message);
	got = picture_of(st);
	ck_assert_str_eq(got, want);
}
END_TEST

START_TEST(spool_gone)
{
	g_autofree char *path = in_dir("db");
	g_autofree char *spool = in_dir("db-spool");
	g_autoptr(GError) err = NULL;
	store *st = open_file(path);

	put(st, &first);
	store_close(st);
	g_remove(spool);
	st = store_open(path, STORE_READ, &err);
	ck_assert(!archive_raw(st, "a@x", &err));
	ck_assert(g_error_matches(err, STORE_ERROR, STORE_ERROR_MISSING));
	store_close(st);
}
END_TEST

/* ---- transactions */

static gboolean add_then_fail(store *st, void *data, GError **err)
{
	if (!add_in(st, data, err))
		return FALSE;
	g_set_error(err, G_FILE_ERROR, G_FILE_ERROR_FAILED, "enough");
	return FALSE;
}

START_TEST(rolled_back)
{
	g_autofree char *before = NULL, *after = NULL;
	g_autoptr(GError) err = NULL;
	g_autoptr(store) st = open_memory();
	struct add a = {.kind = "mbox", .place = "/new", .list = "l.x.org"};

	put(st, &first);
	before = picture_of(st);
	a.bytes = mail_bytes(&second);
	ck_assert(!store_transact(st, add_then_fail, &a, &err));
	ck_assert_str_eq(err->message, "enough");
	after = picture_of(st);
	ck_assert_str_eq(before, after);
	g_clear_error(&err);
	/* what was remembered of the names is gone with them */
	run(st, add_in, &a);
	ck_assert_int_eq(a.added, ARCHIVE_NEW);
	must(store_check(st, &err), err);
	g_bytes_unref(a.bytes);
}
END_TEST

START_TEST(another_writer)
{
	g_autofree char *path = in_dir("db");
	g_autofree char *mine = NULL, *theirs = NULL;
	g_autoptr(GError) err = NULL;
	g_autoptr(store) a = open_file(path), b = open_file(path);
	struct add mail = {.kind = "mbox", .place = "/a"};

	sqlite3_busy_timeout(db_handle(b->state), 10);
	must(db_run(a->state, &err, "BEGIN IMMEDIATE"), err);
	mail.bytes = mail_bytes(&first);
	ck_assert(!store_transact(b, add_in, &mail, &err));
	ck_assert(g_error_matches(err, STORE_ERROR, STORE_ERROR_BUSY));
	g_clear_error(&err);
	must(db_run(a->state, &err, "COMMIT"), err);
	/* taking turns: neither trusts what it remembers of ids */
	put(a, &first);
	put(b, &second);
	put(a, &(struct mail){"c@x", "b@x", "b@x", .day = 3});
	put(b, &(struct mail){"d@x", .day = 3, .subject = "alone"});
	mine = picture_of(a);
	theirs = picture_of(b);
	ck_assert_str_eq(mine, theirs);
	must(store_check(a, &err), err);
	g_bytes_unref(mail.bytes);
}
END_TEST

START_TEST(disk_full)
{
	g_autofree char *path = in_dir("db");
	g_autofree char *before = NULL, *after = NULL, *big = NULL;
	g_autoptr(GError) err = NULL;
	g_autoptr(store) st = open_file(path);
	struct add a = {.kind = "mbox", .place = "/a"};
	gint64 pages;

	put(st, &first);
	before = picture_of(st);
	must(db_get_int(st->state, &pages, &err, "PRAGMA page_count") > 0, err);
	big = g_strdup_printf("PRAGMA max_page_count = %d", (int)pages + 1);
	must(db_script(st->state, big, &err), err);
	g_free(big);
	big = g_strnfill(100000, 'x');
	a.bytes = mail_bytes(&(struct mail){"b@x", .subject = big, .day = 1});
	ck_assert(!store_transact(st, add_in, &a, &err));
	ck_assert_msg(g_error_matches(err, STORE_ERROR, STORE_ERROR_IO), "%s",
		      err->message);
	g_clear_error(&err);
	after = picture_of(st);
	ck_assert_str_eq(before, after);
	must(db_script(st->state, "PRAGMA max_page_count = 100000", &err), err);
	run(st, add_in, &a);
	must(store_check(st, &err), err);
	g_bytes_unref(a.bytes);
}
END_TEST

/* ---- backup */

START_TEST(backup_is_a_whole_database)
{
	g_autofree char *path = in_dir("db"), *copy = in_dir("copy");
	g_autofree char *want = NULL, *got = NULL;
	g_autoptr(GError) err = NULL;
	g_autoptr(GBytes) raw = NULL;
	store *st = open_file(path), *other = open_file(path);

	put(st, &first);
	want = picture_of(st);
	must(store_backup(st, copy, &err), err);
	put(other, &second); /* not stopped by the copy, and not in it */
	store_close(other);
	store_close(st);
	st = store_open(copy, STORE_READ, &err);
	must(st != NULL, err);
	got = picture_of(st);
	ck_assert_str_eq(got, want);
	raw = archive_raw(st, "a@x", &err);
	must(raw != NULL, err);
	must(store_check(st, &err), err);
	store_close(st);
}
END_TEST

/* A copy must not become what it is a copy of, nor take over the log of a file
 * that it replaces. */
START_TEST(backup_over_a_file_in_use)
{
	static const char *const taken[] = {"db", "db-spool", "other"};
	g_autofree char *path = in_dir("db"), *other = in_dir("other");
	g_autofree char *want = NULL, *got = NULL;
	g_autoptr(GError) err = NULL;
	g_autoptr(store) st = open_file(path);
	g_autoptr(store) in_use = open_file(other);

	put(st, &first);
	put(in_use, &second);
	want = picture_of(st);
	for (guint i = 0; i < G_N_ELEMENTS(taken); i++) {
		g_autofree char *file = in_dir(taken[i]);
		g_autoptr(GError) why = NULL;

		ck_assert(!store_backup(st, file, &why));
		ck_assert(g_error_matches(why, STORE_ERROR, STORE_ERROR_IO));
		ck_assert(strstr(why->message, "choose another name"));
	}
	got = picture_of(st);
	ck_assert_str_eq(got, want);
	must(store_check(in_use, &err), err);
}
END_TEST

START_TEST(backup_to_nowhere)
{
	g_autofree char *path = in_dir("db"), *copy = in_dir("no/copy");
	g_autoptr(GError) err = NULL;
	g_autoptr(store) st = open_file(path);

	put(st, &first);
	ck_assert(!store_backup(st, copy, &err));
	ck_assert(g_error_matches(err, STORE_ERROR, STORE_ERROR_IO));
}
END_TEST

START_TEST(files_elsewhere)
{
	g_autofree char *path = in_dir("db"), *spool = in_dir("elsewhere");
	g_autoptr(store) st = open_file(path);

	store_set_paths(st, spool, NULL);
	put(st, &first);
	ck_assert(g_file_test(spool, G_FILE_TEST_EXISTS));
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("store");
	TCase *c = tcase_create("store");

	tcase_add_checked_fixture(c, make_dir, remove_dir);
	tcase_add_test(c, kept_on_disk);
	tcase_add_test(c, reading_what_is_not_there);
	tcase_add_test(c, in_a_folder_that_is_not_there);
	tcase_add_loop_test(c, not_ours, 0, G_N_ELEMENTS(strangers));
	tcase_add_loop_test(c, written_by_an_older_version, 0,
			    G_N_ELEMENTS(version_1));
	tcase_add_test(c, damaged_in_the_middle);
	tcase_add_test(c, damaged_spool);
	tcase_add_test(c, no_rebuild_from_a_damaged_spool);
	tcase_add_test(c, spool_gone);
	tcase_add_test(c, rolled_back);
	tcase_add_test(c, another_writer);
	tcase_add_test(c, disk_full);
	tcase_add_test(c, backup_is_a_whole_database);
	tcase_add_test(c, backup_over_a_file_in_use);
	tcase_add_test(c, backup_to_nowhere);
	tcase_add_test(c, files_elsewhere);
	suite_add_tcase(s, c);
	return s;
}
TEST_MAIN(suite)
