/* item_words.c - what people say will come, and what they say is meant so
 * A new version, or a fix, that its author promises; a change that the author
 * of the culprit calls intended. Facts for who must act next, no states. */
#include <string.h>

#include "mail/words.h"

#include "db/items_priv.h"

/* One sentence in its thread. */
struct uttered {
	int at;	   /* index of its mail */
	int about; /* the nearest patch or cover above; -1 */
	enum verdict_word_kind kind;
	gint64 date;
	int seq;
	char *mid, *name, *address, *by, *text; /* shared strings */
};

static void uttered_clear(void *data)
{
	struct uttered *u = data;

	item_ref_drop(u->mid);
	item_ref_drop(u->name);
	item_ref_drop(u->address);
	item_ref_drop(u->by);
	item_ref_drop(u->text);
}

static void read_one(struct item_thread *t, db_rows *rows)
{
	int at = item_thread_index(t, db_int(rows, 0));
	struct uttered u = {.at = at, .about = at < 0 ? -1 : t->above[at]};

	if (at < 0)
		return;
	u.date = db_int(rows, 1);
	u.kind = (enum verdict_word_kind)db_int(rows, 2);
	u.mid = item_ref_column(rows, 3);
	u.name = item_ref_column(rows, 4);
	u.address = item_ref_column(rows, 5);
	u.text = item_ref_column(rows, 6);
	u.seq = (int)db_int(rows, 7);
	u.by = item_ref_person(u.name, u.address);
	g_array_append_val(t->uttered, u);
}

static int compare_uttered(gconstpointer a, gconstpointer b)
{
	const struct uttered *x = a, *y = b;

	return x->at != y->at ? (x->at > y->at) - (x->at < y->at)
			      : (x->seq > y->seq) - (x->seq < y->seq);
}

/* The first of a mail at or behind index `at`. */
static guint first_from(const GArray *uttered, int at)
{
	guint low = 0, high = uttered->len;

	while (low < high) {
		guint mid = low + (high - low) / 2;

		if (g_array_index(uttered, struct uttered, mid).at < at)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

static gboolean read_words(struct item_cache *c, struct item_thread *t,
			   GError **err)
{
	static const char sql[] =
		"SELECT w.node, n.date, w.kind, n.mid, p.name, p.written,"
		" w.text, w.seq FROM node n JOIN word w ON w.node = n.id"
		" JOIN message m ON m.node = n.id"
		" JOIN person p ON p.id = m.person"
		" WHERE n.tid = ?1 AND n.date NOTNULL AND w.kind IN (?2, ?3)"
		" ORDER BY n.date, n.mid, w.seq LIMIT ?4";
	g_autoptr(db_rows) rows = NULL;
	int rc;

	if (t->uttered)
		return TRUE;
	rows = db_query(c->st->state, err, sql, INT(t->tid), INT(WORD_PROMISED),
			INT(WORD_INTENDED), INT(ITEM_MAX_LOOKS));
	t->uttered = g_array_new(FALSE, FALSE, sizeof(struct uttered));
	g_array_set_clear_func(t->uttered, uttered_clear);
	while ((rc = db_next(rows, err)) > 0)
		read_one(t, rows);
	g_array_sort(t->uttered, compare_uttered);
	return rc == 0;
}

static void add_note(struct item_facts *f, const struct uttered *u,
		     const char *type, GArray *notes)
{
	struct item_note note = {.type = type,
				 .time = u->date,
				 .by = item_ref_again(u->by),
				 .name = item_ref_again(u->name),
				 .address = item_ref_again(u->address),
				 .mid = item_ref_again(u->mid),
				 .text = item_ref_again(u->text),
				 .seq = u->seq};

	g_ptr_array_add(f->kept, note.by);
	g_ptr_array_add(f->kept, note.name);
	g_ptr_array_add(f->kept, note.address);
	g_ptr_array_add(f->kept, note.mid);
	g_ptr_array_add(f->kept, note.text);
	g_array_append_val(notes, note);
}

static gboolean is_by(const struct uttered *u, const char *name,
		      const char *address)
{
	const struct address who = {u->name, u->address};
	const struct address other = {(char *)(name ? name : ""),
				      (char *)(address ? address : "")};

	return address_same_person(&who, &other);
}

/* ---- below the report */

static gboolean is_author(const struct item *i, const struct uttered *u)
{
	g_autoptr(address_auto) who =
		i->author ? address_parse_person(i->author, NULL) : NULL;

	return who && is_by(u, who->name, who->address);
}

gboolean item_words_of_report(struct item_cache *c, struct item_facts *f,
			      struct item_thread *t, GArray *notes,
			      GError **err)
{
	const struct item *i = f->item;
	int at = t ? item_thread_index(t, f->node) : -1;

	if (at < 0)
		return TRUE;
	if (!read_words(c, t, err))
		return FALSE;
	for (guint n = first_from(t->uttered, at + 1); n < t->uttered->len;
	     n++) {
		const struct uttered *u =
			&g_array_index(t->uttered, struct uttered, n);

		if (u->at >= t->end[at])
			break;
		if (u->date < i->reported ||
		    is_by(u, i->reporter_name, i->reporter_address))
			continue;
		if (u->kind == WORD_PROMISED)
			add_note(f, u, "version-promised", notes);
		else if (is_author(i, u))
			add_note(f, u, "intended", notes);
	}
	return TRUE;
}

/* ---- of a patch that repairs it */

gboolean item_words_of_patch(struct item_cache *c, struct item_facts *f,
			     const struct item_patch *p, GArray *notes,
			     GError **err)
{
	struct item_thread *t = item_thread_get(c, p->tid, p->mid, err);
	int at;

	if (!t || !read_words(c, t, err))
		return FALSE;
	at = item_thread_index(t, p->node);
	for (guint n = 0; at >= 0 && n < t->uttered->len; n++) {
		const struct uttered *u =
			&g_array_index(t->uttered, struct uttered, n);

		if (u->kind == WORD_PROMISED && u->date >= p->date &&
		    u->date >= f->item->reported && u->about >= 0 &&
		    item_thread_covers(t, u->about, at) &&
		    is_by(u, p->author_name, p->author_address))
			add_note(f, u, "version-promised", notes);
	}
	return TRUE;
}
