/* items_priv.h - shared by the files that make items, by nobody else
 * The way of an item: item_report.c reads the report; item_events.c collects
 * what mails say of it, each as a struct item_note; item_fold.c makes state,
 * events and people of the notes. What is read of threads, patches and tags
 * is kept in a struct item_cache, so that an item costs what belongs to it,
 * however many others share its commit or its thread. */
#ifndef DB_ITEMS_PRIV_H
#define DB_ITEMS_PRIV_H

#include "mail/reference.h"

#include "db/db_priv.h"
#include "db/items.h"
#include "db/thread.h"

/* Of one report: patches of its thread, and of its commit, that are gone
 * through in search of fixes; and of one patch: tests, and reviews, in search
 * of those that count. In a thread the first ones as it is shown. */
#define ITEM_MAX_LOOKS	  1000
#define ITEM_KEPT_THREADS 256	 /* in memory between two items */
#define ITEM_KEPT_NODES	  200000 /* of these threads */
#define ITEM_KEPT_PATCHES 100000

/* ---- item_ref.c: strings that several structs share; all take NULL */
char *item_ref(const char *text);
char *item_ref_column(db_rows *rows, int col);
char *item_ref_again(char *ref);
void item_ref_drop(char *ref);
/* "Name <address>", or "<address>". */
char *item_ref_person(const char *name, const char *address);

/* ---- item_patch.c: patch mails that may repair something */

/* A tag that says how good a patch is. */
struct item_tag {
	gint64 date;
	char *mid, *key, *name, *address, *by; /* shared strings */
	int seq;			       /* in its mail */
	gboolean tested;		       /* else reviewed */
};
void item_tag_unref(struct item_tag *tag);

struct item_patch {
	gint64 node, tid, date;
	gint64 sender;				    /* id of the address */
	char *mid, *subject, *title_key, *patch_id; /* shared strings */
	char *author_name, *author_address, *by;
	int version;
	gboolean backport;
	GPtrArray *tags; /* NULL: item_tags_find() was not asked yet */
	gboolean tags_cut;
};
int item_patch_compare(gconstpointer a, gconstpointer b); /* (date, mid) */
/* Of patches by date, the index of the first that is not older. */
guint item_patch_since(GPtrArray *patches, gint64 since);

struct item_gate;

struct item_cache {
	store *st;
	GHashTable *patches;  /* node to struct item_patch */
	GHashTable *culprits; /* 7 digits to what names such a commit */
	GHashTable *threads;  /* tid to struct item_thread */
	guint nodes;	      /* of these threads */
	GPtrArray *trees;     /* of git; NULL: not asked */
	GArray *tags; /* struct version_tag of mainline; NULL: not asked */
	GPtrArray *tag_names; /* own what these lend */
	gboolean asked_keepers;
	const struct maintainers *keepers; /* lent by db/keepers.c; NULL none */
	const struct mailmap *mailmap;
	struct item_gate *gate; /* item_gate.c; NULL: not asked */
	GHashTable *reported; /* item_history.c: reports by commit or series */
	GHashTable *measured; /* item_reruns.c: is anything measured there */
};
void item_cache_init(struct item_cache *c, store *st);
/* Between two items: what exceeds the bounds goes. Nothing else frees what
 * the functions below lend. */
void item_cache_trim(struct item_cache *c);
void item_cache_clear(struct item_cache *c);

/* SQL of patches for item_patch_read(): columns, then a source "x", then
 * joins and conditions. `x.node` is the patch. */
#define ITEM_PATCH_COLUMNS                                         \
	"SELECT n.id, n.tid, n.mid, n.date, p.title_key, p.title," \
	" m.subject, p.version,"                                   \
	" p.stable OR p.backport_of IS NOT NULL, hex(p.patch_id)," \
	" s.name, s.written, s.address"
#define ITEM_PATCH_NEXT_COLUMN 13
#define ITEM_PATCH_JOINS                     \
	" JOIN patch p ON p.node = x.node"   \
	" JOIN node n ON n.id = x.node"      \
	" JOIN message m ON m.node = x.node" \
	" JOIN person s ON s.id = m.person"
/* Lent. */
struct item_patch *item_patch_read(struct item_cache *c, db_rows *rows);

/* Call `fn` for each patch that names `commit` in "Fixes:", from the first
 * that is not older than `since` on, by (date, mid), each once, until it gives
 * FALSE. *err alone tells a failure. */
gboolean item_culprit_each(struct item_cache *c, const char *commit,
			   gint64 since,
			   gboolean (*fn)(struct item_patch *p, void *data),
			   void *data, GError **err);

/* ---- item_thread.c: threads, as far as items need them */

