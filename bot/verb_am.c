/* verb_am.c - a series as an mbox for `git am` */
#include <errno.h>
#include <string.h>

#include "mail/address.h"
#include "mail/msgid.h"

#include "bot/am.h"
#include "bot/verbs.h"

static gboolean to_stdout;
static char *signoff;

static const GOptionEntry options[] = {
	{"stdout", 0, 0, G_OPTION_ARG_NONE, &to_stdout,
	 "write the mbox to standard output", NULL},
	{"signoff", 0, 0, G_OPTION_ARG_STRING, &signoff,
	 "add a Signed-off-by of this person to each patch",
	 "\"NAME <ADDRESS>\""},
	{NULL},
};

static gboolean write_file(const char *slug, const char *suffix, GBytes *bytes,
			   char **name)
{
	g_autoptr(GError) err = NULL;
	gsize len;
	const char *data = g_bytes_get_data(bytes, &len);

	*name = g_strconcat(slug, suffix, NULL);
	if (g_file_set_contents(*name, data, (gssize)len, &err))
		return TRUE;
	cli_error("%s: %s", *name, err->message);
	return FALSE;
}

static int write_files(const struct am *a)
{
	g_autofree char *mbox = NULL, *cover = NULL, *said = NULL;

	if (!write_file(a->slug, ".mbx", a->mbox, &mbox))
		return EXIT_UNREAD;
	if (a->cover && !write_file(a->slug, ".cover", a->cover, &cover))
		return EXIT_UNREAD;
	said = g_strdup_printf("%s\n%s%s", mbox, cover ? cover : "",
			       cover ? "\n" : "");
	return cli_write(said, -1) ? EXIT_DONE : EXIT_UNREAD;
}

static void say(const struct session *s, const char *note)
{
	g_auto(GStrv) lines = g_strsplit(note, "\n", -1);

	for (guint i = 0; lines[i]; i++)
		if (*lines[i] && !s->quiet)
			cli_error("am: %s", lines[i]);
}

static int deliver(const struct session *s, const char *what,
		   const struct am *a)
{
	gsize len;
	const char *data;

	if (!a->mbox) {
		cli_error("%s: no complete series: %s", what, a->note);
		return EXIT_NONE;
	}
	say(s, a->note);
	if (!to_stdout)
		return write_files(a);
	data = g_bytes_get_data(a->mbox, &len);
	return cli_write(data, (gssize)len) ? EXIT_DONE : EXIT_UNREAD;
}

static int run(struct session *s)
{
	g_autofree char *mid = msgid_from_text(s->argv[0]);
	g_autoptr(address_auto) person =
		signoff ? address_parse_person(signoff, NULL) : NULL;
	g_autoptr(GError) err = NULL;
	g_autoptr(store) st = NULL;
	g_autoptr(am_auto) a = NULL;
	int rc;

	if (signoff && (!person || !*person->name || !*person->address)) {
		cli_error("--signoff %s: expected \"Name <address>\"", signoff);
		return EXIT_USAGE;
	}
	st = cli_store(s, STORE_READ, &rc);
	if (!st)
		return rc;
	a = am_make(st, mid ? mid : s->argv[0], signoff, &err);
	if (!a && err)
		return cli_fail(s->argv[0], err);
	if (!a) {
		cli_error("%s: no such message is known, or no patch is in its "
			  "thread",
			  s->argv[0]);
		return EXIT_NONE;
	}
	return deliver(s, s->argv[0], a);
}

const struct verb verb_am = {
	.name = "am",
	.synopsis = "[--stdout] [--signoff PERSON] MSGID",
	.help = "write a series as an mbox for git am",
	.details =
		"Writes the newest complete version of the series that the "
		"thread of MSGID holds or leads to, in order, each patch with "
		"the trailers that were given to it or to the cover in "
		"replies. Trailers given to an older version count where the "
		"patch is still the same. The file is named after the day, "
		"sender and title, with the suffix .mbx; a cover letter is "
		"written beside it with the suffix .cover. Both names are "
		"printed. A series of which patches are missing is not "
		"written.",
	.options = options,
	.min_args = 1,
	.max_args = 1,
	.run = run,
};
