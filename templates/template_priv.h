/* template_priv.h - shared by the files of the renderer, by nobody else
 * A template is compiled to a flat list of tokens; sections are jumps in it,
 * so that running it needs no recursion. */
#ifndef TEMPLATES_TEMPLATE_PRIV_H
#define TEMPLATES_TEMPLATE_PRIV_H

#include <gio/gio.h>

#include "templates/render.h"

#define TEMPLATE_MAX_NAME  200
#define TEMPLATE_MAX_STEPS (20 * 1000 * 1000) /* tokens run in one render */

/* How a value is written: decided when compiling, by where it stands. */
enum show {
	SHOW_PLAIN,    /* text: control characters dropped */
	SHOW_MARKUP,   /* HTML or XML text, or a quoted attribute */
	SHOW_URL,      /* the whole or the beginning of a URL */
	SHOW_URL_PART, /* a component behind other text of a URL */
	SHOW_MARKED,   /* {{{x}}}: x is {"html": "..."}, taken as it is */
	SHOW_SPEC,     /* & < > " and nothing else */
	SHOW_RAW,
};

enum token_type {
	TOKEN_TEXT,
	TOKEN_VALUE,
	TOKEN_SECTION,	/* jump: its TOKEN_END */
	TOKEN_INVERTED, /* jump: the token behind it */
	TOKEN_END,	/* jump: its TOKEN_SECTION */
	TOKEN_PARTIAL,
};

/* ---- context.c: where in a page are we */

enum html_mode {
	HTML_TEXT,
	HTML_OPEN,  /* behind "<" */
	HTML_NAME,  /* in the name of an element */
	HTML_TAG,   /* in a tag, behind a blank */
	HTML_GAP,   /* in a tag, where a blank, "/" or ">" has to follow */
	HTML_ATTR,  /* in the name of an attribute */
	HTML_AFTER, /* behind it and a blank */
	HTML_EQUAL, /* behind "=" */
	HTML_QUOTED,
	HTML_BARE, /* a value without quotes */
	HTML_DECL, /* <!doctype, <?xml */
	HTML_COMMENT,
	HTML_RAW, /* in <style> or <script> */
};

struct html {
	enum html_mode mode;
	char quote;
	enum { ATTR_PLAIN, ATTR_URL, ATTR_CODE } attr;
	enum { ELEMENT_OTHER, ELEMENT_STYLE, ELEMENT_SCRIPT } element;
	gboolean closing; /* </x> */
	gboolean started; /* the attribute's value is not empty any more */
	guint match;	  /* of "--" or "</style" */
	guint len;
	char name[16]; /* being read; longer ones are cut */
};

/* Read literal text. NULL, or what is wrong. */
const char *html_feed(struct html *h, const char *text, gsize len);
/* A value stands here: how it is to be shown; else what is wrong. */
const char *html_value(struct html *h, gboolean marked, enum show *show);
/* A section or partial begins or ends here. */
const char *html_branch(struct html *h);
/* Behind a partial that stands here. */
void html_filled(struct html *h);
/* What follows a part that begins at `begin` and ends at `end`, and may be
 * left out or repeated; FALSE if it would change the context. */
gboolean html_join(const struct html *begin, const struct html *end,
		   struct html *after);
/* Equal for states in which a partial compiles to the same. */
guint html_key(const struct html *h);

/* ---- parse.c */

struct token {
	enum token_type type;
	enum show show;
	gboolean line_begin; /* TEXT: first on its line */
	const char *text;    /* TEXT: slice; PARTIAL: indentation */
	gsize len;
	char **path;	/* names between dots; ("." alone: no element) */
	gboolean local; /* ".name": the innermost context only */
	guint jump;
	guint line;
	struct html html; /* PARTIAL: the context it stands in */
};

struct template
{
	char *name;
	GArray *tokens;
};

/* `text` has to outlive the result. `start` (may be NULL) is the context of
 * a partial. You own the template; NULL and TEMPLATE_ERROR_SYNTAX or _LIMIT. */
struct template *template_parse(const char *name, const char *text,
				enum template_escape escape,
				const struct html *start, GError **err);
void template_free(struct template *t);

/* ---- value.c */

/* The value of a token's name; NULL if a part of it is in no context.
 * `depth` contexts, innermost last. A part of null is null. */
json_t *value_find(json_t **contexts, guint depth, const struct token *tok);
gboolean value_truthy(const json_t *v);
/* As text into `buf`; NULL for what can't be shown. Lent. */
const char *value_text(const json_t *v, char *buf, gsize size);
#define VALUE_BUF 64

/* ---- escape.c */

void escape_append(GString *out, const char *text, enum show show);

/* ---- render.c */

/* Compiled and cached; NULL with err unset: no such template. */
const struct template *template_get(template_set *set, const char *name,
				    enum template_escape escape,
				    const struct html *start, GError **err);
gboolean template_is_strict(const template_set *set);

/* ---- run.c */

gboolean template_run(template_set *set, const struct template *t,
		      enum template_escape escape, json_t *data, GString *out,
		      GError **err);

/* Made by glib-compile-resources. */
GResource *culprit_templates_get_resource(void);
void culprit_templates_register_resource(void);

#endif
