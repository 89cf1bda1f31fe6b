/* source_git_walk.c - the commits of a git archive, read as raw bytes
 * A revision walk of libgit2 parses and keeps every commit; an archive is
 * one line of them, which needs no more than a look at each. */
#include <string.h>

#include "bot/source_git.h"

void git_history_clear(struct git_history *h)
{
	if (h->steps)
		g_array_free(h->steps, TRUE);
	g_clear_error(&h->cut);
	memset(h, 0, sizeof(*h));
}

/* "NAME <hex>\n" at `*p`: the id, and `*p` behind it. */
static gboolean take_id(const char **p, const char *end, const char *name,
			guint8 id[OID_LEN])
{
	gsize len = strlen(name);
	git_oid oid;

	if ((gsize)(end - *p) < len + GIT_OID_HEXSZ + 1 ||
	    memcmp(*p, name, len) != 0 || (*p)[len + GIT_OID_HEXSZ] != '\n' ||
	    git_oid_fromstrn(&oid, *p + len, GIT_OID_HEXSZ) != 0)
		return FALSE;
	memcpy(id, oid.id, OID_LEN);
	*p += len + GIT_OID_HEXSZ + 1;
	return TRUE;
}

/* Seconds behind the last '>' of the committer's line. */
static gint64 committer_time(const char *p, const char *end)
{
	while (p < end && *p != '\n') {
		const char *eol = memchr(p, '\n', end - p);
		const char *mail;

		if (!eol)
			return 0;
		if (!g_str_has_prefix(p, "committer ")) {
			p = eol + 1;
			continue;
		}
		mail = memrchr(p, '>', eol - p);
		return mail ? MAX(g_ascii_strtoll(mail + 1, NULL, 10), 0) : 0;
	}
	return 0;
}

struct parsed {
	struct git_step step;
	guint8 parent[OID_LEN]; /* the first */
	guint parents;
};

/* The object's data ends with a NUL that libgit2 puts there. */
static gboolean parse_commit(git_odb_object *obj, struct parsed *c)
{
	const char *p = git_odb_object_data(obj);
	const char *end = p + git_odb_object_size(obj);
	guint8 other[OID_LEN];

	if (git_odb_object_type(obj) != GIT_OBJECT_COMMIT ||
	    !take_id(&p, end, "tree ", c->step.tree))
		return FALSE;
	c->parents = take_id(&p, end, "parent ", c->parent);
	while (c->parents > 0 && take_id(&p, end, "parent ", other))
		c->parents++;
	c->step.time = committer_time(p, end);
	return TRUE;
}

static gboolean read_commit(struct git_repo *r, const guint8 id[OID_LEN],
			    struct parsed *c, GError **err)
{
	git_odb_object *obj = git_repo_object(r, id, err);
	char hex[GIT_OID_HEXSZ + 1];
	git_oid oid;
	gboolean ok;

	if (!obj)
		return FALSE;
	ok = parse_commit(obj, c);
	git_odb_object_free(obj);
	memcpy(c->step.id, id, OID_LEN);
	if (ok)
		return TRUE;
	git_oid_fromraw(&oid, id);
	git_oid_tostr(hex, sizeof(hex), &oid);
	g_set_error(err, SOURCE_ERROR, SOURCE_ERROR_READ,
		    "%s: object %s is no commit", r->place, hex);
	return FALSE;
}

static gboolean too_long(struct git_repo *r, const struct git_history *h,
			 GError **err)
{
	if (h->steps->len < SOURCE_MAX_COMMITS)
		return FALSE;
	g_set_error(err, SOURCE_ERROR, SOURCE_ERROR_READ,
		    "%s: more than %d commits", r->place, SOURCE_MAX_COMMITS);
	return TRUE;
}

static void start(struct git_history *h)
{
	git_history_clear(h);
	h->steps = g_array_new(FALSE, FALSE, sizeof(struct git_step));
}

gboolean git_history_walk(struct git_repo *r, const guint8 head[OID_LEN],
			  const guint8 *stop, struct git_history *h,
			  GError **err)
{
	guint8 id[OID_LEN];

	start(h);
	memcpy(id, head, OID_LEN);
	for (;;) {
		g_autoptr(GError) why = NULL;
		struct parsed c;

		if (!read_commit(r, id, &c, &why)) {
			if (h->steps->len > 0) {
				h->cut = g_steal_pointer(&why);
				return TRUE;
			}
			g_propagate_error(err, g_steal_pointer(&why));
			return FALSE;
		}
		if (stop && memcmp(id, stop, OID_LEN) == 0) {
			h->met = TRUE;
			memcpy(h->base, c.step.tree, OID_LEN);
			return TRUE;
		}
		if (too_long(r, h, err))
			return FALSE;
		g_array_append_val(h->steps, c.step);
		h->merges |= c.parents > 1;
		if (c.parents == 0)
			return TRUE;
		memcpy(id, c.parent, OID_LEN);
	}
}

gboolean git_history_walk_all(struct git_repo *r, const guint8 head[OID_LEN],
			      const guint8 *stop, struct git_history *h,
			      GError **err)
{
	git_revwalk *walk = NULL;
	git_oid oid, stop_oid;
	struct parsed c;
	gboolean ok;
	int rc = 0;

	start(h);
	h->merges = TRUE;
	git_oid_fromraw(&oid, head);
	if (stop) {
		git_oid_fromraw(&stop_oid, stop);
		h->met = memcmp(head, stop, OID_LEN) == 0 ||
			 git_graph_descendant_of(r->repo, &oid, &stop_oid) == 1;
	}
	ok = git_revwalk_new(&walk, r->repo) == 0 &&
	     git_revwalk_sorting(walk, GIT_SORT_TOPOLOGICAL) == 0 &&
	     git_revwalk_push(walk, &oid) == 0 &&
	     (!h->met || git_revwalk_hide(walk, &stop_oid) == 0);
	if (!ok)
		g_set_error(err, SOURCE_ERROR, SOURCE_ERROR_READ,
			    "%s: its history can't be walked", r->place);
	while (ok && (rc = git_revwalk_next(&oid, walk)) == 0) {
		ok = !too_long(r, h, err) && read_commit(r, oid.id, &c, err);
		if (ok)
			g_array_append_val(h->steps, c.step);
	}
	git_revwalk_free(walk);
	if (!ok || rc == GIT_ITEROVER)
		return ok;
	g_set_error(err, SOURCE_ERROR, SOURCE_ERROR_READ,
		    "%s: its history can't be walked to its end", r->place);
	return FALSE;
}
