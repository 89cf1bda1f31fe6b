/* test_source_git.c - public-inbox archives of both versions: additions,
 * deletions, rewritten histories, damage, folders of epochs */
#include "tests/bot/archive.h"

static struct heard h;

static void setup(void)
{
	git_libgit2_init();
	heard_init(&h);
}

static void teardown(void)
{
	heard_clear(&h);
	git_libgit2_shutdown();
}

/* ---- version 2 */

START_TEST(messages_come_in_order_with_their_time)
{
	struct repo r = repo_new(&h, "a.git", TRUE);

	v2_fill(&r, "one two");
	ck_assert_str_eq(heard_read(&h, "a.git"), "mail git a.git one @1000\n"
						  "mail git a.git two @1001\n");
	ck_assert_str_eq(heard_read(&h, "a.git"), "");
	v2(&r, "m", "three");
	ck_assert_str_eq(heard_read(&h, "a.git"),
			 "mail git a.git three @1002\n");
	repo_free(&r);
}
END_TEST

START_TEST(a_work_tree_is_as_good_as_a_bare_one)
{
	struct repo r = repo_new(&h, "work", FALSE);

	v2_fill(&r, "one");
	ck_assert_str_eq(heard_read(&h, "work"), "mail git work one @1000\n");
	repo_free(&r);
}
END_TEST

START_TEST(a_deletion_follows_its_message)
{
	struct repo r = repo_new(&h, "a.git", TRUE);

	v2_fill(&r, "spam ham");
	v2(&r, "d", "spam");
	ck_assert_str_eq(heard_read(&h, "a.git"), "mail git a.git spam @1000\n"
						  "mail git a.git ham @1001\n"
						  "gone git a.git spam\n");
	v2(&r, "d", "ham");
	ck_assert_str_eq(heard_read(&h, "a.git"), "gone git a.git ham\n");
	repo_free(&r);
}
END_TEST

START_TEST(an_empty_tree_says_nothing)
{
	struct repo r = repo_new(&h, "a.git", TRUE);
	git_oid empty = tree_of(&r, NULL, NULL);

	commit(&r, &empty);
	v2(&r, "m", "one");
	commit(&r, &empty);
	ck_assert_str_eq(heard_read(&h, "a.git"), "mail git a.git one @1001\n");
	commit(&r, &empty);
	ck_assert_str_eq(heard_read(&h, "a.git"), "");
	repo_free(&r);
}
END_TEST

/* The tree's other entries are none of ours, wherever "m" stands. */
START_TEST(the_message_is_found_by_name)
{
	struct repo r = repo_new(&h, "a.git", TRUE);
	git_oid one = blob_of(&r, "one"), other = blob_of(&r, "other");
	git_treebuilder *b;
	git_oid tree;

	ck_assert_int_eq(git_treebuilder_new(&b, r.git, NULL), 0);
	git_treebuilder_insert(NULL, b, "a", &other, GIT_FILEMODE_BLOB);
	git_treebuilder_insert(NULL, b, "m", &one, GIT_FILEMODE_BLOB);
	git_treebuilder_insert(NULL, b, "mm", &other, GIT_FILEMODE_BLOB);
	ck_assert_int_eq(git_treebuilder_write(&tree, b), 0);
	git_treebuilder_free(b);
	commit(&r, &tree);
	ck_assert_str_eq(heard_read(&h, "a.git"), "mail git a.git one @1000\n");
	repo_free(&r);
}
END_TEST

START_TEST(a_rewritten_epoch_loses_what_was_purged)
{
	struct repo r = repo_new(&h, "a.git", TRUE);

	v2_fill(&r, "one purged two");
	heard_read(&h, "a.git");
	ck_assert_uint_eq(g_hash_table_size(h.oids), 3);
	r.has_head = FALSE;
	v2_fill(&r, "one two three");
	ck_assert_str_eq(heard_read(&h, "a.git"),
			 "gone git a.git purged\n"
			 "mail git a.git one @1003\n"
			 "mail git a.git two @1004\n"
			 "mail git a.git three @1005\n");
	ck_assert_uint_eq(g_hash_table_size(h.oids), 3);
	ck_assert_str_eq(heard_read(&h, "a.git"), "");
	repo_free(&r);
}
END_TEST

