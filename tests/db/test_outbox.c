/* test_outbox.c - what the settings make of a draft */
#include "tests/db/outbox_world.h"

static const char ann[] = "ann@example.org";

static const struct {
	enum outbox_mode mode;
	struct letter l;
	enum outbox_state state;
	gboolean public;
	guint left;
} cases[] = {
	{OUTBOX_DRY_RUN, {.to = "ann@example.org"}, OUTBOX_DRAFT, FALSE, 1},
	{OUTBOX_APPROVE, {.to = "ann@example.org"}, OUTBOX_APPROVED, FALSE, 1},
	{OUTBOX_AUTO, {.to = "ann@example.org"}, OUTBOX_APPROVED, FALSE, 1},
	{OUTBOX_DRY_RUN,
	 {.to = "ann@example.org", .cc = "fs@lists.example.org"},
	 OUTBOX_DRAFT,
	 TRUE,
	 2},
	{OUTBOX_APPROVE,
	 {.to = "ann@example.org", .cc = "fs@lists.example.org"},
	 OUTBOX_HELD,
	 TRUE,
	 2},
	{OUTBOX_AUTO,
	 {.to = "ann@example.org", .cc = "FS@lists.example.org"},
	 OUTBOX_APPROVED,
	 TRUE,
	 2},
	/* a list that nobody allowed goes, and so do we ourselves */
	{OUTBOX_AUTO,
	 {.to = "ann@example.org", .cc = "mm@lists.example.org"},
	 OUTBOX_APPROVED,
	 FALSE,
	 1},
	{OUTBOX_AUTO,
	 {.to = "ann@example.org",
	  .cc = "linux-kernel@vger.kernel.org bot+r7k2m@bot.example.org "
		"ANN@example.org"},
	 OUTBOX_APPROVED,
	 FALSE,
	 1},
	{OUTBOX_AUTO, {.to = "mm@lists.example.org"}, OUTBOX_HELD, FALSE, 0},
	/* many people are as a list */
	{OUTBOX_APPROVE,
	 {.to = "a@example.org b@example.org c@example.org d@example.org"},
	 OUTBOX_HELD,
	 TRUE,
	 4},
	{OUTBOX_AUTO,
	 {.to = "ann@example.org",
	  .cc = "fs@lists.example.org",
	  .good_news = TRUE},
	 OUTBOX_CANCELLED,
	 TRUE,
	 2},
};

START_TEST(test_fate)
{
	struct world w;
	struct outbox_fate f;
	g_autoptr(outbox_entry_auto) e = NULL;
	guint left = 0;

	world_open(&w, cases[_i].mode);
	f = draft(&w, &cases[_i].l);
	e = entry(&w, f.id);
	for (guint i = 0; i < e->rcpts->len; i++)
		left += ((struct outbox_rcpt *)e->rcpts->pdata[i])->told !=
			OUTBOX_MUTED;
	ck_assert_str_eq(outbox_state_name(f.state),
			 outbox_state_name(cases[_i].state));
	ck_assert_int_eq(e->state, cases[_i].state);
	ck_assert_int_eq(e->public, cases[_i].public);
	ck_assert_uint_eq(left, cases[_i].left);
	ck_assert_uint_eq(e->mail->to->len + e->mail->cc->len,
			  left ? left : e->rcpts->len);
	/* who is left out has a reason, as has what does not go out */
	for (guint i = 0; i < e->rcpts->len; i++) {
		const struct outbox_rcpt *r = e->rcpts->pdata[i];

		ck_assert_int_eq(r->told == OUTBOX_MUTED, *r->text != '\0');
	}
	ck_assert_int_eq(f.state == OUTBOX_HELD || f.state == OUTBOX_CANCELLED,
			 *f.why != '\0');
	ck_assert_int_eq(e->due, f.state == OUTBOX_CANCELLED
					 ? 0
					 : NOON + (e->public ? w.p.hold : 0));
	outbox_fate_clear(&f);
	world_close(&w);
}
END_TEST

START_TEST(test_message_id)
{
	struct world w;
	const struct letter l = {.to = ann, .body = "One.\n"};
	const struct letter other = {.to = ann, .body = "Two.\n"};
	struct outbox_fate f, g;
	g_autoptr(outbox_entry_auto) e = NULL, same = NULL, next = NULL;
	g_autoptr(GError) err = NULL;

	world_open(&w, OUTBOX_AUTO);
	f = draft(&w, &l);
	g = draft(&w, &other);
	e = entry(&w, f.id);
	same = entry(&w, f.id);
	next = entry(&w, g.id);
	ck_assert(g_str_has_prefix(e->message_id, "culprit.20200913122640.1."));
	ck_assert(g_str_has_suffix(e->message_id, "@bot.example.org"));
	ck_assert_str_eq(e->message_id, same->message_id);
	ck_assert_str_ne(e->message_id, next->message_id);
	ck_assert_int_eq(outbox_find(w.st, e->message_id, &err), f.id);
	ck_assert_int_eq(outbox_find(w.st, "2", &err), g.id);
	ck_assert_int_eq(outbox_find(w.st, "17", &err), 0);
	ck_assert_int_eq(outbox_is_ours(w.st, e->message_id, &err), 1);
	ck_assert_int_eq(outbox_is_ours(w.st, "a@example.org", &err), 0);
	outbox_fate_clear(&f);
	outbox_fate_clear(&g);
	world_close(&w);
}
END_TEST

