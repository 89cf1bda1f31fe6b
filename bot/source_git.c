/* source_git.c - public-inbox archives: a repository, or a folder of epochs
 * The position is the commit up to which all was handed over. Where that is
 * no longer part of the history (a purge rewrites it), everything is handed
 * over again and what the new history lacks is deleted. */
#include "bot/source_git.h"

#include <string.h>
#include <sys/stat.h>

#define KIND "git"

struct archive {
	const char *place;
	struct source_context *ctx;
	struct git_repo *repo;
	enum git_layout layout;
	struct git_history history;
	gboolean incomplete; /* a part can't be read: to be looked at again */
	GPtrArray *siblings; /* epochs that a deletion may be meant for */
	GHashTable *live;    /* oids as GBytes, while histories are compared */
};

/* ---- epochs of an inbox */

static gboolean is_epoch(const char *name)
{
	gsize digits = strspn(name, "0123456789");

	return digits > 0 && digits < 10 && strcmp(name + digits, ".git") == 0;
}

static gint by_number(gconstpointer a, gconstpointer b)
{
	return (int)g_ascii_strtoull(*(char *const *)a, NULL, 10) -
	       (int)g_ascii_strtoull(*(char *const *)b, NULL, 10);
}

/* Names of the epochs in `folder`, oldest first; NULL if there are none. */
static GPtrArray *epochs_in(const char *folder)
{
	g_autoptr(GPtrArray) names = source_names(folder, is_epoch, NULL);

	if (!names || names->len == 0 || names->len > SOURCE_MAX_EPOCHS)
		return NULL;
	g_ptr_array_sort(names, by_number);
	return g_steal_pointer(&names);
}

/* A deletion stands in the newest epoch, whichever holds the message. */
static GPtrArray *siblings_of(const char *place)
{
	g_autofree char *folder = g_path_get_dirname(place);
	g_autofree char *self = g_path_get_basename(place);
	g_autoptr(GPtrArray) names = is_epoch(self) ? epochs_in(folder) : NULL;
	GPtrArray *paths = g_ptr_array_new_with_free_func(g_free);

	for (guint i = 0; names && i < names->len; i++) {
		const char *name = names->pdata[i];

		if (strcmp(name, self) == 0)
			break;
		g_ptr_array_add(paths, g_build_filename(folder, name, NULL));
	}
	g_ptr_array_add(paths, g_strdup(place));
	return paths;
}

/* ---- messages and deletions */

static gboolean say_deleted(struct archive *a, const char *place,
			    const guint8 oid[OID_LEN], GError **err)
{
	struct source_event ev = {.type = SOURCE_DELETED,
				  .kind = KIND,
				  .place = place,
				  .oid = oid};

	return source_say(a->ctx, &ev, err);
}

/* While histories are compared, what a later commit deletes is not shown. */
static gboolean is_live(const struct archive *a, const guint8 oid[OID_LEN])
{
	g_autoptr(GBytes) key = a->live ? g_bytes_new(oid, OID_LEN) : NULL;

	return !key || g_hash_table_contains(a->live, key);
}

/* What public-inbox puts in the place of a message that is purged. */
static gboolean is_purged(const guint8 oid[OID_LEN])
{
	static const guint8 nothing[OID_LEN] = {
		0xe6, 0x9d, 0xe2, 0x9b, 0xb2, 0xd1, 0xd6, 0x43, 0x4b, 0x8b,
		0x29, 0xae, 0x77, 0x5a, 0xd8, 0xc2, 0xe4, 0x8c, 0x53, 0x91,
	};

	return memcmp(oid, nothing, OID_LEN) == 0;
}

