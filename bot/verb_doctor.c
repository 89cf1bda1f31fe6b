/* verb_doctor.c - is all that the database refers to there and sound? */
#include <string.h>

#include "db/health.h"
#include "db/search.h"

#include "bot/probe.h"
#include "bot/send.h"
#include "bot/verbs.h"

static gboolean offline;

static const GOptionEntry options[] = {
	{"offline", 0, 0, G_OPTION_ARG_NONE, &offline, "ask no servers", NULL},
	{NULL},
};

static void say(GString *out, const char *what, const char *format, ...)
	G_GNUC_PRINTF(3, 4);

static void say(GString *out, const char *what, const char *format, ...)
{
	va_list args;

	g_string_append_printf(out, "%-9s ", what);
	va_start(args, format);
	g_string_append_vprintf(out, format, args);
	va_end(args);
	g_string_append_c(out, '\n');
}

/* The worse of two exit codes; a function, for its arguments do something. */
static int worse(int a, int b)
{
	return MAX(a, b);
}

/* Each check adds lines to `out` and gives an exit code. */

static int check_files(struct session *s, store *st, GString *out)
{
	g_autoptr(GError) err = NULL;

	if (store_check(st, &err)) {
		say(out, "database", "sound: %s", s->db_path);
		return EXIT_DONE;
	}
	say(out, "database", "DAMAGED: restore a backup, or import again");
	return cli_fail(NULL, err);
}

static int check_place(const struct health_place *p, GString *out)
{
	if (!p->fault) {
		say(out, p->kind, "readable: %s, %" G_GUINT64_FORMAT " %s",
		    p->place, p->mails, p->mails == 1 ? "mail" : "mails");
		return EXIT_DONE;
	}
	say(out, p->kind, "UNREADABLE: %s, %" G_GUINT64_FORMAT " %s; %s",
	    p->place, p->mails, p->mails == 1 ? "mail" : "mails",
	    g_str_equal(p->kind, "spool")
		    ? "culprit rebuild, then import them again"
		    : "put it back or import it from where it is now");
	cli_error("%s", p->fault);
	return EXIT_UNREAD;
}

static int check_places(store *st, GString *out)
{
	g_autoptr(GError) err = NULL;
	g_autoptr(GPtrArray) places = health_places(st, &err);
	int rc = EXIT_DONE;

	if (!places)
		return cli_fail(NULL, err);
	for (guint i = 0; i < places->len; i++)
		rc = worse(rc, check_place(places->pdata[i], out));
	return rc;
}

/* What is only late is no fault: the remedy is said. */
static int check_derived(store *st, GString *out)
{
	g_autoptr(GError) err = NULL;
	gboolean pending;
	guint64 gone;
	guint behind;

	if (!health_rebuild(st, &pending, &err) ||
	    !health_gone(st, &gone, &err) || !search_behind(st, &behind, &err))
		return cli_fail(NULL, err);
	if (pending)
		say(out, "rebuild",
		    "not complete: culprit rebuild ends it, or an import");
	if (gone)
		say(out, "rebuild",
		    "could not get at %" G_GUINT64_FORMAT " %s: import again",
		    gone, gone == 1 ? "mail" : "mails");
	if (behind)
		say(out, "index", "%u %s behind: culprit index catches up",
		    behind, behind == 1 ? "message" : "messages");
	else
		say(out, "index", "complete");
	return gone ? EXIT_UNREAD : EXIT_DONE;
}

static int check_store(struct session *s, GString *out)
{
	g_autoptr(store) st = NULL;
	int rc;

	st = cli_store(s, STORE_READ, &rc);
	if (!st)
		return rc;
	rc = check_files(s, st, out);
	if (rc == EXIT_DONE)
		rc = check_places(st, out);
	if (rc != EXIT_DAMAGED)
		rc = worse(rc, check_derived(st, out));
	return rc;
}

/* ---- where mail and commits come from */

/* Without the name, which is said already. */
static const char *words_of(const struct probe *p)
{
	g_autofree char *name = g_strdup_printf("%s %s: ", p->kind, p->name);
	const char *text = p->error->message;

	return g_str_has_prefix(text, name) ? text + strlen(name) : text;
}

