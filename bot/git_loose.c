/* git_loose.c - loose objects of a repository, read by ourselves
 * "TYPE SIZE\0" and the bytes in one zlib stream. Anything else is damage:
 * told as an error, never waited for. */
#include "bot/git_loose.h"

#include <git2/sys/odb_backend.h>
#include <string.h>
#include <zlib.h>

#define HEAD_BYTES 64 /* more than "commit 18446744073709551615" */
#define PRIORITY   3  /* libgit2's packs have 2, its loose objects 1 */

struct loose {
	git_odb_backend parent; /* first: libgit2 knows no more */
	char *objects;
	gboolean there[256]; /* the folder of that first byte */
};

/* ---- one object */

struct object {
	git_object_t type;
	gsize size;
	char head[HEAD_BYTES];
	gsize body;	/* where it begins in `head` */
	gsize unpacked; /* bytes in `head` */
};

static int damaged(const char *why)
{
	git_error_set_str(GIT_ERROR_ODB, why);
	return GIT_ERROR;
}

static gboolean parse_head(struct object *o)
{
	const char *nul = memchr(o->head, '\0', o->unpacked);
	const char *blank = nul ? memchr(o->head, ' ', nul - o->head) : NULL;
	g_autofree char *type = NULL;
	guint64 size;

	if (!blank ||
	    !g_ascii_string_to_unsigned(blank + 1, 10, 0, GIT_LOOSE_MAX_BYTES,
					&size, NULL))
		return FALSE;
	type = g_strndup(o->head, blank - o->head);
	o->type = git_object_string2type(type);
	o->size = size;
	o->body = nul + 1 - o->head;
	return o->type != GIT_OBJECT_INVALID &&
	       o->unpacked - o->body <= o->size;
}

static int unpack_head(z_stream *z, struct object *o)
{
	int rc;

	z->next_out = (guint8 *)o->head;
	z->avail_out = HEAD_BYTES;
	rc = inflate(z, Z_NO_FLUSH);
	o->unpacked = HEAD_BYTES - z->avail_out;
	if ((rc != Z_OK && rc != Z_STREAM_END && rc != Z_BUF_ERROR) ||
	    !parse_head(o))
		return damaged("a loose object is damaged");
	return 0;
}

/* The bytes behind the head into `out`, of o->size bytes. */
static int unpack_body(z_stream *z, const struct object *o, guint8 *out)
{
	gsize had = o->unpacked - o->body;
	int rc;

	memcpy(out, o->head + o->body, had);
	z->next_out = out + had;
	z->avail_out = o->size - had;
	rc = inflate(z, Z_FINISH);
	/* an empty rest does not end the stream by itself */
	if ((rc != Z_STREAM_END && rc != Z_BUF_ERROR) || z->avail_out > 0)
		return damaged("a loose object is cut short or damaged");
	return 0;
}

static int unpack_object(z_stream *z, struct object *o, void **out,
			 git_odb_backend *backend)
{
	int rc = unpack_head(z, o);

	if (rc || !out)
		return rc;
	*out = git_odb_backend_data_alloc(backend, o->size + 1);
	if (!*out)
		return damaged("a loose object is too large");
	((char *)*out)[o->size] = '\0';
	rc = unpack_body(z, o, *out);
	if (rc)
		git_odb_backend_data_free(backend, *out);
	return rc;
}

