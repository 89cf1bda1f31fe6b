/* verb_import.c - local mail into the database */
#include <stdio.h>

#include "bot/counts_text.h"
#include "bot/ingest.h"
#include "bot/progress.h"
#include "bot/rederive.h"
#include "bot/verbs.h"

#define PROBLEMS_SHOWN 20 /* the rest is counted */

static char *list;
static gboolean no_index, again;

static const GOptionEntry options[] = {
	{"list", 0, 0, G_OPTION_ARG_STRING, &list,
	 "the mailing list that the mail is of (else its List-Id)", "NAME"},
	{"no-index", 0, 0, G_OPTION_ARG_NONE, &no_index,
	 "leave the full text for a later import", NULL},
	{"again", 0, 0, G_OPTION_ARG_NONE, &again,
	 "look at everything, also where an earlier import left off", NULL},
	{NULL},
};

struct importing {
	progress *bar;
	gint64 begun;
	gboolean read_any; /* a path could be read */
	guint problems;
};

/* ---- what a person sees */

static void on_progress(const struct ingest_counts *c, guint done, guint all,
			void *data)
{
	struct importing *im = data;
	g_autofree char *text = NULL;

	if (!progress_is_due(im->bar))
		return;
	text = all > 0 ? g_strdup_printf("full text: %u of %u", done, all)
		       : progress_messages(c->seen, 0, im->begun);
	progress_set(im->bar, "", text);
	progress_draw(im->bar);
}

static void on_problem(const char *text, void *data)
{
	struct importing *im = data;

	if (im->problems++ >= PROBLEMS_SHOWN)
		return;
	progress_hide(im->bar);
	cli_error("%s", text);
}

static void say_summary(const struct ingest_counts *c)
{
	g_autoptr(GString) s = g_string_new(NULL);

	counts_text_mail(s, c);
	fprintf(stderr, "culprit: import: %s\n", s->str);
}

/* ---- */

/* Path after path, then what is pending. A bad path does not stop the others,
 * a failing database does. */
static int import_all(ingest *in, struct session *s, struct importing *im)
{
	g_autoptr(GError) err = NULL;
	int rc = EXIT_DONE;

	for (int i = 0; i < s->argc && !cli_interrupted(); i++) {
		g_clear_error(&err);
		if (ingest_path(in, s->argv[i], &err)) {
			im->read_any = TRUE;
			continue;
		}
		progress_hide(im->bar);
		rc = cli_fail(NULL, err);
		if (err->domain != SOURCE_ERROR)
			return rc;
	}
	g_clear_error(&err);
	if (!ingest_finish(in, &err)) {
		progress_hide(im->bar);
		rc = cli_fail(NULL, err);
	}
	return rc;
}

static int run(struct session *s)
{
	g_autoptr(progress) bar = progress_new(!s->quiet);
	struct importing im = {bar, g_get_monotonic_time(), FALSE, 0};
	struct ingest_options opt = {.list = list,
				     .index = !no_index,
				     .again = again,
				     .clock = cli_now,
				     .stopped = cli_interrupted,
				     .problem = on_problem,
				     .progress = on_progress,
				     .data = &im};
	g_autoptr(GError) err = NULL;
	g_autoptr(store) st = NULL;
	g_autoptr(ingest) in = NULL;
	int rc;

	st = cli_store(s, STORE_WRITE, &rc);
	if (!st)
		return rc;
	if (!rederive_rest(s, st, &err))
		return cli_fail(NULL, err);
	in = ingest_new(st, &opt);
	rc = import_all(in, s, &im);
	progress_hide(bar);
	if (im.problems > 0 && rc == EXIT_DONE)
		rc = EXIT_UNREAD;
	if (!s->quiet && (im.read_any || ingest_counts(in)->seen > 0))
		say_summary(ingest_counts(in));
	return rc;
}

const struct verb verb_import = {
	.name = "import",
	.synopsis = "[--list NAME] [--no-index] [--again] PATH...",
	.help = "take local mail into the database",
	.details =
		"Reads message files, mbox files (mboxo, mboxrd, mboxcl2), "
		"Maildir and MH folders, folders of any of these, public-inbox "
		"archives (version 1, version 2, a single epoch), and standard "
		"input for -. Files may be compressed with gzip or zstd, "
		"whatever they are called. A file or a stream is mail if it "
		"begins with a separator of an mbox or with header fields, "
		"among them one that mail has (From, Date, Subject, "
		"Message-ID, Received and the like); anything in a Maildir "
		"or an MH folder is meant to be. "
		"Mail that was imported before is "
		"not doubled, and what an archive has deleted since is removed "
		"here, too. Mail in a git archive stays there: the archive has "
		"to be kept. What can't be read is reported, gives exit code "
		"4, and the rest is imported. Interrupted, it keeps what was "
		"done; the next import goes on there.",
	.options = options,
	.min_args = 1,
	.max_args = -1,
	.run = run,
};
