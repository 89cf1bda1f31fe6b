/* items.c - reports to items: which there are, what they are called, finding
 * The state comes from item_fixes.c and item_fold.c. */
#include "db/items.h"

#include <math.h>
#include <string.h>

#include "mail/msgid.h"

#include "db/items_priv.h"

#define COMMIT_PREFIX_MIN 7

static const char base32[] = "abcdefghijklmnopqrstuvwxyz234567";

char *item_id(const char *mid, gint64 date, guint more)
{
	g_autoptr(GChecksum) sum = g_checksum_new(G_CHECKSUM_SHA256);
	g_autoptr(GDateTime) when =
		g_date_time_new_from_unix_utc(date > 0 ? date : 0);
	guint8 hash[32];
	gsize len = sizeof(hash);
	guint chars = MIN(ITEM_ID_CHARS + more, len * 8 / 5);
	GString *id = g_string_new(NULL);

	g_checksum_update(sum, (const guchar *)mid, -1);
	g_checksum_get_digest(sum, hash, &len);
	if (date > 0 && when)
		g_string_printf(id, "%04d%02d-", g_date_time_get_year(when),
				g_date_time_get_month(when));
	else
		g_string_assign(id, "000000-");
	for (guint n = 0; n < chars; n++) {
		guint bit = n * 5, byte = bit / 8;
		guint pair = (guint)hash[byte] << 8;

		if (byte + 1 < len)
			pair |= hash[byte + 1];
		g_string_append_c(id, base32[pair >> (11 - bit % 8) & 31]);
	}
	return g_string_free(id, FALSE);
}

/* ---- reading the reports */

/* "+": not by walking the index of all ids. */
#define REPORTS                                                                 \
	"SELECT r.node, n.tid, n.mid, n.date, m.subject, s.name, s.written,"    \
	" s.address, r.direction, r.metric, r.change, r.commit_id,"             \
	" r.commit_subject, r.base, r.base_tree, r.branch, r.testcase,"         \
	" r.machine, r.tbox, r.parameters, r.patch_mid, r.tags_offered,"        \
	" (SELECT count(*) FROM node x WHERE x.tid = n.tid AND x.raw NOTNULL)," \
	" (SELECT max(date) FROM node x WHERE x.tid = n.tid)"                   \
	" FROM report r JOIN node n ON n.id = r.node"                           \
	" JOIN message m ON m.node = r.node JOIN person s ON s.id = m.person"

static const char all_reports[] =
	REPORTS " WHERE r.category = ?1 ORDER BY +n.mid";
static const char one_report[] = REPORTS " WHERE r.node = ?1";

static void read_lines(GPtrArray *into, const char *text)
{
	g_auto(GStrv) lines = text ? g_strsplit(text, "\n", -1) : NULL;

	for (guint n = 0; lines && lines[n]; n++)
		if (*lines[n])
			g_ptr_array_add(into, g_strdup(lines[n]));
}

static gint64 known_time(gint64 time)
{
	return time == DB_NULL ? 0 : time;
}

static void read_report(db_rows *rows, struct item_facts *f)
{
	struct item *i = f->item = item_new();

	f->node = db_int(rows, 0);
	f->tid = db_int(rows, 1);
	i->mid = db_dup(rows, 2);
	i->reported = known_time(db_int(rows, 3));
	i->subject = db_dup(rows, 4);
	i->reporter_name = db_dup(rows, 5);
	i->reporter_address = db_dup(rows, 6);
	f->reporter = db_int(rows, 7);
	i->category = REPORT_PERFORMANCE;
	i->direction = (enum report_direction)db_int(rows, 8);
	i->metric = db_dup(rows, 9);
	if (db_int(rows, 10) != DB_NULL)
		i->change_percent = sqlite3_column_double(rows, 10);
	i->commit = db_dup(rows, 11);
	i->commit_subject = db_dup(rows, 12);
	i->base = db_dup(rows, 13);
	i->tree = db_dup(rows, 14);
	i->branch = db_dup(rows, 15);
	i->testcase = db_dup(rows, 16);
	i->machine = db_dup(rows, 17);
	i->tbox = db_dup(rows, 18);
	read_lines(i->parameters, db_text(rows, 19));
	i->patch_mid = db_dup(rows, 20);
	read_lines(i->tags_offered, db_text(rows, 21));
	i->messages = (guint)db_int(rows, 22);
	i->last_activity = known_time(db_int(rows, 23));
	i->title = item_title(i);
}

static void facts_clear(void *data)
{
	struct item_facts *f = data;

	item_free(f->item);
}

/* By `sql`, whose only value is `key`. */
static GArray *load_reports(store *st, const char *sql, gint64 key,
			    GError **err)
{
	g_autoptr(GArray) all =
		g_array_new(FALSE, TRUE, sizeof(struct item_facts));
	g_autoptr(db_rows) rows = db_query(st->state, err, sql, INT(key));
	int rc;

	g_array_set_clear_func(all, facts_clear);
	while ((rc = db_next(rows, err)) > 0) {
		struct item_facts f = {0};

		read_report(rows, &f);
		g_array_append_val(all, f);
	}
	return rc < 0 ? NULL : g_steal_pointer(&all);
}

