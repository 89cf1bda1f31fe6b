/* verb_table.c - the comparison tables of mail; no database */
#include "mail/lkp_table.h"

#include "bot/mail_files.h"
#include "bot/table_text.h"
#include "bot/verbs.h"
#include "bot/view.h"

static gboolean as_json, rerender, all_rows;

static const GOptionEntry options[] = {
	{"json", 0, 0, G_OPTION_ARG_NONE, &as_json,
	 "one JSON object a line for each table", NULL},
	{"rerender", 0, 0, G_OPTION_ARG_NONE, &rerender,
	 "print LKP tables again from their values, as the robot does", NULL},
	{"all", 0, 0, G_OPTION_ARG_NONE, &all_rows, "with the rows of monitors",
	 NULL},
	{NULL},
};

struct printing {
	guint tables;
	gboolean failed; /* stdout takes no more */
};

static void add_json(GString *out, const struct table *t)
{
	g_autofree char *line = view_line_take(view_table(t));

	g_string_append(out, line);
}

static void add_table(GString *out, const struct table *t, guint before)
{
	if (as_json) {
		add_json(out, t);
	} else if (rerender) {
		lkp_table_print(t, TRUE, out);
		g_string_append_c(out, '\n');
	} else {
		if (before)
			g_string_append_c(out, '\n');
		table_text(out, t, all_rows);
	}
}

static gboolean is_wanted(const struct table *t)
{
	return !rerender || (t->style != TABLE_FSPERF &&
			     t->style != TABLE_OTHER && !t->headless);
}

static gboolean print_tables(struct reading *r, void *data)
{
	g_autoptr(reading_auto) owned = r;
	struct printing *p = data;
	g_autoptr(GString) out = g_string_new(NULL);

	for (guint i = 0; i < r->tables->len; i++) {
		const struct table *t = r->tables->pdata[i];

		if (is_wanted(t))
			add_table(out, t, p->tables++);
	}
	p->failed = !cli_write(out->str, (gssize)out->len);
	return !p->failed;
}

static int run(struct session *s)
{
	struct printing p = {0};
	int rc;

	if (as_json && rerender) {
		cli_error("--json and --rerender exclude each other");
		return EXIT_USAGE;
	}
	rc = mail_files_read(s->argv, s->argc, print_tables, &p);
	if (p.failed)
		return EXIT_UNREAD;
	return rc == EXIT_DONE && !p.tables ? EXIT_NONE : rc;
}

const struct verb verb_table = {
	.name = "table",
	.synopsis = "[--json] [--rerender] [--all] FILE...",
	.help = "print the comparison tables of mail",
	.details =
		"Reads mail as parse does and prints its tables of "
		"measurements, at any quote depth: what is known of each "
		"column, then the failures and the metrics of the test "
		"itself; those of monitors are counted, and printed with "
		"--all. Lines of a table that could not be read, and numbers "
		"that contradict each other, follow. --json prints a table a "
		"line. --rerender prints LKP tables without their quoting "
		"from the values that were read, in the robot's own format, "
		"with an empty line after each. Exit code 1 if there is no "
		"table.",
	.options = options,
	.min_args = 1,
	.max_args = -1,
	.run = run,
};
