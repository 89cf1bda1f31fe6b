/* commit_links.c - which patch mails became a commit, and how that is known
 * All candidates of a commit are judged together, so that what is said of a
 * mail does not depend on where one began. */
#include <string.h>

#include "mail/address.h"
#include "mail/subject.h"

#include "db/commit_priv.h"

#define MAX_CANDIDATES 200 /* patch mails of one commit, by each kind */
#define DAY	       86400
#define TITLE_BEFORE   (30 * DAY)  /* a commit may be older than its mail */
#define TITLE_BEHIND   (400 * DAY) /* ... or as much newer */
#define SOON	       3600	   /* clocks differ */

static const char *const evidence_names[] = {"link", "patch-id", "blobs",
					     "date", "notice",	 "title"};

const char *commit_evidence_name(enum commit_evidence e)
{
	return evidence_names[e];
}

void commit_link_free(struct commit_link *l)
{
	if (!l)
		return;
	g_free(l->mid);
	commit_free(l->commit);
	g_free(l->evidence_mid);
	g_free(l);
}

/* ---- candidates */

/* A patch mail that may have become the commit. */
struct candidate {
	gint64 node;
	char *mid;
	gint64 date;
	int version;
	gboolean title, author, patch_id, blobs; /* equal to the commit's */
	gboolean backport, linked;
	gboolean listed; /* the notice names it beside the commit */
	guint bits;
	char *notice;
};

struct search {
	store *st;
	const struct commit *c;
	struct address author;
	gboolean backport;     /* the commit is one itself */
	GPtrArray *candidates; /* of struct candidate */
	GHashTable *seen;      /* node to struct candidate */
};

static void candidate_free(gpointer data)
{
	struct candidate *k = data;

	g_free(k->mid);
	g_free(k->notice);
	g_free(k);
}

#define BIT(evidence) (1U << (evidence))

#define CANDIDATE_SELECT                                                 \
	"SELECT p.node, n.mid, coalesce(p.date, 0), p.version, "         \
	"p.title_key = c.title_key, p.patch_id IS c.patch_id OR "        \
	"p.mended_id IS c.patch_id, p.blobs IS c.blobs, "                \
	"p.backport_of NOTNULL OR p.stable, w.name, w.written, s.text, " \
	"c.patch_id NOTNULL, c.blobs NOTNULL "                           \
	"FROM git_commit c, patch p JOIN node n ON n.id = p.node "       \
	"JOIN person w ON w.id = p.author_person "                       \
	"JOIN address s ON s.id = p.sender "                             \
	"WHERE c.id = ?1 AND p.has_diff AND "
#define CANDIDATE_LIMIT " ORDER BY n.mid LIMIT ?2"

static struct candidate *read_candidate(struct search *s, sqlite3_stmt *rows)
{
	struct candidate *k = g_new0(struct candidate, 1);
	g_autofree char *name = db_dup(rows, 8);
	g_autofree char *address = db_dup(rows, 9);
	const struct address who = {name, address};

	k->node = db_int(rows, 0);
	k->mid = db_dup(rows, 1);
	k->date = db_int(rows, 2);
	k->version = (int)db_int(rows, 3);
	k->title = db_int(rows, 4) == 1;
	k->patch_id = db_int(rows, 5) == 1 && db_int(rows, 11);
	k->blobs = db_int(rows, 6) == 1 && db_int(rows, 12);
	k->backport = db_int(rows, 7) == 1;
	k->author = address_same_person(&who, &s->author) ||
		    !g_ascii_strcasecmp(db_text(rows, 10), s->author.address);
	return k;
}

static gboolean take_rows(struct search *s, sqlite3_stmt *rows, GError **err)
{
	struct candidate *k;
	int rc;

	while ((rc = db_next(rows, err)) > 0) {
		k = read_candidate(s, rows);
		if (g_hash_table_contains(s->seen, &k->node)) {
			candidate_free(k);
			continue;
		}
		g_hash_table_insert(s->seen, &k->node, k);
		g_ptr_array_add(s->candidates, k);
	}
	return rc == 0;
}

/* Those that share something with the commit ?1, at most ?2. */
static gboolean gather(struct search *s, const char *sql, GError **err)
{
	g_autoptr(db_rows) rows = db_query(s->st->state, err, sql,
					   INT(s->c->row), INT(MAX_CANDIDATES));

	return take_rows(s, rows, err);
}

/* One of which something else tells; NULL with err unset: it is no patch. */
static struct candidate *gather_one(struct search *s, gint64 node, GError **err)
{
	g_autoptr(db_rows) rows =
		db_query(s->st->state, err, CANDIDATE_SELECT "p.node = ?2",
			 INT(s->c->row), INT(node));

