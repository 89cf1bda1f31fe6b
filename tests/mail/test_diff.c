/* test_diff.c - files, counts, damage and the patch id of diffs
 * The ids were printed by git 2.39: git patch-id --stable < FILE. */
#include <string.h>

#include "mail/diff.h"

#include "tests/test.h"

static char *load(const char *name, gsize *len)
{
	g_autofree char *path =
		g_build_filename(test_data(), "diff", name, NULL);
	char *text = NULL;

	ck_assert_msg(g_file_get_contents(path, &text, len, NULL), "%s", path);
	return text;
}

/* As `git apply --numstat` prints it; "=>" shows old names. */
static char *numstat(const struct diff *d)
{
	GString *out = g_string_new(NULL);

	for (guint i = 0; i < d->files->len; i++) {
		const struct diff_file *f = g_ptr_array_index(d->files, i);

		g_string_append_printf(out, "%s%u %u %s%s%s%s%s", i ? "|" : "",
				       f->insertions, f->deletions,
				       f->old_path ? f->old_path : "",
				       f->old_path ? " => " : "", f->path,
				       f->added	    ? " added"
				       : f->deleted ? " deleted"
						    : "",
				       f->binary ? " binary" : "");
	}
	return g_string_free(out, FALSE);
}

static const struct {
	const char *file;
	const char *patch_id; /* NULL: damaged, or git gives none */
	const char *mended_id;
	const char *numstat;
	const char *damage; /* its beginning */
} cases[] = {
	{"two-files.diff", "ece458be247fbcafb3edf6220f83c170f98e022e", NULL,
	 "3 2 fs/one.c|1 1 fs/two.c", NULL},
	{"rename.diff", "1189b825f78cb94eafe5f83f41aa43de41138ba0", NULL,
	 "0 0 docs/a b.txt => docs/c d.txt|0 0 tools/x.sh|"
	 "1 1 old.c => new.c|0 0 from.c => copy.c",
	 NULL},
	{"add-delete.diff", "ccd67a3c71b3daeb9cceb611b70202d52004b716", NULL,
	 "0 0 empty added|0 2 gone.c deleted|1 0 made.c added", NULL},
	{"binary.diff", "a182983696b34e846ad14fcdcac03fe19436c0a4", NULL,
	 "0 0 logo.png binary|1 1 x.c|0 0 y.bin binary", NULL},
	{"quoted.diff", "bb30a29e02a1880c043f69d144779d31eb53584a", NULL,
	 "1 1 f\303\244\"x.c", NULL},
	{"plain.diff", "ff7df89a515bc4a0d6a82ef4357cd47e98a7a471",
	 "bdf1d99b9190102cd59f9950025de72e99026052",
	 "1 1 fs/x.c|1 0 fs/y.c added|1 0 z.c", NULL},
	{"full-blanks.diff", "bafc7427f048cf09f1ece935614bc74a300cedd1", NULL,
	 "1 1 x.c|1 1 y.c", NULL},
	{"bare-blanks.diff", "5bc65cdaf273591e30f7237ea40f281d7083193e",
	 "bafc7427f048cf09f1ece935614bc74a300cedd1", "1 1 x.c|1 1 y.c", NULL},
	{"merge.diff", "44110b7caa07f11d35d7bf238babcd89c7321086", NULL,
	 "0 0 fs/x.c", NULL},
	{"wrapped.diff", NULL, NULL, "1 0 x.c|1 1 y.c",
	 "line 7: no line of a hunk"},
};

START_TEST(test_files)
{
	gsize len;
	g_autofree char *text = load(cases[_i].file, &len);
	g_autoptr(diff_auto) d = diff_parse(text, len, 0);
	g_autofree char *stat = NULL;

	ck_assert_ptr_nonnull(d);
	stat = numstat(d);
	ck_assert_str_eq(stat, cases[_i].numstat);
	ck_assert_pstr_eq(d->patch_id, cases[_i].patch_id);
	ck_assert_pstr_eq(d->mended_id, cases[_i].mended_id);
	if (cases[_i].damage)
		ck_assert(g_str_has_prefix(d->damage, cases[_i].damage));
	else
		ck_assert_ptr_null(d->damage);
}
END_TEST

static const char head[] = "diff --git a/x.c b/x.c\n"
			   "index 1111111..2222222 100644\n"
			   "--- a/x.c\n"
			   "+++ b/x.c\n";

