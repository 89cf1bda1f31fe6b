/* words_priv.h - one sentence, and what it says */
#ifndef MAIL_WORDS_PRIV_H
#define MAIL_WORDS_PRIV_H

#include "mail/words.h"

#define WORDS_OF_SENTENCE 120 /* later ones are not looked at */

/* What a sentence must mention to say anything: found while it is split, so
 * that the many sentences about other things cost no more. */
enum word_key {
	KEY_FALSE = 1 << 0,
	KEY_SORRY = 1 << 1,
	KEY_IGNORE = 1 << 2,
	KEY_RETRACT = 1 << 3,
	KEY_REPRODUC = 1 << 4,
	KEY_REGRESS = 1 << 5,
	KEY_STILL = 1 << 6,
	KEY_FIX = 1 << 7, /* and solve, resolve, cure, restore */
	KEY_HELP = 1 << 8,
	KEY_DIFFERENCE = 1 << 9,
	KEY_GONE = 1 << 10, /* and away, disappeared, vanished */
	KEY_PERFORMANCE = 1 << 11,
	KEY_WORKS = 1 << 12,
	KEY_LONGER = 1 << 13,
	KEY_PASS = 1 << 14,
	KEY_PLEASE = 1 << 15,
	KEY_NEED = 1 << 16,
	KEY_CHANGES = 1 << 17,
	KEY_NAK = 1 << 18,
	KEY_PLAN = 1 << 19,  /* versions, and what sends them */
	KEY_MEANT = 1 << 20, /* expected, intended, by design */
};

struct sentence {
	const char *text; /* as written */
	gsize len;
	char *folded; /* lower case, the words in it end with NUL */
	const char *word[WORDS_OF_SENTENCE];
	gboolean colon[WORDS_OF_SENTENCE]; /* a colon stands before it */
	guint n;
	gboolean question;
	guint keys; /* enum word_key */
};

/* Fills the words from `text`; `folded` has room for len + 1 bytes. */
void sentence_split(struct sentence *s);
/* What it says; FALSE: nothing. */
gboolean sentence_judge(const struct sentence *s, enum verdict_word_kind *kind);

/* ---- words_phrase.c */

/* Index behind the phrase that begins at word `at`; 0: it does not. "a|b":
 * either, "a*": a beginning, "~": a few words. */
guint phrase_end(const struct sentence *s, const char *text, guint at);

/* ---- words_plan.c */

/* "I'll send a v2": no condition, no denial. */
gboolean sentence_promises(const struct sentence *s);
/* "This regression is expected". */
gboolean sentence_intends(const struct sentence *s);

#endif
