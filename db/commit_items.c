/* commit_items.c - mails and items that have to do with a commit */
#include "db/commit_items.h"

#include <string.h>

#include "db/commit_priv.h"
#include "db/items_priv.h"
#include "db/track_priv.h"

void commit_mention_free(struct commit_mention *m)
{
	g_free(m->mid);
	g_free(m->subject);
	g_free(m);
}

GPtrArray *commit_mentions(store *st, const char *prefix, GError **err)
{
	g_autofree char *low = g_ascii_strdown(prefix, -1);
	g_autofree char *end = g_strconcat(low, "g", NULL);
	g_autoptr(GPtrArray) out = g_ptr_array_new_with_free_func(
		(GDestroyNotify)commit_mention_free);
	g_autoptr(db_rows) rows = db_query(
		st->state, err,
		"SELECT n.mid, m.subject, min(r.role), n.date FROM commit_ref "
		"r JOIN node n ON n.id = r.node JOIN message m "
		"ON m.node = n.id WHERE r.id >= substr(?1, 1, 7) AND r.id < ?2 "
		"AND substr(?1, 1, length(r.id)) = substr(r.id, 1, length(?1)) "
		"GROUP BY n.id ORDER BY n.date, n.mid LIMIT ?3",
		TEXT(low), TEXT(end), INT(COMMIT_MAX_MENTIONS));
	struct commit_mention *m;
	int rc;

	while ((rc = db_next(rows, err)) > 0) {
		m = g_new0(struct commit_mention, 1);
		m->mid = db_dup(rows, 0);
		m->subject = db_dup(rows, 1);
		m->role = (enum commit_role)db_int(rows, 2);
		m->date = db_int(rows, 3) == DB_NULL ? 0 : db_int(rows, 3);
		g_ptr_array_add(out, m);
	}
	return rc ? NULL : g_steal_pointer(&out);
}

/* ---- items */

void commit_item_free(struct commit_item *i)
{
	item_free(i->item);
	g_free(i);
}

/* One abbreviates the other. */
static gboolean is_same_id(const char *a, const char *b)
{
	gsize la = a ? strlen(a) : 0, lb = b ? strlen(b) : 0;

	return la >= COMMITS_MIN_PREFIX && lb >= COMMITS_MIN_PREFIX &&
	       !g_ascii_strncasecmp(a, b, MIN(la, lb));
}

static const char *fix_status(const struct item *i, const char *id)
{
	for (guint n = 0; n < i->fixes->len; n++) {
		const struct item_fix *fix = i->fixes->pdata[n];

		if (is_same_id(fix->id, id))
			return fix->status;
	}
	return NULL;
}

static gboolean is_taken(GPtrArray *out, const char *id)
{
	for (guint i = 0; i < out->len; i++)
		if (!strcmp(((struct commit_item *)out->pdata[i])->item->id,
			    id))
			return TRUE;
	return FALSE;
}

/* If it has to do with the commit. Takes `item`. */
static void take(GPtrArray *out, struct item *item, const char *id)
{
	struct commit_item *found;
	const char *status;
	gboolean culprit;

	if (!item)
		return;
	culprit = is_same_id(item->commit, id);
	status = fix_status(item, id);
	if ((!culprit && !status) || is_taken(out, item->id)) {
		item_free(item);
		return;
	}
	found = g_new0(struct commit_item, 1);
	found->item = item;
	found->culprit = culprit;
	found->status = culprit ? NULL : status;
	g_ptr_array_add(out, found);
}

/* Those whose culprit is `culprit`, if they have to do with `id`. */
static gboolean take_tracked(struct tracker *t, const char *culprit,
			     const char *id, GPtrArray *out, GError **err)
{
	for (guint n = 0; n < t->all->len; n++) {
		struct tracked *x = t->all->pdata[n];
		GError *why = NULL;

		if (x->dropped || (!is_same_id(x->commit, culprit) &&
				   !is_same_id(x->ref, culprit)))
			continue;
		take(out, item_load_one(t, x, &why), id);
		if (!why)
			continue;
		g_propagate_error(err, why);
		return FALSE;
	}
	return TRUE;
}

static gboolean take_of_mail(store *st, const char *mid, const char *id,
			     GPtrArray *out, GError **err)
{
	GError *why = NULL;

	take(out, item_of_mail(st, mid, &why), id);
	if (!why)
		return TRUE;
	g_propagate_error(err, why);
	return FALSE;
}

/* What it says that it repairs. */
static gboolean take_repaired(store *st, struct tracker *t,
			      const struct commit *c, GPtrArray *out,
			      GError **err)
{
	g_autoptr(GPtrArray) says = commit_sayings(st, c, err);
	g_autoptr(GPtrArray) mails =
		says ? patches_of_commit(st, c, err) : NULL;

	for (guint i = 0; mails && i < says->len; i++) {
		const struct commit_saying *s = says->pdata[i];

		if (s->says == SAYS_FIXES && s->id &&
		    !take_tracked(t, s->id, c->id, out, err))
			return FALSE;
		if (s->mid && !take_of_mail(st, s->mid, c->id, out, err))
			return FALSE;
	}
	for (guint i = 0; mails && i < mails->len; i++)
		if (!take_of_mail(st,
				  ((struct commit_link *)mails->pdata[i])->mid,
				  c->id, out, err))
			return FALSE;
	return mails != NULL;
}

GPtrArray *commit_items(store *st, const char *prefix, const struct commit *c,
			GError **err)
{
	g_autoptr(db_snapshot) snapshot = db_snapshot_begin(st->state, err);
	g_autoptr(tracker_auto) t = snapshot ? tracker_open(st, err) : NULL;
	g_autoptr(GPtrArray) out = g_ptr_array_new_with_free_func(
		(GDestroyNotify)commit_item_free);
	const char *id = c ? c->id : prefix;

	if (!t || !take_tracked(t, id, id, out, err) ||
	    (c && !take_repaired(st, t, c, out, err)))
		return NULL;
	return g_steal_pointer(&out);
}
