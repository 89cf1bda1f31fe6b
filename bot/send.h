/* send.h - how mail leaves: one descriptor a transport
 * Knows no database: a claimed mail goes in, what became of it comes out.
 * docs/outbox.md. */
#ifndef BOT_SEND_H
#define BOT_SEND_H

#include <gio/gio.h>

#include "db/outbox_queue.h"

#include "bot/config.h"
#include "bot/endpoint.h"

#define SEND_SECONDS 300 /* that one mail may take */

/* [send] of the settings. */
struct send_settings {
	const struct send_ops *ops;
	struct endpoint *server; /* smtp */
	gboolean implicit_tls;	 /* else STARTTLS, unless server->plain */
	char *user, *password_file, *password_command;
	gboolean xoauth2;
	char *folder;  /* file */
	char *program; /* sendmail */
	char *address; /* our own */
	char *hello;   /* what we are called in EHLO */
};
void send_settings_free(struct send_settings *s);
AUTO_STRUCT(send_settings, send_settings_free)

/* CONFIG_ERROR_SYNTAX, text with the remedy. */
struct send_settings *send_settings_new(const config *c, const char *db_path,
					GError **err);

/* One mail, to those of its recipients that are to be tried. */
struct send_job {
	const struct outbox_entry *entry;
	GPtrArray *rcpts;     /* lent, of struct outbox_rcpt */
	const char *redirect; /* goes there instead; NULL */
	char *sender;	      /* of the envelope: bounces come back to it */
};

/* What one run of the sender keeps open. */
typedef struct sender sender;

struct send_ops {
	const char *name;
	/* NULL: nothing ever leaves. Never FALSE for what a server says: that
	 * is in `r`. Whoever is not in it was not tried. */
	void (*send)(sender *x, const struct send_job *job,
		     struct outbox_result *r);
};
extern const struct send_ops send_null, send_file, send_smtp, send_sendmail;

struct sender {
	const struct send_settings *s;
	GCancellable *cancel;
	void *line; /* send_smtp.c: the connection, kept between mails */
};
void sender_clear(sender *x);

/* The bytes of a job. */
GBytes *send_bytes(const struct send_job *job, enum outgoing_form form,
		   gboolean eight_bit, GError **err);
/* All were told the same. */
void send_tell_all(const struct send_job *job, struct outbox_result *r,
		   enum outbox_told told, guint code, const char *text);
/* Envelope recipients, NULL-ended; lent. */
GPtrArray *send_addresses(const struct send_job *job);

/* ---- send_smtp.c */

/* Connect, log in, send nothing. */
gboolean send_smtp_probe(const struct send_settings *s, GError **err);
void send_smtp_close(void *line);

#endif
