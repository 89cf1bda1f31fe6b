/* commit_object.c - reading the text of a commit object */
#include "mail/commit_object.h"

#include <string.h>

#include "mail/commit_ref.h"
#include "mail/links.h"
#include "mail/trailers.h"

#define HEX_LEN (2 * COMMIT_OID_LEN)

struct head {
	GByteArray *parents;
	const char *author, *committer, *encoding; /* values, lent */
	gsize author_len, committer_len, encoding_len;
	const char *message;
	gsize message_len;
};

static void note_free(gpointer data)
{
	struct commit_note *n = data;

	g_free(n->id);
	g_free(n->subject);
	g_free(n->mid);
	g_free(n->url);
	g_free(n);
}

void commit_object_free(struct commit_object *c)
{
	if (!c)
		return;
	g_byte_array_unref(c->parents);
	address_free(c->author);
	address_free(c->committer);
	g_free(c->subject);
	g_free(c->trailers);
	g_ptr_array_unref(c->notes);
	g_free(c);
}

/* ---- the head */

static gboolean add_oid(GByteArray *out, const char *hex, gsize len)
{
	guint8 oid[COMMIT_OID_LEN];

	if (len != HEX_LEN)
		return FALSE;
	for (guint i = 0; i < COMMIT_OID_LEN; i++) {
		int high = g_ascii_xdigit_value(hex[2 * i]);
		int low = g_ascii_xdigit_value(hex[2 * i + 1]);

		if (high < 0 || low < 0)
			return FALSE;
		oid[i] = (guint8)(high << 4 | low);
	}
	g_byte_array_append(out, oid, sizeof(oid));
	return TRUE;
}

static gboolean has_key(const char *line, gsize len, const char *key,
			const char **value, gsize *value_len)
{
	gsize n = strlen(key);

	if (len <= n || line[n] != ' ' || memcmp(line, key, n) != 0)
		return FALSE;
	*value = line + n + 1;
	*value_len = len - n - 1;
	return TRUE;
}

static gboolean read_line(struct head *h, const char *line, gsize len)
{
	const char *value;
	gsize n;

	if (has_key(line, len, "parent", &value, &n))
		return h->parents->len >= COMMIT_MAX_PARENTS * COMMIT_OID_LEN ||
		       add_oid(h->parents, value, n);
	if (!h->author && has_key(line, len, "author", &value, &n)) {
		h->author = value;
		h->author_len = n;
	} else if (!h->committer &&
		   has_key(line, len, "committer", &value, &n)) {
		h->committer = value;
		h->committer_len = n;
	} else if (!h->encoding && has_key(line, len, "encoding", &value, &n)) {
		h->encoding = value;
		h->encoding_len = n;
	}
	return TRUE;
}

static gboolean read_head(struct head *h, const char *raw, gsize len)
{
	const char *p = raw, *end = raw + len;

	if (len < 5 || memcmp(raw, "tree ", 5) != 0)
		return FALSE;
	while (p < end && *p != '\n') {
		const char *eol = memchr(p, '\n', (gsize)(end - p));

		if (!eol)
			eol = end;
		if (!read_line(h, p, (gsize)(eol - p)))
			return FALSE;
		p = eol < end ? eol + 1 : end;
	}
	h->message = p < end ? p + 1 : end;
	h->message_len = (gsize)(end - h->message);
	return h->committer != NULL;
}

/* "Name <address> 1600000000 +0200": the seconds, from the end. */
static gint64 stamp_of(const char *text, gsize len)
{
	const char *end = text + len, *p = end;
	gint64 seconds;

	while (p > text && p[-1] != '>')
		p--;
	while (p < end && *p == ' ')
		p++;
	if (p == end || !g_ascii_isdigit(*p))
		return 0;
	for (seconds = 0; p < end && g_ascii_isdigit(*p); p++) {
		if (seconds > G_MAXINT32 * (gint64)100)
			return 0;
		seconds = seconds * 10 + (*p - '0');
	}
	return seconds;
}

/* ---- text */

static char *to_utf8(const struct head *h, const char *text, gsize len)
{
	g_autofree char *from =
		h->encoding ? g_strndup(h->encoding, h->encoding_len) : NULL;
	const char *nul = memchr(text, '\0', len);
	char *out = NULL;

	len = nul ? (gsize)(nul - text) : len;
	if (from && g_ascii_strcasecmp(from, "utf-8") != 0)
		out = g_convert(text, (gssize)len, "UTF-8", from, NULL, NULL,
				NULL);
	if (!out && !g_utf8_validate(text, (gssize)len, NULL))
		out = g_convert(text, (gssize)len, "UTF-8", "WINDOWS-1252",
				NULL, NULL, NULL);
	return out ? out : g_utf8_make_valid(text, (gssize)len);
}

static struct address *person_of(const struct head *h, const char *text,
				 gsize len)
{
	g_autofree char *all = to_utf8(h, text ? text : "", text ? len : 0);
	char *open = strchr(all, '<');
	char *close = open ? strchr(open, '>') : NULL;

	if (!close)
		return address_new(g_strstrip(all), "");
	*open = *close = '\0';
	return address_new(g_strstrip(all), g_strstrip(open + 1));
}

