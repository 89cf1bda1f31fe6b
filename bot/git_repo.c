/* git_repo.c - opening repositories and reading raw objects with libgit2
 * Never writes to a repository and never looks at the user's git settings. */
#include "bot/git_repo.h"

#include <string.h>

#include "bot/git_loose.h"
#include "bot/source.h"

/* A pack is mapped in windows of this size; together they stay small beside
 * the messages in hand, however large the pack is. */
#define WINDOW_BYTES (4 * 1024 * 1024)
#define MAPPED_BYTES (48 * 1024 * 1024)

static void settings_once(void)
{
	static gsize done;
	static const char *extensions[] = {"partialclone", "worktreeconfig",
					   "preciousobjects"};
	static const int levels[] = {GIT_CONFIG_LEVEL_PROGRAMDATA,
				     GIT_CONFIG_LEVEL_SYSTEM,
				     GIT_CONFIG_LEVEL_XDG,
				     GIT_CONFIG_LEVEL_GLOBAL};

	if (!g_once_init_enter(&done))
		return;
	git_libgit2_init();
	git_libgit2_opts(GIT_OPT_ENABLE_STRICT_HASH_VERIFICATION, 0);
	/* archives often belong to the account that mirrors them */
	git_libgit2_opts(GIT_OPT_SET_OWNER_VALIDATION, 0);
	git_libgit2_opts(GIT_OPT_SET_EXTENSIONS, extensions,
			 G_N_ELEMENTS(extensions));
	for (guint i = 0; i < G_N_ELEMENTS(levels); i++)
		git_libgit2_opts(GIT_OPT_SET_SEARCH_PATH, levels[i], "");
	git_libgit2_opts(GIT_OPT_SET_MWINDOW_SIZE, (size_t)WINDOW_BYTES);
	git_libgit2_opts(GIT_OPT_SET_MWINDOW_MAPPED_LIMIT,
			 (size_t)MAPPED_BYTES);
	/* nothing is read twice; packs keep their own cache of delta bases */
	git_libgit2_opts(GIT_OPT_ENABLE_CACHING, 0);
	g_once_init_leave(&done, 1);
}

/* What libgit2 says, as one line. */
static const char *reason(void)
{
	const git_error *e = git_error_last();

	return e && e->message && *e->message ? e->message : "unknown error";
}

/* ---- repositories kept open */

struct git_cache {
	GQueue *open; /* of struct git_repo, latest used first */
};

void *source_git_cache_new(void)
{
	struct git_cache *c = g_new0(struct git_cache, 1);

	c->open = g_queue_new();
	return c;
}

void source_git_cache_free(void *cache)
{
	struct git_cache *c = cache;

	if (!c)
		return;
	g_queue_free_full(c->open, (GDestroyNotify)git_repo_unref);
	g_free(c);
}

void git_repo_unref(struct git_repo *r)
{
	if (!r || !g_atomic_ref_count_dec(&r->refs))
		return;
	git_odb_free(r->odb);
	git_repository_free(r->repo);
	g_free(r->place);
	g_free(r);
}

static struct git_repo *repo_open(const char *place, GError **err)
{
	struct git_repo *r = g_new0(struct git_repo, 1);
	g_autofree char *objects = NULL;

	settings_once();
	g_atomic_ref_count_init(&r->refs);
	r->place = g_strdup(place);
	if (git_repository_open_ext(&r->repo, place,
				    GIT_REPOSITORY_OPEN_NO_SEARCH, NULL) ||
	    git_repository_odb(&r->odb, r->repo)) {
		g_set_error(err, SOURCE_ERROR, SOURCE_ERROR_OPEN,
			    "%s: no git repository: %s", place, reason());
		git_repo_unref(r);
		return NULL;
	}
	objects = g_build_filename(git_repository_commondir(r->repo), "objects",
				   NULL);
	git_loose_add(r->odb, objects);
	return r;
}

struct git_repo *git_repo_get(void *cache, const char *place, GError **err)
{
	struct git_cache *c = cache;
	struct git_repo *r = NULL;

