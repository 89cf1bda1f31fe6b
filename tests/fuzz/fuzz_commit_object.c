/* fuzz_commit_object.c - any bytes as a commit object */
#include <stdint.h>

#include "mail/commit_object.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *raw = (const char *)data;
	g_autoptr(commit_object_auto) c = commit_object_parse(raw, size);
	g_autoptr(GByteArray) parents = g_byte_array_new();
	gint64 date;

	g_assert((c != NULL) ==
		 commit_object_parents(raw, size, parents, &date));
	if (!c)
		return 0;
	g_assert(c->parents->len == parents->len &&
		 parents->len <= COMMIT_MAX_PARENTS * COMMIT_OID_LEN);
	g_assert(c->commit_date == date && c->author_date >= 0);
	g_assert(g_utf8_validate(c->subject, -1, NULL));
	g_assert(strlen(c->subject) <= COMMIT_MAX_SUBJECT);
	g_assert(g_utf8_validate(c->author->name, -1, NULL));
	g_assert(!c->trailers || g_utf8_validate(c->trailers, -1, NULL));
	g_assert(c->notes->len <= COMMIT_MAX_NOTES);
	for (guint i = 0; i < c->notes->len; i++) {
		const struct commit_note *n = c->notes->pdata[i];

		g_assert(n->id || n->url || n->subject);
		g_assert(!n->subject || g_utf8_validate(n->subject, -1, NULL));
		g_assert(!n->mid || g_utf8_validate(n->mid, -1, NULL));
	}
	return 0;
}
