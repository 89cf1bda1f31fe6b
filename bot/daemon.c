/* daemon.c - the daemon's main loop, and what it tells of its sources
 * The loop itself does nothing that could take time: it hears of signals and
 * tells the service manager that it lives. */
#include "bot/daemon.h"

#include <glib-unix.h>
#include <signal.h>
#include <unistd.h>

#include "bot/counts_text.h"
#include "bot/daemon_priv.h"
#include "bot/fetch.h"
#include "bot/log_line.h"
#include "bot/notify.h"

#define TOLD_ONE_BY_ONE 20 /* new mails of one batch */
#define STATUS_SECONDS	30

static int ending; /* atomic */

struct daemon {
	const struct daemon_options *opt;
	GMutex lock; /* of the store and of what is told */
	GCancellable *cancel;
	GMainLoop *loop;
	page_keeper *pages;
	tree_keeper *trees;
	outbox_keeper *outbox;
	fetch *fetch;
	GHashTable *failing; /* names of sources; under the lock */
	guint64 new_mails;   /* under the lock */
	enum daemon_end end; /* of the loop's thread */
	gboolean on_terminal;
	int rc;
};

gboolean daemon_is_ending(void)
{
	return cli_interrupted() || g_atomic_int_get(&ending);
}

/* ---- what sources tell; from their threads, with the store held */

static void on_added(const struct remote *r, const char *const *mids, guint n,
		     void *data)
{
	struct daemon *d = data;

	d->new_mails += n;
	if (n > TOLD_ONE_BY_ONE)
		log_line(LOG_LINE_INFO, "source %s: %u new, <%s> to <%s>",
			 r->name, n, mids[0], mids[n - 1]);
	for (guint i = 0; i < n; i++)
		log_line(n > TOLD_ONE_BY_ONE ? LOG_LINE_DEBUG : LOG_LINE_INFO,
			 "source %s: new <%s>", r->name, mids[i]);
	page_keeper_touch(d->pages, mids, n);
}

static void on_problem(const struct remote *r, const char *text, void *data)
{
	log_line(LOG_LINE_WARNING, "source %s: %s", r->name, text);
}

static void on_following(const struct remote *r, void *data)
{
	struct daemon *d = data;

	g_hash_table_remove(d->failing, r->name);
	log_line(LOG_LINE_INFO, "source %s: up to date, told of new mail",
		 r->name);
}

static gboolean quit_failed(gpointer data)
{
	struct daemon *d = data;

	d->end = DAEMON_FAILED;
	g_main_loop_quit(d->loop);
	return G_SOURCE_REMOVE;
}

static void tell_look(const struct remote *r, const struct ingest_counts *c)
{
	g_autoptr(GString) s = g_string_new(NULL);

	counts_text_mail(s, c);
	log_line(c->seen ? LOG_LINE_INFO : LOG_LINE_DEBUG, "source %s: %s",
		 r->name, s->str);
}

static void on_ended(const struct remote *r, const struct ingest_counts *c,
		     const GError *why, gint64 wait, void *data)
{
	struct daemon *d = data;

	/* copies and deletions are news, too */
	if (c->copies || c->deleted)
		page_keeper_touch(d->pages, NULL, 0);
	tell_look(r, c);
	if (!why) {
		g_hash_table_remove(d->failing, r->name);
		return;
	}
	g_hash_table_add(d->failing, r->name);
	if (wait >= 0) {
		log_line(LOG_LINE_WARNING,
			 "%s; next try in %" G_GINT64_FORMAT " s", why->message,
			 (wait + 999) / 1000);
		return;
	}
	d->rc = cli_fail(NULL, why);
	g_idle_add(quit_failed, d);
}

/* ---- the loop's thread */

static gboolean on_interrupt(gint fd, GIOCondition condition, gpointer data)
{
	struct daemon *d = data;

	d->end = DAEMON_STOPPED;
	g_main_loop_quit(d->loop);
	return G_SOURCE_CONTINUE;
}