START_TEST(what_a_rewritten_epoch_deletes_is_gone)
{
	struct repo r = repo_new(&h, "a.git", TRUE);

	v2_fill(&r, "one two three");
	heard_read(&h, "a.git");
	r.has_head = FALSE;
	v2_fill(&r, "one two three");
	v2(&r, "d", "two");
	ck_assert_str_eq(heard_read(&h, "a.git"), "gone git a.git two\n"
						  "mail git a.git one @1003\n"
						  "mail git a.git three @1005\n"
						  "gone git a.git two\n");
	repo_free(&r);
}
END_TEST

/* Stopped anywhere, the next read gives the rest, none twice. */
START_TEST(a_stopped_read_goes_on)
{
	struct repo r = repo_new(&h, "a.git", TRUE);

	v2_fill(&r, "a b c d e f");
	h.stop_after = _i;
	heard_read(&h, "a.git");
	h.stop_after = 0;
	heard_read(&h, "a.git");
	/* the one at which it stopped may come again */
	ck_assert_uint_le(h.mails, 6 - _i + 1);
	ck_assert_uint_eq(g_hash_table_size(h.oids), 6);
	ck_assert(g_str_has_suffix(h.log->str, "mail git a.git f @1005\n"));
	repo_free(&r);
}
END_TEST

START_TEST(merged_lines_are_all_read)
{
	struct repo r = repo_new(&h, "a.git", TRUE);
	git_oid root, side, tree, merge, both[2];

	v2(&r, "m", "root");
	root = r.head;
	v2_fill(&r, "left1 left2");
	side = blob_of(&r, "right");
	tree = tree_of(&r, "m", &side);
	both[0] = r.head;
	both[1] = commit_on(&r, &tree, 1, &root);
	tree = tree_of(&r, NULL, NULL);
	merge = commit_on(&r, &tree, 2, both);
	set_head(&r, &merge);
	heard_read(&h, "a.git");
	ck_assert_uint_eq(h.mails, 4);
	ck_assert_uint_eq(g_hash_table_size(h.oids), 4);
	ck_assert_str_eq(heard_read(&h, "a.git"), "");
	v2(&r, "m", "after");
	ck_assert_str_eq(heard_read(&h, "a.git"),
			 "mail git a.git after @1005\n");
	repo_free(&r);
}
END_TEST

/* ---- damage */

static void remove_object(const char *repo, const git_oid *id)
{
	char hex[GIT_OID_HEXSZ + 1];
	g_autofree char *name = NULL;
	g_autofree char *path = NULL;

	git_oid_tostr(hex, sizeof(hex), id);
	name = g_strdup_printf("objects/%.2s/%s", hex, hex + 2);
	path = g_build_filename(h.dir, repo, name, NULL);
	ck_assert_int_eq(g_unlink(path), 0);
}

START_TEST(a_missing_blob_is_named_and_passed_over)
{
	struct repo r = repo_new(&h, "a.git", TRUE);
	git_oid two;
	char hex[GIT_OID_HEXSZ + 1];
	g_autofree char *want = NULL;

	v2_fill(&r, "one two three");
	two = blob_of(&r, "two");
	remove_object("a.git", &two);
	git_oid_tostr(hex, sizeof(hex), &two);
	want = g_strdup_printf("mail git a.git one @1000\n"
			       "lost a.git: object %s is missing\n"
			       "mail git a.git three @1002\n",
			       hex);
	ck_assert_str_eq(heard_read(&h, "a.git"), want);
	repo_free(&r);
}
END_TEST

START_TEST(a_missing_tree_is_named_and_passed_over)
{
	struct repo r = repo_new(&h, "a.git", TRUE);
	git_oid two, tree;

	v2_fill(&r, "one two three");
	two = blob_of(&r, "two");
	tree = tree_of(&r, "m", &two);
	remove_object("a.git", &tree);
	heard_read(&h, "a.git");
	ck_assert_uint_eq(h.mails, 2);
	ck_assert_ptr_nonnull(
		strstr(h.log->str, "broken git a.git missing: a.git: object"));
	ck_assert_uint_eq(g_hash_table_size(h.oids), 2);
	repo_free(&r);
}
END_TEST