/* What follows `head`, and the damage that it is. */
static const struct {
	const char *hunks;
	const char *damage;
} damages[] = {
	{"@@ -1 +1 @@\n-a\n+b\n", NULL},
	{"@@ -1 +1 @@\n-a\n+b\n-- \n2.40\n", NULL},
	{"@@ -1 +1 @@\n-a\n+b\n\n- a list\n- of things\n", NULL},
	{"@@ -1 +1 @@\n-a\n+b\n+c\n", "line 8: the hunk before it is too long"},
	{"@@ -1 +1 @@\n-a\n+b\n-c\n", "line 8: the hunk before it is too long"},
	{"@@ -1,3 +1,3 @@\n a\n-b\n+c\n", "line 9: the hunk before it is too"},
	{"@@ -1,2 +1 @@\n+b\n+c\n-a\n-a\n", "line 7: does not fit"},
	{"@@ -1 +1 @@\n-a\n+b\n\n@@ -9 +9 @@\n-a\n+b\n",
	 "line 9: a hunk of no file"},
	{"@@ broken\n-a\n+b\n", NULL},
	{"@@ -x +1 @@\n-a\n+b\n", "line 5: no hunk can begin so"},
	{"@@ -1 +1 @@\n-a =3D 1;\n+b =3D 2; =20\n", "quoted-printable"},
	{"@@ -1 +1 @@\n-a == b;\n+b =3D 2; =20\n", NULL},
	{"@@ -1 +1 @@\n-a-&gt;b\n+a-&gt;c\n", "HTML leftovers"},
};

START_TEST(test_damage)
{
	g_autofree char *text = g_strconcat(head, damages[_i].hunks, NULL);
	g_autoptr(diff_auto) d = diff_parse(text, strlen(text), 0);

	ck_assert_ptr_nonnull(d);
	if (!damages[_i].damage) {
		ck_assert_ptr_null(d->damage);
		ck_assert_ptr_nonnull(d->patch_id);
		return;
	}
	ck_assert_msg(d->damage &&
			      g_str_has_prefix(d->damage, damages[_i].damage),
		      "%s", d->damage);
	ck_assert_ptr_null(d->patch_id);
}
END_TEST

/* No diff begins in these. */
START_TEST(test_none)
{
	static const char *const texts[] = {
		"",
		"a\n",
		"> diff --git a/x b/x\n> --- a/x\n> +++ b/x\n",
		"diff between a and b\n",
		"--- \n+++\n",
		"--- a rule\ntext\n",
		"Index: of things\ntext\n",
		"@@ -1 +1 @@\n-a\n+b\n",
	};

	for (guint i = 0; i < G_N_ELEMENTS(texts); i++)
		ck_assert_ptr_null(diff_parse(texts[i], strlen(texts[i]), 0));
}
END_TEST

START_TEST(test_extent)
{
	gsize len;
	g_autofree char *text = load("two-files.diff", &len);
	const char *start = strstr(text, "diff --git");
	g_autoptr(diff_auto) d = diff_parse(text, len, 0);
	const char *next = strstr(start + 1, "diff --git");
	g_autoptr(diff_auto) second =
		diff_parse(text, len, (gsize)(next - text));

	ck_assert_uint_eq(d->start, (gsize)(start - text));
	ck_assert_str_eq(text + d->end, "-- \n2.40.0\n\nFooter.\n");
	ck_assert_uint_eq(d->insertions, 4);
	ck_assert_uint_eq(d->deletions, 3);
	ck_assert_uint_eq(second->files->len, 1);
	ck_assert_str_eq(
		((struct diff_file *)g_ptr_array_index(d->files, 1))->pre_blob,
		"3333333");
}
END_TEST

/* The id does not see blanks, line numbers, the order of the files, nor the
 * text around them. */
