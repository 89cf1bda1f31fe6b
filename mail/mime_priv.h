/* mime_priv.h - the MIME parts of a message and their text
 * For message.c alone. GMime decodes the transfer encodings; its parser is
 * not used: it is slow and trusts boundaries too much. */
#ifndef MAIL_MIME_PRIV_H
#define MAIL_MIME_PRIV_H

#include <glib.h>

#include "mail/header.h"

#define MIME_MAX_PARAM	 998 /* bytes of one parameter's value */
#define MIME_MAX_PARAMS	 64  /* of one field */
#define HTML_MAX_QUOTES	 15  /* nested <blockquote> shown as '>' */
#define CHARSET_MAX_NAME 40
#define FLOWED_MAX_DEPTH 200 /* deeper quoting is not joined */

enum mime_encoding {
	MIME_IDENTITY, /* 7bit, 8bit, binary, "8-bit", none, unknown */
	MIME_QUOTED_PRINTABLE,
	MIME_BASE64,
};

struct mime_part {
	const char *bytes; /* still encoded; a slice of the message */
	gsize len;
	const char *head; /* its own header, NULL for the message's */
	gsize head_len;
	char *type;    /* "text/plain", lower case */
	char *charset; /* lower case, or NULL */
	char *name;    /* of a file, decoded; NULL if none */
	enum mime_encoding encoding;
	gboolean attachment; /* Content-Disposition: attachment */
	gboolean flowed;
	gboolean delsp;
	gboolean alternative; /* inside multipart/alternative */
	gboolean body;	      /* chosen as text to read (message_text.c) */
};

/* The leaves in order, at least one unless the body is an empty multipart.
 * What is broken becomes a leaf as it stands, with a warning. Linear in
 * len for each of the MESSAGE_MAX_DEPTH levels at most. The array owns the
 * parts, which lend from `h` and `body`. */
GPtrArray *mime_split(const header *h, const char *body, gsize len,
		      GPtrArray *warnings);

/* "x-bytes" by content encoding, CRLF -> LF; the first `max` bytes,
 * `*cut` tells that there were more. You own it. */
GString *mime_decode(const struct mime_part *p, gsize max, gboolean *cut);

/* Bytes after decoding, near enough for people. */
gsize mime_size(const struct mime_part *p);

/* One parameter of a field value ("charset" in "text/plain; charset=x"), as
 * written; NULL if absent. You own it. */
char *mime_param(const char *value, const char *name);

enum charset_result {
	CHARSET_FINE,
	CHARSET_UNKNOWN, /* the name says nothing to us: guessed */
	CHARSET_BROKEN,	 /* some bytes do not exist in it */
};

/*
 * Append `bytes` as valid UTF-8. `charset` NULL or one that the bytes cannot
 * be: UTF-8, and what is not UTF-8 byte by byte as windows-1252. NUL becomes
 * U+FFFD.
 */
enum charset_result charset_append(GString *out, const char *bytes, gsize len,
				   const char *charset);

/* Join what format=flowed broke (RFC 3676), within one quote depth. */
GString *flowed_join(const char *text, gsize len, gboolean delsp);
/* A flowed mail whose sender did stuff blanks before the lines of its diff:
 * take them out again, join nothing. NULL if it was not so. */
GString *flowed_unstuff(const char *text, gsize len);

/* HTML as a person would read it: no tags, entities decoded, quotes with '>'.
 * Never fails. `html` is valid UTF-8, and so is the result. */
GString *html_to_text(const char *html, gsize len);

#endif
