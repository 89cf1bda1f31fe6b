/* series_priv.h - what grouping and chains of series share
 * Only for mail/series*.c. No set ever holds mails of two senders; no set is
 * ever linked to one of other people. */
#ifndef MAIL_SERIES_PRIV_H
#define MAIL_SERIES_PRIV_H

#include "mail/series.h"

#define SERIES_MAX_WALK	  300 /* ancestors looked at for one mail */
#define SERIES_MAX_LOOK	  32  /* sets or candidates looked at for one key */
#define SERIES_MAX_FAMILY 64  /* digits and letters of a sending's name */

struct series_index;

/* A series in the making. */
struct set {
	int cover;	 /* fact, or -1 */
	GArray *patches; /* of struct series_patch; sorted after grouping */
	guint own;	 /* of them: not inherited */
	int version;
	gboolean stated;
	gboolean inferred;
	int announced; /* largest total; the cover's if there is one; -1 */
	gboolean cover_total; /* a counter of the cover said so */
	gint64 first, last;   /* dates */
	int first_mail;	      /* own, by (date, Message-ID); set by the index */
	int over;  /* the set whose slot was taken when this was opened */
	int chain; /* sets opened over each other */
	/* found by series_chain() */
	int supersedes, superseded_by, resend_of;
	gboolean stable;
	const char *backport_of;
	const char *change_id;
	gboolean cover_inherited;
};

struct series_work {
	const struct series_mail *mails;
	guint n;
	int *order;	 /* facts by date, ancestors first */
	int *up;	 /* nearest ancestor of the same sender, or -1 */
	int *set_of;	 /* set of each fact, or -1 */
	char **family;	 /* name of the sending, NULL if unknown */
	GPtrArray *sets; /* of struct set */
};

gboolean series_is_patch(const struct series_mail *m);
gboolean series_is_cover(const struct series_mail *m);
/* Slot of a patch: an unnumbered one is 1 of 1. */
int series_slot(const struct series_mail *m);
int series_total(const struct series_mail *m);
/* By number; after grouping. */
void series_sort_patches(struct set *s);
/* The patch of a sorted set in slot `number`; a fact, or -1. */
int series_at(const struct set *s, int number);

/* order, up, family. */
void series_prepare(struct series_work *w);
/* Fill `sets` and `set_of`. */
void series_group(struct series_work *w);
/* Covers that do not look like one: without counter, or without version. */
void series_find_covers(struct series_work *w);
/* Versions that the subjects do not tell, resends, backports. */
void series_infer(struct series_work *w, const struct series_index *x);
/* Which set is the older version of which, and what it lends to it. */
void series_chain(struct series_work *w, const struct series_index *x);

/* Sets by what they share, oldest first. */
struct series_index {
	int *by_date;	    /* living sets by (first, Message-ID) */
	guint count;	    /* of them */
	int *rank;	    /* of each set in by_date */
	GHashTable *keys;   /* kind, person, value -> GArray of ranks */
	GHashTable *by_mid; /* -> fact + 1 */
};
struct series_index *series_index_new(const struct series_work *w);
void series_index_free(struct series_index *x);

enum series_key {
	SERIES_KEY_TITLE = 't',	 /* of the cover or a single patch */
	SERIES_KEY_PATCH = 'p',	 /* title of a patch */
	SERIES_KEY_ID = 'i',	 /* patch-id */
	SERIES_KEY_CHANGE = 'c', /* change-id */
};
/* Ranks of the sets that share such a value of `m`, NULL if none. Titles are
 * those of one author, or with `sent` of one sender if that is another. */
const GArray *series_index_find(const struct series_index *x,
				enum series_key kind,
				const struct series_mail *m, gboolean sent);
/* How many of such `ranks` (may be NULL) are below `rank`: the first ones. */
guint series_ranks_before(const GArray *ranks, int rank);

/* Sent by the same, or the patches are of the same author. */
gboolean series_same_people(const struct series_work *w, const struct set *s,
			    const struct set *o);

/* The mail whose title is the set's: the cover or the single patch; NULL. */
const struct series_mail *series_titled(const struct series_work *w,
					const struct set *s);

#endif
