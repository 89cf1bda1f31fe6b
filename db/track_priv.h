/* track_priv.h - what is tracked, as reports and commands make it
 * A tracker is folded from the robots' reports and all commands, by (date,
 * Message-ID, place in the mail). It knows which items there are, which mails
 * belong to them, and what commands say to each, as notes; what these mean
 * for an item's state is decided in item_fold.c. */
#ifndef DB_TRACK_PRIV_H
#define DB_TRACK_PRIV_H

#include "mail/reference.h"

#include "db/commands.h"
#include "db/items_priv.h"

#define TRACK_MAX_STEPS	   1000 /* up a thread in search of a report */
#define TRACK_MAX_POINTERS 20	/* of one command */
#define TRACK_MAX_LINKS	   200	/* of one item */
#define TRACK_MAX_HEADS	   50	/* items that watch one thread */
#define TRACK_MAX_NOTES	   5000 /* that commands leave at one item */
#define TRACK_MAX_UNDO	   100	/* of one item: each looks at its notes */
#define TRACK_MAX_VALUES   50	/* of one item: settings, people */
#define TRACK_MAX_OWN	   10	/* #culprit commands of one mail */

/* One mail, as far as commands need it. */
struct track_mail {
	gint64 node, tid, date, parent, raw;  /* 0 unknown */
	char *mid, *subject, *name, *address; /* NULL: a ghost */
	gboolean asked;	   /* whether it names reports in Link: or Closes: */
	GPtrArray *linked; /* those that are tracked; NULL: none */
};

struct track_command {
	gint64 node, date; /* 0 unknown */
	guint at;	   /* place among all */
	guint seq, line, block;
	char *mid, *by, *name, *address; /* shared strings */
	char *marker, *verb, *written, *args, *problem, *target;
	enum command_status status;
	gboolean parent, root;
	gboolean has_use; /* a `use` stands in its mail */
	gboolean atomic;  /* ... or `atomic` */
	gboolean quiet;	  /* ... or what says that it is no activity */
	gboolean asked;	  /* how sure its sender is */
	enum evidence evidence;
	enum command_outcome outcome;
	char *text;
	struct tracked *item;
};

/* What a command says to an item. What an item is follows from its notes that
 * are not undone, in order: db/track_stand.c. */
struct track_note {
	struct item_note note;
	struct tracked *item;
	struct reference *ref; /* what it names; NULL */
	guint order;	       /* among all notes */
	gboolean undone;
	struct track_note *away; /* "fix-named": the "unfixed" that took it */
	struct tracked *other;	 /* "duplicate": of which one */
	GPtrArray *took; /* "undone", "redone": notes, lent; else NULL */
	/* "linked": a title, is it watched; or the mail whose thread belongs
	 * to the item; "unlinked": was it one that names the report */
	const char *title;
	gboolean monitor, unjoined;
	gint64 head;
};

struct tracked {
	char *id;     /* given at the end */
	char *key;    /* Message-ID of the report; the URL of a ticket */
	char *ticket; /* what is equal for all URLs of the ticket; NULL */
	gint64 node, tid, date;
	gboolean robot;	  /* a robot's report: tracked without a command */
	gboolean bare;	  /* tracked as what another one is a duplicate of */
	gboolean dropped; /* no longer tracked */
	struct tracked *duplicate_of;
	GPtrArray *duplicates; /* those that are its duplicates at the end */
	GPtrArray *commands;   /* those that spoke of it; lent */
	GPtrArray *notes;      /* of struct track_note, in order */
	GPtrArray *links;      /* of struct item_link */
	guint undos, strange_undos;
	/* how it stands after the last command; lent from notes */
	const char *title, *from, *closed, *reason, *backburner;
	char *reported; /* the commit that its report names; NULL */
	char *commit;	/* that is thought to have caused it; NULL */
	char *ref;	/* of what introduced it: text that is compared */
	/* "prio", "assigned", "set KEY", "cc ADDRESS", "muted ADDRESS" to its
	 * text, lent; NULL: none */
	GHashTable *values;
	struct track_people *people; /* track_rights.c; NULL: not asked */
};

