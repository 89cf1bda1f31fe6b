/* list_format.h - --format of verbs that list things */
#ifndef BOT_LIST_FORMAT_H
#define BOT_LIST_FORMAT_H

#include <glib.h>
#include <jansson.h>

enum list_format { LIST_TEXT, LIST_TSV, LIST_JSON, LIST_NDJSON };

#define LIST_FORMATS "text (default), tsv, json or ndjson"

/* NULL is LIST_TEXT. FALSE after saying what was expected. */
gboolean list_format_parse(const char *verb, const char *text,
			   enum list_format *format);

/* A cell of tsv and what ends it; "-" for NULL and "". */
void list_cell(GString *out, const char *text, char end);
void list_cell_date(GString *out, gint64 utc, char end);
/* "+1.5%", "-" for NAN. */
void list_cell_change(GString *out, double percent, char end);
/* The object on a line; takes `tree`. */
void list_json_take(GString *out, json_t *tree);

#endif
