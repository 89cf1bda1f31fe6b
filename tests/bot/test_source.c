/* test_source.c - files and folders of mail: what is handed over, what is
 * said of the rest, and where a second read goes on */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "mail/mbox.h"

#include "tests/bot/heard.h"

static struct heard h;

static void setup(void)
{
	heard_init(&h);
}

static void teardown(void)
{
	heard_clear(&h);
}

static void write_mail(const char *name, const char *subject)
{
	g_autofree char *text = heard_text(subject);

	heard_write(&h, name, text, -1);
}

/* An mboxrd of mails with these subjects, separated by blanks. */
static GString *make_mbox(const char *subjects)
{
	g_auto(GStrv) words = g_strsplit(subjects, " ", -1);
	GString *out = g_string_new(NULL);

	for (guint i = 0; words[i]; i++) {
		g_autofree char *text = heard_text(words[i]);

		mbox_append(out, text, strlen(text));
	}
	return out;
}

static void write_mbox(const char *name, const char *subjects)
{
	GString *box = make_mbox(subjects);

	heard_write(&h, name, box->str, box->len);
	g_string_free(box, TRUE);
}

static void append(const char *name, const char *text, gsize len)
{
	g_autofree char *path = g_build_filename(h.dir, name, NULL);
	int fd = open(path, O_WRONLY | O_APPEND);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, text, len), len);
	close(fd);
}

static void write_gzip(const char *name, const GString *text, gsize cut)
{
	z_stream z = {0};
	g_autofree guint8 *out = g_malloc(text->len + 1000);

	ck_assert_int_eq(deflateInit2(&z, 6, Z_DEFLATED, 15 + 16, 8,
				      Z_DEFAULT_STRATEGY),
			 Z_OK);
	z.next_in = (guint8 *)text->str;
	z.avail_in = text->len;
	z.next_out = out;
	z.avail_out = text->len + 1000;
	ck_assert_int_eq(deflate(&z, Z_FINISH), Z_STREAM_END);
	heard_write(&h, name, (char *)out, z.total_out - cut);
	deflateEnd(&z);
}

/* ---- single files */

#define MAIL "Subject: one\nFrom: a@example.org\n\nText\n"
#define SEP  "From mboxrd@z Thu Jan  1 00:00:00 1970\n"

#define NO_MAIL "error 2: f: is no mail\n"

static const struct {
	const char *content, *log;
} files[] = {
	{MAIL, "mail file f one\n"},
	{"\n\r\n" MAIL, "mail file f one\n"},
	{SEP MAIL "\n" SEP "Subject: two\n\nText\n",
	 "mail mbox f one\nmail mbox f two\n"},
	{"\n" SEP MAIL "\n" SEP "Subject: two\n\nText\n",
	 "mail mbox f one\nmail mbox f two\n"},
	{"From a@example.org Mon Jan  6 12:00:00 2020\n" MAIL,
	 "mail mbox f one\n"},
	{"", "error 2: f: is empty\n"},
	{"\n\n\n", "error 2: f: is empty\n"},
	{"some text\nwith lines\n", NO_MAIL},
	{"root:x:0:0:root:/root:/bin/sh\n", NO_MAIL},
	{"Note: this is\nno: mail\n\nSubject: at all\n", NO_MAIL},
	{"/* a.c: is C */\nint main(void)\n{\n}\n", NO_MAIL},
	{"again:\n\tif (x)\n\t\tgoto again;\n", NO_MAIL},
	{"diff --git a/x b/x\n--- a/x\n+++ b/x\n", NO_MAIL},
	{"%PDF-1.4\n%\xc7\xec\x8f\xa2\n", NO_MAIL},
	{"name: x\nversion: 1\n", NO_MAIL},
	{"From here on\nkey: value\n", NO_MAIL},
	/* damaged, but mail */
	{"From here on\nSubject: one\n\nText\n", "mail mbox f one\n"},
	{"From a@x Mon Jan  6 12:00:00 2020\nA: b\n\nText\n",
	 "mail mbox f ?\n"},
	{"X: y\nsubject: one\nno field\n\nText\n", "mail file f ?\n"},
	{">From a\nMessage-ID: <a@x>\n\nText\n", "mail file f ?\n"},
	{"Received: by x;\n\tnow\n", "mail file f ?\n"},
	{"Return-Path: <a@example.org>\r\n\r\n", "mail file f ?\n"},
	{"# v2 git bundle\n00 refs/heads/master\n",
	 "error 2: f: is a git bundle; git clone --bare makes an archive of "
	 "it\n"},
};

