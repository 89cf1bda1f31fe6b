/* gmime.c - start of GMime and its options
 * Holds what has to exist once a process and never changes afterwards. */
#include "mail/gmime_priv.h"

static gpointer start(gpointer unused)
{
	static const char *const charsets[] = {"utf-8", "windows-1252",
					       "iso-8859-1", NULL};
	GMimeParserOptions *options;

	g_mime_init();
	options = g_mime_parser_options_new();
	g_mime_parser_options_set_fallback_charsets(options,
						    (const char **)charsets);
	g_mime_parser_options_set_rfc2047_compliance_mode(
		options, GMIME_RFC_COMPLIANCE_LOOSE);
	g_mime_parser_options_set_address_compliance_mode(
		options, GMIME_RFC_COMPLIANCE_LOOSE);
	g_mime_parser_options_set_allow_addresses_without_domain(options, TRUE);
	return options;
}

static GOnce once = G_ONCE_INIT;

void gmime_ready(void)
{
	g_once(&once, start, NULL);
}

GMimeParserOptions *gmime_options(void)
{
	return g_once(&once, start, NULL);
}

gboolean gmime_knows_charset(const char *charset)
{
	static const char *const usual[] = {"utf-8", "us-ascii", "iso-8859-1",
					    "windows-1252"};
	iconv_t cd;

	for (guint i = 0; i < G_N_ELEMENTS(usual); i++)
		if (g_ascii_strcasecmp(charset, usual[i]) == 0)
			return TRUE;
	gmime_ready();
	cd = g_mime_iconv_open("utf-8", charset);
	if (cd == (iconv_t)-1)
		return FALSE;
	g_mime_iconv_close(cd);
	return TRUE;
}
