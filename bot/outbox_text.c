/* outbox_text.c - mail of the outbox for persons and programs */
#include "bot/outbox_text.h"

#include <git2.h>
#include <string.h>

#include "mail/date.h"

#include "bot/wrap_text.h"

#define FIRST_LINES 3

char *outbox_eml(const struct outbox_entry *e)
{
	g_autoptr(GBytes) bytes =
		outgoing_write(e->mail, OUTGOING_EML, TRUE, NULL);
	gsize len;
	const char *text = bytes ? g_bytes_get_data(bytes, &len) : NULL;

	return text ? g_strndup(text, len) : NULL;
}

/* ---- what it says first */

static gboolean is_own(const char *line, gsize len)
{
	if (!len || *line == '>')
		return FALSE;
	return len < 7 || memcmp(line + len - 7, " wrote:", 7) != 0;
}

/* Lines of ours, without the quotes. */
static GPtrArray *first_lines(const char *text)
{
	GPtrArray *all = g_ptr_array_new_with_free_func(g_free);

	while (*text && all->len < FIRST_LINES) {
		gsize len = strcspn(text, "\n");

		if (len == 3 && !memcmp(text, "-- ", 3))
			break;
		if (is_own(text, len))
			g_ptr_array_add(all, g_strndup(text, len));
		text += len + (text[len] == '\n');
	}
	return all;
}

/* ---- JSON */

static json_t *text_or_null(const char *text)
{
	return text && *text ? json_string(text) : json_null();
}

static json_t *time_or_null(gint64 t)
{
	g_autofree char *text = t ? date_to_rfc3339(t) : NULL;

	return text_or_null(text);
}

static json_t *view_rcpt(const struct outbox_rcpt *r)
{
	return json_pack("{s:i, s:s, s:o, s:s, s:b, s:b, s:s, s:o, s:o}",
			 "number", (int)r->number, "field", r->cc ? "cc" : "to",
			 "name", text_or_null(r->name), "address", r->address,
			 "list", r->is_list, "new", r->is_new, "state",
			 outbox_told_name(r->told), "code",
			 r->code ? json_integer(r->code) : json_null(), "text",
			 text_or_null(r->text));
}

static json_t *view_rcpts(const struct outbox_entry *e)
{
	json_t *list = json_array();

	for (guint i = 0; i < e->rcpts->len; i++)
		json_array_append_new(list, view_rcpt(e->rcpts->pdata[i]));
	return list;
}

static json_t *view_lines(const struct outbox_entry *e)
{
	g_autoptr(GPtrArray) lines = first_lines(e->mail->body);
	json_t *list = json_array();

	for (guint i = 0; i < lines->len; i++)
		json_array_append_new(list, json_string(lines->pdata[i]));
	return list;
}

static json_t *view_history(GPtrArray *history)
{
	json_t *list = json_array();

	for (guint i = 0; i < history->len; i++) {
		const struct outbox_event *v = history->pdata[i];

		json_array_append_new(list, json_pack("{s:o, s:s}", "time",
						      time_or_null(v->time),
						      "text", v->text));
	}
	return list;
}

json_t *outbox_view(const struct outbox_entry *e, GPtrArray *history)
{
	g_autofree char *eml = outbox_eml(e);
	json_t *o = json_pack(
		"{s:s, s:I, s:s, s:o, s:s, s:o, s:s, s:o, s:o, s:o, s:s, s:b}",
		"schema", "culprit/outbox/1", "id", (json_int_t)e->id, "state",
		outbox_state_name(e->state), "why", text_or_null(e->why),
		"kind", outbox_kind_name(e->kind), "rule",
		text_or_null(e->rule), "message_id", e->message_id, "parent",
		text_or_null(e->parent), "item", text_or_null(e->item),
		"author", text_or_null(e->author), "subject", e->mail->subject,
		"public", e->public);

	json_object_set_new(o, "created", time_or_null(e->created));
	json_object_set_new(o, "approved", time_or_null(e->approved));
	json_object_set_new(o, "due", time_or_null(e->due));
	json_object_set_new(o, "released", time_or_null(e->released));
	json_object_set_new(o, "attempts", json_integer(e->attempts));
	json_object_set_new(o, "size",
			    eml ? json_integer((json_int_t)strlen(eml))
				: json_null());
	json_object_set_new(o, "recipients", view_rcpts(e));
	json_object_set_new(o, "lines", view_lines(e));
	if (!history)
		return o;
	json_object_set_new(o, "history", view_history(history));
	json_object_set_new(o, "message", text_or_null(eml));
	return o;
}

