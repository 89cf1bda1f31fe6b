/* verb_parse.c - read mail and print what was understood; no database */
#include "mail/reading.h"

#include "bot/parse_text.h"
#include "bot/source.h"
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

struct parsing {
	const char *path;
	void *git;   /* repositories that mail is read from */
	guint count; /* messages of this path so far */
	guint printed;
	gboolean stdout_failed;
	int rc;
};

static char *json_line(const struct reading *r)
{
	json_t *tree = view_message(r, with_body);
	g_autofree char *line = view_dump(tree);

	json_decref(tree);
	return g_strconcat(line, "\n", NULL);
}

static gboolean print_mail(struct parsing *p, const struct source_event *ev)
{
	g_autoptr(GError) err = NULL;
	g_autoptr(GBytes) raw =
		ev->raw ? g_bytes_ref(ev->raw)
			: source_git_fetch(p->git, ev->place, ev->oid, &err);
	g_autoptr(message) msg =
		raw ? message_parse(raw, ev->received, &err) : NULL;
	g_autoptr(reading_auto) reading = NULL;
	g_autofree char *what = NULL;
	g_autofree char *text = NULL;

	p->count++;
	if (!msg) {
		what = g_strdup_printf("%s: message %u", p->path, p->count);
		p->rc = cli_fail(what, err);
		return TRUE;
	}
	reading = reading_new(msg);
	text = as_json ? json_line(reading) : parse_text(reading, with_body);
	if (!as_json && p->printed && !cli_write("\n", 1))
		return FALSE;
	p->printed++;
	return cli_write(text, -1);
}

static gboolean on_event(const struct source_event *ev, void *data)
{
	struct parsing *p = data;

	if (ev->type == SOURCE_BROKEN)
		p->rc = cli_fail(NULL, ev->error);
	else if (ev->type == SOURCE_MAIL && !print_mail(p, ev))
		p->stdout_failed = TRUE;
	return !p->stdout_failed && !cli_interrupted();
}

static int run(struct session *s)
{
	struct parsing p = {.rc = EXIT_DONE, .git = source_git_cache_new()};
	struct source_context context = {
		.sink = on_event,
		.stopped = cli_interrupted,
		.git = p.git,
		.data = &p,
	};

	for (int i = 0; i < s->argc && !p.stdout_failed; i++) {
		g_autoptr(GError) err = NULL;

		p.path = s->argv[i];
		p.count = 0;
		if (!source_read_path(p.path, &context, &err) &&
		    !g_error_matches(err, SOURCE_ERROR, SOURCE_ERROR_STOPPED))
			p.rc = cli_fail(NULL, err);
	}
	source_git_cache_free(p.git);
	return p.stdout_failed ? EXIT_UNREAD : p.rc;
}

const struct verb verb_parse = {
	.name = "parse",
	.synopsis = "[--json] [--body] FILE...",
	.help = "read mail and print what was understood of it",
	.details = "Reads mail files, mbox files, folders of mail, the same "
		   "compressed with gzip or zstd, or standard input for -, "
		   "and prints what was understood of each message. Needs no "
		   "database. What is no mail gives exit code 4 and a reason; "
		   "the rest is printed nevertheless.",
	.options = options,
	.min_args = 1,
	.max_args = -1,
	.run = run,
};
