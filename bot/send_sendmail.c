/* send_sendmail.c - mail handed to the sendmail program of this machine
 * No shell; the recipients are told apart from the headers. */
#include <string.h>
#include <sysexits.h>

#include "bot/send.h"

struct handing {
	GMainLoop *loop;
	GError *err;
	GCancellable *cancel;
	gboolean late;
};

static void on_done(GObject *source, GAsyncResult *res, gpointer data)
{
	struct handing *h = data;

	g_subprocess_communicate_finish(G_SUBPROCESS(source), res, NULL, NULL,
					&h->err);
	g_main_loop_quit(h->loop);
}

static gboolean on_late(gpointer data)
{
	struct handing *h = data;

	h->late = TRUE;
	g_cancellable_cancel(h->cancel);
	return G_SOURCE_REMOVE;
}

/* FALSE: it was ended, or its input was cut. */
static gboolean hand_over(GSubprocess *p, GBytes *mail, char **why)
{
	g_autoptr(GMainContext) context = g_main_context_new();
	struct handing h = {.cancel = g_cancellable_new()};
	GSource *timer = g_timeout_source_new_seconds(SEND_SECONDS);

	g_main_context_push_thread_default(context);
	h.loop = g_main_loop_new(context, FALSE);
	g_source_set_callback(timer, on_late, &h, NULL);
	g_source_attach(timer, context);
	g_subprocess_communicate_async(p, mail, h.cancel, on_done, &h);
	g_main_loop_run(h.loop);
	if (h.err) {
		*why = g_strdup(h.late ? "it took too long" : h.err->message);
		g_subprocess_force_exit(p);
		g_subprocess_wait(p, NULL, NULL);
	}
	g_source_destroy(timer);
	g_source_unref(timer);
	g_main_context_pop_thread_default(context);
	g_main_loop_unref(h.loop);
	g_object_unref(h.cancel);
	g_clear_error(&h.err);
	return *why == NULL;
}

static void judge(GSubprocess *p, const struct send_job *job,
		  struct outbox_result *r)
{
	g_autofree char *text = NULL;
	int code;

	if (!g_subprocess_get_if_exited(p)) {
		r->uncertain = TRUE;
		r->note = g_strdup("sendmail was killed");
		return;
	}
	code = g_subprocess_get_exit_status(p);
	text = g_strdup_printf("sendmail ended with %d", code);
	if (code == 0)
		send_tell_all(job, r, OUTBOX_OK, 0, text);
	else
		send_tell_all(job, r,
			      code == EX_TEMPFAIL ? OUTBOX_TEMP : OUTBOX_PERM,
			      (guint)code, text);
}

static GSubprocess *start(sender *x, const struct send_job *job, GError **err)
{
	g_autoptr(GPtrArray) argv = g_ptr_array_new();
	g_autoptr(GPtrArray) to = send_addresses(job);

	g_ptr_array_add(argv, x->s->program);
	g_ptr_array_add(argv, (char *)"-i");
	g_ptr_array_add(argv, (char *)"-f");
	g_ptr_array_add(argv, job->sender);
	g_ptr_array_add(argv, (char *)"--");
	for (guint i = 0; i < to->len; i++) /* its NULL, too */
		g_ptr_array_add(argv, to->pdata[i]);
	return g_subprocess_newv((const char *const *)argv->pdata,
				 G_SUBPROCESS_FLAGS_STDIN_PIPE |
					 G_SUBPROCESS_FLAGS_STDOUT_SILENCE |
					 G_SUBPROCESS_FLAGS_STDERR_SILENCE,
				 err);
}

static void hand(sender *x, const struct send_job *job, struct outbox_result *r)
{
	g_autoptr(GError) err = NULL;
	g_autofree char *why = NULL;
	g_autoptr(GBytes) mail = send_bytes(job, OUTGOING_EML, TRUE, &err);
	g_autoptr(GSubprocess) p = NULL;

	if (!mail) {
		send_tell_all(job, r, OUTBOX_PERM, 0, err->message);
		return;
	}
	p = start(x, job, &err);
	if (!p) {
		r->host = TRUE;
		send_tell_all(job, r, OUTBOX_TEMP, 0, err->message);
		return;
	}
	if (hand_over(p, mail, &why)) {
		judge(p, job, r);
		return;
	}
	/* it may have ended before it read all: then its word counts */
	if (g_subprocess_get_if_exited(p) &&
	    g_subprocess_get_exit_status(p) != 0) {
		judge(p, job, r);
		return;
	}
	r->uncertain = TRUE;
	r->note = g_strdup_printf("sendmail: %s", why);
}

const struct send_ops send_sendmail = {.name = "sendmail", .send = hand};
