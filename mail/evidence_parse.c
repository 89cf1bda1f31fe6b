/* evidence_parse.c - the grammar of Authentication-Results, RFC 8601 */
#include <string.h>

#include "mail/chars_priv.h"
#include "mail/evidence_priv.h"
#include "mail/received.h"

static void method_free(gpointer data)
{
	struct auth_method *m = data;

	g_free(m->name);
	g_free(m->result);
	g_free(m->domain);
	g_free(m);
}

void auth_results_free(struct auth_results *a)
{
	if (!a)
		return;
	g_free(a->authserv);
	g_ptr_array_unref(a->methods);
	g_free(a);
}

/* Blanks around '=' go, so that a token is "name=value". */
static char *tighten(const char *text)
{
	GString *out = g_string_new(NULL);

	for (const char *p = text; *p; p++) {
		gboolean blank = is_blank(*p);
		char last = out->len ? out->str[out->len - 1] : ' ';

		if (blank && (last == ' ' || last == '='))
			continue;
		if (*p == '=' && last == ' ' && out->len)
			g_string_truncate(out, out->len - 1);
		g_string_append_c(out, blank ? ' ' : *p);
	}
	return g_strchomp(g_string_free(out, FALSE));
}

/* The part of "user@domain" behind '@', or all. */
static char *domain_of(const char *value)
{
	const char *at = strrchr(value, '@');

	return g_ascii_strdown(at ? at + 1 : value, -1);
}

/* The domain that a property tells: d= counts before i= and from=. */
static void take_property(struct auth_method *m, const char *token)
{
	static const char *const names[] = {"header.d=", "header.i=",
					    "header.from=", NULL};

	for (guint i = 0; names[i]; i++) {
		gsize len = strlen(names[i]);

		if (g_ascii_strncasecmp(token, names[i], len) != 0)
			continue;
		if (i && m->domain)
			return;
		g_free(m->domain);
		m->domain = domain_of(token + len);
	}
}

/* "dkim/1=pass reason=x header.d=y" */
static struct auth_method *method_parse(const char *text)
{
	g_autofree char *tight = tighten(text);
	g_auto(GStrv) tokens = g_strsplit(tight, " ", EVIDENCE_MAX_METHODS);
	const char *equals = tokens[0] ? strchr(tokens[0], '=') : NULL;
	struct auth_method *m;
	g_autofree char *name = NULL;

	if (!equals || equals == tokens[0])
		return NULL;
	m = g_new0(struct auth_method, 1);
	name = g_strndup(tokens[0], strcspn(tokens[0], "=/"));
	m->name = g_ascii_strdown(name, -1);
	m->result = g_ascii_strdown(equals + 1, -1);
	for (guint i = 1; tokens[i]; i++)
		take_property(m, tokens[i]);
	return m;
}

/* The name alone, or with its version. */
static char *authserv_of(const char *text)
{
	g_autofree char *tight = tighten(text);
	gsize len = strcspn(tight, " ");

	return len && !memchr(tight, '=', len)
		       ? g_ascii_strdown(tight, (gssize)len)
		       : NULL;
}

struct auth_results *auth_results_parse(const char *unfolded)
{
	g_autofree char *plain = received_plain(unfolded);
	g_auto(GStrv) parts = g_strsplit(plain, ";", EVIDENCE_MAX_METHODS + 1);
	char *authserv = parts[0] ? authserv_of(parts[0]) : NULL;
	struct auth_results *a;

	if (!authserv)
		return NULL;
	a = g_new0(struct auth_results, 1);
	a->authserv = authserv;
	a->methods = g_ptr_array_new_with_free_func(method_free);
	for (guint i = 1; parts[i]; i++) {
		struct auth_method *m = method_parse(parts[i]);

		if (m)
			g_ptr_array_add(a->methods, m);
	}
	return a;
}