/* The whole file: an object of an archive is a mail. `out` may be NULL. */
static int load(struct loose *l, const git_oid *id, struct object *o,
		void **out)
{
	char hex[GIT_OID_HEXSZ + 1];
	g_autofree char *path = NULL, *bytes = NULL;
	g_autoptr(GError) why = NULL;
	z_stream z = {0};
	gsize len;
	int rc;

	if (!l->there[id->id[0]])
		return GIT_ENOTFOUND;
	git_oid_tostr(hex, sizeof(hex), id);
	path = g_strdup_printf("%s/%.2s/%s", l->objects, hex, hex + 2);
	if (!g_file_get_contents(path, &bytes, &len, &why))
		return g_error_matches(why, G_FILE_ERROR, G_FILE_ERROR_NOENT)
			       ? GIT_ENOTFOUND
			       : damaged(why->message);
	if (len > GIT_LOOSE_MAX_BYTES || inflateInit(&z) != Z_OK)
		return damaged("a loose object is too large");
	z.next_in = (guint8 *)bytes;
	z.avail_in = len;
	rc = unpack_object(&z, o, out, &l->parent);
	inflateEnd(&z);
	return rc;
}

/* ---- what libgit2 calls */

static int loose_read(void **out, size_t *len, git_object_t *type,
		      git_odb_backend *backend, const git_oid *id)
{
	struct object o;
	int rc = load((struct loose *)backend, id, &o, out);

	if (rc)
		return rc;
	*len = o.size;
	*type = o.type;
	return 0;
}

static int loose_read_header(size_t *len, git_object_t *type,
			     git_odb_backend *backend, const git_oid *id)
{
	struct object o;
	int rc = load((struct loose *)backend, id, &o, NULL);

	if (rc)
		return rc;
	*len = o.size;
	*type = o.type;
	return 0;
}

static void loose_free(git_odb_backend *backend)
{
	struct loose *l = (struct loose *)backend;

	g_free(l->objects);
	g_free(l);
}

/* One look at the folder saves one at each object that is in a pack. */
static gboolean find_folders(struct loose *l)
{
	g_autoptr(GDir) dir = g_dir_open(l->objects, 0, NULL);
	const char *name;
	gboolean any = FALSE;

	while (dir && (name = g_dir_read_name(dir))) {
		int high = g_ascii_xdigit_value(name[0]);
		int low = high < 0 ? -1 : g_ascii_xdigit_value(name[1]);

		if (low < 0 || name[2])
			continue;
		l->there[high * 16 + low] = TRUE;
		any = TRUE;
	}
	return any;
}

static void add_folder(git_odb *odb, const char *objects)
{
	struct loose *l = g_new0(struct loose, 1);

	git_odb_init_backend(&l->parent, GIT_ODB_BACKEND_VERSION);
	l->parent.read = loose_read;
	l->parent.read_header = loose_read_header;
	l->parent.free = loose_free;
	l->objects = g_strdup(objects);
	if (!find_folders(l) || git_odb_add_backend(odb, &l->parent, PRIORITY))
		loose_free(&l->parent);
}

/* ---- alternates */

static void queue_alternates(GPtrArray *todo, const char *objects)
{
	g_autofree char *file =
		g_build_filename(objects, "info", "alternates", NULL);
	g_autofree char *text = NULL;
	g_auto(GStrv) lines = NULL;

	if (!g_file_get_contents(file, &text, NULL, NULL))
		return;
	lines = g_strsplit(text, "\n", GIT_LOOSE_MAX_ALTERNATES);
	for (guint i = 0; lines[i]; i++) {
		char *path = NULL;

		if (!*lines[i] || *lines[i] == '#' ||
		    todo->len >= GIT_LOOSE_MAX_ALTERNATES)
			continue;
		path = g_canonicalize_filename(lines[i], objects);
		if (g_ptr_array_find_with_equal_func(todo, path, g_str_equal,
						     NULL))
			g_free(path);
		else
			g_ptr_array_add(todo, path);
	}
}

void git_loose_add(git_odb *odb, const char *objects)
{
	g_autoptr(GPtrArray) todo = g_ptr_array_new_with_free_func(g_free);

	g_ptr_array_add(todo, g_canonicalize_filename(objects, NULL));
	for (guint i = 0; i < todo->len; i++) {
		add_folder(odb, todo->pdata[i]);
		queue_alternates(todo, todo->pdata[i]);
	}
}
