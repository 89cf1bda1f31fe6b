/* nntp_text.c - lines of a news server, as values */
#include "mail/nntp_text.h"

#include <string.h>

#include "mail/date.h"

#define OVER_DATE  3 /* fields of an overview line, the number is 0 */
#define OVER_ID	   4
#define OVER_BYTES 6
#define MAX_DATE   200 /* bytes of one */

/* ---- names */

gboolean nntp_is_name(const char *name, gsize len)
{
	if (len == 0 || len > NNTP_MAX_NAME)
		return FALSE;
	for (gsize i = 0; i < len; i++)
		if ((guchar)name[i] <= ' ' || name[i] == 0x7f)
			return FALSE;
	return g_utf8_validate_len(name, len, NULL);
}

gboolean nntp_is_id(const char *id, gsize len)
{
	return len > 2 && id[0] == '<' && id[len - 1] == '>' &&
	       nntp_is_name(id, len);
}

gboolean nntp_is_pattern(const char *name)
{
	return strpbrk(name, "*?") != NULL;
}

/* Only the last "*" is ever gone back to. */
gboolean nntp_matches(const char *pattern, const char *name)
{
	const char *star = NULL, *from = NULL;

	while (*name) {
		if (*pattern == '*') {
			star = pattern++;
			from = name;
		} else if (*pattern == '?' || *pattern == *name) {
			pattern++;
			name++;
		} else if (star) {
			pattern = star + 1;
			name = ++from;
		} else {
			return FALSE;
		}
	}
	while (*pattern == '*')
		pattern++;
	return *pattern == '\0';
}

/* ---- replies */

/* Digits at `*p`, which is moved behind them. */
static gboolean take_number(const char **p, const char *end, guint64 *n)
{
	const char *from = *p;

	for (*n = 0; *p < end && g_ascii_isdigit(**p); (*p)++) {
		guint digit = (guint)(**p - '0');

		if (*n > ((guint64)G_MAXINT64 - digit) / 10)
			return FALSE;
		*n = *n * 10 + digit;
	}
	return *p > from;
}

static gboolean skip_blanks(const char **p, const char *end)
{
	const char *from = *p;

	while (*p < end && (**p == ' ' || **p == '\t'))
		(*p)++;
	return *p > from;
}

static struct nntp_slice take_word(const char **p, const char *end)
{
	struct nntp_slice word = {*p, 0};

	while (*p < end && **p != ' ' && **p != '\t')
		(*p)++;
	word.len = (gsize)(*p - word.at);
	return word;
}

gboolean nntp_reply(const char *line, guint *code, const char **text)
{
	if (!(line[0] >= '1' && line[0] <= '5') || !g_ascii_isdigit(line[1]) ||
	    !g_ascii_isdigit(line[2]) || (line[3] != '\0' && line[3] != ' '))
		return FALSE;
	*code = (guint)((line[0] - '0') * 100 + (line[1] - '0') * 10 +
			(line[2] - '0'));
	*text = line[3] ? line + 4 : line + 3;
	return TRUE;
}

gboolean nntp_group(const char *text, guint64 *low, guint64 *high)
{
	const char *end = text + strlen(text);

	skip_blanks(&text, end);
	take_word(&text, end);
	return skip_blanks(&text, end) && take_number(&text, end, low) &&
	       skip_blanks(&text, end) && take_number(&text, end, high) &&
	       (text == end || *text == ' ');
}

gboolean nntp_article(const char *text, guint64 *number, struct nntp_slice *id)
{
	const char *end = text + strlen(text);

	skip_blanks(&text, end);
	if (!take_number(&text, end, number))
		return FALSE;
	skip_blanks(&text, end);
	*id = take_word(&text, end);
	if (!nntp_is_id(id->at, id->len))
		*id = (struct nntp_slice){NULL, 0};
	return TRUE;
}

gboolean nntp_active(const char *line, gsize len, struct nntp_active *a)
{
	const char *p = line, *end = line + len;

	a->name = take_word(&p, end);
	for (guint i = 0; i < 2; i++) {
		skip_blanks(&p, end);
		take_word(&p, end);
	}
	skip_blanks(&p, end);
	a->alias = p < end && *p == '=';
	return nntp_is_name(a->name.at, a->name.len);
}

/* ---- overviews */

static gint64 over_date(const struct nntp_slice *field)
{
	g_autofree char *text = g_strndup(field->at, MIN(field->len, MAX_DATE));
	gint64 utc;

	return date_parse(text, &utc, NULL) ? utc : 0;
}

gboolean nntp_over(const char *line, gsize len, struct nntp_over *o)
{
	struct nntp_slice fields[OVER_BYTES + 1] = {{NULL, 0}};
	const char *p = line, *end = line + len;

	*o = (struct nntp_over){0};
	for (guint i = 0; i <= OVER_BYTES && p <= end; i++) {
		const char *tab = memchr(p, '\t', (gsize)(end - p));

		fields[i].at = p;
		fields[i].len = (gsize)((tab ? tab : end) - p);
		p = (tab ? tab : end) + 1;
	}
	p = fields[0].at;
	if (!take_number(&p, fields[0].at + fields[0].len, &o->number) ||
	    p != fields[0].at + fields[0].len)
		return FALSE;
	if (fields[OVER_DATE].at)
		o->date = over_date(&fields[OVER_DATE]);
	if (fields[OVER_ID].at &&
	    nntp_is_id(fields[OVER_ID].at, fields[OVER_ID].len))
		o->id = fields[OVER_ID];
	p = fields[OVER_BYTES].at;
	if (p && !take_number(&p, p + fields[OVER_BYTES].len, &o->bytes))
		o->bytes = 0;
	return TRUE;
}
