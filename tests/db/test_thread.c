/* test_thread.c - which mails belong together, who is whose parent */
#include "tests/db/support.h"

#define MAX_MAILS 10

struct thread_case {
	const char *name;
	struct mail mails[MAX_MAILS];
	const char *dump; /* of dump_threads: id root parent ghost */
};

static const struct thread_case cases[] = {
	{"a reply below its parent",
	 {{"a", .day = 1}, {"b", "a", "a", .day = 2}},
	 "a\ta\t-\t0\n"
	 "b\ta\ta\t0\n"},
	{"a parent not seen is a ghost",
	 {{"b", "a", "a", .day = 2}},
	 "a\ta\t-\t1\n"
	 "b\ta\ta\t0\n"},
	{"In-Reply-To decides, wherever it stands in References",
	 {{"a", .day = 1}, {"b", "a gw", "a", .day = 2}},
	 "a\ta\t-\t0\n"
	 "b\ta\ta\t0\n"
	 "gw\ta\ta\t1\n"},
	{"ghosts hang in the order of References",
	 {{"d", "a b c", "c", .day = 4}},
	 "a\ta\t-\t1\n"
	 "b\ta\ta\t1\n"
	 "c\ta\tb\t1\n"
	 "d\ta\tc\t0\n"},
	{"the earliest mail says where a ghost hangs",
	 {{"x", "a g", "g", .day = 3}, {"z", "b g", "g", .day = 2}},
	 "a\tb\t-\t1\n"
	 "b\tb\t-\t1\n"
	 "g\tb\tb\t1\n"
	 "x\tb\tg\t0\n"
	 "z\tb\tg\t0\n"},
	{"of mails of one second the smaller id says it",
	 {{"x", "a g", "g", .day = 2}, {"z", "b g", "g", .day = 2}},
	 "a\ta\t-\t1\n"
	 "b\ta\t-\t1\n"
	 "g\ta\ta\t1\n"
	 "x\ta\tg\t0\n"
	 "z\ta\tg\t0\n"},
	{"a real mail takes no claim of others",
	 {{"r", .day = 1}, {"x", "a r", "r", .day = 2}},
	 "a\tr\t-\t1\n"
	 "r\tr\t-\t0\n"
	 "x\tr\tr\t0\n"},
	{"a later mail joins two threads",
	 {{"a", .day = 1}, {"b", .day = 2}, {"c", "a b", "b", .day = 3}},
	 "a\ta\t-\t0\n"
	 "b\ta\t-\t0\n"
	 "c\ta\tb\t0\n"},
	{"equal subjects join nothing",
	 {{"a", .subject = "x", .day = 1}, {"b", .subject = "Re: x", .day = 2}},
	 "a\ta\t-\t0\n"
	 "b\tb\t-\t0\n"},
	{"of a ring the earliest is the root",
	 {{"a", "c", "c", .day = 3},
	  {"b", "a", "a", .day = 1},
	  {"c", "b", "b", .day = 2}},
	 "a\tb\tc\t0\n"
	 "b\tb\t-\t0\n"
	 "c\tb\tb\t0\n"},
	{"two that name each other, and a tail to them",
	 {{"a", "b", "b", .day = 2},
	  {"b", "a", "a", .day = 2},
	  {"t", "b", "b", .day = 1}},
	 "a\ta\t-\t0\n"
	 "b\ta\ta\t0\n"
	 "t\ta\tb\t0\n"},
	{"a mail that refers to itself",
	 {{"a", "a", "a", .day = 1}},
	 "a\ta\t-\t0\n"},
	{"marc.info's form of an id counts if that mail is there",
	 {{"l@x.org", .day = 1},
	  {"m", .day = 2, .fields = "In-Reply-To: l () x ! org\n"},
	  {"o", .day = 3, .fields = "In-Reply-To: z () x ! org\n"}},
	 "l@x.org\tl@x.org\t-\t0\n"
	 "m\tl@x.org\tl@x.org\t0\n"
	 "o\to\t-\t0\n"},
	{"a further Message-ID is the mail's, no ghost",
	 {{"a", "b", "b", .day = 2, .fields = "Message-ID: <e>\n"},
	  {"c", "e", "e", .day = 3},
	  {"d", "e g", "g", .day = 4}},
	 "a\tb\tb\t0\n"
	 "b\tb\t-\t1\n"
	 "c\tb\ta\t0\n"
	 "d\tb\tg\t0\n"
	 "g\tb\ta\t1\n"},
	{"references of a copy join, parent is that of the primary one",
	 {{"a", .day = 1},
	  {"b", .day = 1},
	  {"c", "a", "a", .body = "first", .day = 3},
	  {"c", "b", "b", .body = "second", .day = 2}},
	 "a\ta\t-\t0\n"
	 "b\ta\t-\t0\n"
	 "c\ta\tb\t0\n"},
};

static void add_in_order(store *st, const struct thread_case *c,
			 const guint *order, guint n)
{
	guint i;

	for (i = 0; i < n; i++)
		put(st, &c->mails[order[i]]);
}

/* The next permutation in lexical order; FALSE after the last. */
static gboolean permute(guint *order, guint n)
{
	guint i = n - 1, j = n - 1, swap;

	while (i > 0 && order[i - 1] > order[i])
		i--;
	if (n < 2 || i == 0)
		return FALSE;
	while (order[j] < order[i - 1])
		j--;
	swap = order[i - 1];
	order[i - 1] = order[j];
	order[j] = swap;
	for (j = n - 1; i < j; i++, j--) {
		swap = order[i];
		order[i] = order[j];
		order[j] = swap;
	}
	return TRUE;
}

