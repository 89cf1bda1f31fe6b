/* search_sql.c - a query tree as one SQL condition with bound values
 * What the full text can answer alone becomes one FTS5 expression; the rest
 * becomes comparisons with the state. No word of a query gets into the SQL. */
#include <string.h>

#include "mail/date.h"
#include "mail/msgid.h"

#include "db/search_priv.h"

/* Prefix to FTS5 columns; "" is a word without prefix. */
static const struct {
	const char *prefix, *columns;
} text_prefixes[] = {
	{"", NULL},
	{"s", "subject"},
	{"f", "sender"},
	{"t", "addressee"},
	{"c", "cc"},
	{"tc", "{addressee cc}"},
	{"a", "{sender addressee cc}"},
	{"person", "{sender addressee cc trailer}"},
	{"b", "{own quoted diff}"},
	{"nq", "{own diff}"},
	{"q", "quoted"},
	{"bs", "{subject own quoted diff}"},
	{"dfn", "file"},
	{"trailer", "trailer"},
};

static gboolean fail(const struct query *q, const char *why, GError **err)
{
	g_set_error(err, QUERY_ERROR, (gint)q->column,
		    "query: column %u: %s%s%s", q->column, q->prefix,
		    *q->prefix ? ": " : "", why);
	return FALSE;
}

static int text_prefix(const struct query *q)
{
	for (guint i = 0; i < G_N_ELEMENTS(text_prefixes); i++)
		if (!strcmp(q->prefix, text_prefixes[i].prefix))
			return (int)i;
	return -1;
}

/* ---- ids and URLs */

/* The node of the id in `text`, however it is written; -1: none. */
static gint64 node_of(const struct search_sql *out, const char *text)
{
	g_autofree char *id = msgid_from_text(text);
	gint64 node;

	return node_find(out->st, id ? id : text, &node, NULL) > 0 ? node : -1;
}

/* The message that a word without prefix names; -1 if it is just a word. */
static gint64 named_node(const struct search_sql *out, const struct query *q)
{
	g_autofree char *id = NULL;
	gint64 node, raw;

	if (*q->prefix || q->kind != QUERY_WORD)
		return -1;
	id = msgid_from_text(q->text);
	if (!id || node_find(out->st, id, &node, NULL) < 1 ||
	    db_get_int(out->st->state, &raw, NULL,
		       "SELECT raw FROM node WHERE id = ?", INT(node)) < 1 ||
	    raw == DB_NULL)
		return -1;
	return node;
}

/* ---- full text */

static gboolean is_text(const struct search_sql *out, const struct query *q)
{
	if (q->op == QUERY_TERM)
		return text_prefix(q) >= 0 && q->kind != QUERY_REGEX &&
		       named_node(out, q) < 0;
	if (q->op != QUERY_AND && q->op != QUERY_OR)
		return FALSE;
	for (guint i = 0; i < q->parts->len; i++)
		if (!is_text(out, q->parts->pdata[i]))
			return FALSE;
	return TRUE;
}

/* Recursion is bounded by QUERY_MAX_DEPTH. */
static void fts_append(GString *out, const struct query *q)
{
	const char *columns;

	if (q->op != QUERY_TERM) {
		for (guint i = 0; i < q->parts->len; i++) {
			if (i)
				g_string_append(out, q->op == QUERY_OR
							     ? " OR "
							     : " AND ");
			g_string_append_c(out, '(');
			fts_append(out, q->parts->pdata[i]);
			g_string_append_c(out, ')');
		}
		return;
	}
	columns = text_prefixes[text_prefix(q)].columns;
	if (columns)
		g_string_append_printf(out, "%s: ", columns);
	g_string_append_c(out, '"');
	for (const char *p = q->text; *p; p++) {
		if (*p == '"')
			g_string_append_c(out, '"');
		g_string_append_c(out, *p);
	}
	g_string_append(out, q->kind == QUERY_PREFIX ? "\" *" : "\"");
}

/* ---- values */

static void bind(struct search_sql *out, struct db_arg arg)
{
	g_array_append_val(out->args, arg);
}