	return take_rows(s, rows, err) ? g_hash_table_lookup(s->seen, &node)
				       : NULL;
}

static gboolean gather_all(struct search *s, GError **err)
{
	return gather(s,
		      CANDIDATE_SELECT
		      "p.patch_id = c.patch_id" CANDIDATE_LIMIT,
		      err) &&
	       gather(s,
		      CANDIDATE_SELECT
		      "p.mended_id = c.patch_id" CANDIDATE_LIMIT,
		      err) &&
	       gather(s, CANDIDATE_SELECT "p.blobs = c.blobs" CANDIDATE_LIMIT,
		      err) &&
	       gather(s,
		      CANDIDATE_SELECT
		      "p.title_key = c.title_key" CANDIDATE_LIMIT,
		      err) &&
	       gather(s,
		      CANDIDATE_SELECT "p.date = c.author_date" CANDIDATE_LIMIT,
		      err);
}

/* ---- mails that the commit links */

static gboolean take_linked(struct search *s, const char *mid, GError **err)
{
	GError *why = NULL;
	struct candidate *k;
	gint64 node;
	int rc = node_find(s->st, mid, &node, err);

	k = rc > 0 ? gather_one(s, node, &why) : NULL;
	if (k)
		k->linked = TRUE;
	if (!why)
		return rc >= 0;
	g_propagate_error(err, why);
	return FALSE;
}

static gboolean gather_linked(struct search *s, guint *links, GError **err)
{
	g_autoptr(GPtrArray) mids = g_ptr_array_new_with_free_func(g_free);
	g_autoptr(db_rows) rows =
		db_query(s->st->state, err,
			 "SELECT DISTINCT mid FROM git_saying "
			 "WHERE git_commit = ? AND mid NOTNULL",
			 INT(s->c->row));
	int rc;

	while ((rc = db_next(rows, err)) > 0)
		g_ptr_array_add(mids, db_dup(rows, 0));
	*links = mids->len;
	for (guint i = 0; !rc && i < mids->len; i++)
		if (!take_linked(s, mids->pdata[i], err))
			return FALSE;
	return rc == 0;
}

/* ---- answers that name the commit */

static gboolean gather_notices(struct search *s, GError **err)
{
	g_autoptr(GArray) found = commit_notices_find(s->st, s->c, err);
	GError *why = NULL;

	for (guint i = 0; found && !why && i < found->len; i++) {
		const struct commit_notice *n =
			&g_array_index(found, struct commit_notice, i);
		struct candidate *k = gather_one(s, n->patch, &why);

		if (k && (!k->notice || (n->listed && !k->listed))) {
			g_free(k->notice);
			k->notice = g_strdup(n->mid);
			k->listed = n->listed;
		}
	}
	if (why)
		g_propagate_error(err, why);
	return found && !why;
}

/* ---- judging */

/* Titles that many changes have. */
static gboolean is_common_title(const char *subject)
{
	static const char *const begins[] = {"merge ", "linux ", "release ",
					     "version "};
	guint words = 0;

	for (guint i = 0; i < G_N_ELEMENTS(begins); i++)
		if (!g_ascii_strncasecmp(subject, begins[i], strlen(begins[i])))
			return TRUE;
	for (const char *p = subject; *p; p++)
		words += *p != ' ' && (p == subject || p[-1] == ' ');
	return words < 3;
}

/* Only one mail of that second by that author: it can be no other. */
static gboolean is_sole_date(const struct search *s,
			     const struct candidate *one)
{
	for (guint i = 0; i < s->candidates->len; i++) {
		const struct candidate *k = s->candidates->pdata[i];

		if (k != one && k->author && k->date == one->date)
			return FALSE;
	}
	return TRUE;
}

/* What git am makes of a mail has its date as the author's. */
static gboolean has_date(const struct search *s, const struct candidate *k)
{
	return k->author && k->date && k->date == s->c->author_date &&
	       (k->title || is_sole_date(s, k));
}

static void judge(const struct search *s, struct candidate *k, guint links)
{
	gboolean other = k->backport && !s->backport;

	if (k->linked &&
	    (k->title || k->patch_id || k->blobs || (links == 1 && k->author)))
		k->bits |= BIT(EVIDENCE_LINK);
	if (k->patch_id)
		k->bits |= BIT(EVIDENCE_PATCH_ID);
	if (k->blobs)
		k->bits |= BIT(EVIDENCE_BLOBS);
	if (!other && has_date(s, k))
		k->bits |= BIT(EVIDENCE_DATE);
	if (k->notice && !other && k->author && (k->title || k->listed))
		k->bits |= BIT(EVIDENCE_NOTICE);
}

