/* mbox.c - where the messages of an mbox begin and end
 * Must not open files, and must not decide by one sign alone: people write
 * "From " at the beginning of a paragraph. */
#include "mail/mbox.h"

#include <string.h>

#define SEPARATOR "From mboxrd@z Thu Jan  1 00:00:00 1970\n"
/* A Content-Length that reaches further than this beyond a separator is not
 * waited for: it would have to be read first to be found wrong. */
#define MAX_AHEAD (4 * 1024 * 1024)
#define MAX_WORDS 10		/* of a separator line */
#define MAX_HEAD  (1024 * 1024) /* searched for Content-Length */

/* What a line or a bound turns out to be while bytes are missing. */
enum answer { NO, YES, MORE };

static const char *find_newline(const char *p, const char *end)
{
	return p < end ? memchr(p, '\n', end - p) : NULL;
}

static gboolean begins_from(const char *p, const char *end)
{
	return end - p >= 5 && memcmp(p, "From ", 5) == 0;
}

static gboolean is_name(const char *word, gsize len, const char *names)
{
	if (len == 4 && word[3] == ',')
		len = 3;
	for (; len == 3 && *names; names += 3)
		if (g_ascii_strncasecmp(word, names, 3) == 0)
			return TRUE;
	return FALSE;
}

static gboolean is_digits(const char *word, gsize len)
{
	for (gsize i = 0; i < len; i++)
		if (!g_ascii_isdigit(word[i]))
			return FALSE;
	return len > 0;
}

/* Which part of a date a word is, as a bit; 0 = none. */
static guint date_part(const char *word, gsize len)
{
	if (is_name(word, len, "montuewedthufrisatsun"))
		return 1;
	if (is_name(word, len, "janfebmaraprmayjunjulaugsepoctnovdec"))
		return 2;
	if (len == 4 && is_digits(word, 4) && (*word == '1' || *word == '2'))
		return 4;
	if (len >= 4 && memchr(word, ':', 3) && g_ascii_isdigit(word[0]) &&
	    g_ascii_isdigit(word[len - 1]))
		return 8;
	return 0;
}

/* "From word Thu Jan  1 00:00:00 1970", the date in any order. */
static gboolean is_from_line(const char *p, const char *eol)
{
	guint seen = 0;

	p += 5;
	if (eol - p >= 8 && memcmp(p, "mboxrd@z", 8) == 0)
		return TRUE;
	for (guint n = 0; p < eol && n < MAX_WORDS; n++) {
		const char *word;

		while (p < eol && (*p == ' ' || *p == '\t'))
			p++;
		word = p;
		while (p < eol && *p != ' ' && *p != '\t' && *p != '\r')
			p++;
		seen |= date_part(word, p - word);
		/* a date, and nothing but it, follows one word */
		if (n == 1 && !(seen & 1) && !is_digits(word, p - word))
			return FALSE;
	}
	return seen == 15;
}

/* The constant date of git format-patch behind a hash. */
static gboolean is_git_line(const char *p, const char *eol)
{
	static const char date[] = " Mon Sep 17 00:00:00 2001";
	gsize hex = 0;

	p += 5;
	while (p + hex < eol && g_ascii_isxdigit(p[hex]))
		hex++;
	return (hex == 40 || hex == 64) &&
	       (gsize)(eol - p) >= hex + sizeof(date) - 1 &&
	       memcmp(p + hex, date, sizeof(date) - 1) == 0;
}

/* Does a header field begin at `p`? */
static enum answer is_field(const char *p, const char *end, gboolean final)
{
	const char *q = p;

	if (end - p >= 6 && memcmp(p, ">From ", 6) == 0)
		return YES;
	while (q < end && q - p < MBOX_MAX_FROM && (guchar)*q > 0x20 &&
	       *q != ':' && (guchar)*q < 0x7f)
		q++;
	if (q == end && !final && q - p < MBOX_MAX_FROM)
		return MORE;
	return q > p && q < end && *q == ':' ? YES : NO;
}

/* Is the "From " at `p`, behind an empty line, a separator? */
static enum answer is_separator(const char *p, const char *end, gboolean final,
				gboolean git)
{
	const char *eol = find_newline(p, MIN(end, p + MBOX_MAX_FROM));

	if (!eol)
		return end - p >= MBOX_MAX_FROM || final ? NO : MORE;
	if (!is_from_line(p, eol) || (!git && is_git_line(p, eol)))
		return NO;
	return is_field(eol + 1, end, final);
}

