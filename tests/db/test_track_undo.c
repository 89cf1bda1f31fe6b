/* test_track_undo.c - what undo and redo name, and what they must not bring
 * back: in any order of arrival, and after a rebuild */
#include "tests/db/track_cases.h"

#define JO(id, day, text)                        \
	{                                        \
		id, "r@x", NULL, text, day, NULL \
	}
#define OTHER                                                                \
	{                                                                    \
		"s@x", NULL, "fs: slower", "#regzbot introduced v5.1..v5.2", \
			2, NULL                                              \
	}
#define DUP_OF(id) "#culprit dup-of: https://lore.kernel.org/all/" id "/"

static const struct track_case cases[] = {
	/* ---- what is meant */
	{"no number, no mail: nothing is taken back",
	 {TRACKED, JO("a@x", 2, "#culprit undo the last one"),
	  JO("b@x", 3, "#culprit undo 0"), JO("c@x", 4, "#culprit undo -1"),
	  JO("d@x", 5, "#culprit undo 11"), JO("e@x", 6, "#culprit redo 2x")},
	 {{0}},
	 {"r@x: reported open 'fs: slow' range=v5.1..v5.2",
	  "a@x undo not-understood", "b@x undo not-understood",
	  "c@x undo not-understood", "d@x undo not-understood",
	  "e@x redo not-understood"}},
	{"a mail that did nothing",
	 {TRACKED, JO("a@x", 2, "#culprit undo <none@x>")},
	 {{0}},
	 {"range=v5.1..v5.2", "a@x undo no-change"}},
	{"regzbot's says no more",
	 {TRACKED, JO("a@x", 2, "#regzbot title: it crawls"),
	  JO("b@x", 3, "#regzbot undo that, please")},
	 {{0}},
	 {"'fs: slow'", "b@x undo done"}},
	{"from and note, by the mail that is answered",
	 {TRACKED,
	  JO("a@x", 2, "#culprit from: Kim Roe\n#culprit note: hello"),
	  JO("b@x", 3, "#culprit prio: low"),
	  {"c@x", "a@x", NULL, "#culprit undo ^", 4, NULL}},
	 {{0}},
	 {"by=Jo Wu prio=low active=4", "undone Jo Wu <jo@example.org> c@x "
					"note, from"}},
	{"redo: the undo, by its mail",
	 {TRACKED, JO("a@x", 2, "#culprit prio: low"),
	  JO("b@x", 3, "#culprit undo"),
	  JO("c@x", 4, "#culprit title: it crawls"),
	  JO("d@x", 5, "#culprit undo"), JO("e@x", 6, "#culprit redo <b@x>")},
	 {{0}},
	 {"'fs: slow'", " prio=low", "redone Jo Wu <jo@example.org> e@x prio"}},
	{"redo: what was undone, by its mail",
	 {TRACKED, JO("a@x", 2, "#culprit prio: low"),
	  JO("b@x", 3, "#culprit undo"),
	  JO("c@x", 4, "#culprit title: it crawls"),
	  JO("d@x", 5, "#culprit undo"), JO("e@x", 6, "#culprit redo <a@x>")},
	 {{0}},
	 {"'fs: slow'", " prio=low", "e@x redo done"}},
	{"redo: not more than that mail did",
	 {TRACKED, JO("a@x", 2, "#culprit prio: low"),
	  JO("b@x", 3, "#culprit title: it crawls"),
	  JO("c@x", 4, "#culprit undo 2"), JO("d@x", 5, "#culprit redo <a@x>")},
	 {{0}},
	 {"by=Jo Wu active=5", "d@x redo no-change"}},
	{"an undo, done again and taken back anew",
	 {TRACKED, JO("a@x", 2, "#culprit prio: low"),
	  JO("b@x", 3, "#culprit undo"), JO("c@x", 4, "#culprit redo"),
	  JO("d@x", 5, "#culprit undo"), JO("e@x", 6, "#culprit redo")},
	 {{0}},
	 {" prio=low", "d@x undo done", "e@x redo done"}},
	{"no mail of anything, again",
	 {TRACKED, JO("a@x", 2, "#culprit mute all"),
	  JO("b@x", 3, "#culprit undo"), JO("c@x", 4, "#culprit redo")},
	 {{0}},
	 {" muted=jo@example.org", "c@x redo done"}},
	{"that taken back by a mail that fails",
	 {TRACKED, JO("a@x", 2, "#culprit mute all"),
	  JO("b@x", 3, "#culprit atomic\n#culprit undo\n#culprit bogus")},
	 {{0}},
	 {" muted=jo@example.org", "b@x undo refused"}},

	/* ---- circles */
	{"redo: no circle comes back",
	 {TRACKED,
	  OTHER,
	  JO("a@x", 3, DUP_OF("s@x")),
	  JO("b@x", 4, "#culprit undo"),
	  {"c@x", "s@x", NULL, DUP_OF("r@x"), 5, NULL},
	  JO("d@x", 6, "#culprit redo")},
	 {{0}},
	 {"r@x: reported open", "s@x: duplicate closed", "d@x redo refused"}},
	{"undo of undup: no circle comes back",
	 {TRACKED,
	  OTHER,
	  JO("a@x", 3, DUP_OF("s@x")),
	  JO("b@x", 4, "#culprit undup"),
	  {"c@x", "s@x", NULL, DUP_OF("r@x"), 5, NULL},
	  JO("d@x", 6, "#culprit undo")},
	 {{0}},
	 {"r@x: reported open", "s@x: duplicate closed", "d@x undo refused"}},
	{"once the other one is none, it may",
	 {TRACKED,
	  OTHER,
	  JO("a@x", 3, DUP_OF("s@x")),
	  JO("b@x", 4, "#culprit undo"),
	  {"c@x", "s@x", NULL, DUP_OF("r@x"), 5, NULL},
	  JO("d@x", 6, "#culprit redo"),
	  {"e@x", "s@x", NULL, "#culprit undo", 7, NULL},
	  JO("f@x", 8, "#culprit redo")},
	 {{0}},
	 {"r@x: duplicate closed", "s@x: reported open", "f@x redo done"}},
	{"a mail that fails turns nothing round",
	 {TRACKED,
	  OTHER,
	  JO("a@x", 3, DUP_OF("s@x")),
	  {"b@x", "s@x", NULL,
	   "#culprit atomic\n"
	   "#culprit /undo <a@x>\n" DUP_OF("r@x") "\n#culprit bogus",
	   4, NULL},
	  JO("c@x", 5,
	     "#culprit atomic\n#culprit undo\n" DUP_OF(
		     "s@x") "\n#culprit bogus")},
	 {{0}},
	 {"r@x: duplicate closed", "s@x: reported open", "b@x undo",
	  "c@x undo refused"}},
};

