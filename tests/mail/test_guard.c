/* test_guard.c - which mail is not answered, whatever it says */
#include "mail/guard.h"

#include "tests/mail/message_help.h"

static const char *const own[] = {"bot@example.org", "old@example.net", NULL};
static const struct guard_rules rules = {.own = own, .host = "example.org"};

#define PERSON "From: Ida <ida@x.example>\nSubject: s\nMessage-ID: <a@x>\n"
#define HOP    "Received: from a by mx.example.org with ESMTP; now\n"
#define THERE  "Received: from a by mx.other.example with ESMTP; now\n"
#define FIVE   THERE THERE THERE THERE THERE
#define THIRTY FIVE FIVE FIVE FIVE FIVE FIVE

static const struct {
	const char *head;
	enum guard want;
} cases[] = {
	{PERSON, GUARD_PASS},
	{PERSON "Precedence: bulk\nList-Id: <l.x.example>\n", GUARD_PASS},
	{PERSON "Auto-Submitted: no\n", GUARD_PASS},
	{PERSON "Auto-Submitted: No (a person); x=y\n", GUARD_PASS},
	{PERSON "Return-Path: <ida@x.example>\n", GUARD_PASS},
	{PERSON "X-Auto-Response-Suppress: All\n", GUARD_PASS},
	{PERSON "X-Loop: somebody@else.example\n", GUARD_PASS},
	{PERSON "Content-Type: multipart/mixed; boundary=b\n", GUARD_PASS},
	{PERSON HOP HOP THERE, GUARD_PASS},
	{PERSON THIRTY, GUARD_PASS},
	{"From: ida@x.example\nSubject: Re: Out of Office\n", GUARD_PASS},
	/* ourselves, however it is written */
	{"From: Bot <BOT@Example.org>\n", GUARD_OWN},
	{"From: bot+b-12-1@example.org\n", GUARD_OWN},
	{"From: old+x@example.net\n", GUARD_OWN},
	{"From: =?utf-8?q?B=C3=B6t?= <bot@example.org>\n", GUARD_OWN},
	{PERSON "Sender: bot@example.org\n", GUARD_OWN},
	{PERSON "X-Original-From: Bot <bot@example.org>\n", GUARD_OWN},
	{PERSON "X-Culprit-Bot: another\n", GUARD_OWN},
	{"From: x@x.example\nMessage-ID: <culprit.2026.ab@example.org>\n",
	 GUARD_OWN},
	{"From: x@x.example\nMessage-ID: <culprit.2026.ab@other.example>\n",
	 GUARD_PASS},
	/* nobody is there */
	{PERSON "Return-Path: <>\n", GUARD_BOUNCE},
	{PERSON "Return-Path: < >\n", GUARD_BOUNCE},
	{PERSON "Content-Type: Multipart/Report; boundary=b\n", GUARD_BOUNCE},
	{"From: MAILER-DAEMON@mx.example\n", GUARD_BOUNCE},
	{"From: Postmaster <postmaster@x.example>\n", GUARD_BOUNCE},
	{"From: postmasters@x.example\n", GUARD_PASS},
	{PERSON "Auto-Submitted: auto-replied (vacation)\n", GUARD_VACATION},
	{PERSON "auto-submitted: auto-generated\n", GUARD_VACATION},
	{PERSON "Auto-Submitted: nonsense\n", GUARD_VACATION},
	{PERSON "X-Autoreply: yes\n", GUARD_VACATION},
	{PERSON "X-Autorespond: x\n", GUARD_VACATION},
	{"From: i@x.example\nSubject: Automatic reply: btrfs\n",
	 GUARD_VACATION},
	{"From: i@x.example\nSubject: Re: Abwesenheit (war: x)\n"
	 "X-Auto-Response-Suppress: All\n",
	 GUARD_VACATION},
	/* it was here */
	{PERSON "X-Loop: bot@example.org\n", GUARD_LOOP},
	{PERSON "X-Loop: mx.example.org\n", GUARD_LOOP},
	{PERSON HOP THERE HOP THERE HOP, GUARD_LOOP},
	{PERSON THIRTY THERE, GUARD_LOOP},
	{PERSON "X-Culprit-Hint: ignore\n", GUARD_IGNORE},
	/* the first that holds decides */
	{"From: bot@example.org\nReturn-Path: <>\n", GUARD_OWN},
	{PERSON "Return-Path: <>\nAuto-Submitted: auto-replied\n",
	 GUARD_BOUNCE},
};

START_TEST(heads_are_judged)
{
	g_autofree char *text = g_strconcat(cases[_i].head, "\nx\n", NULL);
	g_autoptr(message) msg = parse_text(text);
	const char *why = NULL;
	enum guard got = guard_judge(msg, &rules, NULL, &why);

	ck_assert_msg(got == cases[_i].want, "%s: %s (%s), not %s",
		      cases[_i].head, guard_name(got), why,
		      guard_name(cases[_i].want));
	ck_assert(*why);
}
END_TEST

START_TEST(a_robot_states_facts)
{
	g_autoptr(message) msg = parse_text(PERSON "\nx\n");
	const char *why;

	ck_assert_int_eq(guard_judge(msg, &rules, robot_table(), &why),
			 GUARD_ROBOT);
}
END_TEST

START_TEST(nobody_types_a_megabyte)
{
	g_autofree char *much = g_strnfill(GUARD_MAX_TEXT + 2, 'x');
	g_autofree char *text = g_strconcat(PERSON "\n", much, "\n", NULL);
	g_autoptr(message) msg = parse_text(text);
	const char *why;

	ck_assert_int_eq(guard_judge(msg, &rules, NULL, &why), GUARD_SIZE);
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("guard");
	TCase *t = tcase_create("all");

	tcase_add_loop_test(t, heads_are_judged, 0, G_N_ELEMENTS(cases));
	tcase_add_test(t, a_robot_states_facts);
	tcase_add_test(t, nobody_types_a_megabyte);
	suite_add_tcase(s, t);
	return s;
}

TEST_MAIN(suite)
