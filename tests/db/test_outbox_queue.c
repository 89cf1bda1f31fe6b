/* test_outbox_queue.c - claims, ends of tries, and what is never known */
#include "db/outbox_queue.h"

#include "tests/db/outbox_world.h"

#define HOUR 3600

static gint64 add_one(struct world *w, const char *to, const char *cc)
{
	static guint n;
	g_autofree char *text = g_strdup_printf("Text %u.\n", ++n);
	struct letter l = {.to = to, .cc = cc, .body = text};
	struct outbox_fate f = draft(w, &l);

	outbox_fate_clear(&f);
	return f.id;
}

static struct outbox_entry *claim(struct world *w)
{
	g_autoptr(GError) err = NULL;
	struct outbox_entry *e =
		outbox_claim(w->st, 0, &w->p, w->now, NULL, &err);

	must(!err, err);
	return e;
}

static gint64 claim_id(struct world *w)
{
	g_autoptr(outbox_entry_auto) e = claim(w);

	return e ? e->id : 0;
}

static enum outbox_state state_of(struct world *w, gint64 id)
{
	g_autoptr(outbox_entry_auto) e = entry(w, id);

	return e->state;
}

/* "ok", "temp", "perm" or "?" for each recipient, by number. */
static enum outbox_state settle(struct world *w, gint64 id, const char *told)
{
	g_auto(GStrv) each = g_strsplit(told, " ", -1);
	g_autoptr(GError) err = NULL;
	struct outbox_result r;
	enum outbox_state state;

	outbox_result_init(&r);
	for (guint i = 0; each[i]; i++) {
		if (g_str_equal(each[i], "ok"))
			outbox_result_add(&r, i + 1, OUTBOX_OK, 250, "ok");
		else if (g_str_equal(each[i], "temp"))
			outbox_result_add(&r, i + 1, OUTBOX_TEMP, 451, "later");
		else if (g_str_equal(each[i], "perm"))
			outbox_result_add(&r, i + 1, OUTBOX_PERM, 550, "no");
		else
			r.uncertain = TRUE;
	}
	must(outbox_settle(w->st, id, &r, 0, w->now, &state, &err), err);
	outbox_result_clear(&r);
	ck_assert_int_eq(state, state_of(w, id));
	return state;
}

static const struct {
	const char *told;
	enum outbox_state state;
} ends[] = {
	{"ok ok", OUTBOX_SENT},	      {"ok perm", OUTBOX_PARTIAL},
	{"perm perm", OUTBOX_FAILED}, {"ok temp", OUTBOX_RETRY},
	{"temp perm", OUTBOX_RETRY},  {"? ?", OUTBOX_UNCERTAIN},
	{"perm ?", OUTBOX_UNCERTAIN},
};

START_TEST(test_end)
{
	struct world w;
	gint64 id;

	world_open(&w, OUTBOX_AUTO);
	id = add_one(&w, "ann@example.org", "bob@example.org");
	ck_assert_int_eq(claim_id(&w), id);
	ck_assert_int_eq(state_of(&w, id), OUTBOX_SENDING);
	/* a second sender finds nothing */
	ck_assert_int_eq(claim_id(&w), 0);
	ck_assert_int_eq(settle(&w, id, ends[_i].told), ends[_i].state);
	ck_assert_int_eq(claim_id(&w), 0);
	world_close(&w);
}
END_TEST

START_TEST(test_modes)
{
	struct world w;
	g_autoptr(GError) err = NULL;
	gint64 id;

	world_open(&w, OUTBOX_DRY_RUN);
	id = add_one(&w, "ann@example.org", NULL);
	must(outbox_approve(w.st, id, &w.p, w.now, &err), err);
	w.now += 10 * HOUR;
	ck_assert_int_eq(claim_id(&w), 0);
	/* what was approved then goes when the mode is another one */
	w.p.mode = OUTBOX_APPROVE;
	ck_assert_int_eq(claim_id(&w), id);
	world_close(&w);
}
END_TEST

