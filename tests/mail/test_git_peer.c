/* test_git_peer.c - real patches read as git reads them
 * Compares with `git mailinfo`, `git patch-id --stable` and `git apply
 * --numstat` on the mails of the archive in TEST_CORPUS; skipped without. */
#include <gio/gio.h>
#include <string.h>

#include "mail/patch.h"

#include "tests/test.h"

#define BUNDLE	"linux-btrfs-2019-2020.bundle"
#define PATCHES 1000 /* mails compared */
#define STEP	6    /* of the archive's patches, every sixth */

static char *dir;	   /* of this run */
static GPtrArray *patches; /* of GBytes: the mails */

static GBytes *run(GBytes *in, const char *const *argv)
{
	g_autoptr(GSubprocess) child =
		g_subprocess_newv(argv,
				  G_SUBPROCESS_FLAGS_STDIN_PIPE |
					  G_SUBPROCESS_FLAGS_STDOUT_PIPE |
					  G_SUBPROCESS_FLAGS_STDERR_SILENCE,
				  NULL);
	g_autoptr(GBytes) nothing = g_bytes_new_static("", 0);
	GBytes *out = NULL;

	ck_assert_ptr_nonnull(child);
	ck_assert(g_subprocess_communicate(child, in ? in : nothing, NULL, &out,
					   NULL, NULL));
	if (g_subprocess_get_successful(child))
		return out;
	g_bytes_unref(out);
	return NULL;
}

static gboolean is_patch(GBytes *raw)
{
	g_autoptr(message) msg = message_parse(raw, 0, NULL);
	g_autoptr(subject_auto) s = NULL;
	gsize len;
	const char *bytes;

	if (!msg)
		return FALSE;
	s = subject_parse(message_subject(msg), NULL);
	bytes = message_patch_bytes(msg, &len);
	return !s->reply && memmem(bytes, len, "\ndiff --git ", 12) != NULL;
}

/* "<oid> blob <size>\n", the bytes, "\n", as cat-file prints them. */
static void read_batch(GBytes *batch)
{
	gsize len;
	const char *p = g_bytes_get_data(batch, &len);
	const char *end = p + len;
	guint found = 0;

	while (p < end && patches->len < PATCHES) {
		const char *eol = memchr(p, '\n', (gsize)(end - p));
		const char *blank = g_strrstr_len(p, eol - p, " ");
		gsize size = g_ascii_strtoull(blank + 1, NULL, 10);
		g_autoptr(GBytes) raw = g_bytes_new(eol + 1, size);

		if (is_patch(raw) && found++ % STEP == 0)
			g_ptr_array_add(patches, g_bytes_ref(raw));
		p = eol + 1 + size + 1;
	}
}

static void setup(void)
{
	g_autofree char *bundle = g_build_filename(test_corpus(), BUNDLE, NULL);
	g_autofree char *git = NULL;
	g_autoptr(GString) names = g_string_new(NULL);
	g_autoptr(GBytes) done = NULL;
	g_autoptr(GBytes) list = NULL;
	g_autoptr(GBytes) in = NULL;
	g_autoptr(GBytes) batch = NULL;
	g_auto(GStrv) commits = NULL;

	dir = g_dir_make_tmp("culprit-test-XXXXXX", NULL);
	git = g_build_filename(dir, "git", NULL);
	patches = g_ptr_array_new_with_free_func((GDestroyNotify)g_bytes_unref);
	done = run(NULL, (const char *[]){"git", "clone", "-q", "--bare",
					  bundle, git, NULL});
	ck_assert_ptr_nonnull(done);
	list = run(NULL, (const char *[]){"git", "-C", git, "rev-list",
					  "--reverse", "--all", NULL});
	commits = g_strsplit(g_bytes_get_data(list, NULL), "\n", -1);
	for (guint i = 0; commits[i] && strlen(commits[i]) >= 40; i++)
		g_string_append_printf(names, "%.40s:m\n", commits[i]);
	in = g_string_free_to_bytes(g_steal_pointer(&names));
	batch = run(in, (const char *[]){"git", "-C", git, "cat-file",
					 "--batch", "--buffer", NULL});
	read_batch(batch);
	ck_assert_uint_eq(patches->len, PATCHES);
}

