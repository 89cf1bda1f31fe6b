/* mime.c - cut a message body into its parts, and undo transfer encodings
 * An explicit stack, no recursion; each level reads its bytes once. Must not
 * judge which part is worth reading. */
#include <string.h>

#include "mail/chars_priv.h"
#include "mail/gmime_priv.h"
#include "mail/message.h"
#include "mail/mime_priv.h"

#define DECODE_CHUNK 65536

static void part_free(gpointer data)
{
	struct mime_part *p = data;

	g_free(p->type);
	g_free(p->charset);
	g_free(p->name);
	g_free(p);
}

/* A stretch of bytes that is still to be looked at. */
struct slice {
	const char *bytes;
	gsize len;
	guint depth;
	gboolean alternative;
	gboolean digest; /* parts without a type are messages */
	gboolean top;	 /* the message itself: its header is known */
};

struct splitter {
	GArray *stack; /* of struct slice */
	GPtrArray *parts;
	GPtrArray *warnings;
	guint seen;
};

/* ---- values of header fields */

/* The value at `*at` (behind '='), quoted or not; moves `*at` behind it. */
static char *param_value(const char **at)
{
	GString *out = g_string_new(NULL);
	const char *p = *at;
	gboolean quoted = *p == '"';

	p += quoted;
	while (*p && (quoted ? *p != '"' : !is_blank(*p) && *p != ';')) {
		if (quoted && *p == '\\' && p[1])
			p++;
		if (out->len < MIME_MAX_PARAM)
			g_string_append_c(out, *p);
		p++;
	}
	if (quoted && *p)
		p++;
	*at = p;
	return g_string_free(out, FALSE);
}

/* Behind the next ';' that is not inside quotes. */
static const char *next_param(const char *p)
{
	gboolean quoted = FALSE;

	for (; *p && (quoted || *p != ';'); p++) {
		if (quoted && *p == '\\' && p[1])
			p++;
		else if (*p == '"')
			quoted = !quoted;
	}
	return *p ? p + 1 : p;
}

char *mime_param(const char *value, const char *name)
{
	gsize len = strlen(name);
	const char *p = next_param(value);
	guint n;

	for (n = 0; *p && n < MIME_MAX_PARAMS; n++) {
		while (is_blank(*p))
			p++;
		if (g_ascii_strncasecmp(p, name, len) == 0) {
			const char *q = p + len;

			while (is_blank(*q))
				q++;
			if (*q == '=') {
				for (q++; is_blank(*q);)
					q++;
				return param_value(&q);
			}
		}
		p = next_param(p);
	}
	return NULL;
}

static char *lower_param(const char *value, const char *name)
{
	g_autofree char *v = mime_param(value, name);

	return v && *v ? g_ascii_strdown(v, -1) : NULL;
}

/* "Text/Plain ; ..." -> "text/plain"; what is no type is plain text. */
static char *type_of(const char *value)
{
	gsize len = strcspn(value, "; \t(");

	if (!len || !memchr(value, '/', len))
		return g_strdup("text/plain");
	return g_ascii_strdown(value, (gssize)len);
}

static enum mime_encoding encoding_of(const header *h)
{
	g_autofree char *v = header_dup(h, "Content-Transfer-Encoding");
	gsize len;

	if (!v)
		return MIME_IDENTITY;
	len = strcspn(v, "; \t(");
	if (len == 6 && g_ascii_strncasecmp(v, "base64", len) == 0)
		return MIME_BASE64;
	if (len == 16 && g_ascii_strncasecmp(v, "quoted-printable", len) == 0)
		return MIME_QUOTED_PRINTABLE;
	return MIME_IDENTITY;
}

/* The name of a file: RFC 2231 by GMime, which knows all its forms. */
static char *name_of(const char *disposition, const char *type)
{
	const char *value =
		disposition && strchr(disposition, '=') ? disposition : type;
	g_autofree char *plain = NULL;

	if (!value)
		return NULL;
	if (strstr(value, "*=") || strstr(value, "*0")) {
		GMimeContentDisposition *d;
		const char *name;

		gmime_ready();
		d = g_mime_content_disposition_parse(gmime_options(), value);
		name = g_mime_content_disposition_get_parameter(
			d, value == type ? "name" : "filename");
		plain = name ? header_decode(name) : NULL;
		g_object_unref(d);
		return g_steal_pointer(&plain);
	}
	plain = mime_param(value, value == type ? "name" : "filename");
	return plain && *plain ? header_decode(plain) : NULL;
}

static struct mime_part *part_new(const header *h, const char *content_type)
{
	struct mime_part *p = g_new0(struct mime_part, 1);
	g_autofree char *disposition = header_dup(h, "Content-Disposition");
	g_autofree char *format = NULL;
	g_autofree char *delsp = NULL;

