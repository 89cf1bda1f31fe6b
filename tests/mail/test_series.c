/* test_series.c - which patches make one series, which series is older
 * The cases and their format: tests/data/series/cases.txt. */
#include <string.h>

#include "mail/series.h"
#include "mail/subject.h"

#include "tests/test.h"

#define ROUNDS 30 /* orders in which each case is tried */

/* ---- facts from lines */

struct made {
	GArray *mails;
	GPtrArray *owned;
	GPtrArray *ups; /* the id that each mail answers */
};

static char *keep(struct made *m, char *text)
{
	g_ptr_array_add(m->owned, text);
	return text;
}

static const char *const *keep_list(struct made *m, char **words,
				    const char *key)
{
	GPtrArray *list = g_ptr_array_new();

	for (guint i = 0; words[i]; i++)
		if (g_str_has_prefix(words[i], key))
			g_ptr_array_add(list, keep(m, g_strdup(words[i] +
							       strlen(key))));
	g_ptr_array_add(list, NULL);
	return (const char *const *)keep(m,
					 (char *)g_ptr_array_free(list, FALSE));
}

static gboolean has(char **words, const char *word)
{
	return g_strv_contains((const char *const *)words, word);
}

static gint64 read_time(const char *text)
{
	gint64 n = g_ascii_strtoll(text, NULL, 10);

	return 1000000 + 60 * (g_str_has_suffix(text, "d") ? n * 24 * 60 : n);
}

static void read_subject(struct made *m, struct series_mail *x,
			 const char *text)
{
	g_autoptr(subject_auto) s = subject_parse(text, NULL);
	g_autofree char *tags = NULL;

	x->version = s->version;
	x->version_stated = s->version_stated;
	x->number = s->number;
	x->total = s->total;
	x->rfc = s->rfc;
	x->resend = s->resend;
	x->reply = s->reply;
	x->stable = s->stable;
	x->is_patch_like = s->patch;
	x->title_key = keep(m, subject_key(s->base));
	g_ptr_array_add(s->prefixes, NULL);
	tags = g_strjoinv(",", (char **)s->prefixes->pdata);
	x->tags = keep(m, g_utf8_casefold(tags, -1));
}

static void read_more(struct made *m, struct series_mail *x, char **words)
{
	x->has_diff = !has(words, "text") && !has(words, "stat");
	x->has_diffstat = has(words, "stat");
	x->patch_id = keep_list(m, words, "id=")[0];
	x->change_id = keep_list(m, words, "change=")[0];
	x->backport_of = keep_list(m, words, "of=")[0];
	if (keep_list(m, words, "by=")[0])
		x->author = keep_list(m, words, "by=")[0];
	x->older_links = keep_list(m, words, "old=");
	x->prerequisites = keep_list(m, words, "needs=");
}

static void read_fact(struct made *m, const char *line)
{
	g_auto(GStrv) halves = g_strsplit(line, " | ", 2);
	g_auto(GStrv) part = g_strsplit(halves[0], " ", 5);
	g_auto(GStrv) words = g_strsplit(halves[1] ? halves[1] : "", " ", -1);
	struct series_mail x = {.parent = -1};

	ck_assert_uint_eq(g_strv_length(part), 5);
	x.mid = keep(m, g_strdup(part[0]));
	g_ptr_array_add(m->ups, keep(m, g_strdup(part[1])));
	x.sender = x.author = keep(m, g_strdup(part[2]));
	x.date = read_time(part[3]);
	read_subject(m, &x, part[4]);
	read_more(m, &x, words);
	g_array_append_val(m->mails, x);
}

static struct series_mail *mail_at(const struct made *m, guint i)
{
	return &g_array_index(m->mails, struct series_mail, i);
}

/* Parents, and threads: mails that answer one ghost share theirs. */
static void link_facts(struct made *m)
{
	for (guint i = 0; i < m->mails->len; i++)
		for (guint k = 0; k < m->mails->len; k++)
			if (!strcmp(mail_at(m, k)->mid, m->ups->pdata[i]))
				mail_at(m, i)->parent = (int)k;
	for (guint i = 0; i < m->mails->len; i++) {
		guint at = i, step = 0;
		const char *up;

		while (mail_at(m, at)->parent >= 0 && step++ < m->mails->len)
			at = (guint)mail_at(m, at)->parent;
		up = m->ups->pdata[at];
		mail_at(m, i)->thread =
			g_str_hash(*up == '-' ? mail_at(m, at)->mid : up);
	}
}

static void made_init(struct made *m, char **lines)
{
	m->mails = g_array_new(FALSE, FALSE, sizeof(struct series_mail));
	m->owned = g_ptr_array_new_with_free_func(g_free);
	m->ups = g_ptr_array_new();
	for (guint i = 0; lines[i]; i++)
		read_fact(m, lines[i]);
	link_facts(m);
}

