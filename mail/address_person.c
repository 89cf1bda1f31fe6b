/* address_person.c - persons in trailers, and whether two are the same
 * Trailers are plain text: no quoting, no comments, no lists. */
#include <string.h>

#include "mail/address.h"
#include "mail/chars_priv.h"

static gboolean is_address_byte(char c)
{
	return (guchar)c > 0x20 && c != 0x7f && !strchr("<>()[],;\"", c);
}

/* [*from, *to) around the '@' at `at`; FALSE if there is no local part or no
 * domain. */
static gboolean address_around(const char *text, const char *at,
			       const char **from, const char **to)
{
	*from = *to = at;
	while (*from > text && is_address_byte((*from)[-1]))
		(*from)--;
	while (is_address_byte(**to) && **to != '#')
		(*to)++;
	if (at - *from > 7 && g_ascii_strncasecmp(*from, "mailto:", 7) == 0)
		*from += 7;
	while (*from < at && **from == '\'')
		(*from)++;
	while (*to > at + 1 && strchr(".:'", (*to)[-1]))
		(*to)--;
	return at - *from > 0 && *to - at > 1;
}

/* The first '@' inside of <>, else the first before a note; NULL if none
 * belongs to an address. */
static gboolean find_address(const char *text, const char **from,
			     const char **to)
{
	const char *open = strchr(text, '<');
	const char *at;

	for (; open; open = strchr(open + 1, '<')) {
		gsize len = strcspn(open + 1, "<>");

		at = memchr(open + 1, '@', len);
		if (at && address_around(open + 1, at, from, to))
			return TRUE;
	}
	at = text + strcspn(text, "@#");
	return *at == '@' && address_around(text, at, from, to);
}

/* Quotes around the whole name are not part of it, those inside are. */
static char *plain_name(const char *from, const char *to)
{
	g_autofree char *name = NULL;

	while (to > from && (is_blank(to[-1]) || strchr("<([,", to[-1])))
		to--;
	while (from < to && is_blank(*from))
		from++;
	if (to - from > 2 && *from == '"' && to[-1] == '"' &&
	    !memchr(from + 1, '"', to - from - 2))
		from++, to--;
	name = g_strndup(from, to - from);
	return header_decode(name);
}

/* What stands behind the address: "> # text", "#text", "[text]". */
static char *note_behind(const char *p)
{
	gsize len;

	p += strspn(p, "> \t");
	if (*p == '#') {
		p += strspn(p, "# \t");
		return *p ? header_decode(p) : NULL;
	}
	len = strlen(p);
	while (len > 0 && is_blank(p[len - 1]))
		len--;
	if (len > 2 && *p == '[' && p[len - 1] == ']') {
		g_autofree char *inner = g_strndup(p + 1, len - 2);

		return header_decode(inner);
	}
	return NULL;
}

/* "address (Name)" */
static char *name_behind(const char *p)
{
	const char *end;

	p += strspn(p, "> \t");
	end = *p == '(' ? strchr(p, ')') : NULL;
	return end ? plain_name(p + 1, end) : g_strdup("");
}

struct address *address_parse_person(const char *text, char **note)
{
	const char *from, *to;
	struct address *a;

	if (note)
		*note = NULL;
	if (!find_address(text, &from, &to))
		return NULL;
	a = g_new(struct address, 1);
	a->address = g_strndup(from, to - from);
	if (!g_utf8_validate(a->address, -1, NULL)) {
		char *valid = header_decode(a->address);

		g_free(a->address);
		a->address = valid;
	}
	if (from - text > 7 && g_ascii_strncasecmp(from - 7, "mailto:", 7) == 0)
		from -= 7;
	a->name = plain_name(text, from);
	if (!*a->name) {
		g_free(a->name);
		a->name = name_behind(to);
	}
	if (note)
		*note = note_behind(to);
	return a;
}

/* Domain equal, or one with one label more in front of the other, which has
 * two labels at least. */
static gboolean domains_related(const char *a, const char *b)
{
	const char *big = strlen(a) > strlen(b) ? a : b;
	const char *small = big == a ? b : a;
	const char *dot = strchr(big, '.');

	if (g_ascii_strcasecmp(a, b) == 0)
		return TRUE;
	return dot && strchr(small, '.') &&
	       g_ascii_strcasecmp(dot + 1, small) == 0;
}

static gboolean same_address(const char *a, const char *b)
{
	const char *at_a = strrchr(a, '@'), *at_b = strrchr(b, '@');
	gsize len_a, len_b;

	if (!*a || !*b)
		return FALSE;
	if (!at_a || !at_b)
		return g_ascii_strcasecmp(a, b) == 0;
	len_a = MIN(strcspn(a, "+"), (gsize)(at_a - a));
	len_b = MIN(strcspn(b, "+"), (gsize)(at_b - b));
	if (len_a != len_b || len_a == 0 ||
	    g_ascii_strncasecmp(a, b, len_a) != 0)
		return len_a == 0 && g_ascii_strcasecmp(a, b) == 0;
	return domains_related(at_a + 1, at_b + 1);
}

char *address_name_key(const char *name)
{
	g_autoptr(GString) plain = g_string_new(NULL);
	g_autofree char *folded = NULL, *normal = NULL, *turned = NULL;
	const char *comma;
	guint depth = 0;

	for (const char *p = name; *p; p++) {
		if (*p == '(')
			depth++;
		else if (*p == ')' && depth > 0)
			depth--;
		else if (depth == 0 && *p != '"')
			g_string_append_c(plain, *p);
	}
	comma = strchr(plain->str, ',');
	turned = comma ? g_strdup_printf("%s %.*s", comma + 1,
					 (int)(comma - plain->str), plain->str)
		       : g_strdup(plain->str);
	normal = g_utf8_normalize(turned, -1, G_NORMALIZE_NFC);
	if (!normal)
		return NULL;
	folded = g_utf8_casefold(normal, -1);
	g_free(normal);
	normal = header_decode(folded); /* blanks */
	return strchr(normal, ' ') ? g_steal_pointer(&normal) : NULL;
}

gboolean address_same_person(const struct address *a, const struct address *b)
{
	g_autofree char *name_a = NULL, *name_b = NULL;

	if (same_address(a->address, b->address))
		return TRUE;
	name_a = address_name_key(a->name);
	name_b = name_a ? address_name_key(b->name) : NULL;
	return name_a && name_b && g_str_equal(name_a, name_b);
}