/* Of equal title and author the newest that was there before the commit; else
 * the first one behind it. */
static gboolean is_nearer(const struct search *s, const struct candidate *k,
			  const struct candidate *best)
{
	gint64 limit = s->c->commit_date + SOON;
	gboolean before = k->date <= limit, was = best->date <= limit;

	if (before != was)
		return before;
	if (k->date != best->date)
		return before == (k->date > best->date);
	return strcmp(k->mid, best->mid) < 0;
}

static gboolean title_fits(const struct search *s, const struct candidate *k)
{
	gint64 when = s->c->commit_date;

	return k->title && k->author && (!k->backport || s->backport) &&
	       when >= k->date - TITLE_BEFORE && when <= k->date + TITLE_BEHIND;
}

static void judge_titles(struct search *s)
{
	struct candidate *best = NULL;
	gboolean stronger = FALSE;

	if (is_common_title(s->c->subject))
		return;
	for (guint i = 0; i < s->candidates->len; i++) {
		struct candidate *k = s->candidates->pdata[i];

		stronger |= k->bits && !k->backport;
		if (title_fits(s, k) && (!best || is_nearer(s, k, best)))
			best = k;
	}
	/* a mail known for certain is not doubted for a later one */
	for (guint i = 0; i < s->candidates->len; i++) {
		struct candidate *k = s->candidates->pdata[i];

		if (title_fits(s, k) && (k->bits || (k == best && !stronger)))
			k->bits |= BIT(EVIDENCE_TITLE);
	}
}

/* ---- results */

static struct commit *copy(const struct commit *c)
{
	struct commit *other = g_new(struct commit, 1);

	*other = *c;
	other->id = g_strdup(c->id);
	other->subject = g_strdup(c->subject);
	other->author_name = g_strdup(c->author_name);
	other->author_address = g_strdup(c->author_address);
	other->patch_id = g_strdup(c->patch_id);
	other->trailers = g_strdup(c->trailers);
	return other;
}

static struct commit_link *link_of(const struct search *s,
				   const struct candidate *k)
{
	struct commit_link *l = g_new0(struct commit_link, 1);

	l->mid = g_strdup(k->mid);
	l->commit = copy(s->c);
	l->also = k->bits;
	while (!(k->bits & BIT(l->evidence)))
		l->evidence++;
	if (k->bits & BIT(EVIDENCE_NOTICE))
		l->evidence_mid = g_strdup(k->notice);
	return l;
}

/* The newest version before the commit first. */
static int by_nearness(gconstpointer a, gconstpointer b, gpointer data)
{
	const struct candidate *x = *(struct candidate *const *)a;
	const struct candidate *y = *(struct candidate *const *)b;

	return is_nearer(data, x, y) ? -1 : is_nearer(data, y, x);
}

static gboolean is_backport(store *st, const struct commit *c, gboolean *is,
			    GError **err)
{
	gint64 one;
	int rc = db_get_int(st->state, &one, err,
			    "SELECT 1 FROM git_saying WHERE git_commit = ? "
			    "AND says = ? LIMIT 1",
			    INT(c->row), INT(SAYS_BACKPORTS));

	*is = rc > 0;
	return rc >= 0;
}

static gboolean find_candidates(struct search *s, GError **err)
{
	guint links = 0;

	if (!is_backport(s->st, s->c, &s->backport, err) ||
	    !gather_all(s, err) || !gather_linked(s, &links, err) ||
	    !gather_notices(s, err))
		return FALSE;
	for (guint i = 0; i < s->candidates->len; i++)
		judge(s, s->candidates->pdata[i], links);
	judge_titles(s);
	g_ptr_array_sort_with_data(s->candidates, by_nearness, s);
	return TRUE;
}

GPtrArray *patches_of_commit(store *st, const struct commit *c, GError **err)
{
	g_autoptr(GPtrArray) candidates =
		g_ptr_array_new_with_free_func(candidate_free);
	g_autoptr(GHashTable) seen =
		g_hash_table_new(g_int64_hash, g_int64_equal);
	g_autoptr(GPtrArray) out = g_ptr_array_new_with_free_func(
		(GDestroyNotify)commit_link_free);
	struct search s = {.st = st,
			   .c = c,
			   .author = {c->author_name, c->author_address},
			   .candidates = candidates,
			   .seen = seen};

	if (c->parents > 1)
		return g_steal_pointer(&out);
	if (!find_candidates(&s, err))
		return NULL;
	for (guint i = 0; i < candidates->len; i++)
		if (((struct candidate *)candidates->pdata[i])->bits)
			g_ptr_array_add(out, link_of(&s, candidates->pdata[i]));
	return g_steal_pointer(&out);
}
