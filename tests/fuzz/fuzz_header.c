/* fuzz_header.c - scanning, looking up and decoding any bytes */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "mail/header.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *raw = (const char *)data;
	gsize body;
	g_autoptr(header) h = header_scan(raw, size, &body);

	g_assert_cmpuint(body, <=, size);
	for (guint i = 0; i < header_count(h); i++) {
		const struct header_field *f = header_at(h, i);
		g_autofree char *name = g_strndup(f->name, f->name_len);
		g_autofree char *value = header_unfold(f);
		g_autofree char *text = header_decode(value);

		g_assert_nonnull(header_find(h, name));
		g_assert_null(strpbrk(value, "\n"));
		g_assert_true(g_utf8_validate(text, -1, NULL));
	}
	return 0;
}
