/* header.c - one pass over the header block, an index by name
 * Must not know what a field means, and must not copy before it is asked. */
#include "mail/header.h"

#include <string.h>

#define HEADER_SLOTS 64 /* of the index; a mail has some 30 fields */
#define NO_FIELD     0xffff

G_STATIC_ASSERT(HEADER_MAX_FIELDS < NO_FIELD);

struct entry {
	struct header_field field; /* first: header_next() casts */
	guint16 next;		   /* in the same slot */
};

struct header {
	GArray *entries;
	guint16 first[HEADER_SLOTS];
	guint16 last[HEADER_SLOTS];
	gboolean damaged;
	gboolean truncated;
};

/* A pure function of the name, the same for any case of its letters. */
static guint slot_of(const char *name, gsize len)
{
	return ((guchar)name[0] | 0x20) * 3 + ((guchar)name[len - 1] | 0x20) +
	       len * 7;
}

static void add_field(header *h, const struct header_field *f)
{
	struct entry e = {.field = *f, .next = NO_FIELD};
	guint slot = slot_of(f->name, f->name_len) % HEADER_SLOTS;
	guint16 i = h->entries->len;

	if (h->first[slot] == NO_FIELD)
		h->first[slot] = i;
	else
		g_array_index(h->entries, struct entry, h->last[slot]).next = i;
	h->last[slot] = i;
	g_array_append_val(h->entries, e);
}

/* End of the line that begins at `p`: behind its LF, or `end`. */
static const char *line_end(const char *p, const char *end)
{
	const char *nl = memchr(p, '\n', end - p);

	return nl ? nl + 1 : end;
}

static gboolean is_empty_line(const char *p, const char *eol)
{
	return *p == '\n' || (*p == '\r' && eol - p == 2 && p[1] == '\n');
}

/* Length of the field name at `p`; 0 if the line is no field. `*colon` is
 * where the colon stands: blanks before it are obsolete but met. */
static gsize field_name(const char *p, const char *eol, const char **colon)
{
	const char *q = p;

	while (q < eol && (guchar)*q > ' ' && (guchar)*q < 0x7f && *q != ':')
		q++;
	*colon = q;
	while (*colon < eol && (**colon == ' ' || **colon == '\t'))
		(*colon)++;
	return *colon < eol && **colon == ':' ? (gsize)(q - p) : 0;
}

static gboolean is_separator(const char *p, const char *eol)
{
	if (p < eol && *p == '>')
		p++;
	return eol - p >= 5 && memcmp(p, "From ", 5) == 0;
}

static gboolean is_blank_line(const char *p, const char *eol)
{
	while (p < eol && (*p == ' ' || *p == '\t' || *p == '\r'))
		p++;
	return p == eol || *p == '\n';
}

static const char *skip_leading(const char *p, const char *end)
{
	if (end - p >= 3 && memcmp(p, "\xef\xbb\xbf", 3) == 0)
		p += 3;
	while (p < end) {
		const char *eol = line_end(p, end);

		if (!is_blank_line(p, eol) && !is_separator(p, eol))
			break;
		p = eol;
	}
	return p;
}

/* Behind the continuation lines that follow `eol`. */
static const char *field_end(const char *eol, const char *end)
{
	while (eol < end && (*eol == ' ' || *eol == '\t'))
		eol = line_end(eol, end);
	return eol;
}

static const char *without_line_end(const char *from, const char *to)
{
	if (to > from && to[-1] == '\n')
		to--;
	if (to > from && to[-1] == '\r')
		to--;
	return to;
}

/* `*left`: bytes that fields may still have. */
static void take_field(header *h, struct header_field *f, gsize *left)
{
	gsize size;

	if (f->value_len > HEADER_MAX_VALUE) {
		f->value_len = HEADER_MAX_VALUE;
		h->truncated = TRUE;
	}
	size = (gsize)(f->value - f->name) + f->value_len;
	if (h->entries->len >= HEADER_MAX_FIELDS || size > *left) {
		h->truncated = TRUE;
		return;
	}
	*left -= size;
	add_field(h, f);
}