START_TEST(test_hold_window)
{
	struct world w;
	g_autoptr(GError) err = NULL;
	gint64 id, dropped, next;

	world_open(&w, OUTBOX_APPROVE);
	id = add_one(&w, "ann@example.org", "fs@lists.example.org");
	dropped = add_one(&w, "ann@example.org", "fs@lists.example.org");
	w.now += 10 * HOUR;
	ck_assert_int_eq(claim_id(&w), 0);
	must(outbox_approve(w.st, id, &w.p, w.now, &err), err);
	must(outbox_approve(w.st, dropped, &w.p, w.now, &err), err);
	ck_assert_ptr_null(outbox_claim(w.st, 0, &w.p, w.now, &next, &err));
	ck_assert_int_eq(next, w.now + w.p.hold);
	must(outbox_drop(w.st, dropped, "by a person", w.now, &err), err);
	w.now += w.p.hold;
	ck_assert_int_eq(claim_id(&w), id);
	ck_assert_int_eq(claim_id(&w), 0);
	ck_assert_int_eq(state_of(&w, dropped), OUTBOX_CANCELLED);
	world_close(&w);
}
END_TEST

START_TEST(test_times)
{
	static const gint64 pauses[] = {300,	  900,	     HOUR,
					4 * HOUR, 12 * HOUR, 24 * HOUR};
	struct world w;
	gint64 id;

	world_open(&w, OUTBOX_AUTO);
	id = add_one(&w, "ann@example.org", NULL);
	for (guint i = 0; i < G_N_ELEMENTS(pauses); i++) {
		g_autoptr(outbox_entry_auto) e = claim(&w), then = NULL;

		ck_assert_int_eq(e->id, id);
		ck_assert_int_eq(e->released, NOON);
		settle(&w, id, "temp");
		then = entry(&w, id);
		ck_assert_str_eq(then->message_id, e->message_id);
		ck_assert_int_eq(then->due, w.now + pauses[i]);
		w.now = then->due - 1;
		ck_assert_int_eq(claim_id(&w), 0);
		w.now++;
	}
	ck_assert_int_eq(claim_id(&w), id);
	ck_assert_int_eq(settle(&w, id, "temp"), OUTBOX_RETRY);
	w.now += 24 * HOUR;
	ck_assert_int_eq(claim_id(&w), id);
	ck_assert_int_eq(settle(&w, id, "temp"), OUTBOX_FAILED);
	world_close(&w);
}
END_TEST

/* A kill anywhere: claimed or not, told or not. */
static const struct {
	const char *to, *cc;
	gboolean seen;
	enum outbox_state after;
	gboolean again;
} crashes[] = {
	{"ann@example.org", NULL, FALSE, OUTBOX_RETRY, TRUE},
	{"ann@example.org", NULL, TRUE, OUTBOX_SENT, FALSE},
	{"ann@example.org", "fs@lists.example.org", FALSE, OUTBOX_HELD, FALSE},
	{"ann@example.org", "fs@lists.example.org", TRUE, OUTBOX_SENT, FALSE},
};

START_TEST(test_crash)
{
	struct world w;
	g_autoptr(GError) err = NULL;
	g_autoptr(outbox_entry_auto) e = NULL, again = NULL;
	gint64 id;

	world_open(&w, OUTBOX_AUTO);
	w.p.hold = 0;
	id = add_one(&w, crashes[_i].to, crashes[_i].cc);
	e = claim(&w);
	ck_assert_int_eq(e->id, id);
	ck_assert_int_eq(outbox_recover(w.st, w.now, &err), 1);
	ck_assert_int_eq(outbox_recover(w.st, w.now, &err), 0);
	ck_assert_int_eq(state_of(&w, id), OUTBOX_UNCERTAIN);
	ck_assert_int_eq(claim_id(&w), 0);
	ck_assert_int_eq(outbox_reconcile(w.st, w.now, &err), 0);
	if (crashes[_i].seen) {
		const struct mail m = {.id = e->message_id, .day = 1};

		put(w.st, &m);
	} else {
		w.now += OUTBOX_UNSURE_WAIT;
	}
	ck_assert_int_eq(outbox_reconcile(w.st, w.now, &err), 1);
	ck_assert_int_eq(state_of(&w, id), crashes[_i].after);
	again = claim(&w);
	ck_assert_int_eq(again != NULL, crashes[_i].again);
	if (again)
		ck_assert_str_eq(again->message_id, e->message_id);
	world_close(&w);
}
END_TEST

