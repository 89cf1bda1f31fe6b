/* test_command.c - which lines are commands, and what they say */
#include <string.h>

#include "mail/command.h"
#include "mail/reading.h"

#include "tests/mail/corpus_help.h"
#include "tests/mail/message_help.h"

#define ID  "0123456789abcdef0123456789abcdef01234567"
#define URL "https://lore.kernel.org/all/report@example.org/"

/* Of commands that are ok: "verb args"; of others "status: verb args"; all
 * end in ";". '^' and '/' behind the verb: the pointers. */
static const struct {
	const char *body;
	const char *commands;
} cases[] = {
	/* where a command stands */
	{"#regzbot introduced: v6.1..v6.2\n", "introduced v6.1..v6.2;"},
	{"Hi,\n\n#regzbot poke\n\nbye\n", "poke ;"},
	{"I saw this:\n#regzbot poke\n", "poke ;"},
	{"Me too.\n \t\n#regzbot poke\n", "poke ;"},
	{"Please tell\n#regzbot about it.\n", ""},
	{"It is for\n#regzbot introducd: abc\n", "unknown: introducd abc;"},
	{"> #regzbot poke\n", ""},
	{">> #culprit status\n", ""},
	{"| #culprit status\n", ""},
	{"See \"#regzbot poke\" there.\n", ""},
	{"Hi\n-- \nJo\n#culprit fix: a\n", ""},
	{"Hi\n-- \nJo\n\n#culprit fix: a\n", "inert: fix a;"},
	{"Hi\n-- \nJo\n#regzbot fix: a\n", ""},
	{"Hi\n--\nJo\n\n#regzbot fix: a\n", "fix a;"},
	{"#regzbot resolve: done\n-- \nJo\n", "resolve done;"},
	{"#regzbot ^backmonitor:\n" URL "\n--\nAll about it:\nhttp://a.b/\n",
	 "backmonitor^ " URL ";"},
	{"Text\n---\n#regzbot title: it hangs\n#regzbot introduced: " ID " ^\n",
	 "title it hangs;introduced^ " ID " ^;"},
	{"#regzbot title: a\n> and quoted\n", "title a;"},
	{"a\r\n#culprit status\r\n", "status ;"},
	/* markers */
	{"#RegzBot Title: x\n", "title x;"},
	{"#CulPrit FIX: Foo Bar\n", "fix Foo Bar;"},
	{"\xef\xbc\x83"
	 "culprit fix\xef\xbc\x9a a\n",
	 "fix a;"},
	{"\xef\xbb\xbf#culprit fix: a\n", "fix a;"},
	{"#regzbot\xc2\xa0poke\n", "poke ;"},
	{"#culprit-fix: a\n", "fix a;"},
	{"#culprit: fix: a\n", "fix a;"},
	{"#culprit  fix :  a\n", "fix a;"},
	{"#culprits fix: a\n#culprit.txt\n#regzb poke\n", ""},
	{"#culprit\n", "help ;"},
	{"\n#regzbot\n", "malformed:  ;"},
	{"#syz fix: a title\n#syz-test git://a.b/c master\n#syz\n",
	 "fix a title;test git://a.b/c master;"},
	{"#kernelci issue 12\n", "issue 12;"},
	/* nearly */
	{"  #culprit fix: a\n", "inert: fix a;"},
	{"Please #culprit fix: a\n", "inert: fix a;"},
	{"- #culprit status\n", "inert: status ;"},
	{"Write #culprit and a verb.\n", ""},
	{"# culprit fix: a\n", "inert: fix a;"},
	{"@culprit fix: a\n", "inert: fix a;"},
	{"culprit: fix a\n", "inert: fix a;"},
	{"culprit: commit abcdef012345\n", ""},
	{"  #regzbot introduced: " ID "\n", "inert: introduced " ID ";"},
	{"   #regzbot is a bot\n", ""},
	/* samples */
	{"#culprit fix: <commit>\n", "inert: fix <commit>;"},
	{"#culprit relate: LINK\n", "inert: relate LINK;"},
	/* our own mails, sent back without marks of quotes */
	{"If you meant \"fix\", send back:\n\n  #culprit fix: a\n",
	 "inert: fix a;"},
	{"#culprit fix: a\n\nculprit, https://bot.example.org\nTo get no more "
	 "mail from here, answer with this line, not indented:\n"
	 "#culprit mute\n",
	 "inert: fix a;inert: mute ;"},
	/* words of lists */
	{"#culprit fix: a\nTo unsubscribe from this list: send the line x\n"
	 "#culprit fix: b\n",
	 "fix a;"},
	{"You received this message because you are x\n#culprit fix: b\n", ""},
	{"#culprit set <3> prio: low\n", "set <3> prio: low;"},
	{"#regzbot from: A B <a@example.org>\n", "from A B <a@example.org>;"},
	{"#syz fix: exact-commit-title\n", "inert: fix exact-commit-title;"},
	{"To undo it, reply with:\n#syz undup\n", "inert: undup ;"},
	{"Say:\n\n```\n#regzbot poke\n```\n", "inert: poke ;"},
	{"```\nlog\n```\n\n#regzbot poke\n", "poke ;"},
	{"```\n\n#regzbot poke\n", "poke ;"},
	/* verbs of #regzbot */
	{"#regzbot ^introduced " ID "\n", "introduced^ " ID ";"},
	{"#regzbot introduced^: " ID "\n", "introduced^ " ID ";"},
	{"#regzbot Introduced: v6.1..v6.2 ^\n", "introduced^ v6.1..v6.2 ^;"},
	{"#regzbot introduced:v6.1..v6.2\n", "introduced v6.1..v6.2;"},
	{"#regzbot introduced : v6.1..v6.2\n", "introduced v6.1..v6.2;"},
	{"#regzbot: introduced v6.1..v6.2\n", "introduced v6.1..v6.2;"},
	{"#regzbot introduced v6.1.. /\n", "introduced/ v6.1.. /;"},
	{"#regzbot introduced v6.1.. ~\n", "introduced/ v6.1.. ~;"},
	{"#regzbot introduced v6.1 .. v6.2\n", "introduced v6.1 .. v6.2;"},
	{"#regzbot introduced: master\n", "introduced master;"},
	{"#regzbot introduced: some weeks ago\n",
	 "malformed: introduced some weeks ago;"},
	{"#regzbot introduced: ???\n", "malformed: introduced ???;"},
	{"#regzbot introduced\n", "malformed: introduced ;"},
	{"#regzbot introduced: " ID " (\"a: b\")\n",
	 "introduced " ID " (\"a: b\");"},
	{"#regzbot introduced: commit 0123456789ab\n",
	 "introduced commit 0123456789ab;"},
	{"#regzbot introduced: " ID "\n" URL "\n#regzbot poke\n",
	 "introduced@ " ID " " URL ";poke ;"},
	{"#regzbot introduced: " ID "\nMore words below.\n",
	 "introduced " ID ";"},
	{"#regzbot use ^\n#regzbot introduced v6.1..\n",
	 "use^ ^;introduced v6.1..;"},
	{"#regzbot report: " URL "\n", "use@ " URL ";"},
	{"#regzbot summary: x\n#regzbot subject y\n", "title x;title y;"},
	{"#regzbot dup-of: " URL "\n#regzbot dup of " URL
	 "\n#regzbot dupof " URL "\n#regzbot duplicate: " URL "\n",
	 "duplicate " URL ";duplicate " URL ";duplicate " URL ";duplicate " URL
	 ";"},
	{"#regzbot dup:\n", "malformed: duplicate ;"},
	{"#regzbot monitor\n" URL "\n", "relate " URL ";"},
	{"#regzbot monitor:\n" URL "\nSome prose here.\n", "relate " URL ";"},
	{"#regzbot related: " URL " a title\n", "relate " URL " a title;"},
	{"#regzbot link: " URL "\n#regzbot links " URL "\n",
	 "relatebrief " URL ";relatebrief " URL ";"},
	{"#regzbot link: nowhere\n", "malformed: relatebrief nowhere;"},
	{"#regzbot unlink: " URL "\n#regzbot unmonitor " URL "\n",
	 "unrelate " URL ";unrelate " URL ";"},
	{"#regzbot fixed-by: 0123456\n#regzbot fixed by: 0123456\n"
	 "#regzbot fixed: 0123456\n#regzbot fixedby 0123456\n",
	 "fix 0123456;fix 0123456;fix 0123456;fix 0123456;"},
	{"#regzbot fix:\n", "malformed: fix ;"},
	{"#regzbot invalid: no\n#regzbot resolved\n#regzbot resolve yes\n",
	 "resolve no;resolve ;resolve yes;"},
	{"#regzbot inconclusive\n", "inconclusive ;"},
	{"#regzbot backburner: hard\n#regzbot back-burner hard\n"
	 "#regzbot unback-burner\n#regzbot unbackburner\n",
	 "backburn hard;backburn hard;unbackburn ;unbackburn ;"},
	{"#regzbot reopen\n#regzbot undo\n", "reopen ;undo ;"},
	{"#regzbot activity-ignore\n#regzbot ignore-activity\n",
	 "ignore-activity ;ignore-activity ;"},
	{"#regzbot poke: any news?\n", "poke ;"},
	{"#regzbot poke.\n", "poke ;"},
	{"#regzbot introduced = v6.1..\n", "introduced v6.1..;"},
	{"#regzbot introduced by: 0123456\n", "introduced 0123456;"},
	{"#regzbot title a \xe2\x80\x93 \xe2\x80\x9c"
	 "b\xe2\x80\x9d\n"
	 "#culprit title a \xe2\x80\x93 \xe2\x80\x9c"
	 "b\xe2\x80\x9d\n",
	 "title a \xe2\x80\x93 \xe2\x80\x9c"
	 "b\xe2\x80\x9d;title a - \"b\";"},
	{"#regzbot ignore-activity\nCiao, Ida\n", "ignore-activity ;"},
	{"#regzbot ignore-\nactivity\n", "ignore-activity ;"},
	{"#regzbot frobnicate: x\n", "unknown: frobnicate x;"},
	{"#regzbot introduced v6.1.. #regzbot title a b\n"
	 "#regzbot title how #regzbot fix works\n",
	 "introduced v6.1..;title a b;title how #regzbot fix works;"},
	{"#regzbot title a #regzbot ignore-activity\n",
	 "title a;ignore-activity ;"},
	{"#regzbot title one; #regzbot poke\n", "title one;poke ;"},
	{"#regzbot resolve: some of it; more is planned;\n#regzbot poke\n",
	 "resolve some of it; more is planned;poke ;"},
	/* lines that go on */
	{"#regzbot title btrfs: seeking file data and holes on 1-byte files\n"
	 "since Linux 6.1-rc1\n#regzbot poke\n",
	 "title btrfs: seeking file data and holes on 1-byte files since Linux "
	 "6.1-rc1;poke ;"},
	{"#regzbot fix: Revert \"ext4: remove a check in\nthat function\"\n",
	 "fix Revert \"ext4: remove a check in that function\";"},
	{"#regzbot invalid: noisy\nCiao, Ida\n", "resolve noisy;"},
	{"#regzbot title: it is slow\nI shall look at it.\n",
	 "title it is slow;"},
	{"#regzbot title: btrfs: writes corrupt the log of the tree in\n"
	 "Linux 6.1\n",
	 "title btrfs: writes corrupt the log of the tree in Linux 6.1;"},
	{"#regzbot title: it is slow\nReported-by: A <a@example.org>\n",
	 "title it is slow;"},
	{"#regzbot title:\nit is slow\n", "title it is slow;"},
	{"#culprit title pm: boot problems when hibernate is configured and "
	 "kernel\nlocked down\n",
	 "title pm: boot problems when hibernate is configured and kernel "
	 "locked down;"},
	{"#culprit title pm: boot problems\nlocked down\n",
	 "title pm: boot problems;"},
	{"#culprit fix: \"f2fs: combine nat_bits and\nfree bits\"\nok?\n",
	 "fix \"f2fs: combine nat_bits and free bits\";"},
	{"#culprit title: one \\\ntwo\n", "title one two;"},
	{"#culprit fix:\n\na title\nand more\n", "fix a title;"},
	{"#culprit dup\na title\nno more\n", "duplicate a title;"},
	{"#culprit status\nThanks\n", "status ;"},
	{"#culprit resolve\nmeant so\n", "resolve meant so;"},
	{"#culprit resolve\n#culprit status\n", "malformed: resolve ;status ;"},
	{"#culprit title one; #culprit prio: high\n", "title one;prio high;"},
	/* verbs of #culprit */
	{"#culprit track v6.1.. ^\n", "introduced^ v6.1.. ^;"},
	{"#culprit close: done\n#regzbot close: done\n",
	 "resolve done;unknown: close done;"},
	{"#culprit ls\n#culprit st ^\n#culprit ?\n", "list ;status^ ^;help ;"},
	{"#culprit stop\n#culprit improvement: wanted\n",
	 "mute ;expected wanted;"},
	{"#culprit note: abc\n#culprit use ^\n", "note abc;unknown: use ^;"},
	{"", ""},
};

