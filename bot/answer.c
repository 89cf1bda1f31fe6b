/* answer.c - what a mail with commands is answered
 * The order: guards, scope, what the store makes of the commands, our words. */
#include "bot/answer.h"

#include <string.h>

#include "mail/evidence.h"

#include "db/archive.h"
#include "db/items.h"

#include "bot/answer_priv.h"
#include "bot/outbox_settings.h"
#include "bot/view_priv.h"

static void command_clear(gpointer data)
{
	struct answer_command *c = data;

	g_free(c->verb);
	g_free(c->verb_written);
	g_free(c->args);
	g_free(c->text);
	g_free(c);
}

void answer_free(struct answer *a)
{
	if (!a)
		return;
	g_free(a->mid);
	g_free(a->reason);
	g_free(a->item);
	g_ptr_array_unref(a->commands);
	outgoing_free(a->mail);
	g_free(a);
}

const char *answer_kind_name(enum answer_kind k)
{
	static const char *const names[] = {"none", "private", "held"};

	return names[k];
}

static struct answer *answer_new(const char *mid)
{
	struct answer *a = g_new0(struct answer, 1);

	a->mid = g_strdup(mid);
	a->commands = g_ptr_array_new_with_free_func(command_clear);
	return a;
}

/* ---- which commands */

/* Those that are meant; if there is none, what is nearly one, if it was sent
 * to us. */
static GPtrArray *live_commands(const struct asked *a)
{
	GPtrArray *all = a->reading->commands, *live = g_ptr_array_new();
	const struct command *near = NULL;

	for (guint i = 0; i < all->len; i++) {
		struct command *c = all->pdata[i];

		if (strcmp(c->marker, "#culprit") != 0)
			continue;
		if (c->status != COMMAND_INERT || command_is_html(c))
			g_ptr_array_add(live, c);
		else if (!near && command_is_near_miss(c))
			near = c;
	}
	if (!live->len && near && a->addressed)
		g_ptr_array_add(live, (gpointer)near);
	return live;
}

/* ---- inside the transaction */

static gboolean take_in(struct asked *a, GError **err)
{
	guint8 oid[OID_LEN];
	struct archive_incoming in = {.reading = a->reading, .oid = oid};
	enum archive_added added;

	archive_oid(message_raw(a->reading->msg), oid);
	in.source = archive_source(a->st, "stdin", "answer", NULL, err);
	return in.source >= 0 && archive_add(a->st, &in, &added, err);
}

static gboolean is_introduced(const struct asked *a)
{
	for (guint i = 0; i < a->live->len; i++) {
		const struct command *c = a->live->pdata[i];

		if (c->status == COMMAND_OK && !strcmp(c->verb, "introduced"))
			return TRUE;
	}
	return FALSE;
}

/* It came by a list of the settings. */
static gboolean is_of_our_lists(const struct asked *a)
{
	g_auto(GStrv) lists = config_names(a->config, "list");
	GPtrArray *ids = message_list_ids(a->reading->msg);

	for (guint i = 0; lists[i]; i++) {
		const char *address =
			config_get(a->config, "list", lists[i], "address");
		g_autofree char *dotted = g_strdup(address ? address : "");

		g_strdelimit(dotted, "@", '.');
		for (guint n = 0; n < ids->len; n++)
			if (!g_ascii_strcasecmp(ids->pdata[n], dotted))
				return TRUE;
	}
	return FALSE;
}

/* Of what was not sent to us, only a thread that we track is ours. */
static gboolean is_in_scope(struct asked *a, GError **err)
{
	g_autoptr(item_auto) i = NULL;

	if (a->addressed)
		return TRUE;
	i = item_of_mail(a->st, a->answer->mid, err);
	return i || (is_introduced(a) && is_of_our_lists(a));
}

static void note_item(struct asked *a)
{
	for (guint n = 0; n < a->records->len && !a->answer->item; n++) {
		const struct command_record *r = a->records->pdata[n];

		a->answer->item = g_strdup(r->item);
	}
}

static gboolean answer_all(struct asked *a, GError **err)
{
	a->records = command_records_load(a->st, a->answer->mid, err);
	if (!a->records)
		return FALSE;
	note_item(a);
	for (guint n = 0; n < a->live->len; n++)
		if (!asked_answer_command(a, n, err))
			return FALSE;
	return asked_compose(a, err);
}

/* What the rules of the outbox leave of it: budgets, loops, mutes. */
static gboolean hand_over(struct asked *a, GError **err)
{
	g_autoptr(outbox_policy_auto) policy = outbox_policy_new(a->config);
	struct answer *to = a->answer;
	const struct outbox_draft d = {
		.kind = to->draft,
		.rule = to->reason,
		.parent = to->mid,
		.item = to->item,
		.author = message_from(a->reading->msg)->address,
		.mail = to->mail};
	struct outbox_fate fate = {0};

	if (!outbox_add(a->st, &d, policy, a->now, &fate, err))
		return FALSE;
	if (fate.state == OUTBOX_CANCELLED) {
		g_clear_pointer(&to->mail, outgoing_free);
		to->kind = ANSWER_NONE;
		g_free(to->reason);
		to->reason = g_strconcat("outbox: ", fate.why, NULL);
	}
	outbox_fate_clear(&fate);
	return TRUE;
}

