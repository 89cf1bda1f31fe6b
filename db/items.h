/* items.h - tracked items as they follow from the stored facts
 * An item is a robot's report, or what a command makes one: a mail, or the
 * ticket of a tracker elsewhere. Nothing of it is stored: it is folded from
 * reports, commands, patches, trailers, links and commits each time, so it is
 * the same after any order of arrival. */
#ifndef DB_ITEMS_H
#define DB_ITEMS_H

#include <glib.h>

#include "mail/auto.h"
#include "mail/report.h"
#include "mail/rerun.h"

#include "db/commands.h"
#include "db/store.h"

#define ITEM_ID_CHARS 10 /* of the hash */

/* What one item keeps, the earliest by (date, Message-ID) of each; where there
 * is more, item->cut says so. Patches that name the report come before those
 * that name its commit, and these before those that answer it; tests of a
 * patch come before reviews. */
#define ITEM_MAX_FIXES	     100  /* patch mails that count as fixes */
#define ITEM_MAX_TAGS	     100  /* of one of them */
#define ITEM_MAX_EVENTS	     1000 /* and always the first of each type */
#define ITEM_MAX_PEOPLE	     200  /* by their first event */
#define ITEM_MAX_RELATIONS   200  /* earliest reports of a series or commit */
#define ITEM_MAX_RERUN_MAILS 200  /* mails with tables, by date */
#define ITEM_MAX_LISTS	     50
#define ITEM_MAX_SUBSYSTEMS  50

enum item_cut {
	ITEM_CUT_FIXES = 1 << 0,
	ITEM_CUT_TAGS = 1 << 1,
	ITEM_CUT_EVENTS = 1 << 2,
	ITEM_CUT_PEOPLE = 1 << 3,
};
/* "fixes, tags": what the bits of `cut` mean; NULL for 0. You own it. */
char *item_cut_text(guint cut, const char *separator);

/* What one tree has of a fix. */
struct item_fix_tree {
	char *name;
	int present; /* 1 yes, 0 no, -1 not looked */
	char *tag;   /* the first that holds it; NULL: none yet */
	char *url;   /* of the commit there; NULL: not present, or no web */
};
void item_fix_tree_free(struct item_fix_tree *t);

/* A patch, or a commit, that is meant to repair it. Versions of one patch are
 * one entry, that of the newest version. The strings of fixes, events and
 * people are shared by items: they live as long as the item. */
struct item_fix {
	char *id;	/* the commit, hex as far as known; NULL unknown */
	char *mid;	/* the patch mail; NULL: not seen */
	char *subject;	/* its title */
	char *patch_id; /* hex, NULL unknown */
	char *author_name, *author_address;
	const char *status; /* contract section 4 */
	/* What shows that: "tree", "notice" (somebody says so), "tag",
	 * "rerun"; NULL: nothing but the patch. */
	const char *basis;
	/* "fix", "revert"; "partial": not all of it; "prerequisite": needed
	 * by one of them, and decides nothing */
	const char *role;
	GPtrArray *trees; /* of struct item_fix_tree; NULL: not looked */
	/* Why it is one: "fixes" (names the culprit), "closes", "link" (name
	 * the report), "thread" (answers it), "command",
	 * "reverts" (the culprit). */
	const char *evidence;
	char *evidence_mid; /* the mail that says so, or that tested it */
	gint64 date;
};

/* What happened, by whom, in which mail. */
struct item_event {
	gint64 time;
	/* reported bisected fix-posted reviewed tested; by numbers: rerun
	 * rerun-recovered rerun-failed not-reproduced; by commands and
	 * commits: docs/items.md */
	const char *type;
	char *by; /* "Name <address>" */
	char *mid;
	char *commit; /* NULL if none */
	char *text;
	gboolean robot; /* a notice of one */
};

/* Another report, and what it has to do with this one. */
enum item_relation_kind {
	ITEM_SAME_SERIES,    /* the same metric, test and machine */
	ITEM_SAME_REPORT,    /* ... and the same commit: from another tree */
	ITEM_SAME_COMMIT,    /* the same commit alone */
	ITEM_CANCELS,	     /* same series, the other direction */
	ITEM_BISECTED_TWICE, /* same series, the same change within 60 days,
			      * another commit */
};

struct item_relation {
	enum item_relation_kind kind;
	char *mid;
	gint64 date; /* 0 unknown */
	enum report_direction direction;
	double change_percent; /* NAN unknown */
	char *commit, *metric, *tree, *branch;
	/* ITEM_CANCELS: how much of the earlier change is gone with the later
	 * one, by the printed means: 1 all of it. NAN unknown. */
	double ratio;
};
void item_relation_free(struct item_relation *o);
const char *item_relation_name(enum item_relation_kind k); /* "cancels" ... */

struct item_person {
	char *name, *address;
	/* reporter fix-author reviewer tester; by commands: assignee cc, and
	 * muted: who wants no mail */
	const char *role;
};

/* What belongs to it, too. */
struct item_link {
	char *url, *title;  /* title NULL unknown */
	char *mid;	    /* NULL: not a mail */
	gboolean monitored; /* its thread is the item's, too */
};
void item_link_free(struct item_link *l);

/* Who must act next, and what shows it. */
struct item_waiting {
	const char *role; /* NULL: nobody */
	char *person;	  /* "Name <address>", NULL unknown */
	gint64 since;
	gint64 until; /* later it is stalled; 0: never */
	const char *reason;
	char *mid; /* NULL if no mail shows it */
};