/* Where the beginning is not there, nothing is concluded from its absence. */
START_TEST(a_cut_history_deletes_nothing)
{
	struct repo r = repo_new(&h, "a.git", TRUE);
	git_oid first;

	v2(&r, "m", "one");
	first = r.head;
	v2_fill(&r, "two three");
	heard_read(&h, "a.git");
	g_hash_table_insert(h.cursor, g_strdup("git a.git"),
			    g_strnfill(40, 'b'));
	remove_object("a.git", &first);
	heard_read(&h, "a.git");
	ck_assert_ptr_null(strstr(h.log->str, "gone"));
	ck_assert_ptr_nonnull(
		strstr(h.log->str, "older commits are not reached"));
	ck_assert_uint_eq(h.mails, 2);
	repo_free(&r);
}
END_TEST

/* ---- version 1 */

START_TEST(version_1_adds_removes_and_replaces)
{
	struct repo r = repo_new(&h, "one", TRUE);

	v1(&r, "a", "a");
	v1(&r, "a b", "a b");
	v1(&r, "a b c", "a b c");
	v1(&r, "b c", "b c");
	v1(&r, "b c", "b other");
	ck_assert_str_eq(heard_read(&h, "one"), "mail git one a @1000\n"
						"mail git one b @1001\n"
						"mail git one c @1002\n"
						"gone git one a\n"
						"gone git one c\n"
						"mail git one other @1004\n");
	v1(&r, "b c d", "b other d");
	ck_assert_str_eq(heard_read(&h, "one"), "mail git one d @1005\n");
	v1(&r, "", "");
	heard_read(&h, "one");
	ck_assert_uint_eq(g_hash_table_size(h.oids), 0);
	repo_free(&r);
}
END_TEST

START_TEST(a_rewritten_version_1_loses_what_was_purged)
{
	struct repo r = repo_new(&h, "one", TRUE);

	v1(&r, "a", "a");
	v1(&r, "a purged", "a purged");
	heard_read(&h, "one");
	r.has_head = FALSE;
	v1(&r, "a", "a");
	v1(&r, "a b", "a b");
	ck_assert_str_eq(heard_read(&h, "one"), "gone git one purged\n"
						"mail git one a @1002\n"
						"mail git one b @1003\n");
	repo_free(&r);
}
END_TEST

/* ---- what is no archive, and folders of epochs */

START_TEST(other_repositories_are_refused)
{
	struct repo r = repo_new(&h, "code.git", TRUE);
	git_oid blob = blob_of(&r, "one");
	git_oid tree = tree_of(&r, "main.c", &blob);

	commit(&r, &tree);
	ck_assert_str_eq(heard_read(&h, "code.git"),
			 "error 2: code.git: is a git repository, but no "
			 "archive of mail\n");
	repo_free(&r);
}
END_TEST

START_TEST(a_repository_without_commits_is_told)
{
	struct repo r = repo_new(&h, "new.git", TRUE);

	ck_assert_str_eq(heard_read(&h, "new.git"),
			 "error 2: new.git: has no commit\n");
	repo_free(&r);
}
END_TEST

START_TEST(mail_files_in_a_work_tree_are_mail_files)
{
	struct repo r = repo_new(&h, "code", FALSE);
	git_oid blob = blob_of(&r, "one");
	git_oid tree = tree_of(&r, "main.c", &blob);
	g_autofree char *text = heard_text("file");

	commit(&r, &tree);
	heard_write(&h, "code/x.eml", text, -1);
	ck_assert_str_eq(heard_read(&h, "code"), "mail file code file\n");
	repo_free(&r);
}
END_TEST

static const char *const inboxes[] = {"in", "in/git"};

