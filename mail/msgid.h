/* msgid.h - Message-IDs: extraction from headers, URLs, what people type
 * The rules are those measured on 380,150 mails; see docs/mail-quirks.md. */
#ifndef MAIL_MSGID_H
#define MAIL_MSGID_H

#include <glib.h>

#define MSGID_MAX_BYTES 998  /* a longer id is discarded */
#define MSGID_MAX_IDS	1000 /* of one field; later ones are dropped */

enum msgid_field {
	MSGID_FIELD_MESSAGE_ID,
	MSGID_FIELD_IN_REPLY_TO,
	MSGID_FIELD_REFERENCES,
};

/*
 * The ids of one unfolded header value, in order, each once, without <>.
 * Comments (nested, escaped) are skipped; a '<' before the '>' restarts the
 * id; an unclosed '<' ends at a blank; bytes <= 0x20 and 0x7f inside are
 * deleted (folds inside ids). Encoded words are decoded only if the value
 * yields no bracketed id or an id contains "=?". Without brackets a bare
 * token x@y counts (References: only if the whole value has no bracket).
 * Discarded: "", y, yes, n, no, ids longer than MSGID_MAX_BYTES.
 * `clean` (may be NULL): TRUE if the value is exactly one <id>.
 * You own the array of strings.
 */
GPtrArray *msgid_extract(const char *value, enum msgid_field field,
			 gboolean *clean);

/* marc.info writes "local () a ! b ! c": the id local@a.b.c that it stands
 * for, or NULL. To be used only if that id is known. */
char *msgid_from_marc(const char *value);

/* What a person types or a page links to: <id>, id:, mid:, rfc822msgid:, a
 * lore, lkml.kernel.org/r, (patch.)msgid.link or patchwork URL, encoded or
 * not. NULL if no id is in it. You own it. */
char *msgid_from_text(const char *text);

/* The Message-ID inside an archive URL (all forms of threads-patches 6.1:
 * /r/ID, /all/ID, /<list>/ID with /T/ /t/ /raw /#anchor, patch.msgid.link,
 * msgid.link, lkml.kernel.org/r, patchwork /msgid/ID, public-inbox hosts),
 * percent-decoded, trailing "/ . , > )" stripped. NULL if it is none. */
char *msgid_from_url(const char *url);

/* Percent-encode for a URL path: all but A-Za-z0-9 - . _ ~ ! $ & ' ( ) * + ,
 * ; = : @ is encoded, '/' always. You own it. */
char *msgid_to_url(const char *id);

/* A stable id for a mail without one: hex SHA-256 over the raw Date, From,
 * Subject, To (NULL = absent) and the body bytes without CR, then
 * "@missing.invalid". Never published, never put into In-Reply-To. */
char *msgid_make(const char *date, const char *from, const char *subject,
		 const char *to, const char *body, gsize body_len);

#endif
