/* derive.c - the rows that follow from one reading of a message
 * A pure function of the reading, apart from ids of names. What a patch
 * says is in derive_patch.c. */
#include "db/derive.h"

#include <string.h>

#include "db/db_priv.h"

#define HEAD_MAX 48 /* longer parts of a URL don't repeat: kept whole */
#define TAIL_MAX 16

gboolean derive_node(store *st, gint64 node, gint64 raw,
		     const struct reading *r, GError **err)
{
	gint64 date = message_date(r->msg);

	return db_run(st->state, err,
		      "UPDATE node SET raw = ?, date = ?, parent = "
		      "(SELECT id FROM node WHERE mid = ?), marc = ? "
		      "WHERE id = ?",
		      INT(raw), INT(date ? date : DB_NULL),
		      TEXT(message_parent(r->msg)),
		      TEXT(message_parent_marc(r->msg)), INT(node));
}

/* "-0130" as -130. */
static gint64 zone_number(const char *zone)
{
	return zone ? g_ascii_strtoll(zone, NULL, 10) : DB_NULL;
}

static gboolean derive_message(store *st, gint64 node, const struct reading *r,
			       gint64 copies, GError **err)
{
	gint64 person = intern_person(st, message_from(r->msg), err);

	return person > 0 &&
	       db_run(st->state, err,
		      "INSERT INTO message (node, kind, copies, person, zone, "
		      "rerun, subject) VALUES (?, ?, ?, ?, ?, ?, ?)",
		      INT(node), INT(r->kind), INT(copies), INT(person),
		      INT(zone_number(message_date_zone(r->msg))),
		      INT(r->rerun), TEXT(message_subject(r->msg))) &&
	       db_run(st->state, err, "INSERT INTO change (node) VALUES (?)",
		      INT(node));
}

static gboolean is_name_and_address(const struct trailer *t)
{
	const char *name = t->who->name, *v = t->value;
	gsize n = strlen(name), a = strlen(t->who->address);

	if (n) {
		if (strncmp(v, name, n) != 0 || v[n] != ' ')
			return FALSE;
		v += n + 1;
	}
	return v[0] == '<' && strncmp(v + 1, t->who->address, a) == 0 &&
	       v[a + 1] == '>' && !v[a + 2];
}

static gboolean derive_trailers(store *st, gint64 node, const struct reading *r,
				GError **err)
{
	const struct trailer *t;
	gint64 key, person;
	guint i;

	for (i = 0; i < r->trailers->len; i++) {
		t = r->trailers->pdata[i];
		key = intern_text(st, INTERN_STRING, t->key, err);
		person = t->who ? intern_person(st, t->who, err) : DB_NULL;
		if (key < 0 || person == -1 ||
		    !db_run(st->state, err,
			    "INSERT INTO trailer (node, seq, key, person, "
			    "place, relayed, counts, note, value) "
			    "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
			    INT(node), INT(i), INT(key), INT(person),
			    INT(t->where), INT(t->relayed), INT(t->counts),
			    TEXT(t->note),
			    TEXT(t->who && is_name_and_address(t) ? NULL
								  : t->value)))
			return FALSE;
	}
	return TRUE;
}

/* Where the id stands in the URL as it is; NULL: not, or oddly. */
static const char *id_in_url(const struct link *l)
{
	const char *at = l->message_id ? strstr(l->url, l->message_id) : NULL;

	if (!at || at - l->url > HEAD_MAX ||
	    strlen(at) - strlen(l->message_id) > TAIL_MAX)
		return NULL;
	return at;
}

static gboolean derive_link(store *st, gint64 node, gint64 seq,
			    const struct link *l, GError **err)
{
	const char *at = id_in_url(l);
	gint64 head = DB_NULL, tail = DB_NULL;

	if (at) {
		g_autofree char *start = g_strndup(l->url, at - l->url);

		head = intern_text(st, INTERN_STRING, start, err);
		tail = intern_text(st, INTERN_STRING,
				   at + strlen(l->message_id), err);
		if (head < 0 || tail < 0)
			return FALSE;
	}
	return db_run(st->state, err,
		      "INSERT INTO link (node, seq, role, mid, head, tail, "
		      "url) VALUES (?, ?, ?, ?, ?, ?, ?)",
		      INT(node), INT(seq), INT(l->role), TEXT(l->message_id),
		      INT(head), INT(tail), TEXT(at ? NULL : l->url));
}

