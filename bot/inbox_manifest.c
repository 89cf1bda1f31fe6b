/* inbox_manifest.c - which repositories a public-inbox consists of */
#include "bot/inbox_manifest.h"

#include <gio/gio.h>
#include <jansson.h>
#include <string.h>

#include "bot/net.h"
#include "bot/source.h"

#define STEP 65536

static void epoch_free(gpointer data)
{
	struct inbox_epoch *e = data;

	g_free(e->fingerprint);
	g_free(e);
}

static gboolean no_manifest(const char *name, GError **err)
{
	g_set_error(err, NET_ERROR, NET_ERROR_REPLY,
		    "%s: its manifest can't be read", name);
	return FALSE;
}

/* ---- unpacking */

static gboolean is_packed(const GByteArray *bytes)
{
	return bytes->len > 2 && memcmp(bytes->data, "\x1f\x8b", 2) == 0;
}

static gboolean read_all(GInputStream *from, GByteArray *out, const char *name,
			 GError **err)
{
	guint8 buf[STEP];
	gssize n;

	while ((n = g_input_stream_read(from, buf, STEP, NULL, NULL)) > 0) {
		if (out->len + (gsize)n > INBOX_MANIFEST_MAX) {
			g_set_error(err, NET_ERROR, NET_ERROR_LIMIT,
				    "%s: its manifest unpacks to more than %d "
				    "bytes",
				    name, INBOX_MANIFEST_MAX);
			return FALSE;
		}
		g_byte_array_append(out, buf, (guint)n);
	}
	return n == 0 || no_manifest(name, err);
}

static GByteArray *unpack_all(GByteArray *bytes, const char *name, GError **err)
{
	g_autoptr(GByteArray) out = g_byte_array_new();
	g_autoptr(GZlibDecompressor) z =
		g_zlib_decompressor_new(G_ZLIB_COMPRESSOR_FORMAT_GZIP);
	g_autoptr(GInputStream) packed =
		g_memory_input_stream_new_from_data(bytes->data, bytes->len,
						    NULL);
	g_autoptr(GInputStream) plain =
		g_converter_input_stream_new(packed, G_CONVERTER(z));

	if (!is_packed(bytes))
		return g_byte_array_ref(bytes);
	return read_all(plain, out, name, err) ? g_steal_pointer(&out) : NULL;
}

/* ---- its members */

/* "PATH/git/12.git": 12; `*inbox` is PATH. */
static gboolean epoch_number(const char *key, const char *path, guint *number,
			     char **inbox)
{
	const char *last = strrchr(key, '/');
	g_autofree char *name =
		g_str_has_suffix(key, ".git") && last
			? g_strndup(last + 1, strlen(last + 1) - 4)
			: NULL;
	g_autofree char *folder =
		last ? g_strndup(key, (gsize)(last - key)) : NULL;
	g_autofree char *want = path ? g_strconcat(path, "/git", NULL) : NULL;
	guint64 n;

	if (!name || !g_str_has_suffix(folder, "/git") ||
	    (want && !g_str_equal(folder, want)) ||
	    !g_ascii_string_to_unsigned(name, 10, 0, SOURCE_MAX_EPOCHS - 1, &n,
					NULL))
		return FALSE;
	*number = (guint)n;
	*inbox = g_strndup(folder, strlen(folder) - strlen("/git"));
	return TRUE;
}

static struct inbox_epoch *read_epoch(json_t *value, guint number)
{
	struct inbox_epoch *e = g_new0(struct inbox_epoch, 1);

	e->number = number;
	e->fingerprint = g_strdup(
		json_string_value(json_object_get(value, "fingerprint")));
	e->modified = json_integer_value(json_object_get(value, "modified"));
	return e;
}

static gint by_number(gconstpointer a, gconstpointer b)
{
	const struct inbox_epoch *x = *(struct inbox_epoch *const *)a;
	const struct inbox_epoch *y = *(struct inbox_epoch *const *)b;

	return (gint)x->number - (gint)y->number;
}

/* Epoch 0 of one inbox and epoch 1 of another are no archive. */
static GPtrArray *several(const char *name, const char *one, const char *other,
			  GError **err)
{
	g_set_error(err, NET_ERROR, NET_ERROR_REFUSED,
		    "%s: has several inboxes, such as %s and %s; the url must "
		    "be that of one",
		    name, one, other);
	return NULL;
}

static GPtrArray *read_members(json_t *root, const char *path, const char *name,
			       GError **err)
{
	g_autoptr(GPtrArray) out = g_ptr_array_new_with_free_func(epoch_free);
	g_autofree char *only = NULL;
	const char *key;
	json_t *value;
	guint number;

	json_object_foreach(root, key, value)
	{
		g_autofree char *inbox = NULL;

		if (!epoch_number(key, path, &number, &inbox))
			continue;
		if (only && !g_str_equal(only, inbox))
			return several(name, only, inbox, err);
		if (!only)
			only = g_steal_pointer(&inbox);
		g_ptr_array_add(out, read_epoch(value, number));
	}
	g_ptr_array_sort(out, by_number);
	return g_steal_pointer(&out);
}

GPtrArray *inbox_manifest_parse(GByteArray *bytes, const char *path,
				const char *name, GError **err)
{
	g_autoptr(GByteArray) text = unpack_all(bytes, name, err);
	GPtrArray *out = NULL;
	json_t *root;

	if (!text)
		return NULL;
	root = json_loadb((const char *)text->data, text->len, 0, NULL);
	if (json_is_object(root))
		out = read_members(root, path, name, err);
	else
		no_manifest(name, err);
	json_decref(root);
	return out;
}
