/* test_track_own.c - the verbs of #culprit alone, who may give them, and that
 * undo reverses each: in any order of arrival, and after a rebuild */
#include "db/roles.h"

#include "tests/db/track_cases.h"

#define SAYS(id, day, text)                                         \
	{                                                           \
		id, "r@x", NULL, text, day, "Ann <ann@example.org>" \
	}
/* the reporter, and somebody who wrote in the thread before */
#define JO(id, day, text)                        \
	{                                        \
		id, "r@x", NULL, text, day, NULL \
	}
#define BEN(id, day, text)                                          \
	{                                                           \
		id, "r@x", NULL, text, day, "Ben <ben@example.org>" \
	}
#define BEN_WAS_THERE BEN("ben@x", 1, "me too")
#define OTHER                                                                \
	{                                                                    \
		"s@x", NULL, "fs: slower", "#regzbot introduced v5.1..v5.2", \
			2, NULL                                              \
	}
#define IDA(id, day, text)                                                 \
	{                                                                  \
		id, "r@x", NULL, text, day, "Ida Brandt <ida@example.org>" \
	}
#define DIFF                            \
	"diff --git a/f b/f\n--- a/f\n" \
	"+++ b/f\n@@ -1 +1 @@\n-slow\n+fast"

static const struct track_case cases[] = {
	/* ---- who may: #culprit asks, #regzbot does not */
	{"a stranger decides nothing",
	 {TRACKED, SAYS("a@x", 2, "#culprit resolve: gone")},
	 {{0}},
	 {"r@x: reported open", "a@x resolve refused"}},
	{"with #regzbot he does",
	 {TRACKED, SAYS("a@x", 2, "#regzbot resolve: gone")},
	 {{0}},
	 {"r@x: resolved closed", "a@x resolve done"}},
	{"the reporter does",
	 {TRACKED, JO("a@x", 2, "#culprit resolve: gone")},
	 {{0}},
	 {"r@x: resolved closed", "a@x resolve done"}},
	{"who wrote there before does",
	 {TRACKED, BEN_WAS_THERE, BEN("a@x", 2, "#culprit resolve: gone")},
	 {{0}},
	 {"r@x: resolved closed", "a@x resolve done"}},
	{"after a month not even the reporter",
	 {TRACKED, JO("a@x", 40, "#culprit resolve: gone"),
	  JO("b@x", 41, "#culprit note: but this")},
	 {{0}},
	 {"r@x: reported open", "a@x resolve refused", "b@x note done"}},
	{"who wrote the culprit",
	 {REPORT("#regzbot introduced: bbbbbbbbbbbb"),
	  IDA("a@x", 2, "#culprit title: it crawls")},
	 {{"mainline", "b", "fs: break it", NULL, 1}},
	 {"r@x: bisected open 'it crawls'", "a@x title done"}},
	{"he is no judge of himself",
	 {REPORT("#regzbot introduced: bbbbbbbbbbbb"),
	  IDA("a@x", 2, "#culprit expected: safer now")},
	 {{"mainline", "b", "fs: break it", NULL, 1}},
	 {"r@x: bisected open", " disputed=a@x", "a@x expected done"}},
	{"the reporter accepts it",
	 {REPORT("#regzbot introduced: bbbbbbbbbbbb"),
	  IDA("a@x", 2, "#culprit expected: safer now"),
	  JO("b@x", 3, "#culprit expected: agreed")},
	 {{"mainline", "b", "fs: break it", NULL, 1}},
	 {"r@x: expected closed 'fs: slow' commit=bbbbbbbbbbbbbbbbbbbbbbbbbbbbb"
	  "bbbbbbbbbbb tree=mainline by=Jo Wu active"}},
	{"that dispute undone",
	 {REPORT("#regzbot introduced: bbbbbbbbbbbb"),
	  IDA("a@x", 2, "#culprit expected: safer now"),
	  IDA("b@x", 3, "#culprit undo")},
	 {{"mainline", "b", "fs: break it", NULL, 1}},
	 {" tree=mainline by=Jo Wu active=3"}},
	{"who wrote a fix",
	 {TRACKED,
	  {"p@x", NULL, "[PATCH] fs: speed it up",
	   "Closes: https://lore.kernel.org/r/r@x/\n---\n" DIFF, 2,
	   "Ben <ben@example.org>"},
	  BEN("a@x", 3, "#culprit prio: high")},
	 {{0}},
	 {" prio=high", "a@x prio done"}},
	{"only operators confirm",
	 {TRACKED, JO("a@x", 2, "#culprit confirm ok-1")},
	 {{0}},
	 {"a@x confirm refused"}},
	{"anybody may bring in a report",
	 {REPORT("slow"), SAYS("a@x", 2, "#culprit ^introduced 1234567890ab"),
	  SAYS("b@x", 3, "#culprit introduced 2222222222222"),
	  BEN("c@x", 4, "#culprit introduced 3333333333333")},
	 {{0}},
	 {"r@x: bisected open 'fs: slow' commit=2222222222222",
	  "b@x introduced done", "c@x introduced refused"}},

	/* ---- who is asked */
	{"somebody of the thread, by To:",
	 {TRACKED,
	  BEN_WAS_THERE,
	  {"a@x", "r@x", "Re: slow\nTo: Ben <ben@example.org>, fs@example.org",
	   "Does it still happen?", 3, "Ann <ann@example.org>"}},
	 {{0}},
	 {"waits for addressee since 3: a question was asked, "
	  "Ben <ben@example.org>"}},
	{"the one who is answered, if he is in To:, too",
	 {TRACKED,
	  BEN_WAS_THERE,
	  {"a@x", "r@x", "Re: slow\nTo: ben@example.org, jo@example.org",
	   "Does it still happen?", 3, "Ann <ann@example.org>"}},
	 {{0}},
	 {"a question was asked, Jo Wu <jo@example.org>"}},
	{"or if To: is a list",
	 {TRACKED,
	  {"a@x", "r@x", "Re: slow\nTo: fs@lists.example.org",
	   "Does it still happen?", 3, "Ann <ann@example.org>"}},
	 {{0}},
	 {"a question was asked, Jo Wu <jo@example.org>"}},
	{"whose turn it is, as somebody said",
	 {TRACKED, JO("a@x", 3, "#culprit assign Kim <kim@example.org>")},
	 {{0}},
	 {"waits for assignee since 3: it was assigned, "
	  "Kim <kim@example.org>"}},
	{"who has to accept that it is none",
	 {TRACKED, SAYS("a@x", 2, "I could not reproduce this here.")},
	 {{0}},
	 {"waits for reporter since 2: it is disputed, "
	  "Jo Wu <jo@example.org>"}},

	/* ---- disputed: in words */
	{"somebody can't see it",
	 {TRACKED, SAYS("a@x", 2, "I could not reproduce this here.")},
	 {{0}},
	 {"r@x: reported open", " disputed=a@x"}},
	{"a fix settles that",
	 {TRACKED, SAYS("a@x", 2, "I could not reproduce this here."),
	  SAYS("b@x", 3, "#regzbot fix: fs: speed it up")},
	 {{0}},
	 {"r@x: fix-posted open", "by=Jo Wu active=3 fix"}},
	{"another culprit, too",
	 {TRACKED, SAYS("a@x", 2, "I could not reproduce this here."),
	  JO("b@x", 3, "#regzbot introduced: 1234567890ab")},
	 {{0}},
	 {"by=Jo Wu active=3\n"}},
	{"what cannot be seen with a fix is no dispute",
	 {TRACKED,
	  {"p@x", "r@x", "[PATCH] fs: speed it up", "Why.\n---\n" DIFF, 2,
	   "Ben <ben@example.org>"},
	  SAYS("a@x", 3, "I could not reproduce this here.")},
	 {{0}},
	 {"r@x: fix-posted open", "by=Jo Wu active=3 fix"}},

	/* ---- properties and people */
	{"prio",
	 {TRACKED, JO("a@x", 2, "#culprit prio: HIGH")},
	 {{0}},
	 {" prio=high", "a@x prio done"}},
	{"prio, told twice",
	 {TRACKED, JO("a@x", 2, "#culprit prio: high"),
	  JO("b@x", 3, "#culprit set prio: high")},
	 {{0}},
	 {" prio=high", "b@x set no-change"}},
	{"no such prio",
	 {TRACKED, JO("a@x", 2, "#culprit prio: whenever")},
	 {{0}},
	 {"a@x prio not-understood"}},
	{"prio taken away",
	 {TRACKED, JO("a@x", 2, "#culprit prio: high"),
	  JO("b@x", 3, "#culprit unset prio")},
	 {{0}},
	 {"range=v5.1..v5.2 by=Jo Wu active=3", "b@x unset done"}},
	{"prio undone",
	 {TRACKED, JO("a@x", 2, "#culprit prio: low"),
	  JO("b@x", 3, "#culprit prio: high"), JO("c@x", 4, "#culprit undo")},
	 {{0}},
	 {" prio=low", "c@x undo done"}},
	{"and done again",
	 {TRACKED, JO("a@x", 2, "#culprit prio: low"),
	  JO("b@x", 3, "#culprit prio: high"), JO("c@x", 4, "#culprit undo"),
	  JO("d@x", 5, "#culprit redo")},
	 {{0}},
	 {" prio=high", "d@x redo done"}},
	{"nothing to do again",
	 {TRACKED, JO("a@x", 2, "#culprit redo")},
	 {{0}},
	 {"a@x redo no-change"}},
	{"properties",
	 {TRACKED,
	  JO("a@x", 2,
	     "#culprit set Origin: fuzzing, field\n"
	     "#culprit set arch: arm64\n"
	     "#culprit set title: it crawls"),
	  JO("b@x", 3, "#culprit unset arch")},
	 {{0}},
	 {"'it crawls'", " set=origin: fuzzing, field active",
	  "b@x unset done"}},
	{"a property undone",
	 {TRACKED, JO("a@x", 2, "#culprit set arch: arm64"),
	  JO("b@x", 3, "#culprit unset arch"), JO("c@x", 4, "#culprit undo")},
	 {{0}},
	 {" set=arch: arm64"}},
	{"no property",
	 {TRACKED, JO("a@x", 2, "#culprit set <3> prio: low")},
	 {{0}},
	 {"a@x set not-understood"}},
	{"assigned",
	 {TRACKED, JO("a@x", 2, "#culprit assign Kim <kim@example.org>"),
	  JO("b@x", 3, "#culprit assign kim@example.org")},
	 {{0}},
	 {" assignee=Kim <kim@example.org>", "b@x assign no-change"}},
	{"assigned to oneself, then to nobody, then undone",
	 {TRACKED, JO("a@x", 2, "#culprit assign me"),
	  JO("b@x", 3, "#culprit assign nobody"),
	  JO("c@x", 4, "#culprit undo")},
	 {{0}},
	 {" assignee=Jo Wu <jo@example.org>", "c@x undo done"}},
	{"assigned to no address",
	 {TRACKED, JO("a@x", 2, "#culprit assign x")},
	 {{0}},
	 {"a@x assign not-understood"}},
	{"told, too",
	 {TRACKED, JO("a@x", 2, "#culprit cc Kim <kim@example.org>"),
	  JO("b@x", 3, "#culprit cc kim@example.org")},
	 {{0}},
	 {" cc=kim@example.org", "a@x cc done", "b@x cc no-change"}},
	{"told, too: one at a time",
	 {TRACKED, JO("a@x", 2,
		      "#culprit cc <kim@example.org>, ann@example.org\n"
		      "#culprit assign \"Kim, Roe\" <kim@example.org>")},
	 {{0}},
	 {"by=Jo Wu assignee=Kim, Roe <kim@example.org> active=2",
	  "a@x cc not-understood"}},
	{"told no more: by himself alone",
	 {TRACKED, JO("a@x", 2, "#culprit cc Ann <ann@example.org>"),
	  JO("b@x", 3, "#culprit uncc ann@example.org"),
	  SAYS("c@x", 4, "#culprit uncc")},
	 {{0}},
	 {"by=Jo Wu active=4", "b@x uncc refused", "c@x uncc done"}},
	{"told again, after an undo",
	 {TRACKED, JO("a@x", 2, "#culprit cc Ann <ann@example.org>"),
	  SAYS("c@x", 4, "#culprit uncc"), SAYS("d@x", 5, "#culprit undo")},
	 {{0}},
	 {" cc=ann@example.org", "d@x undo done"}},
	{"no mail to the sender",
	 {TRACKED, SAYS("a@x", 2, "#culprit stop"),
	  SAYS("b@x", 3, "#culprit mute")},
	 {{0}},
	 {" muted=ann@example.org", "a@x mute done", "b@x mute no-change"}},
	{"and mail again",
	 {TRACKED, SAYS("a@x", 2, "#culprit mute thread"),
	  SAYS("b@x", 3, "#culprit unmute")},
	 {{0}},
	 {"by=Jo Wu active=3", "b@x unmute done"}},
	{"nothing of anything to a reporter",
	 {TRACKED, OTHER, {"a@x", NULL, "stop", "#culprit mute all", 3, NULL}},
	 {{0}},
	 {"r@x: reported open 'fs: slow' range=v5.1..v5.2 by=Jo Wu "
	  "muted=jo@example.org",
	  "s@x: reported open 'fs: slower' range=v5.1..v5.2 by=Jo Wu "
	  "muted=jo@example.org",
	  "a@x mute done"}},
	{"that undone",
	 {TRACKED,
	  {"a@x", NULL, "stop", "#culprit mute all", 3, NULL},
	  JO("b@x", 4, "#culprit undo")},
	 {{0}},
	 {"by=Jo Wu active=4", "b@x undo done"}},
	{"mute what",
	 {TRACKED, JO("a@x", 3, "#culprit mute this")},
	 {{0}},
	 {"a@x mute not-understood"}},

	/* ---- all or nothing */
	{"one fails, none is done",
	 {TRACKED, JO("a@x", 2,
		      "#culprit atomic\n#culprit prio: high\n"
		      "#culprit title: it crawls\n"
		      "#culprit link https://example.org/x\n"
		      "#culprit assign nowhere\n"
		      "#regzbot backburner: later")},
	 {{0}},
	 {"r@x: reported open 'fs: slow' range=v5.1..v5.2 by=Jo Wu "
	  "backburner=later active=2\n",
	  "a@x prio refused", "a@x title refused", "a@x assign not-understood",
	  "a@x backburn done"}},
	{"none fails, all is done",
	 {TRACKED, JO("a@x", 2,
		      "#culprit prio: high\n"
		      "#culprit title: it crawls\n#culprit atomic")},
	 {{0}},
	 {"'it crawls'", " prio=high", "a@x atomic done"}},
	{"what is undone in it is as before",
	 {TRACKED, JO("a@x", 2, "#culprit prio: high"),
	  JO("b@x", 3, "#culprit atomic\n#culprit undo\n#culprit bogus")},
	 {{0}},
	 {" prio=high", "b@x undo refused", "b@x bogus not-understood"}},
	{"a report that begins in it is none",
	 {REPORT("#culprit atomic\n#culprit introduced v5.1..v5.2\n"
		 "#culprit prio: whenever")},
	 {{0}},
	 {"r@x introduced refused\n"}},
	{"too many in one mail",
	 {TRACKED, JO("a@x", 2,
		      "#culprit note: 1\n#culprit note: 2\n"
		      "#culprit note: 3\n#culprit note: 4\n"
		      "#culprit note: 5\n#culprit note: 6\n"
		      "#culprit note: 7\n#culprit note: 8\n"
		      "#culprit note: 9\n#culprit note: 10\n"
		      "#culprit prio: high")},
	 {{0}},
	 {"by=Jo Wu active=2", "a@x prio refused"}},

	/* ---- undo, of each verb */
	{"undo: introduced",
	 {TRACKED, JO("a@x", 2, "#culprit introduced 1234567890ab"),
	  JO("b@x", 3, "#culprit undo")},
	 {{0}},
	 {"r@x: reported open 'fs: slow' range=v5.1..v5.2"}},
	{"undo: title, from, inconclusive",
	 {TRACKED,
	  JO("a@x", 2,
	     "#culprit title: it crawls\n"
	     "#culprit from: Kim\n"
	     "#culprit inconclusive: x"),
	  JO("b@x", 3, "#culprit undo 3")},
	 {{0}},
	 {"r@x: reported open 'fs: slow' range=v5.1..v5.2 by=Jo Wu"}},
	{"undo: of one mail, named",
	 {TRACKED,
	  JO("a@x", 2,
	     "#culprit title: it crawls\n"
	     "#culprit expected: x"),
	  JO("b@x", 3, "#culprit prio: low"),
	  JO("c@x", 4, "#culprit undo <a@x>")},
	 {{0}},
	 {"r@x: reported open 'fs: slow' range=v5.1..v5.2 by=Jo Wu prio=low"}},
	{"undo: one's own, before that of others",
	 {TRACKED, JO("a@x", 2, "#culprit resolve: gone"), BEN_WAS_THERE,
	  BEN("b@x", 3, "#culprit prio: low"), JO("c@x", 4, "#culprit undo")},
	 {{0}},
	 {"r@x: reported open", " prio=low"}},
	{"undo: that of others is not everybody's",
	 {TRACKED, JO("a@x", 2, "#culprit resolve: gone"),
	  SAYS("c@x", 4, "#culprit undo")},
	 {{0}},
	 {"r@x: resolved closed", "c@x undo refused"}},
	{"undo: fix and unfix",
	 {TRACKED, JO("a@x", 2, "#culprit fix: fs: speed it up"),
	  JO("b@x", 3, "#culprit unfix"), JO("c@x", 4, "#culprit undo")},
	 {{0}},
	 {"r@x: fix-posted open", "fix=-/fs: speed it up/posted",
	  "b@x unfix done"}},
	{"undo: fix",
	 {TRACKED, JO("a@x", 2, "#culprit fix: fs: speed it up"),
	  JO("b@x", 3, "#culprit undo")},
	 {{0}},
	 {"r@x: reported open 'fs: slow' range=v5.1..v5.2 by=Jo Wu "
	  "active=3\n"}},
	{"undo: duplicate",
	 {TRACKED, OTHER,
	  JO("a@x", 3, "#culprit dup-of: https://lore.kernel.org/all/s@x/"),
	  JO("b@x", 4, "#culprit undo")},
	 {{0}},
	 {"r@x: reported open", "b@x undo done"}},
	{"undo: undup",
	 {TRACKED, OTHER,
	  JO("a@x", 3, "#culprit dup-of: https://lore.kernel.org/all/s@x/"),
	  JO("b@x", 4, "#culprit undup"), JO("c@x", 5, "#culprit undo")},
	 {{0}},
	 {"r@x: duplicate closed", "c@x undo done"}},
	{"undo: no circle comes back",
	 {TRACKED,
	  OTHER,
	  JO("a@x", 3, "#culprit dup-of: https://lore.kernel.org/all/s@x/"),
	  JO("b@x", 4, "#culprit undup"),
	  {"c@x", "s@x", NULL,
	   "#culprit dup-of: https://lore.kernel.org/all/r@x/", 5, NULL},
	  JO("d@x", 6, "#culprit undo")},
	 {{0}},
	 {"r@x: reported open", "s@x: duplicate closed"}},
	{"undo: a link, and its removal",
	 {TRACKED, JO("a@x", 2, "#culprit link https://example.org/x notes"),
	  JO("b@x", 3, "#culprit unlink https://example.org/x"),
	  JO("c@x", 4, "#culprit undo"),
	  JO("d@x", 5, "#culprit link https://example.org/y"),
	  JO("e@x", 6, "#culprit undo")},
	 {{0}},
	 {"active=6 link=https://example.org/x\n"}},
	{"undo: a thread that was watched no more is so again",
	 {TRACKED,
	  JO("a@x", 2, "#culprit monitor: https://lore.kernel.org/all/t@x/"),
	  {"t@x", NULL, "other thread", "hello", 1, NULL},
	  JO("b@x", 3, "#culprit unmonitor: https://lore.kernel.org/r/t@x"),
	  JO("c@x", 4, "#culprit undo"),
	  {"u@x", "t@x", NULL, "#regzbot resolve: by that", 5, NULL}},
	 {{0}},
	 {"r@x: resolved closed", "link=t@x+", "u@x resolve done"}},
	{"undo: back burner",
	 {TRACKED, JO("a@x", 2, "#culprit backburner: hard"),
	  JO("b@x", 3, "#culprit unbackburner"), JO("c@x", 4, "#culprit undo")},
	 {{0}},
	 {"backburner=hard"}},
	{"undo: resolve, reopened",
	 {TRACKED, JO("a@x", 2, "#culprit resolve: gone"),
	  JO("b@x", 3, "#culprit reopen: back"), JO("c@x", 4, "#culprit undo")},
	 {{0}},
	 {"r@x: resolved closed"}},
	{"undo: a poke",
	 {TRACKED, JO("a@x", 2, "#culprit resolve: gone"),
	  JO("b@x", 3, "#culprit poke"), JO("c@x", 4, "#culprit undo")},
	 {{0}},
	 {"r@x: resolved closed", "c@x undo done"}},
	{"undo: untrack",
	 {TRACKED, JO("a@x", 2, "#culprit untrack"),
	  JO("b@x", 3, "#culprit undo")},
	 {{0}},
	 {"r@x: reported open 'fs: slow' range=v5.1..v5.2", "a@x untrack done",
	  "b@x undo done"}},
	{"untracked",
	 {TRACKED, JO("a@x", 2, "#culprit untrack")},
	 {{0}},
	 {"r@x introduced done\na@x untrack done\n"}},
	{"untracked, and tracked again",
	 {TRACKED, JO("a@x", 2, "#culprit untrack"),
	  JO("b@x", 3, "#culprit introduced: v5.1..v5.2")},
	 {{0}},
	 {"r@x: reported open", "b@x introduced done"}},
	{"measurements elsewhere belong to it",
	 {TRACKED,
	  {"t@x", NULL, "numbers", "slow", 1, NULL},
	  JO("a@x", 2, "#culprit rerun: https://lore.kernel.org/all/t@x/"),
	  JO("b@x", 3, "#culprit result 1234567890ab 2222222222ab"),
	  JO("c@x", 4, "#culprit rerun none")},
	 {{0}},
	 {"link=t@x+", "a@x rerun done", "b@x result done",
	  "c@x rerun not-understood"}},
};

