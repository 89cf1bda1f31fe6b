/* item_fixes.c - the patches that are meant to repair a reported item
 * A later patch that names the culprit or the report, wherever it was sent,
 * and one that answers the report or takes the reported patch's place in its
 * thread. Tags given in answers to it say how far it is. */
#include <string.h>

#include "mail/applied.h"

#include "db/items_priv.h"

/* A patch mail that counts as a fix. */
struct candidate {
	struct item_patch *patch;
	const char *evidence, *status, *basis;
	char *evidence_mid; /* lent */
};

/* ---- which ones there are */

struct search {
	const struct item_facts *f;
	GArray *found;	  /* of struct candidate */
	GHashTable *seen; /* their nodes */
	const char *evidence;
	guint looks;
};

/* What was found before was found by better evidence. FALSE: enough. */
static gboolean take_patch(struct item_patch *p, void *data)
{
	struct search *s = data;
	const struct item_facts *f = s->f;
	struct candidate c = {p, s->evidence, "posted", NULL, p->mid};

	if (s->looks++ >= ITEM_MAX_LOOKS) {
		f->item->cut |= ITEM_CUT_FIXES;
		return FALSE;
	}
	if (p->date < f->item->reported || p->sender == f->reporter ||
	    p->node == f->node || g_hash_table_contains(s->seen, &p->node))
		return TRUE;
	if (s->found->len >= ITEM_MAX_FIXES) {
		f->item->cut |= ITEM_CUT_FIXES;
		return FALSE;
	}
	g_hash_table_add(s->seen, &p->node);
	g_array_append_val(s->found, c);
	return TRUE;
}

/* Patches, or covers of series, with a tag that links the report. */
static gboolean by_report(struct item_cache *c, struct search *s,
			  enum link_role role, GError **err)
{
	static const char sql[] = ITEM_PATCH_COLUMNS
		" FROM (SELECT DISTINCT node FROM link WHERE mid = ?1"
		" AND role = ?2) x" ITEM_PATCH_JOINS
		" WHERE (p.has_diff OR p.patch_like) AND n.date >= ?3"
		" AND s.address <> ?4 AND n.id <> ?5"
		" ORDER BY n.date, n.mid LIMIT ?6";
	const struct item_facts *f = s->f;
	g_autoptr(db_rows) rows =
		db_query(c->st->state, err, sql, TEXT(f->item->mid), INT(role),
			 INT(f->item->reported), INT(f->reporter), INT(f->node),
			 INT(2 * ITEM_MAX_FIXES + 1));
	int rc;

	s->looks = 0;
	s->evidence = role == LINK_CLOSES ? "closes" : "link";
	while ((rc = db_next(rows, err)) > 0)
		if (!take_patch(item_patch_read(c, rows), s))
			return TRUE;
	return rc == 0;
}

/* Patches that name the culprit in "Fixes:". */
static gboolean by_culprit(struct item_cache *c, struct search *s, GError **err)
{
	const struct item *i = s->f->item;

	s->looks = 0;
	s->evidence = "fixes";
	return !i->commit ||
	       item_culprit_each(c, i->commit, i->reported, take_patch, s, err);
}

/* A patch in the report's thread that names neither culprit nor report counts
 * if it answers the report, or is the reported patch once more. */
static gboolean by_thread(struct item_cache *c, struct search *s,
			  struct item_thread *t, GError **err)
{
	struct item *i = s->f->item;
	gboolean cut = FALSE;
	g_autoptr(GPtrArray) some =
		t ? item_thread_patches(c, t, s->f->node, s->f->reported_key,
					i->reported, &cut, err)
		  : g_ptr_array_new();

	s->looks = 0;
	s->evidence = "thread";
	if (cut)
		i->cut |= ITEM_CUT_FIXES;
	for (guint n = 0; some && n < some->len; n++)
		if (!take_patch(some->pdata[n], s))
			break;
	return some != NULL;
}