struct item_thread {
	gint64 tid;
	struct thread *t;
	GHashTable *by_node; /* node to index + 1 */
	int *end;	     /* of each node: behind the last one below it */
	int *above;	   /* the nearest patch or cover, itself included; -1 */
	int *cover;	   /* the nearest cover above it, -1 */
	gint64 newest;	   /* date of what is activity, 0 unknown */
	GHashTable *quiet; /* nodes that are none */
	GArray *patches;   /* of struct item_place by index; NULL: not read */
	GHashTable *titles; /* title key to GPtrArray of patches by date */
	struct item_thread_tags *tags; /* item_tags.c; NULL: not read */
	GArray *notices;	       /* item_notices.c; NULL: not read */
	GArray *uttered;	       /* item_words.c; NULL: not read */
	/* item_thread_look.c; NULL: not asked */
	struct item_below *below; /* of each node */
	GHashTable *questions;	  /* set of struct thread_node that ask one */
	const struct thread_node *wanted; /* the newest that wants changes */
};
struct item_place {
	int index;
	struct item_patch *patch;
};
/* The thread `tid`, which holds `mid`. Lent. NULL and *err. */
struct item_thread *item_thread_get(struct item_cache *c, gint64 tid,
				    const char *mid, GError **err);
void item_thread_free(struct item_thread *t);
int item_thread_index(const struct item_thread *t, gint64 node); /* or -1 */
/* Is the patch or cover `about` the patch itself, or a cover above it? */
gboolean item_thread_covers(const struct item_thread *t, int about, int patch);
/* The newest date of what is activity, at and below the node; 0 unknown. */
gint64 item_thread_newest(struct item_thread *t, gint64 node);
/* The patches below the node `top`, and those titled `key` (may be NULL), by
 * (date, mid); *cut: there are more. You own the array alone. */
GPtrArray *item_thread_patches(struct item_cache *c, struct item_thread *t,
			       gint64 top, const char *key, gint64 since,
			       gboolean *cut, GError **err);

/* ---- item_thread_look.c: what all mails below a node tell */

struct item_below {
	gint64 newest;	    /* date of what is activity, the node's own, too */
	int last;	    /* below it the newest mail of a person; -1 none */
	const char *person; /* address of one of these; NULL none */
	gboolean several;   /* they are of more than one person */
};
const struct item_below *item_thread_below(struct item_thread *t, int index);
/* Fill `questions` and `wanted`. */
gboolean item_thread_words(struct item_cache *c, struct item_thread *t,
			   GError **err);

/* ---- item_tags.c */

/* The tags that speak of `p`, by (date, mid, seq), into p->tags. A mail speaks
 * of a patch if it is the patch, or the nearest patch or cover above the mail
 * is the patch or a cover above the patch. */
gboolean item_tags_find(struct item_cache *c, struct item_patch *p,
			GError **err);
void item_thread_tags_free(struct item_thread_tags *tags);

/* ---- item_report.c: reports, not folded yet */

struct item_facts {
	struct item *item;
	gint64 node;	    /* of the report */
	gint64 tid;	    /* of its thread */
	gint64 reporter;    /* id of the reporter's address */
	char *reported_key; /* title key of item->patch_mid, NULL unknown */
	/* for its notes; shared strings */
	char *mid, *by, *name, *address, *subject, *commit, *commit_subject;
	GPtrArray *kept; /* shared strings of its notes on reruns */
	struct tracker *tracker;
	struct tracked *tracked;
	int role; /* enum tree_role of the tree that has the culprit; -1 */
	gint64 introduced;  /* when that was said */
	gboolean in_stable; /* a stable tree has it, too */
};
/* All, or that of `node` alone (0: all); neighbours share a thread. */
GArray *item_reports_load(store *st, gint64 node, GError **err);
void item_facts_free(void *facts);
/* What its own events say, once its item is filled. */
void item_facts_strings(struct item_facts *f);

/* ---- item_tracked.c: what commands make an item, and say to it */
struct tracker;
struct tracked;
/* All items of the tracker; or that of `one` alone (NULL: all). */
GArray *item_tracked_load(struct tracker *t, struct tracked *one, GError **err);
/* That one, folded; NULL with err unset: it is none after all. item_find.c */
struct item *item_load_one(struct tracker *t, struct tracked *one,
			   GError **err);
/* What commands set: title, culprit, reporter ...; and their notes. */
void item_take_commands(struct item_facts *f, GArray *notes);
/* After the fold: who wants no mail at all, of its people. */
void item_take_mutes(struct item_facts *f);

/* ---- item_events.c: the one place where what mails say is collected */

/* What a mail says of an item. Strings are shared ones, and lent. */
struct item_note {
	const char *type;
	gint64 time;
	char *by, *name, *address, *mid;
	char *commit, *text;	     /* may be NULL */
	int seq;		     /* of several of a type in one mail */
	const struct reference *ref; /* what a command names; NULL */
	gboolean quiet;		     /* no activity */
	gboolean robot;		     /* a notice of one */
	gboolean again; /* "rerun": it shows the change that was reported */
};
/* Fill what follows from its thread, notes (of struct item_note) and fixes. */
gboolean item_collect(struct item_cache *c, struct item_facts *f, GArray *notes,
		      GError **err);

/* ---- item_links.c: links of commands, and mails that name the report */
#define ITEM_MAX_LINKED 50 /* of the latter */
gboolean item_find_links(struct item_cache *c, struct item_facts *f,
			 GError **err);

