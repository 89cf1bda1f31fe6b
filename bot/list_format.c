/* list_format.c - --format of verbs that list things */
#include "bot/list_format.h"

#include <math.h>
#include <string.h>

#include "mail/date.h"

#include "bot/cli.h"
#include "bot/view.h"

gboolean list_format_parse(const char *verb, const char *text,
			   enum list_format *format)
{
	static const char *const names[] = {"text", "tsv", "json", "ndjson"};

	*format = LIST_TEXT;
	if (!text)
		return TRUE;
	for (guint i = 0; i < G_N_ELEMENTS(names); i++)
		if (!strcmp(text, names[i])) {
			*format = (enum list_format)i;
			return TRUE;
		}
	cli_error("%s: --format %s: text, tsv, json or ndjson was expected",
		  verb, text);
	return FALSE;
}

void list_cell(GString *out, const char *text, char end)
{
	g_autofree char *cell = g_strdup(text && *text ? text : "-");

	g_string_append(out, g_strdelimit(cell, "\t\n\r", ' '));
	g_string_append_c(out, end);
}

void list_cell_date(GString *out, gint64 utc, char end)
{
	g_autofree char *date = date_to_rfc3339(utc);

	list_cell(out, date, end);
}

void list_cell_change(GString *out, double percent, char end)
{
	char buf[G_ASCII_DTOSTR_BUF_SIZE];

	if (isnan(percent)) {
		list_cell(out, NULL, end);
		return;
	}
	g_ascii_formatd(buf, sizeof(buf), "%+.1f", percent);
	g_string_append_printf(out, "%s%%%c", buf, end);
}

void list_json_take(GString *out, json_t *tree)
{
	g_autofree char *line = view_line_take(tree);

	g_string_append(out, line);
}