/* A line that breaks behind the dot a second time is for a person. */
START_TEST(test_uncertain_twice)
{
	struct world w;
	g_autoptr(GError) err = NULL;
	gint64 id;

	world_open(&w, OUTBOX_AUTO);
	id = add_one(&w, "ann@example.org", NULL);
	for (int i = 0; i < 2; i++) {
		ck_assert_int_eq(claim_id(&w), id);
		settle(&w, id, "?");
		w.now += OUTBOX_UNSURE_WAIT;
		ck_assert_int_eq(outbox_reconcile(w.st, w.now, &err), 1);
	}
	ck_assert_int_eq(state_of(&w, id), OUTBOX_HELD);
	world_close(&w);
}
END_TEST

START_TEST(test_seal)
{
	struct world w;
	g_autoptr(GError) err = NULL;
	gint64 id;

	world_open(&w, OUTBOX_AUTO);
	w.p.hold = 0;
	id = add_one(&w, "ann@example.org", "fs@lists.example.org");
	/* no longer allowed */
	w.p.allow = NULL;
	ck_assert_int_eq(claim_id(&w), 0);
	ck_assert_int_eq(state_of(&w, id), OUTBOX_HELD);
	/* then the list is left out, and the author alone gets it */
	must(outbox_approve(w.st, id, &w.p, w.now, &err), err);
	{
		g_autoptr(outbox_entry_auto) e = claim(&w);

		ck_assert_int_eq(e->id, id);
		ck_assert_uint_eq(e->mail->to->len + e->mail->cc->len, 1);
	}
	world_close(&w);
}
END_TEST

START_TEST(test_stale)
{
	struct world w;
	const struct mail parent = {.id = "p@example.org", .day = 1};
	const struct mail newer = {.id = "n@example.org",
				   .refs = "p@example.org",
				   .day = 2};
	const struct letter l = {.to = "ann@example.org",
				 .cc = "fs@lists.example.org",
				 .parent = "p@example.org"};
	g_autoptr(GError) err = NULL;
	struct outbox_fate f;

	world_open(&w, OUTBOX_AUTO);
	put(w.st, &parent);
	f = draft(&w, &l);
	put(w.st, &newer);
	w.now += HOUR;
	ck_assert_int_eq(claim_id(&w), 0);
	ck_assert_int_eq(state_of(&w, f.id), OUTBOX_HELD);
	must(outbox_approve(w.st, f.id, &w.p, w.now, &err), err);
	w.now += HOUR;
	ck_assert_int_eq(claim_id(&w), f.id);
	outbox_fate_clear(&f);
	world_close(&w);
}
END_TEST

START_TEST(test_stop)
{
	struct world w;
	g_autoptr(GError) err = NULL;
	g_autofree char *why = NULL;
	gint64 id;

	world_open(&w, OUTBOX_AUTO);
	id = add_one(&w, "ann@example.org", NULL);
	must(outbox_stop(w.st, "enough", w.now, &err), err);
	ck_assert_int_eq(claim_id(&w), 0);
	why = outbox_stopped(w.st, &err);
	ck_assert_str_eq(why, "enough");
	must(outbox_resume(w.st, &err), err);
	ck_assert_int_eq(claim_id(&w), id);
	world_close(&w);
}
END_TEST

