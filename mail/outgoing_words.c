/* outgoing_words.c - words of headers that are not ASCII: RFC 2047 */
#include <string.h>

#include "mail/outgoing_priv.h"

#define WORD_OPEN  "=?utf-8?q?"
#define WORD_CLOSE "?="
#define WORD_MAX   75

static gboolean is_ascii(const char *text, gsize len)
{
	for (gsize i = 0; i < len; i++)
		if ((guchar)text[i] >= 0x80)
			return FALSE;
	return TRUE;
}

/* What may stand in an encoded word as it is (RFC 2047 5, rule 3). */
static gboolean is_plain(char c, gboolean phrase)
{
	if (g_ascii_isalnum(c))
		return TRUE;
	return c &&
	       strchr(phrase ? "!*+-/" : "!*+-/.,:;()[]<>@#$%&'\"{}|~^`", c);
}

static void encode_char(GString *out, const char *p, gsize len, gboolean phrase)
{
	for (gsize i = 0; i < len; i++) {
		if (p[i] == ' ')
			g_string_append_c(out, '_');
		else if (is_plain(p[i], phrase))
			g_string_append_c(out, p[i]);
		else
			g_string_append_printf(out, "=%02X", (guchar)p[i]);
	}
}

static void encode_run(GString *out, const char *text, gsize len,
		       gboolean phrase)
{
	const char *end = text + len;
	g_autoptr(GString) word = g_string_new(WORD_OPEN);

	while (text < end) {
		g_autoptr(GString) c = g_string_new(NULL);
		gsize n = (gsize)(g_utf8_next_char(text) - text);

		encode_char(c, text, n, phrase);
		if (word->len + c->len + strlen(WORD_CLOSE) > WORD_MAX) {
			g_string_append_printf(out, "%s" WORD_CLOSE " ",
					       word->str);
			g_string_assign(word, WORD_OPEN);
		}
		g_string_append(word, c->str);
		text += n;
	}
	g_string_append_printf(out, "%s" WORD_CLOSE, word->str);
}

/* A word that a reader would take for an encoded one. */
static gboolean looks_encoded(const char *word, gsize len)
{
	return memmem(word, len, "=?", 2) != NULL;
}

/* From the first to the last word that needs it; FALSE: none does. */
static gboolean find_run(const char *text, gsize *from, gsize *to)
{
	gboolean found = FALSE;

	for (gsize at = 0; text[at];) {
		gsize len = strcspn(text + at, " ");

		if (!is_ascii(text + at, len) ||
		    looks_encoded(text + at, len)) {
			if (!found)
				*from = at;
			*to = at + len;
			found = TRUE;
		}
		at += len + strspn(text + at + len, " ");
	}
	return found;
}

void outgoing_encode(GString *out, const char *text, gboolean phrase)
{
	gsize from, to;

	if (!find_run(text, &from, &to)) {
		g_string_append(out, text);
		return;
	}
	if (phrase) { /* quoted and encoded words do not mix well */
		from = 0;
		to = strlen(text);
	}
	g_string_append_len(out, text, (gssize)from);
	encode_run(out, text + from, to - from, phrase);
	g_string_append(out, text + to);
}

static gboolean is_atoms(const char *name)
{
	for (const char *p = name; *p; p++)
		if (!g_ascii_isalnum(*p) && !strchr(" !#$%&'*+-/=?^_`{|}~", *p))
			return FALSE;
	return TRUE;
}

static void append_quoted(GString *out, const char *name)
{
	g_string_append_c(out, '"');
	for (const char *p = name; *p; p++) {
		if (*p == '"' || *p == '\\')
			g_string_append_c(out, '\\');
		g_string_append_c(out, *p);
	}
	g_string_append_c(out, '"');
}

char *outgoing_address(const struct address *a)
{
	GString *out = g_string_new(NULL);
	gsize from, to;

	if (!*a->name) {
		g_string_append(out, a->address);
		return g_string_free(out, FALSE);
	}
	if (find_run(a->name, &from, &to))
		outgoing_encode(out, a->name, TRUE);
	else if (is_atoms(a->name))
		g_string_append(out, a->name);
	else
		append_quoted(out, a->name);
	g_string_append_printf(out, " <%s>", a->address);
	return g_string_free(out, FALSE);
}