static char *list_of(GPtrArray *commands)
{
	GString *out = g_string_new(NULL);

	for (guint i = 0; i < commands->len; i++) {
		const struct command *c = commands->pdata[i];

		if (c->status != COMMAND_OK)
			g_string_append_printf(out, "%s: ",
					       command_status_name(c->status));
		g_string_append_printf(out, "%s%s%s%s %s;", c->verb,
				       c->parent ? "^" : "", c->root ? "/" : "",
				       c->target_url ? "@" : "", c->args);
	}
	return g_string_free(out, FALSE);
}

static GPtrArray *read_mail(const char *head, const char *text)
{
	g_autofree char *raw = g_strconcat("From: A B <a@example.org>\n"
					   "Message-ID: <1@example.org>\n",
					   head, "\n", text, NULL);
	g_autoptr(message) msg = parse_text(raw);
	g_autoptr(reading_auto) r = reading_new(msg);

	return g_ptr_array_ref(r->commands);
}

START_TEST(reads)
{
	g_autoptr(GPtrArray) commands =
		read_mail("Subject: it is slow\n", cases[_i].body);
	g_autofree char *got = list_of(commands);

	ck_assert_msg(!strcmp(got, cases[_i].commands), "%s: got \"%s\"",
		      cases[_i].body, got);
}
END_TEST

