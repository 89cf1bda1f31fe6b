/* outbox_rules.c - to whom, how often, and never twice
 * Nothing is counted apart: what the outbox itself holds is what was written. */
#include <string.h>

#include "mail/recipients.h"

#include "db/keepers.h"
#include "db/outbox_priv.h"

/* ---- lists */

static gboolean holds(char *const *all, const char *address)
{
	for (; all && *all; all++)
		if (!g_ascii_strcasecmp(*all, address))
			return TRUE;
	return FALSE;
}

const struct outbox_list *outbox_list_of(const struct outbox_policy *p,
					 const char *address)
{
	for (guint i = 0; p->lists && i < p->lists->len; i++) {
		const struct outbox_list *l = p->lists->pdata[i];

		if (l->address && !g_ascii_strcasecmp(l->address, address))
			return l;
	}
	return NULL;
}

const char *outbox_list_refusal(const struct outbox_policy *p,
				const char *address)
{
	const struct outbox_list *l = outbox_list_of(p, address);

	if (!holds(p->allow, address))
		return "a list that is not in allow-lists";
	if (!l)
		return "a list without a [list] of the settings";
	return l->reply_list ? NULL : "a list with reply-list=no";
}

/* L: of MAINTAINERS. */
static int is_kept_list(store *st, const char *address, GError **err)
{
	g_autoptr(GError) why = NULL;
	const maintainers *m = keepers_maintainers(st, &why);

	if (why) {
		g_propagate_error(err, g_steal_pointer(&why));
		return -1;
	}
	for (guint i = 0; m && i < maintainers_count(m); i++) {
		const struct maintainers_section *s = maintainers_section(m, i);

		for (guint n = 0; n < s->l->len; n++) {
			const struct maintainers_person *l = s->l->pdata[n];

			if (!g_ascii_strcasecmp(l->address, address))
				return 1;
		}
	}
	return 0;
}

int outbox_is_list(store *st, const struct outbox_policy *p,
		   const char *address, GError **err)
{
	g_autofree char *dotted = g_strdup(address);
	gint64 one;
	int rc;

	if (recipients_is_list(NULL, address) || outbox_list_of(p, address) ||
	    holds(p->allow, address))
		return 1;
	g_strdelimit(dotted, "@", '.');
	rc = db_get_int(st->state, &one, err,
			"SELECT 1 FROM list WHERE name IN (?1, ?2) "
			"COLLATE NOCASE",
			TEXT(dotted), TEXT(address));
	return rc ? rc : is_kept_list(st, address, err);
}

int outbox_is_disabled(store *st, const char *address, GError **err)
{
	g_autofree char *lower = g_ascii_strdown(address, -1);
	gint64 one;

	return db_get_int(st->state, &one, err,
			  "SELECT 1 FROM outbox_bounce WHERE address = ? "
			  "AND disabled IS NOT NULL",
			  TEXT(lower));
}

/* ---- budgets */

/* "of ours" is what was not dropped. */
#define LIVE "state <> 9 "
/* When it goes out, as far as is known: those that wait take the rooms of
 * later hours. */
#define PLANNED(t) "max(" t "created, coalesce(" t "due, 0))"
G_STATIC_ASSERT(OUTBOX_CANCELLED == 9);

/* When the oldest of the last `most` is so old that one more fits; 0: now. */
static gboolean next_room(store *st, const char *sql, const void *who,
			  gint64 span, guint most, gint64 now, gint64 *when,
			  GError **err)
{
	gint64 oldest = DB_NULL;

	if (db_get_int(st->state, &oldest, err, sql, TEXT(who), INT(most - 1)) <
	    0)
		return FALSE;
	*when = oldest == DB_NULL || oldest + span <= now ? 0 : oldest + span;
	return TRUE;
}

static const char of_author[] = "SELECT " PLANNED(
	"") " FROM outbox WHERE author = ?1 AND " LIVE
	    "AND kind IN (0, 1, 2) ORDER BY 1 DESC LIMIT 1 OFFSET ?2";
static const char mistakes_of_author[] =
	"SELECT " PLANNED("") " FROM outbox WHERE author = ?1 AND " LIVE
			      "AND kind = 2 ORDER BY 1 DESC LIMIT 1 OFFSET ?2";
static const char of_thread[] = "SELECT " PLANNED(
	"o.") " FROM node a JOIN node n ON n.tid = a.tid "
	      "JOIN outbox o ON o.parent = n.mid WHERE a.mid = ?1 AND o." LIVE
	      "AND o.kind <> 5 ORDER BY 1 DESC LIMIT 1 OFFSET ?2";
G_STATIC_ASSERT(OUTBOX_RESULT == 0 && OUTBOX_ANSWER == 1 &&
		OUTBOX_MISTAKE == 2 && OUTBOX_DIGEST == 5);

