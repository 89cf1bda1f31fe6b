/* report_line.c - a robot's lines, one at a time
 * What it wrote itself; never what it quotes. */
#include <string.h>

#include "mail/report_priv.h"

const char *report_line(const body *b, guint i, gsize *len)
{
	const struct body_line *l = body_line(b, i);
	const char *text = l->text;

	*len = l->len;
	switch ((enum body_kind)l->kind) {
	case BODY_TEXT:
	case BODY_CODE:
	case BODY_DIFF:
	case BODY_ATTRIBUTION:
		break;
	default:
		return NULL;
	}
	while (*len && g_ascii_isspace(*text)) {
		text++;
		(*len)--;
	}
	while (*len && g_ascii_isspace(text[*len - 1]))
		(*len)--;
	return text;
}

char *report_value(const body *b, guint i, const char *const *keys)
{
	gsize len, n;
	const char *text = report_line(b, i, &len);

	for (; text && *keys; keys++) {
		n = strlen(*keys);
		if (len > n && memcmp(text, *keys, n) == 0)
			return g_strstrip(g_strndup(text + n, len - n));
	}
	return NULL;
}

char *report_joined(const body *b, guint i, guint lines)
{
	GString *s;
	gsize len;
	const char *text = report_line(b, i, &len);

	if (!text)
		return NULL;
	s = g_string_new(NULL);
	for (guint k = i; k < body_count(b) && k < i + lines; k++) {
		text = report_line(b, k, &len);
		if (!text || !len || s->len > REPORT_MAX_SUBJECT)
			break;
		if (s->len)
			g_string_append_c(s, ' ');
		for (gsize n = 0; n < len; n++)
			if (!g_ascii_isspace(text[n]))
				g_string_append_c(s, text[n]);
			else if (!g_ascii_isspace(text[n - 1]))
				g_string_append_c(s, ' ');
	}
	return g_string_free(s, FALSE);
}

gboolean report_starts(const body *b, guint i, const char *with)
{
	gsize len, n = strlen(with);
	const char *text = report_line(b, i, &len);

	return text && len >= n && memcmp(text, with, n) == 0;
}

int report_find_line(const body *b, guint from, const char *text)
{
	for (guint i = from; i < body_count(b); i++)
		if (report_starts(b, i, text))
			return (int)i;
	return -1;
}

gboolean report_is_hex(const char *s, gsize n)
{
	for (gsize i = 0; i < n; i++)
		if (!g_ascii_isxdigit(s[i]))
			return FALSE;
	return n > 0;
}

gboolean report_is_url(const char *s, gsize len)
{
	static const char *const schemes[] = {"http://", "https://", "git://",
					      "ssh://"};

	for (guint i = 0; i < G_N_ELEMENTS(schemes); i++) {
		gsize n = strlen(schemes[i]);

		if (len > n && memcmp(s, schemes[i], n) == 0)
			return TRUE;
	}
	return FALSE;
}

const char *report_word_end(const char *p)
{
	return p + strcspn(p, " \t");
}

const char *report_skip_blanks(const char *p)
{
	return p + strspn(p, " \t");
}

void report_set(char **field, char *value)
{
	if (*field || !value || !*value)
		g_free(value);
	else
		*field = value;
}

void report_add_artifact(struct report *r, const char *url, gsize len)
{
	if (r->artifacts->len >= REPORT_MAX_ARTIFACTS)
		return;
	for (guint i = 0; i < r->artifacts->len; i++) {
		const char *known = r->artifacts->pdata[i];

		if (strlen(known) == len && memcmp(known, url, len) == 0)
			return;
	}
	g_ptr_array_add(r->artifacts, g_strndup(url, len));
}

void report_add_urls(struct report *r, const char *text, gsize len)
{
	const char *p = text, *end = text + len;

	while ((p = memmem(p, (gsize)(end - p), "http", 4))) {
		gsize n = 0;

		while (p + n < end && !strchr(" \t\r\n<>()\"|", p[n]))
			n++;
		if (report_is_url(p, n)) {
			while (n && strchr(".,;", p[n - 1]))
				n--;
			report_add_artifact(r, p, n);
		}
		p += MAX(n, 4);
	}
}

struct report_error *report_add_error(struct report *r, const char *text,
				      gsize len, gboolean is_new)
{
	struct report_error *e;

	for (guint i = 0; i < r->errors->len && i < 100; i++) {
		e = r->errors->pdata[i];
		if (strlen(e->text) == len && memcmp(e->text, text, len) == 0) {
			e->is_new = e->is_new || is_new;
			return e;
		}
	}
	if (r->errors->len >= REPORT_MAX_ERRORS)
		return NULL;
	e = g_new0(struct report_error, 1);
	e->text = g_strndup(text, len);
	e->is_new = is_new;
	for (guint i = 0; i < 2; i++)
		e->fails[i] = e->runs[i] = -1;
	g_ptr_array_add(r->errors, e);
	return e;
}