/* ---- ids: the earliest of those that collide keeps the short one */

static int compare_reported(gconstpointer a, gconstpointer b)
{
	const struct item *x = *(struct item *const *)a;
	const struct item *y = *(struct item *const *)b;

	if (x->reported != y->reported)
		return x->reported < y->reported ? -1 : 1;
	return strcmp(x->mid, y->mid);
}

static void name_items(GPtrArray *items)
{
	g_autoptr(GHashTable) taken = g_hash_table_new(g_str_hash, g_str_equal);
	g_autoptr(GPtrArray) order = g_ptr_array_new();

	for (guint n = 0; n < items->len; n++)
		g_ptr_array_add(order, items->pdata[n]);
	g_ptr_array_sort(order, compare_reported);
	for (guint n = 0; n < order->len; n++) {
		struct item *i = order->pdata[n];
		guint more = 0;

		i->id = item_id(i->mid, i->reported, 0);
		while (g_hash_table_contains(taken, i->id)) {
			g_free(i->id);
			more += 2;
			i->id = item_id(i->mid, i->reported, more);
		}
		g_hash_table_add(taken, i->id);
	}
}

/* ---- making the items */

/* The patch it speaks of: the one it links, else the one it answers. */
static void find_patch(struct item *i, const struct thread *t)
{
	int at = thread_index(t, i->mid);
	const struct thread_node *n = at < 0 ? NULL : t->nodes->pdata[at];

	if (i->patch_mid || !n || n->parent < 0)
		return;
	n = t->nodes->pdata[n->parent];
	if (n->kind == KIND_PATCH && !n->ghost)
		i->patch_mid = g_strdup(n->mid);
}

static gboolean find_author(store *st, struct item *i, GError **err)
{
	g_autoptr(db_rows) rows = NULL;
	int rc;

	if (!i->patch_mid)
		return TRUE;
	rows = db_query(st->state, err,
			"SELECT CASE WHEN a.name = '' THEN a.written ELSE"
			" a.name || ' <' || a.written || '>' END"
			" FROM node n JOIN patch p ON p.node = n.id"
			" JOIN person a ON a.id = p.author_person"
			" WHERE n.mid = ?1",
			TEXT(i->patch_mid));
	rc = db_next(rows, err);
	if (rc > 0)
		i->author = db_dup(rows, 0);
	return rc >= 0;
}

static gboolean fold_item(struct item_threads *threads, struct item_facts *f,
			  GError **err)
{
	struct item *i = f->item;
	const struct thread *t = item_threads_get(threads, f->tid, i->mid, err);
	g_autofree char *by = g_strdup_printf("%s <%s>", i->reporter_name,
					      i->reporter_address);

	if (!t)
		return FALSE;
	i->thread_root = g_strdup(t->root);
	find_patch(i, t);
	if (!find_author(threads->st, i, err))
		return FALSE;
	g_strchug(by);
	item_add_event(i, "reported", i->reported, by, i->mid, NULL,
		       i->subject);
	if (i->commit)
		item_add_event(i, "bisected", i->reported, by, i->mid,
			       i->commit, i->commit_subject);
	item_add_person(i, i->reporter_name, i->reporter_address, "reporter");
	if (i->direction != REPORT_IMPROVEMENT &&
	    !item_find_fixes(threads, f, err))
		return FALSE;
	item_fold(i);
	return TRUE;
}

static int compare_activity(gconstpointer a, gconstpointer b)
{
	const struct item *x = *(struct item *const *)a;
	const struct item *y = *(struct item *const *)b;

	if (x->last_activity != y->last_activity)
		return x->last_activity > y->last_activity ? -1 : 1;
	return strcmp(x->id, y->id);
}

GPtrArray *items_load(store *st, GError **err)
{
	g_autoptr(GPtrArray) items =
		g_ptr_array_new_with_free_func((GDestroyNotify)item_free);
	g_autoptr(db_snapshot) snapshot = db_snapshot_begin(st->state, err);
	g_autoptr(GArray) facts = NULL;
	struct item_threads threads;
	gboolean ok = TRUE;

	facts = snapshot
			? load_reports(st, all_reports, REPORT_PERFORMANCE, err)
			: NULL;
	if (!facts)
		return NULL;
	item_threads_init(&threads, st);
	for (guint n = 0; n < facts->len && ok; n++) {
		struct item_facts *f =
			&g_array_index(facts, struct item_facts, n);

		ok = fold_item(&threads, f, err);
		if (ok)
			g_ptr_array_add(items, g_steal_pointer(&f->item));
	}
	item_threads_clear(&threads);
	if (!ok)
		return NULL;
	name_items(items);
	g_ptr_array_sort(items, compare_activity);
	return g_steal_pointer(&items);
}

/* ---- finding one */

static gboolean is_hex_prefix(const char *what)
{
	gsize len = strspn(what, "0123456789abcdefABCDEF");

	return len >= COMMIT_PREFIX_MIN && !what[len];
}

