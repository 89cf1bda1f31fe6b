/* imap_guard.c - what an IMAP server says, cut into lines, within bounds */
#include "bot/imap_guard.h"

#include <string.h>

#define MAX_TEXT 400
#define BODY	 0x424f44595b5d20ULL   /* "BODY[] " */
#define SEVEN	 0x00ffffffffffffffULL /* bytes of it */

enum { BRACE_NONE, BRACE_OPEN, BRACE_DIGITS, BRACE_CLOSED, BRACE_CR };

static void literal_free(gpointer data)
{
	if (data)
		g_byte_array_unref(data);
}

void imap_guard_init(struct imap_guard *g)
{
	memset(g, 0, sizeof(*g));
	g->text = g_string_new(NULL);
	g->literals = g_ptr_array_new_with_free_func(literal_free);
}

void imap_guard_clear(struct imap_guard *g)
{
	g_clear_pointer(&g->status, g_free);
	g_string_free(g->text, TRUE);
	g_ptr_array_unref(g->literals);
}

void imap_guard_begin(struct imap_guard *g, const struct imap_reply *reply)
{
	static const struct imap_reply nothing;

	g->reply = reply ? *reply : nothing;
	g->lines = 0;
	g->bodies = 0;
	g_clear_pointer(&g->status, g_free);
}

char *imap_guard_printable(const char *text)
{
	g_autofree char *valid = g_utf8_make_valid(text, -1);
	GString *out = g_string_new(NULL);

	for (const char *p = g_strchug(valid); *p && out->len < MAX_TEXT;
	     p = g_utf8_next_char(p)) {
		gunichar c = g_utf8_get_char(p);

		if (g_unichar_isprint(c))
			g_string_append_unichar(out, c);
		else if (out->len > 0)
			g_string_append_c(out, ' ');
	}
	return g_strchomp(g_string_free(out, FALSE));
}

static gboolean fail(GError **err, enum net_error code, const char *format, ...)
	G_GNUC_PRINTF(3, 4);

static gboolean fail(GError **err, enum net_error code, const char *format, ...)
{
	g_autofree char *text = NULL;
	va_list args;

	va_start(args, format);
	text = g_strdup_vprintf(format, args);
	va_end(args);
	g_set_error_literal(err, NET_ERROR, (int)code, text);
	return FALSE;
}

/* ---- what kind of line this is */

static gboolean begins(const struct imap_guard *g, const char *words)
{
	return g_ascii_strncasecmp(g->head, words, strlen(words)) == 0;
}

static gboolean is_untagged(const struct imap_guard *g)
{
	return g->head_len >= 2 && g->head[0] == '*' && g->head[1] == ' ';
}

/* Written for people: whatever it looks like, no literal is in it. */
static gboolean is_text(const struct imap_guard *g)
{
	return !is_untagged(g) || begins(g, "* OK") || begins(g, "* NO") ||
	       begins(g, "* BAD") || begins(g, "* BYE") ||
	       begins(g, "* PREAUTH");
}

/* "* 23 EXISTS" */
static gboolean is_exists(const struct imap_guard *g)
{
	guint i = 2;

	if (!is_untagged(g))
		return FALSE;
	while (g_ascii_isdigit(g->head[i]))
		i++;
	return i > 2 && g_ascii_strncasecmp(g->head + i, " EXISTS", 7) == 0;
}

/* ---- bytes of a line */

static void watch_brace(struct imap_guard *g, char c)
{
	if (c == '{') {
		g->brace = BRACE_OPEN;
		g->announced = 0;
		g->body = (g->recent & SEVEN) == BODY;
	} else if (g_ascii_isdigit(c) &&
		   (g->brace == BRACE_OPEN || g->brace == BRACE_DIGITS)) {
		g->brace = BRACE_DIGITS;
		if (g->announced < G_MAXINT64 / 10 - 10)
			g->announced = g->announced * 10 + (guint64)(c - '0');
	} else if (c == '}' && g->brace == BRACE_DIGITS) {
		g->brace = BRACE_CLOSED;
	} else if (c == '\r' && g->brace == BRACE_CLOSED) {
		g->brace = BRACE_CR;
	} else {
		g->brace = BRACE_NONE;
	}
}

static gboolean watch_length(struct imap_guard *g, GError **err)
{
	if (++g->lines > IMAP_MAX_ANSWER)
		return fail(err, NET_ERROR_LIMIT,
			    "the server answers with more than %d MiB of lines",
			    IMAP_MAX_ANSWER / 1024 / 1024);
	if (++g->line > IMAP_MAX_LINE && !begins(g, "* SEARCH"))
		return fail(err, NET_ERROR_LIMIT,
			    "the server sends a line of more than %d KiB",
			    IMAP_MAX_LINE / 1024);
	return TRUE;
}

