/* quote_frame.c - what is needed around a line to understand the answer
 * Prose: its sentence, and who said it. Tables, diffs, logs: quote_dense.c. */
#include <string.h>

#include "mail/body_priv.h"
#include "mail/chars_priv.h"
#include "mail/quote_priv.h"
#include "mail/trailers_priv.h"

#define HEADLINE_LINES 30 /* below a report's headline: commit, test case */

static gboolean has(const struct quote_plan *p, guint i, const char *word)
{
	gsize len;
	const char *text = quote_content(p, i, &len);

	return memmem(text, len, word, strlen(word)) != NULL;
}

static gboolean begins(const struct quote_plan *p, guint i, const char *word)
{
	gsize len, n = strlen(word);
	const char *text = quote_content(p, i, &len);

	while (len && is_blank(*text)) {
		text++;
		len--;
	}
	return len >= n && !g_ascii_strncasecmp(text, word, n);
}

/* ---- who said it */

/* Lines of the attribution that ends at line `i`, seen `depth` levels deep. */
static guint attribution_at(const struct quote_plan *p, guint i, guint depth)
{
	struct body_line at[4];
	struct body_lines lines = {at, 0};
	guint from = i >= 2 ? i - 2 : 0;

	for (guint k = from; k <= i; k++) {
		struct body_line *l = &at[lines.n];
		gsize len;

		if (quote_depth(p, k) != depth)
			lines.n = 0;
		l = &at[lines.n++];
		*l = (struct body_line){0};
		l->text = quote_content(p, k, &len);
		l->len = (guint)len;
	}
	return mark_attribution(&lines, lines.n - 1, TRUE);
}

/* Above the block of lines that are `level` deep around `i`. */
static void keep_speaker(struct quote_plan *p, guint i, guint level)
{
	guint n;

	while (i > 0 && quote_depth(p, i - 1) >= level)
		i--;
	if (i > 0 && quote_is_blank(p, i - 1))
		i--;
	if (i == 0 || quote_depth(p, i - 1) != level - 1)
		return;
	n = attribution_at(p, i - 1, level - 1);
	for (guint k = 1; k <= n && k <= i; k++)
		quote_keep(p, i - k, QUOTE_HEAD);
}

/* ---- prose */

static gboolean is_greeting(const struct quote_plan *p, guint i)
{
	static const char *const words[] = {"hi ",	"hi,",		"hello",
					    "dear ",	"hey ",		"hey,",
					    "greeting", "good morning", NULL};
	gsize len;

	quote_content(p, i, &len);
	for (guint n = 0; words[n]; n++)
		if (begins(p, i, words[n]))
			return len < 60;
	return FALSE;
}

/* "- x", "* x", "1) x", "2. x" */
static gboolean is_item(const struct quote_plan *p, guint i)
{
	gsize len, at = 0, digits = 0;
	const char *text = quote_content(p, i, &len);

	while (at < len && is_blank(text[at]))
		at++;
	while (at + digits < len && g_ascii_isdigit(text[at + digits]))
		digits++;
	at += digits;
	if (at + 1 >= len || !is_blank(text[at + 1]))
		return FALSE;
	return digits ? text[at] == ')' || text[at] == '.'
		      : text[at] == '-' || text[at] == '*';
}

static gboolean is_trailer(const struct quote_plan *p, guint i)
{
	struct trailer_text line;
	struct trailer_name name;
	gsize value, n;

	line.text = quote_content(p, i, &line.len);
	n = trailer_name_len(&line, &value);
	if (!n)
		return FALSE;
	trailer_name_read(&name, line.text, n);
	g_free(name.key);
	return name.kind != NAME_NONE;
}

/* It is understood as it stands: a command, a trailer. */
static gboolean stands_alone(const struct quote_plan *p, guint i)
{
	return begins(p, i, "#") || is_trailer(p, i);
}

/* Line `i` may be shown along with line `with`. */
static gboolean is_same_text(const struct quote_plan *p, guint i, guint with)
{
	const struct body_line *l = body_line(p->body, i);

	return l->depth == quote_depth(p, with) && !quote_is_blank(p, i) &&
	       l->kind != BODY_SIGNATURE && l->kind != BODY_FOOTER &&
	       l->kind != BODY_ATTRIBUTION && !stands_alone(p, i) &&
	       !is_greeting(p, i);
}

static gboolean ends_sentence(const struct quote_plan *p, guint i)
{
	gsize len;
	const char *text = quote_content(p, i, &len);

	while (len &&
	       (is_blank(text[len - 1]) || strchr("\"')]", text[len - 1])))
		len--;
	return len && strchr(".!?:;", text[len - 1]);
}

/* ---- the paragraph, or item of a list, around [first, last]; looked for no
 * further than it may be long */

static guint text_begin(const struct quote_plan *p, guint first)
{
	guint at = first;

	while (at > 0 && first - at < QUOTE_MAX_PARAGRAPH && !is_item(p, at) &&
	       is_same_text(p, at - 1, first))
		at--;
	return at;
}

static guint text_end(const struct quote_plan *p, guint last, guint stop)
{
	guint at = last;

	while (at + 1 < stop && at - last < QUOTE_MAX_PARAGRAPH &&
	       !is_item(p, at + 1) && is_same_text(p, at + 1, last))
		at++;
	return at;
}

/* Narrow it to the sentence. */
static void to_sentence(const struct quote_plan *p, guint first, guint last,
			guint *begin, guint *end)
{
	guint at = first;

	while (at > *begin && !ends_sentence(p, at - 1))
		at--;
	*begin = at;
	at = last;
	while (at < *end && !ends_sentence(p, at))
		at++;
	*end = at;
}

static guint frame_prose(struct quote_plan *p, guint first, guint last,
			 guint stop)
{
	guint begin, end;

	if (stands_alone(p, first) || quote_is_blank(p, first))
		return last;
	begin = text_begin(p, first);
	end = text_end(p, last, stop);
	if (end - begin >= QUOTE_MAX_PARAGRAPH)
		to_sentence(p, first, last, &begin, &end);
	if (end - begin >= QUOTE_MAX_PARAGRAPH)
		return last;
	for (guint i = begin; i <= end; i++)
		quote_keep(p, i, QUOTE_PARAGRAPH);
	return end;
}

/* ---- a report as a whole */

static gboolean is_headline(const struct quote_plan *p, guint i)
{
	return has(p, i, "noticed a") &&
	       (has(p, i, "regression") || has(p, i, "improvement"));
}

/* Its commit and its test, below the headline. */
static guint frame_report(struct quote_plan *p, guint headline, guint end,
			  guint stop)
{
	static const char *const lines[] = {"commit:", "in testcase:"};
	guint to = MIN(stop, headline + HEADLINE_LINES);

	for (guint n = 0; n < G_N_ELEMENTS(lines); n++)
		for (guint i = headline + 1; i < to; i++)
			if (begins(p, i, lines[n]) &&
			    quote_depth(p, i) == quote_depth(p, headline)) {
				quote_keep(p, i, QUOTE_HEAD);
				end = MAX(end, i);
				break;
			}
	return end;
}

guint quote_frame(struct quote_plan *p, guint first, guint last, guint stop)
{
	guint end = last;

	for (guint level = quote_depth(p, first); level > 0; level--)
		keep_speaker(p, first, level);
	if (!quote_frame_diff(p, first, last) &&
	    !quote_frame_table(p, first, last) &&
	    !quote_frame_log(p, first, last))
		end = frame_prose(p, first, last, stop);
	for (guint i = first; i <= last; i++)
		if (is_headline(p, i))
			return frame_report(p, i, end, stop);
	return end;
}
