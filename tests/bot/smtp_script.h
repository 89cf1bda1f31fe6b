/* smtp_script.h - an SMTP server that answers as it is told, in a thread
 * Keeps what it got. One connection after the other. */
#ifndef TESTS_BOT_SMTP_SCRIPT_H
#define TESTS_BOT_SMTP_SCRIPT_H

#include <gio/gio.h>
#include <string.h>

#include "tests/test.h"

struct smtp_script {
	/* NULL: as a server does that takes everything; "" closes. */
	const char *greeting, *mail, *data, *end;
	/* "address reply" pairs, NULL-ended. */
	const char *const *rcpt;
	gboolean eight_bit;
	gboolean keep_lost; /* the mail is kept, the line then closed */

	guint16 port;
	GSocketListener *listener;
	GCancellable *cancel;
	GThread *thread;
	GMutex lock;
	GPtrArray *mails;   /* of char *: what was taken, dots undone */
	GString *envelopes; /* MAIL and RCPT lines that were taken */
	GString *commands;  /* all lines, without AUTH's */
	guint connections;
};

static inline void smtp_say(GOutputStream *out, const char *reply)
{
	g_autofree char *line = g_strconcat(reply, "\r\n", NULL);

	g_output_stream_write_all(out, line, strlen(line), NULL, NULL, NULL);
}

/* FALSE: close. */
static inline gboolean smtp_answer(GOutputStream *out, const char *reply,
				   const char *usual)
{
	if (reply && !*reply)
		return FALSE;
	smtp_say(out, reply ? reply : usual);
	return TRUE;
}

static inline const char *smtp_rcpt(const struct smtp_script *s,
				    const char *line)
{
	for (guint i = 0; s->rcpt && s->rcpt[i]; i += 2)
		if (strstr(line, s->rcpt[i]))
			return s->rcpt[i + 1];
	return NULL;
}

/* FALSE: close. Only CRLF "." CRLF ends it. */
static inline gboolean smtp_body(struct smtp_script *s, GDataInputStream *in,
				 GOutputStream *out)
{
	g_autoptr(GString) mail = g_string_new(NULL);
	gboolean closed = s->end && !*s->end;

	for (;;) {
		gsize len;
		g_autofree char *line =
			g_data_input_stream_read_line(in, &len, NULL, NULL);

		if (!line)
			return FALSE;
		if (g_str_equal(line, ".\r"))
			break;
		g_string_append(mail, *line == '.' ? line + 1 : line);
		g_string_append_c(mail, '\n');
	}
	g_mutex_lock(&s->lock);
	if (!s->end || *s->end == '2' || (closed && s->keep_lost))
		g_ptr_array_add(s->mails, g_strdup(mail->str));
	g_mutex_unlock(&s->lock);
	return smtp_answer(out, s->end, "250 2.0.0 taken");
}

static inline gboolean smtp_command(struct smtp_script *s, const char *line,
				    GDataInputStream *in, GOutputStream *out)
{
	const char *reply;

	g_mutex_lock(&s->lock);
	g_string_append_printf(s->commands, "%s\n", line);
	g_mutex_unlock(&s->lock);
	if (g_str_has_prefix(line, "EHLO"))
		return smtp_answer(out, NULL,
				   s->eight_bit
					   ? "250-here\r\n250-8BITMIME\r\n250 "
					     "SIZE 1000000"
					   : "250-here\r\n250 SIZE 1000000");
	if (g_str_has_prefix(line, "MAIL")) {
		g_string_append_printf(s->envelopes, "%s\n", line);
		return smtp_answer(out, s->mail, "250 2.1.0 ok");
	}
	if (g_str_has_prefix(line, "RCPT")) {
		reply = smtp_rcpt(s, line);
		if (!reply)
			g_string_append_printf(s->envelopes, "%s\n", line);
		return smtp_answer(out, reply, "250 2.1.5 ok");
	}
	if (g_str_has_prefix(line, "DATA")) {
		if (!smtp_answer(out, s->data, "354 go on"))
			return FALSE;
		return s->data ? TRUE : smtp_body(s, in, out);
	}
	return smtp_answer(out, NULL, "250 ok") &&
	       strncmp(line, "QUIT", 4) != 0;
}

static inline void smtp_talk(struct smtp_script *s, GSocketConnection *c)
{
	g_autoptr(GDataInputStream) in = g_data_input_stream_new(
		g_io_stream_get_input_stream(G_IO_STREAM(c)));
	GOutputStream *out = g_io_stream_get_output_stream(G_IO_STREAM(c));
	char *line;

	s->connections++;
	if (!smtp_answer(out, s->greeting, "220 here"))
		return;
	while ((line = g_data_input_stream_read_line(in, NULL, s->cancel,
						     NULL))) {
		gboolean on;

		g_strchomp(line);
		on = smtp_command(s, line, in, out);
		g_free(line);
		if (!on)
			return;
	}
}

static inline gpointer smtp_serve(gpointer data)
{
	struct smtp_script *s = data;
	GSocketConnection *c;

	while ((c = g_socket_listener_accept(s->listener, NULL, s->cancel,
					     NULL))) {
		smtp_talk(s, c);
		g_io_stream_close(G_IO_STREAM(c), NULL, NULL);
		g_object_unref(c);
	}
	return NULL;
}

static inline void smtp_start(struct smtp_script *s)
{
	s->listener = g_socket_listener_new();
	s->cancel = g_cancellable_new();
	s->mails = g_ptr_array_new_with_free_func(g_free);
	s->envelopes = g_string_new(NULL);
	s->commands = g_string_new(NULL);
	g_mutex_init(&s->lock);
	s->port = g_socket_listener_add_any_inet_port(s->listener, NULL, NULL);
	ck_assert_uint_ne(s->port, 0);
	s->thread = g_thread_new("smtp", smtp_serve, s);
}

/* From here on what it got may be looked at. */
static inline void smtp_stop(struct smtp_script *s)
{
	g_cancellable_cancel(s->cancel);
	g_thread_join(s->thread);
	g_socket_listener_close(s->listener);
	g_object_unref(s->listener);
	g_object_unref(s->cancel);
}

static inline void smtp_free(struct smtp_script *s)
{
	g_ptr_array_unref(s->mails);
	g_string_free(s->envelopes, TRUE);
	g_string_free(s->commands, TRUE);
	g_mutex_clear(&s->lock);
}

#endif
