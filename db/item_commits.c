/* item_commits.c - commits that repair an item, and fixes that commands name
 * Named ones come first; then commits that close or link the report, that
 * revert the culprit, and what patches became. The last mail that names fixes
 * decides: what was named before is history. */
#include "db/item_commits.h"

#include <string.h>

#include "mail/subject.h"

#include "db/track_priv.h"

struct search {
	struct item_cache *c;
	struct item_facts *f;
	GArray *notes;
	GHashTable *seen; /* ids of commits */
	guint count;
	GError *error;
};

static char *keep(struct search *s, char *ref)
{
	if (ref)
		g_ptr_array_add(s->f->kept, ref);
	return ref;
}

/* ---- entries among the fixes */

static gboolean same_title(const struct item_fix *fix, const char *subject)
{
	g_autofree char *a = fix->subject ? subject_key(fix->subject) : NULL;
	g_autofree char *b = subject ? subject_key(subject) : NULL;

	return a && b && *a && !strcmp(a, b);
}

struct item_fix *item_fix_find(const struct item *i, const char *id,
			       const char *mid, const char *subject)
{
	for (guint n = 0; n < i->fixes->len; n++) {
		struct item_fix *fix = i->fixes->pdata[n];

		if ((id && fix->id &&
		     (g_str_has_prefix(fix->id, id) ||
		      g_str_has_prefix(id, fix->id))) ||
		    (mid && fix->mid && !strcmp(fix->mid, mid)) ||
		    same_title(fix, subject))
			return fix;
	}
	return NULL;
}

static void put(char **to, const char *text)
{
	item_ref_drop(*to);
	*to = item_ref(text);
}

static gboolean evidence_closes(const char *evidence)
{
	return !strcmp(evidence, "closes") || !strcmp(evidence, "link");
}

/* NULL: there are too many. */
static struct item_fix *fix_entry(struct search *s, const char *id,
				  const char *mid, const char *subject,
				  const char *evidence,
				  const char *evidence_mid, gint64 date)
{
	struct item *i = s->f->item;
	struct item_fix *fix = item_fix_find(i, id, mid, subject);

	if (!fix && i->fixes->len >= ITEM_MAX_FIXES) {
		i->cut |= ITEM_CUT_FIXES;
		return NULL;
	}
	if (!fix) {
		fix = g_new0(struct item_fix, 1);
		fix->status = "posted";
		fix->role = "fix";
		fix->evidence = evidence;
		fix->evidence_mid = item_ref(evidence_mid);
		fix->date = date;
		fix->mid = item_ref(mid);
		g_ptr_array_add(i->fixes, fix);
	}
	/* a stronger one replaces it, never a weaker */
	if (!strcmp(fix->evidence, "fixes") && evidence_closes(evidence))
		fix->evidence = evidence;
	if (id && (!fix->id || strlen(id) > strlen(fix->id)))
		put(&fix->id, id);
	if (subject && !fix->subject)
		put(&fix->subject, subject);
	return fix;
}

/* The newest mail that became the commit. */
static void find_patch(struct search *s, struct item_fix *fix,
		       const struct commit *c)
{
	g_autoptr(GPtrArray) mails =
		s->error ? NULL : patches_of_commit(s->c->st, c, &s->error);
	const struct commit_link *l =
		mails && mails->len ? mails->pdata[0] : NULL;

	if (l)
		fix->mid = item_ref(l->mid);
}

/* The newest patch of that title. */
static void find_titled(struct search *s, struct item_fix *fix)
{
	static const char sql[] =
		"SELECT n.mid, p.date, a.name, a.written FROM patch p"
		" JOIN node n ON n.id = p.node"
		" JOIN person a ON a.id = p.author_person"
		" WHERE p.title_key = ?1 AND p.has_diff"
		" ORDER BY p.version DESC, n.date DESC, n.mid LIMIT 1";
	g_autofree char *key = subject_key(fix->subject);
	g_autoptr(db_rows) rows =
		s->error ? NULL
			 : db_query(s->c->st->state, &s->error, sql, TEXT(key));

	if (!rows || db_next(rows, &s->error) < 1)
		return;
	put(&fix->mid, db_text(rows, 0));
	put(&fix->author_name, db_text(rows, 2));
	put(&fix->author_address, db_text(rows, 3));
}

