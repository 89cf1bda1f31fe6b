/* message.h - one mail, decoded once, read-only afterwards
 * Pure: bytes in, value out. No network, no clock, no database. */
#ifndef MAIL_MESSAGE_H
#define MAIL_MESSAGE_H

#include <glib.h>

#include "mail/address.h"
#include "mail/header.h"
#include "mail/warning.h"

#define MESSAGE_MAX_BODY  (8 * 1024 * 1024) /* decoded text kept */
#define MESSAGE_MAX_PARTS 256
#define MESSAGE_MAX_DEPTH 32 /* nested multiparts; deeper is skipped */

/* Seconds that a clock may be ahead of the one that received the mail. */
#define MESSAGE_DATE_SLACK (24 * 60 * 60)

typedef struct message message;

/*
 * Decode one RFC 5322 message. A reference on `raw` is taken; its bytes stay
 * untouched. `received` is when a transport got it (git committer time), 0 =
 * unknown; nothing of the mail can be later. Tolerates the damage in docs/mail-quirks.md and notes it in
 * message_warnings().
 *
 * Returns a message you own, or NULL and *err:
 *   MAIL_ERROR_NOT_MAIL  no header field at the beginning
 */
message *message_parse(GBytes *raw, gint64 received, GError **err);

message *message_ref(message *msg);
void message_unref(message *msg);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(message, message_unref)

/* Getters lend: valid while `msg` lives, strings always valid UTF-8. */
GBytes *message_raw(const message *msg);
/* The bytes are a page of a web archive: people have names without addresses,
 * the archive may have hidden domains, and nobody answers for the head. */
gboolean message_is_web_copy(const message *msg);
const header *message_header(const message *msg);
const char *message_id(const message *msg);	  /* without <>, never NULL */
gboolean message_id_made(const message *msg);	  /* by msgid_make() */
GPtrArray *message_extra_ids(const message *msg); /* further Message-IDs */
const char *message_subject(const message *msg);  /* decoded, "" if absent */
const struct address *message_from(const message *msg);	  /* un-munged author */
const char *message_from_header(const message *msg);	  /* decoded, as sent */
const struct address *message_sender(const message *msg); /* or NULL */
GPtrArray *message_reply_to(const message *msg); /* of struct address */
GPtrArray *message_to(const message *msg);
GPtrArray *message_cc(const message *msg);
GPtrArray *message_list_ids(const message *msg); /* "linux-btrfs.vger..." */

/* The instant that sorts it: Date in UTC; where that is missing, impossible
 * or more than MESSAGE_DATE_SLACK after it was received: the last hop's
 * Received, else (also where that is as much after `received`) `received`.
 * 0 = none of them. A smaller `received` changes it only where it was equal
 * to the old one, or is more than the slack after the new one. */
gint64 message_date(const message *msg);
/* "+0200" as written in Date, NULL if none. */
const char *message_date_zone(const message *msg);

/* threads-patches 1.2: own id, addresses of From/To/Cc and prompts removed. */
const char *message_in_reply_to(const message *msg); /* first id or NULL */
GPtrArray *message_references(const message *msg);   /* header, oldest first */
/* References, then In-Reply-To ids not among them, then extra ids: what the
 * union of threads takes. */
GPtrArray *message_thread_ids(const message *msg);
const char *message_parent(const message *msg); /* the choice, or NULL */
/* An id read out of a marc.info In-Reply-To; a claim only if it is known. */
const char *message_parent_marc(const message *msg);

/* The text a person reads: text/plain parts in order, CRLF -> LF, UTF-8
 * (declared charset, else UTF-8, else windows-1252), format=flowed joined
 * (never in a patch), HTML turned to text only if there is nothing else, NUL
 * bytes made U+FFFD. Ends in a newline unless empty. */
const char *message_body(const message *msg);
gsize message_body_len(const message *msg);
/* Bytes of the part that holds the diff, transfer-decoded, charset not
 * converted, CRLF -> LF: what `git mailinfo` would see of it. The same text
 * as message_body() for a plain mail; an attached patch if there is one.
 * Lent; `len` is set. Never NULL. */
const char *message_patch_bytes(const message *msg, gsize *len);
gboolean message_patch_attached(const message *msg); /* not in the first part */
gboolean message_flowed(const message *msg);
gboolean message_html(const message *msg); /* it was made of HTML */
/* Names and types of parts that are not body text: "name (type, n bytes)". */
GPtrArray *message_attachments(const message *msg);

GPtrArray *message_warnings(const message *msg); /* of struct warning */

/* 32 bytes each. The content hash covers sorted ids, author, Subject, Date,
 * To, Cc and every part's name and text (threads-patches 1.4): equal for a
 * mail seen twice. The loose hash leaves out what lists change: subject tags,
 * munged From, recipients, footers. Computed at each call (not cheap). */
void message_content_hash(const message *msg, guint8 hash[32]);
void message_loose_hash(const message *msg, guint8 hash[32]);

#endif
