/* test_patches.c - series as they come out of the database, and trailers */
#include "db/patches.h"

#include "tests/db/support.h"

#define HEAP   60 /* invented patches of one database */
#define MINUTE 60

/* A patch mail in short. */
struct patch_mail {
	const char *id, *reply_to, *from, *subject;
	int minute;
	int diff; /* 0: none; equal numbers have equal patch-ids */
	const char *text;
	const char *notes; /* below the message of a patch */
};

static GBytes *patch_bytes(const struct patch_mail *m)
{
	GString *s = g_string_new(NULL);
	g_autoptr(GDateTime) t =
		g_date_time_new_from_unix_utc(1577836800 + m->minute * MINUTE);
	g_autofree char *date = g_date_time_format(t, "%a, %d %b %Y %T +0000");

	g_string_append_printf(s,
			       "From: %s <%s@example.org>\nDate: %s\n"
			       "Message-ID: <%s>\nSubject: %s\n",
			       m->from, m->from, date, m->id, m->subject);
	if (m->reply_to)
		g_string_append_printf(s,
				       "In-Reply-To: <%s>\nReferences: <%s>\n",
				       m->reply_to, m->reply_to);
	g_string_append_printf(s, "\n%s", m->text ? m->text : "Why.\n");
	if (m->diff)
		g_string_append_printf(s,
				       "---\n%s\n a | 2 +-\n\n"
				       "diff --git a/a b/a\n--- a/a\n+++ b/a\n"
				       "@@ -1 +1 @@\n-old\n+new%d\n",
				       m->notes ? m->notes : "", m->diff);
	return g_string_free_to_bytes(s);
}

static void put_patch(store *st, const struct patch_mail *m)
{
	struct add a = {.bytes = patch_bytes(m),
			.kind = "mbox",
			.place = "/mail/box",
			.list = LIST};

	run(st, add_in, &a);
	g_bytes_unref(a.bytes);
}

/* ---- series as lines */

static const char *mid_of(const struct series_set *set, int mail)
{
	return mail < 0 ? "-"
			: g_array_index(set->mails, struct series_mail, mail)
				  .mid;
}

static const char *name_of(const struct series_set *set, int i)
{
	const struct series *s = i < 0 ? NULL : set->series->pdata[i];

	return s ? mid_of(set, s->first) : "-";
}

static char *line_of(const struct series_set *set, int i)
{
	const struct series *s = set->series->pdata[i];
	GString *out = g_string_new(NULL);

	g_string_printf(out, "%s v%d%s %d%s %s%s <%s >%s ~%s:", name_of(set, i),
			s->version, s->version_inferred ? "?" : "", s->total,
			s->complete ? "" : "-", s->cover_inherited ? "=" : "",
			mid_of(set, s->cover), name_of(set, s->supersedes),
			name_of(set, s->superseded_by),
			name_of(set, s->resend_of));
	for (guint k = 0; k < s->patches->len; k++) {
		const struct series_patch *p =
			&g_array_index(s->patches, struct series_patch, k);

		g_string_append_printf(out, " %s%s", p->inherited ? "=" : "",
				       mid_of(set, p->mail));
	}
	return g_string_free(out, FALSE);
}

static struct series_set *load_all(store *st)
{
	g_autoptr(GError) err = NULL;
	struct series_set *set = series_load_all(st, &err);

	must(set != NULL, err);
	return set;
}

static char *all_lines(store *st)
{
	g_autoptr(series_set_auto) set = load_all(st);
	GString *out = g_string_new(NULL);

	for (guint i = 0; i < set->series->len; i++) {
		g_autofree char *line = line_of(set, (int)i);

		g_string_append_printf(out, "%s\n", line);
	}
	return g_string_free(out, FALSE);
}

/* Every mail of a series, cover included -> the series' line. */
static GHashTable *lines_by_mail(const struct series_set *set)
{
	GHashTable *out =
		g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);

	for (guint i = 0; i < set->series->len; i++) {
		const struct series *s = set->series->pdata[i];

		if (s->cover >= 0 && !s->cover_inherited)
			g_hash_table_insert(out,
					    g_strdup(mid_of(set, s->cover)),
					    line_of(set, (int)i));
		for (guint k = 0; k < s->patches->len; k++) {
			const struct series_patch *p =
				&g_array_index(s->patches, struct series_patch,
					       k);

			if (!p->inherited)
				g_hash_table_insert(out,
						    g_strdup(mid_of(set,
								    p->mail)),
						    line_of(set, (int)i));
		}
	}
	return out;
}

/* ---- the part equals the whole */

static void check_part(store *st, GHashTable *whole, const char *mid)
{
	g_autoptr(GError) err = NULL;
	g_autoptr(thread_auto) t = thread_load(st, mid, &err);
	g_autoptr(series_set_auto) set = series_load(st, mid, &err);
	g_autoptr(GHashTable) part = NULL;

	must(t && set, err);
	part = lines_by_mail(set);
	for (guint i = 0; i < t->nodes->len; i++) {
		const struct thread_node *n = t->nodes->pdata[i];
		const char *want = g_hash_table_lookup(whole, n->mid);
		const char *got = g_hash_table_lookup(part, n->mid);

		ck_assert_pstr_eq(got, want);
	}
}

