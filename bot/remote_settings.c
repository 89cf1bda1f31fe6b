/* remote_settings.c - [source NAME] of the settings, made sense of */
#include <string.h>

#include "mail/date.h"

#include "bot/remote.h"

#define CLONES	     "-inboxes" /* beside the database */
#define USUAL_RATE   100
#define MIB	     (1024 * 1024)
#define MAX_SECONDS  (365 * 86400)
#define SERVER_TYPES "imap nntp"
#define FAR_TYPES    SERVER_TYPES " http inbox"

static const struct remote_ops *const all_ops[] = {
	&remote_imap,  &remote_nntp, &remote_http,
	&remote_inbox, &remote_mbox, &remote_maildir,
};

void remote_free(struct remote *r)
{
	if (!r)
		return;
	g_free(r->name);
	endpoint_free(r->server);
	g_free(r->url);
	g_free(r->path);
	g_free(r->user);
	g_free(r->password_file);
	g_free(r->password_command);
	g_free(r->move_to);
	g_strfreev(r->mailboxes);
	g_strfreev(r->groups);
	g_free(r->list);
	g_free(r->ca_file);
	g_free(r->proxy);
	g_free(r->plain_host);
	g_free(r);
}

/* One source being read. */
struct reader {
	const config *config;
	const char *name;
	const char *db_path;
	struct remote *r;
	GError **err;
};

static gboolean complain(const struct reader *rd, const char *format, ...)
	G_GNUC_PRINTF(2, 3);

static gboolean complain(const struct reader *rd, const char *format, ...)
{
	g_autofree char *text = NULL;
	va_list args;

	va_start(args, format);
	text = g_strdup_vprintf(format, args);
	va_end(args);
	g_set_error(rd->err, CONFIG_ERROR, CONFIG_ERROR_SYNTAX,
		    "%s: [source %s] %s", config_file(rd->config), rd->name,
		    text);
	return FALSE;
}

static const char *get(const struct reader *rd, const char *key)
{
	return config_get(rd->config, "source", rd->name, key);
}

static char *get_copy(const struct reader *rd, const char *key)
{
	return g_strdup(get(rd, key));
}

static guint get_seconds(const struct reader *rd, const char *key)
{
	return (guint)CLAMP(config_get_int(rd->config, "source", rd->name, key),
			    1, MAX_SECONDS);
}

static gboolean is_type(const struct reader *rd, const char *types)
{
	g_auto(GStrv) words = g_strsplit(types, " ", -1);

	return g_strv_contains((const char *const *)words, rd->r->ops->type);
}

static gboolean read_type(struct reader *rd)
{
	const char *type = get(rd, "type");

	for (guint i = 0; type && i < G_N_ELEMENTS(all_ops); i++)
		if (g_str_equal(all_ops[i]->type, type))
			rd->r->ops = all_ops[i];
	return rd->r->ops ||
	       complain(rd, "needs a type: imap, nntp, http, inbox, mbox or "
			    "maildir");
}

/* What a type must have and what it has no use for: a key that does nothing
 * is a slip that would never be noticed. */
static const struct {
	const char *key;
	const char *needed; /* types */
	const char *taken;
} keys[] = {
	{"server", SERVER_TYPES, SERVER_TYPES},
	{"groups", "nntp", "nntp"},
	{"mailboxes", "", "imap"},
	{"user", "", SERVER_TYPES},
	{"password-file", "", SERVER_TYPES},
	{"password-command", "", SERVER_TYPES},
	{"url", "http inbox", "http inbox"},
	{"path", "mbox maildir", "mbox maildir inbox"},
	{"move-to", "", "imap"},
	{"since", "", FAR_TYPES},
	{"ca-file", "", FAR_TYPES},
	{"proxy", "", FAR_TYPES},
	{"plain-host", "", FAR_TYPES},
};

static gboolean check_keys(struct reader *rd)
{
	for (guint i = 0; i < G_N_ELEMENTS(keys); i++) {
		const char *value = get(rd, keys[i].key);

		if (!value && is_type(rd, keys[i].needed))
			return complain(rd, "is of type %s and needs %s=",
					rd->r->ops->type, keys[i].key);
		if (value && !is_type(rd, keys[i].taken))
			return complain(rd,
					"is of type %s, where %s has no "
					"meaning; remove it",
					rd->r->ops->type, keys[i].key);
	}
	return TRUE;
}

static gboolean read_server(struct reader *rd)
{
	g_autoptr(GError) why = NULL;

	if (!is_type(rd, SERVER_TYPES))
		return TRUE;
	rd->r->server = endpoint_parse(get(rd, "server"), rd->r->ops->type,
				       rd->r->plain_host, &why);
	if (!rd->r->server)
		return complain(rd, "server: %s", why->message);
	rd->r->server->ca_file = g_strdup(rd->r->ca_file);
	rd->r->server->proxy = g_strdup(rd->r->proxy);
	rd->r->server->timeout = rd->r->timeout;
	return TRUE;
}

static gboolean read_login(struct reader *rd)
{
	struct remote *r = rd->r;

	r->user = get_copy(rd, "user");
	r->password_file = get_copy(rd, "password-file");
	r->password_command = get_copy(rd, "password-command");
	r->auth = g_str_equal(get(rd, "auth"), "xoauth2") ? REMOTE_XOAUTH2
							  : REMOTE_PASSWORD;
	if (r->password_file && r->password_command)
		return complain(rd, "has a password-file and a "
				    "password-command; keep one of the two");
	if (r->user && !r->password_file && !r->password_command)
		return complain(rd, "has a user; set password-file or "
				    "password-command, too");
	if (!r->user && (r->password_file || r->password_command))
		return complain(rd, "has a password; set user, too");
	return TRUE;
}

