/* builtin.c - the files that are compiled into this layer
 * The one place in mail/ that knows GIO, and no file is opened here. */
#include <gio/gio.h>

#include "mail/metric_priv.h"

GResource *culprit_mail_get_resource(void); /* made of RES_mail */
void culprit_mail_register_resource(void);

static gpointer load_once(gpointer unused)
{
	culprit_mail_register_resource();
	return g_resource_lookup_data(culprit_mail_get_resource(),
				      "/culprit/mail/metrics.conf",
				      G_RESOURCE_LOOKUP_FLAGS_NONE, NULL);
}

const char *builtin_metrics(gsize *len)
{
	static GOnce once = G_ONCE_INIT;
	GBytes *text = g_once(&once, load_once, NULL);

	g_assert(text);
	return g_bytes_get_data(text, len);
}