/* Is the "From " at `p`, behind no empty line, one that public-inbox wrote
 * behind a mail without a line end at its end? */
static enum answer is_bare_separator(const char *p, const char *end,
				     gboolean final)
{
	gsize len = MIN((gsize)(end - p), sizeof(SEPARATOR) - 1);

	if (memcmp(p, SEPARATOR, len) != 0)
		return NO;
	return is_separator(p, end, final, FALSE);
}

/* Length of the empty line that ends at `p`; 0 if none does. */
static gsize empty_line_before(const char *start, const char *p)
{
	if (p - start >= 2 && p[-1] == '\n' && p[-2] == '\n')
		return 1;
	if (p - start >= 3 && p[-1] == '\n' && p[-2] == '\r' && p[-3] == '\n')
		return 2;
	return 0;
}

/* Behind the empty line that ends the header; NULL if there is none. */
static const char *body_of(const char *msg, const char *end)
{
	const char *p = msg;

	while (p < end) {
		const char *eol = find_newline(p, end);

		if (!eol)
			return NULL;
		if (eol == p || (eol == p + 1 && *p == '\r'))
			return eol + 1;
		p = eol + 1;
	}
	return NULL;
}

/* The Content-Length of the header [p, body); -1 if there is none. */
static gint64 content_length(const char *p, const char *body)
{
	static const char name[] = "Content-Length:";
	gint64 length = -1;

	while (p < body) {
		const char *eol = find_newline(p, body);

		if ((*p | 0x20) == 'c' && eol - p > (gssize)sizeof(name) &&
		    g_ascii_strncasecmp(p, name, sizeof(name) - 1) == 0) {
			char *stop;

			p += sizeof(name) - 1;
			length = g_ascii_strtoll(p, &stop, 10);
			while (stop < eol && g_ascii_isspace(*stop))
				stop++;
			if (stop != eol)
				length = -1;
		}
		p = eol ? eol + 1 : body;
	}
	return length;
}

/* Bounds being looked for; `start` is behind the first "From " line. */
struct search {
	const char *buf, *end, *start;
	gboolean final;
	gboolean from;	/* there is a first "From " line, and it is */
	gboolean git;	/* the one of git format-patch */
	gboolean rd;	/* the one of public-inbox: all others are quoted */
	gint64 claimed; /* where Content-Length ends it, from buf */
	const char *stop, *next;
};

/* Does Content-Length lead to a separator or to the end of all? */
static enum answer by_length(struct search *s)
{
	const char *limit = MIN(s->end, s->start + MAX_HEAD);
	const char *body = body_of(s->start, limit);
	const char *p;
	gint64 length;

	if (!body)
		return s->final || limit < s->end ? NO : MORE;
	length = content_length(s->start, body);
	if (length < 0 || length > MBOX_MAX_CONTENT)
		return NO;
	s->claimed = body + length - s->buf;
	if (length > s->end - body)
		return s->final ? NO : MORE;
	s->stop = p = body + length;
	while (p < s->end && (*p == '\n' || *p == '\r') && p - s->stop < 4)
		p++;
	s->next = p;
	if (p == s->end)
		return s->final ? YES : MORE;
	if (p == s->stop && p[-1] != '\n')
		return NO;
	if (!begins_from(p, s->end))
		return s->end - p < 5 && !s->final ? MORE : NO;
	return is_separator(p, s->end, s->final, TRUE);
}

/* The next separator at or behind `from`; `*resume` where to go on. */
static enum answer by_separator(struct search *s, const char *from,
				gsize *resume)
{
	const char *p = from;

	while ((p = memmem(p, s->end - p, "\nFrom ", 6)) != NULL) {
		gsize empty = empty_line_before(s->start, p + 1);
		enum answer a = NO;

		if (empty)
			a = is_separator(p + 1, s->end, s->final, s->git);
		else if (s->rd)
			a = is_bare_separator(p + 1, s->end, s->final);
		if (a == MORE) {
			*resume = p - s->buf;
			return MORE;
		}
		if (a == YES) {
			s->next = p + 1;
			s->stop = empty ? p + 1 - empty : p;
			return YES;
		}
		p++;
	}
	if (!s->final) {
		p = s->end - from > 5 ? s->end - 5 : from;
		*resume = p - s->buf;
		return MORE;
	}
	s->next = s->end;
	s->stop = s->end - empty_line_before(s->start, s->end);
	return YES;
}