static gboolean derive_links(store *st, gint64 node, const struct reading *r,
			     GError **err)
{
	const struct commit_ref *c;
	guint i;

	for (i = 0; i < r->links->len; i++)
		if (!derive_link(st, node, i, r->links->pdata[i], err))
			return FALSE;
	for (i = 0; i < r->commits->len; i++) {
		c = r->commits->pdata[i];
		if (!db_run(st->state, err,
			    "INSERT INTO commit_ref (node, seq, role, id, "
			    "subject) VALUES (?, ?, ?, ?, ?)",
			    INT(node), INT(i), INT(c->role), TEXT(c->id),
			    TEXT(c->subject)))
			return FALSE;
	}
	return TRUE;
}

static gboolean derive_warnings(store *st, gint64 node, const struct reading *r,
				GError **err)
{
	const struct warning *w;
	guint i;

	for (i = 0; i < r->warnings->len; i++) {
		w = r->warnings->pdata[i];
		if (!db_run(st->state, err,
			    "INSERT INTO warning (node, seq, code, text) "
			    "VALUES (?, ?, ?, ?)",
			    INT(node), INT(i), TEXT(w->code), TEXT(w->text)))
			return FALSE;
	}
	return TRUE;
}

static gboolean derive_pull(store *st, gint64 node, const struct pull *p,
			    GError **err)
{
	return !p ||
	       db_run(st->state, err,
		      "INSERT INTO pull (node, url, ref, base, commits) "
		      "VALUES (?, ?, ?, ?, ?)",
		      INT(node), TEXT(p->url), TEXT(p->ref), TEXT(p->base),
		      INT(p->commits < 0 ? DB_NULL : p->commits));
}

char *derive_lines(const GPtrArray *strings)
{
	GString *text;
	guint i;

	if (!strings || !strings->len)
		return NULL;
	text = g_string_new(strings->pdata[0]);
	for (i = 1; i < strings->len; i++) {
		g_string_append_c(text, '\n');
		g_string_append(text, strings->pdata[i]);
	}
	return g_string_free(text, FALSE);
}

gboolean derive_rows(store *st, gint64 node, const struct reading *r,
		     gint64 copies, GError **err)
{
	return derive_message(st, node, r, copies, err) &&
	       derive_trailers(st, node, r, err) &&
	       derive_links(st, node, r, err) &&
	       derive_patch(st, node, r, err) &&
	       derive_pull(st, node, r->pull, err) &&
	       derive_report(st, node, r->report, err) &&
	       derive_measures(st, node, r, err) &&
	       derive_applied(st, node, r->applied, err) &&
	       derive_commands(st, node, r, err) &&
	       derive_warnings(st, node, r, err);
}

gboolean derive_forget(store *st, gint64 node, GError **err)
{
	static const char *const deletes[] = {
		"DELETE FROM message WHERE node = ?",
		"DELETE FROM trailer WHERE node = ?",
		"DELETE FROM link WHERE node = ?",
		"DELETE FROM commit_ref WHERE node = ?",
		"DELETE FROM patch WHERE node = ?",
		"DELETE FROM patch_file WHERE node = ?",
		"DELETE FROM pull WHERE node = ?",
		"DELETE FROM report WHERE node = ?",
		"DELETE FROM measure WHERE node = ?",
		"DELETE FROM measure_column WHERE node = ?",
		"DELETE FROM measure_row WHERE node = ?",
		"DELETE FROM measure_cell WHERE node = ?",
		"DELETE FROM measure_problem WHERE node = ?",
		"DELETE FROM sample WHERE node = ?",
		"DELETE FROM word WHERE node = ?",
		"DELETE FROM applied WHERE node = ?",
		"DELETE FROM applied_item WHERE node = ?",
		"DELETE FROM applied_commit WHERE node = ?",
		"DELETE FROM command WHERE node = ?",
		"DELETE FROM warning WHERE node = ?",
		"INSERT INTO change (node) VALUES (?)",
	};
	guint i;

	for (i = 0; i < G_N_ELEMENTS(deletes); i++)
		if (!db_run(st->state, err, deletes[i], INT(node)))
			return FALSE;
	return TRUE;
}