static void fill_fix(struct search *s, struct item_fix *fix,
		     const struct landing *l)
{
	const struct commit *c = l->commit;
	const char *status = landing_status(l);

	put(&fix->id, c->id);
	put(&fix->subject, c->subject);
	if (!fix->patch_id && c->patch_id)
		put(&fix->patch_id, c->patch_id);
	if (!fix->author_name) {
		put(&fix->author_name, c->author_name);
		put(&fix->author_address, c->author_address);
	}
	if (status) {
		fix->status = status;
		fix->basis = "tree";
	}
	if (!fix->mid)
		find_patch(s, fix, c);
	fix_take_places(fix, l->places);
}

/* ---- what it does to the state */

static void add_note(struct search *s, const char *type, gint64 time,
		     const struct commit *c, const char *text)
{
	struct item_note note = {.type = type, .time = time};

	note.by =
		keep(s, item_ref_person(c->author_name,
					c->author_address && *c->author_address
						? c->author_address
						: NULL));
	note.commit = keep(s, item_ref(c->id));
	note.text = keep(s, item_ref(text));
	g_array_append_val(s->notes, note);
}

static char *where_text(const struct landing *l)
{
	const struct commit_place *p = l->where;

	return g_strdup_printf("%s: in %s%s%s%s%s", l->commit->subject,
			       p->tree->name, p->branch ? ", branch " : "",
			       p->branch ? p->branch : "",
			       p->tag ? ", since " : "", p->tag ? p->tag : "");
}

/* `since`: it counts from then on; `whole`: nothing else has to land. */
static void tell(struct search *s, const struct landing *l, gint64 since,
		 gboolean whole)
{
	g_autofree char *text = l->landed ? where_text(l) : NULL;
	gboolean there = whole && l->there;

	if (!text)
		return;
	add_note(s,
		 !there		     ? "applied"
		 : l->stable_missing ? "stable-pending"
				     : "fixed",
		 MAX(there ? l->there : l->landed, since), l->commit, text);
	if (l->reverted)
		add_note(s, "reverted", MAX(l->reverted, since), l->revert,
			 l->revert->subject);
}

/* ---- one commit that repairs it */

struct finding {
	const char *evidence, *role, *mid; /* mid: the patch, or NULL */
	char *evidence_mid;
	gint64 since;
	gboolean drives; /* the state */
	gboolean named;	 /* listed though no tree that counts has it */
};

/* Takes `commit`. */
static void take_commit(struct search *s, struct commit *commit,
			const struct finding *how)
{
	g_autofree char *id = g_strdup(commit->id);
	struct landing l = {0};
	struct item_fix *fix;

	if (s->error || s->count >= ITEM_MAX_FOUND ||
	    g_hash_table_contains(s->seen, commit->id)) {
		commit_free(commit);
		return;
	}
	s->count++;
	g_hash_table_add(s->seen, g_strdup(id));
	if (!landing_find(s->c->st, commit, s->f->role, s->f->in_stable, &l,
			  &s->error)) {
		landing_clear(&l);
		return;
	}
	/* another commit stands for it, and was taken already */
	if (strcmp(l.commit->id, id) != 0 &&
	    !g_hash_table_add(s->seen, g_strdup(l.commit->id))) {
		landing_clear(&l);
		return;
	}
	/* what is in a tree that does not count is no fix of this */
	fix = l.landed || how->named
		      ? fix_entry(s, l.commit->id, how->mid, l.commit->subject,
				  how->evidence, how->evidence_mid,
				  MAX(l.landed, how->since))
		      : NULL;
	if (fix) {
		fill_fix(s, fix, &l);
		fix->role = how->role;
		if (how->drives)
			tell(s, &l, how->since, TRUE);
	}
	landing_clear(&l);
}

/* ---- fixes that commands name */

/* Commits of that title, in a tree or not: the nearest to mainline first. */
static struct commit *by_title(struct search *s, const char *title)
{
	g_autoptr(GPtrArray) all =
		commits_by_title(s->c->st, title, NULL, &s->error);

	for (guint n = 0; all && n < all->len; n++) {
		struct landing l = {0};
		struct commit *c = g_ptr_array_steal_index(all, 0);
		gboolean landed = landing_find(s->c->st, c, s->f->role, FALSE,
					       &l, &s->error) &&
				  l.landed;
		struct commit *found =
			landed ? g_steal_pointer(&l.commit) : NULL;

		landing_clear(&l);
		if (found || s->error)
			return found;
		n--;
	}
	return NULL;
}

static struct commit *of_patch(struct search *s, const char *mid)
{
	g_autoptr(GPtrArray) links = commits_of_patch(s->c->st, mid, &s->error);
	struct commit_link *l = links && links->len ? links->pdata[0] : NULL;