START_TEST(a_file_is_what_it_begins_with)
{
	heard_write(&h, "f", files[_i].content, -1);
	ck_assert_str_eq(heard_read(&h, "f"), files[_i].log);
}
END_TEST

START_TEST(bytes_are_exactly_the_message)
{
	GBytes *raw;

	heard_write(&h, "f", SEP MAIL ">From here\n>>From there\n\n" SEP MAIL,
		    -1);
	heard_read(&h, "f");
	ck_assert_uint_eq(h.raws->len, 2);
	raw = h.raws->pdata[0];
	ck_assert_uint_eq(g_bytes_get_size(raw),
			  strlen(MAIL "From here\n>From there\n"));
	ck_assert_mem_eq(g_bytes_get_data(raw, NULL),
			 MAIL "From here\n>From there\n",
			 g_bytes_get_size(raw));
	raw = h.raws->pdata[1];
	ck_assert_uint_eq(g_bytes_get_size(raw), strlen(MAIL));
}
END_TEST

static const struct {
	const char *path, *log;
} bad_paths[] = {
	{"missing", "error 0: missing: No such file or directory\n"},
	{"fifo", "error 0: fifo: is a FIFO, not a file\n"},
	{"loop", "error 0: loop: Too many levels of symbolic links\n"},
	{"/dev/zero", "error 0: /dev/zero: is a device, not a file\n"},
	{"empty", "error 2: empty: holds no mail\n"},
	{"texts", "skipped texts/README\nerror 2: texts: holds no mail\n"},
};

START_TEST(what_can_not_be_read_is_named)
{
	g_autofree char *fifo = g_build_filename(h.dir, "fifo", NULL);
	g_autofree char *loop = g_build_filename(h.dir, "loop", NULL);
	g_autofree char *empty = g_build_filename(h.dir, "empty", NULL);
	g_autofree char *got = NULL;

	ck_assert_int_eq(mkfifo(fifo, 0600), 0);
	ck_assert_int_eq(symlink("loop", loop), 0);
	ck_assert_int_eq(mkdir(empty, 0700), 0);
	heard_write(&h, "texts/README", "some text\n", -1);
	got = heard_short(&h, heard_read(&h, bad_paths[_i].path));
	ck_assert_str_eq(got, bad_paths[_i].log);
}
END_TEST

START_TEST(cut_gzip_keeps_what_came_before)
{
	GString *box = make_mbox("one two");
	GString *noise = g_string_new(SEP "Subject: three\n\n");

	for (guint i = 0; i < 400000; i++)
		g_string_append_c(noise, 'a' + (i * i / 7) % 26);
	g_string_append_len(box, noise->str, noise->len);
	write_gzip("box", box, 40);
	ck_assert_str_eq(heard_read(&h, "box"),
			 "mail mbox box one\nmail mbox box two\n"
			 "error 1: box: is truncated\n");
	write_gzip("box", box, 0);
	ck_assert_str_eq(heard_read(&h, "box"),
			 "mail mbox box one\nmail mbox box two\n"
			 "mail mbox box three\n");
	g_string_free(box, TRUE);
	g_string_free(noise, TRUE);
}
END_TEST

/* A message of more than the limit, most of it a hole in the file. */
START_TEST(a_message_too_large_is_skipped)
{
	g_autofree char *path = g_build_filename(h.dir, "box", NULL);
	const char *tail = "\nend\n\n" SEP "Subject: three\n\nText\n";

	write_mbox("box", "one two");
	ck_assert_int_eq(truncate(path, SOURCE_MAX_MAIL + 40 * 1024 * 1024), 0);
	append("box", tail, strlen(tail));
	ck_assert_str_eq(heard_read(&h, "box"),
			 "mail mbox box one\n"
			 "broken mbox box damaged: box: the message at byte "
			 "125 is larger than 128 MB and was skipped\n"
			 "mail mbox box three\n");
}
END_TEST

