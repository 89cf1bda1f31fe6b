/* imap_session.c - connected to an IMAP server: greeting, capabilities,
 * commands, and what became of them */
#include "bot/imap_session.h"

#include <string.h>

#include "bot/imap_priv.h"

#define MAX_WORDS 1000 /* capabilities */

static gboolean fail(const imap_session *s, enum net_error code,
		     const char *what, const char *why, GError **err)
{
	g_set_error(err, NET_ERROR, (int)code, "%s: %s%s%s",
		    imap_stream_name(s->stream), what, *why ? ": " : "", why);
	return FALSE;
}

static gboolean is_said(const char *status, const char *word)
{
	gsize len = strlen(word);

	return status && g_ascii_strncasecmp(status, word, len) == 0 &&
	       !g_ascii_isalnum(status[len]);
}

/* "NO [UNAVAILABLE] ...": it may say yes another time. */
static gboolean is_passing(const char *status)
{
	static const char *const codes[] = {"[UNAVAILABLE]", "[INUSE]",
					    "[LIMIT]", "[SERVERBUG]"};
	for (guint i = 0; i < G_N_ELEMENTS(codes); i++)
		if (strstr(status, codes[i]))
			return TRUE;
	return FALSE;
}

gboolean imap_is_refused(imap_session *s)
{
	const char *status = imap_stream_guard(s->stream)->status;

	return !imap_stream_error(s->stream) &&
	       (is_said(status, "NO") || is_said(status, "BAD"));
}

static gboolean refuse(imap_session *s, const char *what, GError **err)
{
	const char *status = imap_stream_guard(s->stream)->status;

	if (is_said(status, "NO"))
		return fail(s,
			    is_passing(status) ? NET_ERROR_REPLY
					       : NET_ERROR_REFUSED,
			    what, status, err);
	if (is_said(status, "BAD"))
		return fail(s, NET_ERROR_REPLY, what, status, err);
	return fail(s, NET_ERROR_REPLY, what,
		    "the server's answer is not what IMAP knows", err);
}

/* ---- commands */

static void set_tag(const imap_session *s, char tag[16])
{
	g_snprintf(tag, 16, "c%u", s->commands);
}

gboolean imap_send(imap_session *s, const char *command,
		   const struct imap_reply *reply, GError **err)
{
	g_autofree char *line = NULL;
	gboolean ok;
	char tag[16];

	s->commands++;
	set_tag(s, tag);
	line = g_strdup_printf("%s %s\r\n", tag, command);
	imap_stream_begin(s->stream, reply);
	ok = imap_stream_send(s->stream, line, err);
	explicit_bzero(line, strlen(line));
	return ok;
}

gboolean imap_is_ok(imap_session *s, const char *what, GError **err)
{
	const struct imap_guard *g = imap_stream_guard(s->stream);
	char tag[16];

	set_tag(s, tag);
	if (!g_str_equal(g->tag, tag))
		return fail(s, NET_ERROR_REPLY, what,
			    "the server answers what was not asked", err);
	return is_said(g->status, "OK") || refuse(s, what, err);
}

gboolean imap_ask(imap_session *s, const char *command,
		  const struct imap_reply *reply, const char *what,
		  GError **err)
{
	enum imap_end end;

	if (!imap_send(s, command, reply, err) ||
	    !imap_stream_answer(s->stream, &end, err))
		return FALSE;
	if (end == IMAP_END_ASKED)
		return fail(s, NET_ERROR_REPLY, what,
			    "the server answers with a question", err);
	return imap_is_ok(s, what, err);
}

char *imap_quote(const char *text, GError **err)
{
	GString *out = g_string_new("\"");

	for (const char *p = text; *p; p++) {
		if (g_ascii_iscntrl(*p)) {
			g_string_free(out, TRUE);
			g_set_error_literal(err, NET_ERROR, NET_ERROR_REPLY,
					    "control characters can't be sent "
					    "to an IMAP server");
			return NULL;
		}
		if (*p == '"' || *p == '\\')
			g_string_append_c(out, '\\');
		g_string_append_c(out, *p);
	}
	g_string_append_c(out, '"');
	return g_string_free(out, FALSE);
}

/* ---- what it can do */

static gboolean on_capability(const char *line, GPtrArray *literals, void *data)
{
	static const char head[] = "* CAPABILITY ";
	imap_session *s = data;
	g_auto(GStrv) words = NULL;

	if (g_ascii_strncasecmp(line, head, strlen(head)) != 0)
		return TRUE;
	words = g_strsplit(line + strlen(head), " ", MAX_WORDS);
	for (guint i = 0; words[i]; i++)
		g_hash_table_add(s->can, g_ascii_strup(words[i], -1));
	return TRUE;
}

static gboolean ask_capabilities(imap_session *s, GError **err)
{
	const struct imap_reply reply = {.line = on_capability, .data = s};

	g_hash_table_remove_all(s->can);
	return imap_ask(s, "CAPABILITY", &reply,
			"it does not say what it can do", err);
}

gboolean imap_session_can(const imap_session *s, const char *word)
{
	return g_hash_table_contains(s->can, word);
}

gboolean imap_session_is_guest(const imap_session *s)
{
	return s->guest;
}

/* ---- coming and going */

static gboolean on_greeting(const char *line, GPtrArray *literals, void *data)
{
	char **greeting = data;

	if (!*greeting)
		*greeting = g_strdup(line);
	return TRUE;
}

/* `*known`: we are logged in by being who we are. */
static gboolean greet(imap_session *s, gboolean *known, GError **err)
{
	g_autofree char *said = NULL;
	const struct imap_reply reply = {.line = on_greeting, .data = &said};
	enum imap_end end = IMAP_END_NOT;

	imap_stream_begin(s->stream, &reply);
	while (!said && end == IMAP_END_NOT)
		if (!imap_stream_hear(s->stream, &end, err))
			return FALSE;
	imap_stream_begin(s->stream, NULL);
	*known = said && is_said(said, "* PREAUTH");
	return *known || (said && is_said(said, "* OK")) ||
	       fail(s, NET_ERROR_REPLY,
		    "its greeting is none of an IMAP server", "", err);
}

static gboolean set_up(imap_session *s, const struct remote *r,
		       GCancellable *cancel, GError **err)
{
	gboolean known;

	if (!greet(s, &known, err) || !ask_capabilities(s, err))
		return FALSE;
	if (known)
		return TRUE;
	if (!imap_login(s, r, cancel, err))
		return FALSE;
	return ask_capabilities(s, err);
}

imap_session *imap_session_open(const struct remote *r, GCancellable *cancel,
				GError **err)
{
	g_autoptr(imap_session) s = NULL;
	tls_stream *tls = tls_stream_open(r->server, cancel, err);

	if (!tls)
		return NULL;
	s = g_new0(imap_session, 1);
	s->stream = imap_stream_new(tls);
	s->can = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	s->guest = !r->user;
	return set_up(s, r, cancel, err) ? g_steal_pointer(&s) : NULL;
}

void imap_session_close(imap_session *s)
{
	if (!s)
		return;
	if (s->idle)
		imap_stream_send(s->stream, "DONE\r\n", NULL);
	imap_send(s, "LOGOUT", NULL, NULL);
	imap_stream_free(s->stream);
	g_hash_table_unref(s->can);
	g_free(s);
}
