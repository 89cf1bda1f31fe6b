/* source_inbox.c - a public-inbox, followed by its git repositories
 * The manifest tells which of them changed; those are fetched, and the copies
 * read as any archive on the disk, whose positions are of that reader. Here a
 * position is only which state of each was fetched. */
#include <string.h>

#include "bot/git_run.h"
#include "bot/http_thread.h"
#include "bot/inbox_clone.h"
#include "bot/inbox_manifest.h"
#include "bot/source_priv.h"

#define KIND	 "inbox"
#define MANIFEST "manifest.js.gz"
#define MAX_WORD 200

struct follower {
	struct http_inbox inbox;
	const struct remote *r;
	struct source_context *ctx;
	GHashTable *had;   /* epoch number as text -> fingerprint fetched */
	GPtrArray *epochs; /* of the manifest; NULL: not changed */
	char *etag; /* its date is the newest mail's, and tells nothing */
};

/* ---- position: "0=FINGERPRINT 1=... etag=..." */

static void load_position(struct follower *f)
{
	g_autofree char *cursor = source_position(f->ctx, KIND, f->inbox.url);
	g_auto(GStrv) words = g_strsplit(cursor ? cursor : "", " ", -1);

	f->had = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	for (guint i = 0; words[i]; i++) {
		char *value = strchr(words[i], '=');

		if (!value)
			continue;
		*value++ = '\0';
		g_hash_table_replace(f->had, g_strdup(words[i]),
				     g_uri_unescape_string(value, NULL));
	}
	f->etag = g_strdup(g_hash_table_lookup(f->had, "etag"));
}

static void remember(struct follower *f, const char *name, const char *value)
{
	if (value && strlen(value) <= MAX_WORD)
		g_hash_table_replace(f->had, g_strdup(name), g_strdup(value));
	else
		g_hash_table_remove(f->had, name);
}

static gboolean say_position(struct follower *f, GError **err)
{
	g_autoptr(GList) names = g_hash_table_get_keys(f->had);
	GString *cursor = g_string_new(NULL);
	gboolean ok;

	names = g_list_sort(names, (GCompareFunc)strcmp);
	for (GList *n = names; n; n = n->next) {
		const char *value = g_hash_table_lookup(f->had, n->data);
		g_autofree char *text = g_uri_escape_string(value, NULL, FALSE);

		g_string_append_printf(cursor, "%s%s=%s",
				       cursor->len ? " " : "", (char *)n->data,
				       text);
	}
	ok = source_cursor(f->ctx, KIND, f->inbox.url, cursor->str, err);
	g_string_free(cursor, TRUE);
	return ok;
}

/* ---- the manifest */

static char *copy_of(const struct follower *f, const char *number)
{
	g_autofree char *name = g_strconcat(number, ".git", NULL);

	return g_build_filename(f->r->path, "git", name, NULL);
}

/* All copies that the position speaks of are there. */
static gboolean is_whole(const struct follower *f)
{
	GHashTableIter iter;
	gpointer name;

	g_hash_table_iter_init(&iter, f->had);
	while (g_hash_table_iter_next(&iter, &name, NULL)) {
		g_autofree char *dir = copy_of(f, name);

		if (g_ascii_isdigit(*(char *)name) && !git_is_repository(dir))
			return FALSE;
	}
	return TRUE;
}

static gboolean no_epochs(struct follower *f, GError **err)
{
	g_set_error(err, NET_ERROR, NET_ERROR_REFUSED,
		    "%s: has no git repositories in its manifest; is it a "
		    "public-inbox?",
		    f->inbox.url);
	return FALSE;
}

/* The manifest at `where`; with `path` its members below that. */
static gboolean take_manifest(struct follower *f, const char *where,
			      const char *path, guint *status, GError **err)
{
	gboolean whole = is_whole(f);
	struct http_answer a;

	if (!http_inbox_page(&f->inbox, where, whole ? f->etag : NULL, NULL, &a,
			     err))
		return FALSE;
	*status = a.status;
	if (a.status == 200) {
		f->epochs =
			inbox_manifest_parse(a.body, path, f->inbox.url, err);
		g_free(f->etag);
		f->etag = g_steal_pointer(&a.etag);
	}
	http_answer_clear(&a);
	return *status != 200 ||
	       (f->epochs && (f->epochs->len > 0 || no_epochs(f, err)));
}

