/* own_text.c - our own words in a mail, wrapped */
#include "mail/own_text.h"

#include <string.h>

#include "mail/chars_priv.h"
#include "mail/columns.h"
#include "mail/trailers_priv.h"

static gboolean starts(const char *line, gsize len, const char *with)
{
	gsize n = strlen(with);

	return len >= n && !memcmp(line, with, n);
}

/* Two or more runs of two or more blanks between words. */
static gboolean is_columns(const char *line, gsize len)
{
	guint runs = 0;

	for (gsize i = 1; i + 2 < len; i++)
		if (line[i] == ' ' && line[i + 1] == ' ' && line[i - 1] != ' ')
			runs++;
	return runs >= 2 || memchr(line, '\t', len);
}

static gboolean is_rule(const char *line, gsize len)
{
	for (gsize i = 0; i < len; i++)
		if (!strchr("-=_*+ ", line[i]))
			return FALSE;
	return TRUE;
}

/* "[   12.345678] text" */
static gboolean is_log(const char *line, gsize len)
{
	gsize i = 1;

	if (*line != '[')
		return FALSE;
	for (; i < len && (line[i] == ' ' || g_ascii_isdigit(line[i])); i++)
		;
	return i + 1 < len && line[i] == '.' && g_ascii_isdigit(line[i + 1]);
}

static gboolean is_trailer(const char *line, gsize len)
{
	struct trailer_text text = {line, len};
	struct trailer_name name;
	gsize value;
	gsize n = trailer_name_len(&text, &value);

	if (!n)
		return FALSE;
	trailer_name_read(&name, line, n);
	g_free(name.key);
	return name.kind != NAME_NONE && name.kind != NAME_UTILITY;
}

static gboolean is_whole(const char *line, gsize len)
{
	static const char *const marks[] = {">",	"|",	   "#",
					    "diff ",	"--- ",	   "+++ ",
					    "@@ ",	"Fixes: ", "Link: ",
					    "Closes: ", NULL};

	if (is_blank(*line))
		return TRUE;
	for (guint i = 0; marks[i]; i++)
		if (starts(line, len, marks[i]))
			return TRUE;
	return is_columns(line, len) || is_rule(line, len) ||
	       is_log(line, len) || is_trailer(line, len);
}

/* A line must not begin with it: it would mean something else there. */
static gboolean is_touchy(const char *word, gsize len)
{
	return starts(word, len, ">") || starts(word, len, "#") ||
	       (len == 4 && starts(word, len, "From")) ||
	       (len == 2 && starts(word, len, "--")) ||
	       starts(word, len, "(\"");
}

struct wrapper {
	GString *out;
	gsize begin; /* of the line at hand in `out` */
	gsize held;  /* where its last breakable blank is; 0: none */
};

static guint width_from(const struct wrapper *w, gsize at)
{
	return text_columns(w->out->str + at, w->out->len - at);
}

static void add_word(struct wrapper *w, const char *word, gsize len)
{
	gboolean first = w->out->len == w->begin;

	if (!first) {
		if (!is_touchy(word, len))
			w->held = w->out->len;
		g_string_append_c(w->out, ' ');
	}
	g_string_append_len(w->out, word, (gssize)len);
	if (width_from(w, w->begin) <= MAIL_COLUMNS || w->held <= w->begin)
		return;
	w->out->str[w->held] = '\n';
	w->begin = w->held + 1;
	w->held = 0;
}

static void wrap_line(GString *out, const char *line, gsize len)
{
	struct wrapper w = {out, out->len, 0};
	const char *end = line + len;

	while (line < end) {
		gsize n = 0;

		while (line < end && is_blank(*line))
			line++;
		while (line + n < end && !is_blank(line[n]))
			n++;
		if (n)
			add_word(&w, line, n);
		line += n;
	}
}

static gsize without_end_blanks(const char *line, gsize len)
{
	while (len && is_blank(line[len - 1]))
		len--;
	return len;
}

void own_text_wrap(GString *out, const char *text)
{
	while (*text) {
		gsize all = strcspn(text, "\n");
		gsize len = without_end_blanks(text, all);

		if (len && is_whole(text, len))
			g_string_append_len(out, text, (gssize)len);
		else
			wrap_line(out, text, len);
		g_string_append_c(out, '\n');
		text += all + (text[all] != '\0');
	}
}
