/* address.c - mailboxes in header values
 * Reads what people and programs write, not what RFC 5322 allows: GMime stops
 * at the first damage and loses the rest of a list. Must not judge who is a
 * person, a list or a robot. */
#include "mail/address.h"

#include <string.h>

#include "mail/chars_priv.h"

#define MAX_ENCODED_DEPTH 1   /* a mailbox hidden in encoded words, once */
#define MAX_GROUP_NAME	  256 /* "name:" of a group */

struct address *address_new(const char *name, const char *address)
{
	struct address *a = g_new(struct address, 1);

	a->name = g_strdup(name ? name : "");
	a->address = g_strdup(address ? address : "");
	return a;
}

struct address *address_copy(const struct address *a)
{
	return a ? address_new(a->name, a->address) : NULL;
}

void address_free(struct address *a)
{
	if (!a)
		return;
	g_free(a->name);
	g_free(a->address);
	g_free(a);
}

/* The mailbox being read; its buffers serve for the whole list. */
struct reader {
	GPtrArray *list;
	GString *text;	  /* outside of <>: quotes undone, with comments */
	GString *plain;	  /* outside of <>: quotes kept, without comments */
	GString *comment; /* inside of () */
	GString *angle;	  /* inside of <> */
	gboolean has_angle;
	gboolean follows;	   /* text that stands behind an <address> */
	gboolean quotes, comments; /* FALSE: one never closes */
	guint depth;
};

/* "local at domain.org" as list archives write it. */
static char *spelled_at(const char *text)
{
	g_auto(GStrv) words = g_strsplit(text, " ", 4);

	if (g_strv_length(words) != 3 || strcmp(words[1], "at") != 0 ||
	    !strchr(words[2], '.') || !*words[0])
		return NULL;
	return g_strconcat(words[0], "@", words[2], NULL);
}

/* [*from, *to) without marks that are not of the address: mailto:, a route,
 * a pair of quotes or square brackets around it. */
static void trim_address(const char **from, const char **to)
{
	static const char *const pairs[] = {"[]", "''", "\"\""};
	const char *colon;

	while (*from < *to && is_blank(**from))
		(*from)++;
	while (*to > *from && is_blank((*to)[-1]))
		(*to)--;
	for (guint i = 0; i < G_N_ELEMENTS(pairs); i++)
		if (*to - *from > 1 && **from == pairs[i][0] &&
		    (*to)[-1] == pairs[i][1])
			(*from)++, (*to)--;
	if (*to - *from > 7 && g_ascii_strncasecmp(*from, "mailto:", 7) == 0)
		*from += 7;
	if (*to > *from && **from == '@') {
		colon = memchr(*from, ':', *to - *from);
		if (colon)
			*from = colon + 1;
	}
}

/* The address alone, without blanks (but in a quoted local part) and control
 * bytes; valid UTF-8. */
static char *clean_address(const char *from, gsize len)
{
	const char *to = from + len;
	g_autofree char *out = NULL;
	char *spelled, *end;

	trim_address(&from, &to);
	out = end = g_malloc(to - from + 1);
	for (; from < to; from++)
		if ((guchar)*from >= 0x20 && *from != 0x7f)
			*end++ = *from;
	*end = '\0';
	spelled = strchr(out, '@') ? NULL : spelled_at(out);
	if (spelled) {
		g_free(out);
		out = spelled;
	} else if (out[0] != '"') {
		end = out;
		for (const char *p = out; *p; p++)
			if (*p != ' ')
				*end++ = *p;
		*end = '\0';
	}
	if (g_utf8_validate(out, -1, NULL))
		return g_steal_pointer(&out);
	return header_decode(out);
}

static char *clean_name(const char *raw)
{
	char *name = header_decode(raw);

	return g_strstrip(name);
}

static void emit(struct reader *r, char *name, char *address)
{
	struct address *a;

	if ((*name || *address) && r->list->len < ADDRESS_MAX_LIST) {
		a = g_new(struct address, 1);
		a->name = name;
		a->address = address;
		g_ptr_array_add(r->list, a);
		return;
	}
	g_free(name);
	g_free(address);
}

static void emit_angle(struct reader *r)
{
	char *name = clean_name(r->text->str);

	if (!*name && r->comment->len > 0) {
		g_free(name);
		name = clean_name(r->comment->str);
	}
	emit(r, name, clean_address(r->angle->str, r->angle->len));
}

/* No <>: the word with an '@' is the address, the comment is the name. */
static void emit_bare(struct reader *r, const char *at)
{
	const char *begin = r->plain->str;
	const char *from = at, *to = at;
	char *name;

	/* A quoted local part may hold blanks. */
	if (at > begin && at[-1] == '"')
		from = strchr(begin, '"');
	while (from > begin && !is_blank(from[-1]))
		from--;
	while (*to && !is_blank(*to))
		to++;
	if (r->comment->len > 0) {
		name = clean_name(r->comment->str);
	} else {
		const char *to_name = from;
		g_autofree char *before = NULL;

		trim_address(&begin, &to_name);
		before = g_strndup(begin, to_name - begin);
		name = clean_name(before);
	}
	emit(r, name, clean_address(from, to - from));
}

static void read_list(struct reader *r, const char *value);

