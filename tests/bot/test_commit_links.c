/* test_commit_links.c - which patch mail became which commit, and by what it
 * is known */
#include "tests/bot/git_world.h"

#define ONE "[tree mainline]\npath=%s/a\nbranches=master\n"

/* A mail made of the format-patch of a commit, with fields put before it. */
static void mail_patch(const char *script)
{
	g_autofree char *text = sh(script);

	mail(text);
}

#define FORMAT "git -C a format-patch -1 --stdout "
/* Another id and date than git would give it. */
#define AS(id, date)                                                     \
	" | sed -e '/^From [0-9a-f]/d' -e 's/^Date: .*/Date: " date      \
	"/' -e '1,/^$/s/^Subject: /Message-ID: <" id "@example.org>\\\n" \
	"Subject: /'"

#define EARLY "Wed, 1 Jan 2020 10:00:00 +0000"
#define LATER "Sun, 5 Jan 2020 10:00:00 +0000"

START_TEST(by_patch_id_whatever_the_title)
{
	do_sh("repo a; c a f base; c a f 'fs: mend'");
	configure(ONE);
	sync_all();
	mail_patch(FORMAT "master" AS("one", EARLY));
	mail_patch(FORMAT
		   "master | sed '1,/^$/s/fs: mend/ext9: repair/'" AS("two",
								      EARLY));
	want_became("one@example.org", "patch-id fs: mend");
	want_became("two@example.org", "patch-id fs: mend");
	want_became("none@example.org", "");
}
END_TEST

START_TEST(by_link_in_every_form)
{
	static const char *const urls[] = {
		"https://lore.kernel.org/r/m+1@example.org",
		"https://lore.kernel.org/all/m%2B1@example.org/",
		"https://lore.kernel.org/linux-fs/m+1@example.org/T/#u",
		"https://patch.msgid.link/m%2B1@example.org",
		"https://msgid.link/m+1@example.org",
		"https://lkml.kernel.org/r/M+1@EXAMPLE.org",
		"https://lore.kernel.org/r/m+1@example.org # [1/2]",
	};

	do_sh("repo a; c a f base");
	configure(ONE);
	for (guint i = 0; i < G_N_ELEMENTS(urls); i++) {
		g_autofree char *script = g_strdup_printf(
			"c a f 'fs: mend it in way %u' 'Link: %s'", i, urls[i]);
		g_autofree char *want =
			g_strdup_printf("link fs: mend it in way %u", i);
		g_autofree char *got = NULL;

		do_sh(script);
		sync_all();
		mail_patch(FORMAT "master" AS("m+1", EARLY));
		got = became("m+1@example.org");
		ck_assert_msg(strstr(got, want), "%s: %s", urls[i], got);
		world_teardown();
		world_setup();
		do_sh("repo a; c a f base");
		configure(ONE);
	}
}
END_TEST

START_TEST(a_link_to_a_report_is_no_patch)
{
	do_sh("repo a; c a f base; c a f 'fs: mend it at last' "
	      "'Link: https://lore.kernel.org/r/report@example.org'");
	configure(ONE);
	sync_all();
	mail("From: Rae Porter <rae@example.org>\n"
	     "Message-ID: <report@example.org>\nDate: " EARLY "\n"
	     "Subject: fs is broken\n\nIt fails.\n");
	want_became("report@example.org", "");
}
END_TEST

START_TEST(by_blobs_where_the_mail_is_damaged)
{
	do_sh("repo a; c a f base; c a f 'fs: mend'");
	configure(ONE);
	sync_all();
	/* an added line was wrapped on its way */
	mail_patch(FORMAT "master | sed 's/^+fs: mend/+fs:\\nmend/;"
			  "s/Ann Other/A. Nother/'" AS("one", EARLY));
	want_became("one@example.org", "blobs fs: mend");
}
END_TEST

START_TEST(by_author_and_date_after_an_edit)
{
	do_sh("repo a; c a f base; c a f 'fs: mend this' ");
	mail_patch("git -C a format-patch -1 --stdout master | sed "
		   "-e '/^From [0-9a-f]/d' -e '1,/^$/s/^Subject: /Message-ID: "
		   "<one@example.org>\\\nSubject: /'");
	do_sh("echo more >>a/f; git -C a commit -qa --amend "
	      "-m 'fs: mend that, too'");
	configure(ONE);
	sync_all();
	want_became("one@example.org", "date fs: mend that, too");
}
END_TEST

