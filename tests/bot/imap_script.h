/* imap_script.h - an IMAP server with two messages, as a script, and a source
 * that reads it */
#ifndef TESTS_BOT_IMAP_SCRIPT_H
#define TESTS_BOT_IMAP_SCRIPT_H

#include <glib/gstdio.h>

#include "bot/net.h"
#include "bot/remote.h"

#include "tests/bot/heard.h"
#include "tests/dialogue.h"
#include "tests/test.h"

#define ONE   "Subject: one\r\nMessage-ID: <1@example.org>\r\n\r\nText\r\n"
#define TWO   "Subject: two\r\nMessage-ID: <2@example.org>\r\n\r\nText\r\n"
#define SIZE  "51" /* of each */
#define DATE  " INTERNALDATE \" 1-Jan-2020 01:00:00 +0100\""
#define DAY   1577836800 /* the same */
#define CAPS  "* CAPABILITY IMAP4rev1 SASL-IR AUTH=PLAIN IDLE UIDPLUS MOVE\r\n"
#define BOX   "* 2 EXISTS\r\n* OK [UIDVALIDITY 7] it\r\n"
#define FOUND "* SEARCH 5 9\r\n"
#define SIZES                                             \
	"* 1 FETCH (UID 5 RFC822.SIZE " SIZE DATE ")\r\n" \
	"* 2 FETCH (UID 9 RFC822.SIZE " SIZE DATE ")\r\n"
#define BODIES                                               \
	"* 1 FETCH (UID 5 BODY[] {" SIZE "}\r\n" ONE ")\r\n" \
	"* 2 FETCH (BODY[] {" SIZE "}\r\n" TWO " UID 9)\r\n"

enum {
	AT_GREETING,
	AT_CAPABILITY,
	AT_LOGIN,
	AT_CAPABILITY_2,
	AT_EXAMINE,
	AT_SEARCH,
	AT_SIZES,
	AT_BODIES,
	AT_NOOP,
	AT_END,
	AT_MAX = 24
};

/* Change what you like, then dialogue_start(). */
static inline void imap_script(struct dialogue_step to[AT_MAX])
{
	static const struct dialogue_step usual[] = {
		{.say = "* OK hello\r\n"},
		{.hear = "1 CAPABILITY\r\n", .say = CAPS "1 OK yes\r\n"},
		{.hear = "2 AUTHENTICATE PLAIN AGJvdABzZXNhbWUh\r\n",
		 .say = "2 OK in\r\n"},
		{.hear = "3 CAPABILITY\r\n", .say = CAPS "3 OK yes\r\n"},
		{.hear = "4 EXAMINE INBOX\r\n",
		 .say = BOX "4 OK [READ-ONLY] open\r\n"},
		{.hear = "5 UID SEARCH UID ", .say = FOUND "5 OK yes\r\n"},
		{.hear = "6 UID FETCH 5,9 (UID RFC822.SIZE INTERNALDATE)\r\n",
		 .say = SIZES "6 OK yes\r\n"},
		{.hear = "7 UID FETCH 5,9 (UID BODY.PEEK[])\r\n",
		 .say = BODIES "7 OK yes\r\n"},
		{.hear = "8 NOOP\r\n", .say = "8 OK yes\r\n"},
		{.end = DIALOGUE_OVER},
	};

	memset(to, 0, AT_MAX * sizeof(*to));
	memcpy(to, usual, sizeof(usual));
}

/* A source that speaks to `d` with a password in the test's folder. */
static inline struct remote *imap_remote(struct heard *h, const dialogue *d,
					 guint timeout)
{
	struct remote *r = g_new0(struct remote, 1);

	r->name = g_strdup("box");
	r->ops = &remote_imap;
	r->server = dialogue_endpoint(d, "imap", timeout);
	r->user = g_strdup("bot");
	r->password_file = g_build_filename(h->dir, "password", NULL);
	heard_write(h, "password", "sesame!\n", -1);
	g_chmod(r->password_file, 0600);
	r->mailboxes = g_new0(char *, 1);
	r->groups = g_new0(char *, 1);
	r->poll = 300;
	r->max_bytes = 1024 * 1024;
	r->timeout = timeout;
	return r;
}
AUTO_STRUCT(remote, remote_free)

static inline gboolean imap_keep(void *data, GError **err)
{
	struct heard *h = data;

	g_string_append(h->log, "kept\n");
	return TRUE;
}

static inline struct source_context imap_context(struct heard *h)
{
	return (struct source_context){.sink = heard_event,
				       .cursor_of = heard_cursor,
				       .keep = imap_keep,
				       .data = h};
}

/* Everything with the port removed; you own it. */
static inline char *imap_without_port(const dialogue *d, const char *text)
{
	g_autofree char *port = g_strdup_printf(":%u", dialogue_port(d));
	g_auto(GStrv) parts = g_strsplit(text, port, -1);

	return g_strjoinv("", parts);
}

/* Read once; the log since, you own it. An error is its last line. */
static inline char *imap_read(struct heard *h, const dialogue *d,
			      const struct remote *r)
{
	struct source_context ctx = imap_context(h);
	g_autoptr(GError) err = NULL;

	g_string_truncate(h->log, 0);
	if (!r->ops->read(r, &ctx, &err)) {
		ck_assert_ptr_nonnull(err);
		ck_assert_msg(err->domain == NET_ERROR ||
				      err->domain == SOURCE_ERROR,
			      "%s", err->message);
		g_string_append_printf(h->log, "error %s: %s\n",
				       source_error_code(err), err->message);
	}
	return imap_without_port(d, h->log->str);
}

/* Plays `script` once and reads: what was said, and in `*heard` if not NULL
 * what the server heard. */
static inline char *imap_play(struct heard *h, struct dialogue_step *script,
			      void (*change)(struct remote *r), char **heard)
{
	g_autoptr(dialogue) d = dialogue_start(script, NULL);
	g_autoptr(remote_auto) r = imap_remote(h, d, 3);
	char *log;

	if (change)
		change(r);
	log = imap_read(h, d, r);
	dialogue_await_over(d);
	if (heard)
		*heard = dialogue_heard(d);
	return log;
}

#endif
