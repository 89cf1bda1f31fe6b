/* am_mail.c - a patch mail rewritten for `git am`
 * The bytes of the diff are passed on untouched, whatever their charset. */
#include "mail/am_mail.h"

#include <string.h>

#include "mail/am_text.h"
#include "mail/git_line.h"
#include "mail/msgid.h"

#define HEADER_WIDTH 75 /* characters of a header line */
#define NAME_SPECIAL "()<>@,:;.\"[]\\"

/* ---- headers */

/* Words put on lines of HEADER_WIDTH, the next ones indented by a blank. The
 * first never stands alone behind the name of the field. */
static void append_wrapped(GString *out, const char *name, const char *value)
{
	g_auto(GStrv) words = g_strsplit(value, " ", -1);
	glong width = (glong)strlen(name) + 2;

	g_string_append_printf(out, "%s: ", name);
	if (width + g_utf8_strlen(value, -1) <= HEADER_WIDTH) {
		g_string_append_printf(out, "%s\n", value);
		return;
	}
	for (guint i = 0; words[i]; i++) {
		glong n = g_utf8_strlen(words[i], -1);

		if (i && width + 1 + n > HEADER_WIDTH) {
			g_string_append(out, "\n ");
			width = 1;
		} else if (i) {
			g_string_append_c(out, ' ');
			width++;
		}
		g_string_append(out, words[i]);
		width += n;
	}
	g_string_append_c(out, '\n');
}

static void append_subject(GString *out, const struct am_mail *mail)
{
	const struct subject *s = mail->patch->subject;
	const struct patch *p = mail->patch->patch;
	g_autoptr(GString) text = g_string_new("[PATCH");

	if (s->rfc)
		g_string_append(text, " RFC");
	if (mail->version)
		g_string_append_printf(text, " v%d", mail->version);
	else if (s->version_stated)
		g_string_append_printf(text, " v%d", s->version);
	if (s->numbered && s->total >= 0)
		g_string_append_printf(text, " %d/%d", s->number, s->total);
	g_string_append_printf(text, "] %s", p->title ? p->title : s->base);
	g_strdelimit(text->str, "\r\n\t", ' ');
	append_wrapped(out, "Subject", text->str);
}

static void append_from(GString *out, const struct address *who)
{
	if (!*who->name || !strcmp(who->name, who->address)) {
		g_string_append_printf(out, "From: %s\n", who->address);
		return;
	}
	g_string_append(out, "From: ");
	if (!strpbrk(who->name, NAME_SPECIAL)) {
		g_string_append(out, who->name);
	} else {
		g_string_append_c(out, '"');
		for (const char *c = who->name; *c; c++) {
			if (*c == '"' || *c == '\\')
				g_string_append_c(out, '\\');
			g_string_append_c(out, *c);
		}
		g_string_append_c(out, '"');
	}
	g_string_append_printf(out, " <%s>\n", who->address);
}

static gboolean is_ascii(const GString *text)
{
	for (gsize i = 0; i < text->len; i++)
		if ((guchar)text->str[i] >= 0x80)
			return FALSE;
	return TRUE;
}

/* What was sent as flowed text is flowed still: git undoes it. */
static const char *flowed_parameters(const message *msg)
{
	g_autofree char *type = header_dup(message_header(msg), "Content-Type");
	g_autofree char *low = type ? g_ascii_strdown(type, -1) : NULL;

	if (!low || !message_flowed(msg) ||
	    !g_str_has_prefix(low, "text/plain"))
		return "";
	return strstr(low, "delsp=yes") ? "; format=flowed; delsp=yes"
					: "; format=flowed";
}

static void append_headers(GString *out, const struct am_mail *mail,
			   const GString *content)
{
	const message *msg = mail->patch->msg;
	g_autofree char *date = header_dup(message_header(msg), "Date");

	append_subject(out, mail);
	append_from(out, mail->patch->patch->author);
	if (date)
		g_string_append_printf(out, "Date: %s\n", date);
	if (!message_id_made(msg))
		g_string_append_printf(out, "Message-Id: <%s>\n",
				       message_id(msg));
	g_string_append_printf(out,
			       "MIME-Version: 1.0\n"
			       "Content-Type: text/plain; charset=\"utf-8\"%s\n"
			       "Content-Transfer-Encoding: %s\n\n",
			       flowed_parameters(msg),
			       is_ascii(content) ? "7bit" : "8bit");
}

