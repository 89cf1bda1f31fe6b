/* test_key.c - which measurements of different mails may be compared */
#include "mail/test_key.h"

#include <string.h>

#include "mail/metric.h"

static gboolean is_environment(const char *key)
{
	static const char *const keys[] = {"compiler",	       "kconfig",
					   "rootfs",	       "ucode",
					   "cpufreq_governor", "debug-setup"};

	for (guint i = 0; i < G_N_ELEMENTS(keys); i++)
		if (!strcmp(key, keys[i]))
			return TRUE;
	return FALSE;
}

/* What tells columns apart says nothing of the test. */
static gboolean is_compared(const char *key)
{
	return !strcmp(key, "commit") || !strcmp(key, "run");
}

static int by_text(gconstpointer a, gconstpointer b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void digest(GPtrArray *lines, const char *metric, char *out)
{
	g_autoptr(GChecksum) sum = g_checksum_new(G_CHECKSUM_SHA256);
	g_autofree char *name = metric_canonical(metric);

	g_ptr_array_sort(lines, by_text);
	for (guint i = 0; i < lines->len; i++) {
		g_checksum_update(sum, lines->pdata[i], -1);
		g_checksum_update(sum, (const guchar *)"\n", 1);
	}
	g_checksum_update(sum, (const guchar *)name, -1);
	g_strlcpy(out, g_checksum_get_string(sum), TEST_KEY_CHARS + 1);
}

static void add_axis(GPtrArray *loose, GPtrArray *strict, const char *key,
		     const char *value)
{
	if (is_compared(key))
		return;
	g_ptr_array_add(strict, g_strdup_printf("%s=%s", key, value));
	if (!is_environment(key))
		g_ptr_array_add(loose, g_strdup_printf("%s=%s", key, value));
}

gboolean test_key_of_table(const struct table *t, const char *metric,
			   struct test_key *key)
{
	g_autoptr(GPtrArray) loose = g_ptr_array_new_with_free_func(g_free);
	g_autoptr(GPtrArray) strict = g_ptr_array_new_with_free_func(g_free);

	*key = (struct test_key){0};
	if (!table_axis(t, "testcase") || !table_axis(t, "tbox_group"))
		return FALSE;
	for (guint i = 0; i < t->axes->len; i++) {
		const struct table_axis *a =
			&g_array_index(t->axes, struct table_axis, i);

		add_axis(loose, strict, a->key, a->value);
	}
	digest(loose, metric, key->series);
	digest(strict, metric, key->strict);
	return TRUE;
}

gboolean test_key_of_report(const struct report *r, struct test_key *key)
{
	g_autoptr(GPtrArray) loose = g_ptr_array_new_with_free_func(g_free);
	g_autoptr(GPtrArray) strict = g_ptr_array_new_with_free_func(g_free);
	const char *machine = r->tbox ? r->tbox : r->machine;

	*key = (struct test_key){.derived = TRUE};
	if (!r->testcase || !machine || !r->metric)
		return FALSE;
	for (guint i = 0; i < r->parameters->len; i++) {
		g_auto(GStrv) half =
			g_strsplit(r->parameters->pdata[i], ": ", 2);

		if (half[0] && half[1])
			add_axis(loose, strict, half[0], g_strstrip(half[1]));
	}
	add_axis(loose, strict, "testcase", r->testcase);
	add_axis(loose, strict, "tbox_group", machine);
	digest(loose, r->metric, key->series);
	digest(strict, r->metric, key->strict);
	return TRUE;
}

gboolean test_key_same_setup(const struct table *a, const struct table *b,
			     char **differs)
{
	g_autoptr(GString) text = g_string_new(NULL);
	gboolean same;

	for (guint i = 0; i < a->axes->len; i++) {
		const struct table_axis *x =
			&g_array_index(a->axes, struct table_axis, i);
		const char *y = table_axis(b, x->key);

		if (!y || is_compared(x->key) || is_environment(x->key) ||
		    !strcmp(x->value, y))
			continue;
		g_string_append_printf(text, "%s%s: %s, %s",
				       text->len ? "; " : "", x->key, x->value,
				       y);
	}
	same = !text->len;
	if (differs)
		*differs = same ? NULL
				: g_string_free(g_steal_pointer(&text), FALSE);
	return same;
}
