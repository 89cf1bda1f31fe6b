/* reply_howto.c - how a person answers a mail: a command, a link */
#include "mail/reply_howto.h"

#include <string.h>

#define UNRESERVED_AT "@" /* stays readable in addresses */

/* As it stands, or in single quotes. */
static void append_word(GString *out, const char *word)
{
	const char *p = word;

	while (g_ascii_isalnum(*p) || (*p && strchr("_.,@%+=:/-", *p)))
		p++;
	if (*word && !*p) {
		g_string_append(out, word);
		return;
	}
	g_string_append_c(out, '\'');
	for (p = word; *p; p++) {
		if (*p == '\'')
			g_string_append(out, "'\\''");
		else
			g_string_append_c(out, *p);
	}
	g_string_append_c(out, '\'');
}

static void append_option(GString *out, const char *option, const char *word)
{
	g_string_append_printf(out, " \\\n    %s=", option);
	append_word(out, word);
}

static char *without_angles(const char *id)
{
	gsize len = strlen(id);

	if (len > 2 && id[0] == '<' && id[len - 1] == '>')
		return g_strndup(id + 1, len - 2);
	return g_strdup(id);
}

static void append_people(GString *out, const char *option, GPtrArray *all)
{
	for (guint i = 0; i < all->len; i++) {
		const struct address *a = all->pdata[i];

		append_option(out, option, a->address);
	}
}

char *reply_command(const struct outgoing *m)
{
	GString *out = g_string_new("git send-email --suppress-cc=all");

	if (m->in_reply_to) {
		g_autofree char *id = without_angles(m->in_reply_to);

		append_option(out, "--in-reply-to", id);
	}
	append_people(out, "--to", m->to);
	append_people(out, "--cc", m->cc);
	g_string_append(out, " \\\n    YOUR_FILE\n");
	return g_string_free(out, FALSE);
}

static void append_encoded(GString *out, const char *text)
{
	g_string_append_uri_escaped(out, text, UNRESERVED_AT, FALSE);
}

static void append_list(GString *out, GPtrArray *all)
{
	for (guint i = 0; i < all->len; i++) {
		const struct address *a = all->pdata[i];

		if (i)
			g_string_append_c(out, ',');
		append_encoded(out, a->address);
	}
}

char *reply_mailto(const struct outgoing *m)
{
	g_autoptr(GString) out = g_string_new("mailto:");
	gsize short_len;

	append_list(out, m->to);
	g_string_append_c(out, '?');
	if (m->in_reply_to) {
		g_string_append(out, "In-Reply-To=");
		append_encoded(out, m->in_reply_to);
		g_string_append_c(out, '&');
	}
	if (m->cc->len) {
		g_string_append(out, "Cc=");
		append_list(out, m->cc);
		g_string_append_c(out, '&');
	}
	short_len = out->len - 1;
	g_string_append(out, "Subject=");
	append_encoded(out, m->subject);
	if (out->len > REPLY_MAILTO_MAX)
		g_string_truncate(out, short_len);
	if (out->len > REPLY_MAILTO_MAX)
		return NULL;
	return g_string_free(g_steal_pointer(&out), FALSE);
}
