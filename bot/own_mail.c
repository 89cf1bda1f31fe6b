/* own_mail.c - mail of our own as the settings want it */
#include "bot/own_mail.h"

#include <jansson.h>

#include "templates/render.h"

static enum attribution_form attribution_form(const config *c)
{
	static const char *const names[] = {"default", "rfc", "iso", "short"};
	const char *form = config_get(c, "reply", NULL, "attribution");

	for (guint i = 0; i < G_N_ELEMENTS(names); i++)
		if (g_str_equal(names[i], form))
			return (enum attribution_form)i;
	return ATTRIBUTION_DEFAULT;
}

struct own_mail *own_mail_new(const config *c, gint64 now)
{
	struct own_mail *o = g_new0(struct own_mail, 1);
	const char *address = config_get(c, "bot", NULL, "address");
	guint n;

	o->from = address_new(config_get(c, "bot", NULL, "name"), address);
	o->also = config_get_list(c, "bot", NULL, "also");
	n = g_strv_length(o->also);
	o->all = g_new0(char *, n + 2);
	o->all[0] = o->from->address;
	for (guint i = 0; i < n; i++)
		o->all[i + 1] = o->also[i];
	o->reply.from = o->from;
	o->reply.also = (const char *const *)o->also;
	o->reply.host = config_get(c, "bot", NULL, "host");
	o->reply.spaced =
		g_str_equal(config_get(c, "reply", NULL, "quote"), "spaced");
	o->reply.attribution = attribution_form(c);
	o->reply.now = now;
	return o;
}

void own_mail_free(struct own_mail *o)
{
	if (!o)
		return;
	address_free(o->from);
	g_strfreev(o->also);
	g_free(o->all);
	g_free(o);
}

static json_t *text_or_null(const char *value)
{
	return value ? json_string(value) : json_null();
}

gboolean own_mail_sign(struct outgoing *m, const config *c, const char *name,
		       GError **err)
{
	static const char *const keys[] = {"name", "address", "url"};
	g_autoptr(template_set) set = template_set_open(NULL);
	g_autofree char *file =
		g_strconcat(name ? name : "signature", ".txt", NULL);
	g_autoptr(GString) text = g_string_new(m->body);
	json_t *values = json_object();
	gboolean ok;

	for (guint i = 0; i < G_N_ELEMENTS(keys); i++)
		json_object_set_new(values, keys[i],
				    text_or_null(config_get(c, "bot", NULL,
							    keys[i])));
	ok = template_render(set, file, values, text, err);
	json_decref(values);
	g_free(m->body);
	m->body = g_string_free(g_steal_pointer(&text), FALSE);
	return ok;
}
