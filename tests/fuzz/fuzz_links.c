/* fuzz_links.c - URLs out of any body */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "mail/links.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	g_autofree char *text = g_memdup2(data, size ? size : 1);
	g_autoptr(body) b = body_parse(text, size);
	g_autoptr(GPtrArray) links = links_find(b);
	guint line = 1;

	g_assert_cmpuint(links->len, <=, LINKS_MAX);
	for (guint i = 0; i < links->len; i++) {
		const struct link *l = g_ptr_array_index(links, i);
		const struct body_line *in;

		g_assert_true(l->line >= line && l->line <= body_count(b));
		line = l->line;
		in = body_line(b, line - 1);
		g_assert_nonnull(
			memmem(in->text, in->len, l->url, strlen(l->url)));
		g_assert_nonnull(strstr(l->url, "://"));
		g_assert_true(!l->message_id || *l->message_id);
	}
	return 0;
}
