/* verb_reply.c - an answer to a mail, printed; sends nothing */
#include <stdio.h>
#include <string.h>

#include "mail/error.h"
#include "mail/msgid.h"
#include "mail/reply.h"
#include "mail/reply_howto.h"

#include "db/archive.h"

#include "bot/mail_files.h"
#include "bot/own_mail.h"
#include "bot/reply_anchors.h"
#include "bot/verbs.h"

static char *parent, *anchors_file, *template_name, *output;
static gboolean to_all, to_author;

static const GOptionEntry options[] = {
	{"parent", 0, 0, G_OPTION_ARG_FILENAME, &parent,
	 "the mail that is answered: its Message-ID, a link to it, or a file",
	 "MSGID|FILE"},
	{"public", 0, 0, G_OPTION_ARG_NONE, &to_all,
	 "to everybody who got it (the default)", NULL},
	{"private", 0, 0, G_OPTION_ARG_NONE, &to_author, "to its author alone",
	 NULL},
	{"anchors", 0, 0, G_OPTION_ARG_FILENAME, &anchors_file,
	 "which lines are answered, and with what", "FILE.json"},
	{"template", 0, 0, G_OPTION_ARG_STRING, &template_name,
	 "the text below the answer: NAME.txt of the templates (signature)",
	 "NAME"},
	{"output", 0, 0, G_OPTION_ARG_STRING, &output,
	 "mbox (default), eml, or howto: a command and a link to answer with",
	 "mbox|eml|howto"},
	{NULL},
};

/* ---- the parent */

static gboolean take_first(struct reading *r, void *data)
{
	struct reading **first = data;

	*first = r;
	return FALSE;
}

static message *from_file(struct session *s, int *rc)
{
	struct reading *r = NULL;
	message *msg;

	*rc = mail_files_read(&parent, 1, take_first, &r);
	if (!r) {
		if (*rc == EXIT_DONE)
			cli_error("reply: %s: no mail in it", parent);
		*rc = EXIT_UNREAD;
		return NULL;
	}
	msg = message_ref(r->msg);
	reading_free(r);
	return msg;
}

static message *from_store(struct session *s, int *rc)
{
	g_autofree char *mid = msgid_from_text(parent);
	g_autoptr(GError) err = NULL;
	g_autoptr(store) st = NULL;
	g_autoptr(GBytes) raw = NULL;
	message *msg = NULL;

	st = cli_store(s, STORE_READ, rc);
	if (!st)
		return NULL;
	*rc = EXIT_NONE;
	raw = archive_raw(st, mid ? mid : parent, &err);
	if (raw)
		msg = message_parse(raw, 0, &err);
	if (err)
		*rc = cli_fail("reply", err);
	else if (!msg)
		cli_error("reply: %s: no file, and no mail of that id is known",
			  parent);
	return msg;
}

static message *find_parent(struct session *s, int *rc)
{
	if (g_str_equal(parent, "-") || g_file_test(parent, G_FILE_TEST_EXISTS))
		return from_file(s, rc);
	return from_store(s, rc);
}

/* ---- the answer */

static struct outgoing *compose(struct session *s, const message *msg,
				const struct reply_anchors *a, GError **err)
{
	g_autoptr(own_mail_auto) own = own_mail_new(s->config, s->now);

	own->reply.everybody = !to_author;
	return reply_new(msg,
			 a ? (const struct quote_anchor *)a->anchors->data
			   : NULL,
			 a ? a->anchors->len : 0, &own->reply, err);
}

static gboolean is_output(const char *form)
{
	return output && g_str_equal(output, form);
}

/* For who writes the answer in a program of his own. */
static int print_howto(const struct outgoing *m)
{
	g_autofree char *command = reply_command(m);
	g_autofree char *link = reply_mailto(m);
	g_autofree char *text =
		g_strdup_printf("%s%s%s", command, link ? link : "",
				link ? "\n" : "");

	return cli_write(text, -1) ? EXIT_DONE : EXIT_UNREAD;
}

static int print(struct session *s, const message *msg, GError **err)
{
	struct reply_anchors *a = NULL;
	g_autoptr(outgoing_auto) m = NULL;
	g_autoptr(GBytes) bytes = NULL;

	if (anchors_file) {
		a = reply_anchors_read(anchors_file, err);
		if (!a)
			return cli_fail("reply", *err);
	}
	m = compose(s, msg, a, err);
	reply_anchors_free(a);
	if (m && is_output("howto"))
		return print_howto(m);
	if (m && own_mail_sign(m, s->config, template_name, err))
		bytes = outgoing_write(m,
				       is_output("eml") ? OUTGOING_EML
							: OUTGOING_MBOX,
				       TRUE, err);
	if (!bytes)
		return cli_fail("reply", *err);
	return cli_write(g_bytes_get_data(bytes, NULL),
			 (gssize)g_bytes_get_size(bytes))
		       ? EXIT_DONE
		       : EXIT_UNREAD;
}

static const char *wrong_usage(struct session *s)
{
	if (!parent)
		return "say which mail is answered: --parent MSGID|FILE";
	if (to_all && to_author)
		return "--public and --private exclude each other";
	if (output && !is_output("mbox") && !is_output("eml") &&
	    !is_output("howto"))
		return "--output must be mbox, eml or howto";
	if (!config_get(s->config, "bot", NULL, "address"))
		return "who answers? Set address= in [bot] of the settings";
	return NULL;
}

static int run(struct session *s)
{
	const char *wrong = wrong_usage(s);
	g_autoptr(GError) err = NULL;
	g_autoptr(message) msg = NULL;
	int rc;

	if (wrong) {
		cli_error("reply: %s", wrong);
		return EXIT_USAGE;
	}
	msg = find_parent(s, &rc);
	return msg ? print(s, msg, &err) : rc;
}

const struct verb verb_reply = {
	.name = "reply",
	.synopsis = "--parent MSGID|FILE [--public|--private] [--anchors "
		    "FILE.json] [--template NAME] [--output mbox|eml|howto]",
	.help = "print an answer to a mail; sends nothing",
	.details =
		"Prints an answer as a mail that mutt -H, git send-email and "
		"b4 take: recipients, subject and References from the mail "
		"that is answered, its lines quoted with our text below each. "
		"The file of anchors is a list of {\"lines\": [first, last], "
		"\"text\": \"...\"}, lines counted from 1 in the text that "
		"parse --body prints, in their order; an empty text quotes "
		"and goes on with the next one. What is quoted are those "
		"lines and what is needed to understand them: the rest of a "
		"short paragraph, the heads of a table, of a hunk, of a "
		"trace, who said it; a left-out part between two quotes is "
		"marked. Without anchors all is quoted, for a person to cut. "
		"Our lines are wrapped at 72 columns; links, tables, diffs, "
		"trailers and commands are not. Sender is the [bot] of the "
		"settings. --output howto prints a git send-email command and "
		"a mailto link for the same recipients instead.",
	.options = options,
	.max_args = 0,
	.run = run,
};
