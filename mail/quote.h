/* quote.h - the body of an answer: what is quoted, and our words below it
 * Quotes what is answered and the little around it that makes it understood;
 * everything else is left out, with a mark where it matters. */
#ifndef MAIL_QUOTE_H
#define MAIL_QUOTE_H

#include <glib.h>

#define QUOTE_MAX_ANCHORS   1000
#define QUOTE_MAX_LINES	    40	  /* quoted; the lines answered always stay */
#define QUOTE_MIN_LINES	    6	  /* allowed below however few words */
#define QUOTE_PER_OWN	    4	  /* quoted lines for a line of our own */
#define QUOTE_MAX_PARAGRAPH 6	  /* a longer one: the sentence alone */
#define QUOTE_MAX_WALK	    20000 /* lines looked at for the head of a table */

/* Lines of the parent that are answered. */
struct quote_anchor {
	guint first, last; /* from 1, both included */
	const char *text;  /* ours; "": quote, and go on with the next one */
};

/*
 * Append the blocks of an answer to the text `body[0..len)` (message_body()):
 * quote, empty line, own text (own_text_wrap()), empty line, quote ... Anchors
 * must be in order and apart; the last one must have a text.
 * `spaced`: "> > x" instead of ">> x". FALSE with MAIL_ERROR_SYNTAX, naming the
 * anchor.
 */
gboolean quote_answer(GString *out, const char *body, gsize len,
		      const struct quote_anchor *anchors, guint n,
		      gboolean spaced, GError **err);

/* Append all of it quoted but signature and footers, for a person to cut. */
void quote_all(GString *out, const char *body, gsize len, gboolean spaced);

/* Append one line quoted: no blanks at its end, control characters but tabs
 * replaced, inner prefixes untouched, newline. */
void quote_line(GString *out, const char *line, gsize len, gboolean spaced);

#endif
