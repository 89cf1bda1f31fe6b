/* trailers_priv.h - shared by trailers.c (where trailers stand), trailer_line.c
 * (one of them) and trailer_names.c (their names) */
#ifndef MAIL_TRAILERS_PRIV_H
#define MAIL_TRAILERS_PRIV_H

#include "mail/trailers.h"

#define TRAILER_MAX_NAME 40 /* bytes; a longer word is no name */

enum trailer_kind {
	NAME_NONE,
	NAME_PERSON,
	NAME_CC,
	NAME_FIXES,
	NAME_LINK,    /* the value is a URL in replies */
	NAME_UTILITY, /* any value; in commit messages only */
};

struct trailer_name {
	enum trailer_kind kind;
	char *key;	  /* canonical spelling */
	const char *mood; /* "grudgingly", or NULL */
	gboolean typo;
	gboolean counts;
};

/* What the `len` bytes before a colon name; kind NAME_NONE if no trailer has
 * such a name. The caller frees `key`. */
void trailer_name_read(struct trailer_name *name, const char *text, gsize len);

/* A line of text, without newline. */
struct trailer_text {
	const char *text;
	gsize len;
};

/* The name part of a line: its length up to the colon, 0 if the line cannot
 * be a trailer. `*value` gets the offset behind the colon and blanks. */
gsize trailer_name_len(const struct trailer_text *line, gsize *value);

/*
 * Read the trailer on lines[0], whose first bytes may be blanks; up to two
 * lines after it are looked at for what was wrapped (`n` lines are there).
 * Appends to `out`: several persons on a line are several trailers. Returns
 * the number of lines taken, 0 if there is no trailer.
 */
guint trailer_read(GPtrArray *out, const struct trailer_text *lines, guint n,
		   guint number, enum trailer_where where);

/* The words behind a person's address that are no note ("with one nit"); NULL
 * if there are none. */
const char *trailer_sentence(const struct trailer *t);

/* "[note]" alone on a line. */
gboolean trailer_is_note(const struct trailer_text *line);

#endif
