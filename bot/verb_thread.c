/* verb_thread.c - one thread: to read, as JSON, as an mbox, as lore draws it */
#include <string.h>

#include "mail/mbox.h"
#include "mail/msgid.h"

#include "db/archive.h"
#include "db/patches.h"
#include "db/thread.h"

#include "bot/plain_text.h"
#include "bot/thread_fetch.h"
#include "bot/thread_text.h"
#include "bot/verbs.h"
#include "bot/view.h"

static gboolean as_json, as_mbox, as_overview, do_fetch;

static const GOptionEntry options[] = {
	{"json", 0, 0, G_OPTION_ARG_NONE, &as_json,
	 "one JSON object: messages and series", NULL},
	{"mbox", 0, 0, G_OPTION_ARG_NONE, &as_mbox,
	 "the messages themselves as an mbox (mboxrd)", NULL},
	{"overview", 0, 0, G_OPTION_ARG_NONE, &as_overview,
	 "the tree as lore.kernel.org prints it", NULL},
	{"fetch", 0, 0, G_OPTION_ARG_NONE, &do_fetch,
	 "first bring it in from the archives of the settings", NULL},
	{NULL},
};

/* The id as the thread has it: what was typed may differ in case, or be
 * another name of the mail. */
static const char *known_id(const struct thread *t)
{
	const struct thread_node *n =
		t->asked < 0 ? NULL : t->nodes->pdata[t->asked];

	return n ? n->mid : t->root;
}

/* Every stored copy of each message, in the order of the tree. */
static int write_mbox(struct session *s, store *st, const struct thread *t)
{
	int rc = EXIT_DONE;

	for (guint i = 0; i < t->nodes->len && !cli_interrupted(); i++) {
		const struct thread_node *n = t->nodes->pdata[i];
		g_autoptr(GPtrArray) copies = NULL;
		g_autoptr(GError) err = NULL;

		if (n->ghost)
			continue;
		copies = archive_copies(st, n->mid, &err);
		if (err)
			rc = cli_fail(n->mid, err);
		for (guint k = 0; copies && k < copies->len; k++) {
			g_autoptr(GString) out = g_string_new(NULL);
			gsize len;
			const char *raw =
				g_bytes_get_data(copies->pdata[k], &len);

			mbox_append(out, raw, len);
			if (!cli_write(out->str, (gssize)out->len))
				return EXIT_UNREAD;
		}
	}
	return rc;
}

static char *json_text(const struct thread *t, const struct series_set *set)
{
	return view_line_take(view_thread(t, set));
}

static int write_text(struct session *s, store *st, const struct thread *t,
		      const char *mid)
{
	g_autoptr(series_set_auto) set = NULL;
	g_autoptr(GError) err = NULL;
	g_autofree char *text = NULL;

	if (!as_overview) {
		set = series_load(st, mid, &err);
		if (!set)
			return cli_fail(NULL, err);
	}
	if (as_overview)
		text = view_overview(t, mid);
	else if (as_json)
		text = json_text(t, set);
	else
		text = thread_text(t, set, mid);
	if (!as_json)
		plain_text(text);
	return cli_write(text, -1) ? EXIT_DONE : EXIT_UNREAD;
}

static int run(struct session *s)
{
	g_autofree char *typed = msgid_from_text(s->argv[0]);
	const char *what = typed ? typed : s->argv[0];
	g_autoptr(thread_auto) t = NULL;
	g_autoptr(GError) err = NULL;
	g_autoptr(store) st = NULL;
	int rc, fetched = EXIT_DONE;

	if (as_json + as_mbox + as_overview > 1) {
		cli_error("thread: --json, --mbox and --overview: one of them");
		return EXIT_USAGE;
	}
	st = cli_store(s, do_fetch ? STORE_WRITE : STORE_READ, &rc);
	if (!st)
		return rc;
	if (do_fetch)
		fetched = thread_fetch(s, st, what);
	if (fetched != EXIT_DONE && fetched != EXIT_UNREAD)
		return fetched;
	t = thread_load(st, what, &err);
	if (!t && err)
		return cli_fail(NULL, err);
	if (!t) {
		cli_error("%s: no such message is known", s->argv[0]);
		return fetched ? fetched : EXIT_NONE;
	}
	rc = as_mbox ? write_mbox(s, st, t) : write_text(s, st, t, known_id(t));
	return rc ? rc : fetched;
}

const struct verb verb_thread = {
	.name = "thread",
	.synopsis = "[--json|--mbox|--overview] [--fetch] MSGID",
	.help = "print one thread",
	.details =
		"Prints the thread that MSGID belongs to: who wrote what in "
		"answer to whom, messages that others refer to and that were "
		"not seen, and the patch series in it with their older and "
		"newer versions. MSGID is a Message-ID, with or without "
		"brackets, or a link to an archive. With --fetch each source "
		"of type http or inbox is asked for the thread, in the order "
		"of the settings, until one has it; exit code 4 if one could "
		"not be asked.",
	.options = options,
	.min_args = 1,
	.max_args = 1,
	.run = run,
};
