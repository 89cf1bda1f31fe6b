/* fuzz_version_range.c - any text as a range, and as the name of a tag */
#include <stdint.h>
#include <string.h>

#include "mail/version_range.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	g_autofree char *raw = g_strndup((const char *)data, size);
	g_autofree char *text = g_utf8_make_valid(raw, -1);
	g_autoptr(version_range_auto) r = version_range_parse(text);
	struct version_tag tags[] = {{"v6.1", 1}, {text, 2}, {"v6.3", 3}};
	g_autofree char *printed = r ? version_range_text(r) : NULL;

	g_assert(version_compare_tags(text, text) == 0);
	g_assert(version_compare_tags(text, "v6.2") ==
		 -version_compare_tags("v6.2", text));
	if (!r)
		return 0;
	g_assert(g_utf8_validate(printed, -1, NULL));
	g_assert(strlen(printed) <= strlen(text) + 6);
	version_range_cycle(r, tags, G_N_ELEMENTS(tags), 1, 3);
	version_cycle_of(text, tags, G_N_ELEMENTS(tags), 2);
	return 0;
}
