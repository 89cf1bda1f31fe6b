/* thread_fetch.c - a thread, brought in from the archives of the settings */
#include "bot/thread_fetch.h"

#include <poll.h>

#include "bot/ingest.h"

/* An interrupt ends the wait for a server. */
struct watch {
	GCancellable *cancel, *over;
	GThread *thread;
};

static gpointer watch_thread(gpointer data)
{
	struct watch *w = data;
	struct pollfd fds[2] = {{cli_interrupt_fd(), POLLIN, 0},
				{g_cancellable_get_fd(w->over), POLLIN, 0}};

	while (poll(fds, 2, -1) < 0)
		;
	if (fds[0].revents)
		g_cancellable_cancel(w->cancel);
	g_cancellable_release_fd(w->over);
	return NULL;
}

static void watch_start(struct watch *w)
{
	w->cancel = g_cancellable_new();
	w->over = g_cancellable_new();
	w->thread = g_thread_new("watch", watch_thread, w);
}

static void watch_end(struct watch *w)
{
	g_cancellable_cancel(w->over);
	g_thread_join(w->thread);
	g_object_unref(w->cancel);
	g_object_unref(w->over);
}

/* One source that could not be asked is no reason not to ask the next. */
static int ask_all(GPtrArray *remotes, ingest *in, const char *mid,
		   guint *asked)
{
	int rc = EXIT_DONE;

	for (guint i = 0; i < remotes->len && !cli_interrupted(); i++) {
		const struct remote *r = remotes->pdata[i];
		g_autoptr(GError) err = NULL;
		gboolean found = FALSE;

		if (!r->ops->thread)
			continue;
		++*asked;
		if (!ingest_thread(in, r, mid, &found, &err) &&
		    !g_error_matches(err, NET_ERROR, NET_ERROR_STOPPED))
			rc = cli_fail(r->name, err);
		if (found)
			break;
	}
	return rc;
}

int thread_fetch(struct session *s, store *st, const char *mid)
{
	struct watch w;
	struct ingest_options opt = {.index = TRUE,
				     .clock = cli_now,
				     .stopped = cli_interrupted};
	g_autoptr(GError) err = NULL;
	g_autoptr(GPtrArray) remotes =
		remotes_settings(s->config, s->db_path, &err);
	g_autoptr(ingest) in = NULL;
	guint asked = 0;
	int rc;

	if (!remotes)
		return cli_fail(NULL, err);
	watch_start(&w);
	opt.cancel = w.cancel;
	in = ingest_new(st, &opt);
	rc = ask_all(remotes, in, mid, &asked);
	if (!ingest_finish(in, &err))
		rc = cli_fail(NULL, err);
	watch_end(&w);
	if (asked || rc != EXIT_DONE)
		return rc;
	cli_error("thread: --fetch: the settings have no [source] of type http "
		  "or inbox to ask");
	return EXIT_USAGE;
}
