/* run.c - runs a compiled template over a tree of values
 * A loop over tokens with stacks of its own: neither the depth of sections
 * nor that of partials is recursion. */
#include <string.h>

#include "templates/template_priv.h"

/* A section that is being run. */
struct scope {
	json_t *list; /* NULL: not a list */
	gsize index;
};

/* A template that is being run. */
struct frame {
	const struct template *t;
	guint pc;
	char *indent; /* put before its lines; NULL = nothing */
};

struct run {
	template_set *set;
	enum template_escape escape;
	json_t *contexts[TEMPLATE_MAX_DEPTH + 1];
	struct scope scopes[TEMPLATE_MAX_DEPTH];
	guint depth; /* of contexts; scopes are one less */
	struct frame frames[TEMPLATE_MAX_DEPTH];
	guint frame_count;
	GString *out;
	gsize out_max;
};

static gboolean fail(const struct run *run, const struct token *tok, int code,
		     GError **err, const char *what)
{
	g_autofree char *name =
		tok->path ? g_strjoinv(".", tok->path) : g_strdup("");
	const struct frame *f = &run->frames[run->frame_count - 1];

	g_set_error(err, TEMPLATE_ERROR, code, "%s:%u: \"%s%s\" %s", f->t->name,
		    tok->line, tok->local ? "." : "", name, what);
	return FALSE;
}

static void run_text(struct run *run, const struct token *tok,
		     const char *indent)
{
	const char *p = tok->text ? tok->text : "", *end = p + tok->len;
	gboolean at_begin = tok->line_begin;

	if (!indent) {
		g_string_append_len(run->out, p, (gssize)tok->len);
		return;
	}
	if (!tok->len && at_begin)
		g_string_append(run->out, indent);
	while (p < end) {
		const char *nl = memchr(p, '\n', (gsize)(end - p));
		const char *next = nl ? nl + 1 : end;

		if (at_begin && p != nl)
			g_string_append(run->out, indent);
		g_string_append_len(run->out, p, next - p);
		p = next;
		at_begin = TRUE;
	}
}

/* Markup made by our own code: an object with the one key "html". */
static json_t *marked(json_t *v)
{
	json_t *html = json_object_get(v, "html");

	return json_is_string(html) && json_object_size(v) == 1 ? html : NULL;
}

static gboolean run_value(struct run *run, const struct token *tok,
			  GError **err)
{
	json_t *v = value_find(run->contexts, run->depth, tok);
	char buf[VALUE_BUF];
	const char *text;

	if (!v && template_is_strict(run->set))
		return fail(run, tok, TEMPLATE_ERROR_NAME, err,
			    "is not known here");
	if (!v || json_is_null(v))
		return TRUE;
	if (tok->show == SHOW_MARKED) {
		v = marked(v);
		if (!v)
			return fail(run, tok, TEMPLATE_ERROR_VALUE, err,
				    "is no markup");
	}
	text = value_text(v, buf, sizeof(buf));
	if (!text)
		return fail(run, tok, TEMPLATE_ERROR_VALUE, err,
			    "is a list or map and cannot be shown");
	escape_append(run->out, text, tok->show);
	return TRUE;
}

static gboolean find_truth(struct run *run, const struct token *tok, json_t **v,
			   gboolean *truthy, GError **err)
{
	*v = value_find(run->contexts, run->depth, tok);
	*truthy = value_truthy(*v);
	if (!*v && template_is_strict(run->set))
		return fail(run, tok, TEMPLATE_ERROR_NAME, err,
			    "is not known here");
	return TRUE;
}

static gboolean too_deep(const struct run *run)
{
	return run->depth - 1 + run->frame_count >= TEMPLATE_MAX_DEPTH;
}

