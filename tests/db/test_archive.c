/* test_archive.c - raw mail: stored once, found again, copies, sources */
#include "db/stats.h"

#include "tests/db/support.h"

static const struct mail plain = {"a@x", .subject = "one", .day = 1};
static const struct mail again = {"a@x", .subject = "one", .day = 1,
				  .fields = "Received: from b by c; "
					    "Wed, 1 Jan 2020 00:00:00 +0000\n"};
static const struct mail other = {"a@x", .subject = "two", .day = 1};

static void assert_raw(store *st, const char *mid, const struct mail *want)
{
	g_autoptr(GError) err = NULL;
	g_autoptr(GBytes) got = archive_raw(st, mid, &err);
	g_autoptr(GBytes) bytes = mail_bytes(want);

	must(got != NULL, err);
	ck_assert(g_bytes_equal(got, bytes));
}

START_TEST(blob_ids_are_git_s)
{
	static const char *const want[][2] = {
		{"", "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391"},
		{"hello\n", "ce013625030ba8dba906f756967f9e9ca394464a"},
	};
	guint i, j;

	for (i = 0; i < G_N_ELEMENTS(want); i++) {
		g_autoptr(GBytes) b =
			g_bytes_new(want[i][0], strlen(want[i][0]));
		guint8 oid[OID_LEN];
		char hex[2 * OID_LEN + 1];

		archive_oid(b, oid);
		for (j = 0; j < OID_LEN; j++)
			g_snprintf(hex + 2 * j, 3, "%02x", oid[j]);
		ck_assert_str_eq(hex, want[i][1]);
	}
}
END_TEST

START_TEST(once_twice_and_copies)
{
	g_autoptr(GError) err = NULL;
	g_autoptr(store) st = open_memory();
	g_autoptr(GPtrArray) copies = NULL;

	ck_assert_int_eq(put(st, &plain), ARCHIVE_NEW);
	ck_assert_int_eq(put(st, &plain), ARCHIVE_SEEN); /* the same bytes */
	ck_assert_int_eq(put(st, &again), ARCHIVE_SEEN); /* the same mail */
	ck_assert_int_eq(put(st, &other), ARCHIVE_COPY);
	ck_assert_int_eq(put(st, &other), ARCHIVE_SEEN);
	copies = archive_copies(st, "a@x", &err);
	must(copies != NULL, err);
	ck_assert_uint_eq(copies->len, 2);
	ck_assert(!archive_raw(st, "b@x", &err) && !err);
	ck_assert(!archive_copies(st, "b@x", &err) && !err);
}
END_TEST

START_TEST(bytes_come_back_as_they_were)
{
	static const char odd[] = "Message-ID: <odd@x>\r\nSubject: \xff\r\n\r\n"
				  "nul \0 and no end of line";
	g_autoptr(GError) err = NULL;
	g_autoptr(store) st = open_memory();
	g_autoptr(GBytes) bytes = g_bytes_new_static(odd, sizeof(odd) - 1);
	g_autoptr(GBytes) got = NULL;
	struct add a = {.bytes = bytes, .kind = "mbox", .place = "/a"};

	run(st, add_in, &a);
	got = archive_raw(st, "odd@x", &err);
	must(got != NULL, err);
	ck_assert(g_bytes_equal(got, bytes));
}
END_TEST

static void put_on(store *st, const struct mail *m, const char *list)
{
	struct add a = {.bytes = mail_bytes(m),
			.kind = "mbox",
			.place = "/mail/box",
			.list = list};

	run(st, add_in, &a);
	g_bytes_unref(a.bytes);
}

START_TEST(the_best_list_s_copy_is_the_primary_one)
{
	static const char *const best_last[] = {"x.example.org", "x.kernel.org",
						"x.linux.dev",
						"x.feeds.kernel.org"};
	g_autoptr(store) st = open_memory();
	guint i;

	for (i = 0; i < G_N_ELEMENTS(best_last); i++) {
		g_autofree char *subject = g_strdup_printf("copy %u", i);
		struct mail m = {"a@x", .subject = subject, .day = 9 - i};

		put_on(st, &m, best_last[i]);
		assert_raw(st, "a@x", &m);
	}
	/* the first one is seen on the best list, too, and has no later date */
	put_on(st, &(struct mail){"a@x", .subject = "copy 3", .day = 6},
	       "x.example.org");
	assert_raw(st, "a@x",
		   &(struct mail){"a@x", .subject = "copy 3", .day = 6});
	put_on(st, &(struct mail){"a@x", .subject = "early", .day = 1},
	       "y.example.org");
	assert_raw(st, "a@x",
		   &(struct mail){"a@x", .subject = "copy 3", .day = 6});
	put_on(st, &(struct mail){"a@x", .subject = "early", .day = 1},
	       "y.feeds.kernel.org");
	assert_raw(st, "a@x",
		   &(struct mail){"a@x", .subject = "early", .day = 1});
}
END_TEST

