/* msgid.c - Message-IDs out of header values
 * Works on raw values: neither addresses nor encoded words are parsed first,
 * since a comment may hold both. Must not know threads. */
#include "mail/msgid.h"

#include <string.h>

#include "mail/chars_priv.h"
#include "mail/header.h"
#include "mail/id_set.h"

/* What one pass over a value finds. */
struct extract {
	struct id_set set;
	gboolean text;	  /* anything outside brackets, comments too */
	gboolean encoded; /* an id that holds "=?" */
	guint found;	  /* bracketed ids, discarded ones included */
};

static gboolean is_prompt(const char *id)
{
	static const char *const words[] = {"y", "yes", "n", "no"};

	for (guint i = 0; i < G_N_ELEMENTS(words); i++)
		if (g_ascii_strcasecmp(id, words[i]) == 0)
			return TRUE;
	return FALSE;
}

/* Unsafe characters become %XX, so that different ids stay different. Takes
 * `id`. */
static char *escape_unsafe(char *id)
{
	GString *out = NULL;

	for (const char *p = id; *p; p = g_utf8_next_char(p)) {
		const char *next = g_utf8_next_char(p);
		gboolean unsafe = is_unsafe(g_utf8_get_char(p));

		if (unsafe && !out)
			out = g_string_new_len(id, p - id);
		for (const char *b = p; unsafe && b < next; b++)
			g_string_append_printf(out, "%%%02X", (guchar)*b);
		if (out && !unsafe)
			g_string_append_len(out, p, next - p);
	}
	if (!out)
		return id;
	g_free(id);
	return g_string_free(out, FALSE);
}

/* The bytes of an id without blanks and controls; as UTF-8, since ids end in
 * pages and in JSON (Latin-1 keeps different bytes different). */
static char *clean_id(const char *from, gsize len)
{
	char *id = g_malloc(len + 1);
	gboolean ascii = TRUE;
	gsize n = 0;
	char *text;

	for (gsize i = 0; i < len; i++)
		if ((guchar)from[i] > 0x20 && from[i] != 0x7f) {
			ascii = ascii && (guchar)from[i] < 0x80;
			id[n++] = from[i];
		}
	id[n] = '\0';
	if (ascii)
		return id;
	if (g_utf8_validate(id, n, NULL))
		return escape_unsafe(id);
	text = g_convert(id, n, "UTF-8", "iso-8859-1", NULL, NULL, NULL);
	g_free(id);
	return text ? escape_unsafe(text) : NULL;
}

static void take_id(struct extract *x, const char *from, gsize len)
{
	g_autofree char *id = clean_id(from, len);

	if (!id || id[0] == '\0' || strlen(id) > MSGID_MAX_BYTES ||
	    is_prompt(id) || x->set.ids->len >= MSGID_MAX_IDS)
		return;
	if (id_set_add(&x->set, id))
		g_steal_pointer(&id);
}

/* Behind the comment that opens at `p`; NULL if it never closes. */
static const char *skip_comment(const char *p, const char *end)
{
	guint depth = 0;

	for (; p < end; p++) {
		if (*p == '\\' && p + 1 < end)
			p++;
		else if (*p == '(')
			depth++;
		else if (*p == ')' && --depth == 0)
			return p + 1;
	}
	return NULL;
}

/* The id that opens at `p`, a '<'. `closing` is the last '>' of the value.
 * Returns where to go on. */
static const char *take_bracket(struct extract *x, const char *p,
				const char *end, const char *closing)
{
	const char *from = p + 1;
	const char *q = from;

	if (!closing || closing < p) {
		while (q < end && !is_blank(*q) && *q != '<')
			q++;
	} else {
		for (; *q != '>'; q++)
			if (*q == '<') {
				from = q + 1;
				x->text = TRUE;
			}
	}
	x->found++;
	for (const char *s = from; s + 1 < q; s++)
		if (s[0] == '=' && s[1] == '?')
			x->encoded = TRUE;
	take_id(x, from, q - from);
	return q < end && *q == '>' ? q + 1 : q;
}

static void take_brackets(struct extract *x, const char *value)
{
	const char *end = value + strlen(value);
	const char *closing = strrchr(value, '>');
	const char *p = value;
	gboolean comments = TRUE;

	while (p < end) {
		if (*p == '(' && comments) {
			const char *behind = skip_comment(p, end);

			x->text = TRUE;
			/* one that never closes is text, and so is the rest */
			comments = behind != NULL;
			p = behind ? behind : p + 1;
		} else if (*p == '<') {
			p = take_bracket(x, p, end, closing);
		} else {
			if (!is_blank(*p))
				x->text = TRUE;
			p++;
		}
	}
}