/* ---- body */

/* What stands below the commit message, in the bytes of the mail. */
struct below {
	const char *text; /* notes, diffstat, diff */
	gsize len;
	const char *signature; /* behind "-- ", or NULL */
	gsize signature_len;
	gboolean binary; /* a binary hunk ends it: by an empty line */
};

/* The line behind the "---" that ends the message; the diff if there is none.
 * `line`: where the message begins, from 1. */
static gsize find_below(const char *bytes, const struct diff *d, guint line)
{
	gsize at = 0;

	for (guint i = 1; at < d->start; i++) {
		const char *eol = memchr(bytes + at, '\n', d->start - at);
		gsize n = eol ? (gsize)(eol - bytes) - at : d->start - at;

		if (i >= line && git_line_is_rule(bytes + at, n))
			return MIN(at + n + 1, d->start);
		at += n + 1;
	}
	return d->start;
}

static gboolean ends_binary(const struct diff *d)
{
	const struct diff_file *last =
		d->files->len ? d->files->pdata[d->files->len - 1] : NULL;

	return last && last->binary;
}

static void split_below(struct below *b, const struct reading *r)
{
	const struct patch *p = r->patch;
	gboolean attached = message_patch_attached(r->msg);
	const char *bytes, *mark;
	gsize len, start;

	memset(b, 0, sizeof(*b));
	if (!p->diff)
		return;
	bytes = message_patch_bytes(r->msg, &len);
	start = find_below(bytes, p->diff, attached ? 1 : p->message_line);
	b->text = bytes + start;
	b->len = len - start;
	b->binary = ends_binary(p->diff);
	mark = g_strrstr_len(b->text, (gssize)b->len, "\n-- \n");
	if (!mark || (gsize)(mark - bytes) + 1 < p->diff->end)
		return;
	b->signature = mark + 5;
	b->signature_len = len - (gsize)(mark + 5 - bytes);
	b->len = (gsize)(mark - b->text);
}

static void trim_newlines(const char **text, gsize *len)
{
	while (*len && (**text == '\n' || **text == '\r')) {
		(*text)++;
		(*len)--;
	}
	while (*len && ((*text)[*len - 1] == '\n' || (*text)[*len - 1] == '\r'))
		(*len)--;
}

/* " 2 files changed, 1 insertion(+)" */
static gboolean has_diffstat(const char *text, gsize len)
{
	const char *at = text, *end = text + len;

	while (at < end) {
		const char *eol = memchr(at, '\n', (gsize)(end - at));
		const char *file;
		gsize n = eol ? (gsize)(eol - at) : (gsize)(end - at);
		gsize skip = 0;

		while (skip < n && g_ascii_isspace(at[skip]))
			skip++;
		file = skip < n && g_ascii_isdigit(at[skip])
			       ? g_strstr_len(at + skip, (gssize)(n - skip),
					      " file")
			       : NULL;
		if (file && (g_strstr_len(file, at + n - file, "insertion") ||
			     g_strstr_len(file, at + n - file, "deletion")))
			return TRUE;
		at += n + 1;
	}
	return FALSE;
}

/* "---" is put back where notes or a diffstat follow. */
static void append_below(GString *out, struct below *b, gboolean trailers)
{
	const char *text = b->text;
	gsize len = b->len;

	trim_newlines(&text, &len);
	if (len) {
		gboolean bare = len >= 4 &&
				(!memcmp(text, "--- ", 4) ||
				 (len > 10 && !memcmp(text, "diff --git", 10)));

		if (!trailers)
			g_string_append_c(out, '\n');
		g_string_append(out, bare && !has_diffstat(text, len)
					     ? "\n"
					     : "---\n");
		g_string_append_len(out, text, (gssize)len);
		g_string_append(out, b->binary ? "\n\n" : "\n");
	}
	if (b->signature) {
		text = b->signature;
		len = b->signature_len;
		while (len && (text[len - 1] == '\n' || text[len - 1] == '\r'))
			len--;
		g_string_append(out, "-- \n");
		g_string_append_len(out, text, (gssize)len);
		g_string_append_c(out, '\n');
	}
}