TRACK_CASE_TESTS(cases)

/* ---- people of the settings, and of MAINTAINERS */

/* Files of the tree, and what the commit of the letter a changes: fs/f. */
struct tree_files {
	const char *maintainers, *mailmap; /* NULL: none */
};

static gboolean put_file(store *st, const struct code_tree *tree,
			 const char *path, const char *content, GError **err)
{
	guint8 oid[COMMIT_OID_LEN] = {1};
	g_autoptr(GBytes) text =
		content ? g_bytes_new(content, strlen(content)) : NULL;

	return !text || commit_store_text(st, tree->row, path, oid, text, err);
}

static gboolean put_files(store *st, void *data, GError **err)
{
	const struct tree_files *files = data;
	g_autoptr(GPtrArray) trees = trees_load(st, err);
	const struct code_tree *tree = trees ? trees->pdata[0] : NULL;
	g_autoptr(GPtrArray) paths = g_ptr_array_new();
	struct commit_change change = {.paths = paths};
	guint8 oid[COMMIT_OID_LEN];

	memset(oid, 0xaa, sizeof(oid));
	g_ptr_array_add(paths, (gpointer) "fs/f");
	return tree &&
	       commit_store_compared(st, commit_store_find(st, oid, err),
				     &change, err) &&
	       put_file(st, tree, "MAINTAINERS", files->maintainers, err) &&
	       put_file(st, tree, ".mailmap", files->mailmap, err);
}

