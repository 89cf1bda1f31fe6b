/* fuzz_diff.c - any bytes as a text with diffs */
#include <stdint.h>

#include "mail/diff.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	g_autoptr(diff_auto) d = diff_parse((const char *)data, size, 0);

	if (!d)
		return 0;
	g_assert(d->files->len && d->files->len <= DIFF_MAX_FILES);
	g_assert(d->start <= d->end && d->end <= size);
	g_assert(!d->damage || g_utf8_validate(d->damage, -1, NULL));
	for (guint i = 0; i < d->files->len; i++) {
		const struct diff_file *f = g_ptr_array_index(d->files, i);

		g_assert(f->path && g_utf8_validate(f->path, -1, NULL));
	}
	return 0;
}
