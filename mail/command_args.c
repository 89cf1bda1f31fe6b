/* command_args.c - arguments of a command, over several lines
 * How far they go depends on what the verb wants; what they name, on
 * mail/reference.h. */
#include <string.h>

#include "mail/chars_priv.h"
#include "mail/command_priv.h"
#include "mail/reference.h"

#define REF_CHARS                                                  \
	"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123" \
	"456789._/+-"
#define QUOTE_LINES 5  /* a quoted title may go on for */
#define SHORT_LINE  50 /* columns; a line below that was ended on purpose */
#define TEXT_MAX    (2 * COMMAND_MAX_ARGS) /* bytes of a line looked at */

struct args {
	struct command_text *text;
	const struct command_head *head;
	GString *all;
};

static gboolean regzbot(const struct args *a)
{
	return a->head->marker->letter == 'r';
}

/* Titles that others gave keep their quotes. */
static void append_text(struct args *a, const char *text)
{
	gsize len = strnlen(text, TEXT_MAX);
	g_autofree char *plain = NULL;

	if (regzbot(a)) {
		g_string_append_len(a->all, text, (gssize)len);
		return;
	}
	plain = command_plain_quotes(text, len);
	g_string_append(a->all, plain);
}

/* Joined by one blank; a word divided at its hyphen, by none. */
static void append_line(struct args *a, guint number)
{
	GString *s = a->all;
	g_autofree char *piece = NULL;

	command_text_take(a->text, number);
	piece = command_text_piece(a->text);
	if (s->len && s->str[s->len - 1] == '\\')
		g_string_truncate(s, s->len - 1);
	if (s->len) {
		const char *word = strrchr(s->str, ' ');
		char last = s->str[s->len - 1];

		word = word ? word + 1 : s->str;
		if (!strchr("-/", last) || word[1] == '\0' || word[0] == '-' ||
		    strchr(word, ':') || strchr(word, '@'))
			g_string_append_c(s, ' ');
	}
	append_text(a, piece);
}

/* Wherever a line ends in '\', and from a quote to the one that closes it. */
static gboolean goes_on(const struct args *a, guint lines)
{
	const char *s = a->all->str;
	gsize len = a->all->len;

	if (len && s[len - 1] == '\\')
		return TRUE;
	return *s == '"' && len > 1 && lines < QUOTE_LINES &&
	       (s[len - 1] != '"' || len == 1) && !strchr(s + 1, '"');
}

/* Of #regzbot the rest of the paragraph belongs to it; a new sentence below
 * a line that was ended early does not. */
static gboolean joins(const struct args *a, const char *below, guint lines)
{
	if (goes_on(a, lines))
		return TRUE;
	if (lines >= a->head->marker->wraps)
		return FALSE;
	if (command_text_is_wrapped(a->text, below))
		return TRUE;
	return regzbot(a) && a->head->verb && a->all->len &&
	       !strchr(".!?", a->all->str[a->all->len - 1]) &&
	       (g_ascii_islower(*below) || g_ascii_isdigit(*below) ||
		a->text->width >= SHORT_LINE);
}

static void join_words(struct args *a)
{
	char *below;
	guint number;

	for (guint lines = 0; a->all->len <= COMMAND_MAX_ARGS; lines++) {
		gboolean join;

		below = command_text_below(a->text, FALSE, &number);
		join = below && joins(a, below, lines);
		g_free(below);
		if (!join)
			break;
		append_line(a, number);
	}
}

/* The argument stands on the next line. */
static void take_first(struct args *a, gboolean required)
{
	g_autofree char *below = NULL;
	gboolean blank = required && (a->head->colon || !regzbot(a));
	guint number;

	if (a->all->len)
		return;
	below = command_text_below(a->text, blank, &number);
	if (!below)
		return;
	if (required || a->head->colon ||
	    (a->head->marker->letter != 'c' && g_ascii_islower(*below)))
		append_line(a, number);
}

static gboolean wants_reason(const struct args *a)
{
	return a->head->marker->letter == 'c' && a->head->verb &&
	       a->head->verb->args == COMMAND_ARGS_REASON;
}

static gboolean is_pointer(enum reference_kind kind)
{
	return kind == REFERENCE_MAIL || kind == REFERENCE_TICKET ||
	       kind == REFERENCE_URL || kind == REFERENCE_PARENT ||
	       kind == REFERENCE_ROOT || kind == REFERENCE_ITEM;
}

/* Lines that hold nothing but pointers. */
static gboolean all_pointers(const char *text)
{
	struct reference *r;
	gboolean all = TRUE;

	while (all && (r = reference_next(&text)) != NULL) {
		all = is_pointer(r->kind);
		reference_free(r);
	}
	return all;
}

static void take_pointers(struct args *a)
{
	for (guint lines = 0; lines < a->head->marker->wraps; lines++) {
		g_autofree char *below = NULL;
		guint number;

		below = command_text_below(a->text, FALSE, &number);
		if (!below || !all_pointers(below))
			break;
		append_line(a, number);
	}
}