static int say_probe(const struct probe *p, GString *out)
{
	const char *remedy;

	if (!p->error) {
		say(out, p->kind, "%s: %s", p->name, p->said);
		return EXIT_DONE;
	}
	remedy = probe_remedy(p->error);
	say(out, p->kind, "%s: FAILED: %s%s%s", p->name, words_of(p),
	    remedy ? "; " : "", remedy ? remedy : "");
	return EXIT_UNREAD;
}

static int check_settings(GPtrArray *remotes, GPtrArray *trees, GString *out)
{
	g_autoptr(GPtrArray) probes =
		probe_all(remotes, trees, offline, NULL, NULL);
	int rc = EXIT_DONE;

	for (guint i = 0; i < probes->len; i++)
		rc = worse(rc, say_probe(probes->pdata[i], out));
	return rc;
}

/* ---- where mail goes to */

static int check_sending(const struct session *s,
			 const struct send_settings *how, GString *out)
{
	const char *mode = config_get(s->config, "send", NULL, "mode");
	g_autoptr(GError) err = NULL;
	const char *remedy;

	/* a dry run opens no socket */
	if (how->ops != &send_smtp || offline || g_str_equal(mode, "dry-run")) {
		say(out, "sending", "mode=%s, transport=%s", mode,
		    how->ops->name);
		return EXIT_DONE;
	}
	if (send_smtp_probe(how, &err)) {
		say(out, "sending", "mode=%s, %s answers%s", mode,
		    how->server->host, how->user ? ", logged in" : "");
		return EXIT_DONE;
	}
	remedy = probe_remedy(err);
	say(out, "sending", "FAILED: %s%s%s", err->message, remedy ? "; " : "",
	    remedy ? remedy : "");
	return EXIT_UNREAD;
}

/* Before the first mail came there may be settings to be tested. */
static gboolean is_new(const struct session *s, GPtrArray *remotes,
		       GPtrArray *trees)
{
	return remotes->len + trees->len &&
	       !g_file_test(s->db_path, G_FILE_TEST_EXISTS);
}

static int run(struct session *s)
{
	g_autoptr(GString) out = g_string_new(NULL);
	const char *file = config_file(s->config);
	g_autoptr(GError) err = NULL;
	g_autoptr(GPtrArray) trees =
		trees_settings(s->config, s->db_path, &err);
	g_autoptr(GPtrArray) remotes =
		trees ? remotes_settings(s->config, s->db_path, &err) : NULL;
	g_autoptr(send_settings_auto) how =
		remotes ? send_settings_new(s->config, s->db_path, &err) : NULL;
	int rc = EXIT_DONE;

	if (!how)
		return cli_fail(NULL, err);
	say(out, "settings", "%s", file ? file : "built-in defaults");
	if (is_new(s, remotes, trees))
		say(out, "database", "none yet: culprit sync makes it");
	else
		rc = check_store(s, out);
	if (rc != EXIT_NONE)
		rc = worse(rc, check_settings(remotes, trees, out));
	if (rc != EXIT_NONE && how->ops->send)
		rc = worse(rc, check_sending(s, how, out));
	if (rc != EXIT_NONE && !cli_write(out->str, out->len))
		return EXIT_UNREAD;
	return rc;
}

const struct verb verb_doctor = {
	.name = "doctor",
	.synopsis = "[--offline]",
	.help = "check database, archives, index, sources and trees",
	.details =
		"Checks that the database is sound, that the raw mail it "
		"refers to can be read (all of the spool, a sample of each "
		"git archive), and that nothing derived is incomplete. "
		"Then asks each source and each git tree of the settings: "
		"connects, logs in, and looks at its groups or mailboxes, "
		"taking nothing; and the server that mail is sent through, "
		"unless it is a dry run. A line each says what is wrong and what "
		"can be done. Changes nothing. Exit code 5: the database is "
		"damaged; 4: mail can't be had, or a source, a tree or "
		"the server for mail does not answer.",
	.options = options,
	.max_args = 0,
	.run = run,
};
