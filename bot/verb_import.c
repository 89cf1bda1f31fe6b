/* verb_import.c - local mail into the database */
#include <stdio.h>
#include <unistd.h>

#include "bot/ingest.h"
#include "bot/rederive.h"
#include "bot/verbs.h"

#define PROBLEMS_SHOWN 20 /* the rest is counted */
#define PROGRESS_USEC  (G_USEC_PER_SEC / 4)

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
	gboolean bar; /* stderr is a terminal */
	gint64 begun, shown;
	gboolean on_line;  /* the bar stands there */
	gboolean read_any; /* a path could be read */
	guint problems;
};

/* ---- what a person sees */

static void bar_clear(struct importing *im)
{
	if (im->on_line)
		fputs("\r\033[K", stderr);
	im->on_line = FALSE;
}

static void on_progress(const struct ingest_counts *c, guint done, guint all,
			void *data)
{
	struct importing *im = data;
	gint64 now = g_get_monotonic_time();
	double seconds = (now - im->begun) / (double)G_USEC_PER_SEC;

	if (!im->bar || now - im->shown < PROGRESS_USEC)
		return;
	im->shown = now;
	bar_clear(im);
	if (all > 0)
		fprintf(stderr, "full text: %u of %u", done, all);
	else
		fprintf(stderr, "%" G_GUINT64_FORMAT " messages, %.0f/s",
			c->seen, c->seen / MAX(seconds, 0.001));
	im->on_line = TRUE;
}

static void on_problem(const char *text, void *data)
{
	struct importing *im = data;

	if (im->problems++ >= PROBLEMS_SHOWN)
		return;
	bar_clear(im);
	cli_error("%s", text);
}

static void append_count(GString *s, guint64 n, const char *what)
{
	if (n > 0)
		g_string_append_printf(s, ", %" G_GUINT64_FORMAT " %s", n,
				       what);
}

static void say_summary(const struct importing *im,
			const struct ingest_counts *c)
{
	g_autoptr(GString) s = g_string_new(NULL);

	g_string_append_printf(s, "%" G_GUINT64_FORMAT " messages read: ",
			       c->seen);
	g_string_append_printf(s, "%" G_GUINT64_FORMAT " new", c->new);
	append_count(s, c->known, "known");
	append_count(s, c->copies, "others under a known Message-ID");
	append_count(s, c->deleted, "deleted");
	append_count(s, c->broken, "unreadable (culprit problems lists them)");
	append_count(s, c->skipped, "files that are no mail");
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
		bar_clear(im);
		rc = cli_fail(NULL, err);
		if (err->domain != SOURCE_ERROR)
			return rc;
	}
	g_clear_error(&err);
	if (!ingest_finish(in, &err)) {
		bar_clear(im);
		rc = cli_fail(NULL, err);
	}
	return rc;
}

static int run(struct session *s)
{
	struct importing im = {.begun = g_get_monotonic_time()};
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

	im.bar = !s->quiet && isatty(STDERR_FILENO);
	st = cli_store(s, STORE_WRITE, &rc);
	if (!st)
		return rc;
	if (!rederive_rest(s, st, &err))
		return cli_fail(NULL, err);
	in = ingest_new(st, &opt);
	rc = import_all(in, s, &im);
	bar_clear(&im);
	if (im.problems > 0 && rc == EXIT_DONE)
		rc = EXIT_UNREAD;
	if (!s->quiet && (im.read_any || ingest_counts(in)->seen > 0))
		say_summary(&im, ingest_counts(in));
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
