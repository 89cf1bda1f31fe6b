/* words.c - what people say about a fix, in words
 * One sentence of the sender's own text after the other. Claims only: nothing
 * here decides anything. */
#include <string.h>

#include "mail/chars_priv.h"
#include "mail/words_priv.h"

#define TEXT_MAX      300  /* bytes kept of a sentence */
#define PARAGRAPH_MAX 8000 /* bytes; the rest is another one */

const char *verdict_word_name(enum verdict_word_kind k)
{
	static const char *const names[] = {
		"tested-ok", "tested-bad", "not-reproduced",
		"retracted", "nak",	   "changes-requested",
		"question",  "promised",   "intended"};

	return names[k];
}

void verdict_word_free(struct verdict_word *w)
{
	if (!w)
		return;
	g_free(w->text);
	g_free(w);
}

/* ---- sentences of a body */

struct paragraph {
	GString *text;
	GArray *starts; /* of struct line_start: where each line begins */
};

struct line_start {
	gsize at;
	guint line;
};

static guint line_of(const struct paragraph *p, gsize at)
{
	guint line = 0;

	for (guint i = 0; i < p->starts->len; i++) {
		const struct line_start *s =
			&g_array_index(p->starts, struct line_start, i);

		if (s->at > at)
			break;
		line = s->line;
	}
	return line;
}

static void add_sentence(const struct paragraph *p, gsize from, gsize to,
			 char *folded, GPtrArray *out)
{
	struct sentence s = {.folded = folded};
	enum verdict_word_kind kind;
	struct verdict_word *w;

	while (from < to && g_ascii_isspace(p->text->str[from]))
		from++;
	while (to > from && g_ascii_isspace(p->text->str[to - 1]))
		to--;
	if (from == to || out->len >= WORDS_MAX)
		return;
	s.text = p->text->str + from;
	s.len = to - from;
	sentence_split(&s);
	if (!sentence_judge(&s, &kind))
		return;
	w = g_new(struct verdict_word, 1);
	w->kind = kind;
	w->line = line_of(p, from) + 1;
	w->text = chars_squeeze(s.text, s.len, TEXT_MAX);
	g_ptr_array_add(out, w);
}

static void flush(struct paragraph *p, GPtrArray *out)
{
	const char *text = p->text->str;
	g_autofree char *folded = NULL;
	gsize from = 0;

	if (!p->text->len)
		return;
	folded = g_malloc(p->text->len + 1);
	for (gsize i = 0; i < p->text->len; i++)
		if (strchr(".!?", text[i]) && g_ascii_isspace(text[i + 1]) &&
		    text[i]) {
			add_sentence(p, from, i + 1, folded, out);
			from = i + 1;
		}
	add_sentence(p, from, p->text->len, folded, out);
	g_string_truncate(p->text, 0);
	g_array_set_size(p->starts, 0);
}

static gboolean is_empty_line(const struct body_line *l)
{
	for (guint i = l->skip; i < l->len; i++)
		if (!g_ascii_isspace(l->text[i]))
			return FALSE;
	return TRUE;
}

GPtrArray *words_read(const body *b)
{
	GPtrArray *out = g_ptr_array_new_with_free_func(
		(GDestroyNotify)verdict_word_free);
	struct paragraph p = {
		.text = g_string_new(NULL),
		.starts = g_array_new(FALSE, FALSE, sizeof(struct line_start)),
	};

	for (guint i = 0; b && i < body_count(b); i++) {
		const struct body_line *l = body_line(b, i);
		struct line_start start = {p.text->len, i};

		if (l->kind != BODY_TEXT || is_empty_line(l) ||
		    p.text->len > PARAGRAPH_MAX) {
			flush(&p, out);
			if (l->kind != BODY_TEXT || is_empty_line(l))
				continue;
			start.at = 0;
		}
		g_array_append_val(p.starts, start);
		g_string_append_len(p.text, l->text, l->len);
		g_string_append_c(p.text, '\n');
	}
	flush(&p, out);
	g_array_unref(p.starts);
	g_string_free(p.text, TRUE);
	return out;
}
