/* render.h - Mustache templates over a JSON tree
 * The language of the public Mustache specification: comments, delimiters,
 * interpolation, inverted, partials, sections. No lambdas. The tree is a
 * jansson value made of objects, arrays, strings, numbers and booleans; this
 * layer knows no type of ours. */
#ifndef TEMPLATES_RENDER_H
#define TEMPLATES_RENDER_H

#include <glib.h>
#include <jansson.h>

#define TEMPLATE_MAX_BYTES  (1024 * 1024)
#define TEMPLATE_MAX_DEPTH  64 /* sections and partials */
#define TEMPLATE_MAX_OUTPUT (64 * 1024 * 1024)

#define TEMPLATE_ERROR (template_error_quark())
GQuark template_error_quark(void);
enum template_error {
	TEMPLATE_ERROR_SYNTAX, /* "NAME:LINE: what" */
	TEMPLATE_ERROR_NAME,   /* unknown name (strict) or partial */
	TEMPLATE_ERROR_LIMIT,
	TEMPLATE_ERROR_VALUE, /* a value that the context can't show */
};

enum template_escape {
	TEMPLATE_HTML, /* by context: text, "attribute", URL attribute */
	TEMPLATE_TEXT, /* control bytes dropped (not newline and tab) */
	TEMPLATE_XML,
	TEMPLATE_SPEC, /* as the specification has it, blind to the context */
};

typedef struct template_set template_set;

/* `lookup` gives the text of a partial or template by name ("item.html"), or
 * NULL; results are cached. */
typedef const char *(*template_lookup_fn)(const char *name, void *data);
template_set *template_set_new(template_lookup_fn lookup, void *data);
/* From the compiled-in templates, overridden by files of `dir` (or NULL). */
template_set *template_set_open(const char *dir);
void template_set_free(template_set *set);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(template_set, template_set_free)

/* In HTML and XML {{{x}}} takes markup only: x is {"html": "..."}, made by our
 * own code; a plain string there is TEMPLATE_ERROR_VALUE. */

/* strict (default TRUE): a name that is in no context is an error. */
void template_set_strict(template_set *set, gboolean strict);

/* Escaping by the suffix of `name`: .html, .xml/.atom/.svg, else text. */
gboolean template_render(template_set *set, const char *name, json_t *data,
			 GString *out, GError **err);
/* A template given as text. */
gboolean template_render_text(template_set *set, const char *text,
			      enum template_escape escape, json_t *data,
			      GString *out, GError **err);
/* Parse every known template and its partials: `templates --check`. Names that
 * begin with "_" are partials: they are read where others include them. */
gboolean template_set_check(template_set *set, GError **err);

#endif
