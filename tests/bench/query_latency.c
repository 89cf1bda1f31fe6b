/* query_latency.c - how long single questions take inside one process
 * Usage: query_latency DATABASE. Prints median, 99th percentile and maximum
 * of processor time for the thread of every n-th message (loaded, with its
 * series, as JSON), for every tracked item, for every tagged commit of the git
 * trees, and for the open items: of a store just opened, and again and again
 * while the clock goes on. */
#include <glib.h>
#include <jansson.h>
#include <string.h>
#include <time.h>

#include "db/commits.h"
#include "db/items.h"
#include "db/measures.h"
#include "db/patches.h"
#include "db/problems.h"
#include "db/store.h"
#include "db/thread.h"

#include "bot/commit_facts.h"
#include "bot/item_match.h"
#include "bot/view.h"

#define SAMPLES 2000
#define FRESH	20
#define AGAIN	1000
#define NOW	1700000000 /* 2023-11-14 */

/* Microseconds that this process has used so far. */
static gint64 used(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (gint64)t.tv_sec * G_USEC_PER_SEC + t.tv_nsec / 1000;
}

static int by_value(const void *a, const void *b)
{
	gint64 x = *(const gint64 *)a, y = *(const gint64 *)b;

	return (x > y) - (x < y);
}

static void print_figures(const char *name, GArray *times)
{
	const gint64 *t = (const gint64 *)times->data;

	if (!times->len)
		return;
	g_array_sort(times, by_value);
	g_print("%-24s median %6.2f ms, p99 %6.2f ms, max %6.2f ms (%u)\n",
		name, t[times->len / 2] / 1e3, t[times->len * 99 / 100] / 1e3,
		t[times->len - 1] / 1e3, times->len);
}

static void ask_thread(store *st, const char *mid)
{
	g_autoptr(thread_auto) t = thread_load(st, mid, NULL);
	g_autoptr(series_set_auto) set = series_load(st, mid, NULL);
	json_t *tree = t ? view_thread(t, set) : NULL;
	g_autofree char *text = tree ? view_dump(tree) : NULL;

	if (!text)
		g_error("%s: no thread", mid);
	json_decref(tree);
}

static void ask_item(store *st, const char *id)
{
	gboolean many;
	g_autoptr(item_auto) i = item_find(st, id, &many, NULL);
	g_autoptr(measures_auto) m = i ? measures_load(st, i->mid, NULL) : NULL;
	json_t *tree = m ? view_item(i, m->tables, NULL) : NULL;
	g_autofree char *text = tree ? view_dump(tree) : NULL;

	if (!text)
		g_error("%s: no item", id);
	json_decref(tree);
}

static void ask_commit(store *st, const char *id)
{
	g_autoptr(GError) err = NULL;
	struct commit *c = commit_find(st, id, NULL, NULL, &err);
	g_autoptr(commit_facts_auto) f =
		c ? commit_facts_load(st, c, id, &err) : NULL;
	json_t *tree = f ? view_commit(f) : NULL;
	g_autofree char *text = tree ? view_dump(tree) : NULL;

	if (!text)
		g_error("%s: no commit", id);
	json_decref(tree);
}

static void ask_status(store *st, gint64 now)
{
	g_autoptr(GError) err = NULL;
	g_autoptr(GPtrArray) all = NULL;
	g_autoptr(GPtrArray) open = NULL;
	g_autoptr(GString) text = g_string_new(NULL);

	items_configure(st, 0, now);
	all = items_load(st, &err);
	open = all ? items_matching(st, all, "is:open", now, NULL, &err) : NULL;
	if (!open)
		g_error("no list of items");
	view_items_append(text, open, NULL);
}

/* One column of every n-th line of a dump, at most SAMPLES. */
static GPtrArray *sample(const char *dump, guint column)
{
	g_auto(GStrv) lines = g_strsplit(dump, "\n", -1);
	GPtrArray *keys = g_ptr_array_new_with_free_func(g_free);
	guint n = g_strv_length(lines), step = MAX(1, n / SAMPLES);

	for (guint i = 0; i < n; i += step) {
		g_auto(GStrv) words = g_strsplit(lines[i], "\t", -1);

		if (g_strv_length(words) > column)
			g_ptr_array_add(keys, g_strdup(words[column]));
	}
	return keys;
}

static void measure(store *st, const char *name, const char *dump, guint column,
		    void (*ask)(store *, const char *))
{
	g_autoptr(GPtrArray) keys = sample(dump, column);
	g_autoptr(GArray) times = g_array_new(FALSE, FALSE, sizeof(gint64));

	for (guint i = 0; i < keys->len; i++) {
		gint64 start = used(), took;

		ask(st, keys->pdata[i]);
		took = used() - start;
		g_array_append_val(times, took);
	}
	print_figures(name, times);
}

static void measure_status(const char *path)
{
	g_autoptr(GArray) fresh = g_array_new(FALSE, FALSE, sizeof(gint64));
	g_autoptr(GArray) again = g_array_new(FALSE, FALSE, sizeof(gint64));

	for (guint i = 0; i < FRESH; i++) {
		g_autoptr(store) st = NULL;
		gint64 start = used(), took;

		st = store_open(path, STORE_READ, NULL);
		ask_status(st, NOW);
		took = used() - start;
		g_array_append_val(fresh, took);
		for (guint k = 0; k < AGAIN / FRESH; k++) {
			start = used();
			ask_status(st, NOW + i * 60 + k);
			took = used() - start;
			g_array_append_val(again, took);
		}
	}
	print_figures("status, just opened", fresh);
	print_figures("status, again", again);
}

/* Those with a tag, a line each. */
static GString *commit_ids(store *st)
{
	g_autoptr(GPtrArray) trees = trees_load(st, NULL);
	GString *out = g_string_new(NULL);

	for (guint n = 0; trees && n < trees->len; n++) {
		const struct code_tree *t = trees->pdata[n];
		g_autoptr(GPtrArray) tags = tags_load(st, t->name, NULL);

		for (guint i = 0; tags && i < tags->len; i++)
			g_string_append_printf(
				out, "%s\n",
				((const struct tag *)tags->pdata[i])->id);
	}
	return out;
}

int main(int argc, char **argv)
{
	g_autoptr(GError) err = NULL;
	g_autoptr(GString) threads = g_string_new(NULL);
	g_autoptr(GString) items = g_string_new(NULL);
	g_autoptr(GString) commits = NULL;
	g_autoptr(store) st = NULL;

	if (argc == 2)
		st = store_open(argv[1], STORE_READ, &err);
	if (!st || !dump_threads(st, threads, &err) ||
	    !dump_items(st, items, &err)) {
		g_printerr("query_latency: %s\n",
			   err ? err->message : "usage: DATABASE");
		return 1;
	}
	measure(st, "thread, in-process", threads->str, 0, ask_thread);
	measure(st, "show, in-process", items->str, 1, ask_item);
	commits = commit_ids(st);
	measure(st, "commit, in-process", commits->str, 0, ask_commit);
	measure_status(argv[1]);
	return 0;
}
