/* value.c - names looked up in the contexts, values turned to text
 * Knows jansson trees and nothing of their meaning. */
#include <math.h>
#include <string.h>

#include "templates/template_priv.h"

static json_t *find_first(json_t **contexts, guint depth,
			  const struct token *tok)
{
	guint lowest = tok->local && depth > 0 ? depth - 1 : 0;

	for (guint i = depth; i > lowest; i--) {
		json_t *v = json_object_get(contexts[i - 1], tok->path[0]);

		if (v)
			return v;
	}
	return NULL;
}

json_t *value_find(json_t **contexts, guint depth, const struct token *tok)
{
	json_t *v;

	if (!tok->path[0])
		return contexts[depth - 1];
	v = find_first(contexts, depth, tok);
	for (guint i = 1; v && tok->path[i]; i++) {
		if (json_is_null(v))
			return v;
		v = json_object_get(v, tok->path[i]);
	}
	return v;
}

gboolean value_truthy(const json_t *v)
{
	if (!v)
		return FALSE;
	switch (json_typeof(v)) {
	case JSON_OBJECT:
	case JSON_TRUE:
		return TRUE;
	case JSON_ARRAY:
		return json_array_size(v) > 0;
	case JSON_STRING:
		return json_string_length(v) > 0;
	case JSON_INTEGER:
		return json_integer_value(v) != 0;
	case JSON_REAL:
		return json_real_value(v) != 0;
	case JSON_FALSE:
	case JSON_NULL:
		break;
	}
	return FALSE;
}

/* The shortest digits that read back as the same number: 1.1, not
 * 1.1000000000000001. */
static const char *real_text(double d, char *buf, gsize size)
{
	static const char *const formats[] = {"%.15g", "%.16g", "%.17g"};

	for (guint i = 0; i < G_N_ELEMENTS(formats); i++) {
		g_ascii_formatd(buf, (int)size, formats[i], d);
		if (g_ascii_strtod(buf, NULL) == d)
			break;
	}
	return buf;
}

const char *value_text(const json_t *v, char *buf, gsize size)
{
	switch (json_typeof(v)) {
	case JSON_STRING:
		return json_string_value(v);
	case JSON_INTEGER:
		g_snprintf(buf, size, "%" JSON_INTEGER_FORMAT,
			   json_integer_value(v));
		return buf;
	case JSON_REAL:
		return real_text(json_real_value(v), buf, size);
	case JSON_TRUE:
		return "true";
	case JSON_FALSE:
		return "false";
	case JSON_NULL:
		return "";
	case JSON_OBJECT:
	case JSON_ARRAY:
		break;
	}
	return NULL;
}
