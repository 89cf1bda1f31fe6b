/* nntp_login.c - AUTHINFO USER and PASS
 * The password is loaded when the server asks for it, and wiped. */
#include "bot/nntp_login.h"

#include <string.h>

#include "mail/nntp_text.h"

#include "bot/secret.h"

#define GOOD 281
#define MORE 381 /* the password, please */

gboolean nntp_login_check(const struct remote *r, GError **err)
{
	const struct endpoint *e = r->server;

	if (!r->user)
		return TRUE;
	if (e->plain && (!endpoint_is_near(e->host) || e->proxy)) {
		g_set_error(err, NET_ERROR, NET_ERROR_PLAIN,
			    "%s:%u: a password is not sent without TLS; set "
			    "server=nntps://%s",
			    e->host, e->port, e->host);
		return FALSE;
	}
	if (nntp_is_name(r->user, strlen(r->user)))
		return TRUE;
	g_set_error(err, NET_ERROR, NET_ERROR_SECRET,
		    "%s:%u: the user name has a blank or control character, "
		    "or is too long",
		    e->host, e->port);
	return FALSE;
}

/* "AUTHINFO VERB WORD"; wiped once it is sent. */
static gboolean say(nntp_session *s, const char *verb, const char *word,
		    guint *code, const char **text, GError **err)
{
	gsize size = strlen("AUTHINFO ") + strlen(verb) + 1 + strlen(word) + 3;
	g_autofree char *line = g_malloc(size);
	gsize len =
		(gsize)g_snprintf(line, size, "AUTHINFO %s %s\r\n", verb, word);
	gboolean sent = nntp_session_send(s, line, len, err);

	explicit_bzero(line, size);
	return sent && nntp_session_reply(s, code, text, err);
}

static gboolean send_password(nntp_session *s, const struct remote *r,
			      GCancellable *cancel, guint *code,
			      const char **text, GError **err)
{
	g_autoptr(secret) word =
		secret_load(r->password_file, r->password_command, cancel, err);

	if (!word)
		return FALSE;
	if (nntp_is_name(secret_text(word), strlen(secret_text(word))))
		return say(s, "PASS", secret_text(word), code, text, err);
	g_set_error(err, NET_ERROR, NET_ERROR_SECRET,
		    "%s: the password has a blank or control character, or is "
		    "too long for a news server",
		    nntp_session_name(s));
	return FALSE;
}

gboolean nntp_login(nntp_session *s, const struct remote *r,
		    GCancellable *cancel, GError **err)
{
	const char *text;
	guint code;

	if (!say(s, "USER", r->user, &code, &text, err))
		return FALSE;
	if (code == MORE && !send_password(s, r, cancel, &code, &text, err))
		return FALSE;
	/* what it says may repeat what it was told */
	return code == GOOD || nntp_session_refused(s, "login", code, "", err);
}