/* Returns where the body begins. */
static const char *scan_fields(header *h, const char *p, const char *end)
{
	gsize left = HEADER_MAX_BYTES;

	while (p < end) {
		const char *eol = line_end(p, end);
		const char *colon, *next;
		struct header_field f = {.name = p};

		if (is_empty_line(p, eol))
			return eol;
		f.name_len = field_name(p, eol, &colon);
		if (f.name_len == 0) {
			h->damaged = TRUE;
			return p;
		}
		next = field_end(eol, end);
		f.value = colon + 1;
		f.value_len = without_line_end(f.value, next) - f.value;
		take_field(h, &f, &left);
		p = next;
	}
	return p;
}

header *header_scan(const char *raw, gsize len, gsize *body)
{
	header *h = g_new(header, 1);
	const char *end = raw + len;
	const char *p;

	h->entries = g_array_sized_new(FALSE, FALSE, sizeof(struct entry), 48);
	memset(h->first, 0xff, sizeof(h->first));
	h->damaged = FALSE;
	h->truncated = FALSE;
	p = scan_fields(h, skip_leading(raw, end), end);
	if (body)
		*body = p - raw;
	return h;
}

void header_free(header *h)
{
	if (!h)
		return;
	g_array_unref(h->entries);
	g_free(h);
}

guint header_count(const header *h)
{
	return h->entries->len;
}

const struct header_field *header_at(const header *h, guint i)
{
	return &g_array_index(h->entries, struct entry, i).field;
}

gboolean header_damaged(const header *h)
{
	return h->damaged;
}

gboolean header_truncated(const header *h)
{
	return h->truncated;
}

static const struct header_field *search(const header *h, const char *name,
					 gsize len, guint16 i)
{
	while (i != NO_FIELD) {
		const struct entry *e =
			&g_array_index(h->entries, struct entry, i);

		if (e->field.name_len == len &&
		    g_ascii_strncasecmp(e->field.name, name, len) == 0)
			return &e->field;
		i = e->next;
	}
	return NULL;
}

const struct header_field *header_find(const header *h, const char *name)
{
	gsize len = strlen(name);

	g_return_val_if_fail(len > 0, NULL);
	return search(h, name, len,
		      h->first[slot_of(name, len) % HEADER_SLOTS]);
}

const struct header_field *header_next(const header *h, const char *name,
				       const struct header_field *prev)
{
	return search(h, name, strlen(name),
		      ((const struct entry *)prev)->next);
}

char *header_unfold(const struct header_field *f)
{
	const char *p = f->value;
	const char *end = p + f->value_len;
	GString *out;

	while (p < end && (g_ascii_isspace(*p) || *p == '\0'))
		p++;
	out = g_string_sized_new(end - p + 1);
	while (p < end) {
		const char *nl = memchr(p, '\n', end - p);
		const char *stop = nl ? without_line_end(p, nl + 1) : end;

		g_string_append_len(out, p, stop - p);
		if (!nl)
			break;
		g_string_append_c(out, ' ');
		for (p = nl; p < end && g_ascii_isspace(*p); p++)
			;
	}
	for (gsize i = 0; i < out->len; i++)
		if (out->str[i] == '\0')
			out->str[i] = ' ';
	while (out->len > 0 && g_ascii_isspace(out->str[out->len - 1]))
		out->len--;
	out->str[out->len] = '\0';
	return g_string_free(out, FALSE);
}

char *header_dup(const header *h, const char *name)
{
	const struct header_field *f = header_find(h, name);

	return f ? header_unfold(f) : NULL;
}

char *header_dup_decoded(const header *h, const char *name)
{
	g_autofree char *raw = header_dup(h, name);

	return raw ? header_decode(raw) : NULL;
}
