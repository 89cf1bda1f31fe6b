/* test_subject.c - reply marks, brackets, versions and counters of subjects */
#include <string.h>

#include "mail/subject.h"

#include "tests/test.h"

/* The marks that a subject sets, in one readable line. */
static char *describe(const struct subject *s)
{
	GString *out = g_string_new(NULL);

	g_string_append_printf(
		out, "%s%s%s%s%s%s%s%s%s%s%s%s", s->reply ? "reply " : "",
		s->forward ? "forward " : "", s->patch ? "patch " : "",
		s->cover_hint ? "cover " : "", s->pull ? "pull " : "",
		s->tip ? "tip " : "", s->rfc ? "rfc " : "",
		s->resend ? "resend " : "", s->subset ? "subset " : "",
		s->stable ? "stable " : "", s->not_for_merge ? "draft " : "",
		s->malformed ? "malformed " : "");
	if (s->version_stated)
		g_string_append_printf(out, "v%d ", s->version);
	if (s->version_text)
		g_string_append_printf(out, "(%s) ", s->version_text);
	if (s->numbered)
		g_string_append_printf(out, "%d/%d ", s->number, s->total);
	for (guint i = 0; i < s->prefixes->len; i++)
		g_string_append_printf(out, "{%s} ",
				       (char *)g_ptr_array_index(s->prefixes,
								 i));
	return g_strchomp(g_string_free(out, FALSE));
}

