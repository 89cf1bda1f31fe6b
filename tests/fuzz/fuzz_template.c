/* fuzz_template.c - any bytes as a template and its partial
 * Input: a byte of options, the template, NUL, the partial. Beside memory
 * errors it looks for values that leave their place in HTML: a hostile value
 * must give as many marks of markup as a harmless one. */
#include <string.h>

#include "templates/render.h"

#define FUZZ_MAX 65536

int LLVMFuzzerTestOneInput(const guint8 *data, gsize size);

static const char *one_partial(const char *name, void *data)
{
	return data;
}

static GString *render(const char *text, const char *part, guint8 options,
		       const char *value)
{
	json_t *tree =
		json_pack("{s:s, s:[s,{s:s}], s:{s:i}, s:b, s:n}", "v", value,
			  "l", value, "v", value, "m", "n", 1, "t", 1, "z");
	template_set *set = template_set_new(one_partial, (void *)part);
	GString *out = g_string_new(NULL);

	template_set_strict(set, options & 4);
	if (!template_render_text(set, text,
				  (enum template_escape)(options & 3), tree,
				  out, NULL))
		g_string_truncate(out, 0);
	template_set_free(set);
	json_decref(tree);
	return out;
}

static guint count_marks(const GString *out)
{
	guint n = 0;

	for (gsize i = 0; i < out->len; i++)
		n += strchr("<>\"'", out->str[i]) && out->str[i];
	return n;
}

int LLVMFuzzerTestOneInput(const guint8 *data, gsize size)
{
	g_autofree char *bytes = NULL, *text = NULL, *part = NULL;
	g_autoptr(GString) hostile = NULL;
	g_autoptr(GString) harmless = NULL;
	gsize len;

	if (size < 1 || size > FUZZ_MAX)
		return 0;
	bytes = g_malloc0(size + 2);
	memcpy(bytes, data + 1, size - 1);
	len = strlen(bytes);
	text = g_utf8_make_valid(bytes, -1);
	part = g_utf8_make_valid(bytes + MIN(len + 1, size), -1);
	hostile = render(text, part, data[0], "\"'><!--\x01 javascript:x");
	harmless = render(text, part, data[0], "x");
	if ((data[0] & 3) == TEMPLATE_HTML &&
	    count_marks(hostile) != count_marks(harmless))
		g_error("a value left its place in \"%s\"", text);
	return 0;
}