static gboolean say_change(const guint8 oid[OID_LEN], gboolean added,
			   const struct git_step *step, void *data,
			   GError **err)
{
	struct archive *a = data;
	struct source_event ev = {.type = SOURCE_MAIL,
				  .kind = KIND,
				  .place = a->place,
				  .oid = oid,
				  .received = step->time,
				  .in_git = TRUE};

	if (added)
		return is_purged(oid) || !is_live(a, oid) ||
		       source_say(a->ctx, &ev, err);
	if (!a->siblings)
		a->siblings = siblings_of(a->place);
	for (guint i = 0; i < a->siblings->len; i++)
		if (!say_deleted(a, a->siblings->pdata[i], oid, err))
			return FALSE;
	return TRUE;
}

static const struct git_step *step_at(const struct archive *a, guint i)
{
	return &g_array_index(a->history.steps, struct git_step, i);
}

static gboolean say_position(struct archive *a, const struct git_step *step,
			     GError **err)
{
	char hex[GIT_OID_HEXSZ + 1];
	git_oid id;

	git_oid_fromraw(&id, step->id);
	git_oid_tostr(hex, sizeof(hex), &id);
	return source_cursor(a->ctx, KIND, a->place, hex, err);
}

/* No position stands for what comes from here on. */
static gboolean say_broken(struct archive *a, GError **part, GError **err)
{
	a->incomplete = TRUE;
	return source_broken(a->ctx, KIND, a->place, part, err);
}

/* Everything of the history, oldest first. */
static gboolean say_all(struct archive *a, GError **err)
{
	const guint8 *before = a->history.met ? a->history.base : NULL;

	for (guint i = a->history.steps->len; i-- > 0;) {
		const struct git_step *step = step_at(a, i);
		g_autoptr(GError) part = NULL;

		if (git_changes(a->repo, a->layout, before, step, say_change, a,
				&part))
			before = step->tree;
		else if (!say_broken(a, &part, err))
			return FALSE;
		/* Of several lines of history no commit stands for what came
		 * before it in our order, but the last. */
		if (!a->incomplete &&
		    (!a->history.merges || a->layout == GIT_LAYOUT_V1 ||
		     i == 0) &&
		    !say_position(a, step, err))
			return FALSE;
	}
	return TRUE;
}

/* ---- a rewritten history */

static gboolean note_live(const guint8 oid[OID_LEN], gboolean added,
			  const struct git_step *step, void *data, GError **err)
{
	struct archive *a = data;
	g_autoptr(GBytes) key = g_bytes_new(oid, OID_LEN);

	if (added)
		g_hash_table_add(a->live, g_steal_pointer(&key));
	else
		g_hash_table_remove(a->live, key);
	return TRUE;
}

/* FALSE if a part of the history can't be read: then nothing is concluded. */
static gboolean find_live(struct archive *a)
{
	const guint8 *before = NULL;

	for (guint i = a->history.steps->len; i-- > 0;) {
		const struct git_step *step = step_at(a, i);

		if (!git_changes(a->repo, a->layout, before, step, note_live, a,
				 NULL))
			return FALSE;
		before = step->tree;
	}
	return TRUE;
}

static gboolean delete_others(struct archive *a, GHashTable *old, GError **err)
{
	GHashTableIter iter;
	gpointer key;

	g_hash_table_iter_init(&iter, old);
	while (g_hash_table_iter_next(&iter, &key, NULL))
		if (!g_hash_table_contains(a->live, key) &&
		    !say_deleted(a, a->place, g_bytes_get_data(key, NULL), err))
			return FALSE;
	return TRUE;
}

/* What was taken from here before and is no part of the history any more. */
static gboolean compare(struct archive *a, GError **err)
{
	g_autoptr(GHashTable) old =
		a->ctx->oids_of(KIND, a->place, a->ctx->data);

	if (!old) {
		g_set_error(err, SOURCE_ERROR, SOURCE_ERROR_STOPPED,
			    "%s: the database failed", a->place);
		return FALSE;
	}
	if (g_hash_table_size(old) == 0)
		return TRUE;
	a->live = g_hash_table_new_full(g_bytes_hash, g_bytes_equal,
					(GDestroyNotify)g_bytes_unref, NULL);
	if (find_live(a))
		return delete_others(a, old, err);
	g_clear_pointer(&a->live, g_hash_table_unref);
	return TRUE;
}

