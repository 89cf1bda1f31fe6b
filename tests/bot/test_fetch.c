/* test_fetch.c - sources side by side: none waits for another, what one failed
 * at is told once, and nothing that was said is lost */
#include <glib/gstdio.h>
#include <string.h>

#include "db/problems.h"

#include "bot/fetch.h"

#include "tests/test.h"

#define MAX_FAKES 3

/* A source of our own making: what it does is said by its fields. */
struct fake {
	struct remote remote;
	guint mails;		 /* of each look, after the cursor */
	GError *fail;		 /* at its end, or after its mails */
	guint fails;		 /* so many times; 0: always */
	gboolean hangs;		 /* until cancelled */
	const char *after;	 /* waits until this one has ended */
	gboolean meets_others;	 /* waits until all are in here */
	guint follows_with;	 /* mails of each follow() */
	guint looks, follow_ups; /* seen */
};

static struct {
	char *dir;
	store *st;
	GMutex store_lock;
	GCancellable *cancel;
	GMutex lock; /* of what is below */
	GCond changed;
	struct fake fakes[MAX_FAKES];
	guint n, inside, hanging;
	GString *ended; /* names, and why */
	guint64 added;
	guint waits, told_unlocked;
	gint64 shortest_wait;
	const char *spool; /* is made once a look has failed */
} w;

static void setup(void)
{
	g_autofree char *tmp = g_dir_make_tmp("fetch-XXXXXX", NULL);
	g_autofree char *path = g_build_filename(tmp, "x.db", NULL);

	memset(&w, 0, sizeof(w));
	w.dir = g_steal_pointer(&tmp);
	w.st = store_open(path, STORE_WRITE, NULL);
	ck_assert_ptr_nonnull(w.st);
	w.cancel = g_cancellable_new();
	w.ended = g_string_new(NULL);
	w.shortest_wait = G_MAXINT64;
}

static void teardown(void)
{
	g_autofree char *command = g_strdup_printf("rm -rf '%s'", w.dir);

	store_close(w.st);
	ck_assert_int_eq(system(command), 0);
	for (guint i = 0; i < w.n; i++) {
		g_free(w.fakes[i].remote.name);
		g_clear_error(&w.fakes[i].fail);
	}
	g_free(w.dir);
	g_string_free(w.ended, TRUE);
	g_object_unref(w.cancel);
}

/* ---- the fakes */

static gboolean say(struct fake *f, struct source_context *ctx, guint n)
{
	g_autofree char *raw = g_strdup_printf(
		"From: Ann <ann@example.org>\nSubject: mail %u\n"
		"Date: Mon, 6 Jan 2020 10:00:00 +0000\n"
		"Message-ID: <%s-%u@example.org>\n\nText\n",
		n, f->remote.name, n);
	g_autoptr(GBytes) bytes = g_bytes_new(raw, strlen(raw));
	g_autofree char *cursor = g_strdup_printf("%u", n + 1);
	struct source_event ev = {.type = SOURCE_MAIL,
				  .kind = "fake",
				  .place = f->remote.name,
				  .raw = bytes};

	if (!ctx->sink(&ev, ctx->data))
		return FALSE;
	ev = (struct source_event){.type = SOURCE_CURSOR,
				   .kind = "fake",
				   .place = f->remote.name,
				   .cursor = cursor};
	return ctx->sink(&ev, ctx->data);
}

static guint position(struct fake *f, struct source_context *ctx)
{
	g_autofree char *at = ctx->cursor_of("fake", f->remote.name, ctx->data);

	return at ? (guint)g_ascii_strtoull(at, NULL, 10) : 0;
}

static gboolean has_ended(const char *name)
{
	return strstr(w.ended->str, name) != NULL;
}

static void meet(struct fake *f)
{
	g_mutex_lock(&w.lock);
	w.inside++;
	g_cond_broadcast(&w.changed);
	while (f->meets_others && w.inside < w.n)
		g_cond_wait(&w.changed, &w.lock);
	while (f->after && !has_ended(f->after))
		g_cond_wait(&w.changed, &w.lock);
	g_mutex_unlock(&w.lock);
}