	return l ? g_steal_pointer(&l->commit) : NULL;
}

static struct commit *named_commit(struct search *s, const struct reference *r)
{
	struct commit *c;

	if (!s->c->trees->len || s->error)
		return NULL;
	switch (r->kind) {
	case REFERENCE_COMMIT:
		c = commit_find(s->c->st, r->id, r->title, NULL, &s->error);
		if (!c && !s->error && r->title)
			c = by_title(s, r->title);
		return c;
	case REFERENCE_MAIL:
		return of_patch(s, r->id);
	case REFERENCE_TITLE:
		return by_title(s, r->title ? r->title : r->text);
	default:
		return NULL;
	}
}

/* A fix that no tree knows: it waits. */
static void add_pending(struct search *s, const struct item_note *note)
{
	const struct reference *r = note->ref;
	const char *id = r->kind == REFERENCE_COMMIT ? r->id : NULL;
	const char *mid = r->kind == REFERENCE_MAIL ? r->id : NULL;
	const char *title = r->title ? r->title : id || mid ? NULL : r->text;

	struct item_fix *fix =
		fix_entry(s, id, mid, title, "command", note->mid, note->time);

	if (fix && !fix->mid && fix->subject && *fix->subject)
		find_titled(s, fix);
}

/* "fix: 1234567890ab (partially)": it alone does not end the item. */
static gboolean is_partial(const struct item_note *note)
{
	const struct reference *r = note->ref;
	g_autofree char *lower = r->kind == REFERENCE_COMMIT && !r->title
					 ? g_ascii_strdown(note->text, -1)
					 : NULL;

	return lower && strstr(lower, "partial");
}

/* Those of one mail, from `at` on: all of them have to land. */
static void take_named(struct search *s, const GArray *named)
{
	struct landing all[ITEM_MAX_FOUND] = {{0}};
	guint there = 0, found = 0;
	gint64 when = 0, since = 0;

	for (guint n = 0; n < named->len && found < ITEM_MAX_FOUND; n++) {
		const struct item_note *note =
			g_array_index(named, const struct item_note *, n);
		struct commit *c = named_commit(s, note->ref);
		struct landing *l = &all[found];
		struct item_fix *fix;

		since = note->time;
		if (!c) {
			add_pending(s, note);
			continue;
		}
		if (s->error || !landing_find(s->c->st, c, s->f->role,
					      s->f->in_stable, l, &s->error))
			break;
		found++;
		there += l->there && !l->reverted && !is_partial(note);
		when = MAX(when, l->there);
		g_hash_table_add(s->seen, g_strdup(l->commit->id));
		fix = fix_entry(s, l->commit->id,
				note->ref->kind == REFERENCE_MAIL
					? note->ref->id
					: NULL,
				l->commit->subject, "command", note->mid,
				note->time);
		if (fix)
			fill_fix(s, fix, l);
		if (fix && is_partial(note))
			fix->role = "partial";
	}
	for (guint n = 0; n < found; n++) {
		tell(s, &all[n], MAX(when, since),
		     there == named->len || all[n].reverted);
		landing_clear(&all[n]);
	}
	if (found < ITEM_MAX_FOUND)
		landing_clear(&all[found]);
}

static gboolean is_named(const struct item_note *note)
{
	return note->ref && !strcmp(note->type, "fix-named");
}

static void by_command(struct search *s)
{
	g_autoptr(GArray) last =
		g_array_new(FALSE, FALSE, sizeof(struct item_note *));
	g_autoptr(GPtrArray) copies = g_ptr_array_new_with_free_func(g_free);
	const char *mid = NULL;

	/* notes are added while these are looked at */
	for (guint n = 0; n < s->notes->len; n++) {
		const struct item_note *note =
			&g_array_index(s->notes, struct item_note, n);

		if (is_named(note))
			g_ptr_array_add(copies, g_memdup2(note, sizeof(*note)));
		if (is_named(note))
			mid = note->mid;
	}
	for (guint n = 0; n < copies->len; n++) {
		const struct item_note *note = copies->pdata[n];

		if (!strcmp(note->mid, mid))
			g_array_append_val(last, note);
	}
	if (last->len)
		take_named(s, last);
}

/* ---- commits that speak of the report, or of the culprit */

static gboolean reverts_culprit(struct search *s, const struct commit *c)
{
	const char *culprit = s->f->item->commit;
	g_autoptr(GPtrArray) all =
		culprit && strlen(culprit) == 40 && !s->error
			? commits_saying(s->c->st, SAYS_REVERTS, culprit,
					 &s->error)
			: NULL;

	for (guint n = 0; all && n < all->len; n++) {
		const struct commit_saying *x = all->pdata[n];

		if (!strcmp(x->commit->id, c->id))
			return TRUE;
	}
	return FALSE;
}