static const struct {
	const char *text;
	const char *base;
	const char *marks;
} cases[] = {
	{"", "", ""},
	{"[PATCH] xfs: mend it", "xfs: mend it", "patch"},
	{"[PATCH v3 2/7] xfs: mend it", "xfs: mend it", "patch v3 2/7"},
	{"[PATCH V3,2/7]: xfs: mend it", "xfs: mend it", "patch v3 2/7"},
	{"[PATCH 00/12] many", "many", "patch 0/12"},
	{"[PATCH,v2,1/3] x", "x", "patch v2 1/3"},
	{"[net,v2,1/2] net: x", "net: x", "patch v2 1/2 {net}"},
	{"[PATCHv3] x", "x", "patch v3"},
	{"[PATCHv3 02/03] x", "x", "patch v3 2/3"},
	{"[v2PATCH1/4] x", "x", "patch v2 1/4"},
	{"[v2.3PATCH1 of 4] x", "x", "patch v2 (2.3) 1/4"},
	{"[PATCH0/8 v3] x", "x", "patch v3 0/8"},
	{"[PATCH v.2] x", "x", "patch v2"},
	{"[PATCH 0 of 2] x", "x", "patch 0/2"},
	{"[PATCH2 of 2 v4] x", "x", "patch v4 2/2"},
	{"[PATCH 3/n] x", "x", "patch 3/-1"},
	{"[PATCH 16/15] x", "x", "patch 16/15"},
	{"[PATCH 1.1/15] x", "x", "patch 1/15"},
	{"[PATCH v9.1 1/2] x", "x", "patch v9 (9.1) 1/2"},
	{"[PATCH v6.15 1/2] x", "x", "patch stable 1/2 {v6.15}"},
	{"[PATCH v4.1 v2] x", "x", "patch stable v2 {v4.1}"},
	{"[PATCH v5.4.y] x", "x", "patch stable {v5.4.y}"},
	{"[PATCH 5.10 1/3] x", "x", "patch stable 1/3 {5.10}"},
	{"[PATCH stable-5.15.y] x", "x", "patch stable {stable-5.15.y}"},
	{"[PATCH AUTOSEL 6.1 01/20] x", "x",
	 "patch stable 1/20 {AUTOSEL} {6.1}"},
	{"[PATCH for-6.18/block 2/3] x", "x", "patch 2/3 {for-6.18/block}"},
	{"[PATCH block/for-next] x", "x", "patch {block/for-next}"},
	{"[PATCH net-next v2] x", "x", "patch v2 {net-next}"},
	{"[PATCH -next] x", "x", "patch {-next}"},
	{"[PATCH-next v2] x", "x", "patch v2 {-next}"},
	{"[PATCH, RFC] x", "x", "patch rfc {RFC}"},
	{"[RFC/PATCH v2] x", "x", "patch rfc v2 {RFC}"},
	{"[RFCv2 PATCH] x", "x", "patch rfc v2 {RFC}"},
	{"[RFC v2 00/11] x", "x", "patch rfc v2 0/11 {RFC}"},
	{"[RFC] how to", "how to", "rfc {RFC}"},
	{"[RFC[RAP] 1/2] x", "x", "patch rfc 1/2 {RFC} {RAP}"},
	{"[PATCH v3-RESEND] x", "x", "patch resend v3 {RESEND}"},
	{"[REPOST][PATCH][v2] x", "x", "patch resend v2 {REPOST}"},
	{"[PATCH] [RFC] [1/2] x", "x", "patch rfc 1/2 {RFC}"},
	{"[PATCHSET v2 btrfs/for-next] x", "x",
	 "patch cover v2 {btrfs/for-next}"},
	{"[PATCHBOMB 6.6] x", "x", "patch cover stable {6.6}"},
	{"[WIP PATCH] x", "x", "patch draft {WIP}"},
	{"[PATCH] rewrite [a-z] regexes", "rewrite [a-z] regexes", "patch"},
	{"[PATCH] x (v2)", "x (v2)", "patch v2"},
	{"[PATCH v3] x (v2)", "x (v2)", "patch v3"},
	{"[PATCH] drop the (v4) format", "drop the (v4) format", "patch"},
	{"[f2fs-dev] [PATCH v2] x", "x", "patch v2"},
	{"[my-list] [PATCH] x", "x", "patch"},
	{"[patchwork 1/2] x", "x", "patch 1/2 {patchwork}"},
	{"[GIT PULL] block for 6.5", "block for 6.5", "pull {GIT} {PULL}"},
	{"[PULL v2] x", "x", "pull v2 {PULL}"},
	{"[tip: x86/urgent] x86: y", "x86: y", "tip {x86/urgent}"},
	{"[tip:x86/urgent] x86: y", "x86: y", "tip {x86/urgent}"},
	{"[tip:x86/urgent 2/3] a.c:3: error", "a.c:3: error",
	 "2/3 {x86/urgent}"},
	{"[next:master 12/345] a.c:3: error", "a.c:3: error",
	 "12/345 {next:master}"},
	{"[BUG 24/7] x", "x", "24/7 {BUG}"},
	{"Re: [PATCH 1/2] x", "x", "reply patch 1/2"},
	{"RE: Re: AW: [PATCH] x", "x", "reply patch"},
	{"Re[2]: [PATCH] x", "x", "reply patch"},
	{"Re : x", "x", "reply"},
	{"RE x", "x", "reply"},
	{"回复: [PATCH] x", "x", "reply patch"},
	{"答复：[PATCH] x", "x", "reply patch"},
	{"Fwd: [PATCH] x", "x", "forward patch"},
	{"Re: Fwd: x", "x", "reply forward"},
	{"Re: [External] Re: [PATCH v2] x", "x", "reply patch v2"},
	{"[EXT] Re: [PATCH v2] x", "x", "reply patch v2"},
	{"[f2fs-dev] Re: x", "x", "reply"},
	{"[f2fs-dev] Fwd: Re: x", "x", "reply forward"},
	{"[External] Re: Re: x", "x", "reply"},
	{"[PATCH] Re: x", "Re: x", "patch"},
	{"Re: (subset) [PATCH 0/3] x", "x", "reply patch subset 0/3"},
	{"[PATCH] Re-enable x", "Re-enable x", "patch"},
	{"[PATCH] re: enable x", "re: enable x", "patch"},
	{"xfs: [foo] bar", "xfs: [foo] bar", ""},
	{"Reply to x", "Reply to x", ""},
	{"[PATCH 1/2 xfs: mend it", "xfs: mend it", "patch malformed 1/2"},
	{"[PATCH 1/2 xfs: mend a[3] too", "xfs: mend a[3] too",
	 "patch malformed 1/2"},
	{"[PATCH][v3 xfs: mend it", "xfs: mend it", "patch malformed v3"},
	{"[PATCH] raid[56|1c34} x", "raid[56|1c34} x", "patch"},
	{"[odd", "[odd", ""},
	{"[PATCH v99999999999 1/99999999999] x", "x",
	 "patch {v99999999999} {1/99999999999}"},
};

