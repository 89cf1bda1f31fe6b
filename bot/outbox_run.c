/* outbox_run.c - the sender: takes from the outbox what is due, and sends it
 * The claim is on disk before a byte leaves; what comes between the two and the
 * result is uncertain, and is never guessed. */
#include "bot/outbox_run.h"

#include <string.h>
#include <unistd.h>

#include "bot/lock_file.h"

#define LOCK_SUFFIX "-outbox.lock"
#define JITTER	    200 /* per mille */
#define MAX_ONE_RUN 1000

char *outbox_run_barred(const struct outbox_run *r, GError **err)
{
	g_autofree char *folder = g_path_get_dirname(r->db_path);
	g_autofree char *file =
		g_build_filename(folder, OUTBOX_STOP_FILE, NULL);

	if (r->policy->mode == OUTBOX_DRY_RUN)
		return g_strdup("mode=dry-run");
	if (!r->settings->ops->send)
		return g_strdup("transport=null");
	if (g_file_test(file, G_FILE_TEST_EXISTS))
		return g_strdup_printf("there is a file %s", file);
	return outbox_stopped(r->st, err);
}

/* Bounces come back to it: which mail, and which recipient if it is one. */
static char *envelope_sender(const struct send_settings *s,
			     const struct send_job *job)
{
	const char *at = strrchr(s->address, '@');
	gsize local = strcspn(s->address, "+@");
	guint number = 0;

	if (job->rcpts->len == 1)
		number = ((struct outbox_rcpt *)job->rcpts->pdata[0])->number;
	return g_strdup_printf("%.*s+b-%" G_GINT64_FORMAT "-%u%s", (int)local,
			       s->address, job->entry->id, number, at);
}

static GPtrArray *open_ones(const struct outbox_entry *e)
{
	GPtrArray *all = g_ptr_array_new();

	for (guint i = 0; i < e->rcpts->len; i++) {
		struct outbox_rcpt *to = e->rcpts->pdata[i];

		if (to->told == OUTBOX_PENDING || to->told == OUTBOX_TEMP)
			g_ptr_array_add(all, to);
	}
	return all;
}

/* ---- who runs it is told of what did not go out, once */

struct alert {
	const struct outbox_run *r;
	const struct outbox_entry *e;
	enum outbox_state state;
};

static void describe(GString *out, const struct outbox_entry *e)
{
	for (guint i = 0; i < e->rcpts->len; i++) {
		const struct outbox_rcpt *to = e->rcpts->pdata[i];

		if (to->told == OUTBOX_PERM)
			g_string_append_printf(out, "  %s: %u %s\n",
					       to->address, to->code, to->text);
	}
}

static gboolean add_alert(store *st, void *data, GError **err)
{
	const struct alert *a = data;
	g_autoptr(outbox_entry_auto) now = outbox_load(st, a->e->id, err);
	g_autoptr(outgoing_auto) m = outgoing_new();
	g_autoptr(GString) out = g_string_new(NULL);
	struct outbox_draft d = {.kind = OUTBOX_ALERT,
				 .rule = "a mail did not go out",
				 .mail = m};
	struct outbox_fate fate;

	if (!now)
		return FALSE;
	m->from = address_new(a->r->policy->name, a->r->policy->address);
	for (char **o = a->r->policy->operators; o && *o; o++)
		g_ptr_array_add(m->to, address_new("", *o));
	m->subject = g_strdup_printf("outbox %" G_GINT64_FORMAT ": %s",
				     a->e->id, outbox_state_name(a->state));
	g_string_append_printf(out,
			       "This mail did not go out to all:\n\n"
			       "  %s\n  <%s>\n\n",
			       now->mail->subject, now->message_id);
	describe(out, now);
	g_string_append_printf(out,
			       "\nculprit outbox show %" G_GINT64_FORMAT
			       " tells all of it.\n",
			       a->e->id);
	m->body = g_string_free(g_steal_pointer(&out), FALSE);
	if (!outbox_add(st, &d, a->r->policy, a->r->clock(), &fate, err))
		return FALSE;
	outbox_fate_clear(&fate);
	return TRUE;
}

static gboolean alert(const struct outbox_run *r, const struct outbox_entry *e,
		      enum outbox_state state, GError **err)
{
	struct alert a = {r, e, state};

	if ((state != OUTBOX_FAILED && state != OUTBOX_PARTIAL) ||
	    e->kind == OUTBOX_ALERT || !r->policy->operators ||
	    !r->policy->operators[0])
		return TRUE;
	return store_transact(r->st, add_alert, &a, err);
}

/* ---- */

static gboolean send_one(const struct outbox_run *r, sender *x,
			 const struct outbox_entry *e, gboolean *host,
			 GError **err)
{
	g_autoptr(GPtrArray) rcpts = open_ones(e);
	struct send_job job = {.entry = e,
			       .rcpts = rcpts,
			       .redirect = r->redirect};
	struct outbox_result result;
	enum outbox_state state;
	gboolean ok;

	outbox_result_init(&result);
	job.sender = envelope_sender(r->settings, &job);
	r->settings->ops->send(x, &job, &result);
	g_free(job.sender);
	if (r->redirect && !result.note)
		result.note = g_strdup_printf("redirected to %s", r->redirect);
	ok = outbox_settle(r->st, e->id, &result,
			   g_random_int_range(-JITTER, JITTER + 1), r->clock(),
			   &state, err);
	if (ok && r->told)
		r->told(e, state, &result, r->data);
	ok = ok && alert(r, e, state, err);
	*host = result.host;
	outbox_result_clear(&result);
	return ok;
}

static gboolean send_all(const struct outbox_run *r, sender *x,
			 const gint64 *ids, guint n, gint64 *next, GError **err)
{
	gboolean host = FALSE;
	guint most = n ? n : MAX_ONE_RUN;

	for (guint i = 0; i < most && !host; i++) {
		g_autoptr(outbox_entry_auto) e = NULL;
		g_autoptr(GError) why = NULL;
		g_autofree char *barred = outbox_run_barred(r, &why);

		if (!why && (barred || (r->stopped && r->stopped())))
			return TRUE;
		if (!why)
			e = outbox_claim(r->st, n ? ids[i] : 0, r->policy,
					 r->clock(), next, &why);
		if (why) {
			g_propagate_error(err, g_steal_pointer(&why));
			return FALSE;
		}
		if (e && !send_one(r, x, e, &host, err))
			return FALSE;
		if (!e && !n)
			break;
	}
	return TRUE;
}

gboolean outbox_run_once(const struct outbox_run *r, const gint64 *ids, guint n,
			 gint64 *next, GError **err)
{
	g_autofree char *path = g_strconcat(r->db_path, LOCK_SUFFIX, NULL);
	sender x = {.s = r->settings, .cancel = r->cancel};
	gboolean ok;
	int lock = lock_file_take(path, err);

	*next = 0;
	if (lock < 0)
		return FALSE;
	ok = outbox_recover(r->st, r->clock(), err) >= 0 &&
	     outbox_reconcile(r->st, r->clock(), err) >= 0 &&
	     send_all(r, &x, ids, n, next, err);
	sender_clear(&x);
	close(lock);
	return ok;
}