static gboolean is_bare_byte(char c)
{
	return !is_blank(c) && !strchr("<>()", c);
}

/* A token x@y of a value without a bracketed id, stray marks trimmed. */
static void take_token(struct extract *x, const char *from, const char *to)
{
	const char *at;

	while (from < to && strchr(",;\"'`", *from))
		from++;
	while (to > from && strchr(",;\"'`", to[-1]))
		to--;
	at = memchr(from, '@', to - from);
	if (at && at > from && at + 1 < to)
		take_id(x, from, to - from);
}

static void take_bare(struct extract *x, const char *value)
{
	const char *end = value + strlen(value);
	const char *p = value;
	gboolean comments = TRUE;

	while (p < end) {
		const char *q = p;

		if (*p == '(' && comments) {
			q = skip_comment(p, end);
			comments = q != NULL;
			p = q ? q : p + 1;
			continue;
		}
		while (q < end && is_bare_byte(*q))
			q++;
		if (q > p)
			take_token(x, p, q);
		p = q > p ? q : p + 1;
	}
}

static void extract_from(struct extract *x, const char *value,
			 enum msgid_field field)
{
	take_brackets(x, value);
	if (x->found > 0)
		return;
	if (field == MSGID_FIELD_REFERENCES && strpbrk(value, "<>"))
		return;
	take_bare(x, value);
}

GPtrArray *msgid_extract(const char *value, enum msgid_field field,
			 gboolean *clean)
{
	GPtrArray *ids = g_ptr_array_new_with_free_func(g_free);
	struct extract x = {.set = {.ids = ids}};

	extract_from(&x, value, field);
	if (clean)
		*clean = x.found == 1 && ids->len == 1 && !x.text &&
			 strchr(value, '>');
	if (x.encoded || (x.found == 0 && strstr(value, "=?"))) {
		g_autofree char *text = header_decode(value);

		id_set_reset(&x.set);
		extract_from(&x, text, field);
	}
	id_set_clear(&x.set);
	return ids;
}

static gsize span_label(const char *p)
{
	gsize n = 0;

	while (g_ascii_isalnum(p[n]) || (p[n] && strchr("-_.", p[n])))
		n++;
	return n;
}

char *msgid_from_marc(const char *value)
{
	g_autoptr(GString) id = g_string_new(NULL);
	const char *p = value + strspn(value, " \t<");
	gsize n = strcspn(p, " \t()<>@!");
	char before = '@';

	g_string_append_len(id, p, n);
	p += n;
	p += strspn(p, " \t");
	if (n == 0 || !g_str_has_prefix(p, "()"))
		return NULL;
	p += 2;
	do {
		p += strspn(p, " \t");
		n = span_label(p);
		if (n == 0)
			return NULL;
		g_string_append_c(id, before);
		g_string_append_len(id, p, n);
		before = '.';
		p += n;
		p += strspn(p, " \t");
	} while (*p++ == '!');
	if (p[-1] != '\0' && p[-1] != '>')
		return NULL;
	if (!strchr(strchr(id->str, '@'), '.') || id->len > MSGID_MAX_BYTES)
		return NULL;
	return clean_id(id->str, id->len);
}

static void sum_field(GChecksum *sum, const char *name, const char *value)
{
	if (!value)
		return;
	g_checksum_update(sum, (const guchar *)name, -1);
	g_checksum_update(sum, (const guchar *)value, -1);
	g_checksum_update(sum, (const guchar *)"\n", 1);
}

char *msgid_make(const char *date, const char *from, const char *subject,
		 const char *to, const char *body, gsize body_len)
{
	g_autoptr(GChecksum) sum = g_checksum_new(G_CHECKSUM_SHA256);
	const char *end = body + body_len;

	sum_field(sum, "Date: ", date);
	sum_field(sum, "From: ", from);
	sum_field(sum, "Subject: ", subject);
	sum_field(sum, "To: ", to);
	g_checksum_update(sum, (const guchar *)"\n", 1);
	while (body < end) {
		const char *cr = memchr(body, '\r', end - body);
		const char *stop = cr ? cr : end;

		g_checksum_update(sum, (const guchar *)body, stop - body);
		body = stop + 1;
	}
	return g_strconcat(g_checksum_get_string(sum), "@missing.invalid",
			   NULL);
}
