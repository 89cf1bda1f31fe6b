/* net.c - names for what goes wrong with a server */
#include "bot/net.h"

G_DEFINE_QUARK(net - error - quark, net_error)

static const struct {
	enum net_error code;
	const char *word;
	gboolean passing;
} table[] = {
	{NET_ERROR_CONNECT, "connect", TRUE},
	{NET_ERROR_VERIFY, "verify", FALSE},
	{NET_ERROR_PLAIN, "plain", FALSE},
	{NET_ERROR_TIME, "time", TRUE},
	{NET_ERROR_CLOSED, "closed", TRUE},
	{NET_ERROR_IO, "io", TRUE},
	{NET_ERROR_REPLY, "reply", TRUE},
	{NET_ERROR_REFUSED, "refused", FALSE},
	{NET_ERROR_LIMIT, "limit", TRUE},
	{NET_ERROR_SECRET, "secret", FALSE},
	{NET_ERROR_STOPPED, "stopped", TRUE},
};

const char *net_error_code(const GError *e)
{
	for (guint i = 0; i < G_N_ELEMENTS(table); i++)
		if (g_error_matches(e, NET_ERROR, (int)table[i].code))
			return table[i].word;
	return "failed";
}

gboolean net_is_passing(const GError *e)
{
	for (guint i = 0; i < G_N_ELEMENTS(table); i++)
		if (g_error_matches(e, NET_ERROR, (int)table[i].code))
			return table[i].passing;
	return TRUE;
}
