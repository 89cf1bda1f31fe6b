/* guard.c - mail that must not be answered, whatever it says */
#include "mail/guard.h"

#include <string.h>

#include "mail/chars_priv.h"
#include "mail/received.h"
#include "mail/recipients.h"

struct judged {
	const message *msg;
	const header *head;
	const struct guard_rules *rules;
	const struct robot *robot;
	const char *why;
};

static gboolean has(const struct judged *j, const char *name)
{
	return header_find(j->head, name) != NULL;
}

/* ---- our own */

static gboolean names_us(const struct judged *j, const char *field)
{
	g_autofree char *value = header_dup(j->head, field);
	g_autoptr(GPtrArray) people = value ? address_parse_list(value) : NULL;

	for (guint i = 0; people && i < people->len; i++) {
		const struct address *a = people->pdata[i];

		if (recipients_is_own(a->address, j->rules->own))
			return TRUE;
	}
	return FALSE;
}

/* The form that mail/reply.h gives them. */
static gboolean has_our_id(const struct judged *j)
{
	static const char ours[] = "culprit.";
	const char *id = message_id(j->msg), *at = strrchr(id, '@');

	return j->rules->host && at && !strncmp(id, ours, sizeof(ours) - 1) &&
	       !g_ascii_strcasecmp(at + 1, j->rules->host);
}

static gboolean is_own(struct judged *j)
{
	static const char *const fields[] = {"From", "Sender",
					     "X-Original-From", NULL};

	j->why = "it is our own mail";
	if (has(j, "X-Culprit-Bot") || has_our_id(j) ||
	    recipients_is_own(message_from(j->msg)->address, j->rules->own))
		return TRUE;
	for (guint i = 0; fields[i]; i++)
		if (names_us(j, fields[i]))
			return TRUE;
	return FALSE;
}

/* ---- bounces */

static gboolean has_null_sender(const struct judged *j)
{
	const struct header_field *f = header_find(j->head, "Return-Path");

	for (; f; f = header_next(j->head, "Return-Path", f)) {
		g_autofree char *value = header_unfold(f);
		const char *p = value;

		while (*p && (is_blank(*p) || *p == '<' || *p == '>'))
			p++;
		if (!*p && strchr(value, '<'))
			return TRUE;
	}
	return FALSE;
}

static gboolean value_begins(const struct judged *j, const char *field,
			     const char *with)
{
	g_autofree char *value = header_dup(j->head, field);

	return value && !g_ascii_strncasecmp(value, with, strlen(with));
}

static gboolean is_postmaster(const char *address)
{
	static const char *const boxes[] = {"mailer-daemon", "postmaster",
					    "mail-daemon", NULL};
	gsize len = strcspn(address, "@+");

	for (guint i = 0; boxes[i]; i++)
		if (len == strlen(boxes[i]) &&
		    !g_ascii_strncasecmp(address, boxes[i], len))
			return TRUE;
	return FALSE;
}

static gboolean is_bounce(struct judged *j)
{
	if (has_null_sender(j)) {
		j->why = "its envelope names no sender: a bounce";
		return TRUE;
	}
	j->why = "a report of delivery";
	return value_begins(j, "Content-Type", "multipart/report") ||
	       value_begins(j, "Content-Type", "message/delivery-status") ||
	       has(j, "X-Failed-Recipients") ||
	       is_postmaster(message_from(j->msg)->address);
}

/* ---- vacations */

/* "no" means a person; comments and parameters are left out. */
static gboolean is_automatic(const struct judged *j)
{
	const struct header_field *f = header_find(j->head, "Auto-Submitted");

	for (; f; f = header_next(j->head, "Auto-Submitted", f)) {
		g_autofree char *value = header_unfold(f);
		g_autofree char *plain = received_plain(value);
		const char *p = plain;
		gsize len;

		while (is_blank(*p))
			p++;
		len = strcspn(p, "; \t");
		if (len != 2 || g_ascii_strncasecmp(p, "no", 2) != 0)
			return TRUE;
	}
	return FALSE;
}