static char *subject_of(const char *message)
{
	const char *p = message + strspn(message, "\n\r\t ");
	const char *end = strstr(p, "\n\n");
	gsize len = end ? (gsize)(end - p) : strlen(p);
	GString *out = g_string_sized_new(MIN(len, COMMIT_MAX_SUBJECT) + 1);
	gboolean gap = FALSE;

	for (; len && out->len < COMMIT_MAX_SUBJECT; p++, len--) {
		if (g_ascii_isspace(*p)) {
			gap = TRUE;
			continue;
		}
		if (gap && out->len)
			g_string_append_c(out, ' ');
		gap = FALSE;
		g_string_append_c(out, *p);
	}
	if (len)
		g_string_truncate(out, (gsize)(g_utf8_find_prev_char(
						       out->str,
						       out->str + out->len) -
					       out->str));
	return g_string_free(out, FALSE);
}

static char *trailers_of(const char *message)
{
	g_autoptr(GPtrArray) all = trailers_in_commit(message, 1);
	GString *out = g_string_new(NULL);

	for (guint i = 0; i < all->len; i++) {
		const struct trailer *t = all->pdata[i];

		g_string_append_printf(out, "%s%s: %s", out->len ? "\n" : "",
				       t->key, t->value);
	}
	if (out->len)
		return g_string_free(out, FALSE);
	g_string_free(out, TRUE);
	return NULL;
}

/* ---- what it says of others */

static struct commit_note *add_note(struct commit_object *c,
				    enum commit_says says)
{
	struct commit_note *n;

	if (c->notes->len >= COMMIT_MAX_NOTES)
		return NULL;
	n = g_new0(struct commit_note, 1);
	n->says = says;
	g_ptr_array_add(c->notes, n);
	return n;
}

static void add_links(struct commit_object *c, const body *b)
{
	g_autoptr(GPtrArray) links = links_find(b);

	for (guint i = 0; i < links->len; i++) {
		const struct link *l = links->pdata[i];
		struct commit_note *n =
			add_note(c, l->role == LINK_LINK ? SAYS_LINK
				    : l->role == LINK_CLOSES
					    ? SAYS_CLOSES
					    : SAYS_MENTIONS_URL);

		if (!n)
			return;
		n->mid = g_strdup(l->message_id);
		n->url = g_strdup(l->url);
	}
}

static enum commit_says says_of(const char *text, const struct commit_ref *r)
{
	g_autofree char *picked = NULL;

	switch (r->role) {
	case COMMIT_FIXES:
		return SAYS_FIXES;
	case COMMIT_REVERTED:
		return SAYS_REVERTS;
	case COMMIT_PARENT:
		picked = g_strconcat("icked from commit ", r->id, NULL);
		return strstr(text, picked) ? SAYS_PICKED : SAYS_BACKPORTS;
	default:
		return SAYS_MENTIONS;
	}
}

static void add_refs(struct commit_object *c, const char *text, const body *b)
{
	g_autoptr(GPtrArray) refs = commit_refs_find(b);

	for (guint i = 0; i < refs->len; i++) {
		const struct commit_ref *r = refs->pdata[i];
		struct commit_note *n = add_note(c, says_of(text, r));

		if (!n)
			return;
		n->id = g_strdup(r->id);
		n->subject = g_strdup(r->subject);
	}
}

static gboolean says_any(const struct commit_object *c, enum commit_says says)
{
	for (guint i = 0; i < c->notes->len; i++)
		if (((struct commit_note *)c->notes->pdata[i])->says == says)
			return TRUE;
	return FALSE;
}

/* Revert "title" without the id. */
static void add_revert(struct commit_object *c)
{
	static const char word[] = "Revert \"";
	gsize len = strlen(c->subject);
	struct commit_note *n;

	if (!g_str_has_prefix(c->subject, word) || len <= sizeof(word) ||
	    c->subject[len - 1] != '"' || says_any(c, SAYS_REVERTS))
		return;
	n = add_note(c, SAYS_REVERTS);
	if (n)
		n->subject = g_strndup(c->subject + sizeof(word) - 1,
				       len - sizeof(word));
}

static void read_message(struct commit_object *c, const char *message)
{
	g_autoptr(body) b = body_parse(message, strlen(message));

	c->subject = subject_of(message);
	c->trailers = trailers_of(message);
	add_refs(c, message, b);
	add_links(c, b);
	add_revert(c);
}

/* No more than is looked at, and no half of a character. */
static gsize message_cut(const struct head *h)
{
	gsize len = MIN(h->message_len, COMMIT_MAX_MESSAGE);

	while (len && len < h->message_len &&
	       ((guchar)h->message[len] & 0xc0) == 0x80)
		len--;
	return len;
}

struct commit_object *commit_object_parse(const char *raw, gsize len)
{
	g_autoptr(commit_object_auto) c = g_new0(struct commit_object, 1);
	struct head h = {0};
	g_autofree char *message = NULL;

	c->parents = h.parents = g_byte_array_new();
	c->notes = g_ptr_array_new_with_free_func(note_free);
	if (!read_head(&h, raw, len))
		return NULL;
	c->author = person_of(&h, h.author, h.author_len);
	c->committer = person_of(&h, h.committer, h.committer_len);
	c->author_date = stamp_of(h.author ? h.author : "", h.author_len);
	c->commit_date = stamp_of(h.committer, h.committer_len);
	message = to_utf8(&h, h.message, message_cut(&h));
	read_message(c, message);
	return g_steal_pointer(&c);
}

gboolean commit_object_parents(const char *raw, gsize len, GByteArray *parents,
			       gint64 *date)
{
	struct head h = {.parents = parents};

	if (!read_head(&h, raw, len))
		return FALSE;
	*date = stamp_of(h.committer, h.committer_len);
	return TRUE;
}
