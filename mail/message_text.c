/* message_text.c - which parts a person reads, and which one git would
 * Chooses among the parts that mime.c found and puts their text together.
 * Must not interpret the text beyond "is there a diff". */
#include <string.h>

#include "mail/message_priv.h"

#define FOOTER_RULE 20 /* underscores that begin a list's footer part */

static gboolean is_type(const struct mime_part *p, const char *type)
{
	return strcmp(p->type, type) == 0;
}

static gboolean is_text(const struct mime_part *p)
{
	return g_str_has_prefix(p->type, "text/");
}

static struct mime_part *part_at(const message *msg, guint i)
{
	return g_ptr_array_index(msg->parts, i);
}

/* `mark` at the beginning of a line */
static gboolean has_line(const char *text, gsize len, const char *mark)
{
	gsize n = strlen(mark);
	const char *end = text + len, *p = text;

	while ((p = memmem(p, (gsize)(end - p), mark, n))) {
		if (p == text || p[-1] == '\n')
			return TRUE;
		p += n;
	}
	return FALSE;
}

/* Unquoted, in a text of several lines. */
static gboolean has_diff(const char *text, gsize len)
{
	return has_line(text, len, "diff --git ") ||
	       (has_line(text, len, "@@ -") && has_line(text, len, "+++ ") &&
		has_line(text, len, "--- "));
}

/* ---- the body */

static guint choose(message *msg, const char *type)
{
	guint i, n = 0;

	for (i = 0; i < msg->parts->len; i++) {
		struct mime_part *p = part_at(msg, i);

		if (p->attachment || !is_type(p, type))
			continue;
		p->body = TRUE;
		n++;
	}
	return n;
}

static gboolean is_footer(const struct mime_part *p)
{
	gsize i = 0, rule = 0;

	while (i < p->len && g_ascii_isspace(p->bytes[i]))
		i++;
	while (i + rule < p->len && p->bytes[i + rule] == '_')
		rule++;
	return rule >= FOOTER_RULE;
}

/* A list that added its footer as a part of its own made it the only plain
 * text of an HTML mail. */
static gboolean only_footers(const message *msg)
{
	guint i;

	for (i = 0; i < msg->parts->len; i++)
		if (part_at(msg, i)->body && !is_footer(part_at(msg, i)))
			return FALSE;
	return TRUE;
}

static void choose_body(message *msg)
{
	guint i, n = choose(msg, "text/plain");

	if (n && (n == msg->parts->len || !only_footers(msg)))
		return;
	if (choose(msg, "text/html") || n)
		return;
	for (i = 0; i < msg->parts->len && !n; i++)
		n = part_at(msg, i)->body = is_text(part_at(msg, i));
}

static void warn_charset(message *msg, const struct mime_part *p,
			 enum charset_result r)
{
	if (r == CHARSET_UNKNOWN)
		warnings_add(msg->warnings, "unknown-charset",
			     "charset %s is not known", p->charset);
	if (r == CHARSET_BROKEN)
		warnings_add(msg->warnings, "bad-charset",
			     "text is not the %s it claims to be", p->charset);
}

static void end_line(GString *s)
{
	if (s->len && s->str[s->len - 1] != '\n')
		g_string_append_c(s, '\n');
}

static GString *decode(message *msg, const struct mime_part *p, gsize max)
{
	gboolean cut;
	GString *s = mime_decode(p, max, &cut);

	if (cut) {
		const char *nl = memrchr(s->str, '\n', s->len);

		if (nl)
			g_string_truncate(s, (gsize)(nl - s->str) + 1);
		warnings_add(msg->warnings, "body-limit",
			     "text beyond %d bytes is not read",
			     MESSAGE_MAX_BODY);
	}
	end_line(s);
	return s;
}

static void replace(GString **s, GString *with)
{
	if (!with)
		return;
	g_string_free(*s, TRUE);
	*s = with;
}

/* The bytes of a part as text. */
static GString *part_text(message *msg, const struct mime_part *p,
			  const GString *bytes)
{
	GString *text = g_string_sized_new(bytes->len + 1);

	warn_charset(msg, p,
		     charset_append(text, bytes->str, bytes->len, p->charset));
	if (memchr(bytes->str, '\0', bytes->len))
		warnings_add(msg->warnings, "nul", "NUL bytes in the text");
	if (is_type(p, "text/html"))
		replace(&text, html_to_text(text->str, text->len));
	else if (p->flowed && has_diff(text->str, text->len))
		replace(&text, flowed_unstuff(text->str, text->len));
	else if (p->flowed)
		replace(&text, flowed_join(text->str, text->len, p->delsp));
	msg->flowed = msg->flowed || p->flowed;
	msg->html = msg->html || is_type(p, "text/html");
	return text;
}