START_TEST(by_title_the_newest_version_before_it)
{
	do_sh("repo a; c a f base; c a f 'fs: mend this at last'");
	mail_patch(FORMAT "master | sed 's/^+fs/+one/;s/PATCH/PATCH v1/'" AS(
		"v1", "Wed, 1 Jan 2020 10:00:00 +0000"));
	mail_patch(FORMAT "master | sed 's/^+fs/+two/;s/PATCH/PATCH v2/'" AS(
		"v2", "Thu, 2 Jan 2020 10:00:00 +0000"));
	mail_patch(FORMAT
		   "master | sed 's/^+fs/+three/;s/PATCH/PATCH v3/'" AS("v3",
									LATER));
	configure(ONE);
	/* other blobs than those in the mails */
	do_sh("echo more >>a/f; tick; git -C a commit -qa --amend --no-edit "
	      "--date='2020-01-03T00:00:00'");
	sync_all();
	want_became("v1@example.org", "");
	want_became("v2@example.org", "title fs: mend this at last");
	want_became("v3@example.org", "");
}
END_TEST

START_TEST(the_stronger_is_not_replaced)
{
	do_sh("repo a; c a f base; c a f 'fs: mend this at last'");
	mail_patch(FORMAT "master | sed 's/PATCH/PATCH v1/'" AS(
		"v1", "Wed, 1 Jan 2020 10:00:00 +0000"));
	mail_patch(FORMAT "master | sed 's/^+fs/+two/;s/PATCH/PATCH v2/;"
			  "s/^index .*/index 1234567..7654321 100644/'" AS(
				  "v2", "Thu, 2 Jan 2020 10:00:00 +0000"));
	configure(ONE);
	sync_all();
	want_became("v1@example.org", "patch-id fs: mend this at last");
	want_became("v2@example.org", "");
}
END_TEST

START_TEST(a_title_alone_is_not_enough)
{
	static const char *const edits[] = {
		/* another author; too long before; common titles */
		"s/Ann Other/Bob Elsewhere/;s/ann@/bob@/",
		"s/^Date: .*/Date: Mon, 1 Jan 2018 10:00:00 +0000/",
		"s/fs: mend this at last/Merge branch fs/",
	};

	for (guint i = 0; i < G_N_ELEMENTS(edits); i++) {
		g_autofree char *script = g_strdup_printf(
			FORMAT "master" AS(
				"one",
				EARLY) " | sed '%s;"
				       "s/^+fs/+x/;s/^index .*/index 1234567..7654321 "
				       "100644/'",
			edits[i]);

		do_sh("rm -rf a; repo a; c a f base; "
		      "c a f 'fs: mend this at last'");
		mail_patch(script);
		configure(ONE);
		sync_all();
		want_became("one@example.org", "");
		world_teardown();
		world_setup();
	}
}
END_TEST

START_TEST(a_notice_names_it)
{
	g_autofree char *reply = NULL;
	g_autoptr(GPtrArray) links = NULL;
	g_autofree char *id = NULL;

	do_sh("repo a; c a f base; c a f 'fs: mend this at last'");
	mail_patch(
		FORMAT
		"master | sed 's/^+fs/+x/;"
		"s/^index .*/index 1234567..7654321 100644/'" AS("one", EARLY));
	id = sh("git -C a rev-parse master");
	reply = g_strdup_printf(
		"From: Max Taker <max@example.org>\n"
		"Message-ID: <taken@example.org>\nDate: " LATER "\n"
		"In-Reply-To: <one@example.org>\n"
		"Subject: Re: [PATCH] fs: mend this at last\n\n"
		"Applied, thanks!\n\n[1/1] fs: mend this at last\n"
		"      commit: %s\n",
		id);
	mail(reply);
	configure(ONE);
	sync_all();
	links = commits_of_patch(st, "one@example.org", NULL);
	ck_assert_uint_eq(links->len, 1);
	ck_assert_int_eq(((struct commit_link *)links->pdata[0])->evidence,
			 EVIDENCE_NOTICE);
	ck_assert_str_eq(((struct commit_link *)links->pdata[0])->evidence_mid,
			 "taken@example.org");
}
END_TEST

/* An answer to the cover that lists patches and commits; `told` stands before
 * the id. */