/* ---- how far they are */

static int rank_of(const char *status)
{
	return g_str_equal(status, "applied")	 ? 3
	       : g_str_equal(status, "tested")	 ? 2
	       : g_str_equal(status, "reviewed") ? 1
						 : 0;
}

static void note_patch(const struct item_patch *p, GArray *notes)
{
	struct item_note note = {.type = "fix-posted",
				 .time = p->date,
				 .by = p->by,
				 .name = p->author_name,
				 .address = p->author_address,
				 .mid = p->mid,
				 .text = p->subject};

	g_array_append_val(notes, note);
}

static void take_tag(struct candidate *c, const struct item_tag *tag,
		     GArray *notes)
{
	const char *status = tag->tested ? "tested" : "reviewed";
	struct item_note note = {.type = status,
				 .time = tag->date,
				 .by = tag->by,
				 .name = tag->name,
				 .address = tag->address,
				 .mid = tag->mid,
				 .text = tag->key,
				 .seq = tag->seq};

	g_array_append_val(notes, note);
	if (rank_of(status) <= rank_of(c->status))
		return;
	c->status = status;
	c->basis = "tag";
	c->evidence_mid = tag->mid;
}

/* The tests, or else the reviews, as long as there is room. */
static void take_tags(struct item *i, struct candidate *c, gboolean tested,
		      guint *room, GArray *notes)
{
	const GPtrArray *tags = c->patch->tags;

	for (guint n = 0; n < tags->len; n++) {
		const struct item_tag *tag = tags->pdata[n];

		if (tag->tested != tested || tag->date < i->reported ||
		    !g_ascii_strcasecmp(tag->address, c->patch->author_address))
			continue;
		if (!*room) {
			i->cut |= ITEM_CUT_TAGS;
			return;
		}
		--*room;
		take_tag(c, tag, notes);
	}
}

static gboolean find_tags(struct item_cache *cache, struct item *i,
			  struct candidate *c, GArray *notes, GError **err)
{
	guint room = ITEM_MAX_TAGS;

	if (!item_tags_find(cache, c->patch, err))
		return FALSE;
	if (c->patch->tags_cut)
		i->cut |= ITEM_CUT_TAGS;
	take_tags(i, c, TRUE, &room, notes);
	take_tags(i, c, FALSE, &room, notes);
	return TRUE;
}

/* ---- what became of it, in words */

struct listener {
	struct candidate *c;
	struct item_facts *f;
	GArray *notes;
};

static const char *type_of(const struct applied *a)
{
	switch (a->kind) {
	case APPLIED_REJECTED:
		return "rejected";
	case APPLIED_REVERTED:
		return "dropped";
	case APPLIED_PROMISED:
		return "promised";
	default:
		return "says-applied";
	}
}

static void take_notice(struct candidate *c, const struct item_note *note)
{
	if (!strcmp(note->type, "says-applied")) {
		c->status = "applied";
		c->basis = "notice";
		c->evidence_mid = note->mid;
	} else if (!strcmp(note->type, "dropped") &&
		   !strcmp(c->status, "applied")) {
		c->status = "posted";
		c->basis = "notice";
		c->evidence_mid = note->mid;
	}
}

/* What does not count is told all the same. */
static void hear(const struct applied *a, struct item_note *note,
		 const char *why, void *data)
{
	struct listener *l = data;
	g_autofree char *text = NULL;

	if (note->time < l->f->item->reported ||
	    a->kind == APPLIED_PICKED_STABLE)
		return;
	note->type = type_of(a);
	note->robot = a->robot;
	if (why)
		text = g_strdup_printf("%s, but %s: %s", note->type, why,
				       a->text);
	else
		take_notice(l->c, note);
	if (why)
		note->type = "not-counted";
	note->text = item_ref(text ? text : a->text);
	g_ptr_array_add(l->f->kept, note->text);
	g_array_append_val(l->notes, *note);
}