/* FALSE if the first line is not complete yet. */
static gboolean skip_first_line(struct search *s)
{
	const char *p = s->buf, *eol;

	while (p < s->end && (*p == '\n' || *p == '\r'))
		p++;
	s->start = p;
	if (!begins_from(p, s->end))
		return s->final || s->end - p >= 5;
	eol = find_newline(p, s->end);
	if (!eol && !s->final)
		return FALSE;
	s->from = TRUE;
	s->git = is_git_line(p, eol ? eol : s->end);
	s->rd = eol && (gsize)(eol + 1 - p) == sizeof(SEPARATOR) - 1 &&
		memcmp(p, SEPARATOR, sizeof(SEPARATOR) - 1) == 0;
	s->start = eol ? eol + 1 : s->end;
	return TRUE;
}

/* MBOX_AUTO: a separator far before the end that Content-Length claims is
 * believed instead, whether those bytes are at hand or not. */
static enum answer by_either(struct search *s, gsize *resume)
{
	struct search t = *s;
	enum answer length = by_length(&t), a;

	*s = t;
	if (length == YES && s->claimed - (s->start - s->buf) < MAX_AHEAD)
		return YES;
	a = by_separator(s, MAX(s->start, s->buf + *resume), resume);
	if (a != YES || length == NO ||
	    s->claimed - (s->next - s->buf) >= MAX_AHEAD)
		return a;
	if (length == MORE)
		*resume = s->next - 1 - s->buf;
	*s = t;
	return length;
}

gboolean mbox_next(const char *buf, gsize len, gboolean final,
		   enum mbox_format format, gsize *resume, gsize *start,
		   gsize *end, gsize *next)
{
	struct search s = {.buf = buf, .end = buf + len, .final = final};
	enum answer a = NO;

	if (!skip_first_line(&s) || (s.start == s.end && !s.from))
		return FALSE;
	if (format == MBOX_AUTO)
		a = by_either(&s, resume);
	else if (format == MBOX_CL2)
		a = by_length(&s);
	if (a == NO)
		a = by_separator(&s, MAX(s.start, buf + *resume), resume);
	if (a != YES)
		return FALSE;
	*start = s.start - buf;
	*end = s.stop - buf;
	*next = s.next - buf;
	*resume = 0;
	return TRUE;
}

gboolean mbox_probe(const char *buf, gsize len, gboolean *dated)
{
	const char *end = buf + len;
	const char *eol;

	*dated = FALSE;
	if (!begins_from(buf, end))
		return FALSE;
	eol = find_newline(buf, MIN(end, buf + MBOX_MAX_FROM));
	*dated = eol && is_from_line(buf, eol);
	return eol && is_field(eol + 1, end, FALSE) != NO;
}

/* "From " behind any number of '>' at `p`? */
static gboolean is_quoted_from(const char *p, const char *end)
{
	while (p < end && *p == '>')
		p++;
	return begins_from(p, end);
}

GBytes *mbox_unquote(const char *msg, gsize len, enum mbox_format format)
{
	const char *end = msg + len;
	const char *body = body_of(msg, end);
	const char *done = msg, *p = body;
	GByteArray *out = NULL;

	if (!body || format == MBOX_O || format == MBOX_CL2 ||
	    (format == MBOX_AUTO && content_length(msg, body) == end - body))
		return g_bytes_new(msg, len);
	for (p = body - 1; (p = memmem(p, end - p, "\n>", 2)) != NULL; p++) {
		if (!is_quoted_from(p + 1, end))
			continue;
		if (!out)
			out = g_byte_array_sized_new(len);
		g_byte_array_append(out, (const guint8 *)done, p + 1 - done);
		done = p + 2;
	}
	if (!out)
		return g_bytes_new(msg, len);
	g_byte_array_append(out, (const guint8 *)done, end - done);
	return g_byte_array_free_to_bytes(out);
}

void mbox_append(GString *out, const char *msg, gsize len)
{
	const char *end = msg + len;
	const char *p = body_of(msg, end);

	g_string_append(out, SEPARATOR);
	if (!p)
		p = end;
	g_string_append_len(out, msg, p - msg);
	while (p < end) {
		const char *eol = find_newline(p, end);
		const char *stop = eol ? eol + 1 : end;

		if (is_quoted_from(p, stop))
			g_string_append_c(out, '>');
		g_string_append_len(out, p, stop - p);
		p = stop;
	}
	if (len > 0 && end[-1] != '\n')
		g_string_append_c(out, '\n');
	g_string_append_c(out, '\n');
}