/* With the effect, or not at all. */
static gboolean add_and_fail(store *st, void *data, GError **err)
{
	ck_assert(add_draft(st, data, err));
	g_set_error(err, STORE_ERROR, STORE_ERROR_IO, "the effect failed");
	return FALSE;
}

START_TEST(test_one_transaction)
{
	struct world w;
	g_autoptr(outgoing_auto) m = outgoing_new();
	g_autoptr(GError) err = NULL;
	g_autoptr(GPtrArray) all = NULL;
	struct adding a = {.w = &w, .d = {.rule = "x", .mail = m}};

	world_open(&w, OUTBOX_AUTO);
	m->from = address_new("culprit", w.p.address);
	add_people(m->to, ann);
	m->subject = g_strdup("s");
	m->body = g_strdup("b\n");
	ck_assert(!store_transact(w.st, add_and_fail, &a, &err));
	outbox_fate_clear(&a.fate);
	g_clear_error(&err);
	all = outbox_list_load(w.st, ~0u, &err);
	ck_assert_uint_eq(all->len, 0);
	world_close(&w);
}
END_TEST

/* What a list wants of what goes to it. */
START_TEST(test_list_policy)
{
	struct world w;
	const struct letter l = {.to = ann,
				 .cc = "bob@example.org fs@lists.example.org"};
	static char prefix[] = "A program wrote this.";
	struct outbox_fate f;
	g_autoptr(outbox_entry_auto) e = NULL;

	world_open(&w, OUTBOX_AUTO);
	w.list.cc_individuals = FALSE;
	w.list.prefix_text = prefix;
	w.list.approve = TRUE;
	f = draft(&w, &l);
	ck_assert_int_eq(f.state, OUTBOX_HELD);
	e = entry(&w, f.id);
	ck_assert_uint_eq(e->mail->to->len, 1);
	ck_assert_uint_eq(e->mail->cc->len, 1);
	ck_assert_str_eq(((struct address *)e->mail->cc->pdata[0])->address,
			 "fs@lists.example.org");
	ck_assert_str_eq(e->mail->body, "A program wrote this.\n\nDone.\n");
	outbox_fate_clear(&f);
	world_close(&w);
}
END_TEST

/* Nobody is written to because of what was said on such a list. */
START_TEST(test_reply_to_author)
{
	struct world w;
	const struct mail parent = {
		.id = "p@example.org",
		.day = 1,
		.fields = "List-Id: <fs.lists.example.org>\n"};
	const struct letter l = {.to = ann, .parent = "p@example.org"};
	struct outbox_fate f;

	world_open(&w, OUTBOX_AUTO);
	put(w.st, &parent);
	w.list.reply_to_author = _i;
	f = draft(&w, &l);
	ck_assert_int_eq(f.state, _i ? OUTBOX_APPROVED : OUTBOX_CANCELLED);
	outbox_fate_clear(&f);
	world_close(&w);
}
END_TEST

/* Names of hosts have an ASCII form, those of people have none. */
START_TEST(test_not_ascii)
{
	struct world w;
	const struct letter l = {.to = "ann@gr\303\266\303\237e.example "
				       "j\303\266@example.org"};
	struct outbox_fate f;
	g_autoptr(outbox_entry_auto) e = NULL;

	world_open(&w, OUTBOX_AUTO);
	f = draft(&w, &l);
	ck_assert_int_eq(f.state, OUTBOX_APPROVED);
	e = entry(&w, f.id);
	ck_assert_uint_eq(e->mail->to->len, 1);
	ck_assert(g_str_is_ascii(
		((struct address *)e->mail->to->pdata[0])->address));
	outbox_fate_clear(&f);
	world_close(&w);
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("outbox");
	TCase *t = tcase_create("outbox");

	tcase_add_loop_test(t, test_fate, 0, G_N_ELEMENTS(cases));
	tcase_add_test(t, test_message_id);
	tcase_add_test(t, test_one_transaction);
	tcase_add_test(t, test_list_policy);
	tcase_add_loop_test(t, test_reply_to_author, 0, 2);
	tcase_add_test(t, test_not_ascii);
	suite_add_tcase(s, t);
	return s;
}

TEST_MAIN(suite)