START_TEST(one_gone_of_two_places)
{
	g_autoptr(GError) err = NULL;
	g_autoptr(store) st = open_memory();
	struct add a = {.bytes = mail_bytes(&plain),
			.kind = "maildir",
			.place = "/other"};

	put(st, &plain);
	run(st, add_in, &a);
	ck_assert(!take_out(st, &plain));
	assert_raw(st, "a@x", &plain);
	run(st, remove_in, &a);
	ck_assert(a.gone);
	ck_assert(!archive_raw(st, "a@x", &err) && !err);
	run(st, remove_in, &a); /* nothing left to remove */
	ck_assert(!a.gone);
	ck_assert_int_eq(put(st, &plain), ARCHIVE_NEW);
	assert_raw(st, "a@x", &plain);
	g_bytes_unref(a.bytes);
}
END_TEST

static gboolean out_and_in(store *st, void *data, GError **err)
{
	return remove_in(st, data, err) && add_in(st, data, err);
}

START_TEST(gone_and_back_in_one_batch)
{
	g_autoptr(store) st = open_memory();
	struct add a = {.bytes = mail_bytes(&plain),
			.kind = "mbox",
			.place = "/a"};

	run(st, add_in, &a);
	run(st, out_and_in, &a);
	ck_assert_int_eq(a.added, ARCHIVE_NEW);
	assert_raw(st, "a@x", &plain);
	g_bytes_unref(a.bytes);
}
END_TEST

/* ---- bytes that stay in git */

struct repository {
	GPtrArray *blobs;
	guint asked;
};

static GBytes *fetch(void *data, const char *place, const guint8 *oid,
		     GError **err)
{
	struct repository *repo = data;
	guint8 own[OID_LEN];
	guint i;

	repo->asked++;
	for (i = 0; i < repo->blobs->len; i++) {
		archive_oid(repo->blobs->pdata[i], own);
		if (memcmp(own, oid, OID_LEN) == 0)
			return g_bytes_ref(repo->blobs->pdata[i]);
	}
	g_set_error(err, G_FILE_ERROR, G_FILE_ERROR_NOENT, "%s: no such blob",
		    place);
	return NULL;
}

START_TEST(mail_that_stays_in_git)
{
	g_autoptr(GError) err = NULL;
	g_autoptr(store) st = open_memory();
	struct repository repo = {g_ptr_array_new_with_free_func(
					  (GDestroyNotify)g_bytes_unref),
				  0};
	struct add git = {.bytes = mail_bytes(&plain),
			  .kind = "git",
			  .place = "/epoch",
			  .in_git = TRUE};
	struct add box = {.bytes = git.bytes, .kind = "mbox", .place = "/a"};

	g_ptr_array_add(repo.blobs, git.bytes);
	run(st, add_in, &git);
	ck_assert(!archive_raw(st, "a@x", &err));
	ck_assert(g_error_matches(err, STORE_ERROR, STORE_ERROR_MISSING));
	g_clear_error(&err);
	archive_set_fetch(st, fetch, &repo);
	assert_raw(st, "a@x", &plain);
	/* the epoch lets it go, but the mbox had it: kept from now on */
	run(st, add_in, &box);
	run(st, remove_in, &git);
	ck_assert(!git.gone);
	archive_set_fetch(st, NULL, NULL);
	assert_raw(st, "a@x", &plain);
	g_ptr_array_unref(repo.blobs);
}
END_TEST

