/* dump.c - the database in bulk: threads and links, sorted bytewise */
#include <string.h>

#include "mail/commit_ref.h"
#include "mail/links.h"

#include "db/db_priv.h"
#include "db/problems.h"
#include "db/thread.h"

static gboolean add_thread(const struct thread *t, void *data, GError **err)
{
	const struct thread_node *n, *up;
	GPtrArray *lines = data;
	guint i;

	for (i = 0; i < t->nodes->len; i++) {
		n = t->nodes->pdata[i];
		up = n->parent < 0 ? NULL : t->nodes->pdata[n->parent];
		g_ptr_array_add(lines,
				g_strdup_printf("%s\t%s\t%s\t%d", n->mid,
						t->root, up ? up->mid : "-",
						n->ghost));
	}
	return TRUE;
}

/* A tab sorts below all that an id can hold: whole lines compare as ids do. */
static int by_bytes(gconstpointer a, gconstpointer b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static void append_sorted(GPtrArray *lines, GString *out)
{
	const char *last = NULL;
	guint i;

	g_ptr_array_sort(lines, by_bytes);
	for (i = 0; i < lines->len; i++) {
		if (last && g_str_equal(last, lines->pdata[i]))
			continue;
		last = lines->pdata[i];
		g_string_append(out, last);
		g_string_append_c(out, '\n');
	}
}

gboolean dump_threads(store *st, GString *out, GError **err)
{
	g_autoptr(GPtrArray) lines = g_ptr_array_new_with_free_func(g_free);

	if (!thread_each(st, add_thread, lines, err))
		return FALSE;
	append_sorted(lines, out);
	return TRUE;
}

/* Tabs and newlines would break the columns. */
static void add_line(GPtrArray *lines, const char *mid, const char *kind,
		     const char *what)
{
	char *line = g_strdup_printf("%s\t%s\t%s", mid, kind, what);
	char *value = line + strlen(mid) + strlen(kind) + 2;

	g_strdelimit(value, "\t\r\n", ' ');
	g_ptr_array_add(lines, line);
}

static gboolean dump_urls(store *st, GPtrArray *lines, GError **err)
{
	g_autoptr(db_rows) rows =
		db_query(st->state, err,
			 "SELECT n.mid, l.role, coalesce(l.mid, l.url) "
			 "FROM link_url l JOIN node n ON n.id = l.node");
	int rc;

	while ((rc = db_next(rows, err)) > 0)
		add_line(lines, db_text(rows, 0),
			 link_role_name(db_int(rows, 1)), db_text(rows, 2));
	return rc == 0;
}

static gboolean dump_commits(store *st, GPtrArray *lines, GError **err)
{
	g_autoptr(db_rows) rows =
		db_query(st->state, err,
			 "SELECT n.mid, c.role, c.id FROM commit_ref c "
			 "JOIN node n ON n.id = c.node");
	int rc;

	while ((rc = db_next(rows, err)) > 0) {
		g_autofree char *kind =
			g_strconcat("commit-",
				    commit_role_name(db_int(rows, 1)), NULL);

		add_line(lines, db_text(rows, 0), kind, db_text(rows, 2));
	}
	return rc == 0;
}

static gboolean dump_patches(store *st, GPtrArray *lines, GError **err)
{
	static const char *const kinds[] = {"patch-id", "change-id",
					    "base-commit", "backport-of"};
	g_autoptr(db_rows) rows =
		db_query(st->state, err,
			 "SELECT n.mid, lower(hex(p.patch_id)), p.change_id, "
			 "p.base_commit, p.backport_of FROM patch p "
			 "JOIN node n ON n.id = p.node");
	guint i;
	int rc;

	while ((rc = db_next(rows, err)) > 0)
		for (i = 0; i < G_N_ELEMENTS(kinds); i++)
			if (db_text(rows, i + 1) && *db_text(rows, i + 1))
				add_line(lines, db_text(rows, 0), kinds[i],
					 db_text(rows, i + 1));
	return rc == 0;
}

gboolean dump_links(store *st, GString *out, GError **err)
{
	g_autoptr(db_snapshot) snap = db_snapshot_begin(st->state, err);
	g_autoptr(GPtrArray) lines = g_ptr_array_new_with_free_func(g_free);

	if (!snap || !dump_urls(st, lines, err) ||
	    !dump_commits(st, lines, err) || !dump_patches(st, lines, err))
		return FALSE;
	append_sorted(lines, out);
	return TRUE;
}