static void teardown(void)
{
	g_autoptr(GBytes) done =
		run(NULL, (const char *[]){"rm", "-rf", dir, NULL});

	g_ptr_array_unref(patches);
	g_free(dir);
}

struct reading {
	message *msg;
	struct subject *subject;
	struct patch *patch;
};

static void reading_init(struct reading *r, guint i)
{
	r->msg = message_parse(g_ptr_array_index(patches, i), 0, NULL);
	r->subject = subject_parse(message_subject(r->msg), NULL);
	r->patch = patch_parse(r->msg, r->subject);
}

static void reading_clear(struct reading *r)
{
	patch_free(r->patch);
	subject_free(r->subject);
	message_unref(r->msg);
}

/* Mails that git does not read as people do: patches in attachments, flowed
 * text. */
static gboolean is_excused(const struct reading *r)
{
	return message_patch_attached(r->msg) || message_flowed(r->msg);
}

static char *squeezed(const char *text)
{
	g_auto(GStrv) words = g_strsplit_set(text, " \t\n", -1);
	GString *out = g_string_new(NULL);

	for (guint i = 0; words[i]; i++)
		if (*words[i])
			g_string_append_printf(out, "%s%s", out->len ? " " : "",
					       words[i]);
	return g_string_free(out, FALSE);
}

/* "Key: value" lines of mailinfo; a Subject may have several. */
static char *info_value(GBytes *info, const char *key)
{
	gsize len;
	const char *text = g_bytes_get_data(info, &len);
	g_autofree char *copy = g_strndup(text, len);
	g_auto(GStrv) lines = g_strsplit(copy, "\n", -1);
	g_autoptr(GString) out = g_string_new(NULL);

	for (guint i = 0; lines[i]; i++)
		if (g_str_has_prefix(lines[i], key))
			g_string_append_printf(out, "%s ",
					       lines[i] + strlen(key));
	return squeezed(out->str);
}

static void check_mailinfo(guint i, const struct reading *r)
{
	g_autofree char *msg_path = g_build_filename(dir, "msg", NULL);
	g_autofree char *patch_path = g_build_filename(dir, "patch", NULL);
	g_autoptr(GBytes) info =
		run(g_ptr_array_index(patches, i),
		    (const char *[]){"git", "mailinfo", "-u",
				     r->patch->scissors ? "--scissors"
							: "--no-scissors",
				     msg_path, patch_path, NULL});
	g_autofree char *name = info_value(info, "Author: ");
	g_autofree char *email = info_value(info, "Email: ");
	g_autofree char *title = info_value(info, "Subject: ");
	g_autofree char *ours = squeezed(r->patch->title);
	g_autofree char *text = NULL;
	g_autoptr(GString) wanted = NULL;

	ck_assert(g_file_get_contents(msg_path, &text, NULL, NULL));
	wanted = g_string_new(text);
	g_string_replace(wanted, "\r\n", "\n", 0);
	g_strchomp(wanted->str);
	ck_assert_str_eq(r->patch->author->address, email);
	if (*r->patch->author->name)
		ck_assert_str_eq(r->patch->author->name, name);
	if (!r->subject->malformed)
		ck_assert_str_eq(ours, title);
	g_strchomp(r->patch->commit_message);
	ck_assert_str_eq(r->patch->commit_message, wanted->str);
}

START_TEST(test_mailinfo)
{
	guint compared = 0;

	for (guint i = 0; i < patches->len; i++) {
		struct reading r;

		reading_init(&r, i);
		if (!is_excused(&r)) {
			check_mailinfo(i, &r);
			compared++;
		}
		reading_clear(&r);
	}
	ck_assert_uint_gt(compared, PATCHES * 9 / 10);
}
END_TEST

