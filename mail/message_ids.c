/* message_ids.c - which messages a mail names, and which is its parent
 * The rules of threads: a pure function of the mail alone. Works on raw
 * header values; must not decode before msgid.c has looked at them. */
#include <string.h>

#include "mail/id_set.h"
#include "mail/message_priv.h"
#include "mail/msgid.h"

#define MAX_FIELDS 100 /* of one name; more are not read */

/* All ids of all fields called `name`. `clean` stays TRUE if each field that
 * holds anything is exactly one <id>. */
static GPtrArray *read_field(const header *h, const char *name,
			     enum msgid_field field, gboolean *clean)
{
	GPtrArray *all = g_ptr_array_new_with_free_func(g_free);
	struct id_set set = {.ids = all};
	const struct header_field *f = header_find(h, name);
	guint n, i;

	for (n = 0; f && n < MAX_FIELDS; n++) {
		g_autofree char *value = header_unfold(f);
		g_autoptr(GPtrArray) ids = NULL;
		gboolean exact;

		ids = msgid_extract(value, field, &exact);
		if (clean && *value && !exact)
			*clean = FALSE;
		for (i = 0; i < ids->len && all->len < MSGID_MAX_IDS; i++)
			if (id_set_add(&set, ids->pdata[i]))
				ids->pdata[i] = NULL;
		f = header_next(h, name, f);
	}
	id_set_clear(&set);
	return all;
}

static char *made_id(const message *msg)
{
	g_autofree char *date = header_dup(msg->head, "Date");
	g_autofree char *from = header_dup(msg->head, "From");
	g_autofree char *subject = header_dup(msg->head, "Subject");
	g_autofree char *to = header_dup(msg->head, "To");

	return msgid_make(date, from, subject, to, msg->rest, msg->rest_len);
}

static void read_own(message *msg)
{
	msg->extra_ids = read_field(msg->head, "Message-ID",
				    MSGID_FIELD_MESSAGE_ID, NULL);
	if (msg->extra_ids->len) {
		msg->id = g_ptr_array_steal_index(msg->extra_ids, 0);
		return;
	}
	msg->id = made_id(msg);
	msg->id_made = TRUE;
	warnings_add(msg->warnings, "no-message-id", "no usable Message-ID");
}

static gboolean is_address_in(const GPtrArray *people, const char *id)
{
	guint i;

	for (i = 0; i < people->len; i++) {
		const struct address *a = g_ptr_array_index(people, i);

		if (g_ascii_strcasecmp(a->address, id) == 0)
			return TRUE;
	}
	return FALSE;
}

/* Remove what cannot be another mail: this one, and pasted addresses. */
static void drop_wrong(const message *msg, GPtrArray *ids)
{
	guint i = 0;

	while (i < ids->len) {
		const char *id = g_ptr_array_index(ids, i);

		if (strcmp(id, msg->id) == 0 || is_address_in(msg->to, id) ||
		    is_address_in(msg->cc, id) ||
		    g_ascii_strcasecmp(msg->from->address, id) == 0)
			g_ptr_array_remove_index(ids, i);
		else
			i++;
	}
}

static const char *last_of(const GPtrArray *ids)
{
	return ids->len ? g_ptr_array_index(ids, ids->len - 1) : NULL;
}

/* One clean In-Reply-To wins wherever it stands in References: gateways
 * append ids of their own there. Else References know better. */
static const char *choose_parent(const message *msg, gboolean clean)
{
	const char *last = last_of(msg->references);
	const char *first;

	if (!msg->replied->len)
		return last;
	first = g_ptr_array_index(msg->replied, 0);
	if (!last)
		return first;
	if (msg->replied->len > 1)
		return g_ptr_array_find_with_equal_func(msg->replied, last,
							g_str_equal, NULL)
			       ? last
			       : first;
	return clean ? first : last;
}

static void add_new(struct id_set *set, const GPtrArray *ids)
{
	guint i;

	for (i = 0; i < ids->len; i++)
		id_set_add(set, g_ptr_array_index(ids, i));
}

void message_read_ids(message *msg)
{
	struct id_set all = {.ids = g_ptr_array_new()};
	gboolean clean = TRUE;

	read_own(msg);
	msg->replied = read_field(msg->head, "In-Reply-To",
				  MSGID_FIELD_IN_REPLY_TO, &clean);
	msg->references = read_field(msg->head, "References",
				     MSGID_FIELD_REFERENCES, NULL);
	if (!msg->replied->len) {
		g_autofree char *value = header_dup(msg->head, "In-Reply-To");

		if (value && *value)
			msg->parent_marc = msgid_from_marc(value);
	}
	drop_wrong(msg, msg->replied);
	drop_wrong(msg, msg->references);
	msg->parent = choose_parent(msg, clean);
	add_new(&all, msg->references);
	add_new(&all, msg->replied);
	add_new(&all, msg->extra_ids);
	id_set_clear(&all);
	msg->thread_ids = all.ids;
}
