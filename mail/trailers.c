/* trailers.c - where trailers may stand: commit messages, notes, replies
 * The same line is a trailer in one place and prose in another. */
#include "mail/trailers.h"

#include <string.h>

#include "mail/trailers_priv.h"

#define MAX_PARAGRAPHS 3 /* at the end of a commit message */
#define MAX_AHEAD      4 /* lines that one trailer can take */

void trailer_free(struct trailer *t)
{
	if (!t)
		return;
	g_free(t->key);
	g_free(t->value);
	address_free(t->who);
	g_free(t->note);
	g_free(t->commit);
	g_free(t->subject);
	g_free(t->url);
	g_free(t);
}

static GPtrArray *trailers_new(void)
{
	return g_ptr_array_new_with_free_func((GDestroyNotify)trailer_free);
}

static GArray *split_lines(const char *text)
{
	GArray *lines = g_array_new(FALSE, FALSE, sizeof(struct trailer_text));

	while (*text) {
		const char *eol = strchrnul(text, '\n');
		struct trailer_text line = {text, (gsize)(eol - text)};

		g_array_append_val(lines, line);
		text = *eol ? eol + 1 : eol;
	}
	return lines;
}

static const struct trailer_text *line_at(GArray *lines, guint i)
{
	return &g_array_index(lines, struct trailer_text, i);
}

static gboolean is_blank(const struct trailer_text *line)
{
	for (gsize i = 0; i < line->len; i++)
		if (!g_ascii_isspace(line->text[i]))
			return FALSE;
	return TRUE;
}

/* A line that may stand among trailers without being one of ours:
 * "Upstream-status: x", "[me: remark]", "(cherry picked from ...)". */
static gboolean is_neighbour(const struct trailer_text *line)
{
	static const char picked[] = "(cherry picked from ";
	gsize value;
	gsize n = trailer_name_len(line, &value);

	if (n && *line->text != ' ' && !memchr(line->text, ' ', n))
		return memchr(line->text, '-', n) != NULL;
	return trailer_is_note(line) ||
	       (line->len > strlen(picked) &&
		!memcmp(line->text, picked, strlen(picked)));
}

/*
 * The trailers of lines[from..to) that begin in column 0. With `whole` they
 * count only if nothing else stands there.
 */
static void read_paragraph(GPtrArray *out, GArray *lines, guint from, guint to,
			   guint line0, gboolean whole)
{
	guint before = out->len;
	guint i = from;

	while (i < to) {
		const struct trailer_text *line = line_at(lines, i);
		guint taken = 0;

		if (*line->text != ' ')
			taken = trailer_read(out, line, to - i, line0 + i,
					     TRAILER_COMMIT_MESSAGE);
		if (!taken && whole && !is_neighbour(line)) {
			g_ptr_array_set_size(out, (gint)before);
			return;
		}
		i += MAX(taken, 1);
	}
}

GPtrArray *trailers_in_commit(const char *text, guint line0)
{
	GPtrArray *out = trailers_new();
	g_autoptr(GArray) lines = split_lines(text);
	guint starts[MAX_PARAGRAPHS];
	guint ends[MAX_PARAGRAPHS];
	guint n = 0;
	guint at = lines->len;

	for (; n < MAX_PARAGRAPHS && at; n++) {
		while (at && is_blank(line_at(lines, at - 1)))
			at--;
		ends[n] = at;
		while (at && !is_blank(line_at(lines, at - 1)))
			at--;
		starts[n] = at;
	}
	while (n--)
		read_paragraph(out, lines, starts[n], ends[n], line0, n > 0);
	return out;
}

static gboolean is_for_commits(const struct trailer_text *line)
{
	gsize value;
	gsize n = trailer_name_len(line, &value);
	struct trailer_name name;

	if (!n)
		return FALSE;
	trailer_name_read(&name, line->text, n);
	g_free(name.key);
	return name.kind == NAME_UTILITY;
}

GPtrArray *trailers_in_notes(const char *text, guint line0)
{
	GPtrArray *out = trailers_new();
	g_autoptr(GArray) lines = split_lines(text);
	guint i = 0;

	while (i < lines->len) {
		const struct trailer_text *line = line_at(lines, i);
		guint taken = 0;

		if (line->len && *line->text != ' ' && !is_for_commits(line))
			taken = trailer_read(out, line,
					     MIN(lines->len - i, MAX_AHEAD),
					     line0 + i, TRAILER_NOTES);
		i += MAX(taken, 1);
	}
	return out;
}

/* ---- replies */

static gboolean is_own_text(const body *b, guint i)
{
	const struct body_line *line = body_line(b, i);

	return line->kind == BODY_TEXT && line->depth == 0;
}

static struct trailer_text text_at(const body *b, guint i)
{
	const struct body_line *line = body_line(b, i);

	return (struct trailer_text){line->text, line->len};
}

/* What a reply can give: persons and where to look, no recipients. */
static gboolean is_for_replies(const struct trailer_text *line)
{
	gsize value;
	gsize n = trailer_name_len(line, &value);
	const char *p = line->text;
	struct trailer_name name;
	gboolean patch;

	if (!n)
		return FALSE;
	while (*p == ' ')
		p++;
	trailer_name_read(&name, p, n);
	patch = !g_strcmp0(name.key, "Patch"); /* robots tell where it is */
	g_free(name.key);
	return name.kind == NAME_PERSON || name.kind == NAME_FIXES ||
	       (name.kind == NAME_LINK && !patch);
}

/* Who reviews, acks or tests gives it himself, or tells of another. */
static gboolean is_given(const struct trailer *t)
{
	static const char *const given[] = {"reviewed", "acked", "tested",
					    "nacked"};
	g_autofree char *key = g_ascii_strdown(t->key, -1);

	for (guint i = 0; t->who && i < G_N_ELEMENTS(given); i++)
		if (strstr(key, given[i]))
			return TRUE;
	return FALSE;
}

/*
 * Judge trailers from `first` on by who sends them. A sentence behind the
 * address is the sender's remark on his own tag; on another's it is prose
 * that only begins like a trailer.
 */
static void settle_reply(GPtrArray *out, guint first,
			 const struct address *from)
{
	guint k = first;

	while (k < out->len) {
		struct trailer *t = g_ptr_array_index(out, k);
		const char *sentence = trailer_sentence(t);
		gboolean own =
			from && t->who && address_same_person(t->who, from);

		if (sentence && !own) {
			g_ptr_array_remove_index(out, k);
			continue;
		}
		if (sentence && !t->note)
			t->note = g_strdup(sentence);
		t->relayed = from && !own && is_given(t);
		k++;
	}
}

GPtrArray *trailers_in_reply(const body *b, const struct address *from)
{
	GPtrArray *out = trailers_new();
	guint count = body_count(b);
	guint i = 0;

	while (i < count) {
		struct trailer_text lines[MAX_AHEAD];
		guint first = out->len;
		guint taken = 0;
		guint n = 0;

		if (is_own_text(b, i)) {
			lines[0] = text_at(b, i);
			n = is_for_replies(&lines[0]);
		}
		for (; n && n < MAX_AHEAD && i + n < count; n++) {
			if (!is_own_text(b, i + n))
				break;
			lines[n] = text_at(b, i + n);
		}
		if (n)
			taken = trailer_read(out, lines, n, i + 1,
					     TRAILER_MESSAGE);
		settle_reply(out, first, from);
		i += MAX(taken, 1);
	}
	return out;
}
