/* bounce.c - our own mail that came back */
#include "mail/bounce.h"

#include <string.h>

#include "mail/mime_priv.h"

#define MAX_DIGITS 18

static void failed_free(void *data)
{
	struct bounce_failed *f = data;

	g_free(f->address);
	g_free(f->status);
	g_free(f->text);
	g_free(f);
}

void bounce_free(struct bounce *b)
{
	if (!b)
		return;
	g_ptr_array_unref(b->failed);
	g_free(b);
}

/* ---- the address */

static gboolean take_number(const char **p, gint64 *n)
{
	gsize len = strspn(*p, "0123456789");

	if (!len || len > MAX_DIGITS)
		return FALSE;
	*n = g_ascii_strtoll(*p, NULL, 10);
	*p += len;
	return TRUE;
}

gboolean bounce_address(const char *address, const char *own, gint64 *outbox,
			guint *number)
{
	gsize local = strcspn(own, "+@");
	const char *host = strrchr(own, '@'), *p = address + local;
	gint64 n;

	if (!host || g_ascii_strncasecmp(address, own, local) ||
	    g_ascii_strncasecmp(p, "+b-", 3))
		return FALSE;
	p += 3;
	if (!take_number(&p, outbox) || *p++ != '-' || !take_number(&p, &n) ||
	    n > G_MAXUINT || g_ascii_strcasecmp(p, host) != 0)
		return FALSE;
	*number = (guint)n;
	return TRUE;
}

static gboolean find_in(GPtrArray *all, const char *own, struct bounce *b)
{
	for (guint i = 0; i < all->len; i++) {
		const struct address *a = all->pdata[i];

		if (bounce_address(a->address, own, &b->outbox, &b->number))
			return TRUE;
	}
	return FALSE;
}

/* Who delivers it writes down for whom. */
static gboolean find_address(const message *msg, const char *own,
			     struct bounce *b)
{
	static const char *const names[] = {"Delivered-To", "X-Original-To",
					    "Envelope-To"};

	if (find_in(message_to(msg), own, b))
		return TRUE;
	for (guint i = 0; i < G_N_ELEMENTS(names); i++) {
		g_autofree char *value =
			header_dup(message_header(msg), names[i]);
		g_autoptr(GPtrArray) all =
			value ? address_parse_list(value) : NULL;

		if (all && find_in(all, own, b))
			return TRUE;
	}
	return FALSE;
}

/* ---- the report */

/* "rfc822; <ann@example.org>": what stands behind the type. */
static char *value_of(const header *h, const char *name)
{
	g_autofree char *value = header_dup_decoded(h, name);
	const char *p = value ? strchr(value, ';') : NULL;

	if (!value)
		return g_strdup("");
	return g_strstrip(g_strdup(p ? p + 1 : value));
}

static char *status_of(const header *h)
{
	char *text = header_dup_decoded(h, "Status");

	if (!text)
		return g_strdup("");
	text[strspn(text, "0123456789.")] = '\0';
	return text;
}

static void read_block(struct bounce *b, const char *text, gsize len)
{
	g_autoptr(header) h = header_scan(text, len, NULL);
	g_autofree char *action = header_dup(h, "Action");
	struct bounce_failed *f;

	if (!action || g_ascii_strcasecmp(action, "failed") ||
	    b->failed->len >= BOUNCE_MAX_FAILED)
		return;
	f = g_new0(struct bounce_failed, 1);
	f->address = value_of(h, "Final-Recipient");
	if (!*f->address) {
		g_free(f->address);
		f->address = value_of(h, "Original-Recipient");
	}
	g_strstrip(g_strdelimit(f->address, "<>", ' '));
	f->status = status_of(h);
	f->text = value_of(h, "Diagnostic-Code");
	g_ptr_array_add(b->failed, f);
}

/* Blocks of fields with an empty line between two. */
static void read_report(struct bounce *b, const GString *report)
{
	const char *p = report->str, *end = report->str + report->len;

	while (p < end) {
		const char *gap = g_strstr_len(p, (gssize)(end - p), "\n\n");
		const char *stop = gap ? gap + 1 : end;

		if (stop > p)
			read_block(b, p, (gsize)(stop - p));
		p = gap ? gap + 2 : end;
	}
}

static void read_parts(struct bounce *b, const message *msg)
{
	gsize len, at = 0;
	const char *raw = g_bytes_get_data(message_raw(msg), &len);
	g_autoptr(header) h = header_scan(raw, len, &at);
	g_autoptr(GPtrArray) warnings = warnings_new();
	g_autoptr(GPtrArray) parts =
		mime_split(h, raw + at, len - at, warnings);

	for (guint i = 0; i < parts->len; i++) {
		const struct mime_part *p = parts->pdata[i];
		g_autoptr(GString) text = NULL;
		gboolean cut;

		if (!p->type ||
		    !g_str_equal(p->type, "message/delivery-status"))
			continue;
		text = mime_decode(p, BOUNCE_MAX_REPORT, &cut);
		read_report(b, text);
	}
}

struct bounce *bounce_read(const message *msg, const char *own)
{
	g_autoptr(bounce_auto) b = g_new0(struct bounce, 1);

	b->failed = g_ptr_array_new_with_free_func(failed_free);
	if (!find_address(msg, own, b))
		return NULL;
	read_parts(b, msg);
	return g_steal_pointer(&b);
}
