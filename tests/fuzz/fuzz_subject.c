/* fuzz_subject.c - any text as a subject */
#include <stdint.h>
#include <string.h>

#include "mail/subject.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	g_autofree char *raw = g_strndup((const char *)data, size);
	g_autofree char *text = g_utf8_make_valid(raw, -1);
	g_autoptr(subject_auto) s = subject_parse(text, NULL);
	g_autofree char *key = subject_key(s->base);
	g_autofree char *normal = subject_normalise(text);

	g_assert(g_utf8_validate(key, -1, NULL));
	g_assert(strlen(normal) <= strlen(text));
	g_assert(s->version >= 0 && s->number >= -1 && s->total >= -1);
	g_assert(s->prefixes->len <= 2 * SUBJECT_MAX_TOKENS);
	return 0;
}
