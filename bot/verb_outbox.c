/* verb_outbox.c - mail that waits to go out: looked at, decided, sent */
#include <string.h>

#include "bot/outbox_run.h"
#include "bot/outbox_settings.h"
#include "bot/outbox_text.h"
#include "bot/plain_text.h"
#include "bot/verbs.h"
#include "bot/view.h"

#define SETTLED                                         \
	((1u << OUTBOX_SENT) | (1u << OUTBOX_PARTIAL) | \
	 (1u << OUTBOX_FAILED) | (1u << OUTBOX_CANCELLED))
#define EVERY_STATE ((1u << (OUTBOX_CANCELLED + 1)) - 1)

static gboolean as_json, all;
static char *state_name, *reason, *redirect;

static const GOptionEntry options[] = {
	{"json", 0, 0, G_OPTION_ARG_NONE, &as_json,
	 "list, show: one JSON object a line", NULL},
	{"all", 0, 0, G_OPTION_ARG_NONE, &all,
	 "list: with those that are settled", NULL},
	{"state", 0, 0, G_OPTION_ARG_STRING, &state_name,
	 "list: those in this state", "STATE"},
	{"reason", 0, 0, G_OPTION_ARG_STRING, &reason,
	 "hold, drop, stop: why; it is kept", "TEXT"},
	{"redirect-to", 0, 0, G_OPTION_ARG_STRING, &redirect,
	 "send: all goes to this address instead, the headers as they are",
	 "ADDRESS"},
	{NULL},
};

/* ---- what the arguments name */

/* Of gint64; NULL after saying why. */
static GArray *find_ids(struct session *s, store *st, int *rc)
{
	g_autoptr(GArray) ids = g_array_new(FALSE, FALSE, sizeof(gint64));
	g_autoptr(GError) err = NULL;

	for (int i = 1; i < s->argc; i++) {
		gint64 id = outbox_find(st, s->argv[i], &err);

		if (id < 0) {
			*rc = cli_fail(s->db_path, err);
			return NULL;
		}
		if (!id) {
			cli_error("outbox: %s: there is none", s->argv[i]);
			*rc = EXIT_NONE;
			return NULL;
		}
		g_array_append_val(ids, id);
	}
	return g_steal_pointer(&ids);
}

static int write_out(GString *out)
{
	if (!as_json)
		plain_text(out->str);
	return cli_write(out->str, -1) ? EXIT_DONE : EXIT_UNREAD;
}

/* ---- list, show, diff */

static int list(struct session *s, store *st)
{
	int state = state_name ? outbox_state_find(state_name) : -1;
	guint mask = all ? EVERY_STATE : EVERY_STATE & ~SETTLED;
	g_autoptr(GError) err = NULL;
	g_autoptr(GPtrArray) found = NULL;
	g_autoptr(GString) out = g_string_new(NULL);
	int rc;

	if (state_name && state < 0) {
		cli_error("outbox: --state must be draft, held, approved, "
			  "sending, sent, partial, uncertain, retry, failed or "
			  "cancelled");
		return EXIT_USAGE;
	}
	found = outbox_list_load(st, state < 0 ? mask : 1u << state, &err);
	if (!found)
		return cli_fail(s->db_path, err);
	for (guint i = 0; i < found->len; i++) {
		const struct outbox_entry *e = found->pdata[i];
		g_autofree char *line = NULL;

		if (!as_json) {
			outbox_text(out, e);
			continue;
		}
		line = view_line_take(outbox_view(e, NULL));
		g_string_append(out, line);
	}
	rc = write_out(out);
	return rc == EXIT_DONE && !found->len ? EXIT_NONE : rc;
}

static int show_one(struct session *s, store *st, gint64 id)
{
	g_autoptr(GError) err = NULL;
	g_autoptr(outbox_entry_auto) e = outbox_load(st, id, &err);
	g_autoptr(GPtrArray) history = e ? outbox_history(st, id, &err) : NULL;
	g_autoptr(GString) out = g_string_new(NULL);
	g_autofree char *line = NULL;

	if (!history)
		return cli_fail(s->db_path, err);
	if (as_json) {
		line = view_line_take(outbox_view(e, history));
		g_string_append(out, line);
	} else {
		outbox_text_whole(out, e, history);
	}
	return write_out(out);
}

static int diff_one(struct session *s, store *st, gint64 id)
{
	g_autoptr(GError) err = NULL;
	g_autoptr(outbox_entry_auto) e = outbox_load(st, id, &err);
	g_autofree char *text = NULL;

	if (!e)
		return cli_fail(s->db_path, err);
	if (!e->approved_text) {
		cli_error("outbox %" G_GINT64_FORMAT ": it was never approved",
			  id);
		return EXIT_NONE;
	}
	text = outbox_diff(e);
	if (!text)
		return EXIT_NONE;
	return cli_write(plain_text(text), -1) ? EXIT_DONE : EXIT_UNREAD;
}

