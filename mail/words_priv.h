/* words_priv.h - one sentence, and what it says */
#ifndef MAIL_WORDS_PRIV_H
#define MAIL_WORDS_PRIV_H

#include "mail/words.h"

#define WORDS_OF_SENTENCE 120 /* later ones are not looked at */

struct sentence {
	const char *text; /* as written */
	gsize len;
	char *folded; /* lower case, the words in it end with NUL */
	const char *word[WORDS_OF_SENTENCE];
	gboolean colon[WORDS_OF_SENTENCE]; /* a colon stands before it */
	guint n;
	gboolean question;
};

/* Fills the words from `text`; `folded` has room for len + 1 bytes. */
void sentence_split(struct sentence *s);
/* What it says; FALSE: nothing. */
gboolean sentence_judge(const struct sentence *s, enum verdict_word_kind *kind);

#endif