struct tracker {
	guint refs;
	store *st;
	GPtrArray *all;	     /* of struct tracked */
	GHashTable *keys;    /* Message-ID or URL to struct tracked */
	GHashTable *heads;   /* node to GPtrArray of struct tracked */
	GHashTable *tickets; /* "host/path" to struct tracked */
	GHashTable *ids;     /* item id to struct tracked; NULL: not asked */
	/* base subject of a report to those that a command introduced */
	GHashTable *subjects;
	GHashTable *mails;   /* node to struct track_mail */
	GPtrArray *commands; /* of struct track_command, in order */
	GPtrArray *strings;  /* shared ones that notes lend */
	guint order;	     /* of the last note */
	GPtrArray *group;    /* notes of the mail in hand; NULL: no atomic */
	struct tracked *everywhere; /* what is said of no item: `mute all` */
	struct track_known *known;  /* track_rights.c; NULL: not asked */
	GError *error;		    /* the first one: all stops */
};

/* ---- track.c */

/* NULL and *err. */
struct tracker *tracker_make(store *st, GError **err);
struct tracker *tracker_ref(struct tracker *t);
void tracker_free(struct tracker *t);
AUTO_STRUCT(tracker, tracker_free)

/* ---- item_kept.c */

/* The one that is kept, if it still holds; a reference. NULL and *err. */
struct tracker *tracker_open(store *st, GError **err);

/* ---- commands.c */
struct command_record *command_record_new(const struct track_command *c);
GPtrArray *command_records(const struct tracker *t, const char *mid);

/* ---- track_load.c: rows to what a tracker begins with */
gboolean track_load_reports(struct tracker *t);
gboolean track_load_commands(struct tracker *t);
void track_command_free(struct track_command *c);

/* ---- track_find.c: which mail and which item is meant */

/* Lent; NULL: not known, or t->error. */
struct track_mail *track_mail_get(struct tracker *t, gint64 node);
struct track_mail *track_mail_named(struct tracker *t, const char *mid);
/* The mail that it answers, ghosts left out if their own parents are known. */
struct track_mail *track_mail_parent(struct tracker *t, struct track_mail *m);
struct track_mail *track_mail_root(struct tracker *t, struct track_mail *m);
/* The items of the nearest mail at or above it that has any; NULL: none. */
GPtrArray *track_items_above(struct tracker *t, struct track_mail *m);
/* The item that `r` means; NULL: none. *m: its mail, if it is a known one. */
struct tracked *track_item_of(struct tracker *t, const struct reference *r,
			      struct track_mail *from, struct track_mail **m);
/* The tracked reports that it names in Link: or Closes:; NULL: none. */
GPtrArray *track_linked_by(struct tracker *t, struct track_mail *m);
void track_add_head(struct tracker *t, gint64 node, struct tracked *i);
void track_remove_head(struct tracker *t, gint64 node, struct tracked *i);
struct tracked *track_add(struct tracker *t, const char *key,
			  const char *ticket, const struct track_mail *m);

/* ---- track_make.c: `introduced` and `duplicate`, which make items */
void track_introduced(struct tracker *t, struct track_command *c);
void track_duplicate(struct tracker *t, struct track_command *c);
void track_backmonitor(struct tracker *t, struct track_command *c);

/* ---- track_verbs.c: all other verbs */
void track_apply(struct tracker *t, struct track_command *c);
/* The mail that a command speaks of, by its pointers; NULL: not known. */
struct track_mail *track_speaks_of(struct tracker *t,
				   const struct track_command *c);
/* `use` of its block. */
const struct track_command *track_use(struct tracker *t,
				      const struct track_command *c);
void track_outcome(struct track_command *c, enum command_outcome o,
		   const char *format, ...) G_GNUC_PRINTF(3, 4);

/* ---- track_group.c: the commands of one mail together */
void track_apply_all(struct tracker *t);