/* Quoting takes every command away. */
START_TEST(quoted)
{
	g_auto(GStrv) lines = g_strsplit(cases[_i].body, "\n", -1);
	g_autofree char *text = g_strjoinv("\n> ", lines);
	g_autofree char *quote = g_strconcat("> ", text, "\n", NULL);
	g_autoptr(GPtrArray) commands = read_mail("Subject: Re: x\n", quote);

	ck_assert_msg(!commands->len, "%s", quote);
}
END_TEST

static const struct command *at(GPtrArray *commands, guint i)
{
	ck_assert_uint_lt(i, commands->len);
	return commands->pdata[i];
}

START_TEST(fields)
{
	g_autoptr(GPtrArray) commands =
		read_mail("Subject: x\n",
			  "Hi\n\n#regzbot ^Introduced:  " ID "\n"
			  "#regzbot Fixed By a\n\n#culprit fixd: b\n"
			  "#culprit unreject\n#culprit zzz\n");
	const struct command *c = at(commands, 0);

	ck_assert_str_eq(c->marker, "#regzbot");
	ck_assert_str_eq(c->verb_written, "Introduced");
	ck_assert_uint_eq(c->line, 3);
	ck_assert_uint_eq(c->block, 0);
	ck_assert_ptr_null(c->problem);
	c = at(commands, 1);
	ck_assert_str_eq(c->verb_written, "Fixed By");
	ck_assert_uint_eq(c->block, 0);
	c = at(commands, 2);
	ck_assert_str_eq(c->marker, "#culprit");
	ck_assert_uint_eq(c->block, 1);
	ck_assert_uint_eq(c->line, 6);
	ck_assert_str_eq(c->problem, "no such verb; fix is one");
	ck_assert_str_eq(at(commands, 3)->problem,
			 "no such verb; reject is one");
	ck_assert_str_eq(at(commands, 4)->problem, "no such verb");
}
END_TEST

