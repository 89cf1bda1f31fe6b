/* verb_run.c - the daemon: settings, one instance, begin again at SIGHUP */
#include <unistd.h>

#include "bot/daemon.h"
#include "bot/lock_file.h"
#include "bot/log_line.h"
#include "bot/notify.h"
#include "bot/rederive.h"
#include "bot/remote.h"
#include "bot/trees.h"
#include "bot/trouble.h"
#include "bot/verbs.h"

static gboolean no_pages;

static const GOptionEntry options[] = {
	{"no-pages", 0, 0, G_OPTION_ARG_NONE, &no_pages,
	 "do not write the site", NULL},
	{NULL},
};

/* What the settings ask for; NULL in `remotes` and *err if they are wrong. */
struct plan {
	GPtrArray *remotes, *trees;
};

static void plan_clear(struct plan *p)
{
	g_clear_pointer(&p->remotes, g_ptr_array_unref);
	g_clear_pointer(&p->trees, g_ptr_array_unref);
}

static gboolean plan_make(struct plan *p, const config *c, const char *db_path,
			  GError **err)
{
	p->trees = trees_settings(c, db_path, err);
	p->remotes = p->trees ? remotes_settings(c, db_path, err) : NULL;
	if (p->remotes && (p->remotes->len || p->trees->len))
		return TRUE;
	if (p->remotes)
		g_set_error_literal(err, CONFIG_ERROR, CONFIG_ERROR_SYNTAX,
				    "run: the settings have neither [source "
				    "NAME] nor [tree NAME]: nothing to do");
	plan_clear(p);
	return FALSE;
}

/* The new settings where they are right, else the old ones go on. */
static void reload(struct session *s, config **own, struct plan *p)
{
	g_autofree char *text = NULL;
	g_autoptr(GError) err = NULL;
	g_autoptr(config) c = NULL;
	struct plan next = {0};

	text = g_strdup_printf("RELOADING=1\nMONOTONIC_USEC=%" G_GINT64_FORMAT,
			       g_get_monotonic_time());
	notify_say(text);
	c = cli_config_again(&err);
	if (!c || !plan_make(&next, c, s->db_path, &err)) {
		log_line(LOG_LINE_ERROR, "%s; the old settings stay in force",
			 err->message);
		return;
	}
	plan_clear(p);
	*p = next;
	g_clear_pointer(own, config_free);
	s->config = *own = g_steal_pointer(&c);
	log_line(LOG_LINE_NOTICE, "settings read again");
}

static int run_plan(struct session *s, store *st, struct plan *p)
{
	config *own = NULL;
	g_autofree char *db_path = g_strdup(s->db_path);
	struct session mine = *s;
	enum daemon_end end;
	int rc;

	mine.db_path = db_path; /* stays, whatever is read again */
	do {
		const struct daemon_options opt = {&mine, st, p->remotes,
						   p->trees, no_pages};
		g_autoptr(GError) err = NULL;

		if (!trees_configure(st, p->trees, &err) ||
		    !trouble_keep_sources(st, p->remotes, &err)) {
			rc = cli_fail(NULL, err);
			break;
		}
		end = daemon_run(&opt, &rc);
		if (end == DAEMON_RELOAD)
			reload(&mine, &own, p);
	} while (end == DAEMON_RELOAD);
	config_free(own);
	return rc;
}

static int run_locked(struct session *s, store *st, struct plan *p)
{
	g_autoptr(GError) err = NULL;
	int rc, fd = lock_file_of_database(s->db_path, &err);

	if (fd < 0)
		return cli_fail("run", err);
	if (rederive_rest(s, st, &err))
		rc = run_plan(s, st, p);
	else
		rc = cli_fail(NULL, err);
	close(fd);
	return rc;
}

static int run(struct session *s)
{
	g_autoptr(GError) err = NULL;
	g_autoptr(store) st = NULL;
	struct plan p = {0};
	int rc;

	log_line_init(s->quiet	   ? LOG_LINE_WARNING
		      : s->verbose ? LOG_LINE_DEBUG
				   : LOG_LINE_INFO);
	if (!plan_make(&p, s->config, s->db_path, &err))
		return cli_fail(NULL, err);
	st = cli_store(s, STORE_WRITE, &rc);
	if (st)
		rc = run_locked(s, st, &p);
	plan_clear(&p);
	if (st && rc == EXIT_DONE) {
		cli_interrupt_heeded();
		log_line(LOG_LINE_NOTICE, "stopped");
	}
	return rc;
}

const struct verb verb_run = {
	.name = "run",
	.synopsis = "[--no-pages]",
	.help = "keep everything up to date until told to stop",
	.details =
		"The daemon: follows all sources of the settings at once, "
		"looks at the git trees again and again, and writes the site "
		"whenever something is new. Where a server tells of new mail "
		"(IMAP), it is on its page within a second or so; elsewhere "
		"it is looked for every poll. Commands in what comes are "
		"answered and mail of the outbox is sent, as far as [send] "
		"lets it (docs/outbox.md). A source that fails is tried "
		"again, first soon and then less and less often, and holds up "
		"no other; culprit problems lists it until it works. Every "
		"other verb but rebuild may be used meanwhile. SIGTERM or SIGINT ends it "
		"with exit code 0, keeping what was read; at SIGHUP it begins "
		"again with the settings as they are then (wrong ones leave "
		"the old ones in force). A second one for the same database "
		"is refused with exit code 4. It says what it does on stderr, "
		"with -q only what is wrong, with -v every look; in the form "
		"of the journal where systemd reads it.",
	.options = options,
	.max_args = 0,
	.run = run,
};
