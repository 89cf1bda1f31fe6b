/* applied_priv.h - one sentence as words, and what it tells of patches
 * For the applied*.c files alone. */
#ifndef MAIL_APPLIED_PRIV_H
#define MAIL_APPLIED_PRIV_H

#include "mail/applied.h"

#define NOTICE_WORDS   60   /* longer sentences tell of no patch */
#define NOTICE_BYTES   600  /* of a sentence */
#define NOTICE_TEXT    300  /* bytes kept of it */
#define NOTICE_LINES   2000 /* own lines looked at */
#define NOTICE_NUMBERS 512  /* patches of a series: 0 to one less */

/* What a word can be; several at once. */
enum notice_word {
	IS_VERB = 1 << 0,   /* "applied": says what was done */
	IS_PLAIN = 1 << 1,  /* "apply": after "I'll" */
	IS_LEAD = 1 << 2,   /* may stand before the verb */
	IS_WHO = 1 << 3,    /* "I", "we've" */
	IS_WHAT = 1 << 4,   /* "patches", "series" */
	IS_POINT = 1 << 5,  /* "it", "this", "all" */
	IS_JOIN = 1 << 6,   /* "and", "so" */
	IS_THANKS = 1 << 7, /* "thanks", "cheers" */
	IS_TO = 1 << 8,	    /* "to", "for", "in" */
	IS_TAIL = 1 << 9,   /* "with", "as": what follows says how */
	IS_COND = 1 << 10,  /* "if", "when", "should" */
	IS_WILL = 1 << 11,  /* "will", "I'll" */
	IS_TRIAL = 1 << 12, /* "tested", "boots": a test of his own */
	IS_HAVE = 1 << 13,  /* "have", "has", "been", "are" */
	IS_ADVERB = 1 << 14,
	IS_DENY = 1 << 15,   /* "not", "didn't" */
	IS_PLACE = 1 << 16,  /* "tree", "branch", "queue" */
	IS_THE = 1 << 17,    /* "the", "my" */
	IS_OUT = 1 << 18,    /* "dropped", "removed" */
	IS_NUMBER = 1 << 19, /* "1", "2-4", "3/5": not in the table */
	IS_ING = 1 << 20,    /* "adding" */
	IS_COUNT = 1 << 21,  /* "first", "three", "rest" */
	IS_SOFT = 1 << 22,   /* "changes": maybe his own */
};

/* Verbs say little alone: "added" what, "pushed" where? */
enum notice_weight { WEIGHT_NONE, WEIGHT_WEAK, WEIGHT_STRONG };

struct notice_entry {
	const char *text;
	guint flags;
	enum applied_kind kind;	   /* of a verb */
	enum notice_weight weight; /* of a verb */
};

/* The word's row, lower case; NULL: it has none. */
const struct notice_entry *notice_lookup(const char *low);
gboolean notice_tables_sorted(void); /* as it has to be */
/* TRUE if a word of the sentence may tell of a patch: a cheap look. */
gboolean notice_is_hint(const char *text, gsize len);

enum notice_break {
	BREAK_NONE,
	BREAK_PAREN, /* "(" or ")" */
	BREAK_COMMA, /* and ";" */
	BREAK_COLON, /* and a dash */
};

struct notice_token {
	const char *raw; /* as written, without punctuation at its ends */
	guint len;
	char *low; /* lower case, ends with NUL */
	guint flags;
	const struct notice_entry *entry; /* NULL: not in the table */
	guint8 before;			  /* enum notice_break */
};

struct notice_sentence {
	struct notice_token word[NOTICE_WORDS];
	guint n;
	gboolean question, thanks, trial, denied;
	char raw[NOTICE_BYTES + 2]; /* begins with a blank */
	char low[NOTICE_BYTES + NOTICE_WORDS + 1];
};

/* FALSE: longer than a notice is. */
gboolean notice_split(struct notice_sentence *s, const char *text, gsize len);

/* Where it went, as written; all NULL: not told. */
struct notice_place {
	char *tree, *branch;
	gboolean named;	  /* a tree, branch, queue or version of the kernel */
	gboolean version; /* only a version was named */
	guint end;	  /* index of the word behind it */
};