static void bind_text(struct search_sql *out, char *text)
{
	struct db_arg arg = TEXT(text);

	g_ptr_array_add(out->keep, text);
	bind(out, arg);
}

static void bind_int(struct search_sql *out, gint64 value)
{
	struct db_arg arg = INT(value);

	bind(out, arg);
}

static void build_text(struct search_sql *out, const struct query *q)
{
	GString *match = g_string_new(NULL);

	fts_append(match, q);
	g_string_append(out->sql,
			"m.node IN (SELECT d.node FROM text JOIN doc d "
			"ON d.id = text.rowid WHERE text MATCH ?)");
	bind_text(out, g_string_free(match, FALSE));
}

static gboolean build_date(struct search_sql *out, const struct query *q,
			   const char *column)
{
	gint64 t;

	g_string_append_printf(out->sql, "(%s IS NOT NULL", column);
	if (*q->text && date_from_rfc3339(q->text, &t)) {
		g_string_append_printf(out->sql, " AND %s >= ?", column);
		bind_int(out, t);
	}
	if (*q->high && date_from_rfc3339(q->high, &t)) {
		g_string_append_printf(out->sql, " AND %s < ?", column);
		bind_int(out, t);
	}
	g_string_append_c(out->sql, ')');
	return TRUE;
}

static gboolean build_node(struct search_sql *out, gint64 node)
{
	g_string_append(out->sql, "n.id = ?");
	bind_int(out, node);
	return TRUE;
}

static gboolean build_mid(struct search_sql *out, const struct query *q)
{
	if (q->kind == QUERY_PREFIX) {
		g_string_append(out->sql, "(n.mid >= ? AND n.mid < ?)");
		bind_text(out, g_strdup(q->text));
		bind_text(out, g_strconcat(q->text, "\xf4\x8f\xbf\xbf", NULL));
		return TRUE;
	}
	return build_node(out, node_of(out, q->text));
}

/* The whole name, or its first labels; an address means its List-Id. Any copy
 * counts: by the list it was taken in for, or by its own List-Id. */
static gboolean build_list(struct search_sql *out, const struct query *q)
{
	static const char *const where[] = {
		"r.list IN ",
		" OR EXISTS (SELECT 1 FROM state.location lo "
		"WHERE lo.raw = r.id AND lo.list IN ",
		") OR EXISTS (SELECT 1 FROM state.raw o LEFT JOIN "
		"state.location lo ON lo.raw = o.id WHERE o.node = m.node "
		"AND o.spare = 1 AND (o.list IN ",
		" OR lo.list IN ",
	};
	g_autofree char *name = g_utf8_strdown(q->text, -1);
	g_autofree char *head = NULL;

	g_strdelimit(name, "@", '.');
	head = g_strconcat(name, q->kind == QUERY_PREFIX ? "" : ".", NULL);
	g_string_append_c(out->sql, '(');
	for (guint i = 0; i < G_N_ELEMENTS(where); i++) {
		g_string_append(out->sql, where[i]);
		g_string_append(out->sql,
				"(SELECT id FROM state.list WHERE lower(name) "
				"= ? OR substr(lower(name), 1, ?) = ?)");
		bind_text(out, g_strdup(name));
		bind_int(out, g_utf8_strlen(head, -1));
		bind_text(out, g_strdup(head));
	}
	g_string_append(out->sql, ")))");
	return TRUE;
}

/* A range of 20-byte ids that begin with the given hex digits. */
static gboolean build_patch_id(struct search_sql *out, const struct query *q,
			       GError **err)
{
	gsize n = strlen(q->text);
	guint8 *low = g_malloc0(OID_LEN), *high = g_malloc(OID_LEN);
	struct db_arg a = BLOB(low, OID_LEN), b = BLOB(high, OID_LEN);

	g_ptr_array_add(out->keep, low);
	g_ptr_array_add(out->keep, high);
	memset(high, 0xff, OID_LEN);
	if (n < 4 || n > 2 * OID_LEN)
		return fail(q, "expected 4 to 40 hex digits", err);
	for (gsize i = 0; i < n; i++) {
		int digit = g_ascii_xdigit_value(q->text[i]);
		int shift = i % 2 ? 0 : 4;

		if (digit < 0)
			return fail(q, "expected 4 to 40 hex digits", err);
		low[i / 2] |= (guint8)(digit << shift);
		high[i / 2] &= (guint8) ~(0xf << shift);
		high[i / 2] |= (guint8)(digit << shift);
	}
	g_string_append(out->sql, "m.node IN (SELECT node FROM state.patch "
				  "WHERE patch_id BETWEEN ? AND ?)");
	bind(out, a);
	bind(out, b);
	return TRUE;
}

