/* message_priv.h - what a message is made of, for the message_*.c files
 * Filled once by message_parse(), never changed afterwards. */
#ifndef MAIL_MESSAGE_PRIV_H
#define MAIL_MESSAGE_PRIV_H

#include "mail/message.h"
#include "mail/mime_priv.h"

struct message {
	gatomicrefcount refs;
	GBytes *raw;
	GBytes *page_mail; /* of a web copy: the mail made of it */
	header *head;
	const char *rest; /* bytes below the header */
	gsize rest_len;

	char *id;
	gboolean id_made;
	GPtrArray *extra_ids;
	GPtrArray *replied; /* ids of In-Reply-To */
	GPtrArray *references;
	GPtrArray *thread_ids;
	const char *parent; /* lent by `replied` or `references` */
	char *parent_marc;

	char *subject;
	char *from_header;
	struct address *from;
	struct address *sender;
	GPtrArray *reply_to;
	GPtrArray *to;
	GPtrArray *cc;
	GPtrArray *list_ids;
	gint64 date;
	char *date_zone;

	GPtrArray *parts; /* of struct mime_part */
	GString *body;
	GString *patch; /* NULL: the same as `body` */
	gboolean patch_attached;
	gboolean flowed;
	gboolean html;
	GPtrArray *attachments;
	GPtrArray *warnings;
};

/* message_ids.c: own ids, those it refers to, and the parent. Needs the
 * addresses (people paste those into In-Reply-To). */
void message_read_ids(message *msg);

/* message_text.c: parts, body, patch bytes, attachments. */
void message_read_text(message *msg);

#endif
