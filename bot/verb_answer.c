/* verb_answer.c - what a mail would be answered, and why; sends nothing */
#include "mail/outgoing.h"

#include "bot/answer.h"
#include "bot/mail_files.h"
#include "bot/plain_text.h"
#include "bot/verbs.h"
#include "bot/view.h"

static gboolean as_json;

static const GOptionEntry options[] = {
	{"json", 0, 0, G_OPTION_ARG_NONE, &as_json, "as one JSON object", NULL},
	{NULL},
};

static gboolean take_first(struct reading *r, void *data)
{
	GBytes **raw = data;

	*raw = g_bytes_ref(message_raw(r->msg));
	reading_free(r);
	return FALSE;
}

static void add_commands(GString *out, const struct answer *a)
{
	for (guint n = 0; n < a->commands->len; n++) {
		const struct answer_command *c = a->commands->pdata[n];
		const char *outcome = command_outcome_name(c->outcome);

		g_string_append_printf(out, "%-10s%s%s%s\n          %s: %s\n",
				       n ? "" : "commands", c->verb_written,
				       *c->args ? " " : "", c->args,
				       outcome ? outcome : "nothing done",
				       c->text ? c->text : "");
	}
}

static char *as_text(const struct answer *a, GError **err)
{
	static const char *const kinds[] = {"none", "to the author alone",
					    "to the author, who has to "
					    "confirm"};
	GString *out = g_string_new(NULL);
	g_autoptr(GBytes) bytes = NULL;
	gsize len;

	g_string_append_printf(out, "message   <%s>\nanswer    %s\n", a->mid,
			       kinds[a->kind]);
	g_string_append_printf(out, "reason    %s\n", a->reason);
	add_commands(out, a);
	if (a->mail) {
		const char *text;

		bytes = outgoing_write(a->mail, OUTGOING_EML, TRUE, err);
		if (!bytes) {
			g_string_free(out, TRUE);
			return NULL;
		}
		text = g_bytes_get_data(bytes, &len);
		g_string_append_c(out, '\n');
		g_string_append_len(out, text, (gssize)len);
	}
	return plain_text(g_string_free(out, FALSE));
}

static int print(struct session *s, const struct answer *a)
{
	g_autoptr(GError) err = NULL;
	json_t *tree = as_json ? answer_view(a, &err) : NULL;
	g_autofree char *text = NULL;

	if (as_json)
		text = tree ? view_line_take(tree) : NULL;
	else
		text = as_text(a, &err);
	if (!text)
		return cli_fail("answer", err);
	if (!cli_write(text, -1))
		return EXIT_UNREAD;
	return a->kind == ANSWER_NONE ? EXIT_NONE : EXIT_DONE;
}

static int answer_raw(struct session *s, GBytes *raw)
{
	g_autoptr(GError) err = NULL;
	g_autoptr(store) st = NULL;
	g_autoptr(answer_auto) a = NULL;
	int rc;

	st = cli_store_scratch(s, &rc);
	if (!st)
		return rc;
	a = answer_make(st, s->config, raw, s->now, &err);
	return a ? print(s, a) : cli_fail("answer", err);
}

static int run(struct session *s)
{
	g_autoptr(GBytes) raw = NULL;
	int rc;

	if (!config_get(s->config, "bot", NULL, "address")) {
		cli_error("answer: who answers? Set address= in [bot] of the "
			  "settings");
		return EXIT_USAGE;
	}
	rc = mail_files_read(s->argv, 1, take_first, &raw);
	if (raw)
		return answer_raw(s, raw);
	if (rc == EXIT_DONE)
		cli_error("answer: %s: no mail in it", s->argv[0]);
	return EXIT_UNREAD;
}

const struct verb verb_answer = {
	.name = "answer",
	.synopsis = "[--json] FILE",
	.help = "print what a mail would be answered, and why; sends nothing",
	.details =
		"Reads the first mail of FILE (- is standard input) as if it "
		"had just been fetched, and prints the answer that would go "
		"out, what would become of each command, and why; or why "
		"nobody would be answered. Nothing is sent, and nothing of it "
		"stays in the database. Exit code 0 if a mail would go out, "
		"1 if not. Who answers is the [bot] of the settings.",
	.options = options,
	.min_args = 1,
	.max_args = 1,
	.run = run,
};
