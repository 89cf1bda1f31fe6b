/* view.c - what the views of all objects share
 * Order of keys is order of insertion: jansson keeps it. */
#include "bot/view.h"

#include <math.h>

#include "mail/date.h"

#include "bot/view_priv.h"

json_t *view_text(const char *text)
{
	g_autofree char *valid = NULL;

	if (!text)
		return json_null();
	if (g_utf8_validate(text, -1, NULL))
		return json_string_nocheck(text);
	valid = g_utf8_make_valid(text, -1);
	return json_string_nocheck(valid);
}

json_t *view_filled(const char *text)
{
	return view_text(text && *text ? text : NULL);
}

json_t *view_date(gint64 utc)
{
	g_autofree char *text = date_to_rfc3339(utc);

	return view_text(text);
}

json_t *view_person(const struct address *who)
{
	json_t *out;

	if (!who)
		return json_null();
	out = json_object();
	json_object_set_new(out, "name", view_filled(who->name));
	json_object_set_new(out, "address", view_filled(who->address));
	return out;
}

json_t *view_people(GPtrArray *people)
{
	json_t *out = json_array();

	for (guint i = 0; people && i < people->len; i++)
		json_array_append_new(out, view_person(people->pdata[i]));
	return out;
}

json_t *view_texts(GPtrArray *strings)
{
	json_t *out = json_array();

	for (guint i = 0; strings && i < strings->len; i++)
		json_array_append_new(out, view_text(strings->pdata[i]));
	return out;
}

char *view_dump(json_t *tree)
{
	char *text = json_dumps(tree, JSON_COMPACT | JSON_REAL_PRECISION(15) |
					      JSON_ENCODE_ANY);
	char *out = g_strdup(text);

	free(text);
	return out;
}

char *view_line_take(json_t *tree)
{
	g_autofree char *line = view_dump(tree);

	json_decref(tree);
	return g_strconcat(line, "\n", NULL);
}

json_t *view_number(double v)
{
	return isfinite(v) ? json_real(v) : json_null();
}