static void judge(struct asked *a, GError **err)
{
	const struct address *from = message_from(a->reading->msg);
	GError *failed = NULL;
	gboolean ours = FALSE;

	a->answer->reason = asked_why_not(a, &failed);
	if (!failed && !a->answer->reason &&
	    command_past_load(a->st, from->address, a->answer->mid, a->now,
			      &a->past, &failed) &&
	    (a->known || take_in(a, &failed)))
		ours = is_in_scope(a, &failed);
	if (!failed && !ours && !a->answer->reason)
		a->answer->reason =
			g_strdup("not for us: neither sent to the bot, nor in "
				 "a thread that is tracked");
	if (!failed && ours && answer_all(a, &failed) && a->answer->mail) {
		a->answer->draft = asked_draft_kind(a);
		if (!a->known)
			hand_over(a, &failed);
	}
	if (failed)
		g_propagate_error(err, failed);
}

/* Always FALSE: nothing of it is kept. */
static gboolean ask_store(store *st, void *data, GError **err)
{
	judge(data, err);
	return FALSE;
}

/* ---- all */

static gboolean is_forged(const struct asked *a)
{
	g_auto(GStrv) authserv =
		config_get_list(a->config, "bot", NULL, "authserv");
	g_auto(GStrv) sealers =
		config_get_list(a->config, "bot", NULL, "sealers");
	const struct evidence_trust trust = {
		.authserv = (const char *const *)authserv,
		.sealers = (const char *const *)sealers,
		.host = a->own->reply.host};

	return evidence_of(a->reading->msg, &trust, NULL) == EVIDENCE_FAILED;
}

static gboolean asked_init(struct asked *a, GBytes *raw, GError **err)
{
	g_autoptr(message) msg = message_parse(raw, a->now, err);

	if (!msg)
		return FALSE;
	a->own = own_mail_new(a->config, a->now);
	a->answer = answer_new(message_id(msg));
	a->reading = reading_new(msg);
	a->templates = template_set_open(NULL);
	a->texts = g_ptr_array_new_with_free_func(g_free);
	a->addressed = asked_is_addressed(a);
	a->forged = is_forged(a);
	a->live = live_commands(a);
	return TRUE;
}

static void asked_clear(struct asked *a)
{
	own_mail_free(a->own);
	reading_free(a->reading);
	template_set_free(a->templates);
	g_clear_pointer(&a->live, g_ptr_array_unref);
	g_clear_pointer(&a->records, g_ptr_array_unref);
	g_ptr_array_unref(a->texts);
}

static struct answer *make(struct asked a, GBytes *raw, GError **err)
{
	GError *failed = NULL;

	if (!asked_init(&a, raw, err))
		return NULL;
	store_transact(a.st, ask_store, &a, &failed);
	asked_clear(&a);
	if (!failed)
		return a.answer;
	answer_free(a.answer);
	g_propagate_error(err, failed);
	return NULL;
}

struct answer *answer_make(store *st, const config *c, GBytes *raw, gint64 now,
			   GError **err)
{
	struct asked a = {.st = st, .config = c, .now = now};

	return make(a, raw, err);
}

struct answer *answer_make_stored(store *st, const config *c, GBytes *raw,
				  gint64 now, GError **err)
{
	struct asked a = {.st = st, .config = c, .now = now, .known = TRUE};

	return make(a, raw, err);
}

char *answer_why(store *st, const config *c, const char *mid, GError **err)
{
	g_autoptr(GBytes) raw = archive_raw(st, mid, err);
	struct asked a = {.st = st, .config = c};
	g_autoptr(answer_auto) answer = NULL;
	GError *failed = NULL;

	if (!raw || !asked_init(&a, raw, err))
		return NULL;
	answer = a.answer;
	a.now = message_date(a.reading->msg);
	a.known = TRUE;
	judge(&a, &failed);
	asked_clear(&a);
	if (!failed)
		return g_strdup_printf("%s (%s)",
				       answer_kind_name(answer->kind),
				       answer->reason);
	g_propagate_error(err, failed);
	return NULL;
}

/* ---- for programs */

static json_t *outcomes_of(const struct answer *a)
{
	json_t *all = json_array();

	for (guint n = 0; n < a->commands->len; n++) {
		const struct answer_command *c = a->commands->pdata[n];
		json_t *o = json_object();

		json_object_set_new(o, "verb", view_text(c->verb));
		json_object_set_new(o, "verb_written",
				    view_text(c->verb_written));
		json_object_set_new(o, "args", view_text(c->args));
		json_object_set_new(o, "outcome",
				    view_text(
					    command_outcome_name(c->outcome)));
		json_object_set_new(o, "text", view_text(c->text));
		json_array_append_new(all, o);
	}
	return all;
}

static json_t *recipients_json(const struct answer *a)
{
	json_t *all = json_array();

	for (guint n = 0; a->mail && n < a->mail->to->len; n++) {
		const struct address *to = a->mail->to->pdata[n];

		json_array_append_new(all, view_text(to->address));
	}
	return all;
}

json_t *answer_view(const struct answer *a, GError **err)
{
	g_autoptr(GBytes) bytes = NULL;
	json_t *o;

	if (a->mail) {
		bytes = outgoing_write(a->mail, OUTGOING_EML, TRUE, err);
		if (!bytes)
			return NULL;
	}
	o = json_object();
	json_object_set_new(o, "schema", view_text("culprit/answer/1"));
	json_object_set_new(o, "message_id", view_text(a->mid));
	json_object_set_new(o, "answer", view_text(answer_kind_name(a->kind)));
	json_object_set_new(o, "reason", view_text(a->reason));
	json_object_set_new(o, "recipients", recipients_json(a));
	json_object_set_new(o, "commands", outcomes_of(a));
	json_object_set_new(o, "message",
			    bytes ? json_stringn(g_bytes_get_data(bytes, NULL),
						 g_bytes_get_size(bytes))
				  : json_null());
	return o;
}
