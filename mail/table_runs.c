#include "mail/table_runs.h"

void table_infer_runs(struct table *t)
{
	(void)t;
}

void tables_state_runs(GPtrArray *tables, const body *b)
{
	(void)tables;
	(void)b;
}

GPtrArray *table_samples_read(const body *b)
{
	(void)b;
	return g_ptr_array_new_with_free_func(
		(GDestroyNotify)table_samples_free);
}

void table_samples_free(struct table_samples *s)
{
	g_free(s);
}

void table_samples_bind(GPtrArray *tables, GPtrArray *samples)
{
	(void)tables;
	(void)samples;
}

guint table_runs_by_fractions(const struct table *t, guint column)
{
	(void)t;
	(void)column;
	return 0;
}

guint table_runs_by_deviation(const struct table *t, guint column)
{
	(void)t;
	(void)column;
	return 0;
}

guint table_runs_least(const struct table *t, guint column)
{
	(void)t;
	(void)column;
	return 0;
}