/* ---- trailers */

static gboolean same_name(const struct address *a, const struct address *b)
{
	g_autofree char *x = g_utf8_casefold(a->name, -1);
	g_autofree char *y = g_utf8_casefold(b->name, -1);

	return !strcmp(x, y);
}

gboolean am_trailer_equal(const struct trailer *a, const struct trailer *b)
{
	if (g_ascii_strcasecmp(a->key, b->key))
		return FALSE;
	if (a->who && b->who)
		return same_name(a->who, b->who) &&
		       (!*a->who->address || !*b->who->address ||
			address_same_person(a->who, b->who));
	if (a->url && b->url) {
		g_autofree char *x = msgid_from_url(a->url);
		g_autofree char *y = msgid_from_url(b->url);

		if (x && y)
			return !g_ascii_strcasecmp(x, y);
	}
	return !g_ascii_strcasecmp(a->value, b->value);
}

static int find_equal(const struct am_text *t, const struct trailer *given)
{
	for (guint i = 0; i < t->read->len; i++) {
		const struct trailer *have = t->read->pdata[i];

		if (have && am_trailer_equal(have, given))
			return (int)i;
	}
	return -1;
}

static void add_given(struct am_text *t, const struct trailer *given)
{
	GString *line = g_string_new(NULL);
	struct trailer *copy;
	g_autoptr(GPtrArray) read = NULL;

	g_string_printf(line, "%s: %s", given->key, given->value);
	if (given->note && !strchr(given->value, '#'))
		g_string_append_printf(line, "\n[%s]", given->note);
	read = trailers_in_commit(line->str, 1);
	copy = read->len == 1 ? g_ptr_array_steal_index(read, 0) : NULL;
	g_ptr_array_add(t->read, copy);
	g_ptr_array_add(t->trailers, g_string_free(line, FALSE));
}

/* Our own sign-off is always the last one. */
static void add_signoff(struct am_text *t, const char *signoff)
{
	g_autofree char *line = g_strdup_printf("Signed-off-by: %s", signoff);
	g_autoptr(GPtrArray) read = trailers_in_commit(line, 1);
	int at = read->len == 1 ? find_equal(t, read->pdata[0]) : -1;

	if (at >= 0) {
		g_ptr_array_remove_index(t->trailers, (guint)at);
		g_ptr_array_remove_index(t->read, (guint)at);
	}
	g_ptr_array_add(t->trailers, g_steal_pointer(&line));
	g_ptr_array_add(t->read, NULL);
}

static guint add_all(struct am_text *t, const struct am_mail *mail)
{
	guint added = 0;

	for (guint i = 0; mail->given && i < mail->given->len; i++) {
		const struct trailer *given = mail->given->pdata[i];

		if (find_equal(t, given) >= 0)
			continue;
		add_given(t, given);
		added++;
	}
	if (mail->signoff)
		add_signoff(t, mail->signoff);
	return added;
}

static guint append_body(GString *out, const struct am_mail *mail)
{
	struct am_text t;
	struct below b;
	guint added;

	am_text_init(&t, mail->patch->patch->commit_message);
	added = add_all(&t, mail);
	split_below(&b, mail->patch);
	if (t.prose->len) {
		g_string_append_printf(out, "%s\n", t.prose->str);
		if (t.trailers->len)
			g_string_append_c(out, '\n');
	}
	for (guint i = 0; i < t.trailers->len; i++)
		g_string_append_printf(out, "%s\n",
				       (char *)t.trailers->pdata[i]);
	append_below(out, &b, t.trailers->len > 0);
	am_text_clear(&t);
	return added;
}

static guint write_mail(GString *out, const struct am_mail *mail)
{
	g_autoptr(GString) content = g_string_new(NULL);
	guint added = append_body(content, mail);

	append_headers(out, mail, content);
	g_string_append_len(out, content->str, (gssize)content->len);
	g_string_append_c(out, '\n');
	return added;
}

guint am_mail_append(GString *out, const struct am_mail *mail)
{
	g_string_append(out, "From git@z Thu Jan  1 00:00:00 1970\n");
	return write_mail(out, mail);
}

void am_mail_write(GString *out, const struct am_mail *mail)
{
	write_mail(out, mail);
}
