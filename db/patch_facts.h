/* patch_facts.h - rows of `patch` as the facts that series are made of
 * Only for db/patch*.c. */
#ifndef DB_PATCH_FACTS_H
#define DB_PATCH_FACTS_H

#include "db/db_priv.h"
#include "db/patches.h"
#include "db/thread.h"

/* What series_set.priv is. */
struct fact_store {
	GStringChunk *strings;
	GPtrArray *vectors; /* of NULL-ended arrays of strings in `strings` */
};
void fact_store_free(struct fact_store *f);

struct series_set *series_set_new(void);
/* `text` once, for the life of the set. */
const char *fact_intern(struct series_set *set, const char *text);

/* Columns of a fact, for a SELECT over patch p, node n, address s (sender)
 * and a (author). */
#define FACT_COLUMNS                                                        \
	"p.node, n.mid, s.text, a.text, coalesce(p.date, 0), p.version, "   \
	"p.version_stated, p.number, p.total, p.rfc, p.resend, p.reply, "   \
	"p.stable, p.has_diff, p.has_diffstat, p.patch_like, p.title_key, " \
	"p.tags, p.change_id, hex(p.patch_id), p.older, p.prerequisites, "  \
	"p.backport_of "
#define FACT_TABLES                                                   \
	"FROM patch p JOIN node n ON n.id = p.node "                  \
	"JOIN address s ON s.id = p.sender JOIN address a ON a.id = " \
	"p.author "

/* The fact in a row, without parent and thread. Strings live with `set`. */
struct series_mail fact_read(struct series_set *set, sqlite3_stmt *row);

/*
 * Append the facts of one thread to set->mails: those of `rows` (node id ->
 * struct series_mail), and roots without marks that patches of their sender
 * answer. `senders`: a set of lower-case addresses to which to keep, or NULL.
 */
void facts_add_thread(struct series_set *set, const struct thread *t,
		      GHashTable *rows, GHashTable *senders);

#endif