static char *invent_subject(GRand *rand)
{
	static const char *const titles[] = {"one",  "two", "three", "four",
					     "five", "six", "seven", "eight",
					     "nine", "ten", "more",  "last"};
	static const char *const versions[] = {"", " v2", " v3"};
	int total = g_rand_int_range(rand, 1, 4);
	g_autofree char *count =
		g_rand_int_range(rand, 0, 3)
			? g_strdup_printf(" %d/%d",
					  g_rand_int_range(rand, 0, total + 1),
					  total)
			: g_strdup("");

	return g_strdup_printf("[PATCH%s%s%s] %s",
			       g_rand_int_range(rand, 0, 9) ? "" : " RESEND",
			       versions[g_rand_int_range(rand, 0, 3)], count,
			       titles[g_rand_int_range(rand, 0, 12)]);
}

/* Strings are kept by `owned`. */
static void invent(GRand *rand, struct patch_mail *m, int i, GPtrArray *owned)
{
	static const char *const people[] = {"ann", "bob", "cyd"};
	int up = g_rand_int_range(rand, 0, HEAP + 10);

	memset(m, 0, sizeof(*m));
	m->id = g_strdup_printf("m%02d@x", i);
	m->subject = invent_subject(rand);
	m->from = people[g_rand_int_range(rand, 0, 3)];
	m->minute = g_rand_int_range(rand, 0, 300);
	m->diff = g_rand_int_range(rand, 0, 50);
	g_ptr_array_add(owned, (gpointer)m->id);
	g_ptr_array_add(owned, (gpointer)m->subject);
	if (g_rand_int_range(rand, 0, 2)) {
		m->reply_to = g_strdup_printf("m%02d@x", up);
		g_ptr_array_add(owned, (gpointer)m->reply_to);
	}
	if (!g_rand_int_range(rand, 0, 4)) {
		m->notes = g_strdup_printf("v1: https://lore.kernel.org/r/"
					   "m%02d@x\n",
					   g_rand_int_range(rand, 0, HEAP));
		g_ptr_array_add(owned, (gpointer)m->notes);
	}
}

START_TEST(part_equals_whole)
{
	g_autoptr(GRand) rand = g_rand_new_with_seed((guint32)_i + 1);
	g_autoptr(GPtrArray) owned = g_ptr_array_new_with_free_func(g_free);
	g_autoptr(series_set_auto) set = NULL;
	g_autoptr(GHashTable) whole = NULL;
	g_autoptr(store) st = open_memory();
	struct patch_mail mails[HEAP];

	for (int i = 0; i < HEAP; i++) {
		invent(rand, &mails[i], i, owned);
		put_patch(st, &mails[i]);
	}
	set = load_all(st);
	whole = lines_by_mail(set);
	ck_assert_uint_gt(g_hash_table_size(whole), HEAP / 2);
	for (int i = 0; i < HEAP; i++)
		check_part(st, whole, mails[i].id);
}
END_TEST

START_TEST(arrival_does_not_matter)
{
	g_autoptr(GRand) rand = g_rand_new_with_seed((guint32)_i + 100);
	g_autoptr(GPtrArray) owned = g_ptr_array_new_with_free_func(g_free);
	g_autofree char *first = NULL, *again = NULL;
	g_autoptr(store) forth = open_memory();
	g_autoptr(store) back = open_memory();
	struct patch_mail mails[HEAP];

	for (int i = 0; i < HEAP; i++) {
		invent(rand, &mails[i], i, owned);
		put_patch(forth, &mails[i]);
	}
	for (int i = HEAP; i > 0; i--)
		put_patch(back, &mails[i - 1]);
	first = all_lines(forth);
	again = all_lines(back);
	ck_assert_str_eq(first, again);
}
END_TEST

/* ---- examples */

static const struct patch_mail two_versions[] = {
	{"root@x", NULL, "ann", "rework things", 0, 0, NULL, NULL},
	{"p1@x", "root@x", "ann", "[PATCH 1/2] one", 1, 1, NULL, NULL},
	{"p2@x", "root@x", "ann", "[PATCH 2/2] two", 1, 2, NULL, NULL},
	{"r@x", "p2@x", "bob", "Re: [PATCH 2/2] two", 30, 0,
	 "> Why.\n> Acked-by: cyd <cyd@example.org>\n\n"
	 "Reviewed-by: bob <bob@example.org> # twice\n",
	 NULL},
	{"q2@x", "r@x", "ann", "[PATCH v2 2/2] two", 60, 3,
	 "Why.\n\nSigned-off-by: ann <ann@example.org>\n", NULL},
	{"else@x", NULL, "bob", "[PATCH] other", 61, 4, NULL, NULL},
};

