/* reply.c - an answer to a mail */
#include "mail/reply.h"

#include <string.h>

#include "mail/msgid.h"
#include "mail/recipients.h"
#include "mail/subject.h"

#define ID_HASH 8 /* hex digits in a Message-ID of ours */

/* ---- References */

/* Every "<id>" of a field, as it stands, also one that comes twice. */
static GPtrArray *field_ids(const message *msg, const char *name)
{
	g_autofree char *value = header_dup(message_header(msg), name);
	GPtrArray *ids = g_ptr_array_new_with_free_func(g_free);

	for (const char *p = value; p && (p = strchr(p, '<'));) {
		gsize len = strcspn(++p, "<> \t");

		if (len && p[len] == '>' && ids->len < MSGID_MAX_IDS)
			g_ptr_array_add(ids, g_strndup(p, len));
	}
	return ids;
}

static char *bracketed(const char *id)
{
	return g_strdup_printf("<%s>", id);
}

/* The last place of an id counts. */
static void add_id(GPtrArray *ids, const char *id)
{
	g_autofree char *text = bracketed(id);
	guint at;

	if (g_ptr_array_find_with_equal_func(ids, text, g_str_equal, &at))
		g_ptr_array_remove_index(ids, at);
	g_ptr_array_add(ids, g_steal_pointer(&text));
}

static gsize ids_len(GPtrArray *ids)
{
	gsize len = 0;

	for (guint i = 0; i < ids->len; i++)
		len += strlen(ids->pdata[i]) + 1;
	return len ? len - 1 : 0;
}

static void bound_ids(GPtrArray *ids)
{
	if (ids->len <= OUTGOING_MAX_REFS && ids_len(ids) <= OUTGOING_REFS_LEN)
		return;
	if (ids->len > OUTGOING_LAST_REFS + 1)
		g_ptr_array_remove_range(ids, 1,
					 ids->len - OUTGOING_LAST_REFS - 1);
}

GPtrArray *reply_references(const message *parent)
{
	g_autoptr(GPtrArray) refs = field_ids(parent, "References");
	g_autoptr(GPtrArray) above = field_ids(parent, "In-Reply-To");
	GPtrArray *from = refs->len || above->len != 1 ? refs : above;
	GPtrArray *out = g_ptr_array_new_with_free_func(g_free);

	for (guint i = 0; i < from->len; i++)
		add_id(out, from->pdata[i]);
	if (!message_id_made(parent))
		add_id(out, message_id(parent));
	bound_ids(out);
	return out;
}

/* ---- Message-ID */

/* The same answer has the same id, however often it is made. */
static char *make_id(const message *parent, const struct outgoing *m,
		     const struct reply_options *opt)
{
	const char *at = strchr(opt->from->address, '@');
	const char *host = opt->host ? opt->host : at ? at + 1 : "localhost";
	g_autoptr(GChecksum) sum = g_checksum_new(G_CHECKSUM_SHA256);
	g_autoptr(GDateTime) t = g_date_time_new_from_unix_utc(opt->now);
	g_autofree char *when =
		t ? g_date_time_format(t, "%Y%m%d%H%M%S") : g_strdup("0");

	g_checksum_update(sum, (const guchar *)message_id(parent), -1);
	g_checksum_update(sum, (const guchar *)"\n", 1);
	g_checksum_update(sum, (const guchar *)m->body, -1);
	return g_strdup_printf("<culprit.%s.%.*s@%s>", when, ID_HASH,
			       g_checksum_get_string(sum), host);
}

/* ---- the whole */

static char *make_body(const message *parent,
		       const struct quote_anchor *anchors, guint n,
		       const struct reply_options *opt, GError **err)
{
	g_autofree char *line =
		attribution_line(parent, opt->attribution, opt->now);
	g_autoptr(GString) out = g_string_new(line);
	const char *text = message_body(parent);
	gsize len = message_body_len(parent);

	g_string_append_c(out, '\n');
	if (!n)
		quote_all(out, text, len, opt->spaced);
	else if (!quote_answer(out, text, len, anchors, n, opt->spaced, err))
		return NULL;
	return g_string_free(g_steal_pointer(&out), FALSE);
}

static void set_recipients(struct outgoing *m, const message *parent,
			   const struct reply_options *opt)
{
	guint more = opt->also ? g_strv_length((char **)opt->also) : 0;
	g_autofree const char **own = g_new0(const char *, more + 2);
	struct recipients r;

	own[0] = opt->from->address;
	for (guint i = 0; i < more; i++)
		own[i + 1] = opt->also[i];
	recipients_of(parent, opt->everybody, own, &r);
	g_ptr_array_unref(m->to);
	g_ptr_array_unref(m->cc);
	m->to = r.to;
	m->cc = r.cc;
}

struct outgoing *reply_new(const message *parent,
			   const struct quote_anchor *anchors, guint n,
			   const struct reply_options *opt, GError **err)
{
	g_autoptr(outgoing_auto) m = outgoing_new();

	m->body = make_body(parent, anchors, n, opt, err);
	if (!m->body)
		return NULL;
	m->from = address_copy(opt->from);
	m->subject = subject_reply(message_subject(parent));
	m->date = opt->now;
	m->message_id = make_id(parent, m, opt);
	if (!message_id_made(parent))
		m->in_reply_to = bracketed(message_id(parent));
	g_ptr_array_unref(m->references);
	m->references = reply_references(parent);
	set_recipients(m, parent, opt);
	return g_steal_pointer(&m);
}
