/* track_rights.c - who a sender is to an item, and what he may do to it
 * By From, as the list's mask is taken off; how sure it is that he is who he
 * says, roles_evidence() tells. All is as it was when the mail was written, by (date, Message-ID), so that the order of arrival changes
 * nothing. #regzbot is for everybody. docs/items.md has the table. */
#include <string.h>

#include "mail/commit_ref.h"
#include "mail/links.h"
#include "mail/maintainers.h"
#include "mail/message.h"

#include "db/commits.h"
#include "db/keepers.h"
#include "db/track_priv.h"

#define MAX_MAILS   20000 /* of one thread, in search of its people */
#define MAX_THREADS 20	  /* that an item watches, for the same */
#define YOUNG	    (30 * 86400)
#define FEW	    5 /* people of a thread that is not yet a crowd */

enum track_role {
	ROLE_NONE = 0,
	ROLE_PARTICIPANT = 1 << 0, /* wrote there before */
	ROLE_REPORTER = 1 << 1,
	ROLE_CULPRIT = 1 << 2,	/* wrote what is thought to have caused it */
	ROLE_FIX = 1 << 3,	/* wrote a patch that names it */
	ROLE_NAMED = 1 << 4,	/* M: or R: of any section of MAINTAINERS */
	ROLE_KEEPER = 1 << 5,	/* M: of one that the item is of */
	ROLE_LIST = 1 << 6,	/* decides for a list that it was seen on */
	ROLE_OPERATOR = 1 << 7, /* runs the bot */
};
#define ROLES_THAT_DECIDE (ROLE_KEEPER | ROLE_LIST | ROLE_OPERATOR)
/* What is his own he may change without proof that he is it. */
#define ROLES_OF_OWNERS (ROLE_REPORTER | ROLE_CULPRIT | ROLE_FIX)

/* When somebody was there first. */
struct entry {
	gint64 date;
	char *mid;
};

/* People by address, and their entries in order. */
struct crowd {
	GHashTable *first; /* address to struct entry */
	GPtrArray *order;  /* of the same */
};

/* Of one item; what depends on its culprit is asked again when that is
 * another. */
struct track_people {
	struct crowd *fixes;
	char *commit;	     /* of which this holds; NULL: of none */
	char *author;	     /* of the commit; NULL unknown */
	char *patch_author;  /* of the patch that is reported */
	GHashTable *keepers; /* NULL: not asked, or not known */
	gboolean asked_keepers;
	GPtrArray *lists; /* names; NULL: not asked */
};

/* What many items share. */
struct track_known {
	GHashTable *threads; /* tid to struct crowd */
	GHashTable *named;   /* addresses of MAINTAINERS; NULL: not asked */
	gboolean asked_map;
	const mailmap *map; /* lent */
};

/* ---- names */

static void entry_free(struct entry *e)
{
	g_free(e->mid);
	g_free(e);
}

static void crowd_free(struct crowd *c)
{
	if (!c)
		return;
	g_hash_table_unref(c->first);
	g_ptr_array_unref(c->order);
	g_free(c);
}

static struct crowd *crowd_new(void)
{
	struct crowd *c = g_new0(struct crowd, 1);

	c->first = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	c->order = g_ptr_array_new_with_free_func((GDestroyNotify)entry_free);
	return c;
}

void track_people_free(struct track_people *p)
{
	if (!p)
		return;
	crowd_free(p->fixes);
	g_free(p->commit);
	g_free(p->author);
	g_free(p->patch_author);
	g_clear_pointer(&p->keepers, g_hash_table_unref);
	g_clear_pointer(&p->lists, g_ptr_array_unref);
	g_free(p);
}

void track_known_free(struct track_known *k)
{
	if (!k)
		return;
	g_hash_table_unref(k->threads);
	g_clear_pointer(&k->named, g_hash_table_unref);
	g_free(k);
}

static struct track_known *known_of(struct tracker *t)
{
	if (t->known)
		return t->known;
	t->known = g_new0(struct track_known, 1);
	t->known->threads =
		g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free,
				      (GDestroyNotify)crowd_free);
	return t->known;
}

/* The address by which somebody is known. */
static char *proper(struct tracker *t, const char *address)
{
	struct track_known *k = known_of(t);
	const char *name = "";

	if (!k->asked_map && !t->error) {
		k->asked_map = TRUE;
		k->map = keepers_mailmap(t->st, &t->error);
	}
	mailmap_apply(k->map, &name, &address);
	return g_ascii_strdown(address, -1);
}

