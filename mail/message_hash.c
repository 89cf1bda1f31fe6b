/* message_hash.c - hashes that tell whether two copies are the same mail
 * threads-patches 1.4: one strict, one that overlooks what lists change. */
#include <string.h>

#include "mail/body.h"
#include "mail/message_priv.h"
#include "mail/subject.h"

#define HASH_BYTES 32

static void put(GChecksum *sum, const char *name, const char *value, gsize len)
{
	g_checksum_update(sum, (const guchar *)name, (gssize)strlen(name) + 1);
	g_checksum_update(sum, (const guchar *)value, (gssize)len);
	g_checksum_update(sum, (const guchar *)"", 1);
}

static void put_string(GChecksum *sum, const char *name, const char *value)
{
	if (value)
		put(sum, name, value, strlen(value));
}

static int compare(gconstpointer a, gconstpointer b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void put_ids(GChecksum *sum, const message *msg)
{
	g_autoptr(GPtrArray) ids = g_ptr_array_new();
	guint i;

	for (i = 0; i < msg->thread_ids->len; i++) {
		char *id = g_ptr_array_index(msg->thread_ids, i);

		if (!g_ptr_array_find_with_equal_func(msg->extra_ids, id,
						      g_str_equal, NULL))
			g_ptr_array_add(ids, id);
	}
	g_ptr_array_sort(ids, compare);
	for (i = 0; i < ids->len; i++)
		put_string(sum, "id", g_ptr_array_index(ids, i));
}

/* Quotes and runs of blanks removed, domains in lower case. */
static void put_people(GChecksum *sum, const header *h, const char *name)
{
	g_autofree char *value = header_dup_decoded(h, name);
	gboolean domain = FALSE;
	GString *out;
	const char *p;

	if (!value)
		return;
	out = g_string_sized_new(strlen(value));
	for (p = value; *p; p++) {
		if (*p == '"' ||
		    (*p == ' ' && out->len && out->str[out->len - 1] == ' '))
			continue;
		if (*p == '@')
			domain = TRUE;
		else if (strchr(">, ", *p))
			domain = FALSE;
		g_string_append_c(out, domain ? g_ascii_tolower(*p) : *p);
	}
	put(sum, name, out->str, out->len);
	g_string_free(out, TRUE);
}

static void put_part(GChecksum *sum, const struct mime_part *p)
{
	gboolean cut;
	GString *text = mime_decode(p, MESSAGE_MAX_BODY, &cut);

	put_string(sum, "name", p->name);
	if (p->head) {
		g_autoptr(header) h = header_scan(p->head, p->head_len, NULL);
		g_autofree char *about =
			header_dup_decoded(h, "Content-Description");

		put_string(sum, "description", about);
	}
	if (g_str_has_prefix(p->type, "text/")) {
		GString *utf8 = g_string_sized_new(text->len + 1);

		charset_append(utf8, text->str, text->len, p->charset);
		g_string_free(text, TRUE);
		text = utf8;
	}
	while (text->len && g_ascii_isspace(text->str[text->len - 1]))
		g_string_truncate(text, text->len - 1);
	put(sum, "text", text->str, text->len);
	g_string_free(text, TRUE);
}

static void finish(GChecksum *sum, guint8 hash[HASH_BYTES])
{
	gsize len = HASH_BYTES;

	g_checksum_get_digest(sum, hash, &len);
	g_checksum_free(sum);
}

void message_content_hash(const message *msg, guint8 hash[HASH_BYTES])
{
	GChecksum *sum = g_checksum_new(G_CHECKSUM_SHA256);
	g_autofree char *date = header_dup(msg->head, "Date");
	guint i;

	put_ids(sum, msg);
	put_people(sum, msg->head,
		   header_find(msg->head, "From") ? "From" : "Sender");
	put_string(sum, "Subject", msg->subject);
	put_string(sum, "Date", date);
	put_people(sum, msg->head, "To");
	put_people(sum, msg->head, "Cc");
	for (i = 0; i < msg->parts->len; i++)
		put_part(sum, g_ptr_array_index(msg->parts, i));
	finish(sum, hash);
}

/* The words of the body: lists add footers, and gateways blanks. */
static void put_body(GChecksum *sum, const message *msg)
{
	g_autoptr(body) b = body_parse(msg->body->str, msg->body->len);
	guint i;

	for (i = 0; i < body_count(b); i++) {
		const struct body_line *l = body_line(b, i);
		gsize len = l->len;

		while (len && g_ascii_isspace(l->text[len - 1]))
			len--;
		if (len && l->kind != BODY_FOOTER)
			put(sum, "", l->text, len);
	}
}

void message_loose_hash(const message *msg, guint8 hash[HASH_BYTES])
{
	GChecksum *sum = g_checksum_new(G_CHECKSUM_SHA256);
	g_autoptr(subject_auto) s = subject_parse(msg->subject, NULL);
	g_autofree char *date = header_dup(msg->head, "Date");
	g_autofree char *author = g_ascii_strdown(msg->from->address, -1);
	g_autofree char *numbers =
		g_strdup_printf("%d %d %d/%d", s->reply, s->version, s->number,
				s->total);

	put_string(sum, "author", author);
	put_string(sum, "subject", s->base);
	put_string(sum, "numbers", numbers);
	put_string(sum, "Date", date);
	put_body(sum, msg);
	finish(sum, hash);
}
