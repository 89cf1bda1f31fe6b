/* imap_text.c - the lines of an IMAP server that are asked for, read */
#include "bot/imap_text.h"

#include <string.h>

#include "mail/date.h"

gboolean imap_text_is(const char *text, const char *word)
{
	gsize len = strlen(word);

	return g_ascii_strncasecmp(text, word, len) == 0 &&
	       !g_ascii_isalnum(text[len]);
}

/* Where a line is read. */
struct cursor {
	const char *p;
	GPtrArray *literals;
	guint next; /* of them */
};

static gboolean take(struct cursor *c, const char *word)
{
	gsize len = strlen(word);

	if (g_ascii_strncasecmp(c->p, word, len) != 0)
		return FALSE;
	c->p += len;
	return TRUE;
}

static gboolean take_number(struct cursor *c, guint64 *n)
{
	const char *begin = c->p;

	*n = 0;
	while (g_ascii_isdigit(*c->p) && c->p - begin < 18)
		*n = *n * 10 + (guint64)(*c->p++ - '0');
	return c->p > begin && !g_ascii_isdigit(*c->p);
}

static gboolean take_uid(struct cursor *c, guint32 *uid)
{
	guint64 n;

	if (!take_number(c, &n) || n > G_MAXUINT32)
		return FALSE;
	*uid = (guint32)n;
	return TRUE;
}

/* What is between the quotes; `to` may be NULL. */
static gboolean take_quoted(struct cursor *c, GString *to)
{
	const char *p = c->p + 1;

	for (; *p && *p != '"'; p++) {
		if (*p == '\\' && p[1])
			p++;
		if (to)
			g_string_append_c(to, *p);
	}
	c->p = *p ? p + 1 : p;
	return *p == '"';
}

/* `*slot` is where its bytes are lent. */
static gboolean take_literal(struct cursor *c, gpointer **slot)
{
	guint64 n;

	if (!take(c, "{") || !take_number(c, &n) || !take(c, "}"))
		return FALSE;
	take(c, "\r");
	if (!take(c, "\n") || c->next >= c->literals->len)
		return FALSE;
	*slot = &c->literals->pdata[c->next++];
	return TRUE;
}

static gboolean skip_word(struct cursor *c)
{
	gsize len = strcspn(c->p, " ()\"\r\n");

	c->p += len;
	return len > 0;
}

/* One value: a word, a string, a list of them. */
static gboolean skip_value(struct cursor *c)
{
	gpointer *slot;
	guint depth = 0;
	gboolean ok = TRUE;

	do {
		if (take(c, "("))
			depth++;
		else if (depth > 0 && take(c, ")"))
			depth--;
		else if (depth > 0 && take(c, " "))
			continue;
		else if (*c->p == '"')
			ok = take_quoted(c, NULL);
		else if (*c->p == '{')
			ok = take_literal(c, &slot);
		else
			ok = skip_word(c);
	} while (ok && depth > 0);
	return ok;
}

/* ---- FETCH */

static gboolean take_body(struct cursor *c, struct imap_fetched *to)
{
	g_autoptr(GString) text = NULL;
	gpointer *slot;

	if (take(c, "NIL"))
		return TRUE;
	g_clear_pointer(&to->body, g_byte_array_unref);
	if (*c->p == '"') {
		text = g_string_new(NULL);
		to->body = g_byte_array_new();
		if (!take_quoted(c, text))
			return FALSE;
		g_byte_array_append(to->body, (const guint8 *)text->str,
				    (guint)text->len);
		return TRUE;
	}
	if (!take_literal(c, &slot))
		return FALSE;
	to->body = g_steal_pointer(slot);
	to->larger = !to->body;
	return TRUE;
}

/* " 1-Jan-2020 01:00:00 +0100" */
static gboolean take_date(struct cursor *c, gint64 *time)
{
	g_autoptr(GString) text = g_string_new(NULL);

	if (*c->p != '"' || !take_quoted(c, text))
		return FALSE;
	for (gsize i = 0; i < MIN(text->len, 7); i++)
		if (text->str[i] == '-')
			text->str[i] = ' ';
	if (!date_parse(text->str, time, NULL))
		*time = 0;
	return TRUE;
}