gboolean track_same_person(struct tracker *t, const char *a, const char *b)
{
	g_autofree char *x = NULL, *y = NULL;

	if (!a || !b || !*a || !*b)
		return FALSE;
	if (!g_ascii_strcasecmp(a, b))
		return TRUE;
	x = proper(t, a);
	y = proper(t, b);
	return !strcmp(x, y);
}

/* ---- who was where, by rows of address, date, Message-ID in order */

static struct crowd *crowd_read(struct tracker *t, db_rows *rows)
{
	struct crowd *c = crowd_new();

	while (db_next(rows, &t->error) > 0) {
		char *address = proper(t, db_text(rows, 0));
		gint64 date = db_int(rows, 1);
		struct entry *e;

		if (g_hash_table_contains(c->first, address)) {
			g_free(address);
			continue;
		}
		e = g_new0(struct entry, 1);
		e->date = date == DB_NULL ? 0 : date;
		e->mid = db_dup(rows, 2);
		g_ptr_array_add(c->order, e);
		g_hash_table_insert(c->first, address, e);
	}
	return c;
}

static int compare(const struct entry *e, const struct track_command *c)
{
	if (e->date != c->date)
		return e->date < c->date ? -1 : 1;
	return strcmp(e->mid, c->mid);
}

static gboolean was_there(const struct crowd *crowd, const char *who,
			  const struct track_command *c, gboolean or_with_it)
{
	const struct entry *e = g_hash_table_lookup(crowd->first, who);

	return e && compare(e, c) < (or_with_it ? 1 : 0);
}

/* Robots are no people. */
static struct crowd *crowd_of(struct tracker *t, gint64 tid)
{
	static const char sql[] = "SELECT a.text, n.date, n.mid FROM node n"
				  " JOIN message m ON m.node = n.id"
				  " JOIN person p ON p.id = m.person"
				  " JOIN address a ON a.id = p.address"
				  " WHERE n.tid = ?1 AND m.kind NOT IN (?2, ?3)"
				  " ORDER BY n.date, n.mid LIMIT ?4";
	struct track_known *k = known_of(t);
	struct crowd *c = g_hash_table_lookup(k->threads, &tid);
	g_autoptr(db_rows) rows = NULL;

	if (c)
		return c;
	rows = db_query(t->st->state, &t->error, sql, INT(tid),
			INT(KIND_REPORT), INT(KIND_NOTICE), INT(MAX_MAILS));
	c = crowd_read(t, rows);
	g_hash_table_insert(k->threads, g_memdup2(&tid, sizeof(tid)), c);
	return c;
}

static gint64 thread_of(struct tracker *t, const char *mid)
{
	struct track_mail *m = mid ? track_mail_named(t, mid) : NULL;

	return m ? m->tid : 0;
}

/* Wrote in its thread, in one that it watches, or tracked it. */
static gboolean is_participant(struct tracker *t, const struct tracked *i,
			       const struct track_command *c, const char *who)
{
	guint threads = 0;

	if (i->tid && was_there(crowd_of(t, i->tid), who, c, FALSE))
		return TRUE;
	for (guint n = 0; n < i->links->len && threads < MAX_THREADS; n++) {
		const struct item_link *l = i->links->pdata[n];
		gint64 tid = l->monitored ? thread_of(t, l->mid) : 0;

		threads += tid != 0;
		if (tid && was_there(crowd_of(t, tid), who, c, FALSE))
			return TRUE;
	}
	return i->notes->len &&
	       track_same_person(
		       t,
		       ((struct track_note *)i->notes->pdata[0])->note.address,
		       who);
}

static gboolean is_crowded(struct tracker *t, const struct tracked *i,
			   const struct track_command *c)
{
	const struct crowd *crowd = i->tid ? crowd_of(t, i->tid) : NULL;

	return crowd && crowd->order->len > FEW &&
	       compare(crowd->order->pdata[FEW], c) < 0;
}

/* ---- who wrote what */