/* One process for all: git takes "commit <id>" lines for the beginning of a
 * patch and prints that id behind the patch's. */
START_TEST(test_patch_id)
{
	g_autoptr(GString) all = g_string_new(NULL);
	g_autoptr(GBytes) in = NULL;
	g_autoptr(GBytes) out = NULL;
	g_autofree char *text = NULL;
	gsize len;
	guint same = 0;

	for (guint i = 0; i < patches->len; i++) {
		struct reading r;
		const char *bytes;

		reading_init(&r, i);
		bytes = message_patch_bytes(r.msg, &len);
		g_string_append_printf(all, "commit %040x\n", i + 1);
		/* a message may name commits, too */
		g_string_append_len(all, bytes + r.patch->diff->start,
				    (gssize)(len - r.patch->diff->start));
		g_string_append_c(all, '\n');
		reading_clear(&r);
	}
	in = g_string_free_to_bytes(g_steal_pointer(&all));
	out = run(in, (const char *[]){"git", "patch-id", "--stable", NULL});
	text = g_strndup(g_bytes_get_data(out, NULL), g_bytes_get_size(out));
	for (guint i = 0; i < patches->len; i++) {
		g_autofree char *mark = g_strdup_printf(" %040x\n", i + 1);
		const char *found = strstr(text, mark);
		struct reading r;

		reading_init(&r, i);
		ck_assert_msg(found != NULL, "%s", message_id(r.msg));
		if (r.patch->diff->damage) {
			ck_assert_ptr_null(r.patch->diff->patch_id);
		} else {
			g_autofree char *id = g_strndup(found - 40, 40);

			ck_assert_str_eq(r.patch->diff->patch_id, id);
			same++;
		}
		reading_clear(&r);
	}
	ck_assert_uint_gt(same, PATCHES * 98 / 100);
}
END_TEST

/* "1\t2\tpath" with NUL behind each, as apply -z prints it. */
static void append_numstat(GString *out, const struct diff *d)
{
	for (guint i = 0; i < d->files->len; i++) {
		const struct diff_file *f = g_ptr_array_index(d->files, i);

		if (f->binary)
			g_string_append_printf(out, "-\t-\t%s", f->path);
		else
			g_string_append_printf(out, "%u\t%u\t%s", f->insertions,
					       f->deletions, f->path);
		g_string_append_c(out, '\0');
	}
}

START_TEST(test_numstat)
{
	guint refused = 0;

	for (guint i = 0; i < patches->len; i++) {
		g_autoptr(GString) ours = g_string_new(NULL);
		g_autoptr(GBytes) in = NULL;
		g_autoptr(GBytes) out = NULL;
		struct reading r;
		const char *bytes;
		gsize len;

		reading_init(&r, i);
		bytes = message_patch_bytes(r.msg, &len);
		in = g_bytes_new(bytes, len);
		out = run(in, (const char *[]){"git", "-C", "/", "apply",
					       "--numstat", "-z", NULL});
		append_numstat(ours, r.patch->diff);
		if (!out) {
			refused++;
		} else {
			ck_assert_uint_eq(g_bytes_get_size(out), ours->len);
			ck_assert_mem_eq(g_bytes_get_data(out, NULL), ours->str,
					 ours->len);
			ck_assert_ptr_null(r.patch->diff->damage);
		}
		reading_clear(&r);
	}
	ck_assert_uint_lt(refused, PATCHES / 50);
}
END_TEST

static Suite *git_peer_suite(void)
{
	Suite *suite = suite_create("git-peer");
	TCase *tc = tcase_create("git-peer");

	suite_add_tcase(suite, tc);
	if (!test_corpus()) {
		g_print("git-peer: skipped, TEST_CORPUS is not there\n");
		return suite;
	}
	/* GSubprocess does not survive the fork of an unchecked fixture */
	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, test_mailinfo);
	tcase_add_test(tc, test_patch_id);
	tcase_add_test(tc, test_numstat);
	return suite;
}

TEST_MAIN(git_peer_suite)
