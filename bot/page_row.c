/* page_row.c - an item in the words of a list */
#include <math.h>
#include <string.h>

#include "bot/page_priv.h"
#include "bot/rerun_text.h"

#define COMMIT_SHOWN 12
#define NO_BREAK     "\xc2\xa0"

static const struct {
	const char *state, *text, *tone;
} states[] = {
	{"reported", "reported", "bad"},
	{"bisected", "bisected", "bad"},
	{"fix-posted", "fix posted", "warn"},
	{"rerun-failed", "rerun failed", "bad"},
	{"fix-tested", "fix tested", "good"},
	{"applied", "applied", "good"},
	{"stable-pending", "not in stable yet", "flat"},
};

static int state_of(const struct item *i)
{
	for (guint n = 0; n < G_N_ELEMENTS(states); n++)
		if (!strcmp(states[n].state, i->state))
			return (int)n;
	return -1;
}

const char *item_state_text(const struct item *i)
{
	int n = state_of(i);

	if (i->direction == REPORT_IMPROVEMENT)
		return "improvement";
	if (i->only_said)
		return "said to be applied";
	return n < 0 ? i->state : states[n].text;
}

const char *item_tone(const struct item *i)
{
	int n = state_of(i);

	return n < 0 || !i->open ? "flat" : states[n].tone;
}

const char *item_kind(const struct item *i)
{
	if (i->direction == REPORT_REGRESSION)
		return "Regression";
	return i->direction == REPORT_IMPROVEMENT ? "Improvement" : "Change";
}

static char *percent(double change, gboolean sign)
{
	char buf[G_ASCII_DTOSTR_BUF_SIZE];

	g_ascii_formatd(buf, sizeof(buf), sign ? "%+.1f" : "%.1f",
			sign ? change : fabs(change));
	return g_strconcat(buf, NO_BREAK "%", NULL);
}

/* The title in two parts: what changed, and where it was measured. */
void item_set_names(json_t *o, const struct item *i)
{
	g_autofree char *change = NULL, *size = NULL, *head = NULL;
	g_autofree char *where = NULL, *commit = NULL;
	const char *machine = i->tbox ? i->tbox : i->machine;

	if (!isnan(i->change_percent)) {
		change = percent(i->change_percent, TRUE);
		size = percent(i->change_percent, FALSE);
	}
	if (i->metric)
		head = g_strjoin(" ", i->metric, change, NULL);
	if (i->testcase && machine)
		where = g_strdup_printf("%s on %s", i->testcase, machine);
	else
		where = g_strdup(i->testcase ? i->testcase : machine);
	if (i->commit)
		commit = g_strndup(i->commit, COMMIT_SHOWN);
	tree_set(o, "id", tree_text(i->id));
	tree_set(o, "title", tree_text(i->title));
	tree_set(o, "headline", tree_text(head ? head : i->title));
	tree_set(o, "where", tree_text(where));
	tree_set(o, "size", tree_text(size));
	tree_set(o, "metric", tree_text(i->metric));
	tree_set(o, "commit_short", tree_text(commit));
	tree_set(o, "commit_subject", tree_text(i->commit_subject));
	tree_set(o, "tone", tree_text(item_tone(i)));
	tree_set(o, "state_text", tree_text(item_state_text(i)));
}

/* The fix that got furthest, the newest of those. */
static const struct item_fix *best_fix(const struct item *i)
{
	const struct item_fix *best = NULL;

	for (guint n = 0; n < i->fixes->len; n++) {
		const struct item_fix *fix = i->fixes->pdata[n];

		if (!strcmp(fix->role, "prerequisite"))
			continue;
		if (!best || strcmp(best->status, "tested") ||
		    !strcmp(fix->status, "tested"))
			best = fix;
	}
	return best;
}

static json_t *row_fix(const struct item *i)
{
	const struct item_fix *fix = best_fix(i);
	g_autofree char *href = fix ? page_lore(fix->mid) : NULL;
	json_t *o;

	if (!fix)
		return json_null();
	o = json_object();
	tree_set(o, "href", tree_text(href));
	tree_set(o, "status", tree_text(fix_status_text(fix)));
	tree_set(o, "by",
		 tree_text(page_name(fix->author_name, fix->author_address)));
	return o;
}

json_t *item_row(const struct item *i)
{
	json_t *o = json_object();

	item_set_names(o, i);
	tree_set(o, "fix", row_fix(i));
	tree_set(o, "reported", tree_time(i->reported));
	tree_set(o, "last_activity", tree_time(i->last_activity));
	tree_set(o, "messages", json_integer(i->messages));
	return o;
}

json_t *item_table(const char *title, const char *caption, GPtrArray *items,
		   guint max)
{
	json_t *o = json_object(), *rows = json_array();

	for (guint n = 0; n < items->len && n < max; n++)
		json_array_append_new(rows, item_row(items->pdata[n]));
	tree_set(o, "title", tree_text(title));
	tree_set(o, "caption", tree_text(caption));
	tree_set(o, "items", rows);
	tree_set(o, "more", json_null());
	return o;
}
