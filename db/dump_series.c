/* dump_series.c - all series in bulk, one a line, sorted bytewise
 * Columns: name, version ('?' behind it: inferred), total, complete 0 or 1,
 * cover, supersedes, superseded by, resend of, backport of, patches. A name is
 * the Message-ID of the cover or first patch; "-" is none; patches are parted
 * by blanks, and '=' marks what is taken from the version before. */
#include <string.h>

#include "db/db_priv.h"
#include "db/patches.h"
#include "db/problems.h"

static const char *mid_at(const struct series_set *set, int mail)
{
	return mail < 0 ? "-"
			: g_array_index(set->mails, struct series_mail, mail)
				  .mid;
}

static const char *name_at(const struct series_set *set, int i)
{
	const struct series *s = i < 0 ? NULL : set->series->pdata[i];

	return s ? mid_at(set, s->first) : "-";
}

static char *patches_text(const struct series_set *set, const struct series *s)
{
	GString *out = g_string_new(NULL);

	for (guint i = 0; i < s->patches->len; i++) {
		const struct series_patch *p =
			&g_array_index(s->patches, struct series_patch, i);

		g_string_append_printf(out, "%s%s%s", i ? " " : "",
				       p->inherited ? "=" : "",
				       mid_at(set, p->mail));
	}
	if (!out->len)
		g_string_append_c(out, '-');
	return g_string_free(out, FALSE);
}

static char *line_of(const struct series_set *set, int i)
{
	const struct series *s = set->series->pdata[i];
	g_autofree char *patches = patches_text(set, s);

	return g_strdup_printf("%s\t%d%s\t%d\t%d\t%s%s\t%s\t%s\t%s\t%s\t%s",
			       name_at(set, i), s->version,
			       s->version_inferred ? "?" : "", s->total,
			       s->complete, s->cover_inherited ? "=" : "",
			       mid_at(set, s->cover),
			       name_at(set, s->supersedes),
			       name_at(set, s->superseded_by),
			       name_at(set, s->resend_of),
			       s->backport_of ? s->backport_of : "-", patches);
}

static int by_bytes(gconstpointer a, gconstpointer b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

gboolean dump_series(store *st, GString *out, GError **err)
{
	g_autoptr(series_set_auto) set = series_load_all(st, err);
	g_autoptr(GPtrArray) lines = g_ptr_array_new_with_free_func(g_free);

	if (!set)
		return FALSE;
	for (guint i = 0; i < set->series->len; i++)
		g_ptr_array_add(lines, line_of(set, (int)i));
	g_ptr_array_sort(lines, by_bytes);
	for (guint i = 0; i < lines->len; i++)
		g_string_append_printf(out, "%s\n", (char *)lines->pdata[i]);
	return TRUE;
}