/* ---- one repository */

/* The branch that holds the mail: HEAD, else where HEAD's name is of another
 * git's habit. FALSE: there is no commit yet. */
static gboolean find_head(struct git_repo *r, guint8 head[OID_LEN])
{
	static const char *const names[] = {"HEAD", "refs/heads/master",
					    "refs/heads/main"};
	git_oid id;

	for (guint i = 0; i < G_N_ELEMENTS(names); i++)
		if (git_reference_name_to_id(&id, r->repo, names[i]) == 0) {
			memcpy(head, id.id, OID_LEN);
			return TRUE;
		}
	return FALSE;
}

static gboolean no_mail(const char *place, const char *why, GError **err)
{
	g_set_error(err, SOURCE_ERROR, SOURCE_ERROR_NO_MAIL, "%s: %s", place,
		    why);
	return FALSE;
}

/* Replace the line of first parents by the whole history, if that can be had;
 * else it is as if cut. */
static void find_branches(struct archive *a, const guint8 head[OID_LEN],
			  const guint8 *stop)
{
	struct git_history all = {0};

	if (!git_history_walk_all(a->repo, head, stop, &all, &a->history.cut)) {
		git_history_clear(&all);
		return;
	}
	git_history_clear(&a->history);
	a->history = all;
}

static gboolean find_history(struct archive *a, const guint8 head[OID_LEN],
			     const guint8 *stop, GError **err)
{
	if (!git_history_walk(a->repo, head, stop, &a->history, err))
		return FALSE;
	a->layout = git_layout_of(a->repo, &a->history);
	/* nothing of mail in what is new: it was an archive before */
	if (a->layout == GIT_LAYOUT_NONE && a->history.met)
		a->layout = GIT_LAYOUT_V2;
	if (a->layout == GIT_LAYOUT_NONE)
		return no_mail(a->place,
			       "is a git repository, but no archive of mail",
			       err);
	/* A tree of version 1 has all that its side branches brought in. */
	if (a->history.merges && a->layout != GIT_LAYOUT_V1 && !a->history.cut)
		find_branches(a, head, stop);
	return TRUE;
}

static gboolean say_cut(struct archive *a, GError **err)
{
	const GError *cut = a->history.cut;
	g_autoptr(GError) part = NULL;

	if (!cut || (g_error_matches(cut, SOURCE_ERROR, SOURCE_ERROR_MISSING) &&
		     git_repository_is_shallow(a->repo->repo)))
		return TRUE;
	part = g_error_new(cut->domain, cut->code,
			   "%s: older commits are not reached", cut->message);
	return say_broken(a, &part, err);
}

/* The position is never behind what could not be read. */
static gboolean say_again(struct archive *a, GError **err)
{
	struct source_event ev = {.type = SOURCE_AGAIN,
				  .kind = KIND,
				  .place = a->place};

	return source_say(a->ctx, &ev, err);
}

/* One way through the epochs. */
struct pass {
	gboolean afresh;    /* as if never read before; once set it stays */
	gboolean rewritten; /* it was read before and is another one now */
};

static gboolean read_archive(struct archive *a, const guint8 head[OID_LEN],
			     struct pass *pass, GError **err)
{
	g_autofree char *cursor =
		pass->afresh ? NULL : source_position(a->ctx, KIND, a->place);
	git_oid stop;
	gboolean known = cursor && git_oid_fromstr(&stop, cursor) == 0;

	if (known && memcmp(stop.id, head, OID_LEN) == 0)
		return TRUE;
	if (!find_history(a, head, known ? stop.id : NULL, err))
		return FALSE;
	if (a->history.met) {
		if (!say_again(a, err))
			return FALSE;
	} else {
		pass->afresh = TRUE;
		pass->rewritten |= known && !a->history.cut;
		if (!source_afresh(a->ctx, KIND, a->place, err))
			return FALSE;
		if (!a->history.cut && a->ctx->oids_of && !compare(a, err))
			return FALSE;
	}
	return say_cut(a, err) && say_all(a, err);
}

