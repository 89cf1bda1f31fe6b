/* answer_scope.c - is a mail for us, and may it be answered?
 * Silence always has a reason. */
#include <string.h>

#include "mail/date.h"
#include "mail/guard.h"
#include "mail/received.h"
#include "mail/recipients.h"

#include "db/problems.h"

#include "bot/answer_priv.h"

static gboolean names_us(const struct asked *a, GPtrArray *people)
{
	for (guint i = 0; i < people->len; i++) {
		const struct address *x = people->pdata[i];

		if (recipients_is_own(x->address,
				      (const char *const *)a->own->all))
			return TRUE;
	}
	return FALSE;
}

gboolean asked_is_addressed(const struct asked *a)
{
	const message *msg = a->reading->msg;

	return names_us(a, message_to(msg)) || names_us(a, message_cc(msg));
}

gboolean asked_is_list(const struct asked *a, const char *address)
{
	static const char *const ends[] = {"-devel", "-list",	 "-users",
					   "-dev",   "-discuss", NULL};
	g_auto(GStrv) lists = config_names(a->config, "list");
	const char *at = strchr(address, '@');
	g_autofree char *local =
		at ? g_ascii_strdown(address, at - address) : g_strdup("");

	for (guint i = 0; lists[i]; i++) {
		const char *known =
			config_get(a->config, "list", lists[i], "address");

		if (known && !g_ascii_strcasecmp(known, address))
			return TRUE;
	}
	for (guint i = 0; ends[i]; i++)
		if (g_str_has_suffix(local, ends[i]))
			return TRUE;
	return recipients_is_list(a->reading->msg, address) ||
	       (at && host_is_below(at + 1, "kvack.org"));
}

/* ---- reasons to be silent */

static char *guarded(const struct asked *a)
{
	const struct guard_rules rules = {.own = (const char *const *)
							 a->own->all,
					  .host = a->own->reply.host};
	const char *why;
	enum guard g =
		guard_judge(a->reading->msg, &rules, a->reading->robot, &why);

	return g == GUARD_PASS ? NULL
			       : g_strdup_printf("%s: %s", guard_name(g), why);
}

/* The first reason of an inert command of ours. */
static char *no_command(const struct asked *a)
{
	GPtrArray *all = a->reading->commands;

	for (guint i = 0; i < all->len; i++) {
		const struct command *c = all->pdata[i];

		if (strcmp(c->marker, "#culprit") != 0)
			continue;
		if (command_is_near_miss(c) && a->addressed)
			return g_strdup("near miss: told within the last "
					"week");
		return g_strdup_printf("inert: %s", c->problem);
	}
	if (all->len)
		return g_strdup("not ours: markers of other bots are recorded, "
				"never answered");
	if (strstr(message_body(a->reading->msg), "#culprit"))
		return g_strdup("quoted: no command in what its sender wrote "
				"himself");
	return g_strdup("no command in it");
}

/* When our own host got it; 0: it does not say. */
static gint64 received(const struct asked *a)
{
	const header *h = message_header(a->reading->msg);
	const struct header_field *f = header_find(h, "Received");
	const char *host = a->own->reply.host;
	gint64 utc = 0;

	for (guint n = 0; host && f && n < GUARD_MAX_RECEIVED; n++) {
		struct received r;
		gboolean ours;

		received_parse(f, &r);
		ours = host_is_below(r.by, host);
		received_clear(&r);
		if (ours) {
			g_autofree char *value = header_unfold(f);
			const char *date = strrchr(value, ';');
			int zone;

			return date && date_parse(date + 1, &utc, &zone) ? utc
									 : 0;
		}
		f = header_next(h, "Received", f);
	}
	return 0;
}

static gboolean is_old(const struct asked *a)
{
	gint64 date = message_date(a->reading->msg), got = received(a);

	if (got && (!date || got < date))
		date = got;
	return date && a->now - date > ANSWER_MAX_AGE;
}

/* Is it the second time? A copy by another list is not news. */
static gboolean was_seen(const struct asked *a, GError **err)
{
	struct stored_message *m =
		stored_message_load(a->st, message_id(a->reading->msg), err);
	gboolean seen = m && !m->ghost;

	stored_message_free(m);
	return seen;
}

char *asked_why_not(struct asked *a, GError **err)
{
	char *why = guarded(a);
	GError *failed = NULL;
	int ours;

	if (why)
		return why;
	ours = outbox_is_ours(a->st, message_id(a->reading->msg), err);
	if (ours)
		return ours > 0 ? g_strdup("own: the outbox has sent it")
				: NULL;
	if (!a->live->len)
		return no_command(a);
	if (is_old(a))
		return g_strdup("too old: history is read for facts, its "
				"commands are not answered");
	if (!a->known && was_seen(a, &failed))
		return g_strdup("seen before: a mail is answered once, by "
				"whatever list it comes again");
	if (failed)
		g_propagate_error(err, failed);
	return NULL;
}
