/* source.c - finding out what a path is, and reading it as that
 * Knows no format itself: folders are told by the table of their readers. */
#include "bot/source.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bot/net.h"
#include "bot/source_priv.h"

G_DEFINE_QUARK(source - error - quark, source_error)

/* First fit wins; the last one fits always. */
static const struct source_ops *const folders[] = {
	&source_maildir, &source_inbox, &source_git, &source_mh, &source_folder,
};

static const struct source_ops *folder_kind(const char *path)
{
	guint i;

	for (i = 0; i < G_N_ELEMENTS(folders) - 1; i++)
		if (folders[i]->probe(path))
			break;
	return folders[i];
}

/* ---- saying something */

gboolean source_say(struct source_context *ctx, const struct source_event *ev,
		    GError **err)
{
	if (!(ctx->stopped && ctx->stopped()) &&
	    !g_cancellable_is_cancelled(ctx->cancel) &&
	    ctx->sink(ev, ctx->data))
		return TRUE;
	g_set_error(err, SOURCE_ERROR, SOURCE_ERROR_STOPPED, "%s: interrupted",
		    ev->place);
	return FALSE;
}

gboolean source_afresh(struct source_context *ctx, const char *kind,
		       const char *place, GError **err)
{
	struct source_event ev = {.type = SOURCE_AFRESH,
				  .kind = kind,
				  .place = place};

	return source_say(ctx, &ev, err);
}

gboolean source_cursor(struct source_context *ctx, const char *kind,
		       const char *place, const char *cursor, GError **err)
{
	struct source_event ev = {.type = SOURCE_CURSOR,
				  .kind = kind,
				  .place = place,
				  .cursor = cursor};

	return source_say(ctx, &ev, err);
}

char *source_position(struct source_context *ctx, const char *kind,
		      const char *place)
{
	return ctx->cursor_of ? ctx->cursor_of(kind, place, ctx->data) : NULL;
}

const char *source_error_code(const GError *e)
{
	if (e->domain == NET_ERROR)
		return net_error_code(e);
	switch ((enum source_error)e->code) {
	case SOURCE_ERROR_NO_MAIL:
		return "no-mail";
	case SOURCE_ERROR_MISSING:
		return "missing";
	case SOURCE_ERROR_READ:
		return "damaged";
	default:
		return "unreadable";
	}
}

gboolean source_broken(struct source_context *ctx, const char *kind,
		       const char *place, GError **part, GError **err)
{
	g_autoptr(GError) e = g_steal_pointer(part);
	struct source_event ev = {.type = SOURCE_BROKEN,
				  .kind = kind,
				  .place = place,
				  .code = source_error_code(e),
				  .error = e};

	if (g_error_matches(e, SOURCE_ERROR, SOURCE_ERROR_STOPPED)) {
		g_propagate_error(err, g_steal_pointer(&e));
		return FALSE;
	}
	return source_say(ctx, &ev, err);
}

/* ---- folders and what is below them */

struct below {
	char *path;
	guint depth;
};

static void below_free(gpointer data)
{
	struct below *b = data;

	g_free(b->path);
	g_free(b);
}

/* Hidden ones are none of the mail's (".git", a Maildir's trash). */
static gboolean not_hidden(const char *name)
{
	return name[0] != '.';
}

static void queue_folder(GQueue *todo, const char *path, guint depth)
{
	struct below *b = g_new(struct below, 1);

	b->path = g_strdup(path);
	b->depth = depth;
	g_queue_push_tail(todo, b);
}

static gboolean see_folder(GHashTable *seen, const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISDIR(st.st_mode) &&
	       g_hash_table_add(seen,
				g_strdup_printf("%ju:%ju", (uintmax_t)st.st_dev,
						(uintmax_t)st.st_ino));
}