/* "/list" of "https://example.org/list/". */
static char *path_of(const char *url)
{
	g_autoptr(GUri) uri = g_uri_parse(url, G_URI_FLAGS_ENCODED, NULL);
	const char *path = uri ? g_uri_get_path(uri) : "";

	return g_strndup(path, strlen(path) - (*path ? 1 : 0));
}

/* Of the inbox alone, else of all that the server has. */
static gboolean ask_manifest(struct follower *f, GError **err)
{
	g_autofree char *path = path_of(f->inbox.url);
	guint status;

	if (!take_manifest(f, MANIFEST, NULL, &status, err))
		return FALSE;
	if (status == 404 &&
	    !take_manifest(f, "../" MANIFEST, path, &status, err))
		return FALSE;
	return status != 404 || no_epochs(f, err);
}

/* ---- what changed */

static gboolean fetch_epoch(struct follower *f, const struct inbox_epoch *e,
			    GError **err)
{
	g_autofree char *number = g_strdup_printf("%u", e->number);
	g_autofree char *modified =
		g_strdup_printf("%" G_GINT64_FORMAT, e->modified);
	const char *state = e->fingerprint ? e->fingerprint : modified;
	const char *had = g_hash_table_lookup(f->had, number);
	g_autofree char *url =
		g_strdup_printf("%sgit/%u.git", f->inbox.url, e->number);
	g_autofree char *dir = copy_of(f, number);
	gboolean exists = git_is_repository(dir);

	if (exists && had && g_str_equal(had, state))
		return TRUE;
	if (!exists && e->modified && e->modified < f->r->since)
		return TRUE;
	if (!inbox_clone_fetch(f->r, url, dir, f->ctx, err))
		return FALSE;
	remember(f, number, state);
	return TRUE;
}

static gboolean fetch(struct follower *f, GError **err)
{
	if (!ask_manifest(f, err))
		return FALSE;
	for (guint i = 0; f->epochs && i < f->epochs->len; i++)
		if (!fetch_epoch(f, f->epochs->pdata[i], err))
			return FALSE;
	remember(f, "etag", f->etag);
	return TRUE;
}

/* What was fetched, now or before; none of it may be young enough. */
static gboolean read_copies(struct follower *f, GError **err)
{
	g_autofree char *folder = g_build_filename(f->r->path, "git", NULL);
	g_autoptr(GError) why = NULL;

	if (!g_file_test(folder, G_FILE_TEST_IS_DIR) ||
	    source_read_path(f->r->path, f->ctx, &why) ||
	    g_error_matches(why, SOURCE_ERROR, SOURCE_ERROR_NO_MAIL))
		return TRUE;
	g_propagate_error(err, g_steal_pointer(&why));
	return FALSE;
}

static gboolean follow_inbox(struct follower *f, GError **err)
{
	g_autoptr(GError) why = NULL;
	gboolean fetched = fetch(f, &why);

	if (g_cancellable_is_cancelled(f->ctx->cancel) ||
	    (read_copies(f, err) && say_position(f, err) &&
	     (!fetched || http_thread_wanted(&f->inbox, err)))) {
		if (!fetched)
			g_propagate_error(err, g_steal_pointer(&why));
		return fetched;
	}
	return FALSE;
}

/* ---- what remote.h sees */

static void begin(struct follower *f, const struct remote *r,
		  struct source_context *ctx)
{
	memset(f, 0, sizeof(*f));
	f->r = r;
	f->ctx = ctx;
	http_inbox_init(&f->inbox, r, ctx);
	load_position(f);
}

static void end(struct follower *f)
{
	http_inbox_clear(&f->inbox);
	g_hash_table_unref(f->had);
	g_clear_pointer(&f->epochs, g_ptr_array_unref);
	g_free(f->etag);
}

static gboolean read_all(const struct remote *r, struct source_context *ctx,
			 GError **err)
{
	struct follower f;
	gboolean ok;

	begin(&f, r, ctx);
	ok = follow_inbox(&f, err);
	end(&f);
	return ok;
}

static gboolean probe(const struct remote *r, GCancellable *cancel, char **said,
		      GError **err)
{
	struct source_context ctx = {.cancel = cancel};
	struct follower f;
	gboolean ok;
	guint n;

	begin(&f, r, &ctx);
	ok = ask_manifest(&f, err);
	n = f.epochs ? f.epochs->len : 0;
	if (ok)
		*said = g_strdup_printf("answers, %u git %s", n,
					n == 1 ? "repository" : "repositories");
	end(&f);
	return ok;
}

const struct remote_ops remote_inbox = {
	.type = "inbox",
	.read = read_all,
	.thread = http_thread_read,
	.probe = probe,
};