START_TEST(copies_of_which_one_can_t_be_read)
{
	g_autoptr(GError) err = NULL;
	g_autoptr(store) st = open_memory();
	g_autoptr(GPtrArray) copies = NULL;
	struct add git = {.bytes = mail_bytes(&plain),
			  .kind = "git",
			  .place = "/epoch",
			  .list = "x.linux.dev",
			  .in_git = TRUE};

	run(st, add_in, &git); /* no way to fetch it back */
	ck_assert_int_eq(put(st, &again), ARCHIVE_COPY);
	ck_assert_int_eq(put(st, &other), ARCHIVE_COPY);
	run(st, remove_in, &git);
	ck_assert(!git.gone);
	copies = archive_copies(st, "a@x", &err);
	ck_assert_ptr_nonnull(copies);
	g_bytes_unref(git.bytes);
}
END_TEST

START_TEST(sources_and_positions)
{
	g_autoptr(GError) err = NULL;
	g_autoptr(store) st = open_memory();
	g_autoptr(GHashTable) oids = NULL;
	g_autoptr(GBytes) bytes = mail_bytes(&plain), key = NULL;
	g_autofree char *none = NULL, *cursor = NULL;
	gint64 a, b;
	guint8 oid[OID_LEN];

	a = archive_source(st, "mbox", "/mail/box", NULL, &err);
	b = archive_source(st, "git", "/mail/box", LIST, &err);
	must(a > 0 && b > 0 && a != b, err);
	ck_assert_int_eq(archive_source(st, "mbox", "/mail/box", LIST, &err),
			 a);
	none = archive_cursor(st, a, &err);
	ck_assert(!none && !err);
	must(archive_set_cursor(st, a, "at 7", &err), err);
	cursor = archive_cursor(st, a, &err);
	ck_assert_str_eq(cursor, "at 7");
	put(st, &plain);
	oids = archive_source_oids(st, a, &err);
	must(oids != NULL, err);
	archive_oid(bytes, oid);
	key = g_bytes_new(oid, OID_LEN);
	ck_assert_uint_eq(g_hash_table_size(oids), 1);
	ck_assert(g_hash_table_contains(oids, key));
}
END_TEST

/* Lists that were given count, and those that mails name themselves. */
START_TEST(mails_by_list)
{
	static const struct mail named = {"n@x", .day = 3,
					  .fields = "List-Id: <" LIST ">\n"};
	static const struct mail elsewhere = {
		"o@x", .day = 5, .fields = "List-Id: <dev.example.org>\n"};
	const struct {
		const struct mail *mail;
		const char *list;
	} seen[] = {{&named, NULL},
		    {&elsewhere, NULL},
		    {&plain, LIST},
		    {&named, LIST}};
	g_autoptr(GError) err = NULL;
	g_autoptr(store) st = open_memory();
	g_autoptr(stats_auto) s = NULL;
	const struct list_stats *l;

	for (guint i = 0; i < G_N_ELEMENTS(seen); i++) {
		struct add a = {.bytes = mail_bytes(seen[i].mail),
				.kind = "mbox",
				.place = "/a",
				.list = seen[i].list};

		must(store_transact(st, add_in, &a, &err), err);
		g_bytes_unref(a.bytes);
	}
	s = stats_load(st, &err);
	must(s != NULL, err);
	ck_assert_uint_eq(s->mails, 3);
	ck_assert_uint_eq(s->lists->len, 2);
	l = s->lists->pdata[0];
	ck_assert_str_eq(l->name, "dev.example.org");
	ck_assert_uint_eq(l->mails, 1);
	ck_assert_int_eq(l->newest, 1577836800 + 5 * DAY);
	l = s->lists->pdata[1];
	ck_assert_str_eq(l->name, LIST);
	ck_assert_uint_eq(l->mails, 2);
	ck_assert_int_eq(l->newest, 1577836800 + 3 * DAY);
}
END_TEST

static gboolean note(store *st, void *data, GError **err)
{
	struct add *a = data;
	guint8 oid[OID_LEN];
	gint64 source = archive_source(st, a->kind, a->place, NULL, err);

	archive_oid(a->bytes, oid);
	return source > 0 && archive_note(st, oid, source, a->list, a->received,
					  &a->gone, err);
}

