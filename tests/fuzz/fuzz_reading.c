/* fuzz_reading.c - everything that is understood of any bytes */
#include <stddef.h>
#include <stdint.h>

#include "mail/reading.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_kind(const struct reading *r)
{
	switch (r->kind) {
	case KIND_PATCH:
		g_assert_nonnull(r->patch);
		break;
	case KIND_COVER:
		g_assert_true(r->patch && !r->patch->diff);
		break;
	case KIND_REPLY:
		g_assert_true(!r->patch || r->patch->diff);
		break;
	case KIND_REPORT:
		g_assert_nonnull(r->report);
		break;
	default:
		g_assert_null(r->patch);
		break;
	}
	g_assert_true(r->kind == KIND_REPORT || !r->report);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	g_autoptr(GBytes) bytes = g_bytes_new_static(data, size);
	g_autoptr(message) msg = message_parse(bytes, 0, NULL);
	g_autoptr(reading_auto) r = NULL;

	if (!msg)
		return 0;
	r = reading_new(msg);
	check_kind(r);
	for (guint i = 0; i < r->links->len; i++) {
		const struct link *l = g_ptr_array_index(r->links, i);

		g_assert_true(g_utf8_validate(l->url, -1, NULL));
		g_assert_cmpuint(l->line, >=, 1);
		g_assert_cmpuint(l->line, <=, body_count(r->body));
	}
	for (guint i = 0; i < r->trailers->len; i++) {
		const struct trailer *t = g_ptr_array_index(r->trailers, i);

		g_assert_true(g_utf8_validate(t->value, -1, NULL));
	}
	return 0;
}
