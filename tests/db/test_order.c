/* test_order.c - the order of arrival can't be seen, whatever comes and goes */
#include "db/db_priv.h"

#include "tests/db/support.h"

#define SETS	 50
#define SHUFFLES 20
#define POOL	 9 /* different ids a set */
#define MAILS	 14

/* Invented mails that refer to each other, to ghosts, in rings, with several
 * copies of an id, seen at several places and lists. */
struct sighting {
	GBytes *bytes;
	const char *place, *list;
	gint64 received;
};

static char *some_ids(GRand *rand, guint most)
{
	GString *ids = g_string_new(NULL);
	guint n = g_rand_int_range(rand, 0, most + 1);

	while (n--)
		g_string_append_printf(ids, "%sid%d", ids->len ? " " : "",
				       g_rand_int_range(rand, 0, POOL));
	return g_string_free(ids, FALSE);
}

static GBytes *some_mail(GRand *rand)
{
	static const char *const extra[] = {
		NULL,
		NULL,
		NULL,
		"List-Id: <dev.kernel.org>\n",
		"Message-ID: <id1>\n",
		"In-Reply-To: m () mails ! example\n",
		"Received: by x; Wed, 1 Jan 2020 00:00:00 +0000\n",
		"Received: by x; Sat, 4 Jan 2020 12:00:00 +0000\n",
		"Received: by x; Tue, 19 Jan 2038 00:00:00 +0000\n",
		"Received: by nobody knows when\n"};
	g_autofree char *id = NULL, *refs = some_ids(rand, 4), *irt = NULL;
	struct mail m = {
		.subject = "[dev] some words",
		.body = g_rand_boolean(rand) ? "one" : "two",
		.day = g_rand_int_range(rand, 0, 5),
		.fields = extra[g_rand_int_range(rand, 0, G_N_ELEMENTS(extra))],
	};

	id = g_rand_int_range(rand, 0, 8)
		     ? g_strdup_printf("id%d", g_rand_int_range(rand, 0, POOL))
		     : g_strdup("m@mails.example");
	irt = some_ids(rand, 1);
	m.id = id;
	m.refs = *refs ? refs : NULL;
	m.reply_to = *irt && !m.fields ? irt : NULL;
	return mail_bytes(&m);
}

static void some_set(GRand *rand, struct sighting *set)
{
	static const char *const places[] = {"/a", "/b"};
	static const char *const lists[] = {NULL, "x.feeds.kernel.org",
					    "x.linux.dev", "x.example.org"};
	guint i;

	for (i = 0; i < MAILS; i++) {
		set[i].bytes = i && !g_rand_int_range(rand, 0, 4)
				       ? g_bytes_ref(set[i - 1].bytes)
				       : some_mail(rand);
		set[i].place = places[g_rand_int_range(rand, 0, 2)];
		set[i].list = lists[g_rand_int_range(rand, 0, 4)];
		set[i].received =
			1577836800 + g_rand_int_range(rand, 0, 3) * DAY;
	}
}

static void see(store *st, const struct sighting *s)
{
	struct add a = {.bytes = s->bytes,
			.kind = "mbox",
			.place = s->place,
			.list = s->list,
			.received = s->received};

	run(st, add_in, &a);
}

static void shuffle(GRand *rand, guint *order, guint n)
{
	guint i, j, swap;

	for (i = n; i > 1; i--) {
		j = g_rand_int_range(rand, 0, i);
		swap = order[i - 1];
		order[i - 1] = order[j];
		order[j] = swap;
	}
}

static char *picture_in_order(const struct sighting *set, const guint *order)
{
	g_autoptr(store) st = open_memory();
	guint i;

	for (i = 0; i < MAILS; i++)
		see(st, &set[order[i]]);
	return picture_of(st);
}

START_TEST(shuffled_sets)
{
	g_autoptr(GRand) rand = g_rand_new_with_seed(_i + 1);
	struct sighting set[MAILS];
	g_autofree char *want = NULL;
	guint order[MAILS], i, n;

	some_set(rand, set);
	for (i = 0; i < MAILS; i++)
		order[i] = i;
	want = picture_in_order(set, order);
	for (n = 0; n < SHUFFLES; n++) {
		g_autofree char *got = NULL;

		shuffle(rand, order, MAILS);
		got = picture_in_order(set, order);
		ck_assert_str_eq(got, want);
	}
	for (i = 0; i < MAILS; i++)
		g_bytes_unref(set[i].bytes);
}
END_TEST

static void unsee(store *st, const struct sighting *s)
{
	struct add a = {.bytes = s->bytes, .kind = "mbox", .place = s->place};

	run(st, remove_in, &a);
}