/* A mail that is answered over and over trips the switch. */
START_TEST(test_trip)
{
	struct world w;
	const struct letter l = {.to = "ann@example.org",
				 .parent = "p@example.org",
				 .kind = OUTBOX_RESULT};
	g_autoptr(GError) err = NULL;

	world_open(&w, OUTBOX_AUTO);
	for (int i = 0; i < 4; i++) {
		g_autofree char *why = outbox_stopped(w.st, &err);
		struct outbox_fate f;

		ck_assert_ptr_null(why);
		f = draft(&w, &l);
		ck_assert_int_eq(f.state,
				 i ? OUTBOX_CANCELLED : OUTBOX_APPROVED);
		outbox_fate_clear(&f);
	}
	{
		g_autofree char *why = outbox_stopped(w.st, &err);

		ck_assert_ptr_nonnull(why);
		ck_assert_int_eq(claim_id(&w), 0);
	}
	world_close(&w);
}
END_TEST

static guint count_state(struct world *w, enum outbox_state s)
{
	g_autoptr(GError) err = NULL;
	g_autoptr(GPtrArray) all = outbox_list_load(w->st, 1u << s, &err);

	return all->len;
}

/* Results wait for their hour; what was only asked for is not written. */
START_TEST(test_author)
{
	struct world w;

	world_open(&w, OUTBOX_AUTO);
	for (guint i = 0; i < 50; i++) {
		g_autofree char *text = g_strdup_printf("%u\n", i);
		struct letter l = {.to = "ann@example.org",
				   .author = "Ann@example.org",
				   .body = text,
				   .kind = _i ? OUTBOX_ANSWER : OUTBOX_RESULT};
		struct outbox_fate f = draft(&w, &l);

		outbox_fate_clear(&f);
	}
	ck_assert_uint_eq(count_state(&w, OUTBOX_APPROVED), _i ? 20 : 50);
	ck_assert_uint_eq(count_state(&w, OUTBOX_CANCELLED), _i ? 30 : 0);
	for (guint i = 0; i < 20; i++)
		ck_assert_int_ne(claim_id(&w), 0);
	ck_assert_int_eq(claim_id(&w), 0);
	w.now += HOUR;
	for (guint i = 0; !_i && i < 20; i++)
		ck_assert_int_ne(claim_id(&w), 0);
	ck_assert_int_eq(claim_id(&w), 0);
	world_close(&w);
}
END_TEST

START_TEST(test_all_mail)
{
	struct world w;
	guint sent = 0;

	world_open(&w, OUTBOX_AUTO);
	for (guint i = 0; i < 400; i++) {
		g_autofree char *to = g_strdup_printf("p%u@example.org", i);

		add_one(&w, to, NULL);
	}
	while (claim_id(&w))
		sent++;
	ck_assert_uint_eq(sent, 60);
	for (guint h = 0; h < 23; h++) {
		w.now += HOUR;
		while (claim_id(&w))
			sent++;
	}
	ck_assert_uint_eq(sent, 300);
	world_close(&w);
}
END_TEST

START_TEST(test_list_day)
{
	struct world w;
	guint sent = 0;

	world_open(&w, OUTBOX_AUTO);
	for (guint i = 0; i < 9; i++)
		add_one(&w, "ann@example.org", "fs@lists.example.org");
	w.now += HOUR;
	while (claim_id(&w))
		sent++;
	ck_assert_uint_eq(sent, w.list.max_per_day);
	w.now += 24 * HOUR;
	while (claim_id(&w))
		sent++;
	ck_assert_uint_eq(sent, 9);
	world_close(&w);
}
END_TEST

START_TEST(test_repeat)
{
	struct world w;
	const struct letter l = {.to = "ann@example.org",
				 .kind = OUTBOX_ANSWER};
	struct outbox_fate f;

	world_open(&w, OUTBOX_AUTO);
	for (int i = 0; i < 3; i++) {
		f = draft(&w, &l);
		ck_assert_int_eq(f.state,
				 i == 1 ? OUTBOX_CANCELLED : OUTBOX_APPROVED);
		outbox_fate_clear(&f);
		w.now += i ? 24 * HOUR : 1;
	}
	world_close(&w);
}
END_TEST

