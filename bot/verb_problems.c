/* verb_problems.c - what could not be handled, and why */
#include <jansson.h>

#include "mail/date.h"

#include "db/problems.h"

#include "bot/plain_text.h"
#include "bot/verbs.h"
#include "bot/view.h"

static gboolean as_json;

static const GOptionEntry options[] = {
	{"json", 0, 0, G_OPTION_ARG_NONE, &as_json, "one JSON object a line",
	 NULL},
	{NULL},
};

/* culprit/problem/1; "place" is the file or archive where a problem is not
 * one of a message. */
static char *json_line(const struct problem *p)
{
	g_autofree char *time = date_to_rfc3339(p->time);
	json_t *tree =
		json_pack("{s:s, s:s?, s:s, s:s?, s:s?, s:s, s:s, s:s?}",
			  "schema", "culprit/problem/1", "time", time, "kind",
			  p->kind, "message_id", p->mid, "place", p->place,
			  "code", p->code, "text", p->text, "item", p->item);

	return view_line_take(tree);
}

static char *text_line(const struct problem *p)
{
	g_autofree char *time = date_to_rfc3339(p->time);
	g_autofree char *where = NULL;
	char *line;

	if (p->mid)
		where = g_strdup_printf("<%s>", p->mid);
	else
		where = g_strdup(p->place ? p->place : "-");
	line = g_strdup_printf("%-20s  %s  %s: %s\n", time ? time : "-", where,
			       p->code, p->text);
	return plain_text(line);
}

static int print_all(GPtrArray *problems)
{
	for (guint i = 0; i < problems->len; i++) {
		const struct problem *p = problems->pdata[i];
		g_autofree char *line = as_json ? json_line(p) : text_line(p);

		if (!cli_write(line, -1))
			return EXIT_UNREAD;
	}
	return problems->len ? EXIT_DONE : EXIT_NONE;
}

static int run(struct session *s)
{
	g_autoptr(GError) err = NULL;
	g_autoptr(GPtrArray) problems = NULL;
	g_autoptr(store) st = NULL;
	int rc;

	st = cli_store(s, STORE_READ, &rc);
	if (!st)
		return rc;
	problems = problems_load(st, &err);
	return problems ? print_all(problems) : cli_fail(NULL, err);
}

const struct verb verb_problems = {
	.name = "problems",
	.synopsis = "[--json]",
	.help = "list what could not be handled, and why",
	.details = "Lists the mail, files and archives that could not be read "
		   "or understood in full, by date, each with a reason. "
		   "Exit code 1: there is none.",
	.options = options,
	.max_args = 0,
	.run = run,
};