/* ---- track_stand.c: notes to what an item is, and back */

/* Note what `c` says to `i`; takes `ref`. It has no effect yet. */
struct track_note *track_note(struct tracker *t, struct tracked *i,
			      struct track_command *c, const char *type,
			      const char *text, struct reference *ref);
void track_note_free(struct track_note *n);
/* Let it have its effect. */
void track_take(struct tracker *t, struct track_note *n);
gboolean track_leads_to(const struct tracked *from, const struct tracked *to);
/* Does it count? */
gboolean track_note_holds(const struct track_note *n);
/* Nothing of these notes, which may be of several items, has happened. */
void track_roll_back(struct tracker *t, GPtrArray *notes);
/* TRUE: it changed something, or has an outcome. */
gboolean track_undo(struct tracker *t, struct tracked *i,
		    struct track_command *c);
gboolean track_redo(struct tracker *t, struct tracked *i,
		    struct track_command *c);

/* ---- track_set.c: properties and people of an item; the same result */
gboolean track_prio(struct tracker *t, struct tracked *i,
		    struct track_command *c);
gboolean track_set(struct tracker *t, struct tracked *i,
		   struct track_command *c);
gboolean track_unset(struct tracker *t, struct tracked *i,
		     struct track_command *c);
gboolean track_assign(struct tracker *t, struct tracked *i,
		      struct track_command *c);
gboolean track_copy(struct tracker *t, struct tracked *i,
		    struct track_command *c); /* cc, uncc */
gboolean track_mute(struct tracker *t, struct tracked *i,
		    struct track_command *c); /* mute, unmute */
void track_take_value(struct tracked *i, const struct track_note *n);
gboolean track_has_muted_all(struct tracker *t, const char *address);

/* ---- track_rights.c: who a sender is to an item, and what he may do */
enum track_right {
	RIGHT_ANY,     /* everybody */
	RIGHT_WRITE,   /* who has to do with it */
	RIGHT_END,     /* the same; of what many rely on maintainers alone */
	RIGHT_OPERATE, /* who runs the bot */
};
/* Has its sender to do with the item, or does nobody ask? */
gboolean track_is_known(struct tracker *t, struct track_command *c,
			struct tracked *i);
/* FALSE: no; the outcome of `c` tells why. `i` may be NULL for ANY and
 * OPERATE. */
gboolean track_may(struct tracker *t, struct track_command *c,
		   struct tracked *i, enum track_right right);
/* The culprit's author who has no other right to decide: his word alone does
 * not end it. */
gboolean track_is_judge_of_himself(struct tracker *t, struct track_command *c,
				   struct tracked *i);
/* Equal people by .mailmap, letter case left out. */
gboolean track_same_person(struct tracker *t, const char *a, const char *b);
void track_people_free(struct track_people *p);
void track_known_free(struct track_known *k);

/* ---- track_evidence.c: how sure it is that a sender is who he says */

/* It is said to be of somebody who did not write it. */
gboolean track_is_forged(struct tracker *t, struct track_command *c);
/* FALSE: he has to confirm it, as the outcome of `c` tells. What is his own
 * nobody has to. */
gboolean track_is_sure(struct tracker *t, struct track_command *c,
		       gboolean own);

/* ---- track_suggest.c */
void track_suggest(struct tracker *t); /* at the end, ids are given */

/* ---- track_links.c */
gboolean track_link(struct tracker *t, struct tracked *i,
		    struct track_command *c, const struct reference *r,
		    const char *title, gboolean monitor);
gboolean track_unlink(struct tracker *t, struct tracked *i,
		      struct track_command *c, const struct reference *r);
/* The threads of patches with that title belong to it, too. */
void track_watch_title(struct tracker *t, struct tracked *i, const char *title);
/* What "linked" and "unlinked" do. */
void track_take_link(struct tracker *t, struct track_note *n);
/* Of what notes say of links nothing holds. */
void track_drop_links(struct tracker *t, struct tracked *i);

#endif