static struct crowd *read_fixes(struct tracker *t, const struct tracked *i)
{
	static const char sql[] =
		"SELECT a.text, n.date, n.mid FROM ("
		" SELECT node FROM link WHERE mid = ?1 AND role IN (?2, ?3)"
		" UNION SELECT node FROM commit_ref WHERE role = ?4"
		"  AND id >= ?5 AND id < ?5 || 'g'"
		"  AND (substr(?6, 1, length(id)) = id"
		"   OR substr(id, 1, length(?6)) = ?6)) x"
		" JOIN patch p ON p.node = x.node AND p.has_diff"
		" JOIN node n ON n.id = x.node"
		" JOIN address a ON a.id = p.author"
		" ORDER BY n.date, n.mid LIMIT ?7";
	g_autofree char *prefix = i->commit ? g_strndup(i->commit, 7) : NULL;
	g_autoptr(db_rows) rows =
		db_query(t->st->state, &t->error, sql, TEXT(i->key),
			 INT(LINK_LINK), INT(LINK_CLOSES), INT(COMMIT_FIXES),
			 TEXT(prefix), TEXT(i->commit), INT(ITEM_MAX_LOOKS));

	return crowd_read(t, rows);
}

/* Of the patch that the report links, or answers. */
static char *patch_author(struct tracker *t, const struct tracked *i)
{
	static const char sql[] =
		"SELECT a.text FROM patch p JOIN address a ON a.id = p.author"
		" WHERE p.node IN (SELECT n.id FROM report r"
		"  JOIN node n ON n.mid = r.patch_mid WHERE r.node = ?1"
		"  UNION ALL SELECT n.parent FROM report r"
		"  JOIN node n ON n.id = r.node WHERE r.node = ?1) LIMIT 1";
	g_autoptr(db_rows) rows =
		db_query(t->st->state, &t->error, sql, INT(i->node));

	return db_next(rows, &t->error) > 0 ? proper(t, db_text(rows, 0))
					    : NULL;
}

static char *commit_author(struct tracker *t, const struct tracked *i)
{
	g_autoptr(commit_auto) c =
		i->commit && !t->error
			? commit_find(t->st, i->commit, NULL, NULL, &t->error)
			: NULL;

	return c && c->author_address ? proper(t, c->author_address) : NULL;
}

static struct track_people *people_of(struct tracker *t, struct tracked *i)
{
	struct track_people *p = i->people;

	if (p && !g_strcmp0(p->commit, i->commit))
		return p;
	track_people_free(p);
	p = i->people = g_new0(struct track_people, 1);
	p->commit = g_strdup(i->commit);
	p->fixes = read_fixes(t, i);
	p->patch_author = i->node ? patch_author(t, i) : NULL;
	p->author = commit_author(t, i);
	return p;
}

static gboolean is_reporter(struct tracker *t, const struct tracked *i,
			    const char *who)
{
	struct track_mail *m = i->node ? track_mail_get(t, i->node) : NULL;

	return m && track_same_person(t, m->address, who);
}

/* ---- MAINTAINERS */

static void add_people(struct tracker *t, GHashTable *to,
		       const GPtrArray *people)
{
	for (guint n = 0; n < people->len; n++) {
		const struct maintainers_person *p = people->pdata[n];

		g_hash_table_add(to, proper(t, p->address));
	}
}

static GHashTable *no_people(void)
{
	return g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
}

static gboolean is_named(struct tracker *t, const char *who)
{
	struct track_known *k = known_of(t);
	const maintainers *m;

	if (!k->named && !t->error) {
		k->named = no_people();
		m = keepers_maintainers(t->st, &t->error);
		for (guint n = 0; m && n < maintainers_count(m); n++) {
			const struct maintainers_section *s =
				maintainers_section(m, n);

			add_people(t, k->named, s->m);
			add_people(t, k->named, s->r);
		}
	}
	return k->named && g_hash_table_contains(k->named, who);
}

/* NULL: it is not known whose files it is about. */
static GHashTable *read_keepers(struct tracker *t, const struct tracked *i)
{
	const maintainers *m = keepers_maintainers(t->st, &t->error);
	g_autoptr(GPtrArray) files =
		m && !t->error
			? item_files(t->st, i->node, i->commit, &t->error)
			: NULL;
	g_autoptr(GArray) found =
		files ? maintainers_of_change(m, files, NULL, NULL) : NULL;
	GHashTable *out = found && found->len ? no_people() : NULL;

	for (guint n = 0; out && n < MIN(found->len, ITEM_MAX_SUBSYSTEMS); n++)
		add_people(t, out,
			   g_array_index(found, struct maintainers_match, n)
				   .section->m);
	return out;
}

