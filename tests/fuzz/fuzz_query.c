/* fuzz_query.c - any bytes as a query: a bounded tree or a placed error */
#include <stdint.h>

#include "db/query.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	g_autofree char *text = g_strndup((const char *)data, size);
	g_autoptr(GError) err = NULL;
	struct query *q = query_parse(text, 1700000000, &err);

	g_assert((q != NULL) != (err != NULL));
	g_assert(q || (err->domain == QUERY_ERROR && err->code >= 1));
	query_free(q);
	return 0;
}
