/* message.c - one mail, decoded once
 * Puts the header's grammars and the MIME parts together. Must not read the
 * body's meaning: that is for body.c and those above it. */
#include "mail/message.h"

#include <string.h>

#include "mail/date.h"
#include "mail/error.h"
#include "mail/message_priv.h"
#include "mail/webcopy.h"

#define MAX_FIELDS 100 /* of one name; more are not read */

static GPtrArray *read_addresses(const header *h, const char *name)
{
	GPtrArray *all = NULL;
	const struct header_field *f = header_find(h, name);
	guint n;

	for (n = 0; f && n < MAX_FIELDS; n++) {
		g_autofree char *value = header_unfold(f);
		GPtrArray *list = address_parse_list(value);

		if (!all)
			all = list;
		else
			g_ptr_array_extend_and_steal(all, list);
		f = header_next(h, name, f);
	}
	return all ? all : address_parse_list("");
}

static struct address *read_sender(const header *h)
{
	g_autoptr(GPtrArray) list = NULL;

	if (!header_find(h, "Sender"))
		return NULL;
	list = read_addresses(h, "Sender");
	return list->len ? address_copy(g_ptr_array_index(list, 0)) : NULL;
}

static void add_list_id(GPtrArray *ids, char *id)
{
	guint i;

	g_strstrip(id);
	for (i = 0; i < ids->len; i++)
		if (!*id || !strcmp(g_ptr_array_index(ids, i), id)) {
			g_free(id);
			return;
		}
	if (*id)
		g_ptr_array_add(ids, id);
	else
		g_free(id);
}

/* "Name <list.host>" of List-Id; "list@host" of what majordomo wrote. */
static GPtrArray *read_list_ids(const header *h)
{
	static const char *const names[] = {"List-Id", "X-Mailing-List"};
	GPtrArray *ids = g_ptr_array_new_with_free_func(g_free);
	guint i, n;

	for (i = 0; i < G_N_ELEMENTS(names); i++) {
		const struct header_field *f = header_find(h, names[i]);

		for (n = 0; f && n < MAX_FIELDS; n++) {
			g_autofree char *raw = header_unfold(f);
			g_autofree char *value = header_decode(raw);
			char *from = strrchr(value, '<');
			gsize len;

			from = from ? from + 1 : value;
			len = strcspn(from, ">; \t");
			g_strdelimit(from, "@", '.');
			add_list_id(ids, g_utf8_strdown(from, (gssize)len));
			f = header_next(h, names[i], f);
		}
	}
	return ids;
}

static void read_people(message *msg)
{
	header *h = msg->head;

	msg->from = address_author(h, NULL);
	msg->from_header = header_dup_decoded(h, "From");
	if (!msg->from_header) {
		warnings_add(msg->warnings, "no-from", "no From field");
		msg->from_header = g_strdup("");
	}
	msg->sender = read_sender(h);
	msg->reply_to = read_addresses(h, "Reply-To");
	msg->to = read_addresses(h, "To");
	msg->cc = read_addresses(h, "Cc");
	msg->list_ids = read_list_ids(h);
}

/* When the last hop took it: the date behind the last ';' of the first
 * Received field. */
static gboolean hop_date(const header *h, gint64 *utc)
{
	g_autofree char *value = header_dup(h, "Received");
	const char *date = value ? strrchr(value, ';') : NULL;

	return date && date_parse(date + 1, utc, NULL);
}

/* "+0200" as it stands in the value, else made from minutes. */
static char *zone_text(const char *value, int minutes)
{
	const char *p = value;

	while ((p = strpbrk(p, "+-"))) {
		if (p > value && g_ascii_isspace(p[-1]) &&
		    strspn(p + 1, "0123456789") == 4)
			return g_strndup(p, 5);
		p++;
	}
	if (minutes == G_MAXINT)
		return NULL;
	return g_strdup_printf("%c%02d%02d", minutes < 0 ? '-' : '+',
			       ABS(minutes) / 60, ABS(minutes) % 60);
}

static void read_date(message *msg, gint64 received)
{
	g_autofree char *value = header_dup(msg->head, "Date");
	gboolean valid = FALSE;
	int zone = G_MAXINT;
	gint64 hop;

	if (hop_date(msg->head, &hop) &&
	    (!received || hop <= received + MESSAGE_DATE_SLACK))
		received = hop;
	if (value) {
		valid = date_parse(value, &msg->date, &zone);
		msg->date_zone = zone_text(value, zone);
		if (!valid)
			warnings_add(msg->warnings, "bad-date", "Date: %s",
				     value);
	} else {
		warnings_add(msg->warnings, "no-date", "no Date field");
	}
	if (valid && received && msg->date > received + MESSAGE_DATE_SLACK) {
		warnings_add(msg->warnings, "future-date",
			     "Date: %s is after it was received", value);
		valid = FALSE;
	}
	if (!valid)
		msg->date = received;
}

static void read_header(message *msg, gint64 received)
{
	if (header_truncated(msg->head))
		warnings_add(msg->warnings, "header-limit",
			     "only the first %d fields or %d bytes of the "
			     "header are read",
			     HEADER_MAX_FIELDS, HEADER_MAX_BYTES);
	if (header_damaged(msg->head))
		warnings_add(msg->warnings, "header-damaged",
			     "the header ends in a line that is no field");
	msg->subject = header_dup_decoded(msg->head, "Subject");
	if (!msg->subject)
		msg->subject = g_strdup("");
	read_people(msg);
	read_date(msg, received);
	message_read_ids(msg);
}