static gboolean stop(GError **err)
{
	g_set_error_literal(err, NET_ERROR, NET_ERROR_STOPPED, "stopped");
	return FALSE;
}

static gboolean hang(struct source_context *ctx, GError **err)
{
	g_mutex_lock(&w.lock);
	w.hanging++;
	g_cond_broadcast(&w.changed);
	g_mutex_unlock(&w.lock);
	while (fetch_wait(ctx->cancel, G_MAXINT))
		;
	return stop(err);
}

static gboolean fake_read(const struct remote *r, struct source_context *ctx,
			  GError **err)
{
	struct fake *f = (struct fake *)r;
	guint from = position(f, ctx);

	f->looks++;
	ctx->expect(f->mails - MIN(from, f->mails), ctx->data);
	meet(f);
	for (guint n = from; n < f->mails; n++)
		if (!say(f, ctx, n))
			return stop(err);
	if (f->hangs)
		return hang(ctx, err);
	if (!f->fail || (f->fails && f->looks > f->fails))
		return TRUE;
	g_propagate_error(err, g_error_copy(f->fail));
	return FALSE;
}

static gboolean fake_follow(const struct remote *r, struct source_context *ctx,
			    GError **err)
{
	struct fake *f = (struct fake *)r;
	guint from = position(f, ctx);

	f->follow_ups++;
	for (guint n = 0; n < f->follows_with; n++)
		if (!say(f, ctx, from + n) || !ctx->keep(ctx->data, err))
			return FALSE;
	if (f->follow_ups > 1)
		return hang(ctx, err);
	g_set_error_literal(err, NET_ERROR, NET_ERROR_CLOSED, "hung up");
	return FALSE;
}

static const struct remote_ops plain_ops = {.type = "fake", .read = fake_read};
static const struct remote_ops follow_ops = {.type = "fake",
					     .read = fake_read,
					     .follow = fake_follow};

static struct fake *fake(const char *name, guint mails)
{
	struct fake *f = &w.fakes[w.n++];

	f->remote.name = g_strdup(name);
	f->remote.ops = &plain_ops;
	f->mails = mails;
	return f;
}

/* ---- what is told */

/* Whoever is called holds the store. */
static void look_at_lock(void)
{
	if (!g_mutex_trylock(&w.store_lock))
		return;
	w.told_unlocked++;
	g_mutex_unlock(&w.store_lock);
}

static void on_added(const struct remote *r, const char *const *mids, guint n,
		     void *data)
{
	look_at_lock();
	g_mutex_lock(&w.lock);
	w.added += n;
	g_cond_broadcast(&w.changed);
	g_mutex_unlock(&w.lock);
}

static void on_ended(const struct remote *r, const struct ingest_counts *c,
		     const GError *why, gint64 wait, void *data)
{
	look_at_lock();
	g_mutex_lock(&w.lock);
	g_string_append_printf(w.ended, "%s%s%s\n", r->name, why ? " " : "",
			       why ? why->message : "");
	if (wait >= 0) {
		w.waits++;
		w.shortest_wait = MIN(w.shortest_wait, wait);
	}
	if (why && w.spool)
		g_mkdir(w.spool, 0700);
	g_cond_broadcast(&w.changed);
	g_mutex_unlock(&w.lock);
}

static fetch *begin(gboolean forever)
{
	const struct fetch_options opt = {
		.st = w.st,
		.lock = &w.store_lock,
		.cancel = w.cancel,
		.forever = forever,
		.first_retry_ms = 1,
		.watch = {.added = on_added, .ended = on_ended},
	};
	g_autoptr(GPtrArray) remotes = g_ptr_array_new();
	for (guint i = 0; i < w.n; i++)
		g_ptr_array_add(remotes, &w.fakes[i].remote);
	return fetch_start(remotes, &opt);
}

static void await(gboolean (*there)(void))
{
	g_mutex_lock(&w.lock);
	while (!there())
		g_cond_wait(&w.changed, &w.lock);
	g_mutex_unlock(&w.lock);
}

