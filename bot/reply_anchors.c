/* reply_anchors.c - which lines of a mail are answered, from a JSON file */
#include "bot/reply_anchors.h"

#include <jansson.h>
#include <stdio.h>

#include "mail/error.h"

void reply_anchors_free(struct reply_anchors *a)
{
	if (!a)
		return;
	g_array_free(a->anchors, TRUE);
	g_ptr_array_unref(a->texts);
	g_free(a);
}

static gboolean complain(GError **err, const char *file, const char *what)
{
	g_set_error(err, MAIL_ERROR, MAIL_ERROR_SYNTAX, "%s: %s", file, what);
	return FALSE;
}

static gboolean read_line(json_t *lines, size_t i, guint *line)
{
	json_t *n = json_array_get(lines, i);
	json_int_t value = json_integer_value(n);

	*line = value > 0 && value < G_MAXUINT ? (guint)value : 0;
	return json_is_integer(n);
}

static gboolean read_anchor(struct reply_anchors *a, json_t *one)
{
	json_t *lines = json_object_get(one, "lines");
	json_t *text = json_object_get(one, "text");
	struct quote_anchor anchor;
	char *copy;

	if (json_array_size(lines) != 2 ||
	    !read_line(lines, 0, &anchor.first) ||
	    !read_line(lines, 1, &anchor.last) || !json_is_string(text))
		return FALSE;
	copy = g_strdup(json_string_value(text));
	g_ptr_array_add(a->texts, copy);
	anchor.text = copy;
	g_array_append_val(a->anchors, anchor);
	return TRUE;
}

static gboolean read_all(struct reply_anchors *a, json_t *root,
			 const char *file, GError **err)
{
	size_t i;
	json_t *one;

	if (!json_is_array(root))
		return complain(err, file, "must be a list of anchors");
	json_array_foreach(root, i, one)
	{
		g_autofree char *what = g_strdup_printf(
			"anchor %zu must be {\"lines\": [first, last], "
			"\"text\": \"...\"}",
			i + 1);

		if (!read_anchor(a, one))
			return complain(err, file, what);
	}
	return TRUE;
}

static char *read_file(const char *file, gsize *len, GError **err)
{
	g_autoptr(GString) all = NULL;
	char piece[4096];
	size_t n;

	if (!g_str_equal(file, "-")) {
		char *text = NULL;

		g_file_get_contents(file, &text, len, err);
		return text;
	}
	all = g_string_new(NULL);
	while (all->len <= REPLY_ANCHORS_MAX_BYTES &&
	       (n = fread(piece, 1, sizeof(piece), stdin)) > 0)
		g_string_append_len(all, piece, (gssize)n);
	*len = all->len;
	return g_string_free(g_steal_pointer(&all), FALSE);
}

struct reply_anchors *reply_anchors_read(const char *file, GError **err)
{
	gsize len = 0;
	g_autofree char *text = read_file(file, &len, err);
	struct reply_anchors *a;
	json_error_t why;
	json_t *root;
	gboolean ok;

	if (!text)
		return NULL;
	root = len > REPLY_ANCHORS_MAX_BYTES
		       ? NULL
		       : json_loadb(text, len, JSON_REJECT_DUPLICATES, &why);
	if (!root) {
		g_set_error(err, MAIL_ERROR, MAIL_ERROR_SYNTAX, "%s: %s", file,
			    len > REPLY_ANCHORS_MAX_BYTES ? "too large"
							  : why.text);
		return NULL;
	}
	a = g_new0(struct reply_anchors, 1);
	a->anchors = g_array_new(FALSE, TRUE, sizeof(struct quote_anchor));
	a->texts = g_ptr_array_new_with_free_func(g_free);
	ok = read_all(a, root, file, err);
	json_decref(root);
	if (ok)
		return a;
	reply_anchors_free(a);
	return NULL;
}
