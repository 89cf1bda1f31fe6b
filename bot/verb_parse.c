/* verb_parse.c - read mail and print what was understood; no database */
#include "mail/reading.h"

#include "bot/mail_files.h"
#include "bot/parse_text.h"
#include "bot/verbs.h"
#include "bot/view.h"

static gboolean as_json, with_body;

static const GOptionEntry options[] = {
	{"json", 0, 0, G_OPTION_ARG_NONE, &as_json,
	 "one JSON object a line for each message", NULL},
	{"body", 0, 0, G_OPTION_ARG_NONE, &with_body,
	 "print the decoded text, too", NULL},
	{NULL},
};

struct printing {
	guint printed;
	gboolean failed; /* stdout takes no more */
};

static char *json_line(const struct reading *r)
{
	return view_line_take(view_message(r, with_body));
}

static gboolean print_mail(struct reading *r, void *data)
{
	g_autoptr(reading_auto) owned = r;
	struct printing *p = data;
	g_autofree char *text =
		as_json ? json_line(r) : parse_text(r, with_body);

	p->failed = (!as_json && p->printed && !cli_write("\n", 1)) ||
		    !cli_write(text, -1);
	p->printed++;
	return !p->failed;
}

static int run(struct session *s)
{
	struct printing p = {0};
	int rc = mail_files_read(s->argv, s->argc, print_mail, &p);

	return p.failed ? EXIT_UNREAD : rc;
}

const struct verb verb_parse = {
	.name = "parse",
	.synopsis = "[--json] [--body] FILE...",
	.help = "read mail and print what was understood of it",
	.details =
		"Reads mail files, mbox files, folders of mail, the same "
		"compressed with gzip or zstd, or standard input for -, "
		"and prints what was understood of each message; a page of "
		"hypermail or public-inbox, saved as text, is the mail that "
		"it shows. Needs no database. What is no mail gives exit code "
		"4 and a reason; the rest is printed nevertheless.",
	.options = options,
	.min_args = 1,
	.max_args = -1,
	.run = run,
};
