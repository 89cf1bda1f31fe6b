/* imap_login.c - telling an IMAP server who we are
 * The secret goes out once the server can be trusted, which is so since
 * bot/tls_stream opened the connection, and into nothing else: whatever a
 * server answers is shown only if the secret is not in it. */
#include <string.h>

#include "bot/imap_priv.h"
#include "bot/secret.h"

#define MAX_TURNS 3 /* of questions in a login */
#define MIN_PIECE 8 /* characters of a secret that tell something of it */

/* Gone from memory with its last use. */
static void wipe(char *text)
{
	if (text)
		explicit_bzero(text, strlen(text));
	g_free(text);
}
typedef char wiped;
G_DEFINE_AUTOPTR_CLEANUP_FUNC(wiped, wipe)

/* An XOAUTH2 server tells why in base64. */
static char *decode_reason(const char *status)
{
	g_autofree char *text = g_strdup(status);
	g_autofree guchar *bytes = NULL;
	g_autofree char *plain = NULL;
	gsize len;

	text[strlen(text) & ~(gsize)3] = '\0';
	bytes = g_base64_decode(text, &len);
	plain = g_strndup((const char *)bytes, len);
	return imap_guard_printable(plain);
}

/* libetpan keeps what it sent until it sends something else. */
static void forget(imap_session *s)
{
	mailstream *m = s->etpan->imap_stream;

	if (m)
		explicit_bzero(m->write_buffer, m->buffer_max_size);
}

/* libetpan leaves AUTHENTICATE to Cyrus SASL, which knows no XOAUTH2 and needs
 * modules: the tag is libetpan's, the rest is said here. */
static gboolean send_command(imap_session *s, const char *command, GError **err)
{
	gboolean ok;

	imap_begin(s, NULL);
	ok = mailimap_send_current_tag(s->etpan) == MAILIMAP_NO_ERROR &&
	     mailstream_flush(s->etpan->imap_stream) == 0;
	if (!ok)
		return imap_check(s, MAILIMAP_ERROR_STREAM, "", err);
	return imap_stream_send(s->stream, command, err);
}

/* The mechanism's one answer, and empty ones to what else is asked. */
static gboolean talk(imap_session *s, const char *mechanism,
		     const char *response, char **reason, GError **err)
{
	gboolean early = imap_session_can(s, "SASL-IR");
	g_autoptr(wiped) command =
		g_strconcat("AUTHENTICATE ", mechanism, early ? " " : "",
			    early ? response : "", "\r\n", NULL);
	g_autoptr(wiped) line = g_strconcat(response, "\r\n", NULL);
	enum imap_end end = IMAP_END_NOT;

	if (!send_command(s, command, err) ||
	    !imap_stream_answer(s->stream, &end, err))
		return FALSE;
	if (!early && end == IMAP_END_ASKED &&
	    (!imap_stream_send(s->stream, line, err) ||
	     !imap_stream_answer(s->stream, &end, err)))
		return FALSE;
	for (guint i = 0; i < MAX_TURNS && end == IMAP_END_ASKED; i++) {
		g_free(*reason);
		*reason = decode_reason(imap_stream_guard(s->stream)->status);
		if (!imap_stream_send(s->stream, "\r\n", err) ||
		    !imap_stream_answer(s->stream, &end, err))
			return FALSE;
	}
	return imap_check(s, MAILIMAP_NO_ERROR, "the login was refused", err);
}

/* Does `text` hold `word`, or a piece of it worth having? */
static gboolean shares(const char *text, const char *word)
{
	gsize piece = MIN(strlen(word), MIN_PIECE);
	char window[MIN_PIECE + 1];

	for (gsize i = 0; i + piece <= strlen(text); i++) {
		g_strlcpy(window, text + i, piece + 1);
		if (strstr(word, window))
			return TRUE;
	}
	return FALSE;
}

/* Whoever repeats a secret must not make us print it. */
static void hide(const imap_session *s, const char *word, GError **err)
{
	if (!err || !*err || !shares((*err)->message, word))
		return;
	g_free((*err)->message);
	(*err)->message = g_strdup_printf(
		"%s: the login was refused; the server's answer repeats the "
		"secret and is not shown",
		imap_stream_name(s->stream));
}