START_TEST(a_message_of_many_megabytes_is_whole)
{
	g_autofree char *path = g_build_filename(h.dir, "box", NULL);
	const char *tail = "\nend\n\n" SEP "Subject: three\n\nText\n";

	write_mbox("box", "one two");
	ck_assert_int_eq(truncate(path, 100 * 1024 * 1024), 0);
	append("box", tail, strlen(tail));
	ck_assert_str_eq(heard_read(&h, "box"),
			 "mail mbox box one\nmail mbox box two\n"
			 "mail mbox box three\n");
	ck_assert_uint_eq(g_bytes_get_size(h.raws->pdata[1]),
			  100 * 1024 * 1024 - 125 - strlen(SEP) +
				  strlen("\nend\n"));
}
END_TEST

/* ---- where a second read goes on */

START_TEST(an_appended_mbox_goes_on)
{
	GString *more = make_mbox("three four");

	write_mbox("box", "one two");
	heard_read(&h, "box");
	append("box", more->str, more->len);
	/* the last one is looked at again: it could have been incomplete */
	ck_assert_str_eq(heard_read(&h, "box"), "mail mbox box two\n"
						"mail mbox box three\n"
						"mail mbox box four\n");
	g_string_free(more, TRUE);
}
END_TEST

START_TEST(an_incomplete_last_message_is_completed)
{
	GString *box = make_mbox("one two three");

	heard_write(&h, "box", box->str, 230);
	ck_assert_str_eq(heard_read(&h, "box"),
			 "mail mbox box one\nmail mbox box two\n");
	append("box", box->str + 230, box->len - 230);
	ck_assert_str_eq(heard_read(&h, "box"),
			 "mail mbox box two\nmail mbox box three\n");
	ck_assert_ptr_nonnull(
		g_strstr_len(g_bytes_get_data(h.raws->pdata[0], NULL),
			     g_bytes_get_size(h.raws->pdata[0]),
			     "Text of two."));
	g_string_free(box, TRUE);
}
END_TEST

static const struct {
	const char *before, *after;
} edits[] = {
	{"one two three", "one two"},			/* shorter */
	{"one two", "two one"},				/* same length */
	{"one two", "zwei eins drei vier fuenf sechs"}, /* other */
	{"one two three", "two three four five six"},	/* the first is gone */
};

START_TEST(other_contents_are_read_from_the_start)
{
	g_auto(GStrv) words = g_strsplit(edits[_i].after, " ", -1);
	GString *want = g_string_new(NULL);

	write_mbox("box", edits[_i].before);
	heard_read(&h, "box");
	write_mbox("box", edits[_i].after);
	for (guint i = 0; words[i]; i++)
		g_string_append_printf(want, "mail mbox box %s\n", words[i]);
	ck_assert_str_eq(heard_read(&h, "box"), want->str);
	g_string_free(want, TRUE);
}
END_TEST

/* Contents that can still change unnoticed are read again, others are not.
 * Reads until the file's time lies far enough back. */
START_TEST(an_unchanged_file_is_not_read)
{
	GString *box = make_mbox("one two");
	guint reads = 0;

	if (_i)
		write_gzip("box", box, 0);
	else
		heard_write(&h, "box", box->str, box->len);
	while (*heard_read(&h, "box"))
		ck_assert_uint_lt(++reads, 10000000);
	ck_assert_uint_ge(reads, 1);
	g_string_append(box, SEP "Subject: three\n\nText\n");
	if (_i)
		write_gzip("box", box, 0);
	else
		heard_write(&h, "box", box->str, box->len);
	ck_assert(g_str_has_suffix(heard_read(&h, "box"),
				   "mail mbox box three\n"));
	g_string_free(box, TRUE);
}
END_TEST

START_TEST(positions_come_along_the_way)
{
	GString *subjects = g_string_new("m0");

	for (guint i = 1; i < 1000; i++)
		g_string_append_printf(subjects, " m%u", i);
	write_mbox("box", subjects->str);
	h.stop_after = 700;
	heard_read(&h, "box");
	ck_assert_uint_ge(h.cursors, 1);
	h.stop_after = 0;
	heard_read(&h, "box");
	/* not from the start, and nothing is left out */
	ck_assert_uint_ge(h.mails, 301);
	ck_assert_uint_le(h.mails, 600);
	ck_assert(g_str_has_suffix(h.log->str, "mail mbox box m999\n"));
	ck_assert_uint_eq(g_hash_table_size(h.oids), 1000);
	g_string_free(subjects, TRUE);
}
END_TEST

