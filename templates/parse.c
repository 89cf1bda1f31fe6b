/* parse.c - the text of a template to a list of tokens
 * One pass, linear. Tags that stand alone on a line take the line with them,
 * as the Mustache specification has it. */
#include <stdarg.h>
#include <string.h>

#include "templates/template_priv.h"

#define DELIMITER_MAX 16

struct section {
	guint token;
	struct html begin;
};

struct parser {
	const char *name;
	const char *text;
	gsize len;
	gsize pos;	  /* behind the last tag, or behind the line it took */
	gsize line_begin; /* of the line that is read */
	gboolean fresh;	  /* pos is the beginning of a line */
	gsize counted;	  /* lines are counted up to here */
	guint line;
	char open[DELIMITER_MAX], close[DELIMITER_MAX];
	enum template_escape escape;
	struct html html;
	GArray *tokens;
	struct section sections[TEMPLATE_MAX_DEPTH];
	guint depth;
};

/* A tag as found: bytes [begin, end), delimiters included. */
struct tag {
	gsize begin, end;
	char sigil; /* 0 for a plain name */
	char *body; /* without blanks around it */
	gboolean alone;
	gsize line_end; /* if alone: where the next line begins */
};

static G_GNUC_PRINTF(3, 4) gboolean
	fail(struct parser *p, GError **err, const char *format, ...)
{
	g_autofree char *what = NULL;
	va_list ap;

	va_start(ap, format);
	what = g_strdup_vprintf(format, ap);
	va_end(ap);
	g_set_error(err, TEMPLATE_ERROR, TEMPLATE_ERROR_SYNTAX, "%s:%u: %s",
		    p->name, p->line, what);
	return FALSE;
}

static gboolean is_markup(const struct parser *p)
{
	return p->escape == TEMPLATE_HTML || p->escape == TEMPLATE_XML;
}

static struct token *add_token(struct parser *p, enum token_type type)
{
	struct token tok = {.type = type, .line = p->line, .html = p->html};

	g_array_append_val(p->tokens, tok);
	return &g_array_index(p->tokens, struct token, p->tokens->len - 1);
}

static void count_lines(struct parser *p, gsize to)
{
	for (; p->counted < to; p->counted++)
		p->line += p->text[p->counted] == '\n';
}

/* The literal text [p->pos, end). Where a tag begins a line, an empty text
 * keeps the place for the indentation of a partial. */
static gboolean add_text(struct parser *p, gsize end, gboolean tag_follows,
			 GError **err)
{
	gsize len = end - p->pos;
	gboolean at_begin = len ? p->text[end - 1] == '\n' : p->fresh;
	const char *wrong;
	struct token *tok;

	if (len) {
		tok = add_token(p, TOKEN_TEXT);
		tok->text = p->text + p->pos;
		tok->len = len;
		tok->line_begin = p->fresh;
		wrong = is_markup(p) ? html_feed(&p->html, tok->text, len)
				     : NULL;
		if (wrong)
			return fail(p, err, "%s", wrong);
	}
	if (tag_follows && at_begin)
		add_token(p, TOKEN_TEXT)->line_begin = TRUE;
	count_lines(p, end);
	return TRUE;
}

static gsize skip_blanks(const struct parser *p, gsize at)
{
	while (at < p->len && (p->text[at] == ' ' || p->text[at] == '\t'))
		at++;
	return at;
}

/* Whether nothing else stands on the tag's line. */
static void find_alone(const struct parser *p, struct tag *tag)
{
	gsize before, after;

	if (p->pos > p->line_begin)
		return;
	before = skip_blanks(p, p->line_begin);
	after = skip_blanks(p, tag->end);
	if (before < tag->begin)
		return;
	if (after + 1 < p->len && p->text[after] == '\r' &&
	    p->text[after + 1] == '\n')
		after++;
	if (after < p->len && p->text[after] != '\n')
		return;
	tag->alone = TRUE;
	tag->line_end = MIN(after + 1, p->len);
}

static void find_line_begin(struct parser *p, gsize tag_begin)
{
	const char *from = p->text + p->pos;
	const char *nl = memrchr(from, '\n', tag_begin - p->pos);

	if (nl)
		p->line_begin = (gsize)(nl - p->text) + 1;
	else if (p->fresh)
		p->line_begin = p->pos;
	else
		p->line_begin = 0;
}