static store *open_two_versions(void)
{
	store *st = open_memory();

	for (guint i = 0; i < G_N_ELEMENTS(two_versions); i++)
		put_patch(st, &two_versions[i]);
	return st;
}

START_TEST(a_reroll_of_a_part)
{
	g_autoptr(store) st = open_two_versions();
	g_autofree char *got = all_lines(st);

	ck_assert_str_eq(got, "root@x v1 2 root@x <- >q2@x ~-: p1@x p2@x\n"
			      "q2@x v2 2 =root@x <root@x >- ~-: =p1@x q2@x\n"
			      "else@x v1 1 - <- >- ~-: else@x\n");
}
END_TEST

/* So many that whoever looks up each for each does not come to an end. */
START_TEST(one_title_in_one_thread)
{
	g_autoptr(series_set_auto) set = NULL;
	g_autoptr(GError) err = NULL;
	g_autoptr(store) st = open_memory();
	struct patch_mail m = {"p@x", NULL, "ann", "[PATCH] one",
			       0,     1,    NULL,  NULL};

	put_patch(st, &m);
	m.reply_to = "p@x";
	for (m.minute = 1; m.minute < 15000; m.minute++) {
		g_autofree char *id = g_strdup_printf("p%d@x", m.minute);

		m.id = id;
		put_patch(st, &m);
	}
	set = series_load(st, "p@x", &err);
	must(set != NULL, err);
	ck_assert_int_eq((int)set->mails->len, m.minute);
	ck_assert_uint_gt(set->series->len, 1);
}
END_TEST

START_TEST(dumped_sorted)
{
	g_autoptr(store) st = open_two_versions();
	g_autoptr(GString) out = g_string_new(NULL);
	g_autoptr(GError) err = NULL;

	must(dump_series(st, out, &err), err);
	ck_assert_str_eq(out->str,
			 "else@x\t1\t1\t1\t-\t-\t-\t-\t-\telse@x\n"
			 "q2@x\t2\t2\t1\t=root@x\troot@x\t-\t-\t-\t=p1@x q2@x\n"
			 "root@x\t1\t2\t1\troot@x\t-\tq2@x\t-\t-\tp1@x p2@x\n");
}
END_TEST

START_TEST(an_unknown_id_is_no_error)
{
	g_autoptr(store) st = open_two_versions();
	g_autoptr(GError) err = NULL;

	ck_assert_ptr_null(series_load(st, "nobody@x", &err));
	ck_assert_ptr_null(err);
}
END_TEST

START_TEST(a_thread_without_patches_has_no_series)
{
	g_autoptr(store) st = open_memory();
	g_autoptr(GError) err = NULL;
	g_autoptr(series_set_auto) set = NULL;

	put_patch(st, &two_versions[0]);
	set = series_load(st, "root@x", &err);
	must(set != NULL, err);
	ck_assert_uint_eq(set->series->len, 0);
}
END_TEST

static char *trailer_lines(store *st, const char *mid, gboolean thread)
{
	g_autoptr(GError) err = NULL;
	g_autoptr(GPtrArray) all = trailers_load(st, mid, thread, &err);
	GString *out = g_string_new(NULL);

	must(all != NULL, err);
	for (guint i = 0; i < all->len; i++) {
		const struct given_trailer *t = all->pdata[i];

		g_string_append_printf(out, "%s %s: %s [%s] %d\n", t->mid,
				       t->key, t->address,
				       t->note ? t->note : "", t->where);
	}
	return g_string_free(out, FALSE);
}

START_TEST(trailers_of_a_thread)
{
	g_autoptr(store) st = open_two_versions();
	g_autofree char *all = trailer_lines(st, "root@x", TRUE);
	g_autofree char *one = trailer_lines(st, "q2@x", FALSE);
	g_autofree char *none = trailer_lines(st, "p1@x", FALSE);

	ck_assert_str_eq(all, "r@x Reviewed-by: bob@example.org [twice] 2\n"
			      "q2@x Signed-off-by: ann@example.org [] 0\n");
	ck_assert_str_eq(one, "q2@x Signed-off-by: ann@example.org [] 0\n");
	ck_assert_str_eq(none, "");
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("patches");
	TCase *t = tcase_create("patches");

	tcase_add_loop_test(t, part_equals_whole, 0, 15);
	tcase_add_loop_test(t, arrival_does_not_matter, 0, 5);
	tcase_add_test(t, a_reroll_of_a_part);
	tcase_add_test(t, one_title_in_one_thread);
	tcase_add_test(t, dumped_sorted);
	tcase_add_test(t, an_unknown_id_is_no_error);
	tcase_add_test(t, a_thread_without_patches_has_no_series);
	tcase_add_test(t, trailers_of_a_thread);
	suite_add_tcase(s, t);
	return s;
}

TEST_MAIN(suite)
