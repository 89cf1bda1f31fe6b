/* send.c - what the transports have in common: settings and bytes */
#include "bot/send.h"

#include <string.h>

#define FOLDER "-outbox" /* beside the database */

/* Nothing ever leaves: what is approved stays so. */
const struct send_ops send_null = {.name = "null"};

static const struct send_ops *const all_ops[] = {&send_null, &send_file,
						 &send_smtp, &send_sendmail};

void send_settings_free(struct send_settings *s)
{
	if (!s)
		return;
	endpoint_free(s->server);
	g_free(s->user);
	g_free(s->password_file);
	g_free(s->password_command);
	g_free(s->folder);
	g_free(s->program);
	g_free(s->address);
	g_free(s->hello);
	g_free(s);
}

/* ---- settings */

struct reader {
	const config *c;
	const char *db_path;
	struct send_settings *s;
	GError **err;
};

static const char *get(const struct reader *r, const char *key)
{
	return config_get(r->c, "send", NULL, key);
}

static gboolean complain(const struct reader *r, const char *text)
{
	g_set_error(r->err, CONFIG_ERROR, CONFIG_ERROR_SYNTAX, "%s: [send] %s",
		    config_file(r->c), text);
	return FALSE;
}

static gboolean read_login(struct reader *r)
{
	struct send_settings *s = r->s;

	s->user = g_strdup(get(r, "user"));
	s->password_file = g_strdup(get(r, "password-file"));
	s->password_command = g_strdup(get(r, "password-command"));
	s->xoauth2 = g_str_equal(get(r, "auth"), "xoauth2");
	if (s->password_file && s->password_command)
		return complain(r, "has a password-file and a "
				   "password-command; keep one of the two");
	if (!s->user != !(s->password_file || s->password_command))
		return complain(r, s->user ? "has a user; set password-file or "
					     "password-command, too"
					   : "has a password; set user, too");
	return TRUE;
}

/* Without a scheme port 465 is TLS from the first byte, as it is everywhere;
 * all others begin in plain text and turn it on, or give up. */
static gboolean read_server(struct reader *r)
{
	struct send_settings *s = r->s;
	const char *text = get(r, "server"), *ca = get(r, "ca-file");
	g_autofree char *whole = NULL;
	g_autoptr(GUri) uri = NULL;
	gboolean bare = text && !strstr(text, "://");

	if (!text)
		return complain(r, "transport=smtp needs a server");
	whole = bare ? g_strconcat("smtps://", text, NULL)
		: g_str_has_prefix(text, "smtp://")
			? g_strconcat("smtps", text + 4, NULL)
			: g_strdup(text);
	s->server = endpoint_parse(whole, "smtp", NULL, r->err);
	if (!s->server)
		return FALSE;
	uri = g_uri_parse(whole, G_URI_FLAGS_NONE, NULL);
	s->implicit_tls = g_str_has_prefix(text, "smtps://") ||
			  (bare && s->server->port == 465);
	if (!uri || g_uri_get_port(uri) < 0) {
		s->implicit_tls |= bare;
		s->server->port = s->implicit_tls ? 465 : 587;
	}
	s->server->plain = !s->implicit_tls && !ca &&
			   (endpoint_is_near(s->server->host) ||
			    !g_strcmp0(get(r, "plain-host"), s->server->host));
	s->server->ca_file = g_strdup(ca);
	return TRUE;
}

static gboolean read_settings(struct reader *r)
{
	struct send_settings *s = r->s;
	const char *name = get(r, "transport"), *at;

	for (guint i = 0; i < G_N_ELEMENTS(all_ops); i++)
		if (g_str_equal(all_ops[i]->name, name))
			s->ops = all_ops[i];
	s->address = g_strdup(config_get(r->c, "bot", NULL, "address"));
	at = s->address ? strrchr(s->address, '@') : NULL;
	if (s->ops->send && !at)
		return complain(r, "who sends? Set address= in [bot]");
	s->hello = g_strdup(config_get(r->c, "bot", NULL, "host"));
	if (!s->hello)
		s->hello = g_strdup(at ? at + 1 : "localhost");
	s->folder = g_strdup(get(r, "folder"));
	if (!s->folder)
		s->folder = g_strconcat(r->db_path, FOLDER, NULL);
	s->program = g_strdup(get(r, "program"));
	return read_login(r) && (s->ops != &send_smtp || read_server(r));
}

struct send_settings *send_settings_new(const config *c, const char *db_path,
					GError **err)
{
	g_autoptr(send_settings_auto) s = g_new0(struct send_settings, 1);
	struct reader r = {.c = c, .db_path = db_path, .s = s, .err = err};

	return read_settings(&r) ? g_steal_pointer(&s) : NULL;
}

void sender_clear(sender *x)
{
	send_smtp_close(x->line);
	x->line = NULL;
}

/* ---- bytes */

GBytes *send_bytes(const struct send_job *job, enum outgoing_form form,
		   gboolean eight_bit, GError **err)
{
	const struct outgoing *m = job->entry->mail;
	struct outgoing with = *m;
	g_autoptr(GPtrArray) extra = g_ptr_array_new_with_free_func(g_free);

	/* how it went out the first time is how it goes out again */
	if (job->entry->attempts > 1 && job->entry->seven_bit)
		eight_bit = FALSE;
	if (!job->redirect)
		return outgoing_write(m, form, eight_bit, err);
	for (guint i = 0; i < m->extra->len; i++)
		g_ptr_array_add(extra, g_strdup(m->extra->pdata[i]));
	for (guint i = 0; i < job->rcpts->len; i++) {
		const struct outbox_rcpt *r = job->rcpts->pdata[i];

		g_ptr_array_add(extra, g_strconcat("X-Redirected-From: ",
						   r->address, NULL));
	}
	with.extra = extra;
	return outgoing_write(&with, form, eight_bit, err);
}

void send_tell_all(const struct send_job *job, struct outbox_result *r,
		   enum outbox_told told, guint code, const char *text)
{
	for (guint i = 0; i < job->rcpts->len; i++) {
		const struct outbox_rcpt *to = job->rcpts->pdata[i];

		outbox_result_add(r, to->number, told, code, text);
	}
}

GPtrArray *send_addresses(const struct send_job *job)
{
	GPtrArray *all = g_ptr_array_new();

	if (job->redirect)
		g_ptr_array_add(all, (char *)job->redirect);
	for (guint i = 0; !job->redirect && i < job->rcpts->len; i++)
		g_ptr_array_add(
			all,
			((struct outbox_rcpt *)job->rcpts->pdata[i])->address);
	g_ptr_array_add(all, NULL);
	return all;
}