/* ---- item_notices.c */

struct applied;
/* `note` is filled but for type and text. `why` tells why the sender's word
 * does not count; NULL: it does. */
typedef void (*item_notice_fn)(const struct applied *a, struct item_note *note,
			       const char *why, void *data);
/* Call `fn` for each notice that speaks of `p`, by (date, mid). What `note`
 * lends lives as long as the cache is not trimmed. */
gboolean item_notices_find(struct item_cache *c, struct item_patch *p,
			   item_notice_fn fn, void *data, GError **err);

/* ---- item_gate.c: whose word counts of what became of a patch */

/* *why: as above, static. */
gboolean item_gate_ask(struct item_cache *c, const struct item_note *note,
		       const struct item_patch *p, const char **why,
		       GError **err);
void item_gate_free(struct item_gate *g);

/* ---- item_words.c: new versions that are promised, changes that are meant so;
 * their notes */
gboolean item_words_of_report(struct item_cache *c, struct item_facts *f,
			      struct item_thread *t, GArray *notes,
			      GError **err);
gboolean item_words_of_patch(struct item_cache *c, struct item_facts *f,
			     const struct item_patch *p, GArray *notes,
			     GError **err);

/* ---- item_fixes.c */
gboolean item_find_fixes(struct item_cache *c, struct item_facts *f,
			 struct item_thread *t, GArray *notes, GError **err);

/* ---- item_disputes.c: words that say that it is none; after the fixes */
gboolean item_find_disputes(struct item_cache *c, struct item_facts *f,
			    struct item_thread *t, GArray *notes, GError **err);

/* ---- item_commits.c: fixes that commands name, and commits that repair it */
gboolean item_find_commits(struct item_cache *c, struct item_facts *f,
			   GArray *notes, GError **err);
/* ---- item_subsystems.c: after the fold: whose files it is about, and who
 * people are by .mailmap */
gboolean item_find_subsystems(struct item_cache *c, struct item_facts *f,
			      GError **err);
/* What `commit` (NULL: none), or the patch that the report of `node` (0: none)
 * speaks of, changes. NULL with err unset: not known. */
GPtrArray *item_files(store *st, gint64 node, const char *commit, GError **err);

/* ---- item_lists.c: what the report's mail tells beside */
gboolean item_read_lists(store *st, struct item_facts *f, GError **err);
/* Their names, of char *. You own it. NULL and *err. */
GPtrArray *item_lists(store *st, gint64 node, GError **err);

/* ---- item_reruns.c: judge the measurements that follow; their notes */
gboolean item_find_reruns(struct item_cache *c, struct item_facts *f,
			  GArray *notes, GError **err);
/* A fix whose rerun brought the metric back was tested by numbers. */
void item_mark_fixes(struct item *i);

/* ---- item_history.c: its series, and other reports of that */
gboolean item_find_history(struct item_cache *c, struct item_facts *f,
			   GError **err);
void item_reported_free(void *list); /* of item_cache.reported */

/* ---- item_addressee.c */
/* "Name <address>" of the person that the mail `by` is sent to, if that is not
 * `answered` (may be NULL), whom it answers. NULL: nobody else is known to be,
 * or the mail cannot be read. */
char *item_addressee(struct item_cache *c, const struct item *i,
		     const struct item_thread *t, const struct thread_node *by,
		     const char *answered);

/* ---- item_waiting.c: who must act next; of an item that is folded */
gboolean item_find_waiting(struct item_cache *c, struct item_facts *f,
			   GError **err);

/* ---- item_fold.c: the one place where notes become state. Pure. */
/* Sorts the notes; equal ones count once. */
void item_fold(struct item *i, GArray *notes);

/* ---- item.c */
struct item *item_ref_item(struct item *i); /* item_free() ends it */
void item_fix_free(struct item_fix *fix);
/* `found`: what the report says is wrong; may be NULL. */
char *item_title(const struct item *i, const char *found);

/* ---- item_kept.c */
#define ITEMS_MAX_KEPT 20000 /* in memory between two questions */

/* ---- items.c */
/* Since when, and until just before when, the clock changes nothing. */
struct item_span {
	gint64 from, until;
};
/* From `now` on, and for no other time if that is unknown (0). */
void item_span_begin(struct item_span *s, gint64 now);
/* Something may change between `edge` and the second after it. */
void item_span_cut(struct item_span *s, gint64 now, gint64 edge);
gboolean item_span_has(const struct item_span *s, gint64 now);

/* All, newest activity first; inside of a snapshot. */
GPtrArray *items_make(store *st, struct item_span *span, GError **err);
guint items_tracked(store *st); /* as configured */
gint64 items_now(store *st);	/* 0 unknown */

/* Collect and fold; the item is f->item. */
gboolean item_make(struct item_cache *c, struct item_facts *f, GError **err);
int item_compare_reported(gconstpointer a, gconstpointer b); /* (date, mid) */

#endif
