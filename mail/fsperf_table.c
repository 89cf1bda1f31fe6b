#include "mail/fsperf_table.h"

gboolean fsperf_table_likely(const body *b)
{
	return b == NULL;
}

void fsperf_tables_read(const body *b, GPtrArray *tables)
{
	(void)b;
	(void)tables;
}
