/* page_list.c - the first page, and the lists of open and of all items
 * Pages of a list are numbered from the oldest item, so that a new one changes
 * the newest page alone. */
#include <string.h>

#include "bot/page_priv.h"

#define INDEX_ROWS 20

static const struct group {
	const char *state, *title, *caption;
} groups[] = {
	{"fix-tested", "Fix tested",
	 "Somebody tested a patch; it waits to be applied."},
	{"rerun-failed", "Rerun failed",
	 "A fix was measured, and the change is still there."},
	{"fix-posted", "Fix posted",
	 "A patch was posted; no test of it is known."},
	{"bisected", "No fix known",
	 "The commit is known; no patch names it or answers the report."},
	{"reported", "Commit unknown", "Reported without a commit."},
	{"applied", "Applied",
	 "A fix is in a tree, but not where it is needed yet."},
};

static const char better[] = "Changes for the better, for the record.";
static const char closed[] = "Fixed, resolved, or the same as another one.";

static GPtrArray *select_closed(GPtrArray *items, gboolean improvements)
{
	GPtrArray *found = g_ptr_array_new();

	for (guint n = 0; n < items->len; n++) {
		struct item *i = items->pdata[n];

		if (!i->open &&
		    improvements == (i->direction == REPORT_IMPROVEMENT))
			g_ptr_array_add(found, i);
	}
	return found;
}

static GPtrArray *select_items(GPtrArray *items, const char *state,
			       gboolean open)
{
	GPtrArray *found = g_ptr_array_new();

	for (guint n = 0; n < items->len; n++) {
		struct item *i = items->pdata[n];

		if (i->open == open && (!state || !strcmp(i->state, state)))
			g_ptr_array_add(found, i);
	}
	return found;
}

static const char *plural(guint n, const char *one, const char *many)
{
	return n == 1 ? one : many;
}

/* ---- index.html */

static void add_count(json_t *counts, guint count, const char *name)
{
	json_array_append_new(counts, json_pack("{s:i, s:s}", "count",
						(int)count, "name", name));
}

static json_t *more(guint left, const char *href, const char *what)
{
	g_autofree char *text = g_strdup_printf("%u more %s", left, what);

	return left ? json_pack("{s:s, s:s}", "href", href, "text", text)
		    : json_null();
}

static char *index_answer(GPtrArray *open, GPtrArray *bare)
{
	if (!open->len)
		return g_strdup("No open regression is known");
	if (!bare->len)
		return g_strdup_printf("%u open %s, %s", open->len,
				       plural(open->len, "regression",
					      "regressions"),
				       plural(open->len, "with a fix posted",
					      "each with a fix posted"));
	if (bare->len == open->len)
		return g_strdup_printf("%u open %s, %s", open->len,
				       plural(open->len, "regression",
					      "regressions"),
				       plural(open->len, "without a known fix",
					      "none with a known fix"));
	return g_strdup_printf("%u open %s, %u without a known fix", open->len,
			       plural(open->len, "regression", "regressions"),
			       bare->len);
}

static void add_section(json_t *sections, const char *title,
			const char *caption, GPtrArray *items, const char *href,
			const char *what)
{
	json_t *table;

	if (!items->len)
		return;
	table = item_table(title, caption, items, INDEX_ROWS);
	tree_set(table, "more",
		 more(items->len > INDEX_ROWS ? items->len - INDEX_ROWS : 0,
		      href, what));
	json_array_append_new(sections, table);
}

static gboolean write_index(const struct site *s, GError **err)
{
	g_autoptr(GPtrArray) open = select_items(s->items, NULL, TRUE);
	g_autoptr(GPtrArray) rest = select_closed(s->items, TRUE);
	g_autoptr(GPtrArray) done = select_closed(s->items, FALSE);
	g_autoptr(GPtrArray) applied = select_items(s->items, "applied", TRUE);
	g_autoptr(GPtrArray) bare = select_items(s->items, "bisected", TRUE);
	g_autoptr(GPtrArray) unknown = select_items(s->items, "reported", TRUE);
	g_autoptr(GPtrArray) posted =
		select_items(s->items, "fix-posted", TRUE);
	g_autoptr(GPtrArray) failed =
		select_items(s->items, "rerun-failed", TRUE);
	g_autoptr(GPtrArray) tested =
		select_items(s->items, "fix-tested", TRUE);
	g_autofree char *answer = NULL;
	json_t *o = page_new(s, "Regressions", 0);
	json_t *counts = json_array(), *sections = json_array();

	for (guint n = 0; n < unknown->len; n++)
		g_ptr_array_add(bare, unknown->pdata[n]);
	answer = index_answer(open, bare);
	add_count(counts, bare->len, "without a known fix");
	add_count(counts, posted->len, "with a fix posted");
	if (failed->len)
		add_count(counts, failed->len, "with a fix that failed");
	add_count(counts, tested->len, "with a fix tested");
	if (applied->len)
		add_count(counts, applied->len, "with a fix applied");
	add_count(counts, rest->len,
		  plural(rest->len, "improvement", "improvements"));
	add_section(sections, "Fix tested", groups[0].caption, tested,
		    "open/index.html", "with a tested fix");
	add_section(sections, "Rerun failed", groups[1].caption, failed,
		    "open/index.html", "with a failed fix");
	add_section(sections, "Fix posted", groups[2].caption, posted,
		    "open/index.html", "with a posted fix");
	add_section(sections, "No fix known", groups[3].caption, bare,
		    "open/index.html", "without a known fix");
	add_section(sections, "Applied", groups[5].caption, applied,
		    "open/index.html", "with a fix that is applied");
	add_section(sections, "Improvements", better, rest, "all/index.html",
		    "improvements");
	add_section(sections, "Closed", closed, done, "all/index.html",
		    "that are closed");
	tree_set(o, "answer", tree_text(answer));
	tree_set(o, "has_items", json_boolean(s->items->len > 0));
	tree_set(o, "counts", counts);
	tree_set(o, "sections", sections);
	return page_write(s, "index.html", "index.html", o, err);
}

