/* fuzz_command.c - any text as a mail to a tracker, any line as arguments */
#include <stdint.h>
#include <string.h>

#include "mail/command.h"
#include "mail/reference.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_references(const char *text)
{
	struct reference *r = reference_parse(text);
	g_autofree char *title = reference_clean_title(text);

	g_assert(g_utf8_validate(title, -1, NULL));
	reference_free(r);
	while ((r = reference_next(&text)) != NULL) {
		g_assert(*r->text && reference_kind_name(r->kind));
		g_assert((r->kind != REFERENCE_COMMIT &&
			  r->kind != REFERENCE_MAIL) ||
			 *r->id);
		g_assert(r->kind != REFERENCE_RANGE || r->from || r->to);
		reference_free(r);
	}
	g_assert(!*text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char head[] = "From: a@example.org\nMessage-ID: <1@a.b>\n"
				   "Subject: x\n\n";
	g_autofree char *raw = g_strndup((const char *)data, size);
	g_autofree char *text = g_utf8_make_valid(raw, -1);
	g_autofree char *mail = g_strconcat(head, text, NULL);
	g_autoptr(GBytes) bytes = g_bytes_new(mail, strlen(mail));
	g_autoptr(message) msg = message_parse(bytes, 0, NULL);
	g_autoptr(body) b = body_parse(text, strlen(text));
	g_autoptr(GPtrArray) commands = commands_read(msg, b, NULL);
	guint line = 1, block = 0;

	g_assert(commands->len <= COMMANDS_MAX);
	for (guint i = 0; i < commands->len; i++) {
		const struct command *c = commands->pdata[i];

		g_assert(c->line >= line && c->line <= body_count(b));
		g_assert(c->block >= block);
		g_assert(strlen(c->args) <= COMMAND_MAX_ARGS);
		g_assert(g_utf8_validate(c->args, -1, NULL));
		g_assert(c->status == COMMAND_OK || c->problem);
		check_references(c->args);
		line = c->line;
		block = c->block;
	}
	check_references(text);
	return 0;
}
