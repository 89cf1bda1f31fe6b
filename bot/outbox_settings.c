/* outbox_settings.c - what [bot], [send] and [list NAME] allow of our mail */
#include "bot/outbox_settings.h"

void outbox_policy_free(struct outbox_policy *p)
{
	if (!p)
		return;
	g_free(p->name);
	g_free(p->address);
	g_strfreev(p->also);
	g_free(p->host);
	g_strfreev(p->allow);
	g_strfreev(p->operators);
	g_ptr_array_unref(p->lists);
	g_free(p);
}

static gboolean yes(const config *c, const char *list, const char *key)
{
	return g_str_equal(config_get(c, "list", list, key), "yes");
}

static struct outbox_list *read_list(const config *c, const char *name)
{
	struct outbox_list *l = g_new0(struct outbox_list, 1);

	l->name = g_strdup(name);
	l->address = g_strdup(config_get(c, "list", name, "address"));
	l->reply_to_author = yes(c, name, "reply-to-author");
	l->reply_list = yes(c, name, "reply-list");
	l->cc_individuals = yes(c, name, "cc-individuals");
	l->quiet_on_good_news = yes(c, name, "quiet-on-good-news");
	l->approve = yes(c, name, "approve");
	l->prefix_text = g_strdup(config_get(c, "list", name, "prefix-text"));
	l->max_per_day =
		(guint)CLAMP(config_get_int(c, "list", name, "max-per-day"), 0,
			     G_MAXINT);
	return l;
}

static enum outbox_mode read_mode(const config *c)
{
	const char *mode = config_get(c, "send", NULL, "mode");

	if (g_str_equal(mode, "auto"))
		return OUTBOX_AUTO;
	return g_str_equal(mode, "approve") ? OUTBOX_APPROVE : OUTBOX_DRY_RUN;
}

struct outbox_policy *outbox_policy_new(const config *c)
{
	struct outbox_policy *p = g_new0(struct outbox_policy, 1);
	g_auto(GStrv) names = config_names(c, "list");

	p->mode = read_mode(c);
	p->name = g_strdup(config_get(c, "bot", NULL, "name"));
	p->address = g_strdup(config_get(c, "bot", NULL, "address"));
	p->also = config_get_list(c, "bot", NULL, "also");
	p->host = g_strdup(config_get(c, "bot", NULL, "host"));
	p->operators = config_get_list(c, "bot", NULL, "operators");
	p->allow = config_get_list(c, "send", NULL, "allow-lists");
	p->hold = config_get_int(c, "send", NULL, "hold");
	p->lists = g_ptr_array_new_with_free_func(
		(GDestroyNotify)outbox_list_free);
	for (guint i = 0; names[i]; i++)
		g_ptr_array_add(p->lists, read_list(c, names[i]));
	return p;
}