TRACK_CASE_TESTS(cases)

/* Nobody can use up what others may take back. */
START_TEST(strangers_wear_nothing_out)
{
	static const struct letter before[] = {TRACKED,
					       JO("a@x", 2,
						  "#culprit prio: high"),
					       JO("z@x", 4, "#culprit undo")};
	g_autoptr(store) st = open_memory();
	g_autofree char *world = NULL;

	for (gsize n = 0; n < G_N_ELEMENTS(before); n++)
		put_letter(st, &before[n]);
	for (int n = 0; n < 150; n++) {
		g_autofree char *id = g_strdup_printf("m%d@y", n);
		g_autofree char *from = g_strdup_printf("<m%d@x.org>", n);
		struct letter l = {id, "r@x", NULL, "#culprit undo", 3, from};

		put_letter(st, &l);
	}
	world = world_of(st, FALSE);
	ck_assert_msg(strstr(world, "z@x undo done") &&
			      strstr(world, "m149@y undo refused"),
		      "%s", world);
}
END_TEST

static Suite *make_suite(void)
{
	Suite *s = suite_create("track_undo");
	TCase *t = tcase_create("track_undo");

	tcase_set_timeout(t, 120);
	tcase_add_test(t, states);
	tcase_add_test(t, orders);
	tcase_add_test(t, copies);
	tcase_add_test(t, strangers_wear_nothing_out);
	suite_add_tcase(s, t);
	return s;
}

TEST_MAIN(make_suite)