/* Somebody says that it is none, or meant, and nothing decided it since. */
struct item_dispute {
	gint64 since; /* 0: nobody does */
	char *by, *mid, *reason;
};

/* Text of an item that a viewer made and would make again; nobody in db/ looks
 * at it. */
struct item_shown {
	char *text; /* NULL: not made yet */
	char *with; /* what else it depends on; may be NULL */
};

struct item {
	guint refs; /* several lists may hold it: nobody changes it any more */
	struct item_shown *shown; /* what is kept beside it; never NULL */
	char *id;  /* "201703-k4f2q7m3xa", of the report's Message-ID alone */
	char *mid; /* of the report; that of a ticket is its URL, as below */
	char *report_url; /* a report outside of the mail; else NULL */
	gboolean robot;	  /* a robot reports it: `category` is known */
	char *thread_root;
	char *title; /* "<metric> <change> on <testcase>/<tbox>" */
	char *subject;
	enum report_category category;
	enum report_direction direction;
	char *metric;
	double change_percent; /* NAN unknown */
	char *commit, *commit_subject, *base, *tree, *branch;
	char *describe;	  /* first tag that holds the culprit; NULL */
	char *commit_url; /* where it can be looked at; NULL unknown */
	char *testcase;
	char *machine; /* in words */
	char *tbox;    /* its short name; NULL if the tables do not tell */
	GPtrArray *parameters;	 /* "key: value" strings, never NULL */
	GPtrArray *tags_offered; /* "Key: value" for a fix, never NULL */
	char *reporter_name, *reporter_address;
	char *patch_mid;    /* the patch it answers, NULL unknown */
	char *author;	    /* of that patch: "Name <address>", NULL unknown */
	const char *state;  /* contract section 4 */
	gboolean only_said; /* "applied" in words; no tree shows it */
	gboolean open;
	gboolean commit_unknown; /* a command names it, and no tree knows it */
	char *range; /* "A..B", or a tag, that introduced it; NULL */
	gboolean backburner, stalled;
	char *backburner_reason;
	struct item_dispute disputed;
	const char *prio;    /* "low" "normal" "high"; NULL: nobody said */
	char *assignee;	     /* "Name <address>"; NULL */
	GPtrArray *settings; /* "key: value" that commands set, sorted */
	gint64 poked;	     /* 0: not */
	const char *cycle;   /* "current" ...; NULL unknown */
	struct item_waiting waiting;
	char *duplicate_of;	     /* item id, NULL */
	GPtrArray *duplicates;	     /* of char *, item ids */
	GPtrArray *commands;	     /* of struct command_record */
	GPtrArray *links;	     /* of struct item_link */
	GPtrArray *subsystems;	     /* of char *, the first is the likeliest */
	gboolean subsystems_guessed; /* by words of a title: no file is known */
	char *maintainer;	     /* of it: "Name <address>"; NULL unknown */
	GPtrArray *lists;      /* of char *: names of the report's, sorted */
	gboolean inconsistent; /* numbers of the report contradict each other */
	gint64 reported, last_activity; /* 0 unknown */
	guint messages;			/* real mails of the thread */
	GPtrArray *fixes;		/* of struct item_fix, by date */
	GPtrArray *events;		/* of struct item_event, by time */
	GPtrArray *people;		/* of struct item_person, each once */
	guint cut; /* enum item_cut: of what there is more than is kept */
	GPtrArray *reruns;    /* of struct rerun */
	GPtrArray *relations; /* of struct item_relation, by date */
	/* mail/test_key.h of the headline; NULL unknown */
	char *series_key, *strict_key;
	guint series_number;	/* it is the n-th report of its series ... */
	guint series_count;	/* ... of so many; 0 unknown */
	guint series_retracted; /* of which so many were taken back */
};
/* One of which nothing is known; arrays are empty. */
struct item *item_new(void);
void item_free(struct item *i);
AUTO_STRUCT(item, item_free)

/* The month of `date`, "-", and ITEM_ID_CHARS lower-case base32 characters of
 * SHA-256(mid); `more` further ones where two collide. */
char *item_id(const char *mid, gint64 date, guint more);

/* Which reports become items, and when "now" is, for all that is asked of `st`
 * later: bits 1 << enum report_category of robots' reports, and those of
 * commands. Unless told, all but builds, and no clock. */
#define ITEMS_BY_REGZBOT (1u << 30)
#define ITEMS_BY_CULPRIT (1u << 29)
#define ITEMS_NONE	 (1u << 28)
#define ITEMS_DEFAULT                                         \
	(1u << REPORT_PERFORMANCE | 1u << REPORT_FUNCTIONAL | \
	 1u << REPORT_BOOT | ITEMS_BY_REGZBOT | ITEMS_BY_CULPRIT)
void items_configure(store *st, guint what, gint64 now);

/* All items, newest activity first, then by id. */
GPtrArray *items_load(store *st, GError **err);
/* By item id, Message-ID, URL, commit id (prefix of 7 or more) or unique
 * title; a Message-ID may also be that of a fix, or of any mail in the thread
 * of one report. NULL with err unset: not found or not unique (`*many`). */
struct item *item_find(store *st, const char *what, gboolean *many,
		       GError **err);
/* The item that the mail reports; else, of those reported in its thread, the
 * earliest. NULL with err unset: none. */
struct item *item_of_mail(store *st, const char *mid, GError **err);

#endif
