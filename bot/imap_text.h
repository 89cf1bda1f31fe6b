/* imap_text.h - the lines of an IMAP server that are asked for, read
 * Each function takes a line as struct imap_reply has it, and leaves other
 * kinds of lines alone: TRUE, and nothing changes. FALSE: it is of the kind and
 * damaged. Linear, nothing recurses. */
#ifndef BOT_IMAP_TEXT_H
#define BOT_IMAP_TEXT_H

#include <glib.h>

/* It begins with `word`, in whatever case, and not with a longer one. */
gboolean imap_text_is(const char *text, const char *word);

struct imap_fetched {
	gboolean is;	/* the line was a FETCH */
	guint32 uid;	/* 0: none */
	gboolean sized; /* there was an RFC822.SIZE */
	guint64 size;
	gint64 received;  /* INTERNALDATE; 0: none, or none that is a date */
	GByteArray *body; /* BODY[], yours; NULL: none, or not kept */
	gboolean larger;  /* ... not kept */
};
gboolean imap_text_fetch(const char *line, GPtrArray *literals,
			 struct imap_fetched *to);

/* UIDs, appended as guint32. */
gboolean imap_text_search(const char *line, GArray *uids);
/* `*name`, which you own, of a mailbox that can be opened. */
gboolean imap_text_list(const char *line, GPtrArray *literals, char **name);
/* "* NUMBER EXISTS" and "* OK [UIDVALIDITY NUMBER]". */
gboolean imap_text_exists(const char *line, guint32 *exists);
gboolean imap_text_validity(const char *line, guint32 *validity);

#endif