static gboolean build_is(struct search_sql *out, const struct query *q,
			 GError **err)
{
	for (int kind = KIND_OTHER; kind <= KIND_NOTICE; kind++) {
		if (strcmp(q->text, mail_kind_name(kind)) != 0)
			continue;
		g_string_append(out->sql, "m.kind = ?");
		bind_int(out, kind);
		return TRUE;
	}
	return fail(q,
		    "messages are patch, cover, pull, report, reply, notice "
		    "or other",
		    err);
}

static gboolean build_regex(struct search_sql *out, const struct query *q,
			    GError **err)
{
	const char *value = !*q->prefix || !strcmp(q->prefix, "s") ? "m.subject"
			    : !strcmp(q->prefix, "f")
				    ? "p.name || ' ' || p.written"
			    : !strcmp(q->prefix, "m") ? "n.mid"
						      : NULL;
	g_autoptr(GError) why = NULL;
	g_autoptr(GRegex) regex =
		g_regex_new(q->text, G_REGEX_CASELESS, 0, &why);

	if (!value)
		return fail(q, "a /regex/ works with s:, f: and m: only", err);
	if (!regex)
		return fail(q, why->message, err);
	g_string_append_printf(out->sql, "matches(?, %s)", value);
	bind_text(out, g_strdup(q->text));
	return TRUE;
}

static gboolean build_term(struct search_sql *out, const struct query *q,
			   GError **err)
{
	gint64 node = named_node(out, q);

	if (q->kind == QUERY_REGEX)
		return build_regex(out, q, err);
	if (node >= 0)
		return build_node(out, node);
	if (text_prefix(q) >= 0) {
		build_text(out, q);
		return TRUE;
	}
	if (!strcmp(q->prefix, "d"))
		return build_date(out, q, "n.date");
	if (!strcmp(q->prefix, "rt"))
		return build_date(out, q, "r.received");
	if (!strcmp(q->prefix, "m"))
		return build_mid(out, q);
	if (!strcmp(q->prefix, "l"))
		return build_list(out, q);
	if (!strcmp(q->prefix, "patchid"))
		return build_patch_id(out, q, err);
	if (!strcmp(q->prefix, "is"))
		return build_is(out, q, err);
	if (!strcmp(q->prefix, "thread")) {
		g_string_append(out->sql, "n.tid = (SELECT tid FROM "
					  "state.node WHERE id = ?)");
		bind_int(out, node_of(out, q->text));
		return TRUE;
	}
	return fail(q, "not known of messages, only of tracked items", err);
}

/* Recursion is bounded by QUERY_MAX_DEPTH. */
gboolean search_sql_build(struct search_sql *out, const struct query *q,
			  GError **err)
{
	const char *between = q->op == QUERY_OR ? " OR " : " AND ";

	if (q->op == QUERY_ALL) {
		g_string_append_c(out->sql, '1');
		return TRUE;
	}
	if (is_text(out, q)) {
		build_text(out, q);
		return TRUE;
	}
	if (q->op == QUERY_TERM)
		return build_term(out, q, err);
	g_string_append(out->sql, q->op == QUERY_NOT ? "NOT (" : "(");
	for (guint i = 0; i < q->parts->len; i++) {
		if (i)
			g_string_append(out->sql, between);
		if (!search_sql_build(out, q->parts->pdata[i], err))
			return FALSE;
	}
	g_string_append_c(out->sql, ')');
	return TRUE;
}