START_TEST(an_inbox_is_all_its_epochs_by_number)
{
	struct repo r[3] = {repo_new(&h, "in/git/10.git", TRUE),
			    repo_new(&h, "in/git/2.git", TRUE),
			    repo_new(&h, "in/git/11.git", TRUE)};

	v2_fill(&r[0], "late");
	v2_fill(&r[1], "early");
	ck_assert_str_eq(heard_read(&h, inboxes[_i]),
			 "mail git in/git/2.git early @1000\n"
			 "mail git in/git/10.git late @1000\n");
	for (guint i = 0; i < 3; i++)
		repo_free(&r[i]);
}
END_TEST

START_TEST(a_deletion_reaches_older_epochs)
{
	struct repo old = repo_new(&h, "in/git/0.git", TRUE);
	struct repo new = repo_new(&h, "in/git/1.git", TRUE);

	v2_fill(&old, "spam");
	v2_fill(&new, "ham");
	v2(&new, "d", "spam");
	ck_assert_str_eq(heard_read(&h, "in"),
			 "mail git in/git/0.git spam @1000\n"
			 "mail git in/git/1.git ham @1000\n"
			 "gone git in/git/0.git spam\n"
			 "gone git in/git/1.git spam\n");
	/* a purge of the old epoch must not bring it back */
	old.has_head = FALSE;
	v2_fill(&old, "other spam");
	heard_read(&h, "in");
	ck_assert_uint_eq(g_hash_table_size(h.oids), 2);
	repo_free(&old);
	repo_free(&new);
}
END_TEST

START_TEST(a_bad_epoch_does_not_stop_the_others)
{
	struct repo r = repo_new(&h, "in/git/1.git", TRUE);

	heard_write(&h, "in/git/0.git/HEAD", "nonsense", -1);
	v2_fill(&r, "one");
	heard_read(&h, "in");
	ck_assert(g_str_has_prefix(h.log->str,
				   "broken git in/git/0.git unreadable: "
				   "in/git/0.git: no git repository: "));
	ck_assert(g_str_has_suffix(h.log->str,
				   "mail git in/git/1.git one @1000\n"));
	repo_free(&r);
}
END_TEST

static TCase *version_2_case(void)
{
	TCase *tc = tcase_create("version 2");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, messages_come_in_order_with_their_time);
	tcase_add_test(tc, a_work_tree_is_as_good_as_a_bare_one);
	tcase_add_test(tc, a_deletion_follows_its_message);
	tcase_add_test(tc, an_empty_tree_says_nothing);
	tcase_add_test(tc, the_message_is_found_by_name);
	tcase_add_test(tc, a_rewritten_epoch_loses_what_was_purged);
	tcase_add_test(tc, what_a_rewritten_epoch_deletes_is_gone);
	tcase_add_loop_test(tc, a_stopped_read_goes_on, 1, 7);
	tcase_add_test(tc, merged_lines_are_all_read);
	tcase_add_test(tc, a_missing_blob_is_named_and_passed_over);
	tcase_add_test(tc, a_missing_tree_is_named_and_passed_over);
	tcase_add_test(tc, a_cut_history_deletes_nothing);
	return tc;
}

static TCase *other_case(void)
{
	TCase *tc = tcase_create("version 1 and folders");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, version_1_adds_removes_and_replaces);
	tcase_add_test(tc, a_rewritten_version_1_loses_what_was_purged);
	tcase_add_test(tc, other_repositories_are_refused);
	tcase_add_test(tc, a_repository_without_commits_is_told);
	tcase_add_test(tc, mail_files_in_a_work_tree_are_mail_files);
	tcase_add_loop_test(tc, an_inbox_is_all_its_epochs_by_number, 0,
			    G_N_ELEMENTS(inboxes));
	tcase_add_test(tc, a_deletion_reaches_older_epochs);
	tcase_add_test(tc, a_bad_epoch_does_not_stop_the_others);
	return tc;
}

static Suite *suite(void)
{
	Suite *s = suite_create("source_git");

	suite_add_tcase(s, version_2_case());
	suite_add_tcase(s, other_case());
	return s;
}

TEST_MAIN(suite)
