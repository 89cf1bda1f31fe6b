/* test_evidence.c - what shows that an author is who he says */
#include "mail/evidence.h"

#include "tests/mail/message_help.h"

static const char *const authserv[] = {"mx.bot.example.org", NULL};
static const char *const sealers[] = {"lists.example.net", NULL};
static const struct evidence_trust trust = {.authserv = authserv,
					    .sealers = sealers,
					    .host = "bot.example.org"};

#define OURS   "Authentication-Results: mx.bot.example.org; "
#define BORDER "Received: from m.wu.example by mx.bot.example.org; now\n"
#define JO     "From: Jo Wu <jo@wu.example>\n"

static const struct {
	const char *head;
	enum evidence want;
} cases[] = {
	{JO, EVIDENCE_NONE},
	{BORDER JO, EVIDENCE_NONE},
	{OURS "dkim=pass header.d=wu.example\n" BORDER JO, EVIDENCE_PROVEN},
	{OURS "dkim=pass header.d=WU.example header.s=x\n" BORDER JO,
	 EVIDENCE_PROVEN},
	{OURS "dkim=pass (2048-bit key; x) header.i=@wu.example\n" BORDER JO,
	 EVIDENCE_PROVEN},
	{OURS "dkim = pass reason=\"good; header.d=evil.example\"\n"
	      "\theader.d=wu.example\n" BORDER JO,
	 EVIDENCE_PROVEN},
	{"Authentication-Results: mx.bot.example.org 1; spf=fail;\n"
	 " dkim/1=pass header.d=wu.example\n" BORDER JO,
	 EVIDENCE_PROVEN},
	{OURS "dmarc=pass header.from=wu.example\n" BORDER JO, EVIDENCE_PROVEN},
	{OURS "dmarc=pass (p=none)\n" BORDER JO, EVIDENCE_PROVEN},
	{OURS
	 "dkim=fail header.d=wu.example; dkim=pass header.d=wu.example\n" BORDER
		 JO,
	 EVIDENCE_PROVEN},
	/* the parent's signature holds for what is below it, not beside it */
	{OURS "dkim=pass header.d=wu.example\n" BORDER
	      "From: jo@mail.wu.example\n",
	 EVIDENCE_PROVEN},
	{OURS "dkim=pass header.d=mail.wu.example\n" BORDER JO, EVIDENCE_NONE},
	{OURS "dkim=pass header.d=u.example\n" BORDER JO, EVIDENCE_NONE},
	{OURS "dkim=pass header.d=example\n" BORDER JO, EVIDENCE_NONE},
	{OURS "dkim=pass header.d=evil.example\n" BORDER JO, EVIDENCE_NONE},
	{OURS "dmarc=pass header.from=evil.example\n" BORDER JO, EVIDENCE_NONE},
	{OURS "spf=pass smtp.mailfrom=wu.example\n" BORDER JO, EVIDENCE_NONE},
	{OURS "dkim=pass\n" BORDER JO, EVIDENCE_NONE},
	/* written by somebody else, or below our own host's line */
	{"Authentication-Results: mx.evil.example; dkim=pass "
	 "header.d=wu.example\n" BORDER JO,
	 EVIDENCE_NONE},
	{"Authentication-Results: dkim=pass header.d=wu.example\n" BORDER JO,
	 EVIDENCE_NONE},
	{BORDER OURS "dkim=pass header.d=wu.example\n" JO, EVIDENCE_NONE},
	{BORDER OURS "dkim=pass header.d=wu.example\n" BORDER JO,
	 EVIDENCE_NONE},
	{OURS "dkim=pass header.d=wu.example\n" JO, EVIDENCE_NONE},
	{"Received: from by by mx.bot.example.org; now\n" OURS
	 "dkim=pass header.d=wu.example\n" BORDER JO,
	 EVIDENCE_NONE},
	/* local delivery puts a line on top */
	{"Received: from mx.bot.example.org by mx.bot.example.org with LMTP\n" OURS
	 "dkim=pass header.d=wu.example\n" BORDER JO,
	 EVIDENCE_PROVEN},
	/* a false signature of its domain, and what is none */
	{OURS "dkim=fail header.d=wu.example\n" BORDER JO, EVIDENCE_FAILED},
	{OURS "dmarc=fail header.from=wu.example\n" BORDER JO, EVIDENCE_FAILED},
	{OURS "dkim=fail header.d=evil.example\n" BORDER JO, EVIDENCE_NONE},
	{OURS "dkim=permerror header.d=wu.example\n" BORDER JO, EVIDENCE_NONE},
	{OURS "dkim=temperror header.d=wu.example; dkim=none\n" BORDER JO,
	 EVIDENCE_NONE},
	{BORDER OURS "dkim=fail header.d=wu.example\n" JO, EVIDENCE_NONE},
	/* a list in From proves nothing of who wrote it */
	{OURS "dkim=pass header.d=lists.wu.example; dmarc=pass\n" BORDER
	      "From: Jo via L <l@lists.wu.example>\nReply-To: "
	      "Jo <jo@x.example>\nList-Id: <l.lists.wu.example>\n",
	 EVIDENCE_NONE},
	/* which of them? */
	{OURS "dkim=pass header.d=wu.example\n" BORDER
	      "From: jo@wu.example, ida@x.example\n",
	 EVIDENCE_NONE},
	{OURS "dkim=pass header.d=wu.example\n" BORDER JO
	      "From: ida@x.example\n",
	 EVIDENCE_NONE},
	/* a chain of hosts that we believe, and one with a stranger in it */
	{OURS "arc=pass; dkim=fail header.d=wu.example\n" BORDER
	      "ARC-Seal: i=1; a=rsa-sha256; d=lists.example.net; cv=none\n"
	      "ARC-Authentication-Results: i=1; lists.example.net;\n"
	      " dkim=pass header.d=wu.example\n" JO,
	 EVIDENCE_PROVEN},
	{OURS "arc=pass; dkim=fail header.d=wu.example\n" BORDER
	      "ARC-Seal: i=2; d=lists.example.net; cv=pass\n"
	      "ARC-Seal: i=1; d=evil.example; cv=none\n"
	      "ARC-Authentication-Results: i=1; evil.example;\n"
	      " dkim=pass header.d=wu.example\n" JO,
	 EVIDENCE_FAILED},
	{OURS "arc=fail\n" BORDER "ARC-Seal: i=1; d=lists.example.net\n"
	      "ARC-Authentication-Results: i=1; x; dkim=pass "
	      "header.d=wu.example\n" JO,
	 EVIDENCE_NONE},
};