/* No '@' anywhere: spelled out, hidden in encoded words, or only a name. */
static void emit_nameless(struct reader *r)
{
	g_autofree char *plain = clean_name(r->plain->str);
	char *address = spelled_at(plain);

	if (address) {
		emit(r, clean_name(r->comment->str), address);
	} else if (r->depth < MAX_ENCODED_DEPTH && strchr(plain, '@') &&
		   strstr(r->plain->str, "=?")) {
		struct reader inner = {.list = r->list, .depth = r->depth + 1};

		read_list(&inner, plain);
	} else if (*plain && !r->follows) {
		emit(r, clean_name(r->text->str), g_strdup(""));
	}
}

static void reset(struct reader *r)
{
	g_string_truncate(r->text, 0);
	g_string_truncate(r->plain, 0);
	g_string_truncate(r->comment, 0);
	g_string_truncate(r->angle, 0);
	r->has_angle = r->follows = FALSE;
}

static void finish(struct reader *r);

/* The mailbox is complete and something stands behind it: a comma is
 * missing, or it is no address at all. */
static void begin_next(struct reader *r)
{
	if (!r->has_angle)
		return;
	finish(r);
	r->follows = TRUE;
}

static void finish(struct reader *r)
{
	const char *at;

	if (r->has_angle)
		emit_angle(r);
	else if ((at = memrchr(r->plain->str, '@', r->plain->len)) != NULL)
		emit_bare(r, at);
	else
		emit_nameless(r);
	reset(r);
}

/* Behind the quoted string that opens at `p`; NULL if it never closes. */
static const char *read_quoted(struct reader *r, const char *p)
{
	const char *q = p + 1;

	while (*q && *q != '"')
		q += *q == '\\' && q[1] ? 2 : 1;
	if (!*q)
		return NULL;
	g_string_append_len(r->plain, p, q + 1 - p);
	for (p++; p < q; p++) {
		if (*p == '\\')
			p++;
		g_string_append_c(r->text, *p);
	}
	return q + 1;
}

static const char *read_comment(struct reader *r, const char *p)
{
	guint depth = 1;
	const char *q = p + 1;

	for (; *q; q++) {
		if (*q == '\\' && q[1])
			q++;
		else if (*q == '(')
			depth++;
		else if (*q == ')' && --depth == 0)
			break;
	}
	if (!*q)
		return NULL;
	if (!r->has_angle)
		g_string_append_len(r->text, p, q + 1 - p);
	if (r->comment->len > 0)
		g_string_append_c(r->comment, ' ');
	for (p++; p < q; p++) {
		if (*p == '\\')
			p++;
		g_string_append_c(r->comment, *p);
	}
	return q + 1;
}

static const char *read_angle(struct reader *r, const char *p)
{
	const char *from = p + 1;
	gsize len = strcspn(from, "<>");

	if (from[len] != '>')
		len = strcspn(from, "<,;");
	g_string_append_len(r->angle, from, len);
	r->has_angle = TRUE;
	return from[len] == '>' ? from + len + 1 : from + len;
}

static void add_text(struct reader *r, char c)
{
	if (!is_blank(c))
		begin_next(r);
	g_string_append_c(r->text, c);
	g_string_append_c(r->plain, c);
}

/* TRUE if what stands before a ':' is the name of a group. */
static gboolean is_group(const struct reader *r)
{
	return !r->has_angle && r->plain->len <= MAX_GROUP_NAME &&
	       !memchr(r->plain->str, '@', r->plain->len) &&
	       !g_str_has_suffix(r->plain->str, "mailto") &&
	       !strstr(r->plain->str, "=?");
}

static const char *read_one(struct reader *r, const char *p)
{
	const char *behind = NULL;

	if (*p == '"' && r->quotes) {
		begin_next(r);
		behind = read_quoted(r, p);
		r->quotes = behind != NULL;
	} else if (*p == '(' && r->comments) {
		behind = read_comment(r, p);
		r->comments = behind != NULL;
	} else if (*p == '<') {
		begin_next(r);
		behind = read_angle(r, p);
	} else if (*p == ',' || *p == ';') {
		finish(r);
		behind = p + 1;
	} else if (*p == ':' && is_group(r)) {
		reset(r);
		behind = p + 1;
	}
	if (behind)
		return behind;
	add_text(r, *p);
	return p + 1;
}

static void read_list(struct reader *r, const char *value)
{
	r->text = g_string_new(NULL);
	r->plain = g_string_new(NULL);
	r->comment = g_string_new(NULL);
	r->angle = g_string_new(NULL);
	r->quotes = r->comments = TRUE;
	while (*value && r->list->len < ADDRESS_MAX_LIST)
		value = read_one(r, value);
	finish(r);
	g_string_free(r->text, TRUE);
	g_string_free(r->plain, TRUE);
	g_string_free(r->comment, TRUE);
	g_string_free(r->angle, TRUE);
}

static void free_element(gpointer data)
{
	address_free(data);
}

GPtrArray *address_parse_list(const char *unfolded)
{
	GPtrArray *list = g_ptr_array_new_with_free_func(free_element);
	struct reader r = {.list = list};

	read_list(&r, unfolded);
	return list;
}
