/* command_text.c - the lines of a body as text that a command goes on in
 * Decides which lines may; the grammar of verbs is not known here. */
#include <string.h>

#include "mail/columns.h"
#include "mail/command_priv.h"
#include "mail/trailers_priv.h"

#define WRAP_COLUMN   71 /* Gmail breaks before the 72nd */
#define CLOSING_WORDS 6	 /* of a line "Thanks for looking into it" at most */

static gboolean is_own(const struct command_text *t, const struct body_line *l)
{
	return l->kind == BODY_TEXT || l->kind == t->kind;
}

void command_text_open(struct command_text *t, guint line)
{
	const struct body_line *l = body_line(t->body, line);
	g_autofree char *text = command_normalise(l->text, l->len);

	if (!t->line)
		t->line = g_string_new(NULL);
	g_string_assign(t->line, text);
	t->number = line;
	t->next = line + 1;
	t->ends = FALSE;
	t->width = text_columns(text, t->line->len);
}

char *command_text_piece(struct command_text *t)
{
	const char *end, *next = command_split(t->line->str, &end);
	char *piece;

	t->ends = !next;
	if (!next) {
		piece = g_strdup(t->line->str);
		g_string_truncate(t->line, 0);
		return piece;
	}
	piece = g_strndup(t->line->str, (gsize)(end - t->line->str));
	g_string_erase(t->line, 0, next - t->line->str);
	return piece;
}

static gboolean word_is(const char *text, gsize len, const char *const *words)
{
	for (; *words; words++)
		if (strlen(*words) == len &&
		    g_ascii_strncasecmp(text, *words, len) == 0)
			return TRUE;
	return FALSE;
}

static guint count_words(const char *p)
{
	guint n = 0;

	while (*(p += strspn(p, " \t"))) {
		p += strcspn(p, " \t");
		n++;
	}
	return n;
}

/* "Thanks,", "Ciao, Thorsten", "Hi all,": how mails begin and end. */
static gboolean is_closing(const char *text)
{
	static const char *const words[] = {
		"thanks", "thx",   "cheers", "ciao",	  "regards",
		"bye",	  "br",	   "hth",    "greetings", "sincerely",
		"hi",	  "hello", "dear",   "tschuess",  "p.s.",
		"ps",	  NULL};
	static const char *const pairs[] = {
		"best regards", "kind regards",	    "best wishes", "thank you",
		"many thanks",	"warm regards",	    "with best",   "with kind",
		"yours",	"mit freundlichen", NULL};
	gsize len = strcspn(text, " \t,!:");
	guint n;

	for (guint i = 0; pairs[i]; i++)
		if (g_ascii_strncasecmp(text, pairs[i], strlen(pairs[i])) == 0)
			return count_words(text) <= CLOSING_WORDS;
	if (!word_is(text, len, words))
		return FALSE;
	n = count_words(text);
	return (text[len] && strchr(",!:", text[len])) || n <= 2 ||
	       (n <= CLOSING_WORDS && g_ascii_isupper(text[0]));
}

/* "[1]: https://...", "- Ted", "* this", "---", "1) one", "```" */
static gboolean is_item(const char *p)
{
	gsize n;

	if (*p == '[' && g_ascii_isdigit(p[1]))
		return TRUE;
	if (strchr("-*=_+`~#", *p))
		return p[1] == *p || p[1] == ' ' || p[1] == '\0' ||
		       p[1] == '\t';
	n = strspn(p, "0123456789");
	return n && n < 3 && (p[n] == ')' || p[n] == '.') && p[n + 1] == ' ';
}

static gboolean is_trailer(const char *text)
{
	struct trailer_text line = {text, strlen(text)};
	struct trailer_name name = {0};
	gsize value, len = trailer_name_len(&line, &value);
	gboolean is;

	if (!len || !g_ascii_isupper(*text))
		return FALSE;
	trailer_name_read(&name, text, len);
	is = name.kind != NAME_NONE;
	g_free(name.key);
	return is;
}

char *command_text_below(const struct command_text *t, gboolean blank,
			 guint *number)
{
	g_autofree char *text = NULL;
	const struct body_line *l;
	const char *behind;
	guint at = t->next;

	if (!t->ends)
		return NULL;
	for (;; at++, blank = FALSE) {
		if (at >= body_count(t->body))
			return NULL;
		l = body_line(t->body, at);
		if (!is_own(t, l))
			return NULL;
		g_free(text);
		text = command_normalise(l->text, l->len);
		if (*g_strchug(text))
			break;
		if (!blank)
			return NULL;
	}
	if (command_marker_find(text, &behind) || is_item(text) ||
	    is_closing(text) || is_trailer(text))
		return NULL;
	*number = at;
	return g_steal_pointer(&text);
}

gboolean command_text_is_wrapped(const struct command_text *t,
				 const char *below)
{
	return t->width + 1 + text_columns(below, strcspn(below, " \t")) >
	       WRAP_COLUMN;
}

void command_text_take(struct command_text *t, guint number)
{
	command_text_open(t, number);
	g_strchug(t->line->str);
	g_string_set_size(t->line, strlen(t->line->str));
}