static gboolean watch_byte(struct imap_guard *g, char c, GError **err)
{
	if (c == '\0')
		return fail(err, NET_ERROR_REPLY,
			    "the server sends a NUL byte in a line");
	if (g->head_len < IMAP_GUARD_HEAD) {
		g->head[g->head_len++] = c;
		g->head[g->head_len] = '\0';
	}
	if (g->reply.line)
		g_string_append_c(g->text, c);
	if (!watch_length(g, err))
		return FALSE;
	watch_brace(g, c);
	g->recent = g->recent << 8 | (guint8)g_ascii_toupper(c);
	return TRUE;
}

/* ---- ends of lines */

static gboolean begin_literal(struct imap_guard *g, GError **err)
{
	guint64 most = g->body ? g->reply.max_body : IMAP_MAX_LITERAL;

	if (g->announced > most)
		return fail(err, NET_ERROR_LIMIT,
			    "the server announces %" G_GUINT64_FORMAT
			    " bytes at once, where at most %" G_GUINT64_FORMAT
			    " can be",
			    g->announced, most);
	*(g->body ? &g->bodies : &g->lines) += g->announced;
	if (g->bodies > g->reply.max_bodies)
		return fail(err, NET_ERROR_LIMIT,
			    "the server sends more than the sizes it told of");
	g->brace = BRACE_NONE;
	g->literal = g->announced;
	if (g->reply.line) {
		gboolean kept = !g->body || g->announced <= g->reply.keep;

		g_string_append_c(g->text, '\n');
		g_ptr_array_add(g->literals, kept ? g_byte_array_new() : NULL);
	}
	return TRUE;
}

static void note_status(struct imap_guard *g)
{
	gsize tag = strcspn(g->head, " \r\n");

	g_free(g->status);
	g->status = imap_guard_printable(g->head + tag);
	g->head[tag] = '\0';
	g_strlcpy(g->tag, g->head, sizeof(g->tag));
	g->ended = g_str_equal(g->tag, "+") ? IMAP_END_ASKED : IMAP_END_DONE;
}

static gboolean hand_over(struct imap_guard *g, GError **err)
{
	gsize len = g->text->len;

	if (len > 0 && g->text->str[len - 1] == '\r')
		g_string_truncate(g->text, len - 1);
	return !g->reply.line ||
	       g->reply.line(g->text->str, g->literals, g->reply.data) ||
	       fail(err, NET_ERROR_REPLY,
		    "the server's answer is not what IMAP knows");
}

static gboolean end_line(struct imap_guard *g, GError **err)
{

	if (begins(g, "* BYE")) {
		g_autofree char *text = imap_guard_printable(g->head + 5);

		return fail(err, NET_ERROR_CLOSED,
			    "the server said goodbye: %s", text);
	}
	if (is_exists(g))
		g->news = TRUE;
	if (!is_untagged(g))
		note_status(g);
	else if (!hand_over(g, err))
		return FALSE;
	g_string_truncate(g->text, 0);
	g_ptr_array_set_size(g->literals, 0);
	g->head_len = 0;
	g->head[0] = '\0';
	g->line = 0;
	g->recent = 0;
	return TRUE;
}

static gboolean pass_byte(struct imap_guard *g, char c, GError **err)
{
	g->ended = IMAP_END_NOT;
	if (c != '\n')
		return watch_byte(g, c, err);
	if (g->brace >= BRACE_CLOSED && !is_text(g))
		return begin_literal(g, err);
	g->brace = BRACE_NONE;
	return end_line(g, err);
}

static void take_literal(struct imap_guard *g, const char *bytes, gsize n)
{
	GByteArray *into = NULL;

	if (g->literals->len > 0)
		into = g->literals->pdata[g->literals->len - 1];
	if (into)
		g_byte_array_append(into, (const guint8 *)bytes, (guint)n);
	g->literal -= n;
}

gssize imap_guard_pass(struct imap_guard *g, const char *bytes, gsize len,
		       GError **err)
{
	gsize i = 0;

	while (i < len) {
		if (g->literal > 0) {
			gsize n = MIN(g->literal, len - i);

			take_literal(g, bytes + i, n);
			i += n;
			continue;
		}
		if (!pass_byte(g, bytes[i++], err))
			return -1;
		if (g->ended)
			break;
	}
	return (gssize)i;
}