/* Reads "to the X branch of Y" whose preposition is word `at`; FALSE: no
 * place stands there. Clear with notice_place_clear(). */
gboolean notice_place_read(struct notice_place *p,
			   const struct notice_sentence *s, guint at);
void notice_place_clear(struct notice_place *p);
/* The name alone tells that it is a place for patches. */
gboolean notice_is_tree(const char *low);
gboolean notice_is_version(const char *low);

/* What a sentence tells. */
struct notice {
	enum applied_kind kind;
	struct notice_place place;
	guint8 numbers[NOTICE_NUMBERS / 8]; /* of the patches it names */
	guint count;			    /* of bits in it */
	gboolean except;		    /* all but those */
	gboolean some;			    /* "the first part" */
	gboolean folded;		    /* into another patch */
	gboolean open;			    /* ends with "applied to": the place
					       follows on the next line */
};

struct notice_context {
	gboolean patch;	 /* it answers a patch, cover or pull request */
	gboolean stable; /* ... for a stable tree */
	gboolean next;	 /* its sender merges linux-next */
};

/* FALSE: the sentence tells nothing. `n` is zeroed before. */
gboolean notice_judge(struct notice *n, const struct notice_sentence *s,
		      const struct notice_context *c);
/* The same for what was not taken, or taken out; applied_refuse.c. */
gboolean notice_refused(struct notice *n, const struct notice_sentence *s,
			const struct notice_context *c);
void notice_clear(struct notice *n);
/* Adds the patches that a word of IS_NUMBER names. */
void notice_number(struct notice *n, const struct notice_token *t);

/* The notice in a person's own words, or NULL. */
struct applied *notice_read(const message *msg, const struct subject *s,
			    const body *b);

/* ---- applied_clause.c */

/* What stands before a verb, back to where its clause begins. */
struct notice_lead {
	guint start;	 /* first word */
	gboolean who;	 /* "I", "we" */
	gboolean have;	 /* "has been", "are" */
	gboolean what;	 /* patches, numbers, "it" */
	gboolean noun;	 /* patches, numbers, "all" */
	gboolean now;	 /* any adverb */
	gboolean soft;	 /* "changes" */
	gboolean past;	 /* "I applied": no "have" */
	guint words;	 /* such ones */
	gboolean opened; /* "with ...": the sentence must end behind it */
	gboolean loose;	 /* words that are not known */
	gboolean joined; /* begins with an "and" */
};

/* What stands behind it. */
struct notice_rest {
	guint end;	/* word behind what was understood */
	gboolean what;	/* "it", "the series" */
	gboolean clean; /* nothing is left but thanks */
	gboolean loose; /* words that are not known */
	gboolean soft;	/* "changes" */
	gboolean told;	/* a place of any name */
	gboolean pile;	/* "to the rest": where other patches went */
	guint to;	/* the preposition before it */
};

/* FALSE: something stands there that has no place in a notice. */
gboolean notice_read_lead(struct notice_lead *l,
			  const struct notice_sentence *s, guint verb);
gboolean notice_read_rest(struct notice *n, const struct notice_sentence *s,
			  guint verb, struct notice_rest *r);
/* Word `k` is a number: the patches it names; none if it tells how many. */
void notice_take_number(struct notice *n, const struct notice_sentence *s,
			guint k);
gboolean notice_is_portion(const struct notice_sentence *s, guint k);
/* "if", "not" and the like from word `from` to the end of the clause. */
gboolean notice_has_condition(const struct notice_sentence *s, guint from);

/* ---- applied_list.c */

/* Adds the items "[n/m] title" with "commit: hex" or a URL below, and the
 * commits named there; the number of items that have no commit. */
guint applied_read_list(struct applied *a, const body *b);
void applied_add_commit(struct applied *a, const char *hex, gsize len);
/* Commits named in a text: words of 12 to 40 hex digits, or at the end of a
 * URL, or any behind "commit". */
void applied_find_commits(struct applied *a, const char *text, gsize len);

/* ---- applied_robot.c */

struct applied *applied_read_robot(const message *msg, const struct subject *s,
				   const body *b, const struct robot *robot);

/* ---- applied_script.c */

/* NULL: it is no such mail after all. */
struct applied *applied_read_script(const message *msg, const body *b);

#endif
