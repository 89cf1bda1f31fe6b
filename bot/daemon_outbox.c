/* daemon_outbox.c - a thread that answers what came and sends what is due
 * With a connection of its own; it looks often, since looking is cheap, and
 * takes the lock only where there is something to do. */
#include "bot/daemon_priv.h"
#include "bot/fetch.h"
#include "bot/log_line.h"
#include "bot/outbox_run.h"
#include "bot/outbox_settings.h"
#include "bot/source.h"

#define LOOK_MS	  1000
#define FAILED_MS 30000
#define BARRED_MS 5000

struct outbox_keeper {
	struct outbox_policy *policy;
	struct send_settings *settings;
	struct outbox_run run; /* not cancelled: a mail in hand is finished */
	GCancellable *cancel;
	void *git;
	const config *config;
	GThread *thread;
	gboolean barred; /* told already */
};

static void told(const struct outbox_entry *e, enum outbox_state state,
		 const struct outbox_result *r, void *data)
{
	(void)r;
	(void)data;
	log_line(state == OUTBOX_SENT ? LOG_LINE_INFO : LOG_LINE_WARNING,
		 "outbox %" G_GINT64_FORMAT ": %s <%s>", e->id,
		 outbox_state_name(state), e->message_id);
}

/* Milliseconds until the next look. */
static guint64 look(outbox_keeper *k)
{
	g_autoptr(GError) err = NULL;
	g_autofree char *barred = NULL;
	gint64 next;
	int work = daemon_answer(k->run.st, k->config, k->policy, &err)
			   ? outbox_has_work(k->run.st, cli_now(), &err)
			   : -1;

	if (work > 0)
		outbox_run_once(&k->run, NULL, 0, &next, &err);
	/* somebody else sends: fine */
	if (g_error_matches(err, G_FILE_ERROR, G_FILE_ERROR_AGAIN))
		return LOOK_MS;
	if (!err && work > 0)
		barred = outbox_run_barred(&k->run, &err);
	if (err) {
		log_line(LOG_LINE_WARNING, "outbox: %s", err->message);
		return FAILED_MS;
	}
	if (barred && !k->barred)
		log_line(LOG_LINE_WARNING, "outbox: nothing is sent: %s",
			 barred);
	k->barred = barred != NULL;
	return barred ? BARRED_MS : LOOK_MS;
}

static gpointer run_looks(gpointer data)
{
	outbox_keeper *k = data;
	guint64 wait = 0;

	while (fetch_wait(k->cancel, wait))
		wait = look(k);
	return NULL;
}

static gboolean prepare(outbox_keeper *k, const struct daemon_options *opt,
			GError **err)
{
	k->git = source_git_cache_new();
	k->run = (struct outbox_run){.st = cli_store_open(opt->s, STORE_WRITE,
							  k->git, err),
				     .db_path = opt->s->db_path,
				     .policy = k->policy,
				     .settings = k->settings,
				     .clock = cli_now,
				     .stopped = daemon_is_ending,
				     .told = told};
	k->config = opt->s->config;
	return k->run.st && outbox_news_begin(k->run.st, err);
}

outbox_keeper *outbox_keeper_start(const struct daemon_options *opt,
				   GCancellable *cancel, GError **err)
{
	outbox_keeper *k = g_new0(outbox_keeper, 1);

	k->policy = outbox_policy_new(opt->s->config);
	k->settings = send_settings_new(opt->s->config, opt->s->db_path, err);
	if (!k->settings || !k->policy->address || !prepare(k, opt, err)) {
		outbox_keeper_end(k);
		return NULL;
	}
	k->cancel = g_object_ref(cancel);
	k->thread = g_thread_new("outbox", run_looks, k);
	return k;
}

void outbox_keeper_end(outbox_keeper *k)
{
	if (!k)
		return;
	if (k->thread)
		g_thread_join(k->thread);
	g_clear_object(&k->cancel);
	store_close(k->run.st);
	if (k->git)
		source_git_cache_free(k->git);
	send_settings_free(k->settings);
	outbox_policy_free(k->policy);
	g_free(k);
}