static gboolean is_fix(const struct item *i, const char *mid)
{
	for (guint n = 0; n < i->fixes->len; n++) {
		const struct item_fix *fix = i->fixes->pdata[n];

		if (!strcmp(fix->mid, mid))
			return TRUE;
	}
	return FALSE;
}

/* What is asked for, in the forms it may have. */
struct wanted {
	const char *text;
	char *mid;  /* NULL: it is none */
	char *root; /* of the thread that holds `mid`, NULL unknown */
	gboolean hex;
};

/* How sure it is that this item is meant; 0: it is not. */
static int match(const struct item *i, const struct wanted *w)
{
	g_autofree char *path = g_strconcat("/r/", i->id, NULL);

	if (!strcmp(i->id, w->text) || (w->mid && !strcmp(i->mid, w->mid)))
		return 6;
	if (strstr(w->text, path))
		return 5;
	if (w->hex && i->commit &&
	    !g_ascii_strncasecmp(i->commit, w->text, strlen(w->text)))
		return 4;
	if (*i->title && !g_ascii_strcasecmp(i->title, w->text))
		return 3;
	if (w->mid && is_fix(i, w->mid))
		return 2;
	return w->root && !strcmp(i->thread_root, w->root);
}

static gboolean find_root(store *st, struct wanted *w, GError **err)
{
	GError *error = NULL;
	g_autoptr(thread_auto) t =
		w->mid ? thread_load(st, w->mid, &error) : NULL;

	if (t)
		w->root = g_strdup(t->root);
	if (!error)
		return TRUE;
	g_propagate_error(err, error);
	return FALSE;
}

/* The index of the one that is meant; -1: none, or several (*many). */
static int find_best(GPtrArray *items, const struct wanted *w, gboolean *many)
{
	int best = -1, sure = 0;
	guint count = 0;

	for (guint n = 0; n < items->len; n++) {
		int m = match(items->pdata[n], w);

		if (m > sure) {
			sure = m;
			best = (int)n;
			count = 0;
		}
		count += m && m == sure;
	}
	*many = count > 1;
	return count == 1 ? best : -1;
}

/* ---- finding one by its name, without folding the others */

/* Items that know no more than their names; `nodes` gets where they are. */
static GPtrArray *load_names(store *st, GArray *nodes, GError **err)
{
	g_autoptr(GPtrArray) items =
		g_ptr_array_new_with_free_func((GDestroyNotify)item_free);
	g_autoptr(db_rows) rows =
		db_query(st->state, err,
			 "SELECT r.node, n.mid, n.date, r.commit_id"
			 " FROM report r JOIN node n ON n.id = r.node"
			 " WHERE r.category = ?1",
			 INT(REPORT_PERFORMANCE));
	int rc;

	while ((rc = db_next(rows, err)) > 0) {
		struct item *i = item_new();
		gint64 node = db_int(rows, 0);

		g_array_append_val(nodes, node);
		i->mid = db_dup(rows, 1);
		i->reported = known_time(db_int(rows, 2));
		i->commit = db_dup(rows, 3);
		i->title = g_strdup("");
		i->thread_root = g_strdup("");
		g_ptr_array_add(items, i);
	}
	if (rc < 0)
		return NULL;
	name_items(items);
	return g_steal_pointer(&items);
}

static struct item *load_one(store *st, gint64 node, const char *id,
			     GError **err)
{
	g_autoptr(GArray) facts = load_reports(st, one_report, node, err);
	struct item_threads threads;
	struct item_facts *f;
	gboolean ok;

	if (!facts || !facts->len)
		return NULL;
	f = &g_array_index(facts, struct item_facts, 0);
	item_threads_init(&threads, st);
	ok = fold_item(&threads, f, err);
	item_threads_clear(&threads);
	if (!ok)
		return NULL;
	f->item->id = g_strdup(id);
	return g_steal_pointer(&f->item);
}

static struct item *find(store *st, struct wanted *w, gboolean *many,
			 GError **err)
{
	g_autoptr(GArray) nodes = g_array_new(FALSE, FALSE, sizeof(gint64));
	g_autoptr(GPtrArray) items = load_names(st, nodes, err);
	int at = items ? find_best(items, w, many) : -1;

	if (at >= 0) {
		const struct item *i = items->pdata[at];

		return load_one(st, g_array_index(nodes, gint64, at), i->id,
				err);
	}
	if (!items || *many)
		return NULL;
	/* by what only a whole item knows: title, thread, fixes */
	g_ptr_array_unref(items);
	items = items_load(st, err);
	if (items && find_root(st, w, err))
		at = find_best(items, w, many);
	return at < 0 ? NULL : g_ptr_array_steal_index(items, (guint)at);
}

struct item *item_find(store *st, const char *what, gboolean *many,
		       GError **err)
{
	struct wanted w = {.text = what,
			   .mid = msgid_from_text(what),
			   .hex = is_hex_prefix(what)};
	g_autoptr(db_snapshot) snapshot = db_snapshot_begin(st->state, err);
	struct item *found;

	*many = FALSE;
	found = snapshot ? find(st, &w, many, err) : NULL;
	g_free(w.mid);
	g_free(w.root);
	return found;
}
