/* fuzz_maintainers.c - any text as MAINTAINERS; its last line as a path, and
 * as a patch */
#include <stdint.h>
#include <string.h>

#include "mail/maintainers.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	g_autofree char *text = g_strndup((const char *)data, size);
	g_autoptr(maintainers) m =
		maintainers_parse(text, strlen(text), NULL, NULL, NULL);
	const char *last = strrchr(text, '\n');
	g_autoptr(GPtrArray) files = g_ptr_array_new();
	g_autoptr(GArray) of_path = NULL;
	g_autoptr(GArray) of_change = NULL;

	last = last ? last + 1 : text;
	if (!m)
		return 0;
	g_ptr_array_add(files, (gpointer)last);
	of_path = maintainers_of_path(m, last);
	of_change = maintainers_of_change(m, files, text, text);
	g_assert(of_change->len >= of_path->len);
	for (guint i = 0; i < of_path->len; i++)
		g_assert(!g_array_index(of_path, struct maintainers_match, i)
				  .section->hidden);
	for (guint i = 0; i < maintainers_count(m); i++) {
		const struct maintainers_section *s = maintainers_section(m, i);

		g_assert(strlen(s->slug) >= 1 && strlen(s->slug) <= 64);
		g_assert(maintainers_find(m, s->slug) == s);
		g_assert(g_utf8_validate(s->title, -1, NULL));
	}
	return 0;
}
