/* imap_session.c - connected to an IMAP server: greeting, capabilities,
 * commands, and what became of them */
#include "bot/imap_session.h"

#include <string.h>

#include "bot/imap_priv.h"
#include "bot/imap_text.h"

static gboolean fail(const imap_session *s, enum net_error code,
		     const char *what, const char *why, GError **err)
{
	g_set_error(err, NET_ERROR, (int)code, "%s: %s%s%s",
		    imap_stream_name(s->stream), what, *why ? ": " : "", why);
	return FALSE;
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

static gboolean is_success(int rc)
{
	return rc == MAILIMAP_NO_ERROR ||
	       rc == MAILIMAP_NO_ERROR_AUTHENTICATED ||
	       rc == MAILIMAP_NO_ERROR_NON_AUTHENTICATED;
}

gboolean imap_is_refused(imap_session *s)
{
	const char *status = imap_stream_guard(s->stream)->status;

	return !imap_stream_error(s->stream) && status &&
	       (imap_text_is(status, "NO") || imap_text_is(status, "BAD"));
}

static gboolean refuse(imap_session *s, const char *what, GError **err)
{
	const char *status = imap_stream_guard(s->stream)->status;

	if (status && imap_text_is(status, "NO"))
		return fail(s,
			    is_passing(status) ? NET_ERROR_REPLY
					       : NET_ERROR_REFUSED,
			    what, status, err);
	if (status && imap_text_is(status, "BAD"))
		return fail(s, NET_ERROR_REPLY, what, status, err);
	return fail(s, NET_ERROR_REPLY, what,
		    "the server's answer is not what IMAP knows", err);
}

struct imap_said *imap_begin(imap_session *s, const struct imap_reply *reply)
{
	struct imap_said *said = imap_stream_begin(s->stream, reply);

	said->tag = s->etpan->imap_tag + 1;
	return said;
}

/* What the server said comes before what libetpan made of it. */
gboolean imap_check(imap_session *s, int rc, const char *what, GError **err)
{
	const struct imap_guard *g = imap_stream_guard(s->stream);
	const GError *e = imap_stream_error(s->stream);
	char tag[16];

	if (e) {
		if (err)
			*err = g_error_copy(e);
		return FALSE;
	}
	g_snprintf(tag, sizeof(tag), "%d", s->etpan->imap_tag);
	if (g->ended == IMAP_END_ASKED)
		return fail(s, NET_ERROR_REPLY, what,
			    "the server answers with a question", err);
	if (!g_str_equal(g->tag, tag))
		return fail(s, NET_ERROR_REPLY, what,
			    "the server answers what was not asked", err);
	return (is_success(rc) && g->status && imap_text_is(g->status, "OK")) ||
	       refuse(s, what, err);
}

gboolean imap_can_send(const char *text, GError **err)
{
	for (const char *p = text; *p; p++) {
		if (!g_ascii_iscntrl(*p))
			continue;
		g_set_error_literal(err, NET_ERROR, NET_ERROR_REPLY,
				    "control characters can't be sent to an "
				    "IMAP server");
		return FALSE;
	}
	return TRUE;
}

/* ---- what it can do */

static void note_word(imap_session *s, const struct mailimap_capability *c)
{
	gboolean auth = c->cap_type == MAILIMAP_CAPABILITY_AUTH_TYPE;
	g_autofree char *word = g_strconcat(auth ? "AUTH=" : "",
					    auth ? c->cap_data.cap_auth_type
						 : c->cap_data.cap_name,
					    NULL);

	g_hash_table_add(s->can, g_ascii_strup(word, -1));
}

/* libetpan can't do without an answer: there is always one. */
static gboolean ask_capabilities(imap_session *s, GError **err)
{
	static const struct imap_reply reply = {.line = imap_say_capability};
	struct mailimap_capability_data *data = NULL;
	struct imap_said *said = imap_begin(s, &reply);
	int rc;

	imap_say_capability("* CAPABILITY", NULL, said);
	rc = mailimap_capability(s->etpan, &data);
	g_hash_table_remove_all(s->can);
	for (clistiter *i = data ? clist_begin(data->cap_list) : NULL; i;
	     i = clist_next(i))
		note_word(s, clist_content(i));
	if (data)
		mailimap_capability_data_free(data);
	return imap_check(s, rc, "it does not say what it can do", err);
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

/* `*known`: we are logged in by being who we are. */
static gboolean greet(imap_session *s, gboolean *known, GError **err)
{
	static const struct imap_reply reply = {.line = imap_say_greeting};
	int rc;

	imap_stream_begin(s->stream, &reply);
	rc = mailimap_connect(s->etpan, imap_stream_driver(s->stream));
	*known = rc == MAILIMAP_NO_ERROR_AUTHENTICATED;
	if (imap_stream_error(s->stream))
		return imap_check(s, rc, "", err);
	return is_success(rc) ||
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
	s->etpan->imap_state = MAILIMAP_STATE_AUTHENTICATED;
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
	s->etpan = mailimap_new(0, NULL);
	s->can = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	s->guest = !r->user;
	return set_up(s, r, cancel, err) ? g_steal_pointer(&s) : NULL;
}

void imap_session_close(imap_session *s)
{
	if (!s)
		return;
	imap_stream_deaf(s->stream);
	if (s->idle)
		mailimap_idle_done(s->etpan);
	if (s->etpan->imap_stream)
		mailimap_logout(s->etpan);
	mailimap_free(s->etpan);
	imap_stream_free(s->stream);
	g_hash_table_unref(s->can);
	g_free(s);
}