static void made_clear(struct made *m)
{
	g_array_unref(m->mails);
	g_ptr_array_unref(m->ups);
	g_ptr_array_unref(m->owned);
}

/* ---- series as text */

static const char *name_at(const struct made *m, GPtrArray *all, int i)
{
	const struct series *s = g_ptr_array_index(all, i);

	return mail_at(m, s->first)->mid;
}

static void show_patches(GString *out, const struct made *m,
			 const struct series *s)
{
	g_string_append_printf(out, " %u/%d%s", s->patches->len, s->total,
			       s->complete ? "" : "-");
	if (s->cover >= 0)
		g_string_append_printf(out, " %s%s",
				       s->cover_inherited ? "=" : "",
				       mail_at(m, s->cover)->mid);
	g_string_append(out, " +");
	for (guint i = 0; i < s->patches->len; i++) {
		const struct series_patch *p =
			&g_array_index(s->patches, struct series_patch, i);

		g_string_append_printf(out, " %s%s", p->inherited ? "=" : "",
				       mail_at(m, p->mail)->mid);
	}
}

static char *show(const struct made *m, GPtrArray *all)
{
	GString *out = g_string_new(NULL);

	for (guint i = 0; i < all->len; i++) {
		const struct series *s = g_ptr_array_index(all, i);

		g_string_append_printf(out, "%s v%d%s", name_at(m, all, (int)i),
				       s->version,
				       s->version_inferred ? "?" : "");
		show_patches(out, m, s);
		if (s->change_id)
			g_string_append_printf(out, " change=%s", s->change_id);
		if (s->supersedes >= 0)
			g_string_append_printf(out, " <%s",
					       name_at(m, all, s->supersedes));
		if (s->superseded_by >= 0)
			g_string_append_printf(out, " >%s",
					       name_at(m, all,
						       s->superseded_by));
		if (s->resend_of >= 0)
			g_string_append_printf(out, " ~%s",
					       name_at(m, all, s->resend_of));
		if (s->backport_of)
			g_string_append_printf(out, " of=%s", s->backport_of);
		for (guint k = 0; k < s->depends_on->len; k++)
			g_string_append_printf(
				out, " needs=%s",
				(char *)g_ptr_array_index(s->depends_on, k));
		g_string_append_c(out, '\n');
	}
	return g_string_free(out, FALSE);
}

static char *assemble(char **lines)
{
	g_autoptr(GPtrArray) all = NULL;
	struct made m;
	char *text;

	made_init(&m, lines);
	all = series_assemble((struct series_mail *)m.mails->data,
			      m.mails->len);
	text = show(&m, all);
	made_clear(&m);
	return text;
}

static void shuffle(GRand *rand, char **lines)
{
	for (guint i = g_strv_length(lines); i > 1; i--) {
		guint k = (guint)g_rand_int_range(rand, 0, (gint32)i);
		char *other = lines[i - 1];

		lines[i - 1] = lines[k];
		lines[k] = other;
	}
}

/* ---- the cases */

static void check_case(const char *name, char **lines, const char *want)
{
	g_autoptr(GRand) rand = g_rand_new_with_seed(7);

	for (guint round = 0; round < ROUNDS; round++) {
		g_autofree char *got = assemble(lines);

		ck_assert_msg(!strcmp(got, want),
			      "%s (round %u): expected\n%sgot\n%s", name, round,
			      want, got);
		shuffle(rand, lines);
	}
}

START_TEST(each_case)
{
	g_autofree char *path =
		g_build_filename(test_data(), "series", "cases.txt", NULL);
	g_autofree char *text = NULL;
	g_autoptr(GRegex) comment =
		g_regex_new("^#.*\n|^\n", G_REGEX_MULTILINE, 0, NULL);
	g_autofree char *bare = NULL;
	g_auto(GStrv) cases = NULL;

	ck_assert(g_file_get_contents(path, &text, NULL, NULL));
	bare = g_regex_replace_literal(comment, text, -1, 0, "", 0, NULL);
	cases = g_strsplit(bare, "== ", -1);
	ck_assert_uint_gt(g_strv_length(cases), 40);
	for (guint i = 1; cases[i]; i++) {
		g_auto(GStrv) halves = g_strsplit(cases[i], "\n--\n", 2);
		g_auto(GStrv) lines = g_strsplit(halves[0], "\n", -1);

		check_case(lines[0], lines + 1, halves[1]);
	}
}
END_TEST

/* ---- properties over invented heaps of patches */

#define HEAP 120

