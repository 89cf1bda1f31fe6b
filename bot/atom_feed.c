/* atom_feed.c - the entries of an Atom feed */
#include "bot/atom_feed.h"

#include "mail/date.h"

#include "bot/net.h"

struct reader {
	GPtrArray *out;
	struct atom_entry *entry; /* that is open; owned by `out` */
	guint depth;
	gboolean is_feed, in_updated;
};

static void entry_free(gpointer data)
{
	struct atom_entry *e = data;

	g_free(e->link);
	g_free(e);
}

static void open_entry(struct reader *r)
{
	if (r->out->len >= ATOM_FEED_MAX)
		return;
	r->entry = g_new0(struct atom_entry, 1);
	g_ptr_array_add(r->out, r->entry);
}

static void take_link(struct reader *r, const char **names, const char **values)
{
	for (guint i = 0; names[i]; i++)
		if (g_str_equal(names[i], "href") && !r->entry->link)
			r->entry->link = g_strdup(values[i]);
}

static void on_start(GMarkupParseContext *c, const char *name,
		     const char **names, const char **values, gpointer data,
		     GError **err)
{
	struct reader *r = data;

	r->depth++;
	r->in_updated = FALSE;
	if (r->depth == 1)
		r->is_feed = g_str_equal(name, "feed");
	else if (r->depth == 2 && g_str_equal(name, "entry"))
		open_entry(r);
	else if (r->depth == 3 && r->entry && g_str_equal(name, "updated"))
		r->in_updated = TRUE;
	else if (r->depth == 3 && r->entry && g_str_equal(name, "link"))
		take_link(r, names, values);
}

static void on_end(GMarkupParseContext *c, const char *name, gpointer data,
		   GError **err)
{
	struct reader *r = data;

	if (r->depth == 2)
		r->entry = NULL;
	r->depth--;
	r->in_updated = FALSE;
}

static void on_text(GMarkupParseContext *c, const char *text, gsize len,
		    gpointer data, GError **err)
{
	struct reader *r = data;
	g_autofree char *date = r->in_updated ? g_strndup(text, len) : NULL;

	if (date)
		date_from_rfc3339(g_strstrip(date), &r->entry->updated);
}

GPtrArray *atom_feed_parse(const char *text, gsize len, const char *name,
			   GError **err)
{
	static const GMarkupParser parser = {
		.start_element = on_start,
		.end_element = on_end,
		.text = on_text,
	};
	g_autoptr(GPtrArray) out = g_ptr_array_new_with_free_func(entry_free);
	struct reader r = {.out = out};
	GMarkupParseContext *c =
		g_markup_parse_context_new(&parser, 0, &r, NULL);
	gboolean ok =
		g_markup_parse_context_parse(c, text, (gssize)len, NULL) &&
		g_markup_parse_context_end_parse(c, NULL) && r.is_feed;

	g_markup_parse_context_free(c);
	for (guint i = out->len; i-- > 0;)
		if (!((struct atom_entry *)out->pdata[i])->link)
			g_ptr_array_remove_index(out, i);
	if (ok)
		return g_steal_pointer(&out);
	g_set_error(err, NET_ERROR, NET_ERROR_REPLY,
		    "%s: is no feed, or not whole", name);
	return NULL;
}
