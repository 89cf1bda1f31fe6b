/* diff_blobs.c - a name for the files of a diff before and after it
 * The same in a mail, which abbreviates ids, and in git. */
#include <string.h>

#include "mail/diff.h"

static int by_bytes(gconstpointer a, gconstpointer b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

void diff_pairs_key(GPtrArray *pairs, guint8 key[DIFF_BLOBS_LEN])
{
	GChecksum *sum = g_checksum_new(G_CHECKSUM_SHA1);
	guint8 digest[20];
	gsize len = sizeof(digest);

	g_ptr_array_sort(pairs, by_bytes);
	for (guint i = 0; i < pairs->len; i++) {
		g_checksum_update(sum, pairs->pdata[i], -1);
		g_checksum_update(sum, (const guchar *)"\n", 1);
	}
	g_checksum_get_digest(sum, digest, &len);
	g_checksum_free(sum);
	memcpy(key, digest, DIFF_BLOBS_LEN);
}

static gboolean is_id(const char *hex)
{
	return hex && strlen(hex) >= DIFF_BLOB_HEX;
}

/* Nothing of its bytes changes: git writes no "index" line. */
static gboolean is_moved_only(const struct diff_file *f)
{
	return !f->pre_blob && !f->post_blob && !f->insertions &&
	       !f->deletions && !f->binary;
}

gboolean diff_blobs_key(const struct diff *d, guint8 key[DIFF_BLOBS_LEN])
{
	g_autoptr(GPtrArray) pairs = g_ptr_array_new_with_free_func(g_free);

	for (guint i = 0; i < d->files->len; i++) {
		const struct diff_file *f = d->files->pdata[i];
		char *pair;

		if (is_moved_only(f))
			continue;
		if (!is_id(f->pre_blob) || !is_id(f->post_blob))
			return FALSE;
		pair = g_strdup_printf("%.*s %.*s", DIFF_BLOB_HEX, f->pre_blob,
				       DIFF_BLOB_HEX, f->post_blob);
		g_ptr_array_add(pairs, pair);
	}
	if (!pairs->len)
		return FALSE;
	diff_pairs_key(pairs, key);
	return TRUE;
}
