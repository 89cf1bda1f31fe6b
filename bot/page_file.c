/* page_file.c - writes the files of the site; see page_file.h
 * Knows nothing of what is in them. All names are relative to one open
 * folder, so that no name can lead outside of it. */
#include "bot/page_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define FILE_MODE 0644
#define DIR_MODE  0755
#define BATCH	  256 /* new files that are made durable together */
#define FEW	  16  /* so few are synced one by one */

struct page_dir {
	char *name;
	int fd;
	gboolean force;
	GHashTable *paths;  /* of this run */
	GHashTable *before; /* of earlier runs */
	GPtrArray *waiting; /* paths whose new files are not in place yet */
	struct pages_counts counts;
};

static gboolean fail(const page_dir *d, const char *path, GError **err)
{
	int code = errno;

	g_set_error(err, G_FILE_ERROR, g_file_error_from_errno(code),
		    "%s/%s: %s", d->name, path, g_strerror(code));
	return FALSE;
}

/* Names that are ours to write and, above all, to remove. */
static gboolean path_is_safe(const char *path)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789.-/";

	return *path && strlen(path) <= PAGE_PATH_MAX && *path != '/' &&
	       *path != '.' && !strstr(path, "/.") && !strstr(path, "//") &&
	       path[strspn(path, letters)] == '\0' &&
	       !g_str_has_suffix(path, "/");
}

