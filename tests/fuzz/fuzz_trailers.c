/* fuzz_trailers.c - any text as commit message, notes and reply */
#include <stdint.h>

#include "mail/trailers.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(const GPtrArray *trailers)
{
	g_assert(trailers->len <= TRAILERS_MAX);
	for (guint i = 0; i < trailers->len; i++) {
		const struct trailer *t = g_ptr_array_index(trailers, i);

		g_assert(t->key && t->line);
		g_assert(g_utf8_validate(t->value, -1, NULL));
		g_assert((t->type == TRAILER_PERSON) == (t->who != NULL));
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	g_autofree char *raw = g_strndup((const char *)data, size);
	g_autofree char *text = g_utf8_make_valid(raw, -1);
	struct address from = {(char *)"A Person", (char *)"a@example.org"};
	g_autoptr(body) b = body_parse(text, strlen(text));
	g_autoptr(GPtrArray) commit = trailers_in_commit(text, 1);
	g_autoptr(GPtrArray) notes = trailers_in_notes(text, 1);
	g_autoptr(GPtrArray) reply = trailers_in_reply(b, &from);

	check(commit);
	check(notes);
	check(reply);
	return 0;
}