/* Behind what was asked for stands a remark: it may be wrapped. */
static void take_remark(struct args *a)
{
	const char *text = a->all->str;
	g_autoptr(reference_auto) first = reference_next(&text);

	if (!first)
		return;
	if (first->kind == REFERENCE_TITLE || !all_pointers(text))
		join_words(a);
}

static void take_lines(struct args *a)
{
	const struct command_verb *verb = a->head->verb;

	switch (verb ? verb->args : COMMAND_ARGS_WORDS) {
	case COMMAND_ARGS_NONE:
		g_string_truncate(a->all, 0);
		break;
	case COMMAND_ARGS_REF:
	case COMMAND_ARGS_POINTER:
		take_first(a, TRUE);
		take_pointers(a);
		take_remark(a);
		break;
	case COMMAND_ARGS_URL:
	case COMMAND_ARGS_FIX:
		take_first(a, TRUE);
		take_remark(a);
		break;
	case COMMAND_ARGS_LINE:
		take_first(a, TRUE);
		join_words(a);
		break;
	case COMMAND_ARGS_WORDS:
	case COMMAND_ARGS_REASON:
		take_first(a, wants_reason(a));
		if (a->all->len)
			join_words(a);
		break;
	}
}

/* Blanks single, the ';' that ends a command dropped. */
static char *squeeze(const GString *all)
{
	char *out = chars_squeeze(all->str, all->len, COMMAND_MAX_ARGS);
	gsize len = strlen(out);

	while (len && strchr("; ", out[len - 1]))
		out[--len] = '\0';
	return out;
}

char *command_args_read(struct command_text *t, const struct command_head *h)
{
	struct args a = {t, h, g_string_new(NULL)};
	char *args;

	append_text(&a, h->args);
	take_lines(&a);
	args = squeeze(a.all);
	g_string_free(a.all, TRUE);
	return args;
}

/* ---- what they mean */

static void malformed(struct command *c, char *problem)
{
	c->status = COMMAND_MALFORMED;
	g_free(c->problem);
	c->problem = problem;
}

/* The first pointer says which report is meant. */
static void take_pointer(struct command *c, const struct reference *r)
{
	if (c->parent || c->root || c->target_url)
		return;
	c->parent = r->kind == REFERENCE_PARENT;
	c->root = r->kind == REFERENCE_ROOT;
	if (is_pointer(r->kind) && r->url)
		c->target_url = g_strdup(r->url);
}

static void take_target(struct command *c, const char *text)
{
	struct reference *r;

	while ((r = reference_next(&text)) != NULL) {
		take_pointer(c, r);
		reference_free(r);
	}
}

/* A word that might be a tag or branch is one: trees know better. */
static gboolean is_ref(const struct reference *r, const char *rest)
{
	const char *next = rest;
	g_autoptr(reference_auto) behind = NULL;

	if (r->kind == REFERENCE_COMMIT || r->kind == REFERENCE_RANGE ||
	    r->kind == REFERENCE_TAG)
		return TRUE;
	if (r->kind != REFERENCE_TITLE || !g_ascii_isalnum(*r->text) ||
	    r->text[strspn(r->text, REF_CHARS)])
		return FALSE;
	behind = reference_next(&next);
	return !behind || is_pointer(behind->kind);
}

static void judge_ref(struct command *c)
{
	const char *text = c->args;
	g_autoptr(reference_auto) r = reference_next(&text);

	if (!r || !is_ref(r, text)) {
		malformed(c, g_strdup_printf("%s is no commit, tag or range",
					     r ? r->text : "nothing"));
		return;
	}
	take_target(c, text);
}

static void judge_url(struct command *c, gboolean alone)
{
	const char *text = c->args;
	g_autoptr(reference_auto) r = reference_next(&text);

	if (!r)
		malformed(c, g_strdup("a URL or Message-ID is missing"));
	else if (!alone && !is_pointer(r->kind))
		malformed(c, g_strdup_printf("%s is no URL", r->text));
}

void command_args_judge(struct command *c, const struct command_head *h)
{
	switch (h->verb->args) {
	case COMMAND_ARGS_REF:
		judge_ref(c);
		break;
	case COMMAND_ARGS_POINTER:
		if (*h->verb->usage != '[')
			judge_url(c, g_str_equal(c->verb, "duplicate"));
		if (g_str_equal(c->verb, "use"))
			take_target(c, c->args);
		break;
	case COMMAND_ARGS_URL:
		judge_url(c, FALSE);
		break;
	case COMMAND_ARGS_FIX:
	case COMMAND_ARGS_LINE:
		if (!*c->args)
			malformed(c, g_strdup_printf("%s wants %s", c->verb,
						     h->verb->usage));
		break;
	case COMMAND_ARGS_REASON:
		if (!*c->args && h->marker->letter == 'c')
			malformed(c, g_strdup("a reason is missing"));
		break;
	case COMMAND_ARGS_WORDS:
		if (g_str_equal(c->verb, "status"))
			take_target(c, c->args);
		break;
	case COMMAND_ARGS_NONE:
		break;
	}
}