START_TEST(target)
{
	g_autoptr(GPtrArray) commands =
		read_mail("Subject: x\n",
			  "#regzbot introduced: v6.1..v6.2\n"
			  "https://bugzilla.kernel.org/show_bug.cgi?id=12345\n"
			  "#regzbot ^introduced: v6.1.. " URL "\n");

	ck_assert_str_eq(at(commands, 0)->target_url,
			 "https://bugzilla.kernel.org/show_bug.cgi?id=12345");
	ck_assert(!at(commands, 0)->parent);
	ck_assert(at(commands, 1)->parent);
	ck_assert_ptr_null(at(commands, 1)->target_url);
}
END_TEST

/* The mails of robots hold commands of others, but for those that report. */
START_TEST(robots)
{
	static const struct {
		const char *from;
		enum command_status status;
	} senders[] = {
		{"bugzilla-daemon@kernel.org", COMMAND_INERT},
		{"Bugspray Bot <bugbot@kernel.org>", COMMAND_INERT},
		{"syzbot+0123@syzkaller.appspotmail.com", COMMAND_INERT},
		{"kernel test robot <lkp@intel.com>", COMMAND_OK},
		{"A B <a@example.org>", COMMAND_OK},
	};

	for (guint i = 0; i < G_N_ELEMENTS(senders); i++) {
		g_autofree char *raw = g_strdup_printf(
			"From: %s\nMessage-ID: <1@example.org>\nSubject: "
			"[Bug 1] x\n\nHi\n\n#regzbot introduced: v6.1..\n",
			senders[i].from);
		g_autoptr(message) msg = parse_text(raw);
		g_autoptr(reading_auto) r = reading_new(msg);

		ck_assert_uint_eq(at(r->commands, 0)->status,
				  senders[i].status);
	}
}
END_TEST

