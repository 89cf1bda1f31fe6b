/* words.h - what people say about a fix, in words
 * Claims, never verdicts. Unquoted text of the sender only. */
#ifndef MAIL_WORDS_H
#define MAIL_WORDS_H

#include <glib.h>

#include "mail/auto.h"
#include "mail/body.h"

#define WORDS_MAX 100 /* of one message */

enum verdict_word_kind { /* stored as numbers: append only */
			 WORD_TESTED_OK,
			 WORD_TESTED_BAD,
			 WORD_NOT_REPRODUCED,
			 WORD_RETRACTED,
			 WORD_NAK,
			 WORD_CHANGES_REQUESTED,
			 WORD_QUESTION,
			 WORD_PROMISED, /* a new version, or a fix */
			 WORD_INTENDED, /* the change is meant so */
};
/* Later ones are no kinds of the contract's verdict_words. */
#define WORD_LAST_VERDICT WORD_QUESTION

struct verdict_word {
	enum verdict_word_kind kind;
	guint line; /* from 1 */
	char *text; /* the sentence, blanks squeezed */
};

/* Of struct verdict_word, in the order of lines; none without a body. Never
 * NULL. */
GPtrArray *words_read(const body *b);
void verdict_word_free(struct verdict_word *w);
AUTO_STRUCT(verdict_word, verdict_word_free)
const char *verdict_word_name(enum verdict_word_kind k); /* "tested-ok" ... */

#endif