/* ---- lists over several pages */

static int compare_age(gconstpointer a, gconstpointer b)
{
	const struct item *x = *(struct item *const *)a;
	const struct item *y = *(struct item *const *)b;

	if (x->reported != y->reported)
		return x->reported < y->reported ? -1 : 1;
	return strcmp(x->id, y->id);
}

/* "index.html" is the newest page; the others are p1, p2 ... */
static char *page_file(guint page, guint pages)
{
	return page == pages ? g_strdup("index.html")
			     : g_strdup_printf("p%u.html", page);
}

static json_t *page_links(guint page, guint pages)
{
	json_t *links;

	if (pages < 2)
		return json_null();
	links = json_array();
	for (guint n = pages; n > 0; n--) {
		g_autofree char *href = n == page ? NULL : page_file(n, pages);
		g_autofree char *text = g_strdup_printf("%u", n);

		json_array_append_new(links, json_pack("{s:s?, s:s}", "href",
						       href, "text", text));
	}
	return json_pack("{s:o}", "links", links);
}

static int compare_activity(gconstpointer a, gconstpointer b)
{
	const struct item *x = *(struct item *const *)a;
	const struct item *y = *(struct item *const *)b;

	if (x->last_activity != y->last_activity)
		return x->last_activity > y->last_activity ? -1 : 1;
	return strcmp(x->id, y->id);
}

static json_t *group_by_state(GPtrArray *items)
{
	json_t *sections = json_array();
	g_autoptr(GPtrArray) rest = select_closed(items, TRUE);
	g_autoptr(GPtrArray) done = select_closed(items, FALSE);

	for (guint n = 0; n < G_N_ELEMENTS(groups); n++) {
		g_autoptr(GPtrArray) some =
			select_items(items, groups[n].state, TRUE);

		if (some->len)
			json_array_append_new(sections,
					      item_table(groups[n].title,
							 groups[n].caption,
							 some, PAGE_ROWS));
	}
	if (rest->len)
		json_array_append_new(sections,
				      item_table("Improvements", better, rest,
						 PAGE_ROWS));
	if (done->len)
		json_array_append_new(sections, item_table("Closed", closed,
							   done, PAGE_ROWS));
	return sections;
}

static gboolean write_page(const struct site *s, const char *folder,
			   const char *title, const char *answer,
			   GPtrArray *by_age, guint page, guint pages,
			   GError **err)
{
	g_autofree char *file = page_file(page, pages);
	g_autofree char *path = g_strdup_printf("%s/%s", folder, file);
	g_autoptr(GPtrArray) items = g_ptr_array_new();
	json_t *o = page_new(s, title, 1);

	for (guint n = (page - 1) * PAGE_ROWS;
	     n < page * PAGE_ROWS && n < by_age->len; n++)
		g_ptr_array_add(items, by_age->pdata[n]);
	g_ptr_array_sort(items, compare_activity);
	tree_set(o, "answer", tree_text(answer));
	tree_set(o, "pages", page_links(page, pages));
	tree_set(o, "sections", group_by_state(items));
	return page_write(s, "list.html", path, o, err);
}

static gboolean write_list(const struct site *s, const char *folder,
			   const char *title, const char *answer,
			   GPtrArray *by_age, GError **err)
{
	guint pages = MAX(1, (by_age->len + PAGE_ROWS - 1) / PAGE_ROWS);

	g_ptr_array_sort(by_age, compare_age);
	for (guint page = 1; page <= pages; page++)
		if (!write_page(s, folder, title, answer, by_age, page, pages,
				err))
			return FALSE;
	return TRUE;
}

gboolean page_write_lists(const struct site *s, GError **err)
{
	g_autoptr(GPtrArray) open = select_items(s->items, NULL, TRUE);
	g_autoptr(GPtrArray) all = g_ptr_array_new();
	g_autofree char *open_answer = g_strdup_printf(
		"%u %s without an end yet, by how far a fix is.", open->len,
		plural(open->len, "regression", "regressions"));
	g_autofree char *all_answer = g_strdup_printf(
		"%u %s of the kernel test robot about performance.",
		s->items->len, plural(s->items->len, "report", "reports"));

	for (guint n = 0; n < s->items->len; n++)
		g_ptr_array_add(all, s->items->pdata[n]);
	return write_list(s, "open", "Open regressions", open_answer, open,
			  err) &&
	       write_list(s, "all", "All reports", all_answer, all, err) &&
	       write_index(s, err);
}