static char *invent(GRand *rand, int i)
{
	static const char *const titles[] = {"one", "two", "three"};
	static const char *const versions[] = {"", " v2", " v3"};
	int total = g_rand_int_range(rand, 1, 4);
	g_autofree char *up =
		g_rand_int_range(rand, 0, 3)
			? g_strdup_printf("m%03d",
					  g_rand_int_range(rand, 0, HEAP))
			: g_strdup("-");

	return g_strdup_printf("m%03d %s %c %d [PATCH%s%s %d/%d] %s | id=%d%s",
			       i, up, 'a' + g_rand_int_range(rand, 0, 2),
			       g_rand_int_range(rand, 0, 100),
			       versions[g_rand_int_range(rand, 0, 3)],
			       g_rand_int_range(rand, 0, 9) ? "" : " RESEND",
			       g_rand_int_range(rand, 0, total + 1), total,
			       titles[g_rand_int_range(rand, 0, 3)],
			       g_rand_int_range(rand, 0, 20),
			       g_rand_int_range(rand, 0, 9) ? "" : " change=k");
}

static void check_links(GPtrArray *all, guint i)
{
	const struct series *s = g_ptr_array_index(all, i), *o;

	if (s->supersedes >= 0) {
		o = g_ptr_array_index(all, s->supersedes);
		ck_assert_int_le(o->version, s->version);
		ck_assert_int_lt(s->supersedes, i);
	}
	if (s->resend_of >= 0)
		ck_assert_int_lt(s->resend_of, i);
}

/* Each mail in one series at most, all of one sender, slots used once. */
static void check_sane(const struct made *m, GPtrArray *all)
{
	g_autoptr(GHashTable) seen = g_hash_table_new(NULL, NULL);

	for (guint i = 0; i < all->len; i++) {
		const struct series *s = g_ptr_array_index(all, i);
		int before = 0;

		check_links(all, i);
		if (s->cover >= 0 && !s->cover_inherited)
			ck_assert(g_hash_table_add(
				seen, GINT_TO_POINTER(s->cover + 1)));
		for (guint k = 0; k < s->patches->len; k++) {
			const struct series_patch *p =
				&g_array_index(s->patches, struct series_patch,
					       k);

			ck_assert_int_gt(p->number, before);
			before = p->number;
			ck_assert_str_eq(mail_at(m, p->mail)->sender,
					 mail_at(m, s->first)->sender);
			if (!p->inherited)
				ck_assert(g_hash_table_add(
					seen, GINT_TO_POINTER(p->mail + 1)));
		}
	}
	for (guint i = 0; i < m->mails->len; i++)
		ck_assert(g_hash_table_contains(seen, GINT_TO_POINTER(i + 1)));
}

START_TEST(order_does_not_matter)
{
	g_autoptr(GRand) rand = g_rand_new_with_seed((guint32)_i + 1);
	g_auto(GStrv) lines = g_new0(char *, HEAP + 1);
	g_autoptr(GPtrArray) all = NULL;
	g_autofree char *first = NULL;
	struct made m;

	for (int i = 0; i < HEAP; i++)
		lines[i] = invent(rand, i);
	made_init(&m, lines);
	all = series_assemble((struct series_mail *)m.mails->data, HEAP);
	check_sane(&m, all);
	first = show(&m, all);
	made_clear(&m);
	for (guint round = 0; round < 5; round++) {
		g_autofree char *again = NULL;

		shuffle(rand, lines);
		again = assemble(lines);
		ck_assert_str_eq(first, again);
	}
}
END_TEST

/* So many that whoever compares each with each does not come to an end. */
#define MANY 100000

START_TEST(one_title_without_end)
{
	g_autofree struct series_mail *mails = g_new0(struct series_mail, MANY);
	g_autoptr(GStringChunk) names = g_string_chunk_new(1 << 16);
	g_autoptr(GPtrArray) sets = NULL;

	for (int i = 0; i < MANY; i++) {
		g_autofree char *mid = g_strdup_printf("p%d@example.org", i);

		mails[i] = (struct series_mail){
			.mid = g_string_chunk_insert(names, mid),
			.parent = -1,
			.sender = "ann@example.org",
			.author = "ann@example.org",
			.date = 1000000000 + 60 * i,
			.thread = i,
			.version = 1,
			.number = 1,
			.total = 2,
			.has_diff = TRUE,
			.is_patch_like = TRUE,
			.title_key = "one title",
			.tags = "",
			.patch_id = "00",
		};
	}
	sets = series_assemble(mails, MANY);
	ck_assert_uint_eq(sets->len, MANY);
	for (guint i = 0; i < sets->len; i++) {
		const struct series *s = g_ptr_array_index(sets, i);

		ck_assert_uint_eq(s->patches->len, 1);
		ck_assert(!s->complete);
	}
}
END_TEST

START_TEST(nothing_at_all)
{
	g_autoptr(GPtrArray) all = series_assemble(NULL, 0);

	ck_assert_uint_eq(all->len, 0);
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("series");
	TCase *t = tcase_create("series");

	tcase_add_test(t, each_case);
	tcase_add_loop_test(t, order_does_not_matter, 0, 40);
	tcase_add_test(t, nothing_at_all);
	tcase_add_test(t, one_title_without_end);
	suite_add_tcase(s, t);
	return s;
}

TEST_MAIN(suite)
