/* page_about.c - what the site is made of, and what could not be read */
#include "mail/date.h"

#include "db/problems.h"
#include "db/stats.h"

#include "bot/page_priv.h"

static void add_fact(json_t *facts, const char *name, const char *value)
{
	json_t *o = json_object();

	tree_set(o, "name", tree_text(name));
	tree_set(o, "value", tree_text(value));
	json_array_append_new(facts, o);
}

static char *day_of(gint64 utc)
{
	g_autofree char *iso = date_to_rfc3339(utc);

	return iso ? g_strndup(iso, 10) : g_strdup("an unknown date");
}

static json_t *facts_of(const struct stats *st)
{
	json_t *facts = json_array();
	g_autofree char *oldest = day_of(st->oldest);
	g_autofree char *newest = day_of(st->newest);
	g_autofree char *all =
		g_strdup_printf("%" G_GUINT64_FORMAT " in %" G_GUINT64_FORMAT
				" threads, from %s to %s",
				st->mails, st->threads, oldest, newest);

	add_fact(facts, "Mails", all);
	for (guint n = 0; n < st->lists->len; n++) {
		const struct list_stats *l = st->lists->pdata[n];
		g_autofree char *day = day_of(l->newest);
		g_autofree char *text =
			g_strdup_printf("%" G_GUINT64_FORMAT
					" mails, the newest of %s",
					l->mails, day);

		add_fact(facts, l->name, text);
	}
	return facts;
}

static json_t *states_of(void)
{
	static const struct {
		const char *state, *tone, *text;
	} states[] = {
		{"bisected", "bad",
		 "The report names the commit; no fix is known."},
		{"fix posted", "warn",
		 "A later patch names the commit or the report, or answers "
		 "the report."},
		{"fix tested", "good",
		 "Somebody other than its author gave that patch a Tested-by."},
		{"improvement", "flat",
		 "A change for the better: nothing is left to do."},
	};
	json_t *out = json_array();

	for (guint n = 0; n < G_N_ELEMENTS(states); n++)
		json_array_append_new(out,
				      json_pack("{s:s, s:s, s:s}", "state_text",
						states[n].state, "tone",
						states[n].tone, "text",
						states[n].text));
	return out;
}

static gboolean write_about(const struct site *s, GError **err)
{
	g_autoptr(stats_auto) st = stats_load(s->st, err);
	json_t *o;

	if (!st)
		return FALSE;
	o = page_new(s, "About", 0);
	tree_set(o, "facts", facts_of(st));
	tree_set(o, "states", states_of());
	return page_write(s, "about.html", "about.html", o, err);
}

/* Where a file lies is nobody's business; its name is enough. */
static json_t *view_problem(const struct problem *p)
{
	g_autofree char *name = p->place ? g_path_get_basename(p->place) : NULL;
	g_autofree char *lore = p->mid ? page_lore(p->mid) : NULL;
	json_t *o = json_object();

	tree_set(o, "time", tree_time(p->time));
	tree_set(o, "kind", tree_text(p->kind));
	tree_set(o, "code", tree_text(p->code));
	tree_set(o, "text", tree_text(p->text));
	tree_set(o, "lore", tree_text(lore));
	tree_set(o, "place", tree_text(p->mid ? p->mid : name));
	return o;
}

static gboolean write_problems(const struct site *s, GError **err)
{
	g_autoptr(GPtrArray) all = problems_load(s->st, err);
	g_autofree char *answer = NULL, *caption = NULL;
	json_t *o, *rows;
	guint first;

	if (!all)
		return FALSE;
	first = all->len > PAGE_MAX_PROBLEMS ? all->len - PAGE_MAX_PROBLEMS : 0;
	rows = json_array();
	for (guint n = all->len; n > first; n--)
		json_array_append_new(rows, view_problem(all->pdata[n - 1]));
	answer = all->len ? g_strdup_printf("%u problem%s", all->len,
					    all->len == 1 ? "" : "s")
			  : g_strdup("No problems");
	caption = first ? g_strdup_printf("The newest %d of %u.",
					  PAGE_MAX_PROBLEMS, all->len)
			: g_strdup("All of them, the newest first.");
	o = page_new(s, "Problems", 0);
	tree_set(o, "answer", tree_text(answer));
	tree_set(o, "caption", tree_text(caption));
	tree_set(o, "has_problems", json_boolean(all->len > 0));
	tree_set(o, "problems", rows);
	return page_write(s, "problems.html", "problems.html", o, err);
}

gboolean page_write_about(const struct site *s, GError **err)
{
	return write_about(s, err) && write_problems(s, err);
}