/* Pages of web archives have passed no server, and have an id only as text. */
static GBytes *mail_of_page(GBytes *raw, const header *h)
{
	static const char link[] = "(raw)";
	const struct header_field *id;

	if (header_find(h, "Received") || header_find(h, "MIME-Version"))
		return NULL;
	id = header_find(h, "Message-ID");
	if (id && !memmem(id->value, id->value_len, link, strlen(link)))
		return NULL;
	return webcopy_to_mail(raw);
}

message *message_parse(GBytes *raw, gint64 received, GError **err)
{
	message *msg;
	gsize len, body;
	const char *bytes = g_bytes_get_data(raw, &len);
	header *h = header_scan(bytes ? bytes : "", len, &body);
	GBytes *mail = mail_of_page(raw, h);

	if (mail) {
		header_free(h);
		bytes = g_bytes_get_data(mail, &len);
		h = header_scan(bytes, len, &body);
	}
	if (!header_count(h)) {
		header_free(h);
		g_set_error(err, MAIL_ERROR, MAIL_ERROR_NOT_MAIL,
			    "message: no header field at the beginning");
		return NULL;
	}
	msg = g_new0(message, 1);
	g_atomic_ref_count_init(&msg->refs);
	msg->raw = g_bytes_ref(raw);
	msg->page_mail = mail;
	msg->head = h;
	msg->rest = bytes + body;
	msg->rest_len = len - body;
	msg->warnings = warnings_new();
	read_header(msg, received);
	message_read_text(msg);
	return msg;
}

message *message_ref(message *msg)
{
	g_atomic_ref_count_inc(&msg->refs);
	return msg;
}

static void free_array(GPtrArray *array)
{
	if (array)
		g_ptr_array_unref(array);
}

void message_unref(message *msg)
{
	if (!msg || !g_atomic_ref_count_dec(&msg->refs))
		return;
	free_array(msg->thread_ids);
	free_array(msg->extra_ids);
	free_array(msg->replied);
	free_array(msg->references);
	free_array(msg->reply_to);
	free_array(msg->to);
	free_array(msg->cc);
	free_array(msg->list_ids);
	free_array(msg->parts);
	free_array(msg->attachments);
	free_array(msg->warnings);
	address_free(msg->from);
	address_free(msg->sender);
	g_free(msg->id);
	g_free(msg->parent_marc);
	g_free(msg->subject);
	g_free(msg->from_header);
	g_free(msg->date_zone);
	g_string_free(msg->body, TRUE);
	if (msg->patch)
		g_string_free(msg->patch, TRUE);
	header_free(msg->head);
	g_bytes_unref(msg->raw);
	if (msg->page_mail)
		g_bytes_unref(msg->page_mail);
	g_free(msg);
}

/* ---- getters */

GBytes *message_raw(const message *msg)
{
	return msg->raw;
}

gboolean message_is_web_copy(const message *msg)
{
	return msg->page_mail != NULL;
}

const header *message_header(const message *msg)
{
	return msg->head;
}

const char *message_id(const message *msg)
{
	return msg->id;
}

gboolean message_id_made(const message *msg)
{
	return msg->id_made;
}

GPtrArray *message_extra_ids(const message *msg)
{
	return msg->extra_ids;
}

const char *message_subject(const message *msg)
{
	return msg->subject;
}

const struct address *message_from(const message *msg)
{
	return msg->from;
}

const char *message_from_header(const message *msg)
{
	return msg->from_header;
}

const struct address *message_sender(const message *msg)
{
	return msg->sender;
}

GPtrArray *message_reply_to(const message *msg)
{
	return msg->reply_to;
}

GPtrArray *message_to(const message *msg)
{
	return msg->to;
}

GPtrArray *message_cc(const message *msg)
{
	return msg->cc;
}

GPtrArray *message_list_ids(const message *msg)
{
	return msg->list_ids;
}

gint64 message_date(const message *msg)
{
	return msg->date;
}

const char *message_date_zone(const message *msg)
{
	return msg->date_zone;
}

const char *message_in_reply_to(const message *msg)
{
	return msg->replied->len ? g_ptr_array_index(msg->replied, 0) : NULL;
}

GPtrArray *message_references(const message *msg)
{
	return msg->references;
}

GPtrArray *message_thread_ids(const message *msg)
{
	return msg->thread_ids;
}

const char *message_parent(const message *msg)
{
	return msg->parent;
}

const char *message_parent_marc(const message *msg)
{
	return msg->parent_marc;
}

const char *message_body(const message *msg)
{
	return msg->body->str;
}

gsize message_body_len(const message *msg)
{
	return msg->body->len;
}

const char *message_patch_bytes(const message *msg, gsize *len)
{
	const GString *bytes = msg->patch ? msg->patch : msg->body;

	*len = bytes->len;
	return bytes->str;
}

gboolean message_patch_attached(const message *msg)
{
	return msg->patch_attached;
}

gboolean message_html(const message *msg)
{
	return msg->html;
}

gboolean message_flowed(const message *msg)
{
	return msg->flowed;
}

GPtrArray *message_attachments(const message *msg)
{
	return msg->attachments;
}

GPtrArray *message_warnings(const message *msg)
{
	return msg->warnings;
}
