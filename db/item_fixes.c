/* item_fixes.c - the patches that are meant to repair a reported item
 * A later patch that names the culprit or the report, wherever it was sent,
 * and one that answers the report or takes the reported patch's place in its
 * thread. Tags given in answers to it say how far it is. */
#include <string.h>

#include "mail/subject.h"
#include "mail/trailers.h"

#include "db/items_priv.h"

#define CANDIDATES_MAX 2000 /* patches looked at for one item */
#define THREADS_KEPT   256  /* in memory; reports share few threads */

/* A patch mail that may be a fix. */
struct candidate {
	struct item_fix *fix;
	gint64 node, tid;
	char *title_key;
	int version;
	gboolean backport;
};

static void candidate_free(struct candidate *c)
{
	item_fix_free(c->fix);
	g_free(c->title_key);
	g_free(c);
}

static void free_thread(struct thread *t)
{
	thread_free(t);
}

void item_threads_init(struct item_threads *threads, store *st)
{
	threads->st = st;
	threads->by_tid =
		g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free,
				      (GDestroyNotify)free_thread);
}

void item_threads_clear(struct item_threads *threads)
{
	g_hash_table_unref(threads->by_tid);
}

const struct thread *item_threads_get(struct item_threads *threads, gint64 tid,
				      const char *mid, GError **err)
{
	struct thread *t = g_hash_table_lookup(threads->by_tid, &tid);

	if (t)
		return t;
	t = thread_load(threads->st, mid, err);
	if (g_hash_table_size(threads->by_tid) >= THREADS_KEPT)
		g_hash_table_remove_all(threads->by_tid);
	if (t)
		g_hash_table_insert(threads->by_tid,
				    g_memdup2(&tid, sizeof(tid)), t);
	else if (err && !*err)
		g_set_error(err, STORE_ERROR, STORE_ERROR_CORRUPT,
			    "<%s>: its thread is not there", mid);
	return t;
}

/* ---- candidates */

#define CANDIDATE_COLUMNS                                          \
	"SELECT n.id, n.tid, n.mid, n.date, p.title_key,"          \
	" p.title, m.subject, p.version,"                          \
	" p.stable OR p.backport_of IS NOT NULL, hex(p.patch_id)," \
	" s.name, s.written FROM "
#define CANDIDATE_JOINS                                        \
	" JOIN node n ON n.id = p.node"                        \
	" JOIN message m ON m.node = p.node"                   \
	" JOIN person s ON s.id = m.person WHERE n.date >= ?1" \
	" AND s.address <> ?2 AND n.id <> ?3 AND "

/* Patches that name the culprit in "Fixes:". */
static const char by_culprit[] = CANDIDATE_COLUMNS
	"(SELECT DISTINCT node FROM commit_ref WHERE role = ?4"
	" AND id BETWEEN substr(?5, 1, 7) AND ?5"
	" AND id = substr(?5, 1, length(id))) c"
	" JOIN patch p ON p.node = c.node" CANDIDATE_JOINS
	" p.has_diff ORDER BY n.date, n.mid";

/* Patches, or covers of series, with a tag that links the report. */
static const char by_report[] = CANDIDATE_COLUMNS
	"(SELECT DISTINCT node FROM link WHERE mid = ?5 AND role = ?4) l"
	" JOIN patch p ON p.node = l.node" CANDIDATE_JOINS
	" (p.has_diff OR p.patch_like) ORDER BY n.date, n.mid";

/* Patches of the thread: what they answer is looked at later. */
static const char by_thread[] =
	CANDIDATE_COLUMNS "node t JOIN patch p ON p.node = t.id" CANDIDATE_JOINS
			  " t.tid = ?4 AND p.has_diff AND ?5 IS NOT NULL"
			  " ORDER BY n.date, n.mid";

/* The title inside the patch, else the subject without its brackets. */
static char *title_of(db_rows *rows)
{
	const char *title = db_text(rows, 5);
	g_autoptr(subject_auto) s = NULL;

	if (title)
		return g_strdup(title);
	s = subject_parse(db_text(rows, 6), NULL);
	return g_strdup(s->base);
}

static struct candidate *read_candidate(db_rows *rows, const char *evidence)
{
	struct candidate *c = g_new0(struct candidate, 1);
	const char *patch_id = db_text(rows, 9);

	c->fix = g_new0(struct item_fix, 1);
	c->node = db_int(rows, 0);
	c->tid = db_int(rows, 1);
	c->fix->mid = db_dup(rows, 2);
	c->fix->date = db_int(rows, 3);
	c->title_key = db_dup(rows, 4);
	c->fix->subject = title_of(rows);
	c->version = (int)db_int(rows, 7);
	c->backport = db_int(rows, 8) != 0;
	if (patch_id && *patch_id)
		c->fix->patch_id = g_ascii_strdown(patch_id, -1);
	c->fix->author_name = db_dup(rows, 10);
	c->fix->author_address = db_dup(rows, 11);
	c->fix->status = "posted";
	c->fix->evidence = evidence;
	c->fix->evidence_mid = g_strdup(c->fix->mid);
	return c;
}