#define MAPPED	      "Ann <new@example.org> <ann@example.org>\n"
#define SECTION(line) "FS\n" line "\nS:\tMaintained\nF:\tfs/\n"

START_TEST(who_decides)
{
	static const struct letter letters[] = {
		REPORT("#regzbot introduced: aaaaaaaaaaaa"),
		SAYS("a@x", 2, "#culprit title: new"),
		SAYS("b@x", 40, "#culprit resolve: gone")};
	static const struct git_letter commit = {"mainline", "a", "fs: x", NULL,
						 3};
	static const struct {
		const char *name, *operator, * list, *maintainers;
		const char *title, *resolve, *mailmap;
	} who[] = {
		{"a stranger", NULL, NULL, NULL, "refused", "refused", NULL},
		{"another operator", "kim@example.org", NULL, NULL, "refused",
		 "refused", NULL},
		{"an operator", "Ann@Example.org", NULL, NULL, "done", "done",
		 NULL},
		{"of the list", NULL, "fs@lists.example.org", NULL, "done",
		 "done", NULL},
		{"of another list", NULL, "xfs@lists.example.org", NULL,
		 "refused", "refused", NULL},
		{"who keeps it", NULL, NULL,
		 SECTION("M:\tAnn <ann@example.org>"), "done", "done", NULL},
		{"who keeps something else", NULL, NULL,
		 SECTION("M:\tBo <bo@example.org>") "\nXFS\nM:\tAnn <ann@example.org>\n"
						    "S:\tMaintained\nF:\txfs/\n",
		 "done", "refused", NULL},
		{"who reviews", NULL, NULL,
		 SECTION("R:\tAnn <ann@example.org>"), "done", "refused", NULL},
		{"an operator by his new address", "new@example.org", NULL,
		 NULL, "done", "done", MAPPED},
		{"an operator by his old address", "ann@example.org", NULL,
		 NULL, "done", "done", MAPPED},
		{"of the list, by his old address", NULL,
		 "fs@lists.example.org", NULL, "done", "done", MAPPED},
		{"who keeps it, by his new address", NULL, NULL,
		 SECTION("M:\tAnn <new@example.org>"), "done", "done", MAPPED},
	};

	for (gsize n = 0; n < G_N_ELEMENTS(who); n++) {
		g_autoptr(store) st = open_memory();
		g_autofree char *world = NULL, *title = NULL, *resolve = NULL;

		items_configure(st, 0, NOW);
		put_commit(st, &commit);
		for (gsize i = 0; i < G_N_ELEMENTS(letters); i++)
			put_letter(st, &letters[i]);
		run(st, put_files,
		    &(struct tree_files){who[n].maintainers, who[n].mailmap});
		if (who[n].operator)
			roles_add_operator(st, who[n].operator);
		if (who[n].list)
			roles_add_maintainer(st, who[n].list,
					     "ann@example.org");
		world = world_of(st, FALSE);
		title = g_strconcat("a@x title ", who[n].title, NULL);
		resolve = g_strconcat("b@x resolve ", who[n].resolve, NULL);
		ck_assert_msg(strstr(world, title) && strstr(world, resolve),
			      "%s: %s", who[n].name, world);
	}
}
END_TEST