static gboolean read_place(const char *place, struct source_context *ctx,
			   struct pass *pass, gboolean may_be_empty,
			   GError **err)
{
	g_autoptr(git_repo_auto) repo = git_repo_get(ctx->git, place, err);
	struct archive a = {.place = place, .ctx = ctx, .repo = repo};
	guint8 head[OID_LEN];
	gboolean ok;

	if (!repo)
		return FALSE;
	if (!find_head(repo, head))
		return may_be_empty || no_mail(place, "has no commit", err);
	ok = read_archive(&a, head, pass, err);
	git_history_clear(&a.history);
	g_clear_pointer(&a.siblings, g_ptr_array_unref);
	g_clear_pointer(&a.live, g_hash_table_unref);
	return ok;
}

/* ---- what source.c sees */

static gboolean has(const char *path, const char *name)
{
	g_autofree char *file = g_build_filename(path, name, NULL);

	return g_file_test(file, G_FILE_TEST_EXISTS);
}

/* A work tree may hold files of mail without being an archive itself. */
static gboolean holds_archive(const char *path)
{
	void *cache = source_git_cache_new();
	struct git_repo *repo = git_repo_get(cache, path, NULL);
	struct git_history h = {0};
	guint8 head[OID_LEN];
	gboolean found = repo && find_head(repo, head) &&
			 git_history_walk(repo, head, NULL, &h, NULL) &&
			 git_layout_of(repo, &h) != GIT_LAYOUT_NONE;

	git_history_clear(&h);
	git_repo_unref(repo);
	source_git_cache_free(cache);
	return found;
}

static gboolean git_probe(const char *path)
{
	if (has(path, "HEAD") && has(path, "objects") && has(path, "refs"))
		return TRUE;
	return has(path, ".git") && holds_archive(path);
}

static gboolean git_read(const char *path, struct source_context *ctx,
			 GError **err)
{
	struct pass pass = {0};

	return read_place(path, ctx, &pass, FALSE, err);
}

const struct source_ops source_git = {
	.name = KIND,
	.probe = git_probe,
	.read = git_read,
};

static GPtrArray *epochs_of_inbox(const char *path, char **folder)
{
	GPtrArray *names;

	*folder = g_build_filename(path, "git", NULL);
	names = epochs_in(*folder);
	if (names)
		return names;
	g_free(*folder);
	*folder = g_strdup(path);
	return epochs_in(path);
}

static gboolean inbox_probe(const char *path)
{
	g_autofree char *folder = NULL;
	g_autoptr(GPtrArray) names = epochs_of_inbox(path, &folder);

	return names != NULL;
}

static gboolean read_epochs(const char *folder, GPtrArray *names,
			    struct source_context *ctx, struct pass *pass,
			    GError **err)
{
	for (guint i = 0; i < names->len; i++) {
		g_autofree char *place =
			g_build_filename(folder, names->pdata[i], NULL);
		g_autoptr(GError) part = NULL;

		if (!read_place(place, ctx, pass, TRUE, &part) &&
		    !source_broken(ctx, KIND, place, &part, err))
			return FALSE;
		/* all that follow the first are read afresh, too */
		pass->rewritten &= i > 0;
	}
	return TRUE;
}

static gboolean inbox_read(const char *path, struct source_context *ctx,
			   GError **err)
{
	g_autofree char *folder = NULL;
	g_autoptr(GPtrArray) names = epochs_of_inbox(path, &folder);
	struct pass pass = {0};

	if (!names)
		return TRUE;
	if (!read_epochs(folder, names, ctx, &pass, err))
		return FALSE;
	/* it may have deleted what older epochs still have */
	return !pass.rewritten || names->len == 1 ||
	       read_epochs(folder, names, ctx, &pass, err);
}

const struct source_ops source_inbox = {
	.name = KIND,
	.probe = inbox_probe,
	.read = inbox_read,
};