/* What stands in `found` already was found by better evidence. */
static gboolean collect(store *st, const struct item_facts *f, const char *sql,
			gint64 key, const char *name, const char *evidence,
			GPtrArray *found, GError **err)
{
	g_autoptr(db_rows) rows =
		db_query(st->state, err, sql, INT(f->item->reported),
			 INT(f->reporter), INT(f->node), INT(key), TEXT(name));
	int rc;

	while ((rc = db_next(rows, err)) > 0) {
		gint64 node = db_int(rows, 0);
		gboolean known = found->len >= CANDIDATES_MAX;

		for (guint n = 0; n < found->len && !known; n++) {
			const struct candidate *c = found->pdata[n];

			known = c->node == node;
		}
		if (!known)
			g_ptr_array_add(found, read_candidate(rows, evidence));
	}
	return rc == 0;
}

static gboolean is_below(const struct thread *t, int index, int top)
{
	while (index >= 0 && index != top) {
		const struct thread_node *n = t->nodes->pdata[index];

		index = n->parent;
	}
	return index >= 0 && index == top;
}

/* A patch in the report's thread that names neither culprit nor report counts
 * if it answers the report, or is the reported patch once more. */
static gboolean answers(const struct thread *t, const struct item *i,
			const struct candidate *c, const char *reported_key)
{
	int report = thread_index(t, i->mid);
	int patch = thread_index(t, c->fix->mid);

	if (report < 0 || patch < 0)
		return FALSE;
	return is_below(t, patch, report) ||
	       !g_strcmp0(c->title_key, reported_key);
}

static gboolean reported_patch_key(store *st, const struct item *i, char **key,
				   GError **err)
{
	g_autoptr(db_rows) rows = NULL;
	int rc;

	*key = NULL;
	if (!i->patch_mid)
		return TRUE;
	rows = db_query(st->state, err,
			"SELECT p.title_key FROM node n JOIN patch p"
			" ON p.node = n.id WHERE n.mid = ?1",
			TEXT(i->patch_mid));
	rc = db_next(rows, err);
	if (rc > 0)
		*key = db_dup(rows, 0);
	return rc >= 0;
}

static gboolean find_candidates(struct item_threads *threads,
				const struct item_facts *f, GPtrArray *found,
				GError **err)
{
	const struct item *i = f->item;
	const struct thread *t;
	g_autofree char *key = NULL;
	guint sure;

	if (!collect(threads->st, f, by_report, LINK_CLOSES, i->mid, "closes",
		     found, err) ||
	    !collect(threads->st, f, by_report, LINK_LINK, i->mid, "link",
		     found, err) ||
	    (i->commit && !collect(threads->st, f, by_culprit, COMMIT_FIXES,
				   i->commit, "fixes", found, err)))
		return FALSE;
	sure = found->len;
	if (!collect(threads->st, f, by_thread, f->tid, i->mid, "thread", found,
		     err) ||
	    !reported_patch_key(threads->st, i, &key, err))
		return FALSE;
	if (found->len == sure)
		return TRUE;
	t = item_threads_get(threads, f->tid, i->mid, err);
	for (guint n = found->len; t && n > sure; n--)
		if (!answers(t, i, found->pdata[n - 1], key))
			g_ptr_array_remove_index(found, n - 1);
	return t != NULL;
}

/* ---- versions of one patch */

/* The newest version stands for all; a backport only if there is no other. */
static int compare_versions(const struct candidate *a,
			    const struct candidate *b)
{
	if (a->backport != b->backport)
		return a->backport ? -1 : 1;
	if (a->version != b->version)
		return a->version < b->version ? -1 : 1;
	if (a->fix->date != b->fix->date)
		return a->fix->date < b->fix->date ? -1 : 1;
	return strcmp(a->fix->mid, b->fix->mid);
}

static int rank_of(const char *status)
{
	return g_str_equal(status, "tested")	 ? 2
	       : g_str_equal(status, "reviewed") ? 1
						 : 0;
}

static void join(struct candidate *kept, struct candidate *other)
{
	struct item_fix swap;
	gboolean newer = compare_versions(kept, other) < 0;

	if (newer) {
		swap = *kept->fix;
		*kept->fix = *other->fix;
		*other->fix = swap;
		kept->version = other->version;
		kept->backport = other->backport;
	}
	if (rank_of(other->fix->status) > rank_of(kept->fix->status)) {
		kept->fix->status = other->fix->status;
		g_free(kept->fix->evidence_mid);
		kept->fix->evidence_mid = g_strdup(other->fix->evidence_mid);
	}
}

static int compare_fixes(gconstpointer a, gconstpointer b)
{
	const struct item_fix *x = *(struct item_fix *const *)a;
	const struct item_fix *y = *(struct item_fix *const *)b;

	if (x->date != y->date)
		return x->date < y->date ? -1 : 1;
	return strcmp(x->mid, y->mid);
}

