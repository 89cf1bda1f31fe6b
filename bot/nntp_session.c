/* nntp_session.c - one connection to a news server */
#include "bot/nntp_session.h"

#include <string.h>

#include "mail/nntp_text.h"

#include "bot/nntp_deflate.h"
#include "bot/nntp_login.h"
#include "bot/plain_text.h"
#include "bot/tls_stream.h"

#define BUFFER	     (64 * 1024)
#define MAX_SHOWN    160	 /* bytes of what a server says, in an error */
#define MAX_FEATURES 200	 /* lines of CAPABILITIES */
#define LONG_LINE    (10 * 1000) /* microseconds that an answer takes */

struct nntp_session {
	const struct remote *r;
	tls_stream *tls;
	nntp_deflate *packed; /* NULL: as it is */
	char buffer[BUFFER];
	gsize at, len; /* what is not taken yet */
	GString *line;
	struct nntp_block block;
};

const char *nntp_session_name(const nntp_session *s)
{
	return tls_stream_name(s->tls);
}

/* ---- errors */

static const struct {
	guint code;
	enum net_error error;
	const char *text;
} meanings[] = {
	{400, NET_ERROR_CLOSED, "the server can't serve now"},
	{401, NET_ERROR_REPLY, "the server wants to be in another mode"},
	{403, NET_ERROR_REPLY, "the server has a fault"},
	{411, NET_ERROR_REFUSED, "there is no such group"},
	{480, NET_ERROR_REFUSED,
	 "the server wants a login; set user and password-file"},
	{481, NET_ERROR_REFUSED, "user or password are wrong"},
	{482, NET_ERROR_REFUSED, "the server does not log in this way"},
	{483, NET_ERROR_REFUSED, "the server wants TLS; set server=nntps://"},
	{500, NET_ERROR_REPLY, "the server does not know it"},
	{501, NET_ERROR_REPLY, "the server does not understand it"},
	{502, NET_ERROR_REFUSED, "the server does not permit it"},
	{503, NET_ERROR_REPLY, "the server can't do it"},
};

gboolean nntp_session_refused(const nntp_session *s, const char *what,
			      guint code, const char *text, GError **err)
{
	g_autofree char *valid = g_strndup(text, MAX_SHOWN);
	const char *why = "the server's answer makes no sense";
	enum net_error error = NET_ERROR_REPLY;

	for (guint i = 0; i < G_N_ELEMENTS(meanings); i++)
		if (meanings[i].code == code) {
			error = meanings[i].error;
			why = meanings[i].text;
		}
	g_set_error(err, NET_ERROR, (int)error, "%s: %s: %s (%u%s%s)",
		    nntp_session_name(s), what, why, code, *valid ? " " : "",
		    plain_text(valid));
	return FALSE;
}

static gboolean nonsense(const nntp_session *s, const char *what, GError **err)
{
	g_set_error(err, NET_ERROR, NET_ERROR_REPLY,
		    "%s: %s, which no news server says", nntp_session_name(s),
		    what);
	return FALSE;
}

/* ---- bytes */

gboolean nntp_session_send(nntp_session *s, const char *commands, gsize len,
			   GError **err)
{
	tls_stream_begin(s->tls);
	return s->packed ? nntp_deflate_write(s->packed, commands, len, err)
			 : tls_stream_write(s->tls, commands, len, err);
}

/* Something in the buffer. */
static gboolean fill(nntp_session *s, GError **err)
{
	gssize got;

	if (s->at < s->len)
		return TRUE;
	got = s->packed ? nntp_deflate_read(s->packed, s->buffer, BUFFER, err)
			: tls_stream_read(s->tls, s->buffer, BUFFER, err);
	s->at = 0;
	s->len = got > 0 ? (gsize)got : 0;
	if (got == 0)
		g_set_error(err, NET_ERROR, NET_ERROR_CLOSED,
			    "%s: the server hung up in the middle of an answer",
			    nntp_session_name(s));
	return got > 0;
}

gboolean nntp_session_reply(nntp_session *s, guint *code, const char **text,
			    GError **err)
{
	const char *lf = NULL;

	g_string_truncate(s->line, 0);
	while (!lf) {
		const char *from;
		gsize n;

		if (!fill(s, err))
			return FALSE;
		from = s->buffer + s->at;
		lf = memchr(from, '\n', s->len - s->at);
		n = lf ? (gsize)(lf - from) + 1 : s->len - s->at;
		g_string_append_len(s->line, from, (gssize)n);
		s->at += n;
		if (s->line->len > NNTP_MAX_LINE)
			return nonsense(s, "a reply without an end", err);
	}
	g_string_truncate(s->line, s->line->len - 1);
	if (g_str_has_suffix(s->line->str, "\r"))
		g_string_truncate(s->line, s->line->len - 1);
	if (memchr(s->line->str, '\0', s->line->len) ||
	    !nntp_reply(s->line->str, code, text))
		return nonsense(s, "a reply without a code", err);
	s->block = (struct nntp_block){0};
	return TRUE;
}

gboolean nntp_session_block(nntp_session *s, GString *out, gboolean *end,
			    GError **err)
{
	gsize had = out->len;

	do {
		if (!fill(s, err))
			return FALSE;
		s->at += nntp_block_take(&s->block, s->buffer + s->at,
					 s->len - s->at, out, end);
	} while (!*end && out->len == had);
	return TRUE;
}

/* ---- lines */

/* Whole lines of `buf` to `fn`, the rest to its beginning. `*skip`: the rest
 * of a line that was too long. */
