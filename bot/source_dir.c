/* source_dir.c - folders of files: Maildir, MH, anything with message files
 * They have no position: file names and times do not tell that contents are
 * the same, while known bytes are cheap to recognise. */
#include <dirent.h>
#include <errno.h>
#include <string.h>

#include "bot/source_priv.h"

/* ---- names */

static gint by_bytes(gconstpointer a, gconstpointer b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static struct dirent *next_entry(DIR *dir)
{
	errno = 0;
	return readdir(dir);
}

GPtrArray *source_names(const char *folder, source_name_fn want, GError **err)
{
	g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
	DIR *dir = opendir(folder);
	struct dirent *e;
	int why = errno;

	while (dir && (e = next_entry(dir))) {
		if (strcmp(e->d_name, ".") && strcmp(e->d_name, "..") &&
		    want(e->d_name))
			g_ptr_array_add(names, g_strdup(e->d_name));
		if (names->len > SOURCE_MAX_FILES) {
			errno = EFBIG;
			break;
		}
	}
	if (dir) {
		why = errno;
		closedir(dir);
	}
	if (why) {
		g_set_error(err, SOURCE_ERROR, SOURCE_ERROR_OPEN, "%s: %s",
			    folder, g_strerror(why));
		return NULL;
	}
	g_ptr_array_sort(names, by_bytes);
	return g_steal_pointer(&names);
}

static gboolean not_hidden(const char *name)
{
	return name[0] != '.';
}

/* MH marks removed messages with a prefix; other names are not messages. */
static gboolean is_number(const char *name)
{
	return *name && strspn(name, "0123456789") == strlen(name);
}

static gint by_number(gconstpointer a, gconstpointer b)
{
	const char *x = *(char *const *)a, *y = *(char *const *)b;
	guint64 m = g_ascii_strtoull(x, NULL, 10);
	guint64 n = g_ascii_strtoull(y, NULL, 10);

	return m < n ? -1 : m > n ? 1 : strcmp(x, y);
}

/* Names of files that are meant to be mail, packed or not. */
static gboolean named_as_mail(const char *name)
{
	static const char *const ends[] = {".eml", ".mbox", ".mboxrd", ".msg"};
	g_autofree char *base = g_strdup(name);

	if (g_str_has_suffix(base, ".gz"))
		base[strlen(base) - 3] = '\0';
	else if (g_str_has_suffix(base, ".zst"))
		base[strlen(base) - 4] = '\0';
	for (guint i = 0; i < G_N_ELEMENTS(ends); i++)
		if (g_str_has_suffix(base, ends[i]))
			return TRUE;
	return FALSE;
}

static gboolean is_folder(const char *folder, const char *name)
{
	g_autofree char *path = g_build_filename(folder, name, NULL);

	return g_file_test(path, G_FILE_TEST_IS_DIR);
}

/* ---- one file of a folder */

static gboolean skipped(const struct source_home *home, const char *path,
			struct source_context *ctx, GError **err)
{
	struct source_event ev = {.type = SOURCE_SKIPPED,
				  .kind = home->kind,
				  .place = home->place,
				  .name = path};

	return source_say(ctx, &ev, err);
}

/* FALSE: stop everything. A file that can't be read does not stop. `from` is
 * the open file; where it is NULL `*why` says why not. */
static gboolean read_file(const char *path, unpack *from, GError **why,
			  const struct source_home *home,
			  struct source_context *ctx, gboolean *found,
			  gboolean *broken, GError **err)
{
	if (from && source_file(from, home, ctx, why)) {
		*found = TRUE;
		return TRUE;
	}
	if (g_error_matches(*why, SOURCE_ERROR, SOURCE_ERROR_NO_MAIL) &&
	    !named_as_mail(path)) {
		g_clear_error(why);
		return skipped(home, path, ctx, err);
	}
	*found = *broken = TRUE;
	return source_broken(ctx, home->kind, home->place, why, err);
}

/* ---- Maildir */

static gboolean maildir_probe(const char *path)
{
	return is_folder(path, "cur") && is_folder(path, "new");
}

#define MAILDIR_PASSES 5
#define MAILDIR_SLACK  3600 /* seconds that are looked at again */

/* The position is the latest change of a file's inode: whatever comes later,
 * by delivery, copying or moving, has a later one. */
struct maildir {
	struct source_home home;
	struct source_context *ctx;
	GHashTable *done; /* names that were handed over, without flags */
	gint64 since;	  /* older ones were: by an earlier run */
	gint64 newest;
	gboolean again, broken;
};

/* One file of new/ or cur/. `*moved`: it was renamed while we read, as every
 * mail program does. */
static gboolean maildir_file(struct maildir *m, const char *folder,
			     const char *name, gboolean *moved, GError **err)
{
	g_autofree char *path = g_build_filename(folder, name, NULL);
	g_autoptr(GError) why = NULL;
	g_autoptr(unpack) from = NULL;
	gboolean found, there;
	struct stat st;

	there = lstat(path, &st) == 0;
	if (there && S_ISREG(st.st_mode) && st.st_ctime < m->since)
		return TRUE;
	from = unpack_open(path, m->ctx->stopped, &why);
	*moved = !from && lstat(path, &st) < 0 && errno == ENOENT;
	if (*moved)
		return TRUE;
	if (there)
		m->newest = MAX(m->newest, st.st_ctime);
	return read_file(path, from, &why, &m->home, m->ctx, &found, &m->broken,
			 err);
}

/* Files of new/ or cur/ that were not handed over yet. */
static gboolean maildir_pass(struct maildir *m, const char *folder,
			     GError **err)
{
	g_autoptr(GPtrArray) names = source_names(folder, not_hidden, err);

	if (!names)
		return FALSE;
	for (guint i = 0; i < names->len; i++) {
		const char *name = names->pdata[i];
		g_autofree char *base = g_strndup(name, strcspn(name, ":"));
		gboolean moved = FALSE;

		if (g_hash_table_contains(m->done, base) ||
		    is_folder(folder, name))
			continue;
		if (!maildir_file(m, folder, name, &moved, err))
			return FALSE;
		if (moved)
			m->again = TRUE;
		else
			g_hash_table_add(m->done, g_steal_pointer(&base));
	}
	return TRUE;
}

static gboolean maildir_passes(struct maildir *m, GError **err)
{
	const char *path = m->home.place;
	g_autofree char *new = g_build_filename(path, "new", NULL);
	g_autofree char *cur = g_build_filename(path, "cur", NULL);

	m->again = TRUE;
	for (int i = 0; m->again && i < MAILDIR_PASSES; i++) {
		m->again = FALSE;
		if (!maildir_pass(m, new, err) || !maildir_pass(m, cur, err))
			return FALSE;
	}
	return TRUE;
}

/* What could not be read is looked at the next time, so all is. */
static gboolean maildir_finish(struct maildir *m, GError **err)
{
	g_autofree char *cursor =
		g_strdup_printf("%" G_GINT64_FORMAT, m->newest);

	if (m->again || m->broken || m->newest == 0)
		return TRUE;
	return source_cursor(m->ctx, m->home.kind, m->home.place, cursor, err);
}

static gboolean maildir_read(const char *path, struct source_context *ctx,
			     GError **err)
{
	g_autofree char *cursor = source_position(ctx, "maildir", path);
	struct maildir m = {.home = {.kind = "maildir",
				     .place = path,
				     .form = SOURCE_FORM_SINGLE},
			    .ctx = ctx};
	gboolean ok;

	if (cursor)
		m.newest = g_ascii_strtoll(cursor, NULL, 10);
	else if (!source_afresh(ctx, m.home.kind, path, err))
		return FALSE;
	m.since = m.newest - MAILDIR_SLACK;
	m.done = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	ok = maildir_passes(&m, err) && maildir_finish(&m, err);
	g_hash_table_unref(m.done);
	return ok;
}

const struct source_ops source_maildir = {
	.name = "maildir",
	.probe = maildir_probe,
	.read = maildir_read,
};

/* ---- MH and folders of message files */

static gboolean read_names(const char *path, GPtrArray *names,
			   const struct source_home *home,
			   struct source_context *ctx, GError **err)
{
	gboolean found = FALSE, broken;

	if (!source_afresh(ctx, home->kind, home->place, err))
		return FALSE;
	for (guint i = 0; i < names->len; i++) {
		const char *name = names->pdata[i];
		g_autofree char *file = g_build_filename(path, name, NULL);
		g_autoptr(GError) why = NULL;
		g_autoptr(unpack) from = NULL;

		if (is_folder(path, name))
			continue;
		from = unpack_open(file, ctx->stopped, &why);
		if (!read_file(file, from, &why, home, ctx, &found, &broken,
			       err))
			return FALSE;
	}
	if (!found)
		g_set_error(err, SOURCE_ERROR, SOURCE_ERROR_NO_MAIL,
			    "%s: holds no mail", path);
	return found;
}

static gboolean mh_probe(const char *path)
{
	g_autoptr(GPtrArray) names = source_names(path, is_number, NULL);

	for (guint i = 0; names && i < names->len; i++)
		if (!is_folder(path, names->pdata[i]))
			return TRUE;
	return FALSE;
}

static gboolean mh_read(const char *path, struct source_context *ctx,
			GError **err)
{
	const struct source_home home = {.kind = "mh",
					 .place = path,
					 .form = SOURCE_FORM_SINGLE};
	g_autoptr(GPtrArray) names = source_names(path, is_number, err);

	if (!names)
		return FALSE;
	g_ptr_array_sort(names, by_number);
	return read_names(path, names, &home, ctx, err);
}

const struct source_ops source_mh = {
	.name = "mh",
	.probe = mh_probe,
	.read = mh_read,
	.nested = TRUE,
};

static gboolean folder_probe(const char *path)
{
	return TRUE;
}

static gboolean folder_read(const char *path, struct source_context *ctx,
			    GError **err)
{
	const struct source_home home = {.kind = "file", .place = path};
	g_autoptr(GPtrArray) names = source_names(path, not_hidden, err);

	return names && read_names(path, names, &home, ctx, err);
}

const struct source_ops source_folder = {
	.name = "file",
	.probe = folder_probe,
	.read = folder_read,
	.nested = TRUE,
};