	p->type = type_of(content_type ? content_type : "text/plain");
	p->encoding = encoding_of(h);
	if (content_type && strchr(content_type, '=')) {
		p->charset = lower_param(content_type, "charset");
		format = lower_param(content_type, "format");
		p->flowed = format && strcmp(format, "flowed") == 0;
		if (p->flowed)
			delsp = lower_param(content_type, "delsp");
		p->delsp = delsp && strcmp(delsp, "yes") == 0;
	}
	p->attachment = disposition &&
			g_ascii_strncasecmp(disposition, "attach", 6) == 0;
	p->name = name_of(disposition, content_type);
	return p;
}

/* ---- multiparts */

enum delimiter {
	DELIMITER_NONE,
	DELIMITER_NEXT,
	DELIMITER_LAST,
};

static enum delimiter delimiter(const char *line, const char *eol,
				const char *boundary, gsize len)
{
	enum delimiter kind = DELIMITER_NEXT;

	if (eol - line < (gssize)len + 2 || line[0] != '-' || line[1] != '-' ||
	    memcmp(line + 2, boundary, len) != 0)
		return DELIMITER_NONE;
	line += len + 2;
	if (eol - line >= 2 && line[0] == '-' && line[1] == '-') {
		kind = DELIMITER_LAST;
		line += 2;
	}
	while (line < eol && is_blank(*line))
		line++;
	return line == eol ? kind : DELIMITER_NONE;
}

/* The part that ends before the delimiter at `to`: its line end belongs to
 * the delimiter. */
static void add_child(GArray *out, const struct slice *parent, const char *from,
		      const char *to)
{
	struct slice s = *parent;

	if (to > from && to[-1] == '\n')
		to--;
	if (to > from && to[-1] == '\r')
		to--;
	s.bytes = from;
	s.len = (gsize)(to - from);
	g_array_append_val(out, s);
}

/* The parts of a multipart, as slices that look like `like`. */
static GArray *cut_multipart(const struct slice *s, const struct slice *like,
			     const char *boundary, gboolean *limit)
{
	GArray *out = g_array_new(FALSE, FALSE, sizeof(struct slice));
	const char *p = s->bytes, *end = p + s->len, *from = NULL, *eol;
	gsize len = strlen(boundary);
	enum delimiter d = DELIMITER_NONE;

	for (; p < end && d != DELIMITER_LAST; p = eol + 1) {
		eol = memchr(p, '\n', (gsize)(end - p));
		if (!eol)
			eol = end;
		d = delimiter(p, eol, boundary, len);
		if (d == DELIMITER_NONE)
			continue;
		if (from)
			add_child(out, like, from, p);
		from = MIN(eol + 1, end);
		*limit = out->len >= MESSAGE_MAX_PARTS;
		if (*limit)
			return out;
	}
	if (from && d != DELIMITER_LAST)
		add_child(out, like, from, end);
	return out;
}

/* Take a multipart apart; FALSE if it cannot be: then it is a leaf. */
static gboolean push_children(struct splitter *sp, const struct slice *s,
			      const struct mime_part *p,
			      const char *content_type)
{
	g_autofree char *boundary = mime_param(content_type, "boundary");
	g_autoptr(GArray) children = NULL;
	struct slice like = {.depth = s->depth + 1};
	gboolean limit = FALSE;
	guint i;

	if (s->depth >= MESSAGE_MAX_DEPTH) {
		warnings_add(sp->warnings, "too-deep",
			     "parts nested more than %d deep are not read",
			     MESSAGE_MAX_DEPTH);
		return FALSE;
	}
	if (boundary)
		g_strchomp(boundary);
	if (!boundary || !*boundary) {
		warnings_add(sp->warnings, "no-boundary",
			     "%s without a boundary", p->type);
		return FALSE;
	}
	like.alternative =
		g_str_equal(p->type, "multipart/alternative") || s->alternative;
	like.digest = g_str_equal(p->type, "multipart/digest");
	children = cut_multipart(s, &like, boundary, &limit);
	if (limit)
		warnings_add(sp->warnings, "too-many-parts",
			     "only the first %d parts are read",
			     MESSAGE_MAX_PARTS);
	if (!children->len) {
		warnings_add(sp->warnings, "no-boundary",
			     "the boundary of a %s never occurs", p->type);
		return FALSE;
	}
	for (i = children->len; i > 0; i--)
		g_array_append_val(sp->stack,
				   g_array_index(children, struct slice,
						 i - 1));
	return TRUE;
}

static void look_at(struct splitter *sp, const struct slice *s, const header *h)
{
	g_autofree char *type = header_dup(h, "Content-Type");
	struct mime_part *p;
	gboolean is_multipart;

	if (!type && s->digest)
		type = g_strdup("message/rfc822");
	p = part_new(h, type);
	p->bytes = s->bytes;
	p->len = s->len;
	p->alternative = s->alternative;
	is_multipart = g_str_has_prefix(p->type, "multipart/");
	if (is_multipart && push_children(sp, s, p, type)) {
		part_free(p);
		return;
	}
	if (is_multipart && s->top) {
		/* the text is in there somewhere: let a person see it */
		g_free(p->type);
		p->type = g_strdup("text/plain");
	}
	g_ptr_array_add(sp->parts, p);
}