START_TEST(subject)
{
	g_autoptr(GPtrArray) commands =
		read_mail("Subject: Re: slow #ForRegzbot\n", "#regzbot poke\n");
	g_autoptr(GPtrArray) none =
		read_mail("Subject: #regzbot poke #culprit status\n", "Hi\n");

	ck_assert_str_eq(at(commands, 0)->marker, "#forregzbot");
	ck_assert_str_eq(at(commands, 0)->verb, "ignore-activity");
	ck_assert_uint_eq(at(commands, 0)->line, 0);
	ck_assert_str_eq(at(commands, 1)->verb, "poke");
	ck_assert_uint_eq(none->len, 0);
}
END_TEST

/* What a program made of HTML changes nothing. */
START_TEST(html)
{
	g_autoptr(GPtrArray) commands =
		read_mail("Content-Type: text/html; charset=utf-8\n",
			  "<p>#culprit title x<br>#culprit status</p>\n");
	g_autofree char *got = list_of(commands);

	ck_assert_str_eq(got, "inert: title x;status ;");
}
END_TEST

/* Attachments hold no commands, and other plain parts do. */
START_TEST(parts)
{
	g_autoptr(GPtrArray) commands = read_mail(
		"MIME-Version: 1.0\n"
		"Content-Type: multipart/mixed; boundary=b\n",
		"--b\nContent-Type: text/plain\n\n#regzbot poke\n\n"
		"--b\nContent-Type: text/plain\n"
		"Content-Disposition: attachment; filename=a.txt\n\n"
		"#regzbot title: a\n\n"
		"--b\nContent-Type: message/rfc822\n\n"
		"From: c@example.org\nSubject: y\n\n#regzbot title: b\n\n"
		"--b--\n");
	g_autofree char *got = list_of(commands);

	ck_assert_str_eq(got, "poke ;");
}
END_TEST

