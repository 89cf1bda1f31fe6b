/* patch_facts.c - rows of `patch` as the facts that series are made of
 * Adds what a row alone can't tell: the ancestor among the patches, and roots
 * that may be a cover although nothing in them says so. */
#include "db/patch_facts.h"

#include <string.h>

#include "mail/subject.h"

enum column {
	COL_NODE,
	COL_MID,
	COL_SENDER,
	COL_AUTHOR,
	COL_DATE,
	COL_VERSION,
	COL_STATED,
	COL_NUMBER,
	COL_TOTAL,
	COL_RFC,
	COL_RESEND,
	COL_REPLY,
	COL_STABLE,
	COL_DIFF,
	COL_DIFFSTAT,
	COL_PATCH_LIKE,
	COL_TITLE,
	COL_TAGS,
	COL_CHANGE_ID,
	COL_PATCH_ID,
	COL_OLDER,
	COL_NEEDS,
	COL_BACKPORT,
};

void fact_store_free(struct fact_store *f)
{
	if (!f)
		return;
	g_string_chunk_free(f->strings);
	g_ptr_array_unref(f->vectors);
	g_free(f);
}

static void series_free_item(gpointer s)
{
	series_free(s);
}

struct series_set *series_set_new(void)
{
	struct series_set *set = g_new0(struct series_set, 1);
	struct fact_store *f = g_new0(struct fact_store, 1);

	f->strings = g_string_chunk_new(4096);
	f->vectors = g_ptr_array_new_with_free_func(g_free);
	set->priv = f;
	set->mails = g_array_new(FALSE, FALSE, sizeof(struct series_mail));
	set->series = g_ptr_array_new_with_free_func(series_free_item);
	return set;
}

void series_set_free(struct series_set *set)
{
	if (!set)
		return;
	g_ptr_array_unref(set->series);
	g_array_unref(set->mails);
	fact_store_free(set->priv);
	g_free(set);
}

const char *fact_intern(struct series_set *set, const char *text)
{
	struct fact_store *f = set->priv;

	return g_string_chunk_insert_const(f->strings, text);
}

static const char *keep(struct series_set *set, const char *text)
{
	struct fact_store *f = set->priv;

	return text ? g_string_chunk_insert(f->strings, text) : NULL;
}

/* Lines as a NULL-ended vector; NULL for none. */
static const char *const *keep_lines(struct series_set *set, const char *text)
{
	struct fact_store *f = set->priv;
	g_auto(GStrv) lines = NULL;
	const char **out;
	guint i;

	if (!text || !*text)
		return NULL;
	lines = g_strsplit(text, "\n", -1);
	out = g_new0(const char *, g_strv_length(lines) + 1);
	for (i = 0; lines[i]; i++)
		out[i] = keep(set, lines[i]);
	g_ptr_array_add(f->vectors, out);
	return out;
}

static int or_less(sqlite3_stmt *row, int col)
{
	gint64 v = db_int(row, col);

	return v == DB_NULL ? -1 : (int)v;
}

static const char *keep_patch_id(struct series_set *set, sqlite3_stmt *row)
{
	const char *hex = db_text(row, COL_PATCH_ID);
	g_autofree char *low = NULL;

	if (!hex || !*hex)
		return NULL;
	low = g_ascii_strdown(hex, -1);
	return keep(set, low);
}