static void keep_fixes(struct item *i, GPtrArray *found)
{
	g_autoptr(GHashTable) by_title =
		g_hash_table_new(g_str_hash, g_str_equal);

	for (guint n = 0; n < found->len; n++) {
		struct candidate *c = found->pdata[n];
		struct candidate *kept =
			g_hash_table_lookup(by_title, c->title_key);

		if (kept)
			join(kept, c);
		else
			g_hash_table_insert(by_title, c->title_key, c);
	}
	for (guint n = 0; n < found->len; n++) {
		struct candidate *c = found->pdata[n];

		if (g_hash_table_lookup(by_title, c->title_key) == c)
			g_ptr_array_add(i->fixes, g_steal_pointer(&c->fix));
	}
	g_ptr_array_sort(i->fixes, compare_fixes);
	if (i->fixes->len > ITEM_MAX_FIXES)
		g_ptr_array_set_size(i->fixes, ITEM_MAX_FIXES);
}

/* ---- tags given to a candidate */

static const char tags_of_thread[] =
	"SELECT n.mid, n.date, t.key, t.name, t.address, t.place"
	" FROM node n JOIN trailer_text t ON t.node = n.id"
	" WHERE n.tid = ?1 AND n.date >= ?2 AND t.counts AND"
	" t.person IS NOT NULL AND (lower(t.key) LIKE '%tested-by' OR"
	" t.key IN ('Reviewed-by', 'Acked-by'))"
	" ORDER BY n.date, n.mid, t.seq";

/* Whether the mail `from` speaks of the patch `to`: it is the patch, or the
 * nearest patch or cover above it is the patch or the patch's own cover. */
static gboolean speaks_of(const struct thread *t, const char *from,
			  const char *to)
{
	int index = thread_index(t, from), patch = thread_index(t, to);

	while (index >= 0 && index != patch) {
		const struct thread_node *n = t->nodes->pdata[index];

		if (n->kind == KIND_COVER && !n->ghost)
			return is_below(t, patch, index);
		if (n->kind == KIND_PATCH && !n->ghost)
			return FALSE;
		index = n->parent;
	}
	return index >= 0;
}

static void take_tag(struct item *i, struct candidate *c, db_rows *rows)
{
	const char *mid = db_text(rows, 0), *key = db_text(rows, 2);
	const char *name = db_text(rows, 3), *address = db_text(rows, 4);
	gboolean tested = g_str_has_suffix(key, "ested-by");
	const char *status = tested ? "tested" : "reviewed";
	g_autofree char *by = g_strdup_printf("%s <%s>", name, address);

	if (!g_ascii_strcasecmp(address, c->fix->author_address))
		return;
	item_add_person(i, name, address, tested ? "tester" : "reviewer");
	item_add_event(i, status, db_int(rows, 1), g_strchug(by), mid, NULL,
		       key);
	if (rank_of(status) <= rank_of(c->fix->status))
		return;
	c->fix->status = status;
	g_free(c->fix->evidence_mid);
	c->fix->evidence_mid = g_strdup(mid);
}

static gboolean find_tags(struct item_threads *threads,
			  const struct item_facts *f, struct candidate *c,
			  GError **err)
{
	g_autoptr(db_rows) rows = NULL;
	const struct thread *t = NULL;
	int rc;

	rows = db_query(threads->st->state, err, tags_of_thread, INT(c->tid),
			INT(f->item->reported));
	while ((rc = db_next(rows, err)) > 0) {
		const char *mid = db_text(rows, 0);
		gboolean own = g_str_equal(mid, c->fix->mid);

		if (!own && db_int(rows, 5) != TRAILER_MESSAGE)
			continue;
		if (!t)
			t = item_threads_get(threads, c->tid, c->fix->mid, err);
		if (!t)
			return FALSE;
		if (own || speaks_of(t, mid, c->fix->mid))
			take_tag(f->item, c, rows);
	}
	return rc == 0;
}

gboolean item_find_fixes(struct item_threads *threads,
			 const struct item_facts *f, GError **err)
{
	g_autoptr(GPtrArray) found =
		g_ptr_array_new_with_free_func((GDestroyNotify)candidate_free);

	if (!find_candidates(threads, f, found, err))
		return FALSE;
	for (guint n = 0; n < found->len; n++) {
		struct candidate *c = found->pdata[n];
		g_autofree char *by =
			g_strdup_printf("%s <%s>", c->fix->author_name,
					c->fix->author_address);

		item_add_event(f->item, "fix-posted", c->fix->date,
			       g_strchug(by), c->fix->mid, NULL,
			       c->fix->subject);
		item_add_person(f->item, c->fix->author_name,
				c->fix->author_address, "fix-author");
		if (!find_tags(threads, f, c, err))
			return FALSE;
	}
	keep_fixes(f->item, found);
	return TRUE;
}