START_TEST(bounds)
{
	static const char *const pieces[] = {
		"#regzbot title: a\n",
		"#culprit\n",
		"#regzbot title a; ",
		"#regzbot ",
		"; #culprit ",
		"#regzbot fix: \"a\n",
		"```\n#culprit x\n",
		"#",
		"\xef\xbc\x83",
		"#regzbot introduced: v1.. ^ ^ ^ ^ ^ ^ ^ ^ ^ ^ ^ ^\n",
		"#regzbot link https://a.b/\n"};

	for (guint i = 0; i < G_N_ELEMENTS(pieces); i++) {
		GString *s = g_string_new("#regzbot fix: (\"");
		g_autoptr(GPtrArray) commands = NULL;

		for (guint k = 0; k < 100000; k++)
			g_string_append(s, pieces[i]);
		g_string_append(s, "\n");
		commands = read_mail("Subject: x\n", s->str);
		ck_assert_uint_le(commands->len, COMMANDS_MAX);
		for (guint k = 0; k < commands->len; k++)
			ck_assert_uint_le(strlen(at(commands, k)->args),
					  COMMAND_MAX_ARGS);
		g_string_free(s, TRUE);
	}
}
END_TEST

/* docs/commands.md has a row for each verb of the table. */
START_TEST(documented)
{
	g_autofree char *doc = NULL;

	if (!g_file_get_contents("docs/commands.md", &doc, NULL, NULL)) {
		printf("skipped: docs/commands.md is not below here\n");
		return;
	}
	for (const struct command_verb *v = command_verbs(); v->name; v++) {
		g_auto(GStrv) usage = g_strsplit(v->usage, "|", -1);
		g_autofree char *escaped = g_strjoinv("\\|", usage);
		g_autofree char *row =
			g_strdup_printf("| `%s` | %s | %s | %s |", v->name,
					v->aliases, escaped, v->help);

		ck_assert_msg(strstr(doc, row) != NULL, "no row: %s", row);
	}
}
END_TEST

struct tally {
	guint ok, other;
};

static void tally_mail(GBytes *raw, gpointer data)
{
	struct tally *t = data;
	g_autoptr(message) msg = message_parse(raw, 0, NULL);
	g_autoptr(reading_auto) r = msg ? reading_new(msg) : NULL;

	for (guint i = 0; r && i < r->commands->len; i++) {
		const struct command *c = r->commands->pdata[i];

		if (!g_str_equal(c->marker, "#regzbot"))
			continue;
		t->ok += c->status == COMMAND_OK;
		t->other += c->status != COMMAND_OK;
	}
}

/* Counted by hand. */
START_TEST(corpus)
{
	struct tally t = {0};

	corpus_each(tally_mail, &t);
	if (!test_corpus())
		return;
	ck_assert_uint_eq(t.ok, 160);
	ck_assert_uint_eq(t.other, 0);
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("command");
	TCase *tc = tcase_create("all");

	tcase_add_loop_test(tc, reads, 0, G_N_ELEMENTS(cases));
	tcase_add_loop_test(tc, quoted, 0, G_N_ELEMENTS(cases));
	tcase_add_test(tc, fields);
	tcase_add_test(tc, target);
	tcase_add_test(tc, robots);
	tcase_add_test(tc, subject);
	tcase_add_test(tc, html);
	tcase_add_test(tc, parts);
	tcase_add_test(tc, bounds);
	tcase_add_test(tc, documented);
	tcase_add_test(tc, corpus);
	suite_add_tcase(s, tc);
	return s;
}

TEST_MAIN(suite)