START_TEST(every_order_gives_the_same_threads)
{
	const struct thread_case *c = &cases[_i];
	guint order[MAX_MAILS], n, i;

	for (n = 0; n < MAX_MAILS && c->mails[n].id; n++)
		order[n] = n;
	do {
		g_autoptr(store) st = open_memory();
		g_autofree char *got = NULL;

		add_in_order(st, c, order, n);
		got = threads_of(st);
		ck_assert_msg(g_str_equal(got, c->dump), "%s: got\n%s", c->name,
			      got);
		for (i = 0; i < n; i++)
			put(st, &c->mails[i]);
		g_free(got);
		got = threads_of(st);
		ck_assert_msg(g_str_equal(got, c->dump), "%s: twice\n%s",
			      c->name, got);
	} while (permute(order, n));
}
END_TEST

static void assert_order(store *st, const char *any, const char *want)
{
	g_autoptr(GError) err = NULL;
	g_autoptr(thread_auto) t = thread_load(st, any, &err);
	g_autoptr(GString) got = g_string_new(NULL);
	const struct thread_node *n;
	guint i;

	must(t != NULL, err);
	for (i = 0; i < t->nodes->len; i++) {
		n = t->nodes->pdata[i];
		g_string_append_printf(got, "%s%d%s", i ? " " : "", n->depth,
				       n->mid);
	}
	ck_assert_str_eq(got->str, want);
}

START_TEST(display_order)
{
	static const struct mail mails[] = {
		{"r", .day = 1},
		{"late", "r", "r", .day = 9},
		{"early", "r", "r", .day = 2},
		{"below", "r g", "g", .day = 3}, /* g sorts by its child */
		{"b", "r early", "early", .day = 5},
		{"a", "r early", "early", .day = 5},
		{"undated", "r", "r", .day = 0}, /* last */
	};
	g_autoptr(store) st = open_memory();
	guint i;

	for (i = 0; i < G_N_ELEMENTS(mails); i++)
		put(st, &mails[i]);
	assert_order(st, "late", "0r 1early 2a 2b 1g 2below 1late 1undated");
	assert_order(st, "g", "0r 1early 2a 2b 1g 2below 1late 1undated");
}
END_TEST

START_TEST(what_a_node_tells)
{
	static const struct mail m = {"Upper@X", "ghost@x",
				      .subject = "Re: why", .day = 3};
	g_autoptr(GError) err = NULL;
	g_autoptr(store) st = open_memory();
	g_autoptr(thread_auto) t = NULL;
	const struct thread_node *n;

	put(st, &m);
	t = thread_load(st, "upper@x", &err);
	must(t != NULL, err);
	ck_assert_uint_eq(t->count, 1);
	ck_assert_str_eq(t->root, "ghost@x");
	ck_assert_int_eq(thread_index(t, "Upper@X"), 1);
	ck_assert_int_eq(thread_index(t, "no"), -1);
	n = t->nodes->pdata[1];
	ck_assert_str_eq(n->subject, "Re: why");
	ck_assert_str_eq(n->from_name, "Ann Other");
	ck_assert_str_eq(n->from_address, "ann@example.org");
	ck_assert_int_eq(n->date, 1577836800 + 3 * DAY);
	ck_assert_int_eq(n->kind, KIND_REPLY);
	ck_assert_int_eq(n->parent, 0);
	n = t->nodes->pdata[0];
	ck_assert(n->ghost && !n->subject && !n->from_name);
	ck_assert_int_eq(n->date, 0);
	g_clear_pointer(&t, thread_free);
	t = thread_load(st, "nobody@x", &err);
	ck_assert(!t && !err);
}
END_TEST

START_TEST(found_by_either_of_its_ids)
{
	static const struct mail m = {"a", "r", .day = 2,
				      .fields = "Message-ID: <e>\n"};
	static const struct mail root = {"r", .day = 1};
	g_autoptr(GError) err = NULL;
	g_autoptr(store) st = open_memory();
	g_autoptr(thread_auto) t = NULL;
	g_autoptr(GBytes) raw = NULL;

	put(st, &m);
	put(st, &root);
	t = thread_load(st, "e", &err);
	must(t != NULL, err);
	ck_assert_uint_eq(t->nodes->len, 2);
	ck_assert_int_eq(t->asked, thread_index(t, "a"));
	raw = archive_raw(st, "e", &err);
	must(raw != NULL, err);
}
END_TEST

/* A chain so deep that recursion would overflow, arriving from its end. */
START_TEST(deep_chain)
{
	enum { DEEP = 3000 };
	g_autoptr(GError) err = NULL;
	g_autoptr(store) st = open_memory();
	g_autoptr(thread_auto) t = NULL;
	int i;

	for (i = DEEP; i > 0; i--) {
		char id[16], up[16];
		struct mail m = {id, NULL, i > 1 ? up : NULL, .day = i};

		g_snprintf(id, sizeof(id), "m%d", i);
		g_snprintf(up, sizeof(up), "m%d", i - 1);
		put(st, &m);
	}
	t = thread_load(st, "m77", &err);
	must(t != NULL, err);
	ck_assert_uint_eq(t->count, DEEP);
	ck_assert_str_eq(t->root, "m1");
	ck_assert_int_eq(
		((struct thread_node *)t->nodes->pdata[DEEP - 1])->depth,
		DEEP - 1);
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("thread");
	TCase *c = tcase_create("thread");

	tcase_add_loop_test(c, every_order_gives_the_same_threads, 0,
			    G_N_ELEMENTS(cases));
	tcase_add_test(c, display_order);
	tcase_add_test(c, what_a_node_tells);
	tcase_add_test(c, found_by_either_of_its_ids);
	tcase_add_test(c, deep_chain);
	suite_add_tcase(s, c);
	return s;
}
TEST_MAIN(suite)