/* Six who wrote of it are a crowd. */
START_TEST(of_a_crowd_the_maintainer_decides)
{
	static const struct letter report = TRACKED,
				   early = JO("e@x", 4, "#culprit resolve: x"),
				   late = JO("l@x", 9, "#culprit resolve: y");
	g_autoptr(store) st = open_memory();
	g_autofree char *world = NULL;

	put_letter(st, &late);
	put_letter(st, &report);
	for (int n = 0; n < 5; n++) {
		g_autofree char *id = g_strdup_printf("m%d@x", n);
		g_autofree char *from = g_strdup_printf("<m%d@x.org>", n);
		struct letter l = {id, "r@x", NULL, "me too", 5, from};

		put_letter(st, &l);
	}
	put_letter(st, &early);
	world = world_of(st, FALSE);
	ck_assert_msg(strstr(world, "e@x resolve done") &&
			      strstr(world, "l@x resolve refused"),
		      "%s", world);
}
END_TEST

static Suite *make_suite(void)
{
	Suite *s = suite_create("track_own");
	TCase *t = tcase_create("track_own");

	tcase_set_timeout(t, 120);
	tcase_add_test(t, states);
	tcase_add_test(t, orders);
	tcase_add_test(t, copies);
	tcase_add_test(t, who_decides);
	tcase_add_test(t, of_a_crowd_the_maintainer_decides);
	suite_add_tcase(s, t);
	return s;
}

TEST_MAIN(make_suite)