/* The next tag at or after p->pos. FALSE with err unset: none. */
static gboolean find_tag(struct parser *p, struct tag *tag, GError **err)
{
	gsize open = strlen(p->open), close = strlen(p->close);
	const char *begin =
		memmem(p->text + p->pos, p->len - p->pos, p->open, open);
	const char *body, *end;
	char ending[DELIMITER_MAX + 2] = "";

	if (!begin)
		return FALSE;
	tag->begin = (gsize)(begin - p->text);
	count_lines(p, tag->begin);
	body = begin + open;
	if (body < p->text + p->len && strchr("#^/>!=&{", *body) && *body)
		tag->sigil = *body++;
	if (tag->sigil == '{')
		g_strlcpy(ending, "}", sizeof(ending));
	else if (tag->sigil == '=')
		g_strlcpy(ending, "=", sizeof(ending));
	g_strlcat(ending, p->close, sizeof(ending));
	end = memmem(body, (gsize)(p->text + p->len - body), ending,
		     strlen(ending));
	if (!end)
		return fail(p, err, "a tag is not closed by \"%s\"", ending);
	tag->end = (gsize)(end - p->text) + strlen(ending);
	g_assert(tag->end >= tag->begin + open + close);
	if (tag->sigil != '!')
		tag->body = g_strstrip(g_strndup(body, (gsize)(end - body)));
	find_line_begin(p, tag->begin);
	if (tag->sigil && !strchr("&{", tag->sigil))
		find_alone(p, tag);
	return TRUE;
}

static gboolean check_name(struct parser *p, const char *name, GError **err)
{
	if (!*name)
		return fail(p, err, "a tag without a name");
	if (strlen(name) > TEMPLATE_MAX_NAME)
		return fail(p, err, "a name of more than %d bytes",
			    TEMPLATE_MAX_NAME);
	if (strpbrk(name, " \t\r\n"))
		return fail(p, err, "blanks inside the name \"%s\"", name);
	return TRUE;
}

static gboolean set_path(struct parser *p, struct token *tok, const char *name,
			 GError **err)
{
	if (!check_name(p, name, err))
		return FALSE;
	tok->local = name[0] == '.';
	tok->path = g_strsplit(name + tok->local, ".", 0);
	for (guint i = 0; tok->path[i]; i++)
		if (!*tok->path[i])
			return fail(p, err, "empty part in the name \"%s\"",
				    name);
	return TRUE;
}

static gboolean add_value(struct parser *p, const struct tag *tag, GError **err)
{
	struct token *tok = add_token(p, TOKEN_VALUE);
	gboolean raw = tag->sigil != 0;
	const char *wrong = NULL;

	if (is_markup(p))
		wrong = html_value(&p->html, raw, &tok->show);
	else if (p->escape == TEMPLATE_SPEC)
		tok->show = raw ? SHOW_RAW : SHOW_SPEC;
	else
		tok->show = SHOW_PLAIN;
	if (wrong)
		return fail(p, err, "%s", wrong);
	return set_path(p, tok, tag->body, err);
}

static gboolean branch(struct parser *p, GError **err)
{
	const char *wrong = is_markup(p) ? html_branch(&p->html) : NULL;

	return wrong ? fail(p, err, "%s", wrong) : TRUE;
}

static gboolean add_section(struct parser *p, const struct tag *tag,
			    GError **err)
{
	struct token *tok;

	if (p->depth == TEMPLATE_MAX_DEPTH) {
		g_set_error(err, TEMPLATE_ERROR, TEMPLATE_ERROR_LIMIT,
			    "%s:%u: more than %d sections inside each other",
			    p->name, p->line, TEMPLATE_MAX_DEPTH);
		return FALSE;
	}
	if (!branch(p, err))
		return FALSE;
	tok = add_token(p, tag->sigil == '#' ? TOKEN_SECTION : TOKEN_INVERTED);
	p->sections[p->depth].token = p->tokens->len - 1;
	p->sections[p->depth++].begin = p->html;
	return set_path(p, tok, tag->body, err);
}

static gboolean same_name(const struct token *tok, const char *name)
{
	g_autofree char *path = g_strjoinv(".", tok->path);

	return !strcmp(path, name + (tok->local && name[0] == '.')) &&
	       tok->local == (name[0] == '.');
}

static gboolean add_end(struct parser *p, const struct tag *tag, GError **err)
{
	const struct section *s;
	struct token *begin;
	guint at;

	if (!p->depth)
		return fail(p, err, "the end of \"%s\" without its beginning",
			    tag->body);
	s = &p->sections[--p->depth];
	begin = &g_array_index(p->tokens, struct token, s->token);
	if (!same_name(begin, tag->body))
		return fail(p, err,
			    "the end of \"%s\", but the section of line %u "
			    "is open",
			    tag->body, begin->line);
	if (!branch(p, err))
		return FALSE;
	if (is_markup(p) && !html_join(&s->begin, &p->html, &p->html))
		return fail(p, err,
			    "the section of line %u ends in another place of "
			    "the page's markup than it begins",
			    begin->line);
	begin->jump = p->tokens->len;
	at = s->token;
	if (begin->type == TOKEN_SECTION)
		add_token(p, TOKEN_END)->jump = at;
	return TRUE;
}