/* "NAME", "NAME[PART]", "NAME[PART]<0>" and its value. */
static gboolean skip_item(struct cursor *c)
{
	c->p += strcspn(c->p, " [()\"{");
	if (*c->p == '[')
		c->p += strcspn(c->p, "]");
	c->p += strcspn(c->p, " ()\"{");
	return take(c, " ") && skip_value(c);
}

static gboolean take_item(struct cursor *c, struct imap_fetched *to)
{
	if (take(c, "UID "))
		return take_uid(c, &to->uid);
	if (take(c, "RFC822.SIZE ")) {
		to->sized = TRUE;
		return take_number(c, &to->size);
	}
	if (take(c, "INTERNALDATE "))
		return take_date(c, &to->received);
	if (take(c, "BODY[] "))
		return take_body(c, to);
	return skip_item(c);
}

gboolean imap_text_fetch(const char *line, GPtrArray *literals,
			 struct imap_fetched *to)
{
	struct cursor c = {line, literals, 0};
	guint64 n;

	memset(to, 0, sizeof(*to));
	if (!take(&c, "* ") || !take_number(&c, &n) || !take(&c, " FETCH "))
		return TRUE;
	to->is = TRUE;
	if (!take(&c, "("))
		return FALSE;
	while (take_item(&c, to)) {
		if (take(&c, ")"))
			return TRUE;
		if (!take(&c, " "))
			break;
	}
	g_clear_pointer(&to->body, g_byte_array_unref);
	return FALSE;
}

/* ---- others */

gboolean imap_text_search(const char *line, GArray *uids)
{
	struct cursor c = {line, NULL, 0};
	guint32 uid;

	if (!take(&c, "* SEARCH"))
		return TRUE;
	while (take(&c, " ")) {
		if (*c.p == '\0')
			break;
		if (!take_uid(&c, &uid))
			return FALSE;
		g_array_append_val(uids, uid);
	}
	return *c.p == '\0';
}

static gboolean can_be_opened(const char *flags, gsize len)
{
	g_autofree char *lower = g_ascii_strdown(flags, (gssize)len);

	return !strstr(lower, "\\noselect") && !strstr(lower, "\\nonexistent");
}

static char *take_string(struct cursor *c)
{
	g_autoptr(GString) text = g_string_new(NULL);
	gpointer *slot;
	GByteArray *b;

	if (*c->p == '"')
		return take_quoted(c, text) ? g_strdup(text->str) : NULL;
	if (*c->p == '{') {
		if (!take_literal(c, &slot) || !*slot)
			return NULL;
		b = *slot;
		return g_strndup((const char *)b->data, b->len);
	}
	g_string_append_len(text, c->p, (gssize)strcspn(c->p, " \r\n"));
	c->p += text->len;
	return text->len > 0 ? g_strdup(text->str) : NULL;
}

gboolean imap_text_list(const char *line, GPtrArray *literals, char **name)
{
	struct cursor c = {line, literals, 0};
	g_autofree char *found = NULL;
	const char *flags;

	if (!take(&c, "* LIST "))
		return TRUE;
	flags = c.p;
	if (*c.p != '(' || !skip_value(&c))
		return FALSE;
	if (!can_be_opened(flags, (gsize)(c.p - flags)))
		return TRUE;
	if (!take(&c, " ") || !skip_value(&c) || !take(&c, " "))
		return FALSE;
	found = take_string(&c);
	if (!found)
		return FALSE;
	*name = g_steal_pointer(&found);
	return TRUE;
}

gboolean imap_text_exists(const char *line, guint32 *exists)
{
	struct cursor c = {line, NULL, 0};
	guint32 n;

	if (take(&c, "* ") && g_ascii_isdigit(*c.p) && take_uid(&c, &n) &&
	    g_ascii_strcasecmp(c.p, " EXISTS") == 0)
		*exists = n;
	return TRUE;
}

gboolean imap_text_validity(const char *line, guint32 *validity)
{
	struct cursor c = {line, NULL, 0};

	return !take(&c, "* OK [UIDVALIDITY ") || take_uid(&c, validity);
}