START_TEST(test_cases)
{
	static const char *const tags[] = {"my-list", NULL};
	g_autoptr(subject_auto) s = subject_parse(cases[_i].text, tags);
	g_autofree char *marks = describe(s);

	ck_assert_str_eq(s->base, cases[_i].base);
	ck_assert_str_eq(marks, cases[_i].marks);
}
END_TEST

/* What stands before a subject changes only the reply mark. */
START_TEST(test_reply_keeps_the_rest)
{
	g_autofree char *text = g_strconcat("Re: ", cases[_i].text, NULL);
	g_autoptr(subject_auto) a = subject_parse(cases[_i].text, NULL);
	g_autoptr(subject_auto) b = subject_parse(text, NULL);

	if (g_str_has_prefix(cases[_i].text, "RE x"))
		return;
	ck_assert(b->reply);
	ck_assert_str_eq(a->base, b->base);
	ck_assert_int_eq(a->version, b->version);
	ck_assert_int_eq(a->number, b->number);
	ck_assert_uint_eq(a->prefixes->len, b->prefixes->len);
}
END_TEST

START_TEST(test_limits)
{
	g_autoptr(GString) text = g_string_new(NULL);
	g_autoptr(subject_auto) s = NULL;

	for (guint i = 0; i < 1000; i++)
		g_string_append(text, "[a b c d e f g] ");
	s = subject_parse(text->str, NULL);
	ck_assert_uint_le(s->prefixes->len, SUBJECT_MAX_TOKENS);
	ck_assert(g_str_has_prefix(s->base, "[a b"));
}
END_TEST

START_TEST(test_key)
{
	static const char *const same[][2] = {
		{"Btrfs:  Mend it.", "btrfs: mend it"},
		{"x...", "X"},
		{"Caf\xc3\xa9", "cafe\xcc\x81"},
		{"\xc3\x84 b", "\xc3\xa4 b"},
	};

	for (guint i = 0; i < G_N_ELEMENTS(same); i++) {
		g_autofree char *a = subject_key(same[i][0]);
		g_autofree char *b = subject_key(same[i][1]);

		ck_assert_str_eq(a, b);
	}
}
END_TEST

START_TEST(test_normalise)
{
	g_autofree char *a = subject_normalise("  Re: RE: re:  a\t b. ");
	g_autofree char *b = subject_normalise("[PATCH] Re: a");

	ck_assert_str_eq(a, "a b");
	ck_assert_str_eq(b, "[PATCH] Re: a");
}
END_TEST

static Suite *subject_suite(void)
{
	Suite *suite = suite_create("subject");
	TCase *tc = tcase_create("subject");

	tcase_add_loop_test(tc, test_cases, 0, G_N_ELEMENTS(cases));
	tcase_add_loop_test(tc, test_reply_keeps_the_rest, 0,
			    G_N_ELEMENTS(cases));
	tcase_add_test(tc, test_limits);
	tcase_add_test(tc, test_key);
	tcase_add_test(tc, test_normalise);
	suite_add_tcase(suite, tc);
	return suite;
}

TEST_MAIN(subject_suite)