	for (GList *l = c->open->head; l; l = l->next) {
		r = l->data;
		if (strcmp(r->place, place) == 0) {
			g_queue_unlink(c->open, l);
			g_queue_push_head_link(c->open, l);
			g_atomic_ref_count_inc(&r->refs);
			return r;
		}
	}
	r = repo_open(place, err);
	if (!r)
		return NULL;
	if (c->open->length >= GIT_REPOS_MAX)
		git_repo_unref(g_queue_pop_tail(c->open));
	g_queue_push_head(c->open, r);
	g_atomic_ref_count_inc(&r->refs);
	return r;
}

/* ---- objects */

git_odb_object *git_repo_object(struct git_repo *r, const guint8 oid[OID_LEN],
				GError **err)
{
	git_odb_object *obj = NULL;
	char hex[GIT_OID_HEXSZ + 1];
	git_oid id;
	int rc;

	git_oid_fromraw(&id, oid);
	rc = git_odb_read(&obj, r->odb, &id);
	if (rc == 0)
		return obj;
	git_oid_tostr(hex, sizeof(hex), &id);
	if (rc == GIT_ENOTFOUND)
		g_set_error(err, SOURCE_ERROR, SOURCE_ERROR_MISSING,
			    "%s: object %s is missing", r->place, hex);
	else
		g_set_error(err, SOURCE_ERROR, SOURCE_ERROR_READ,
			    "%s: object %s: %s", r->place, hex, reason());
	return NULL;
}

static gboolean hash_fits(const git_odb_object *obj, const guint8 oid[OID_LEN])
{
	git_oid id;

	/* the getters of libgit2 do not take const */
	git_odb_object *o = (git_odb_object *)obj;

	return git_odb_hash(&id, git_odb_object_data(o), git_odb_object_size(o),
			    GIT_OBJECT_BLOB) == 0 &&
	       memcmp(id.id, oid, OID_LEN) == 0;
}

static GBytes *blob_fail(struct git_repo *r, const guint8 oid[OID_LEN],
			 enum source_error code, const char *what, GError **err)
{
	char hex[GIT_OID_HEXSZ + 1];
	git_oid id;

	git_oid_fromraw(&id, oid);
	git_oid_tostr(hex, sizeof(hex), &id);
	g_set_error(err, SOURCE_ERROR, code, "%s: object %s %s", r->place, hex,
		    what);
	return NULL;
}

/* NULL if it can be a mail. What can't be had is told when it is read. */
static const char *unfit(struct git_repo *r, const guint8 oid[OID_LEN])
{
	git_object_t type;
	size_t size;
	git_oid id;

	git_oid_fromraw(&id, oid);
	if (git_odb_read_header(&size, &type, r->odb, &id))
		return NULL;
	if (type != GIT_OBJECT_BLOB)
		return "is no blob";
	return size > SOURCE_MAX_MAIL ? "is larger than a message may be"
				      : NULL;
}

GBytes *git_repo_blob(struct git_repo *r, const guint8 oid[OID_LEN],
		      GError **err)
{
	const char *what = unfit(r, oid);
	git_odb_object *obj;

	if (what)
		return blob_fail(r, oid, SOURCE_ERROR_NO_MAIL, what, err);
	obj = git_repo_object(r, oid, err);
	if (!obj)
		return NULL;
	if ((r->suspect || r->reads++ % GIT_VERIFY_EVERY == 0) &&
	    !hash_fits(obj, oid)) {
		r->suspect = TRUE;
		git_odb_object_free(obj);
		return blob_fail(r, oid, SOURCE_ERROR_READ,
				 "is damaged: its bytes have another hash",
				 err);
	}
	return g_bytes_new_with_free_func(git_odb_object_data(obj),
					  git_odb_object_size(obj),
					  (GDestroyNotify)git_odb_object_free,
					  obj);
}

GBytes *source_git_fetch(void *cache, const char *place,
			 const guint8 oid[OID_LEN], GError **err)
{
	g_autoptr(git_repo_auto) r = git_repo_get(cache, place, err);

	return r ? git_repo_blob(r, oid, err) : NULL;
}