static void beyond(struct outbox_judgement *j, enum outbox_kind kind,
		   const char *why, gint64 when)
{
	if (!when)
		return;
	j->why = why;
	j->drop |= kind != OUTBOX_RESULT;
	j->not_before = MAX(j->not_before, when);
}

static gboolean judge_author(store *st, const struct outbox_draft *d,
			     gint64 now, struct outbox_judgement *j,
			     GError **err)
{
	g_autofree char *who = NULL;
	gint64 hour = 0, day = 0, mistakes = 0;

	if (!d->author || d->kind > OUTBOX_MISTAKE)
		return TRUE;
	who = g_ascii_strdown(d->author, -1);
	if (!next_room(st, of_author, who, OUTBOX_HOUR, BUDGET_AUTHOR_HOUR, now,
		       &hour, err) ||
	    !next_room(st, of_author, who, OUTBOX_DAY, BUDGET_AUTHOR_DAY, now,
		       &day, err) ||
	    !next_room(st, mistakes_of_author, who, OUTBOX_DAY,
		       BUDGET_MISTAKES_DAY, now, &mistakes, err))
		return FALSE;
	beyond(j, d->kind, "its author got 20 answers in an hour", hour);
	beyond(j, d->kind, "its author got 60 answers in a day", day);
	if (d->kind == OUTBOX_MISTAKE)
		beyond(j, d->kind, "its author was told of 3 mistakes in a day",
		       mistakes);
	return TRUE;
}

static gboolean judge_thread(store *st, const struct outbox_draft *d,
			     gint64 now, struct outbox_judgement *j,
			     GError **err)
{
	gint64 day = 0;

	if (!d->parent || d->kind > OUTBOX_NOTICE || d->kind == OUTBOX_CONFIRM)
		return TRUE;
	if (!next_room(st, of_thread, d->parent, OUTBOX_DAY, BUDGET_THREAD_DAY,
		       now, &day, err))
		return FALSE;
	beyond(j, d->kind, "5 mails of ours went to the thread in a day", day);
	return TRUE;
}

/* ---- loops */

static gboolean refuse(struct outbox_judgement *j, const char *why)
{
	j->why = why;
	j->drop = j->loop = TRUE;
	return TRUE;
}

static gboolean judge_turn(store *st, const struct outbox_draft *d,
			   gboolean public, struct outbox_judgement *j,
			   GError **err)
{
	gint64 one, heard = 0;
	int rc;

	if (!d->parent || d->kind == OUTBOX_DIGEST || d->kind == OUTBOX_ALERT)
		return TRUE;
	rc = outbox_is_ours(st, d->parent, err);
	if (rc > 0)
		return refuse(j, "it would answer our own mail");
	if (rc == 0)
		rc = db_get_int(st->state, &one, err,
				"SELECT 1 FROM outbox WHERE parent = ? AND "
				"public = ? AND kind = ? AND " LIVE,
				TEXT(d->parent), INT(public), INT(d->kind));
	if (rc > 0)
		return refuse(j, "that mail has an answer already");
	if (rc < 0 || d->kind != OUTBOX_NOTICE)
		return rc >= 0;
	heard = outbox_heard(st, d->parent, err);
	rc = heard < 0 ? -1
		       : db_get_int(st->state, &one, err,
				    "SELECT 1 FROM node a JOIN node n ON "
				    "n.tid = a.tid JOIN outbox o ON o.parent = "
				    "n.mid WHERE a.mid = ?1 AND o.kind <> 5 "
				    "AND o.heard >= ?2 AND o." LIVE,
				    TEXT(d->parent), INT(heard));
	if (rc > 0) {
		j->why = "nobody wrote to the thread since our last mail";
		j->drop = TRUE;
	}
	return rc >= 0;
}

static gboolean judge_repeat(store *st, const struct outbox_draft *d,
			     const guint8 *digest, gsize len, gint64 now,
			     struct outbox_judgement *j, GError **err)
{
	gint64 one;
	int rc;

	if (d->kind == OUTBOX_RESULT || d->kind == OUTBOX_CONFIRM)
		return TRUE;
	rc = db_get_int(st->state, &one, err,
			"SELECT 1 FROM outbox WHERE digest = ? "
			"AND created > ? AND " LIVE,
			BLOB(digest, (int)len), INT(now - OUTBOX_DAY));
	if (rc > 0) {
		j->why = "the same text went to the same people within a day";
		j->drop = TRUE;
	}
	return rc >= 0;
}

gboolean outbox_judge(store *st, const struct outbox_draft *d,
		      const guint8 *digest, gsize len, gboolean public,
		      gint64 now, struct outbox_judgement *j, GError **err)
{
	*j = (struct outbox_judgement){0};
	return judge_author(st, d, now, j, err) &&
	       judge_thread(st, d, now, j, err) &&
	       judge_repeat(st, d, digest, len, now, j, err) &&
	       judge_turn(st, d, public, j, err);
}