/* ---- folders */

START_TEST(maildir_has_new_and_cur)
{
	write_mail("md/new/2.host", "two");
	write_mail("md/cur/1.host:2,S", "one");
	write_mail("md/tmp/3.host", "unfinished");
	write_mail("md/cur/.hidden", "hidden");
	write_mail("md/.Trash/cur/4.host:2,", "trash");
	ck_assert_str_eq(heard_read(&h, "md"), "mail maildir md two\n"
					       "mail maildir md one\n");
}
END_TEST

/* What did not change for an hour is not read again; with a file that can't be
 * read there is no position, so that it is tried again. */
START_TEST(a_maildir_is_gone_on_with)
{
	g_autofree char *link = NULL;
	gint64 newest;
	char *at;

	write_mail("md/cur/1.host:2,S", "one");
	write_mail("md/new/2.host", "two");
	heard_read(&h, "md");
	at = g_hash_table_lookup(h.cursor, "maildir md");
	ck_assert_ptr_nonnull(at);
	newest = g_ascii_strtoll(at, NULL, 10);
	write_mail("md/new/3.host", "three");
	ck_assert(g_str_has_suffix(heard_read(&h, "md"),
				   "mail maildir md three\n"
				   "mail maildir md one\n"));
	g_hash_table_insert(h.cursor, g_strdup("maildir md"),
			    g_strdup_printf("%" G_GINT64_FORMAT,
					    newest + 2 * 3600));
	ck_assert_str_eq(heard_read(&h, "md"), "");
	g_hash_table_remove_all(h.cursor);
	link = g_build_filename(h.dir, "md/new/4.host", NULL);
	ck_assert_int_eq(symlink("/nonexistent/mail", link), 0);
	ck_assert_ptr_nonnull(strstr(heard_read(&h, "md"), "broken maildir"));
	ck_assert_uint_eq(g_hash_table_size(h.cursor), 0);
}
END_TEST

START_TEST(an_empty_maildir_is_no_error)
{
	g_autofree char *new = g_build_filename(h.dir, "md/new", NULL);
	g_autofree char *cur = g_build_filename(h.dir, "md/cur", NULL);

	g_mkdir_with_parents(new, 0700);
	g_mkdir_with_parents(cur, 0700);
	ck_assert_str_eq(heard_read(&h, "md"), "");
}
END_TEST

START_TEST(delivery_lines_are_not_of_the_message)
{
	heard_write(&h, "md/new/1", SEP MAIL, -1);
	write_mail("md/cur/2", "two");
	heard_read(&h, "md");
	ck_assert_uint_eq(h.raws->len, 2);
	ck_assert_mem_eq(g_bytes_get_data(h.raws->pdata[0], NULL), MAIL,
			 strlen(MAIL));
}
END_TEST

START_TEST(mh_is_read_by_number)
{
	write_mail("mh/10", "ten");
	write_mail("mh/9", "nine");
	write_mail("mh/,8", "removed");
	heard_write(&h, "mh/.mh_sequences", "unseen: 9\n", -1);
	write_mail("mh/sub/1", "below");
	ck_assert_str_eq(heard_read(&h, "mh"), "mail mh mh nine\n"
					       "mail mh mh ten\n"
					       "mail mh mh/sub below\n");
}
END_TEST

/* Every kind of thing that lies about in folders. */
START_TEST(a_folder_of_all_sorts)
{
	g_autofree char *fifo = g_build_filename(h.dir, "all/fifo", NULL);
	g_autofree char *up = g_build_filename(h.dir, "all/sub/up", NULL);
	g_autofree char *gone = g_build_filename(h.dir, "all/gone", NULL);
	GString *box = make_mbox("m n");

	write_mail("all/a.eml", "a");
	heard_write(&h, "all/bad.eml", "nothing of mail\n", -1);
	write_gzip("all/box.gz", box, 0);
	heard_write(&h, "all/notes.txt", "remember: the milk\n", -1);
	write_mail("all/z", "z");
	write_mail("all/md/new/1", "deep");
	g_mkdir_with_parents(up, 0700);
	g_rmdir(up);
	ck_assert_int_eq(mkfifo(fifo, 0600), 0);
	ck_assert_int_eq(symlink("../..", up), 0);
	ck_assert_int_eq(symlink("nowhere", gone), 0);
	write_mail("all/md/cur/2", "deeper");
	write_mail("all/.git/config.eml", "hidden");
	ck_assert_str_eq(
		heard_read(&h, "all"),
		"mail file all a\n"
		"broken file all no-mail: all/bad.eml: is no mail\n"
		"mail mbox all/box.gz m\n"
		"mail mbox all/box.gz n\n"
		"broken file all unreadable: all/fifo: is a FIFO, not a file\n"
		"broken file all unreadable: all/gone: No such file or "
		"directory\n"
		"skipped all/notes.txt\n"
		"mail file all z\n"
		"mail maildir all/md deep\n"
		"mail maildir all/md deeper\n");
	g_string_free(box, TRUE);
}
END_TEST

