/* page_measures.c - what was measured: reruns, tables, history of a report */
#include "bot/page_priv.h"
#include "bot/rerun_text.h"
#include "bot/table_text.h"

static const char *tone(enum verdict v)
{
	switch (v) {
	case VERDICT_RECOVERED:
	case VERDICT_KEPT:
		return "good";
	case VERDICT_NOT_RECOVERED:
	case VERDICT_PARTIAL:
	case VERDICT_LOST:
		return "bad";
	default:
		return "flat";
	}
}

static json_t *rerun_row(const struct rerun *r)
{
	const struct judgement *j = &r->judgement;
	g_autofree char *sentence = rerun_sentence(r);
	g_autofree char *lore = page_lore(r->message_id);
	json_t *o = json_object(), *notes = json_array();

	for (guint n = 0; n < r->assumptions->len; n++)
		json_array_append_new(notes,
				      tree_text(r->assumptions->pdata[n]));
	for (guint n = 0; j->notes && n < j->notes->len; n++)
		json_array_append_new(notes, tree_text(j->notes->pdata[n]));
	tree_set(o, "tone", tree_text(tone(j->verdict)));
	tree_set(o, "verdict", tree_text(verdict_name(j->verdict)));
	tree_set(o, "text", tree_text(sentence));
	tree_set(o, "beside", json_boolean(!r->headline));
	tree_set(o, "lore", tree_text(lore));
	tree_set(o, "notes", notes);
	return o;
}

void page_set_reruns(const struct item *i, json_t *o)
{
	json_t *rows = json_array();

	for (guint n = 0; n < i->reruns->len; n++) {
		const struct rerun *r = i->reruns->pdata[n];

		/* another test's metric says nothing here */
		if ((r->headline || !r->other_setup) &&
		    json_array_size(rows) < PAGE_MAX_RERUNS)
			json_array_append_new(rows, rerun_row(r));
	}
	tree_set(o, "has_reruns", json_boolean(json_array_size(rows) > 0));
	tree_set(o, "reruns", rows);
}

void page_set_history(const struct item *i, json_t *o)
{
	g_autoptr(GPtrArray) lines = history_sentences(i);
	json_t *list = json_array();

	for (guint n = 0; n < lines->len; n++)
		json_array_append_new(list, tree_text(lines->pdata[n]));
	tree_set(o, "has_history", json_boolean(lines->len > 0));
	tree_set(o, "history", list);
}

void page_set_tables(GPtrArray *tables, json_t *o)
{
	json_t *list = json_array();

	for (guint n = 0; n < tables->len && n < PAGE_MAX_TABLES; n++) {
		g_autoptr(GString) text = g_string_new(NULL);

		table_text(text, tables->pdata[n], FALSE);
		json_array_append_new(list, tree_text(text->str));
	}
	tree_set(o, "has_tables", json_boolean(tables->len > 0));
	tree_set(o, "tables", list);
}