/* NULL with err unset: it is not there. */
static char *read_all(const page_dir *d, const char *path, gsize *len,
		      GError **err)
{
	int fd = openat(d->fd, path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	struct stat st;
	char *bytes;
	gsize got = 0;
	ssize_t n = 0;

	if (fd < 0) {
		if (errno != ENOENT && errno != ENOTDIR && errno != ELOOP)
			fail(d, path, err);
		return NULL;
	}
	if (fstat(fd, &st) || !S_ISREG(st.st_mode)) {
		close(fd);
		return NULL;
	}
	bytes = g_malloc((gsize)st.st_size + 1);
	while (got < (gsize)st.st_size &&
	       (n = read(fd, bytes + got, (gsize)st.st_size - got)) > 0)
		got += (gsize)n;
	bytes[got] = '\0';
	*len = got;
	close(fd);
	if (n >= 0)
		return bytes;
	fail(d, path, err);
	g_free(bytes);
	return NULL;
}

static gboolean write_all(int fd, const char *bytes, gsize len)
{
	while (len > 0) {
		ssize_t n = write(fd, bytes, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return FALSE;
		bytes += n;
		len -= (gsize)n;
	}
	return fchmod(fd, FILE_MODE) == 0;
}

static char *new_name(guint n)
{
	return g_strdup_printf("%s-%u", PAGE_FILE_NEW, n);
}

/* There is one writer (the lock), so that these names are free; what a killed
 * run left of them is removed by the next. */
static void remove_new(const page_dir *d)
{
	for (guint n = 0; n < BATCH; n++) {
		g_autofree char *name = new_name(n);

		unlinkat(d->fd, name, 0);
	}
}

static gboolean sync_file(const page_dir *d, const char *name)
{
	int fd = openat(d->fd, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	gboolean ok = fd >= 0 && fsync(fd) == 0;

	if (fd >= 0)
		close(fd);
	return ok;
}

/* Bytes first, names then: after a crash a page is the old or the new one. */
static gboolean sync_new(const page_dir *d, GError **err)
{
	if (d->waiting->len > FEW)
		return syncfs(d->fd) == 0 || fail(d, "", err);
	for (guint n = 0; n < d->waiting->len; n++) {
		g_autofree char *name = new_name(n);

		if (!sync_file(d, name))
			return fail(d, name, err);
	}
	return TRUE;
}

/* Put the new files in the place of the old ones, in order of writing. */
static gboolean settle(page_dir *d, GError **err)
{
	if (!sync_new(d, err))
		return FALSE;
	for (guint n = 0; n < d->waiting->len; n++) {
		g_autofree char *name = new_name(n);
		const char *path = d->waiting->pdata[n];

		if (renameat(d->fd, name, d->fd, path))
			return fail(d, path, err);
	}
	g_ptr_array_set_size(d->waiting, 0);
	return TRUE;
}

static gboolean add_new(page_dir *d, const char *path, const char *bytes,
			gsize len, GError **err)
{
	g_autofree char *name = new_name(d->waiting->len);
	int fd = openat(d->fd, name,
			O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW,
			FILE_MODE);
	gboolean ok;

	if (fd < 0)
		return fail(d, name, err);
	ok = write_all(fd, bytes, len);
	ok = close(fd) == 0 && ok;
	if (!ok)
		return fail(d, path, err);
	g_ptr_array_add(d->waiting, g_strdup(path));
	return d->waiting->len < BATCH || settle(d, err);
}

static gboolean make_folders(const page_dir *d, const char *path, GError **err)
{
	for (const char *p = path; (p = strchr(p, '/')); p++) {
		g_autofree char *folder = g_strndup(path, (gsize)(p - path));

		if (mkdirat(d->fd, folder, DIR_MODE) && errno != EEXIST)
			return fail(d, folder, err);
	}
	return TRUE;
}

static void read_list(page_dir *d, const char *text)
{
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);

	for (guint n = 0; lines[n]; n++)
		if (path_is_safe(lines[n]))
			g_hash_table_add(d->before, g_strdup(lines[n]));
}

/* The list of files is written anew by each run and locked by it. */
static gboolean lock(page_dir *d, GError **err)
{
	g_autofree char *text = NULL;
	GError *error = NULL;
	gsize len;

	if (flock(d->fd, LOCK_EX | LOCK_NB)) {
		if (errno != EWOULDBLOCK)
			return fail(d, "", err);
		g_set_error(err, G_FILE_ERROR, G_FILE_ERROR_AGAIN,
			    "%s: another run writes there", d->name);
		return FALSE;
	}
	text = read_all(d, PAGE_FILE_LIST, &len, &error);
	if (text)
		read_list(d, text);
	remove_new(d);
	if (!error)
		return TRUE;
	g_propagate_error(err, error);
	return FALSE;
}

page_dir *page_dir_open(const char *dir, gboolean force, GError **err)
{
	g_autoptr(page_dir) d = g_new0(page_dir, 1);

	d->name = g_strdup(dir);
	d->force = force;
	d->paths = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	d->before =
		g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	d->waiting = g_ptr_array_new_with_free_func(g_free);
	d->fd = -1;
	if (g_mkdir_with_parents(dir, DIR_MODE) == 0)
		d->fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (d->fd >= 0)
		return lock(d, err) ? g_steal_pointer(&d) : NULL;
	g_set_error(err, G_FILE_ERROR, g_file_error_from_errno(errno), "%s: %s",
		    dir, g_strerror(errno));
	return NULL;
}

void page_dir_close(page_dir *d)
{
	if (!d)
		return;
	if (d->fd >= 0 && d->waiting->len)
		remove_new(d);
	if (d->fd >= 0)
		close(d->fd);
	g_ptr_array_unref(d->waiting);
	g_hash_table_unref(d->paths);
	g_hash_table_unref(d->before);
	g_free(d->name);
	g_free(d);
}

gboolean page_dir_put(page_dir *d, const char *path, const char *bytes,
		      gsize len, GError **err)
{
	g_autofree char *old = NULL;
	GError *error = NULL;
	gsize old_len = 0;

	g_assert(path_is_safe(path));
	g_hash_table_add(d->paths, g_strdup(path));
	if (!d->force)
		old = read_all(d, path, &old_len, &error);
	if (error) {
		g_propagate_error(err, error);
		return FALSE;
	}
	if (old && old_len == len && !memcmp(old, bytes, len)) {
		d->counts.unchanged++;
		return TRUE;
	}
	if (!make_folders(d, path, err) || !add_new(d, path, bytes, len, err))
		return FALSE;
	d->counts.written++;
	return TRUE;
}

/* A folder with something else in it stays. */
static void remove_folders(const page_dir *d, const char *path)
{
	g_autofree char *folder = g_strdup(path);
	char *slash;

	while ((slash = strrchr(folder, '/'))) {
		*slash = '\0';
		if (unlinkat(d->fd, folder, AT_REMOVEDIR))
			return;
	}
}

static gboolean remove_vanished(page_dir *d, GError **err)
{
	GHashTableIter iter;
	gpointer path;

	g_hash_table_iter_init(&iter, d->before);
	while (g_hash_table_iter_next(&iter, &path, NULL)) {
		if (g_hash_table_contains(d->paths, path))
			continue;
		if (unlinkat(d->fd, path, 0) == 0)
			d->counts.removed++;
		else if (errno != ENOENT && errno != ENOTDIR)
			return fail(d, path, err);
		remove_folders(d, path);
	}
	return TRUE;
}

static gboolean write_list(page_dir *d, GError **err)
{
	GList *paths = g_list_sort(g_hash_table_get_keys(d->paths),
				   (GCompareFunc)strcmp);
	g_autoptr(GString) text = g_string_new(NULL);
	g_autofree char *old = NULL;
	gsize len = 0;

	for (GList *l = paths; l; l = l->next)
		g_string_append_printf(text, "%s\n", (const char *)l->data);
	g_list_free(paths);
	old = read_all(d, PAGE_FILE_LIST, &len, NULL);
	if (old && len == text->len && !memcmp(old, text->str, len))
		return TRUE;
	return add_new(d, PAGE_FILE_LIST, text->str, text->len, err) &&
	       settle(d, err);
}

gboolean page_dir_finish(page_dir *d, GError **err)
{
	if (!settle(d, err) || !remove_vanished(d, err) || !write_list(d, err))
		return FALSE;
	if (d->counts.written + d->counts.removed && fsync(d->fd))
		return fail(d, "", err);
	return TRUE;
}

gboolean page_dir_had(const page_dir *d, const char *path)
{
	return g_hash_table_contains(d->before, path);
}

gboolean page_dir_finish_part(page_dir *d, GError **err)
{
	GHashTableIter iter;
	gpointer path;

	g_hash_table_iter_init(&iter, d->before);
	while (g_hash_table_iter_next(&iter, &path, NULL))
		g_hash_table_add(d->paths, g_strdup(path));
	return page_dir_finish(d, err);
}

const struct pages_counts *page_dir_counts(const page_dir *d)
{
	return &d->counts;
}