static int each(struct session *s, store *st,
		int (*fn)(struct session *, store *, gint64))
{
	int rc = EXIT_DONE;
	g_autoptr(GArray) ids = find_ids(s, st, &rc);

	for (guint i = 0; ids && rc == EXIT_DONE && i < ids->len; i++)
		rc = fn(s, st, g_array_index(ids, gint64, i));
	return rc;
}

static int show(struct session *s, store *st)
{
	return each(s, st, show_one);
}

static int diff(struct session *s, store *st)
{
	return each(s, st, diff_one);
}

/* ---- approve, hold, drop */

static void say(const struct outbox_entry *e)
{
	g_autoptr(GString) out = g_string_new(NULL);

	outbox_text(out, e);
	write_out(out);
}

static int say_one(store *st, gint64 id)
{
	g_autoptr(GError) err = NULL;
	g_autoptr(outbox_entry_auto) e = outbox_load(st, id, &err);

	if (!e)
		return cli_fail(NULL, err);
	say(e);
	return EXIT_DONE;
}

static int approve_one(struct session *s, store *st, gint64 id)
{
	g_autoptr(GError) err = NULL;
	g_autoptr(outbox_policy_auto) p = outbox_policy_new(s->config);

	return outbox_approve(st, id, p, s->now, &err) ? say_one(st, id)
						       : cli_fail(NULL, err);
}

static int hold_one(struct session *s, store *st, gint64 id)
{
	g_autoptr(GError) err = NULL;

	return outbox_hold(st, id, reason ? reason : "by a person", s->now,
			   &err)
		       ? say_one(st, id)
		       : cli_fail(NULL, err);
}

static int drop_one(struct session *s, store *st, gint64 id)
{
	g_autoptr(GError) err = NULL;

	return outbox_drop(st, id, reason ? reason : "by a person", s->now,
			   &err)
		       ? say_one(st, id)
		       : cli_fail(NULL, err);
}

static int approve(struct session *s, store *st)
{
	return each(s, st, approve_one);
}

static int hold(struct session *s, store *st)
{
	return each(s, st, hold_one);
}

static int drop(struct session *s, store *st)
{
	return each(s, st, drop_one);
}

/* ---- stop, resume */

static int stop(struct session *s, store *st)
{
	g_autoptr(GError) err = NULL;

	return outbox_stop(st, reason ? reason : "by a person", s->now, &err)
		       ? EXIT_DONE
		       : cli_fail(s->db_path, err);
}

static int resume(struct session *s, store *st)
{
	g_autoptr(GError) err = NULL;

	return outbox_resume(st, &err) ? EXIT_DONE : cli_fail(s->db_path, err);
}

/* ---- send */

struct sending {
	guint done, failed;
};

static void told(const struct outbox_entry *e, enum outbox_state state,
		 const struct outbox_result *r, void *data)
{
	struct sending *n = data;
	g_autoptr(GString) out = g_string_new(NULL);

	g_string_append_printf(out, "%" G_GINT64_FORMAT " %s: %s\n", e->id,
			       outbox_state_name(state), e->mail->subject);
	for (guint i = 0; i < r->replies->len; i++) {
		const struct outbox_reply *o =
			&g_array_index(r->replies, struct outbox_reply, i);
		const struct outbox_rcpt *to = e->rcpts->pdata[o->number - 1];

		g_string_append_printf(out, "    %s: %s, %u %s\n", to->address,
				       outbox_told_name(o->told), o->code,
				       o->text);
	}
	if (r->note)
		g_string_append_printf(out, "    %s\n", r->note);
	if (state == OUTBOX_SENT)
		n->done++;
	else
		n->failed++;
	cli_write(plain_text(out->str), -1);
}

/* A dry run: the mails as files, for a look. */
static int render(struct session *s, store *st, const char *folder)
{
	g_autoptr(GError) err = NULL;
	g_autoptr(GPtrArray) found =
		outbox_list_load(st,
				 (1u << OUTBOX_DRAFT) | (1u << OUTBOX_HELD) |
					 (1u << OUTBOX_APPROVED),
				 &err);

	if (!found)
		return cli_fail(s->db_path, err);
	if (found->len && g_mkdir_with_parents(folder, 0700)) {
		cli_error("%s: cannot make the folder", folder);
		return EXIT_UNREAD;
	}
	for (guint i = 0; i < found->len; i++) {
		const struct outbox_entry *e = found->pdata[i];
		g_autofree char *name =
			g_strdup_printf("%" G_GINT64_FORMAT ".eml", e->id);
		g_autofree char *path = g_build_filename(folder, name, NULL);
		g_autofree char *eml = outbox_eml(e);
		g_autofree char *line =
			g_strdup_printf("%" G_GINT64_FORMAT " not sent: %s\n",
					e->id, path);

		if (eml && !g_file_set_contents(path, eml, -1, &err))
			return cli_fail(NULL, err);
		if (!cli_write(line, -1))
			return EXIT_UNREAD;
	}
	return found->len ? EXIT_DONE : EXIT_NONE;
}