/* What git would see of a part: transfer-decoded, no charset converted. */
static GString *patch_bytes(const struct mime_part *p, GString *bytes)
{
	if (p->flowed && has_diff(bytes->str, bytes->len))
		replace(&bytes, flowed_unstuff(bytes->str, bytes->len));
	return bytes;
}

static void take_part(message *msg, const struct mime_part *p)
{
	gsize have = msg->body ? msg->body->len : 0;
	GString *bytes, *text;

	bytes = decode(msg, p, MESSAGE_MAX_BODY - MIN(have, MESSAGE_MAX_BODY));
	text = part_text(msg, p, bytes);
	if (msg->body) {
		if (!msg->patch)
			msg->patch = g_string_new_len(msg->body->str,
						      (gssize)msg->body->len);
		g_string_append_len(msg->body, text->str, (gssize)text->len);
		g_string_free(text, TRUE);
		g_string_free(bytes, TRUE);
		return;
	}
	msg->body = text;
	/* the first text is the patch too, till a better one is found */
	bytes = patch_bytes(p, bytes);
	if (text->len == bytes->len &&
	    memcmp(text->str, bytes->str, text->len) == 0)
		g_string_free(bytes, TRUE);
	else
		msg->patch = bytes;
}

/* ---- the patch */

static gboolean is_patch_type(const struct mime_part *p)
{
	return strstr(p->type, "/x-patch") || strstr(p->type, "/x-diff") ||
	       strcmp(p->type, "text/patch") == 0 ||
	       strcmp(p->type, "text/diff") == 0;
}

static gboolean is_patch_name(const struct mime_part *p)
{
	return p->name && (g_str_has_suffix(p->name, ".patch") ||
			   g_str_has_suffix(p->name, ".diff"));
}

/* The bytes of part `i` if it holds a diff, else NULL. */
static GString *diff_of(const struct mime_part *p)
{
	gboolean cut;
	GString *bytes = mime_decode(p, MESSAGE_MAX_BODY, &cut);

	if (!has_diff(bytes->str, bytes->len)) {
		g_string_free(bytes, TRUE);
		return NULL;
	}
	end_line(bytes);
	return patch_bytes(p, bytes);
}

/* Text that may be a patch: in the first round parts that say so. */
static gboolean is_candidate(const struct mime_part *p, guint round)
{
	gboolean says = is_patch_type(p) || is_patch_name(p);

	if (round == 0)
		return says;
	return !says && is_text(p) && !is_type(p, "text/html");
}

static gboolean take_diff(message *msg, guint i, guint first)
{
	gsize len;
	const char *now = message_patch_bytes(msg, &len);
	GString *bytes;

	if (i == first)
		return has_diff(now, len);
	bytes = diff_of(part_at(msg, i));
	if (!bytes)
		return FALSE;
	if (msg->patch)
		g_string_free(msg->patch, TRUE);
	msg->patch = bytes;
	msg->patch_attached = TRUE;
	return TRUE;
}

/* Prefer a part that says it is a patch, then any text with a diff. */
static void choose_patch(message *msg)
{
	guint i, round, first = 0;

	while (first < msg->parts->len && !part_at(msg, first)->body)
		first++;
	for (round = 0; round < 2; round++)
		for (i = 0; i < msg->parts->len; i++)
			if (is_candidate(part_at(msg, i), round) &&
			    take_diff(msg, i, first))
				return;
}

/* ---- the rest */

static void list_attachments(message *msg)
{
	gboolean alternative = FALSE;
	guint i;

	for (i = 0; i < msg->parts->len; i++)
		if (part_at(msg, i)->body && part_at(msg, i)->alternative)
			alternative = TRUE;
	for (i = 0; i < msg->parts->len; i++) {
		const struct mime_part *p = part_at(msg, i);
		g_autofree char *type = NULL;

		if (p->body || (p->alternative && alternative && is_text(p)))
			continue;
		type = header_decode(p->type);
		g_ptr_array_add(msg->attachments,
				g_strdup_printf("%s (%s, %" G_GSIZE_FORMAT
						" bytes)",
						p->name ? p->name : "unnamed",
						type, mime_size(p)));
	}
}

void message_read_text(message *msg)
{
	guint i;

	msg->parts =
		mime_split(msg->head, msg->rest, msg->rest_len, msg->warnings);
	msg->attachments = g_ptr_array_new_with_free_func(g_free);
	choose_body(msg);
	for (i = 0; i < msg->parts->len; i++)
		if (part_at(msg, i)->body)
			take_part(msg, part_at(msg, i));
	if (!msg->body)
		msg->body = g_string_new(NULL);
	if (msg->parts->len > 1)
		choose_patch(msg);
	list_attachments(msg);
}