START_TEST(known_bytes_need_no_parsing)
{
	g_autoptr(GError) err = NULL;
	g_autoptr(store) st = open_memory();
	g_autoptr(stored_message_auto) m = NULL;
	struct add a = {.bytes = mail_bytes(&plain),
			.kind = "git",
			.place = "/epoch",
			.list = "z.example.org"};

	run(st, note, &a);
	ck_assert(!a.gone); /* not known: nothing is recorded */
	put(st, &plain);
	run(st, note, &a);
	ck_assert(a.gone);
	m = stored_message_load(st, "a@x", &err);
	must(m != NULL, err);
	ck_assert_uint_eq(m->lists->len, 2);
	ck_assert_str_eq(m->lists->pdata[0], LIST);
	ck_assert_str_eq(m->lists->pdata[1], "z.example.org");
	ck_assert_uint_eq(m->places->len, 3);
	ck_assert_str_eq(m->places->pdata[0], "git /epoch");
	ck_assert_str_eq(m->places->pdata[1], "mbox /mail/box");
	ck_assert_str_eq(m->places->pdata[2], "spool");
	ck_assert_str_eq(m->kind, "other");
	ck_assert(!m->ghost && !m->parent && m->copies == 1);
	g_bytes_unref(a.bytes);
}
END_TEST

START_TEST(a_ghost_s_stored_message)
{
	static const struct mail reply = {"b@x", "a@x", "a@x", .day = 2};
	g_autoptr(GError) err = NULL;
	g_autoptr(store) st = open_memory();
	g_autoptr(stored_message_auto) m = NULL;

	put(st, &reply);
	m = stored_message_load(st, "a@x", &err);
	must(m != NULL, err);
	ck_assert(m->ghost && !m->subject && !m->kind && !m->date);
	ck_assert_uint_eq(m->lists->len, 0);
	ck_assert_str_eq(m->thread_root, "a@x");
	ck_assert(!stored_message_load(st, "c@x", &err) && !err);
}
END_TEST

START_TEST(problems_of_sources_and_mail)
{
	static const struct mail bad = {"bad@x", .fields = "Date: never\n"};
	g_autoptr(GError) err = NULL;
	g_autoptr(store) st = open_memory();
	g_autoptr(GPtrArray) all = NULL;
	const struct problem *p;
	guint i, sources = 0, messages = 0, shared = 0;

	put(st, &bad);
	put(st, &plain);
	put(st, &again); /* the same mail: nothing to tell */
	all = problems_load(st, &err);
	must(all != NULL, err);
	for (i = 0; i < all->len; i++) {
		p = all->pdata[i];
		ck_assert_str_eq(p->mid, "bad@x");
	}
	g_clear_pointer(&all, g_ptr_array_unref);
	put(st, &other);
	for (i = 0; i < 2; i++)
		must(archive_problem(st, "source", "/box", "cut", "it ends",
				     &err),
		     err);
	all = problems_load(st, &err);
	must(all != NULL, err);
	for (i = 0; i < all->len; i++) {
		p = all->pdata[i];
		sources += g_str_equal(p->kind, "source");
		if (g_str_equal(p->code, "same-id")) {
			ck_assert_str_eq(p->mid, "a@x");
			shared++;
			continue;
		}
		messages += g_str_equal(p->kind, "message");
		ck_assert(g_str_equal(p->kind, "source")
				  ? !p->mid && g_str_equal(p->place, "/box")
				  : g_str_equal(p->mid, "bad@x") && !p->place);
	}
	ck_assert_uint_eq(sources, 1);
	ck_assert_uint_eq(shared, 1);
	ck_assert_uint_ge(messages, 1);
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("archive");
	TCase *c = tcase_create("archive");

	tcase_add_test(c, blob_ids_are_git_s);
	tcase_add_test(c, once_twice_and_copies);
	tcase_add_test(c, bytes_come_back_as_they_were);
	tcase_add_test(c, the_best_list_s_copy_is_the_primary_one);
	tcase_add_test(c, one_gone_of_two_places);
	tcase_add_test(c, gone_and_back_in_one_batch);
	tcase_add_test(c, mail_that_stays_in_git);
	tcase_add_test(c, copies_of_which_one_can_t_be_read);
	tcase_add_test(c, sources_and_positions);
	tcase_add_test(c, mails_by_list);
	tcase_add_test(c, known_bytes_need_no_parsing);
	tcase_add_test(c, a_ghost_s_stored_message);
	tcase_add_test(c, problems_of_sources_and_mail);
	suite_add_tcase(s, c);
	return s;
}
TEST_MAIN(suite)