static int send_them(const struct outbox_run *how, GArray *ids)
{
	struct sending n = {0};
	struct outbox_run r = *how;
	g_autoptr(GError) err = NULL;
	gint64 next;

	r.told = told;
	r.data = &n;
	if (!outbox_run_once(&r, (const gint64 *)ids->data, ids->len, &next,
			     &err))
		return cli_fail(NULL, err);
	if (n.failed)
		return EXIT_UNREAD;
	return n.done ? EXIT_DONE : EXIT_NONE;
}

static int send_mail(struct session *s, store *st)
{
	int rc = EXIT_DONE;
	g_autoptr(GArray) ids = find_ids(s, st, &rc);
	g_autoptr(GError) err = NULL;
	g_autoptr(outbox_policy_auto) policy = outbox_policy_new(s->config);
	g_autoptr(send_settings_auto) settings =
		send_settings_new(s->config, s->db_path, &err);
	struct outbox_run r = {.st = st,
			       .db_path = s->db_path,
			       .policy = policy,
			       .settings = settings,
			       .redirect = redirect,
			       .clock = cli_now,
			       .stopped = cli_interrupted};
	g_autofree char *barred = NULL;

	if (!ids)
		return rc;
	barred = settings ? outbox_run_barred(&r, &err) : NULL;
	if (err)
		return cli_fail(NULL, err);
	if (!barred)
		return send_them(&r, ids);
	cli_error("outbox: nothing is sent: %s", barred);
	return policy->mode == OUTBOX_DRY_RUN ? render(s, st, settings->folder)
					      : EXIT_NONE;
}

/* ---- */

static const struct action {
	const char *name;
	gboolean writes, wants_ids, takes_ids;
	int (*run)(struct session *s, store *st);
} actions[] = {
	{"list", FALSE, FALSE, FALSE, list},
	{"show", FALSE, TRUE, TRUE, show},
	{"diff", FALSE, TRUE, TRUE, diff},
	{"approve", TRUE, TRUE, TRUE, approve},
	{"hold", TRUE, TRUE, TRUE, hold},
	{"drop", TRUE, TRUE, TRUE, drop},
	{"send", TRUE, FALSE, TRUE, send_mail},
	{"stop", TRUE, FALSE, FALSE, stop},
	{"resume", TRUE, FALSE, FALSE, resume},
};

static const struct action *find_action(const char *name)
{
	for (guint i = 0; i < G_N_ELEMENTS(actions); i++)
		if (g_str_equal(actions[i].name, name))
			return &actions[i];
	return NULL;
}

static const char *wrong_usage(struct session *s, const struct action *a)
{
	if (!a)
		return "say what: list, show, diff, approve, hold, drop, send, "
		       "stop or resume";
	if (a->wants_ids && s->argc < 2)
		return "say which: its number or Message-ID";
	if (!a->takes_ids && s->argc > 1)
		return "too many arguments";
	if (redirect && (a->run != send_mail || !strchr(redirect, '@') ||
			 strpbrk(redirect, " \t\r\n<>,")))
		return "--redirect-to wants one address, and is for send";
	return NULL;
}

static int run(struct session *s)
{
	const struct action *a = find_action(s->argv[0]);
	const char *wrong = wrong_usage(s, a);
	g_autoptr(store) st = NULL;
	int rc;

	if (wrong) {
		cli_error("outbox: %s", wrong);
		return EXIT_USAGE;
	}
	st = a->writes ? cli_store_present(s, &rc)
		       : cli_store(s, STORE_READ, &rc);
	return st ? a->run(s, st) : rc;
}

const struct verb verb_outbox = {
	.name = "outbox",
	.synopsis = "list|show|diff|approve|hold|drop|send|stop|resume "
		    "[--json] [--all] [--state STATE] [--reason TEXT] "
		    "[--redirect-to ADDRESS] [ID...]",
	.help = "look at mail that waits to go out, decide on it, send it",
	.details =
		"list shows what is not settled, with --all everything; show "
		"one mail whole, with its history; diff what would go out "
		"against what was approved. approve seals a draft or a held "
		"mail as it is; mail to lists, or to more than 3, then waits "
		"for the time of hold= in [send], in which drop takes it back. "
		"hold makes it wait for a person, drop cancels it. send sends "
		"what is due, or the approved ones that are named at once, by "
		"the transport of the settings; in a dry run it writes the "
		"mails as files beside the database instead. stop sends "
		"nothing until resume; a file STOP in the folder of the "
		"database does the same. ID is a number or a Message-ID. Exit "
		"code 1: there is none, nothing to send, or no difference; 2: "
		"its state does not allow it; 4: a mail did not go out to all. "
		"docs/outbox.md tells the rules.",
	.options = options,
	.min_args = 1,
	.max_args = -1,
	.run = run,
};