static gboolean on_hangup(gpointer data)
{
	struct daemon *d = data;

	/* there it means that the terminal is gone */
	d->end = d->on_terminal ? DAEMON_STOPPED : DAEMON_RELOAD;
	g_main_loop_quit(d->loop);
	return G_SOURCE_CONTINUE;
}

static gboolean on_watchdog(gpointer data)
{
	notify_say("WATCHDOG=1");
	return G_SOURCE_CONTINUE;
}

static gboolean on_status(gpointer data)
{
	struct daemon *d = data;
	g_autofree char *text = NULL;

	/* a batch is being written: next time */
	if (!g_mutex_trylock(&d->lock))
		return G_SOURCE_CONTINUE;
	text = g_strdup_printf("STATUS=%u sources, %u of them failing; %u "
			       "trees; %" G_GUINT64_FORMAT " new mails",
			       d->opt->remotes->len,
			       g_hash_table_size(d->failing),
			       d->opt->trees->len, d->new_mails);
	g_mutex_unlock(&d->lock);
	notify_say(text);
	return G_SOURCE_CONTINUE;
}

static void loop(struct daemon *d)
{
	guint64 watchdog = notify_watchdog();
	guint sources[] = {
		g_unix_fd_add(cli_interrupt_fd(), G_IO_IN, on_interrupt, d),
		g_unix_signal_add(SIGHUP, on_hangup, d),
		g_timeout_add_seconds(STATUS_SECONDS, on_status, d),
		watchdog ? g_timeout_add((guint)(watchdog / 3000), on_watchdog,
					 d)
			 : 0,
	};

	g_main_loop_run(d->loop);
	for (guint i = 0; i < G_N_ELEMENTS(sources); i++)
		if (sources[i])
			g_source_remove(sources[i]);
}

/* ---- */

static gboolean start(struct daemon *d)
{
	const struct daemon_options *opt = d->opt;
	const struct fetch_options with = {
		.st = opt->st,
		.lock = &d->lock,
		.clock = cli_now,
		.stopped = daemon_is_ending,
		.cancel = d->cancel,
		.forever = TRUE,
		.watch = {.added = on_added,
			  .problem = on_problem,
			  .following = on_following,
			  .ended = on_ended,
			  .data = d},
	};
	g_autoptr(GError) err = NULL;

	d->pages = page_keeper_start(opt, &d->lock);
	d->trees = tree_keeper_start(opt, d->cancel, d->pages, &err);
	if (!d->trees) {
		d->rc = cli_fail(NULL, err);
		return FALSE;
	}
	d->outbox = outbox_keeper_start(opt, d->cancel, &err);
	if (err) {
		d->rc = cli_fail(NULL, err);
		return FALSE;
	}
	d->fetch = fetch_start(opt->remotes, &with);
	log_line(LOG_LINE_NOTICE, "running: %u sources, %u trees, database %s",
		 opt->remotes->len, opt->trees->len, opt->s->db_path);
	notify_say("READY=1");
	return TRUE;
}

static void stop(struct daemon *d)
{
	g_atomic_int_set(&ending, 1);
	g_cancellable_cancel(d->cancel);
	fetch_join(d->fetch);
	tree_keeper_end(d->trees);
	outbox_keeper_end(d->outbox);
	page_keeper_end(d->pages);
	g_atomic_int_set(&ending, 0);
}

enum daemon_end daemon_run(const struct daemon_options *opt, int *rc)
{
	struct daemon d = {.opt = opt, .end = DAEMON_FAILED, .rc = EXIT_DONE};

	d.on_terminal = isatty(STDERR_FILENO);
	g_mutex_init(&d.lock);
	d.cancel = g_cancellable_new();
	d.loop = g_main_loop_new(NULL, FALSE);
	d.failing = g_hash_table_new(g_str_hash, g_str_equal);
	if (start(&d))
		loop(&d);
	if (d.end != DAEMON_RELOAD)
		notify_say("STOPPING=1");
	stop(&d);
	while (g_idle_remove_by_data(&d))
		;
	g_hash_table_unref(d.failing);
	g_main_loop_unref(d.loop);
	g_object_unref(d.cancel);
	g_mutex_clear(&d.lock);
	*rc = d.rc;
	return d.end;
}