/* What was taken out might as well never have been there. */
START_TEST(removed_is_as_never_seen)
{
	g_autoptr(GRand) rand = g_rand_new_with_seed(1000 + _i);
	g_autoptr(store) st = open_memory();
	g_autoptr(store) fresh = open_memory();
	struct sighting set[MAILS];
	g_autofree char *got = NULL, *want = NULL;
	gboolean out[MAILS];
	guint i, j;

	some_set(rand, set);
	for (i = 0; i < MAILS; i++) {
		out[i] = g_rand_boolean(rand);
		/* one place, so that removal is of the mail itself */
		set[i].place = "/a";
		see(st, &set[i]);
		if (out[i] && g_rand_boolean(rand))
			unsee(st, &set[i]);
	}
	for (i = 0; i < MAILS; i++)
		if (out[i])
			unsee(st, &set[i]);
	for (i = 0; i < MAILS; i++) {
		for (j = 0; j < MAILS; j++)
			if (out[j] && g_bytes_equal(set[i].bytes, set[j].bytes))
				break;
		if (j == MAILS)
			see(fresh, &set[i]);
	}
	got = picture_of(st);
	want = picture_of(fresh);
	ck_assert_str_eq(got, want);
	for (i = 0; i < MAILS; i++)
		g_bytes_unref(set[i].bytes);
}
END_TEST

START_TEST(rebuilt_is_the_same)
{
	g_autoptr(GRand) rand = g_rand_new_with_seed(2000 + _i);
	g_autoptr(store) st = open_memory();
	g_autoptr(GError) err = NULL;
	struct sighting set[MAILS];
	g_autofree char *got = NULL, *want = NULL;
	guint i;

	some_set(rand, set);
	for (i = 0; i < MAILS; i++)
		see(st, &set[i]);
	want = picture_of(st);
	must(archive_rebuild(st, NULL, NULL, &err), err);
	got = picture_of(st);
	ck_assert_str_eq(got, want);
	for (i = 0; i < MAILS; i++)
		g_bytes_unref(set[i].bytes);
}
END_TEST

/* ---- many mails */

struct many {
	guint n;
	const guint *order;
};

/* A binary heap of replies: mail i answers (i - 1) / 2. */
static gboolean add_many(store *st, void *data, GError **err)
{
	const struct many *m = data;
	guint i, at;

	for (i = 0; i < m->n; i++) {
		g_autofree char *id = NULL, *up = NULL;
		g_autoptr(GBytes) bytes = NULL;
		struct mail mail = {.day = 1};
		struct add a = {.kind = "mbox", .place = "/a", .in_git = TRUE};

		at = m->order[i];
		id = g_strdup_printf("m%u", at);
		up = g_strdup_printf("m%u", (at - 1) / 2);
		mail.id = id;
		mail.reply_to = at ? up : NULL;
		bytes = mail_bytes(&mail);
		a.bytes = bytes;
		if (!add_in(st, &a, err))
			return FALSE;
	}
	return TRUE;
}

static guint log2_ceil(guint n)
{
	return g_bit_storage(n);
}

START_TEST(leaves_first_stays_within_n_log_n)
{
	enum { MANY = 100000 };
	g_autofree guint *order = g_new(guint, MANY);
	g_autoptr(store) st = open_memory();
	g_autoptr(GError) err = NULL;
	g_autoptr(thread_auto) t = NULL;
	struct many m = {MANY, order};
	guint i;

	for (i = 0; i < MANY; i++)
		order[i] = MANY - 1 - i;
	run(st, add_many, &m);
	ck_assert_uint_le(st->relabelled, (guint64)MANY * log2_ceil(MANY));
	t = thread_load(st, "m0", &err);
	must(t != NULL, err);
	ck_assert_uint_eq(t->count, MANY);
}
END_TEST

START_TEST(large_sets_in_three_orders)
{
	enum { MANY = 5000 };
	g_autoptr(GRand) rand = g_rand_new_with_seed(7);
	g_autofree guint *order = g_new(guint, MANY);
	g_autofree char *want = NULL;
	struct many m = {MANY, order};
	guint i, turn;

	for (i = 0; i < MANY; i++)
		order[i] = i;
	for (turn = 0; turn < 3; turn++) {
		g_autoptr(store) st = open_memory();
		g_autofree char *got = NULL;

		if (turn == 1)
			for (i = 0; i < MANY; i++)
				order[i] = MANY - 1 - i;
		if (turn == 2)
			shuffle(rand, order, MANY);
		run(st, add_many, &m);
		got = picture_of(st);
		if (turn)
			ck_assert(g_str_equal(got, want));
		else
			want = g_steal_pointer(&got);
	}
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("order");
	TCase *c = tcase_create("order");

	tcase_add_loop_test(c, shuffled_sets, 0, SETS);
	tcase_add_loop_test(c, removed_is_as_never_seen, 0, SETS);
	tcase_add_loop_test(c, rebuilt_is_the_same, 0, 10);
	tcase_add_test(c, leaves_first_stays_within_n_log_n);
	tcase_add_test(c, large_sets_in_three_orders);
	suite_add_tcase(s, c);
	return s;
}
TEST_MAIN(suite)