/* "PLACE: CODE" of each source that can't be read. */
static char *problems(void)
{
	g_autoptr(GPtrArray) all = problems_load(w.st, NULL);
	GString *out = g_string_new(NULL);

	for (guint i = 0; i < all->len; i++) {
		const struct problem *p = all->pdata[i];

		if (g_str_equal(p->kind, "source"))
			g_string_append_printf(out, "%s: %s\n", p->place,
					       p->text);
	}
	return g_string_free(out, FALSE);
}

static void check_problems(const char *want)
{
	g_autofree char *got = problems();

	ck_assert_str_eq(got, want);
}

static GError *error_of(int code, const char *text)
{
	return g_error_new_literal(NET_ERROR, code, text);
}

/* ---- once */

START_TEST(all_at_once)
{
	for (guint i = 0; i < MAX_FAKES; i++) {
		g_autofree char *name = g_strdup_printf("s%u", i);

		fake(name, 10 + i)->meets_others = TRUE;
	}
	fetch_join(begin(FALSE));
	ck_assert_uint_eq(w.added, 10 + 11 + 12);
	ck_assert_uint_eq(w.told_unlocked, 0);
	ck_assert_uint_eq(w.waits, 0);
}
END_TEST

START_TEST(a_slow_one_holds_up_nobody)
{
	fake("slow", 1)->after = "quick";
	fake("quick", 5);
	fetch_join(begin(FALSE));
	ck_assert_str_eq(w.ended->str, "quick\nslow\n");
	ck_assert_uint_eq(w.added, 6);
}
END_TEST

START_TEST(a_failing_one_keeps_what_it_said)
{
	struct fake *bad = fake("bad", 3);

	bad->fail = error_of(NET_ERROR_CLOSED, "host: hung up");
	fake("good", 2)->after = "bad";
	fetch_join(begin(FALSE));
	ck_assert_str_eq(w.ended->str, "bad source bad: host: hung up\ngood\n");
	ck_assert_uint_eq(w.added, 5);
	check_problems("[source bad]: host: hung up\n");
	/* it works again: from where it was */
	g_clear_error(&bad->fail);
	bad->mails = 4;
	fetch_join(begin(FALSE));
	ck_assert_uint_eq(w.added, 6);
	check_problems("");
}
END_TEST

static gboolean both_hang(void)
{
	return w.hanging == 2;
}

START_TEST(cancelled_it_keeps_what_was_said)
{
	fetch *f;

	fake("hangs", 5)->hangs = TRUE;
	fake("waits", 7)->hangs = TRUE;
	f = begin(FALSE);
	await(both_hang);
	g_cancellable_cancel(w.cancel);
	fetch_join(f);
	ck_assert_uint_eq(w.added, w.fakes[0].mails + w.fakes[1].mails);
	ck_assert_ptr_null(strstr(w.ended->str, "stopped"));
	check_problems("");
}
END_TEST

/* Mail has nowhere to go: told once, however many have some. */
START_TEST(a_failing_database_is_told_once)
{
	g_autofree char *spool = g_build_filename(w.dir, "no", "spool", NULL);
	const char *first;

	store_set_paths(w.st, spool, NULL);
	fake("one", 1)->meets_others = TRUE;
	fake("two", 1)->meets_others = TRUE;
	fetch_join(begin(FALSE));
	first = strstr(w.ended->str, spool);
	ck_assert_ptr_nonnull(first);
	ck_assert_ptr_null(strstr(first + 1, spool));
	ck_assert(has_ended("one"));
	ck_assert(has_ended("two"));
	ck_assert(g_cancellable_is_cancelled(w.cancel));
	ck_assert_uint_eq(w.added, 0);
}
END_TEST

/* ---- for ever */

static gboolean second_follow_up(void)
{
	return w.added >= 7 && w.hanging == 1;
}