/* Folders in `b`, each once whatever links lead to it. */
static gboolean queue_nested(GQueue *todo, GHashTable *seen,
			     const struct below *b, GError **err)
{
	g_autoptr(GPtrArray) names = source_names(b->path, not_hidden, err);

	if (!names)
		return FALSE;
	for (guint i = 0; i < names->len; i++) {
		g_autofree char *path =
			g_build_filename(b->path, names->pdata[i], NULL);

		if (!see_folder(seen, path))
			continue;
		if (b->depth >= SOURCE_MAX_DEPTH) {
			g_set_error(err, SOURCE_ERROR, SOURCE_ERROR_OPEN,
				    "%s: more than %d folders deep", path,
				    SOURCE_MAX_DEPTH);
			return FALSE;
		}
		queue_folder(todo, path, b->depth + 1);
	}
	return TRUE;
}

/* One folder; `*found` if it holds mail, whether new or not. */
static gboolean read_folder(const struct below *b, GQueue *todo,
			    GHashTable *seen, struct source_context *ctx,
			    gboolean *found, GError **err)
{
	const struct source_ops *ops = folder_kind(b->path);
	g_autoptr(GError) part = NULL;

	if (ops->read(b->path, ctx, &part))
		*found = TRUE;
	else if (g_error_matches(part, SOURCE_ERROR, SOURCE_ERROR_NO_MAIL) &&
		 (ops->nested || b->depth > 0))
		g_clear_error(&part);
	if (!part && ops->nested)
		queue_nested(todo, seen, b, &part);
	if (!part)
		return TRUE;
	if (b->depth > 0) {
		*found = TRUE;
		return source_broken(ctx, ops->name, b->path, &part, err);
	}
	g_propagate_error(err, g_steal_pointer(&part));
	return FALSE;
}

static gboolean read_folders(const char *top, struct source_context *ctx,
			     GError **err)
{
	g_autoptr(GHashTable) seen =
		g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	GQueue todo = G_QUEUE_INIT;
	gboolean found = FALSE, ok = TRUE;

	see_folder(seen, top);
	queue_folder(&todo, top, 0);
	while (ok && todo.length > 0) {
		struct below *b = g_queue_pop_head(&todo);

		ok = read_folder(b, &todo, seen, ctx, &found, err);
		below_free(b);
	}
	g_queue_clear_full(&todo, below_free);
	if (!ok || found)
		return ok;
	g_set_error(err, SOURCE_ERROR, SOURCE_ERROR_NO_MAIL,
		    "%s: holds no mail", top);
	return FALSE;
}

/* ---- paths */

/* The shell's <(...) and names of streams that are open already. */
static gboolean is_open_stream(const char *path)
{
	struct stat st;

	return (g_str_has_prefix(path, "/dev/fd/") ||
		g_str_has_prefix(path, "/proc/self/fd/") ||
		g_str_equal(path, "/dev/stdin")) &&
	       stat(path, &st) == 0 && S_ISFIFO(st.st_mode);
}

static gboolean read_stream(const char *path, struct source_context *ctx,
			    GError **err)
{
	static const struct source_home home = {.kind = "stdin", .place = "-"};
	guint64 fd = STDIN_FILENO;
	const char *number = strrchr(path, '/');
	g_autoptr(unpack) from = NULL;

	if (number)
		g_ascii_string_to_unsigned(number + 1, 10, 0, G_MAXINT, &fd,
					   NULL);
	from = unpack_stream((int)fd, "stdin", ctx->stopped);
	return source_file(from, &home, ctx, err);
}

static gboolean read_file(const char *path, struct source_context *ctx,
			  GError **err)
{
	struct source_home home = {.kind = "file", .place = path};
	g_autoptr(unpack) from = unpack_open(path, ctx->stopped, err);

	return from && source_file(from, &home, ctx, err);
}

gboolean source_read_path(const char *path, struct source_context *ctx,
			  GError **err)
{
	g_autofree char *full = NULL;
	struct stat st;

	if (g_str_equal(path, "-") || is_open_stream(path))
		return read_stream(path, ctx, err);
	full = realpath(path, NULL);
	if (!full || stat(full, &st) < 0) {
		g_set_error(err, SOURCE_ERROR, SOURCE_ERROR_OPEN, "%s: %s",
			    path, g_strerror(errno));
		return FALSE;
	}
	return S_ISDIR(st.st_mode) ? read_folders(full, ctx, err)
				   : read_file(full, ctx, err);
}