/* Of what nobody knows whose it is, all who keep anything are keepers. */
static gboolean is_keeper(struct tracker *t, struct tracked *i, const char *who)
{
	struct track_people *p = people_of(t, i);

	if (!is_named(t, who))
		return FALSE;
	if (!p->asked_keepers && !t->error) {
		p->asked_keepers = TRUE;
		p->keepers = read_keepers(t, i);
	}
	return !p->keepers || g_hash_table_contains(p->keepers, who);
}

/* ---- the settings */

/* They name whom they mean by any of his addresses. */
static gboolean is_set(struct tracker *t, const struct track_command *c,
		       const char *list, const char *who)
{
	return roles_has(t->st, list, who) ||
	       roles_has(t->st, list, c->address);
}

static gboolean is_of_list(struct tracker *t, struct tracked *i,
			   const struct track_command *c, const char *who)
{
	struct track_people *p = people_of(t, i);

	if (!roles_count(t->st))
		return FALSE;
	if (!p->lists && !t->error)
		p->lists = item_lists(t->st, i->node, &t->error);
	for (guint n = 0; p->lists && n < p->lists->len; n++)
		if (is_set(t, c, p->lists->pdata[n], who))
			return TRUE;
	return FALSE;
}

/* ---- altogether */

/* The sender, as what he is to the item (NULL: to none). */
static guint role_of(struct tracker *t, struct track_command *c,
		     struct tracked *i)
{
	g_autofree char *who =
		c->address && *c->address ? proper(t, c->address) : NULL;
	struct track_people *p = who && i ? people_of(t, i) : NULL;
	guint role = ROLE_NONE;

	if (who && is_set(t, c, "", who))
		role |= ROLE_OPERATOR;
	if (!p || t->error)
		return role;
	if (is_reporter(t, i, who))
		role |= ROLE_REPORTER;
	if (!g_strcmp0(p->author, who) || !g_strcmp0(p->patch_author, who))
		role |= ROLE_CULPRIT;
	if (was_there(p->fixes, who, c, TRUE))
		role |= ROLE_FIX;
	if (is_participant(t, i, c, who))
		role |= ROLE_PARTICIPANT;
	if (is_named(t, who))
		role |= ROLE_NAMED;
	if (role & ROLE_NAMED && is_keeper(t, i, who))
		role |= ROLE_KEEPER;
	if (is_of_list(t, i, c, who))
		role |= ROLE_LIST;
	return role;
}

static gboolean refuse(struct track_command *c, const char *why)
{
	track_outcome(c, OUTCOME_REFUSED, "%s", why);
	return FALSE;
}

gboolean track_is_known(struct tracker *t, struct track_command *c,
			struct tracked *i)
{
	return strcmp(c->marker, "#culprit") != 0 || role_of(t, c, i);
}

gboolean track_may(struct tracker *t, struct track_command *c,
		   struct tracked *i, enum track_right right)
{
	guint role;

	if (right == RIGHT_ANY || strcmp(c->marker, "#culprit") != 0)
		return TRUE;
	role = role_of(t, c, i);
	if (right == RIGHT_OPERATE)
		return role & ROLE_OPERATOR
			       ? TRUE
			       : refuse(c, "only operators of the bot may");
	if (!role)
		return refuse(c, "not from somebody of its thread, its "
				 "author, or a maintainer");
	if (right == RIGHT_WRITE || role & ROLES_THAT_DECIDE)
		return track_is_sure(t, c, role & ROLES_OF_OWNERS);
	if (c->date - i->date > YOUNG)
		return refuse(c, "it was reported more than 30 days before: "
				 "only a maintainer or operator may");
	return is_crowded(t, i, c)
		       ? refuse(c, "more than 5 people wrote of it: only a "
				   "maintainer or operator may")
		       : track_is_sure(t, c, role & ROLES_OF_OWNERS);
}

gboolean track_is_judge_of_himself(struct tracker *t, struct track_command *c,
				   struct tracked *i)
{
	guint role =
		strcmp(c->marker, "#culprit") ? ROLE_NONE : role_of(t, c, i);

	return role & (ROLE_CULPRIT | ROLE_FIX) &&
	       !(role & (ROLES_THAT_DECIDE | ROLE_REPORTER));
}