/* ---- versions of one patch */

/* The newest version stands for all; a backport only if there is no other. */
static int compare_versions(const struct candidate *a,
			    const struct candidate *b)
{
	if (a->patch->backport != b->patch->backport)
		return a->patch->backport ? -1 : 1;
	if (a->patch->version != b->patch->version)
		return a->patch->version < b->patch->version ? -1 : 1;
	return item_patch_compare(&a->patch, &b->patch);
}

static void join(struct candidate *kept, const struct candidate *other)
{
	struct candidate older = *kept;

	if (compare_versions(kept, other) < 0)
		*kept = *other;
	else
		older = *other;
	if (rank_of(older.status) > rank_of(kept->status)) {
		kept->status = older.status;
		kept->basis = older.basis;
		kept->evidence_mid = older.evidence_mid;
	}
}

static struct item_fix *fix_new(const struct candidate *c)
{
	struct item_fix *fix = g_new0(struct item_fix, 1);
	const struct item_patch *p = c->patch;

	fix->mid = item_ref_again(p->mid);
	fix->subject = item_ref_again(p->subject);
	fix->patch_id = item_ref_again(p->patch_id);
	fix->author_name = item_ref_again(p->author_name);
	fix->author_address = item_ref_again(p->author_address);
	fix->status = c->status;
	fix->basis = c->basis;
	fix->role = "fix";
	fix->evidence = c->evidence;
	fix->evidence_mid = item_ref_again(c->evidence_mid);
	fix->date = p->date;
	return fix;
}

static int compare_fixes(gconstpointer a, gconstpointer b)
{
	const struct item_fix *x = *(struct item_fix *const *)a;
	const struct item_fix *y = *(struct item_fix *const *)b;

	if (x->date != y->date)
		return x->date < y->date ? -1 : 1;
	return g_strcmp0(x->mid, y->mid);
}

static void keep_fixes(struct item *i, GArray *found)
{
	g_autoptr(GHashTable) by_title =
		g_hash_table_new(g_str_hash, g_str_equal);
	GHashTableIter iter;
	gpointer kept;

	for (guint n = 0; n < found->len; n++) {
		struct candidate *c =
			&g_array_index(found, struct candidate, n);

		kept = g_hash_table_lookup(by_title, c->patch->title_key);
		if (kept)
			join(kept, c);
		else
			g_hash_table_insert(by_title, c->patch->title_key, c);
	}
	g_hash_table_iter_init(&iter, by_title);
	while (g_hash_table_iter_next(&iter, NULL, &kept))
		g_ptr_array_add(i->fixes, fix_new(kept));
	g_ptr_array_sort(i->fixes, compare_fixes);
}

gboolean item_find_fixes(struct item_cache *c, struct item_facts *f,
			 struct item_thread *t, GArray *notes, GError **err)
{
	g_autoptr(GArray) found =
		g_array_new(FALSE, FALSE, sizeof(struct candidate));
	g_autoptr(GHashTable) seen =
		g_hash_table_new(g_int64_hash, g_int64_equal);
	struct search s = {.f = f, .found = found, .seen = seen};

	if (!by_report(c, &s, LINK_CLOSES, err) ||
	    !by_report(c, &s, LINK_LINK, err) || !by_culprit(c, &s, err) ||
	    !by_thread(c, &s, t, err))
		return FALSE;
	for (guint n = 0; n < found->len; n++) {
		struct candidate *one =
			&g_array_index(found, struct candidate, n);

		struct listener l = {one, f, notes};

		note_patch(one->patch, notes);
		if (!find_tags(c, f->item, one, notes, err) ||
		    !item_notices_find(c, one->patch, hear, &l, err) ||
		    !item_words_of_patch(c, f, one->patch, notes, err))
			return FALSE;
	}
	keep_fixes(f->item, found);
	return TRUE;
}
