/* page_thread.c - all mails of a thread that belongs to an item */
#include <string.h>

#include "bot/page_priv.h"

static json_t *mail_parent(const struct thread *t, const struct thread_node *n)
{
	const struct thread_node *up =
		n->parent >= 0 ? t->nodes->pdata[n->parent] : NULL;
	g_autofree char *anchor = NULL;
	json_t *o;

	if (!up || up->ghost)
		return json_null();
	anchor = page_anchor(up->mid);
	o = json_object();
	tree_set(o, "anchor", tree_text(anchor));
	tree_set(o, "from",
		 tree_text(page_name(up->from_name, up->from_address)));
	return o;
}

static void set_text(json_t *o, const struct reading *r)
{
	g_autofree char *text = NULL;
	guint cut = 0;

	tree_set(o, "missing",
		 r ? json_null()
		   : json_string("The text of this mail is gone from where it "
				 "was kept."));
	tree_set(o, "parts", r ? page_parts(r->body, &cut) : json_array());
	if (cut)
		text = g_strdup_printf("%u more lines: see the archive.", cut);
	tree_set(o, "cut", tree_text(text));
}

static gboolean add_mail(const struct site *s, const struct thread *t,
			 const struct thread_node *n, json_t *mails,
			 GError **err)
{
	GError *error = NULL;
	g_autoptr(reading_auto) r = page_reading(s, n->mid, &error);
	g_autofree char *anchor = page_anchor(n->mid);
	g_autofree char *lore = page_lore(n->mid);
	g_autofree char *from = NULL;
	json_t *o;

	if (error) {
		g_propagate_error(err, error);
		return FALSE;
	}
	from = *n->from_name ? g_strdup_printf("%s <%s>", n->from_name,
					       n->from_address)
			     : g_strdup(page_name(NULL, n->from_address));
	o = json_object();
	tree_set(o, "anchor", tree_text(anchor));
	tree_set(o, "lore", tree_text(lore));
	tree_set(o, "subject", tree_text(n->subject));
	tree_set(o, "from", tree_text(from));
	tree_set(o, "date", tree_time(n->date));
	tree_set(o, "parent", mail_parent(t, n));
	set_text(o, r);
	json_array_append_new(mails, o);
	return TRUE;
}

static json_t *items_of(GPtrArray *items)
{
	json_t *rows = json_array();

	for (guint n = 0; n < items->len; n++)
		json_array_append_new(rows, item_row(items->pdata[n]));
	return rows;
}

static char *title_of(const struct thread *t)
{
	for (guint n = 0; n < t->nodes->len; n++) {
		const struct thread_node *node = t->nodes->pdata[n];

		if (!node->ghost && *node->subject)
			return g_strdup(node->subject);
	}
	return g_strdup("(no subject)");
}

gboolean page_write_thread(const struct site *s, const struct thread *t,
			   GPtrArray *items, GError **err)
{
	g_autofree char *path = page_thread_path(t->root);
	g_autofree char *title = title_of(t);
	g_autofree char *answer =
		g_strdup_printf("A thread of %u mail%s.", t->count,
				t->count == 1 ? "" : "s");
	g_autofree char *rest = NULL;
	json_t *o = page_new(s, title, 3), *mails = json_array();
	guint shown = 0;

	tree_set(o, "mails", mails);
	for (guint n = 0; n < t->nodes->len && shown < PAGE_MAILS; n++) {
		const struct thread_node *node = t->nodes->pdata[n];

		if (node->ghost)
			continue;
		if (!add_mail(s, t, node, mails, err)) {
			json_decref(o);
			return FALSE;
		}
		shown++;
	}
	if (shown < t->count)
		rest = g_strdup_printf("%u more mails: see the archive.",
				       t->count - shown);
	tree_set(o, "answer", tree_text(answer));
	tree_set(o, "items", items_of(items));
	tree_set(o, "tree", page_overview(t, "", NULL, PAGE_TREE));
	tree_set(o, "rest", tree_text(rest));
	return page_write(s, "thread.html", path, o, err);
}
