/* fuzz_mailmap.c - any text as .mailmap; its last line as a person */
#include <stdint.h>
#include <string.h>

#include "mail/mailmap.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	g_autofree char *text = g_strndup((const char *)data, size);
	g_autoptr(mailmap) m = mailmap_parse((const char *)data, size);
	const char *last = strrchr(text, '\n');
	const char *name = last ? last + 1 : text, *address = name;
	const char *before = name;

	if (mailmap_apply(m, &name, &address))
		g_assert(mailmap_count(m) > 0 &&
			 (name != before || address != before));
	else
		g_assert(name == before && address == before);
	return 0;
}
