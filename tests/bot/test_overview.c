/* test_overview.c - threads as lore draws them, and as a person reads them
 * Mails: tests/data/thread/NAME.mbox; seen from ID: NAME--ID.overview, and
 * NAME.text. */
#include "bot/thread_text.h"
#include "bot/view.h"

#include "tests/bot/box.h"

static const struct {
	const char *name, *mid;
} cases[] = {
	{"plain", "root@x"},  {"plain", "c@x"},	    {"plain", "e@x"},
	{"ghosts", "b@x"},    {"ghosts", "gone@x"}, {"roots", "one-a@x"},
	{"roots", "two-a@x"}, {"alone", "a@x"},	    {"orphan", "a@x"},
	{"versions", "q2@x"},
};

static struct thread *load(store *st, const char *mid)
{
	g_autoptr(GError) err = NULL;
	struct thread *t = thread_load(st, mid, &err);

	ck_assert_msg(t != NULL, "%s: %s", mid,
		      err ? err->message : "not known");
	return t;
}

START_TEST(as_lore_prints_it)
{
	const char *name = cases[_i].name, *mid = cases[_i].mid;
	g_autoptr(store) st = box_open("thread", name);
	g_autoptr(thread_auto) t = load(st, mid);
	g_autofree char *text = view_overview(t, mid);
	g_autofree char *suffix =
		g_strdup_printf("--%.*s.overview",
				(int)(strchr(mid, '@') - mid), mid);

	golden("thread", name, suffix, text);
}
END_TEST

START_TEST(to_read)
{
	const char *name = cases[_i].name, *mid = cases[_i].mid;
	g_autoptr(store) st = box_open("thread", name);
	g_autoptr(thread_auto) t = load(st, mid);
	g_autoptr(series_set_auto) set = series_load(st, mid, NULL);
	g_autofree char *text = thread_text(t, set, t->root);

	golden("thread", name, ".text", text);
}
END_TEST

/* Each message is seen once, whoever looks, and one line is marked. */
START_TEST(complete_from_everywhere)
{
	const char *name = cases[_i].name;
	g_autoptr(store) st = box_open("thread", name);
	g_autoptr(thread_auto) t = load(st, cases[_i].mid);

	for (guint i = 0; i < t->nodes->len && t->count > 1; i++) {
		const struct thread_node *n = t->nodes->pdata[i];
		g_autofree char *text = view_overview(t, n->mid);
		g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
		guint dated = 0, marked = 0;

		for (guint k = 0; lines[k]; k++) {
			dated += g_str_has_prefix(lines[k], "2020-");
			marked += g_str_has_suffix(lines[k], " [this message]");
		}
		ck_assert_uint_eq(dated, t->count);
		ck_assert_uint_eq(marked, n->ghost ? 0 : 1);
	}
}
END_TEST

/* The text of a chain grows with its length, not with the square of it. */
#define DEEP 50000

START_TEST(a_chain_without_end)
{
	g_autoptr(GHashTable) by_mid =
		g_hash_table_new(g_str_hash, g_str_equal);
	struct thread t = {.count = DEEP, .by_mid = by_mid};
	g_autofree struct thread_node *nodes = g_new0(struct thread_node, DEEP);
	g_autoptr(GStringChunk) ids = g_string_chunk_new(1 << 16);
	g_autofree char *text = NULL, *read = NULL;
	guint lines = 0;

	t.nodes = g_ptr_array_new();
	for (int i = 0; i < DEEP; i++) {
		g_autofree char *mid = g_strdup_printf("m%d@x", i);

		nodes[i] = (struct thread_node){
			.mid = g_string_chunk_insert(ids, mid),
			.parent = i - 1,
			.depth = i,
			.date = 1577836800 + i,
			.subject = (char *)"chain",
			.from_name = (char *)"Ann",
			.from_address = (char *)"ann@example.org",
		};
		g_ptr_array_add(t.nodes, &nodes[i]);
	}
	t.root = nodes[0].mid;
	text = view_overview(&t, "m7@x");
	for (const char *p = text; *p; p++)
		lines += *p == '\n';
	ck_assert_uint_eq(lines, DEEP + 1);
	ck_assert_uint_lt(strlen(text), 1000 * DEEP);
	read = thread_text(&t, NULL, "m7@x");
	ck_assert_uint_lt(strlen(read), 1000 * DEEP);
	g_ptr_array_unref(t.nodes);
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("overview");
	TCase *t = tcase_create("overview");

	tcase_add_loop_test(t, as_lore_prints_it, 0, G_N_ELEMENTS(cases));
	tcase_add_loop_test(t, to_read, 0, G_N_ELEMENTS(cases));
	tcase_add_loop_test(t, complete_from_everywhere, 0,
			    G_N_ELEMENTS(cases));
	tcase_add_test(t, a_chain_without_end);
	suite_add_tcase(s, t);
	return s;
}

TEST_MAIN(suite)