START_TEST(test_id_is_stable)
{
	static const char one[] = "diff --git a/x.c b/x.c\n"
				  "--- a/x.c\n"
				  "+++ b/x.c\n"
				  "@@ -1,2 +1,2 @@ here\n"
				  " a\n"
				  "-b\n"
				  "+c\n";
	static const char moved[] = "diff --git a/x.c b/x.c\n"
				    "--- a/x.c\n"
				    "+++ b/x.c\n"
				    "@@ -71,2 +75,2 @@ there\n"
				    " \ta\n"
				    "-  b\n"
				    "+\tc  \n";
	static const char two[] = "diff --git a/y.c b/y.c\n"
				  "--- a/y.c\n"
				  "+++ b/y.c\n"
				  "@@ -1 +0,0 @@\n"
				  "-b\n";
	g_autofree char *text[] = {
		g_strconcat("Why.\n---\n", one, two, "-- \n2.40\n", NULL),
		g_strconcat(two, moved, NULL),
		g_strconcat(one, two, "\nAnd more text.\n", NULL),
		g_strconcat(one, NULL),
	};
	char *ids[G_N_ELEMENTS(text)];

	for (guint i = 0; i < G_N_ELEMENTS(text); i++) {
		struct diff *d = diff_parse(text[i], strlen(text[i]), 0);

		ids[i] = g_strdup(d->patch_id);
		diff_free(d);
	}
	ck_assert_str_eq(ids[0], ids[1]);
	ck_assert_str_eq(ids[0], ids[2]);
	ck_assert_str_ne(ids[0], ids[3]);
	for (guint i = 0; i < G_N_ELEMENTS(text); i++)
		g_free(ids[i]);
	for (guint i = 1; i < G_N_ELEMENTS(text); i++)
		g_free(text[i]);
}
END_TEST

/* A diff of quilt and the commit that comes of it. */
START_TEST(test_mended_heads)
{
	static const char quilt[] = "--- a/x.c~mend-it\n"
				    "+++ a/x.c\n"
				    "@@ -1,3 +1,3 @@\n"
				    " a\n"
				    "-b\n"
				    "+c\n"
				    "\n"
				    "_\n";
	static const char git[] = "diff --git a/x.c b/x.c\n"
				  "index 1111111..2222222 100644\n"
				  "--- a/x.c\n"
				  "+++ b/x.c\n"
				  "@@ -1,3 +1,3 @@\n"
				  " a\n"
				  "-b\n"
				  "+c\n"
				  " \n";
	g_autoptr(diff_auto) a = diff_parse(quilt, strlen(quilt), 0);
	g_autoptr(diff_auto) b = diff_parse(git, strlen(git), 0);

	ck_assert_ptr_null(a->damage);
	ck_assert_ptr_null(a->patch_id);
	ck_assert_str_eq(a->mended_id, b->patch_id);
	ck_assert_ptr_null(b->mended_id);
}
END_TEST

/* Cut anywhere: the sums stay those of the files, the extent stays inside. */
START_TEST(test_cut_anywhere)
{
	gsize len;
	g_autofree char *text = load(cases[_i].file, &len);

	for (gsize cut = 1; cut <= len; cut++) {
		g_autofree char *part = g_memdup2(text, cut);
		g_autoptr(diff_auto) d = diff_parse(part, cut, 0);
		guint insertions = 0;

		if (!d)
			continue;
		for (guint i = 0; i < d->files->len; i++)
			insertions +=
				((struct diff_file *)g_ptr_array_index(d->files,
								       i))
					->insertions;
		ck_assert_uint_eq(insertions, d->insertions);
		ck_assert(d->start <= d->end && d->end <= cut);
		ck_assert(!d->damage || !d->patch_id);
	}
}
END_TEST

START_TEST(test_many_files)
{
	g_autoptr(GString) text = g_string_new(NULL);
	g_autoptr(diff_auto) d = NULL;

	for (guint i = 0; i < DIFF_MAX_FILES + 10; i++)
		g_string_append(text, head);
	d = diff_parse(text->str, text->len, 0);
	ck_assert_uint_eq(d->files->len, DIFF_MAX_FILES);
	ck_assert_ptr_nonnull(d->damage);
}
END_TEST

static Suite *diff_suite(void)
{
	Suite *suite = suite_create("diff");
	TCase *tc = tcase_create("diff");

	tcase_add_loop_test(tc, test_files, 0, G_N_ELEMENTS(cases));
	tcase_add_loop_test(tc, test_damage, 0, G_N_ELEMENTS(damages));
	tcase_add_test(tc, test_none);
	tcase_add_test(tc, test_extent);
	tcase_add_test(tc, test_id_is_stable);
	tcase_add_test(tc, test_mended_heads);
	tcase_add_loop_test(tc, test_cut_anywhere, 0, G_N_ELEMENTS(cases));
	tcase_add_test(tc, test_many_files);
	suite_add_tcase(suite, tc);
	return suite;
}

TEST_MAIN(diff_suite)