static gboolean authenticate(imap_session *s, const char *mechanism,
			     const char *bytes, gsize len, GError **err)
{
	g_autoptr(wiped) response = g_base64_encode((const guchar *)bytes, len);
	g_autofree char *reason = NULL, *more = NULL;

	if (talk(s, mechanism, response, &reason, err))
		return TRUE;
	if (err && *err && reason && *reason) {
		more = (*err)->message;
		(*err)->message = g_strdup_printf("%s (%s)", more, reason);
	}
	hide(s, response, err);
	return FALSE;
}

static gboolean log_in(imap_session *s, const char *user, const char *password,
		       GError **err)
{
	int rc;

	if (!imap_can_send(user, err) || !imap_can_send(password, err))
		return FALSE;
	imap_begin(s, NULL);
	rc = mailimap_login(s->etpan, user, password);
	forget(s);
	return imap_check(s, rc, "the login was refused", err);
}

static gboolean refuse(const imap_session *s, const char *why, GError **err)
{
	g_set_error(err, NET_ERROR, NET_ERROR_REFUSED, "%s: %s",
		    imap_stream_name(s->stream), why);
	return FALSE;
}

static gboolean use_plain(imap_session *s, const char *user,
			  const char *password, GError **err)
{
	gsize first = strlen(user), second = strlen(password);
	gsize len = first + second + 2;
	g_autofree char *bytes = g_malloc0(len + 1);
	gboolean ok;

	memcpy(bytes + 1, user, first);
	memcpy(bytes + first + 2, password, second);
	ok = authenticate(s, "PLAIN", bytes, len, err);
	explicit_bzero(bytes, len);
	return ok;
}

static gboolean use_password(imap_session *s, const char *user,
			     const char *password, GError **err)
{
	if (imap_session_can(s, "AUTH=PLAIN"))
		return use_plain(s, user, password, err);
	if (imap_session_can(s, "LOGINDISABLED"))
		return refuse(s,
			      "takes no password here (LOGINDISABLED, no "
			      "AUTH=PLAIN); use TLS or auth=xoauth2",
			      err);
	return log_in(s, user, password, err);
}

static gboolean use_token(imap_session *s, const char *user, const char *token,
			  GError **err)
{
	g_autoptr(wiped) bytes = NULL;

	if (!imap_session_can(s, "AUTH=XOAUTH2"))
		return refuse(s, "takes no token (no AUTH=XOAUTH2)", err);
	bytes = g_strconcat("user=", user, "\001auth=Bearer ", token,
			    "\001\001", NULL);
	return authenticate(s, "XOAUTH2", bytes, strlen(bytes), err);
}

/* public-inbox, and what else lets everybody in. */
static gboolean use_nothing(imap_session *s, GError **err)
{
	static const char guest[] = "anonymous";

	if (!imap_session_can(s, "AUTH=ANONYMOUS"))
		return refuse(s, "lets nobody in without a login; set user",
			      err);
	if (imap_session_can(s, "LOGINDISABLED"))
		return authenticate(s, "ANONYMOUS", guest, strlen(guest), err);
	return log_in(s, guest, guest, err);
}

gboolean imap_login(imap_session *s, const struct remote *r,
		    GCancellable *cancel, GError **err)
{
	g_autoptr(GError) why = NULL;
	g_autoptr(secret) word = NULL;
	gboolean ok;

	if (!r->user)
		return use_nothing(s, err);
	word = secret_load(r->password_file, r->password_command, cancel, err);
	if (!word)
		return FALSE;
	ok = r->auth == REMOTE_XOAUTH2
		     ? use_token(s, r->user, secret_text(word), &why)
		     : use_password(s, r->user, secret_text(word), &why);
	if (ok)
		return TRUE;
	hide(s, secret_text(word), &why);
	g_propagate_error(err, g_steal_pointer(&why));
	return FALSE;
}