static gboolean read_since(struct reader *rd)
{
	const char *text = get(rd, "since");
	g_autofree char *day =
		text ? g_strconcat(text, "T00:00:00Z", NULL) : NULL;

	return !text || date_from_rfc3339(text, &rd->r->since) ||
	       date_from_rfc3339(day, &rd->r->since) ||
	       complain(rd, "since: must be a date like 2024-01-31");
}

static gboolean read_after(struct reader *rd)
{
	const char *after = get(rd, "after");
	struct remote *r = rd->r;

	r->move_to = get_copy(rd, "move-to");
	if (g_str_equal(after, "seen"))
		r->after = REMOTE_SEEN;
	else if (g_str_equal(after, "move"))
		r->after = REMOTE_MOVE;
	if (r->after == REMOTE_MOVE && !r->move_to)
		return complain(rd, "moves mail; say where: move-to=MAILBOX");
	if (r->after != REMOTE_MOVE && r->move_to)
		return complain(rd, "has move-to; set after=move, too");
	return TRUE;
}

static gboolean read_numbers(struct reader *rd)
{
	struct remote *r = rd->r;
	gint64 size =
		config_get_int(rd->config, "source", rd->name, "max-size");
	const char *rate = get(rd, "rate");

	r->poll = get_seconds(rd, "poll");
	r->timeout = get_seconds(rd, "timeout");
	r->max_bytes = (guint64)CLAMP(size, 1, SOURCE_MAX_MAIL / MIB) * MIB;
	if (rate)
		r->rate = (guint)CLAMP(config_get_int(rd->config, "source",
						      rd->name, "rate"),
				       0, G_MAXINT);
	return TRUE;
}

/* Who pays for its machine himself needs no mercy. */
static gboolean set_rate(struct reader *rd)
{
	struct remote *r = rd->r;

	if (!get(rd, "rate") &&
	    !(r->server && endpoint_is_near(r->server->host)))
		r->rate = USUAL_RATE;
	return TRUE;
}

/* A user would be in the database, and in what is told of it. */
static gboolean read_url(struct reader *rd)
{
	struct remote *r = rd->r;
	const char *host;
	g_autoptr(GUri) uri = NULL;

	r->url = get_copy(rd, "url");
	if (!r->url)
		return TRUE;
	if (!g_str_has_prefix(r->url, "https://") &&
	    !g_str_has_prefix(r->url, "http://"))
		return complain(rd, "url: must begin with https:// or http://");
	host = strstr(r->url, "://") + strlen("://");
	if (host[strcspn(host, "/@?#")] == '@')
		return complain(rd, "url: must not hold a user or password");
	uri = g_uri_parse(r->url, G_URI_FLAGS_ENCODED, NULL);
	host = uri ? g_uri_get_host(uri) : NULL;
	if (!host || !*host)
		return complain(rd, "url: \"%s\" is no address of the web",
				r->url);
	if (g_str_equal(g_uri_get_scheme(uri), "http") &&
	    !endpoint_is_near(host) &&
	    !(r->plain_host && g_ascii_strcasecmp(host, r->plain_host) == 0))
		return complain(rd,
				"url: %s: without TLS anybody on the way could "
				"change it; use https://, or set plain-host=%s",
				r->url, host);
	return TRUE;
}

/* A name may hold anything but a slash must not lead elsewhere. */
static gboolean read_places(struct reader *rd)
{
	struct remote *r = rd->r;
	g_autofree char *folder = g_strconcat(rd->db_path, CLONES, NULL);
	g_autofree char *plain = g_uri_escape_string(rd->name, " ", FALSE);
	g_autofree char *file =
		g_strconcat(*plain == '.' ? "%" : "", plain, NULL);

	r->path = get_copy(rd, "path");
	if (!r->path && is_type(rd, "inbox"))
		r->path = g_build_filename(folder, file, NULL);
	r->list = get_copy(rd, "list");
	r->ca_file = get_copy(rd, "ca-file");
	r->proxy = get_copy(rd, "proxy");
	r->plain_host = get_copy(rd, "plain-host");
	r->groups = config_get_list(rd->config, "source", rd->name, "groups");
	r->mailboxes =
		config_get_list(rd->config, "source", rd->name, "mailboxes");
	return read_url(rd);
}

static struct remote *read_remote(const config *c, const char *name,
				  const char *db_path, GError **err)
{
	struct remote *r = g_new0(struct remote, 1);
	struct reader rd = {c, name, db_path, r, err};

	r->name = g_strdup(name);
	if (read_type(&rd) && check_keys(&rd) && read_numbers(&rd) &&
	    read_places(&rd) && read_login(&rd) && read_since(&rd) &&
	    read_after(&rd) && read_server(&rd) && set_rate(&rd))
		return r;
	remote_free(r);
	return NULL;
}

GPtrArray *remotes_settings(const config *c, const char *db_path, GError **err)
{
	g_auto(GStrv) names = config_names(c, "source");
	g_autoptr(GPtrArray) out =
		g_ptr_array_new_with_free_func((GDestroyNotify)remote_free);
	struct remote *r;

	for (guint i = 0; names[i]; i++) {
		r = read_remote(c, names[i], db_path, err);
		if (!r)
			return NULL;
		g_ptr_array_add(out, r);
	}
	return g_steal_pointer(&out);
}