struct series_mail fact_read(struct series_set *set, sqlite3_stmt *row)
{
	struct series_mail m = {
		.mid = keep(set, db_text(row, COL_MID)),
		.parent = -1,
		.sender = keep(set, db_text(row, COL_SENDER)),
		.author = keep(set, db_text(row, COL_AUTHOR)),
		.date = db_int(row, COL_DATE),
		.version = (int)db_int(row, COL_VERSION),
		.version_stated = (int)db_int(row, COL_STATED),
		.number = or_less(row, COL_NUMBER),
		.total = or_less(row, COL_TOTAL),
		.rfc = (int)db_int(row, COL_RFC),
		.resend = (int)db_int(row, COL_RESEND),
		.reply = (int)db_int(row, COL_REPLY),
		.stable = (int)db_int(row, COL_STABLE),
		.has_diff = (int)db_int(row, COL_DIFF),
		.has_diffstat = (int)db_int(row, COL_DIFFSTAT),
		.is_patch_like = (int)db_int(row, COL_PATCH_LIKE),
		.title_key = keep(set, db_text(row, COL_TITLE)),
		.tags = keep(set, db_text(row, COL_TAGS)),
		.change_id = keep(set, db_text(row, COL_CHANGE_ID)),
		.patch_id = keep_patch_id(set, row),
		.older_links = keep_lines(set, db_text(row, COL_OLDER)),
		.prerequisites = keep_lines(set, db_text(row, COL_NEEDS)),
		.backport_of = keep(set, db_text(row, COL_BACKPORT)),
	};

	/* nobody's mails are not one person's */
	if (!*m.sender)
		m.sender = m.mid;
	if (!*m.author)
		m.author = m.mid;
	return m;
}

/* A root that is no patch and no reply: perhaps a cover. */
static gboolean plain_root(struct series_set *set, const struct thread_node *n,
			   struct series_mail *out)
{
	g_autoptr(subject_auto) s = NULL;
	g_autofree char *key = NULL, *low = NULL;
	struct series_mail m = {.mid = n->mid, .parent = -1, .date = n->date};

	if (n->ghost || n->parent >= 0 || n->kind != KIND_OTHER ||
	    !*n->from_address)
		return FALSE;
	s = subject_parse(n->subject, NULL);
	key = subject_key(s->base);
	low = g_ascii_strdown(n->from_address, -1);
	m.mid = keep(set, n->mid);
	m.sender = m.author = keep(set, low);
	m.version = s->version;
	m.version_stated = s->version_stated;
	m.number = m.total = -1;
	m.title_key = keep(set, key);
	m.tags = "";
	*out = m;
	return TRUE;
}

static gboolean is_answered(const struct thread *t, guint root,
			    GHashTable *rows, const char *sender)
{
	for (guint i = root + 1; i < t->nodes->len; i++) {
		const struct thread_node *n = t->nodes->pdata[i];
		const struct series_mail *m;

		if (n->parent < 0)
			return FALSE;
		if ((guint)n->parent != root)
			continue;
		m = g_hash_table_lookup(rows, &n->id);
		if (m && !strcmp(m->sender, sender))
			return TRUE;
	}
	return FALSE;
}

/* The fact of a node, if it is one. */
static gboolean node_fact(struct series_set *set, const struct thread *t,
			  guint i, GHashTable *rows, struct series_mail *out)
{
	const struct thread_node *n = t->nodes->pdata[i];
	const struct series_mail *m = g_hash_table_lookup(rows, &n->id);

	if (m) {
		*out = *m;
		return TRUE;
	}
	return plain_root(set, n, out) && is_answered(t, i, rows, out->sender);
}

/* Nodes come in display order: a parent before its children. */
void facts_add_thread(struct series_set *set, const struct thread *t,
		      GHashTable *rows, GHashTable *senders)
{
	g_autofree int *near = g_new(int, t->nodes->len);
	gint64 thread = set->mails->len;

	for (guint i = 0; i < t->nodes->len; i++) {
		const struct thread_node *n = t->nodes->pdata[i];
		struct series_mail m;

		near[i] = n->parent >= 0 ? near[n->parent] : -1;
		if (!node_fact(set, t, i, rows, &m) ||
		    (senders && !g_hash_table_contains(senders, m.sender)))
			continue;
		m.parent = near[i];
		m.thread = thread;
		near[i] = (int)set->mails->len;
		g_array_append_val(set->mails, m);
	}
}