/* Came back twice, a day apart: not written to any more. */
static const struct {
	const char *code;
	guint number;
	const char *address;
	gint64 later;
	gboolean known, disabled;
} returns[] = {
	{"5.1.1", 1, "", 0, TRUE, TRUE},
	{"5.1.1", 0, "ANN@example.org", 0, TRUE, TRUE},
	{"4.4.1", 1, "", 0, TRUE, FALSE},
	/* it never went there, or long ago */
	{"5.1.1", 0, "eve@example.org", 0, FALSE, FALSE},
	{"5.1.1", 7, "", 0, FALSE, FALSE},
	{"5.1.1", 1, "", 30 * 24 * HOUR, FALSE, FALSE},
};

START_TEST(test_bounce)
{
	struct world w;
	g_autoptr(GError) err = NULL;
	g_autoptr(outbox_entry_auto) e = NULL;
	gint64 id;

	world_open(&w, OUTBOX_AUTO);
	for (int i = 0; i < 2; i++) {
		gboolean known = FALSE;

		id = add_one(&w, "ann@example.org", "bob@example.org");
		ck_assert_int_eq(claim_id(&w), id);
		settle(&w, id, "ok ok");
		must(outbox_bounced(w.st, id, returns[_i].number,
				    returns[_i].address, returns[_i].code, "no",
				    w.now + returns[_i].later, &known, &err),
		     err);
		ck_assert_int_eq(known, returns[_i].known);
		ck_assert_int_eq(state_of(&w, id), returns[_i].disabled
							   ? OUTBOX_PARTIAL
							   : OUTBOX_SENT);
		w.now += 25 * HOUR;
	}
	id = add_one(&w, "ann@example.org", "bob@example.org");
	e = entry(&w, id);
	ck_assert_int_eq(((struct outbox_rcpt *)e->rcpts->pdata[0])->told,
			 returns[_i].disabled ? OUTBOX_MUTED : OUTBOX_PENDING);
	world_close(&w);
}
END_TEST

/* No rebuild touches it. */
START_TEST(test_rebuild)
{
	struct world w;
	g_autoptr(GError) err = NULL;
	g_autoptr(GPtrArray) all = NULL;

	world_open(&w, OUTBOX_AUTO);
	add_one(&w, "ann@example.org", "bob@example.org");
	must(archive_rebuild(w.st, NULL, NULL, &err), err);
	all = outbox_list_load(w.st, ~0u, &err);
	ck_assert_uint_eq(all->len, 1);
	ck_assert_uint_eq(((struct outbox_entry *)all->pdata[0])->rcpts->len,
			  2);
	world_close(&w);
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("outbox_queue");
	TCase *t = tcase_create("outbox_queue");

	tcase_add_loop_test(t, test_end, 0, G_N_ELEMENTS(ends));
	tcase_add_test(t, test_modes);
	tcase_add_test(t, test_hold_window);
	tcase_add_test(t, test_times);
	tcase_add_loop_test(t, test_crash, 0, G_N_ELEMENTS(crashes));
	tcase_add_test(t, test_uncertain_twice);
	tcase_add_test(t, test_seal);
	tcase_add_test(t, test_stale);
	tcase_add_test(t, test_stop);
	tcase_add_test(t, test_trip);
	tcase_add_loop_test(t, test_author, 0, 2);
	tcase_add_test(t, test_all_mail);
	tcase_add_test(t, test_list_day);
	tcase_add_test(t, test_repeat);
	tcase_add_loop_test(t, test_bounce, 0, G_N_ELEMENTS(returns));
	tcase_add_test(t, test_rebuild);
	suite_add_tcase(s, t);
	return s;
}

TEST_MAIN(suite)
