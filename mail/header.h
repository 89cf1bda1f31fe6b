/* header.h - the header block of a message, found without GMime
 * A scan over the raw bytes (memchr per line), ten times faster than a full
 * parse. Knows nothing of what fields mean. RFC 5322 section 2.2. */
#ifndef MAIL_HEADER_H
#define MAIL_HEADER_H

#include <glib.h>

#define HEADER_MAX_BYTES  (1024 * 1024) /* of the fields of one block */
#define HEADER_MAX_VALUE  (128 * 1024)	/* of one field */
#define HEADER_MAX_FIELDS 10000

struct header_field {
	const char *name; /* slice of the raw bytes, not terminated */
	gsize name_len;
	const char *value; /* slice: after the colon, folds still inside */
	gsize value_len;   /* without the final line end */
};

typedef struct header header;

/*
 * Scan `raw[0..len)`, which stays the caller's and must outlive the result.
 * A byte order mark, leading empty lines and "From "/">From " separator lines
 * are skipped. The block ends at the first empty line, or at the first line
 * that is neither a field nor a continuation (then `*body` is the start of
 * that line, and header_damaged() is TRUE). CRLF and LF. Beyond a
 * HEADER_MAX_* bound values are cut, fields that do not fit are passed over,
 * those that fit are taken, and header_truncated() is TRUE.
 * `body` (may be NULL) gets the offset of the first body byte.
 * Never NULL; zero fields means "this is no mail".
 */
header *header_scan(const char *raw, gsize len, gsize *body);
void header_free(header *h);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(header, header_free)

guint header_count(const header *h);
const struct header_field *header_at(const header *h, guint i);
gboolean header_damaged(const header *h);
gboolean header_truncated(const header *h);

/* First field called `name` (any case); NULL if there is none. Lent. */
const struct header_field *header_find(const header *h, const char *name);
/* The next one of that name after `prev`. */
const struct header_field *header_next(const header *h, const char *name,
				       const struct header_field *prev);

/* Unfold a field (CRLF/LF + blank -> one blank), trimmed at both ends. NUL
 * bytes become blanks. Bytes are otherwise raw. You own the string. */
char *header_unfold(const struct header_field *f);
/* header_unfold() of the first field of that name; NULL if absent. */
char *header_dup(const header *h, const char *name);
/* Unfolded, RFC 2047 decoded, always valid UTF-8, blanks collapsed, control
 * bytes removed; an encoded word in an unknown charset is kept as it is
 * written (GMime would give ""). NULL if absent. */
char *header_dup_decoded(const header *h, const char *name);
/* The decoding alone, for a value at hand. You own the string. */
char *header_decode(const char *unfolded);

#endif