static gboolean add_partial(struct parser *p, const struct tag *tag,
			    GError **err)
{
	struct token *tok;

	if (!check_name(p, tag->body, err) || !branch(p, err))
		return FALSE;
	tok = add_token(p, TOKEN_PARTIAL);
	tok->path = g_new0(char *, 2);
	tok->path[0] = g_strdup(tag->body);
	if (tag->alone) {
		tok->text = p->text + p->line_begin;
		tok->len = tag->begin - p->line_begin;
	}
	html_filled(&p->html);
	return TRUE;
}

static gboolean set_delimiters(struct parser *p, const struct tag *tag,
			       GError **err)
{
	gsize n = strcspn(tag->body, " \t\r\n");
	const char *close = tag->body + n + strspn(tag->body + n, " \t\r\n");

	if (!n || !*close || strpbrk(close, " \t\r\n") ||
	    strchr(tag->body, '='))
		return fail(p, err, "delimiters are two words without \"=\"");
	if (n >= DELIMITER_MAX || strlen(close) >= DELIMITER_MAX)
		return fail(p, err, "a delimiter of more than %d bytes",
			    DELIMITER_MAX - 1);
	memcpy(p->open, tag->body, n);
	p->open[n] = '\0';
	g_strlcpy(p->close, close, sizeof(p->close));
	return TRUE;
}

static gboolean add_tag(struct parser *p, const struct tag *tag, GError **err)
{
	switch (tag->sigil) {
	case '!':
		return TRUE;
	case '=':
		return set_delimiters(p, tag, err);
	case '#':
	case '^':
		return add_section(p, tag, err);
	case '/':
		return add_end(p, tag, err);
	case '>':
		return add_partial(p, tag, err);
	default:
		return add_value(p, tag, err);
	}
}

/* Text up to the next tag and the tag. FALSE with err unset: no tag left. */
static gboolean parse_step(struct parser *p, GError **err)
{
	struct tag tag = {0};
	gboolean ok;

	if (!find_tag(p, &tag, err))
		return FALSE;
	ok = add_text(p, tag.alone ? p->line_begin : tag.begin, !tag.alone,
		      err) &&
	     add_tag(p, &tag, err);
	p->fresh = tag.alone;
	p->pos = tag.alone ? tag.line_end : tag.end;
	if (tag.alone)
		p->line_begin = p->pos;
	g_free(tag.body);
	return ok;
}

static gboolean parse_end(struct parser *p, const struct html *start,
			  GError **err)
{
	const struct section *s;
	struct html after;

	if (!add_text(p, p->len, FALSE, err))
		return FALSE;
	if (p->depth) {
		s = &p->sections[p->depth - 1];
		return fail(
			p, err, "the section of line %u is not ended",
			g_array_index(p->tokens, struct token, s->token).line);
	}
	if (!is_markup(p))
		return TRUE;
	if (html_branch(&p->html) || !html_join(start, &p->html, &after))
		return fail(p, err,
			    "the text ends inside of a tag, comment or "
			    "style sheet");
	return TRUE;
}

static gboolean parse_all(struct parser *p, const struct html *start,
			  GError **err)
{
	GError *error = NULL;

	while (parse_step(p, &error))
		;
	if (error) {
		g_propagate_error(err, error);
		return FALSE;
	}
	return parse_end(p, start, err);
}

static void token_clear(void *data)
{
	struct token *tok = data;

	g_strfreev(tok->path);
}

struct template *template_parse(const char *name, const char *text,
				enum template_escape escape,
				const struct html *start, GError **err)
{
	static const struct html outside = {.mode = HTML_TEXT};
	struct parser p = {.name = name,
			   .text = text,
			   .len = strlen(text),
			   .fresh = TRUE,
			   .line = 1,
			   .open = "{{",
			   .close = "}}",
			   .escape = escape,
			   .html = start ? *start : outside};
	struct template *t;

	if (p.len > TEMPLATE_MAX_BYTES) {
		g_set_error(err, TEMPLATE_ERROR, TEMPLATE_ERROR_LIMIT,
			    "%s: more than %d bytes", name, TEMPLATE_MAX_BYTES);
		return NULL;
	}
	t = g_new0(struct template, 1);
	t->name = g_strdup(name);
	t->tokens = g_array_new(FALSE, TRUE, sizeof(struct token));
	g_array_set_clear_func(t->tokens, token_clear);
	p.tokens = t->tokens;
	if (parse_all(&p, start ? start : &outside, err))
		return t;
	template_free(t);
	return NULL;
}

void template_free(struct template *t)
{
	if (!t)
		return;
	g_array_unref(t->tokens);
	g_free(t->name);
	g_free(t);
}