static gsize empty_line(const char *p, gsize len)
{
	if (len >= 1 && p[0] == '\n')
		return 1;
	return len >= 2 && p[0] == '\r' && p[1] == '\n' ? 2 : 0;
}

/* A part's own header, which may be absent. */
static void look_inside(struct splitter *sp, struct slice *s)
{
	g_autoptr(header) h = NULL;
	const char *head = s->bytes;
	gsize body = 0, before = sp->parts->len;

	/* an empty line at once: no header, though header_scan() would look
	 * for one below */
	h = header_scan(head, empty_line(head, s->len) ? 0 : s->len, &body);
	if (!body)
		body = empty_line(head, s->len);
	s->bytes += body;
	s->len -= body;
	look_at(sp, s, h);
	if (sp->parts->len > before) {
		struct mime_part *p = g_ptr_array_index(sp->parts, before);

		p->head = head;
		p->head_len = body;
	}
}

GPtrArray *mime_split(const header *h, const char *body, gsize len,
		      GPtrArray *warnings)
{
	struct splitter sp = {.warnings = warnings};
	struct slice s = {.bytes = body, .len = len, .top = TRUE};

	sp.parts = g_ptr_array_new_with_free_func(part_free);
	sp.stack = g_array_new(FALSE, FALSE, sizeof(struct slice));
	look_at(&sp, &s, h);
	while (sp.stack->len && sp.seen++ < MESSAGE_MAX_PARTS) {
		s = g_array_index(sp.stack, struct slice, sp.stack->len - 1);
		g_array_set_size(sp.stack, sp.stack->len - 1);
		look_inside(&sp, &s);
	}
	if (sp.stack->len)
		warnings_add(warnings, "too-many-parts",
			     "only the first %d parts are read",
			     MESSAGE_MAX_PARTS);
	g_array_unref(sp.stack);
	return sp.parts;
}

/* ---- transfer encodings */

/* Lists have put their plain footers below base64: neither '-' nor '_' is a
 * letter of it. */
static gsize base64_length(const struct mime_part *p)
{
	const char *end = p->bytes + p->len, *at = p->bytes, *nl;

	while ((nl = memchr(at, '\n', (gsize)(end - at)))) {
		at = nl + 1;
		if (end - at >= 2 &&
		    (!memcmp(at, "--", 2) || !memcmp(at, "__", 2)))
			return (gsize)(at - p->bytes);
	}
	return p->len;
}

/* GMime's step functions, by chunks, so that a limit is one. */
static void decode_steps(GString *out, const struct mime_part *p, gsize max)
{
	gboolean base64 = p->encoding == MIME_BASE64;
	gsize len = base64 ? base64_length(p) : p->len, at = 0;
	guint32 save = 0;
	int state = 0;

	while (at < len && out->len <= max) {
		gsize n = MIN(len - at, DECODE_CHUNK), had = out->len;
		const guchar *in = (const guchar *)p->bytes + at;
		guchar *to;

		g_string_set_size(out, had + n + 4);
		to = (guchar *)out->str + had;
		n = base64 ? g_mime_encoding_base64_decode_step(in, n, to,
								&state, &save)
			   : g_mime_encoding_quoted_decode_step(in, n, to,
								&state, &save);
		g_string_set_size(out, had + n);
		at += MIN(len - at, DECODE_CHUNK);
	}
}

static void crlf_to_lf(GString *s)
{
	char *from = memchr(s->str, '\r', s->len), *to = from;
	char *end = s->str + s->len;

	if (!from)
		return;
	for (; from < end; from++)
		if (*from != '\r' || from + 1 == end || from[1] != '\n')
			*to++ = *from;
	g_string_truncate(s, (gsize)(to - s->str));
}

GString *mime_decode(const struct mime_part *p, gsize max, gboolean *cut)
{
	GString *out;

	if (p->encoding == MIME_IDENTITY) {
		out = g_string_sized_new(MIN(p->len, max) + 2);
		g_string_append_len(out, p->bytes,
				    (gssize)MIN(p->len, max + 1));
	} else {
		out = g_string_sized_new(MIN(p->len, max) + 16);
		decode_steps(out, p, max);
	}
	*cut = out->len > max;
	if (*cut)
		g_string_truncate(out, max);
	crlf_to_lf(out);
	return out;
}

gsize mime_size(const struct mime_part *p)
{
	gsize i, n = 0;

	if (p->encoding != MIME_BASE64)
		return p->len;
	for (i = 0; i < p->len; i++)
		n += g_ascii_isalnum(p->bytes[i]) || p->bytes[i] == '+' ||
		     p->bytes[i] == '/';
	return n / 4 * 3 + n % 4 * 3 / 4;
}