static gboolean run_section(struct run *run, struct frame *f,
			    const struct token *tok, GError **err)
{
	gboolean truthy;
	json_t *v;

	if (!find_truth(run, tok, &v, &truthy, err))
		return FALSE;
	if (!truthy) {
		f->pc = tok->jump + 1;
		return TRUE;
	}
	if (too_deep(run))
		return fail(run, tok, TEMPLATE_ERROR_LIMIT, err,
			    "is nested too deep");
	run->scopes[run->depth - 1].list = json_is_array(v) ? v : NULL;
	run->scopes[run->depth - 1].index = 0;
	run->contexts[run->depth++] =
		json_is_array(v) ? json_array_get(v, 0) : v;
	return TRUE;
}

static void run_end(struct run *run, struct frame *f, const struct token *tok)
{
	struct scope *s = &run->scopes[run->depth - 2];

	if (s->list && ++s->index < json_array_size(s->list)) {
		run->contexts[run->depth - 1] =
			json_array_get(s->list, s->index);
		f->pc = tok->jump + 1;
	} else {
		run->depth--;
	}
}

static gboolean run_partial(struct run *run, const struct frame *f,
			    const struct token *tok, GError **err)
{
	struct frame *next = &run->frames[run->frame_count];
	const struct template *t;
	GError *error = NULL;

	if (too_deep(run))
		return fail(run, tok, TEMPLATE_ERROR_LIMIT, err,
			    "is nested too deep");
	t = template_get(run->set, tok->path[0], run->escape, &tok->html,
			 &error);
	if (error) {
		g_propagate_error(err, error);
		return FALSE;
	}
	if (!t && template_is_strict(run->set))
		return fail(run, tok, TEMPLATE_ERROR_NAME, err,
			    "is no known partial");
	if (!t)
		return TRUE;
	next->t = t;
	next->pc = 0;
	next->indent = NULL;
	if (tok->text && (tok->len || f->indent))
		next->indent =
			g_strdup_printf("%s%.*s", f->indent ? f->indent : "",
					(int)tok->len, tok->text);
	run->frame_count++;
	return TRUE;
}

static gboolean run_token(struct run *run, struct frame *f,
			  const struct token *tok, GError **err)
{
	gboolean truthy;
	json_t *v;

	switch (tok->type) {
	case TOKEN_TEXT:
		run_text(run, tok, f->indent);
		return TRUE;
	case TOKEN_VALUE:
		return run_value(run, tok, err);
	case TOKEN_SECTION:
		return run_section(run, f, tok, err);
	case TOKEN_INVERTED:
		if (!find_truth(run, tok, &v, &truthy, err))
			return FALSE;
		if (truthy)
			f->pc = tok->jump;
		return TRUE;
	case TOKEN_END:
		run_end(run, f, tok);
		return TRUE;
	case TOKEN_PARTIAL:
		return run_partial(run, f, tok, err);
	}
	return TRUE;
}

static gboolean run_all(struct run *run, GError **err)
{
	guint steps = 0;

	while (run->frame_count) {
		struct frame *f = &run->frames[run->frame_count - 1];
		const struct token *tok;

		if (f->pc == f->t->tokens->len) {
			g_clear_pointer(&f->indent, g_free);
			run->frame_count--;
			continue;
		}
		tok = &g_array_index(f->t->tokens, struct token, f->pc++);
		if (!run_token(run, f, tok, err))
			return FALSE;
		if (run->out->len > run->out_max ||
		    ++steps > TEMPLATE_MAX_STEPS)
			return fail(run, tok, TEMPLATE_ERROR_LIMIT, err,
				    "makes the output too large");
	}
	return TRUE;
}

gboolean template_run(template_set *set, const struct template *t,
		      enum template_escape escape, json_t *data, GString *out,
		      GError **err)
{
	struct run run = {.set = set,
			  .escape = escape,
			  .contexts = {data},
			  .depth = 1,
			  .frames = {{.t = t}},
			  .frame_count = 1,
			  .out = out,
			  .out_max = out->len + TEMPLATE_MAX_OUTPUT};
	gboolean ok = run_all(&run, err);

	for (guint i = 0; i < run.frame_count; i++)
		g_free(run.frames[i].indent);
	return ok;
}