START_TEST(heads_are_weighed)
{
	g_autofree char *text = g_strconcat(cases[_i].head, "\nx\n", NULL);
	g_autoptr(message) msg = parse_text(text);
	const char *why = NULL;
	enum evidence got = evidence_of(msg, &trust, &why);

	ck_assert_msg(got == cases[_i].want, "%s: %d (%s), not %d",
		      cases[_i].head, got, why, cases[_i].want);
	ck_assert(*why);
}
END_TEST

START_TEST(without_trust_nothing_is_proven)
{
	const struct evidence_trust none = {0};
	g_autoptr(message) msg = parse_text(
		OURS "dkim=pass header.d=wu.example\n" BORDER JO "\nx\n");

	ck_assert_int_eq(evidence_of(msg, &none, NULL), EVIDENCE_NONE);
}
END_TEST

/* However the fields are damaged, they prove no more than they did whole. */
START_TEST(cut_fields_prove_nothing_more)
{
	const char *head = OURS "dkim=fail header.d=wu.example\n" BORDER JO;

	for (gsize n = 0; n < strlen(head); n++) {
		g_autofree char *cut = g_strndup(head, n);
		g_autofree char *text =
			g_strconcat("Subject: s\n", cut, "\n" BORDER JO "\nx\n",
				    NULL);
		g_autoptr(message) msg = parse_text(text);

		ck_assert_int_lt(evidence_of(msg, &trust, NULL),
				 EVIDENCE_PROVEN);
	}
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("evidence");
	TCase *t = tcase_create("all");

	tcase_add_loop_test(t, heads_are_weighed, 0, G_N_ELEMENTS(cases));
	tcase_add_test(t, without_trust_nothing_is_proven);
	tcase_add_test(t, cut_fields_prove_nothing_more);
	suite_add_tcase(s, t);
	return s;
}

TEST_MAIN(suite)