/* ---- text */

static void add_rcpt(GString *out, const struct outbox_rcpt *r)
{
	const char *state = outbox_told_name(r->told);

	g_string_append_printf(out, "    %s %s%s%s", r->cc ? "Cc" : "To",
			       r->address, r->is_list ? " (list)" : "",
			       r->is_new ? " (new: the parent did not go there)"
					 : "");
	if (r->told == OUTBOX_PENDING)
		g_string_append_c(out, '\n');
	else if (r->code)
		g_string_append_printf(out, ": %s, %u %s\n", state, r->code,
				       r->text);
	else
		g_string_append_printf(out, ": %s%s%s\n", state,
				       *r->text ? ", " : "", r->text);
}

void outbox_text(GString *out, const struct outbox_entry *e)
{
	g_autoptr(GPtrArray) lines = first_lines(e->mail->body);
	g_autofree char *eml = outbox_eml(e);
	g_autofree char *due = date_to_rfc3339(e->due);
	gboolean waits = e->state == OUTBOX_APPROVED ||
			 e->state == OUTBOX_RETRY ||
			 e->state == OUTBOX_UNCERTAIN;

	g_string_append_printf(out, "%" G_GINT64_FORMAT " %s%s%s%s%s\n", e->id,
			       outbox_state_name(e->state), *e->why ? ": " : "",
			       e->why, waits ? ", until " : "",
			       waits ? due : "");
	g_string_append_printf(out,
			       "    %s (%s, %s), %" G_GSIZE_FORMAT " bytes\n",
			       e->mail->subject, outbox_kind_name(e->kind),
			       *e->rule ? e->rule : "no rule told",
			       eml ? strlen(eml) : 0);
	for (guint i = 0; i < e->rcpts->len; i++)
		add_rcpt(out, e->rcpts->pdata[i]);
	for (guint i = 0; i < lines->len; i++)
		g_string_append_printf(out, "    | %s\n",
				       (char *)lines->pdata[i]);
}

void outbox_text_whole(GString *out, const struct outbox_entry *e,
		       GPtrArray *history)
{
	g_autofree char *eml = outbox_eml(e);

	outbox_text(out, e);
	for (guint i = 0; i < history->len; i++) {
		const struct outbox_event *v = history->pdata[i];
		g_autofree char *time = date_to_rfc3339(v->time);

		g_string_append_printf(out, "    %s %s\n", time, v->text);
	}
	g_string_append_printf(out, "\n%s", eml ? eml : "");
}

/* ---- what changed */

/* The Date is that of the moment it goes out. */
static char *without_date(const char *eml)
{
	const char *date = strstr(eml, "\nDate:");
	const char *rest = date ? strchr(date + 1, '\n') : NULL;

	if (!rest)
		return g_strdup(eml);
	return g_strdup_printf("%.*s%s", (int)(date - eml), eml, rest);
}

char *outbox_diff(const struct outbox_entry *e)
{
	g_autofree char *eml = outbox_eml(e);
	g_autofree char *now = eml ? without_date(eml) : NULL;
	git_diff_options opt;
	git_buf buf = {0};
	git_patch *patch = NULL;
	char *text = NULL;

	if (!now || !e->approved_text || g_str_equal(now, e->approved_text))
		return NULL;
	if (git_libgit2_init() < 0)
		return NULL;
	if (!git_diff_options_init(&opt, GIT_DIFF_OPTIONS_VERSION) &&
	    !git_patch_from_buffers(&patch, e->approved_text,
				    strlen(e->approved_text), "approved", now,
				    strlen(now), "now", &opt) &&
	    !git_patch_to_buf(&buf, patch))
		text = g_strndup(buf.ptr, buf.size);
	git_buf_dispose(&buf);
	git_patch_free(patch);
	git_libgit2_shutdown();
	return text;
}