START_TEST(a_folder_is_read_in_one_order)
{
	g_autofree char *first = NULL;

	write_mail("d/b", "b");
	write_mail("d/a", "a");
	write_mail("d/e/d", "d");
	write_mail("d/c/c", "c");
	first = g_strdup(heard_read(&h, "d"));
	ck_assert_str_eq(first, "mail file d a\nmail file d b\n"
				"mail file d/c c\nmail file d/e d\n");
}
END_TEST

START_TEST(the_sink_can_stop_it)
{
	write_mbox("d/box", "one two three");
	write_mail("d/x", "x");
	h.stop_after = 2;
	ck_assert_str_eq(heard_read(&h, "d"), "mail mbox d/box one\n"
					      "mail mbox d/box two\n"
					      "error 4: d/box: interrupted\n");
}
END_TEST

START_TEST(stdin_is_a_file_like_others)
{
	g_autofree char *path = g_build_filename(h.dir, "box", NULL);
	GString *box = make_mbox("one two");
	int fd;

	if (_i)
		write_gzip("box", box, 0);
	else
		heard_write(&h, "box", box->str, box->len);
	fd = open(path, O_RDONLY);
	ck_assert_int_eq(dup2(fd, STDIN_FILENO), STDIN_FILENO);
	close(fd);
	ck_assert_str_eq(heard_read(&h, "-"), "mail stdin - one\n"
					      "mail stdin - two\n");
	ck_assert_uint_eq(g_hash_table_size(h.cursor), 0);
	g_string_free(box, TRUE);
}
END_TEST

static TCase *files_case(void)
{
	TCase *tc = tcase_create("files");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_loop_test(tc, a_file_is_what_it_begins_with, 0,
			    G_N_ELEMENTS(files));
	tcase_add_test(tc, bytes_are_exactly_the_message);
	tcase_add_loop_test(tc, what_can_not_be_read_is_named, 0,
			    G_N_ELEMENTS(bad_paths));
	tcase_add_test(tc, cut_gzip_keeps_what_came_before);
	tcase_add_test(tc, a_message_too_large_is_skipped);
	tcase_add_test(tc, a_message_of_many_megabytes_is_whole);
	tcase_add_test(tc, an_appended_mbox_goes_on);
	tcase_add_test(tc, an_incomplete_last_message_is_completed);
	tcase_add_loop_test(tc, other_contents_are_read_from_the_start, 0,
			    G_N_ELEMENTS(edits));
	tcase_add_loop_test(tc, an_unchanged_file_is_not_read, 0, 2);
	tcase_add_test(tc, positions_come_along_the_way);
	tcase_add_loop_test(tc, stdin_is_a_file_like_others, 0, 2);
	return tc;
}

static TCase *folders_case(void)
{
	TCase *tc = tcase_create("folders");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, maildir_has_new_and_cur);
	tcase_add_test(tc, a_maildir_is_gone_on_with);
	tcase_add_test(tc, an_empty_maildir_is_no_error);
	tcase_add_test(tc, delivery_lines_are_not_of_the_message);
	tcase_add_test(tc, mh_is_read_by_number);
	tcase_add_test(tc, a_folder_of_all_sorts);
	tcase_add_test(tc, a_folder_is_read_in_one_order);
	tcase_add_test(tc, the_sink_can_stop_it);
	return tc;
}

static Suite *suite(void)
{
	Suite *s = suite_create("source");

	suite_add_tcase(s, files_case());
	suite_add_tcase(s, folders_case());
	return s;
}

TEST_MAIN(suite)