START_TEST(what_is_followed_is_kept_at_once_and_resumed)
{
	struct fake *f = fake("live", 3);
	fetch *running;

	f->remote.ops = &follow_ops;
	f->follows_with = 2;
	running = begin(TRUE);
	await(second_follow_up);
	/* the first one hung up after two mails, the second one goes on */
	check_problems("");
	g_cancellable_cancel(w.cancel);
	fetch_join(running);
	ck_assert_uint_eq(w.added, 3 + 2 + 2);
	ck_assert_uint_eq(f->looks, 2);
	ck_assert_ptr_nonnull(
		strstr(w.ended->str, "live source live: hung up\n"));
	ck_assert_uint_eq(w.waits, 1);
}
END_TEST

static gboolean three_looks(void)
{
	return w.waits >= 3;
}

START_TEST(others_are_polled)
{
	fetch *running;

	fake("polled", 2); /* every 0 seconds */
	running = begin(TRUE);
	await(three_looks);
	g_cancellable_cancel(w.cancel);
	fetch_join(running);
	ck_assert_uint_eq(w.added, 2);
	ck_assert_uint_ge(w.fakes[0].looks, 3);
}
END_TEST

static gboolean bad_ended(void)
{
	return has_ended("bad ") && has_ended("good\n");
}

START_TEST(a_wrong_password_is_tried_seldom)
{
	fetch *running;

	fake("bad", 0)->fail = error_of(NET_ERROR_REFUSED, "wrong password");
	fake("good", 1)->remote.poll = 3600;
	running = begin(TRUE);
	await(bad_ended);
	g_cancellable_cancel(w.cancel);
	fetch_join(running);
	ck_assert_uint_eq(w.fakes[0].looks, 1);
	ck_assert_int_ge(w.shortest_wait, RETRY_LONG_MS / 2);
	check_problems("[source bad]: wrong password\n");
}
END_TEST

static gboolean one_added(void)
{
	return w.added == 1;
}

START_TEST(a_full_disk_is_waited_for)
{
	g_autofree char *folder = g_build_filename(w.dir, "no", NULL);
	g_autofree char *spool = g_build_filename(folder, "spool", NULL);
	fetch *running;

	store_set_paths(w.st, spool, NULL);
	w.spool = folder;
	fake("one", 1);
	running = begin(TRUE);
	await(one_added);
	g_cancellable_cancel(w.cancel);
	fetch_join(running);
	ck_assert_ptr_nonnull(strstr(w.ended->str, spool));
}
END_TEST

/* Trying again would mend nothing: it ends by itself, and says so once. */
START_TEST(a_damaged_database_ends_all)
{
	g_autofree char *spool = g_build_filename(w.dir, "spool", NULL);
	const char *first;

	ck_assert(g_file_set_contents(
		spool, "no database, but long enough to be taken for one", -1,
		NULL));
	store_set_paths(w.st, spool, NULL);
	fake("one", 1)->meets_others = TRUE;
	fake("two", 1)->meets_others = TRUE;
	fetch_join(begin(TRUE));
	first = strstr(w.ended->str, spool);
	ck_assert_ptr_nonnull(first);
	ck_assert_ptr_null(strstr(first + 1, spool));
	ck_assert_uint_eq(w.waits, 0);
	ck_assert(g_cancellable_is_cancelled(w.cancel));
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("fetch");
	TCase *tc = tcase_create("once");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, all_at_once);
	tcase_add_test(tc, a_slow_one_holds_up_nobody);
	tcase_add_test(tc, a_failing_one_keeps_what_it_said);
	tcase_add_test(tc, cancelled_it_keeps_what_was_said);
	tcase_add_test(tc, a_failing_database_is_told_once);
	suite_add_tcase(s, tc);
	tc = tcase_create("for ever");
	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, what_is_followed_is_kept_at_once_and_resumed);
	tcase_add_test(tc, others_are_polled);
	tcase_add_test(tc, a_wrong_password_is_tried_seldom);
	tcase_add_test(tc, a_full_disk_is_waited_for);
	tcase_add_test(tc, a_damaged_database_ends_all);
	suite_add_tcase(s, tc);
	return s;
}

TEST_MAIN(suite)