static void mail_list(const char *title, const char *told)
{
	g_autofree char *id = sh("git -C a rev-parse master");
	g_autofree char *reply = g_strdup_printf(
		"From: Max Taker <max@example.org>\n"
		"Message-ID: <taken@example.org>\nDate: " LATER "\n"
		"In-Reply-To: <cover@example.org>\n"
		"Subject: Re: [PATCH 0/2] fs: mend things\n\n"
		"Applied to for-next, thanks!\n\n[1/2] fs: never mind\n"
		"      (no commit info)\n[2/2] %s\n      %s%.20s\n",
		title, told, id);

	mail("From: Ann Other <ann@example.org>\n"
	     "Message-ID: <cover@example.org>\nDate: " EARLY "\n"
	     "Subject: [PATCH 0/2] fs: mend things\n\nTwo of them.\n");
	mail_patch(
		FORMAT
		"master | sed 's/^+fs/+x/;/^Subject/s/:.*/: [PATCH 2\\/2] "
		"fs: mend this at last\\nIn-Reply-To: <cover@example.org>/;"
		"s/^index .*/index 1234567..7654321 100644/'" AS("one", EARLY));
	mail(reply);
	configure(ONE);
	sync_all();
}

START_TEST(a_list_names_it_whatever_its_title_became)
{
	static const char *const told[] = {
		"commit: ", "https://git.example.org/linux.git/c/"};

	for (guint i = 0; i < G_N_ELEMENTS(told); i++) {
		do_sh("repo a; c a f base; c a f 'fs: mend that instead'");
		mail_list("fs: mend this at last", told[i]);
		want_became("one@example.org", "notice fs: mend that instead");
		world_teardown();
		world_setup();
	}
	/* a commit of another patch of the list */
	do_sh("repo a; c a f base; c a f 'fs: mend that instead'");
	mail_list("fs: mend another thing", told[0]);
	want_became("one@example.org", "");
}
END_TEST

/* Both ways the same, whichever came first. */
START_TEST(back_from_the_commit)
{
	g_autoptr(GPtrArray) links = NULL;
	g_autoptr(commit_auto) c = NULL;

	do_sh("repo a; c a f base; c a f 'fs: mend this at last'");
	configure(ONE);
	sync_all();
	mail_patch(FORMAT "master" AS("v1", EARLY));
	mail_patch(FORMAT "master | sed 's/PATCH/PATCH v2/'" AS(
		"v2", "Thu, 2 Jan 2020 10:00:00 +0000"));
	c = titled("fs: mend this at last");
	links = patches_of_commit(st, c, NULL);
	ck_assert_uint_eq(links->len, 2);
	ck_assert_str_eq(((struct commit_link *)links->pdata[0])->mid,
			 "v2@example.org");
	ck_assert_str_eq(((struct commit_link *)links->pdata[1])->mid,
			 "v1@example.org");
}
END_TEST

/* Mail that comes after the sync finds commits that are older than it. */
START_TEST(rebuilt_it_is_the_same)
{
	g_autoptr(GError) err = NULL;

	do_sh("repo a; c a f base; c a f 'fs: mend'");
	configure(ONE);
	sync_all();
	mail_patch(FORMAT "master" AS("one", EARLY));
	want_became("one@example.org", "patch-id fs: mend");
	ck_assert_msg(archive_rebuild(st, NULL, NULL, &err), "%s",
		      err ? err->message : "");
	want_became("one@example.org", "patch-id fs: mend");
	want_places("fs: mend", "mainline yes master - id");
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("commit_links");
	TCase *c = tcase_create("all");

	tcase_add_checked_fixture(c, world_setup, world_teardown);
	tcase_add_test(c, by_patch_id_whatever_the_title);
	tcase_add_test(c, by_link_in_every_form);
	tcase_add_test(c, a_link_to_a_report_is_no_patch);
	tcase_add_test(c, by_blobs_where_the_mail_is_damaged);
	tcase_add_test(c, by_author_and_date_after_an_edit);
	tcase_add_test(c, by_title_the_newest_version_before_it);
	tcase_add_test(c, the_stronger_is_not_replaced);
	tcase_add_test(c, a_title_alone_is_not_enough);
	tcase_add_test(c, a_notice_names_it);
	tcase_add_test(c, a_list_names_it_whatever_its_title_became);
	tcase_add_test(c, back_from_the_commit);
	tcase_add_test(c, rebuilt_it_is_the_same);
	suite_add_tcase(s, c);
	return s;
}

TEST_MAIN(suite)
