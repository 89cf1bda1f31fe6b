/* item_thread_look.c - what all mails below a node tell, for all nodes at once
 * A thread may be one long chain of reports: nothing here goes down it again
 * for each of them. */
#include <string.h>

#include "mail/words.h"

#include "db/items_priv.h"

static gboolean is_person(const struct thread_node *n)
{
	return !n->ghost && n->kind != KIND_REPORT && n->kind != KIND_NOTICE &&
	       n->from_address;
}

static void add_person(struct item_below *b, const char *address)
{
	if (b->person && g_ascii_strcasecmp(b->person, address) != 0)
		b->several = TRUE;
	b->person = address;
}

/* Of equal dates the one that is shown later. */
static void add_last(struct item_below *b, const GPtrArray *nodes, int index)
{
	const struct thread_node *new = nodes->pdata[index];
	const struct thread_node *old =
		b->last < 0 ? NULL : nodes->pdata[b->last];

	if (!old || new->date > old->date ||
	    (new->date == old->date &&index > b->last))
		b->last = index;
}

static void add_below(struct item_below *up, const struct item_below *b,
		      const GPtrArray *nodes)
{
	up->newest = MAX(up->newest, b->newest);
	up->several = up->several || b->several;
	if (b->person)
		add_person(up, b->person);
	if (b->last >= 0)
		add_last(up, nodes, b->last);
}

/* From the end: what is below a node is ready before the node is. */
static void look(struct item_thread *t)
{
	const GPtrArray *nodes = t->t->nodes;

	t->below = g_new0(struct item_below, nodes->len);
	for (guint n = 0; n < nodes->len; n++)
		t->below[n].last = -1;
	for (int n = (int)nodes->len - 1; n >= 0; n--) {
		const struct thread_node *node = nodes->pdata[n];
		struct item_below *b = &t->below[n], *up;

		if (!g_hash_table_contains(t->quiet, &node->id))
			b->newest = MAX(b->newest, node->date);
		if (node->parent < 0)
			continue;
		up = &t->below[node->parent];
		add_below(up, b, nodes);
		if (!is_person(node))
			continue;
		add_person(up, node->from_address);
		add_last(up, nodes, n);
	}
}

const struct item_below *item_thread_below(struct item_thread *t, int index)
{
	if (!t->below)
		look(t);
	return &t->below[index];
}

static void take_word(struct item_thread *t, gint64 id, gint64 kind)
{
	int at = item_thread_index(t, id);
	const struct thread_node *node = at < 0 ? NULL : t->t->nodes->pdata[at];

	if (!node)
		return;
	if (kind == WORD_QUESTION)
		g_hash_table_add(t->questions, (gpointer)node);
	else if (!t->wanted || node->date > t->wanted->date ||
		 (node->date == t->wanted->date &&
		  strcmp(node->mid, t->wanted->mid) > 0))
		t->wanted = node;
}

gboolean item_thread_words(struct item_cache *c, struct item_thread *t,
			   GError **err)
{
	static const char sql[] =
		"SELECT w.node, w.kind FROM node n JOIN word w ON w.node = n.id"
		" WHERE n.tid = ?1 AND w.kind IN (?2, ?3) LIMIT ?4";
	g_autoptr(GHashTable) questions = g_hash_table_new(NULL, NULL);
	g_autoptr(db_rows) rows = NULL;
	int rc;

	if (t->questions)
		return TRUE;
	rows = db_query(c->st->state, err, sql, INT(t->tid), INT(WORD_QUESTION),
			INT(WORD_CHANGES_REQUESTED), INT(ITEM_KEPT_NODES));
	t->questions = g_hash_table_ref(questions);
	while ((rc = db_next(rows, err)) > 0)
		take_word(t, db_int(rows, 0), db_int(rows, 1));
	if (rc < 0)
		g_clear_pointer(&t->questions, g_hash_table_unref);
	return rc == 0;
}
