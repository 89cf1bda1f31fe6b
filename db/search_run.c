/* search_run.c - runs a query over state and full text, newest first */
#include <string.h>

#include "db/search_priv.h"

/* PCRE2's own brake: a pattern that backtracks more has no match. */
#define REGEX_LIMIT "(*LIMIT_MATCH=100000)(*LIMIT_DEPTH=1000)"

/* matches(pattern, text) of the SQL; compiled once a statement. */
static void sql_matches(sqlite3_context *ctx, int argc, sqlite3_value **argv)
{
	const char *text = (const char *)sqlite3_value_text(argv[1]);
	GRegex *regex = sqlite3_get_auxdata(ctx, 0);

	if (!regex) {
		g_autofree char *pattern =
			g_strconcat(REGEX_LIMIT,
				    (const char *)sqlite3_value_text(argv[0]),
				    NULL);

		regex = g_regex_new(pattern, G_REGEX_CASELESS, 0, NULL);
		if (!regex) {
			sqlite3_result_error(ctx, "bad pattern", -1);
			return;
		}
		sqlite3_result_int(ctx,
				   text && g_regex_match(regex, text, 0, NULL));
		sqlite3_set_auxdata(ctx, 0, regex,
				    (void (*)(void *))g_regex_unref);
		return;
	}
	sqlite3_result_int(ctx, text && g_regex_match(regex, text, 0, NULL));
}

void search_hit_free(struct search_hit *h)
{
	if (!h)
		return;
	g_free(h->mid);
	g_free(h->subject);
	g_free(h->from_name);
	g_free(h->from_address);
	g_free(h);
}

static GPtrArray *collect(struct search *s, const struct search_sql *where,
			  GError **err)
{
	g_autofree char *sql = g_strconcat(
		"SELECT n.mid, n.date, m.subject, p.name, p.written "
		"FROM state.message m JOIN state.node n ON n.id = m.node "
		"JOIN state.person p ON p.id = m.person "
		"JOIN state.raw r ON r.id = n.raw WHERE ",
		where->sql->str, " ORDER BY n.date DESC, n.mid LIMIT ?", NULL);
	g_autoptr(db_once) rows =
		db_query_once(s->fts, err, sql,
			      (const struct db_arg *)where->args->data);
	g_autoptr(GPtrArray) hits =
		g_ptr_array_new_with_free_func((GDestroyNotify)search_hit_free);
	int rc;

	while ((rc = db_next(rows, err)) > 0) {
		struct search_hit *h = g_new0(struct search_hit, 1);

		h->mid = db_dup(rows, 0);
		h->date = db_int(rows, 1) == DB_NULL ? 0 : db_int(rows, 1);
		h->subject = db_dup(rows, 2);
		h->from_name = db_dup(rows, 3);
		h->from_address = db_dup(rows, 4);
		g_ptr_array_add(hits, h);
	}
	return rc < 0 ? NULL : g_steal_pointer(&hits);
}

GPtrArray *search_run(store *st, const struct query *q, guint limit,
		      GError **err)
{
	struct search *s = search_of(st, err);
	struct search_sql where = {
		.st = st,
		.sql = g_string_new(NULL),
		.args = g_array_new(FALSE, TRUE, sizeof(struct db_arg)),
		.keep = g_ptr_array_new_with_free_func(g_free),
	};
	struct db_arg end[] = {INT(limit ? (gint64)limit : -1),
			       {.type = DB_ARG_END}};
	GPtrArray *hits = NULL;

	if (s && search_sql_build(&where, q, err)) {
		sqlite3_create_function(db_handle(s->fts), "matches", 2,
					SQLITE_UTF8 | SQLITE_DETERMINISTIC,
					NULL, sql_matches, NULL, NULL);
		g_array_append_vals(where.args, end, 2);
		hits = collect(s, &where, err);
		if (!hits)
			search_blame(st, err);
	}
	g_string_free(where.sql, TRUE);
	g_array_unref(where.args);
	g_ptr_array_unref(where.keep);
	return hits;
}
