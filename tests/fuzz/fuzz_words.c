/* fuzz_words.c - any text as what somebody says */
#include <stdint.h>
#include <string.h>

#include "mail/words.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	g_autofree char *raw = g_strndup((const char *)data, size);
	g_autofree char *text = g_utf8_make_valid(raw, -1);
	g_autoptr(body) b = body_parse(text, strlen(text));
	g_autoptr(GPtrArray) words = words_read(b);
	guint line = 1;

	g_assert(words->len <= WORDS_MAX);
	for (guint i = 0; i < words->len; i++) {
		const struct verdict_word *w = words->pdata[i];

		g_assert(w->line >= line && w->line <= body_count(b));
		g_assert(*w->text && g_utf8_validate(w->text, -1, NULL));
		g_assert(verdict_word_name(w->kind));
		line = w->line;
	}
	return 0;
}