/* Nobody writes so over a mail of his own; "Re: " before it is a person who
 * answers such a thing. */
static gboolean is_away(const struct judged *j)
{
	static const char *const words[] = {"out of office",
					    "out of the office",
					    "automatic reply",
					    "auto reply",
					    "auto-reply",
					    "autoreply",
					    "abwesenheit",
					    "automatische antwort",
					    "r\xc3\xa9ponse automatique",
					    NULL};
	g_autofree char *subject = g_utf8_strdown(message_subject(j->msg), -1);
	gboolean wish = has(j, "X-Auto-Response-Suppress");

	for (guint i = 0; words[i]; i++)
		if (g_str_has_prefix(subject, words[i]) ||
		    (wish && strstr(subject, words[i])))
			return TRUE;
	return FALSE;
}

static gboolean is_vacation(struct judged *j)
{
	j->why = "a program wrote it: Auto-Submitted";
	if (is_automatic(j))
		return TRUE;
	j->why = "an automatic reply";
	return has(j, "X-Autoreply") || has(j, "X-Autorespond") ||
	       has(j, "X-Autoresponder") || is_away(j);
}

/* ---- loops */

static gboolean loop_names_us(const struct judged *j)
{
	const struct header_field *f = header_find(j->head, "X-Loop");

	for (; f; f = header_next(j->head, "X-Loop", f)) {
		g_autofree char *value = header_unfold(f);
		const char *at = strrchr(value, '@');

		if (recipients_is_own(value, j->rules->own) ||
		    (j->rules->host &&
		     host_is_below(at ? at + 1 : value, j->rules->host)))
			return TRUE;
	}
	return FALSE;
}

static gboolean is_loop(struct judged *j)
{
	const struct header_field *f = header_find(j->head, "Received");
	guint hops = 0, own = 0;

	j->why = "X-Loop says that it was here before";
	if (loop_names_us(j))
		return TRUE;
	for (; f && hops <= GUARD_MAX_RECEIVED; hops++) {
		struct received r;

		received_parse(f, &r);
		own += j->rules->host && host_is_below(r.by, j->rules->host);
		received_clear(&r);
		f = header_next(j->head, "Received", f);
	}
	j->why = "it came through too many hosts, or often through ours";
	return hops > GUARD_MAX_RECEIVED || own >= GUARD_OWN_HOPS;
}

/* ---- the others */

static gboolean is_robot(struct judged *j)
{
	j->why = "a robot wrote it: only its facts are taken";
	return j->robot != NULL;
}

static gboolean is_to_ignore(struct judged *j)
{
	j->why = "X-Culprit-Hint asks to ignore it";
	return value_begins(j, "X-Culprit-Hint", "ignore");
}

static gboolean is_too_large(struct judged *j)
{
	j->why = "its text is too large for commands";
	return message_body_len(j->msg) > GUARD_MAX_TEXT;
}

static const struct {
	const char *name;
	gboolean (*holds)(struct judged *j);
} guards[] = {
	[GUARD_PASS] = {"pass", NULL},
	[GUARD_OWN] = {"own", is_own},
	[GUARD_BOUNCE] = {"bounce", is_bounce},
	[GUARD_VACATION] = {"vacation", is_vacation},
	[GUARD_LOOP] = {"loop", is_loop},
	[GUARD_ROBOT] = {"robot", is_robot},
	[GUARD_IGNORE] = {"ignore", is_to_ignore},
	[GUARD_SIZE] = {"size", is_too_large},
};

const char *guard_name(enum guard g)
{
	return guards[g].name;
}

enum guard guard_judge(const message *msg, const struct guard_rules *rules,
		       const struct robot *robot, const char **why)
{
	struct judged j = {.msg = msg,
			   .head = message_header(msg),
			   .rules = rules,
			   .robot = robot};

	for (guint g = GUARD_OWN; g < G_N_ELEMENTS(guards); g++) {
		if (!guards[g].holds(&j))
			continue;
		*why = j.why;
		return (enum guard)g;
	}
	*why = "nothing speaks against an answer";
	return GUARD_PASS;
}