static void by_link(struct search *s, const char *mid)
{
	g_autoptr(GPtrArray) all =
		s->f->item->report_url
			? commits_linking_url(s->c->st, mid, &s->error)
			: commits_linking(s->c->st, mid, &s->error);

	for (guint n = 0; all && n < all->len; n++) {
		struct commit_saying *x = all->pdata[n];
		struct finding how = {.evidence = x->says == SAYS_CLOSES
							  ? "closes"
							  : "link",
				      .role = "fix",
				      .drives = TRUE};

		if (x->says != SAYS_LINK && x->says != SAYS_CLOSES)
			continue;
		if (s->f->item->commit &&
		    !strcmp(x->commit->id, s->f->item->commit))
			continue;
		if (reverts_culprit(s, x->commit))
			how.role = "revert";
		take_commit(s, g_steal_pointer(&x->commit), &how);
	}
}

/* The report, and what stands below it in its thread. */
static void by_links(struct search *s)
{
	struct item_facts *f = s->f;
	struct item_thread *t;
	int at;

	by_link(s, f->item->mid);
	if (!f->tid || f->item->robot || s->error)
		return;
	t = item_thread_get(s->c, f->tid, f->item->mid, &s->error);
	at = t ? item_thread_index(t, f->node) : -1;
	for (int n = at + 1;
	     at >= 0 && n < t->end[at] && !s->error && n - at <= ITEM_MAX_LOOKS;
	     n++) {
		const struct thread_node *node = t->t->nodes->pdata[n];

		by_link(s, node->mid);
	}
}

static gboolean is_repaired(const struct item *i)
{
	for (guint n = 0; n < i->fixes->len; n++) {
		const struct item_fix *fix = i->fixes->pdata[n];

		if (!strcmp(fix->status, "merged") &&
		    strcmp(fix->evidence, "fixes") != 0)
			return TRUE;
	}
	return FALSE;
}

/* What is repaired otherwise stays so, also where the culprit is taken out for
 * a while. */
static void by_revert(struct search *s)
{
	const char *culprit = s->f->item->commit;
	g_autoptr(GPtrArray) all =
		culprit && strlen(culprit) == 40
			? commits_saying(s->c->st, SAYS_REVERTS, culprit,
					 &s->error)
			: NULL;
	struct finding how = {.evidence = "reverts",
			      .role = "revert",
			      .drives = !is_repaired(s->f->item)};

	for (guint n = 0; all && n < all->len && !s->error; n++) {
		struct commit_saying *x = all->pdata[n];

		take_commit(s, g_steal_pointer(&x->commit), &how);
	}
}

/* What the patches became. One that only names the culprit may repair
 * something else of it: it does not end the item. */
static void by_patches(struct search *s)
{
	GPtrArray *fixes = s->f->item->fixes;
	guint count = fixes->len;

	for (guint n = 0; n < count && !s->error; n++) {
		const struct item_fix *fix = fixes->pdata[n];
		struct finding how = {.evidence = fix->evidence,
				      .role = fix->role,
				      .mid = fix->mid,
				      .since = fix->date,
				      .named = TRUE,
				      .drives = strcmp(fix->evidence,
						       "fixes") != 0};
		struct commit *c = fix->mid ? of_patch(s, fix->mid) : NULL;

		if (c)
			take_commit(s, c, &how);
	}
}

/* Fixes of which no commit is known. */
static void take_absent(struct search *s)
{
	const struct item *i = s->f->item;

	for (guint n = 0; n < i->fixes->len; n++) {
		struct item_fix *fix = i->fixes->pdata[n];

		if (!fix->trees)
			fix_take_absence(fix, s->c->trees);
	}
}

gboolean item_find_commits(struct item_cache *c, struct item_facts *f,
			   GArray *notes, GError **err)
{
	g_autoptr(GHashTable) seen =
		g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	struct search s = {.c = c, .f = f, .notes = notes, .seen = seen};

	by_command(&s);
	if (c->trees->len && !s.error)
		by_links(&s);
	if (c->trees->len && !s.error)
		by_patches(&s);
	if (c->trees->len && !s.error)
		take_absent(&s);
	if (c->trees->len && !s.error)
		by_revert(&s);
	if (!s.error)
		return TRUE;
	g_propagate_error(err, s.error);
	return FALSE;
}