static gboolean give_lines(GString *buf, gboolean *skip, guint *left,
			   nntp_line_fn fn, void *data, GError **err)
{
	const char *p = buf->str, *end = buf->str + buf->len, *lf;

	while (*left && (lf = memchr(p, '\n', (gsize)(end - p)))) {
		gsize len = MIN((gsize)(lf - p), NNTP_MAX_LINE);

		if (!*skip && !fn(p, len, data, err))
			return FALSE;
		*skip = FALSE;
		(*left)--;
		p = lf + 1;
	}
	g_string_erase(buf, 0, p - buf->str);
	if (buf->len <= NNTP_MAX_LINE)
		return TRUE;
	if (!*skip && !fn(buf->str, NNTP_MAX_LINE, data, err))
		return FALSE;
	*skip = TRUE;
	g_string_truncate(buf, 0);
	return TRUE;
}

gboolean nntp_session_lines(nntp_session *s, guint max, nntp_line_fn fn,
			    void *data, GError **err)
{
	g_autoptr(GString) buf = g_string_new(NULL);
	gboolean end = FALSE, skip = FALSE;
	guint left = max;

	while (!end) {
		if (!nntp_session_block(s, buf, &end, err) ||
		    !give_lines(buf, &skip, &left, fn, data, err))
			return FALSE;
		if (left > 0)
			continue;
		g_set_error(err, NET_ERROR, NET_ERROR_LIMIT,
			    "%s: a list of more than %u lines",
			    nntp_session_name(s), max);
		return FALSE;
	}
	return TRUE;
}

/* ---- the beginning */

struct features {
	gboolean told;
	gboolean mode_reader; /* MODE READER is needed */
	gboolean packs;	      /* COMPRESS DEFLATE is known */
	gint64 took;	      /* microseconds until it was told */
};

static gboolean is_word(const char *word, const char *line, gsize len)
{
	return len == strlen(word) && g_ascii_strncasecmp(line, word, len) == 0;
}

static gboolean on_feature(const char *line, gsize len, void *data,
			   GError **err)
{
	struct features *f = data;

	f->mode_reader |= is_word("MODE-READER", line, len);
	f->packs |= is_word("COMPRESS DEFLATE", line, len);
	return TRUE;
}

static gboolean ask(nntp_session *s, const char *command, guint *code,
		    const char **text, GError **err)
{
	return nntp_session_send(s, command, strlen(command), err) &&
	       nntp_session_reply(s, code, text, err);
}

static gboolean greeted(nntp_session *s, GError **err)
{
	const char *text;
	guint code;

	tls_stream_begin(s->tls);
	if (!nntp_session_reply(s, &code, &text, err))
		return FALSE;
	return code == 200 || code == 201 ||
	       nntp_session_refused(s, "greeting", code, text, err);
}

/* Servers before 2006 have no CAPABILITIES, and may need MODE READER. */
static gboolean learn(nntp_session *s, struct features *f, GError **err)
{
	gint64 then = g_get_monotonic_time();
	const char *text;
	guint code;

	if (!ask(s, "CAPABILITIES\r\n", &code, &text, err))
		return FALSE;
	f->took = g_get_monotonic_time() - then;
	f->told = code == 101;
	f->mode_reader = !f->told;
	if (code == 400)
		return nntp_session_refused(s, "CAPABILITIES", code, text, err);
	return !f->told ||
	       nntp_session_lines(s, MAX_FEATURES, on_feature, f, err);
}

/* Sent alone: some servers hand the connection to another program, and what
 * was sent behind it is lost. */
static gboolean be_reader(nntp_session *s, GError **err)
{
	const char *text;
	guint code;

	if (!ask(s, "MODE READER\r\n", &code, &text, err))
		return FALSE;
	/* 480: after the login, then */
	return code == 200 || code == 201 || code == 480 || code == 500 ||
	       code == 501 ||
	       nntp_session_refused(s, "MODE READER", code, text, err);
}

/* Unpacking costs more than it saves where the server is near. */
static gboolean pack(nntp_session *s, GError **err)
{
	const char *text;
	guint code;

	if (!ask(s, "COMPRESS DEFLATE\r\n", &code, &text, err))
		return FALSE;
	if (code == 403 || code == 502)
		return TRUE;
	if (code != 206)
		return nntp_session_refused(s, "COMPRESS", code, text, err);
	if (s->at < s->len)
		return nonsense(s, "something behind the last plain line", err);
	s->packed = nntp_deflate_new(s->tls);
	return TRUE;
}

static gboolean begin(nntp_session *s, GCancellable *cancel, GError **err)
{
	struct features f = {0};

	return greeted(s, err) && learn(s, &f, err) &&
	       (!f.mode_reader || be_reader(s, err)) &&
	       (!s->r->user || nntp_login(s, s->r, cancel, err)) &&
	       (!f.packs || f.took < LONG_LINE || pack(s, err));
}

nntp_session *nntp_session_open(const struct remote *r, GCancellable *cancel,
				GError **err)
{
	tls_stream *tls = NULL;
	nntp_session *s;

	if (!nntp_login_check(r, err))
		return NULL;
	tls = tls_stream_open(r->server, cancel, err);
	if (!tls)
		return NULL;
	s = g_new0(nntp_session, 1);
	s->r = r;
	s->tls = tls;
	s->line = g_string_new(NULL);
	if (begin(s, cancel, err))
		return s;
	nntp_session_close(s);
	return NULL;
}

void nntp_session_quit(nntp_session *s)
{
	nntp_session_send(s, "QUIT\r\n", strlen("QUIT\r\n"), NULL);
}

void nntp_session_close(nntp_session *s)
{
	if (!s)
		return;
	nntp_deflate_free(s->packed);
	tls_stream_close(s->tls);
	g_string_free(s->line, TRUE);
	g_free(s);
}
