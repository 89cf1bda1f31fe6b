/* charset.c - bytes of any charset to valid UTF-8
 * iconv for the charsets that mail uses; names outside the list never reach
 * it. Must not lose a byte silently. */
#include <errno.h>
#include <string.h>

#include "mail/mime_priv.h"

#define REPLACEMENT "\xef\xbf\xbd"

/* windows-1252, 0x80 to 0x9f; 0 = no character, as NUL is none. */
static const guint16 cp1252[32] = {0x20ac, 0,	   0x201a, 0x0192, 0x201e,
				   0x2026, 0x2020, 0x2021, 0x02c6, 0x2030,
				   0x0160, 0x2039, 0x0152, 0,	   0x017d,
				   0,	   0,	   0x2018, 0x2019, 0x201c,
				   0x201d, 0x2022, 0x2013, 0x2014, 0x02dc,
				   0x2122, 0x0161, 0x203a, 0x0153, 0,
				   0x017e, 0x0178};

static void append_cp1252(GString *out, guchar c)
{
	gunichar u = c >= 0x80 && c < 0xa0 ? cp1252[c - 0x80] : c;

	if (u)
		g_string_append_unichar(out, u);
	else
		g_string_append(out, REPLACEMENT);
}

/* Length of the ASCII bytes (NUL excepted) at the beginning, or a little
 * less: most mail is nothing else. */
static gsize ascii_prefix(const char *s, gsize len)
{
	const guint64 high = G_GUINT64_CONSTANT(0x8080808080808080);
	const guint64 ones = G_GUINT64_CONSTANT(0x0101010101010101);
	guint64 word;
	gsize i;

	for (i = 0; i + sizeof(word) <= len; i += sizeof(word)) {
		memcpy(&word, s + i, sizeof(word));
		if ((word | (word - ones)) & high)
			break;
	}
	return i;
}

/* Bytes that are no ASCII, one after the other (a NUL is such a run of its
 * own): only these have to be judged. */
static gsize foreign_run(const char *s, gsize len)
{
	gsize n = 0;

	while (n < len && (s[n] & 0x80))
		n++;
	return n;
}

/* TRUE if all was UTF-8. */
static gboolean append_foreign(GString *out, const char *s, gsize len)
{
	gboolean fine = TRUE;
	const char *end;

	while (len) {
		g_utf8_validate_len(s, len, &end);
		g_string_append_len(out, s, end - s);
		len -= (gsize)(end - s);
		s = end;
		if (!len)
			break;
		append_cp1252(out, (guchar)*s);
		fine = FALSE;
		s++;
		len--;
	}
	return fine;
}

/* TRUE if all was UTF-8. */
static gboolean append_utf8(GString *out, const char *s, gsize len)
{
	gboolean fine = TRUE;

	while (len) {
		gsize n = ascii_prefix(s, len);

		while (n < len && s[n] && !(s[n] & 0x80))
			n++;
		g_string_append_len(out, s, (gssize)n);
		s += n;
		len -= n;
		if (!len)
			break;
		n = foreign_run(s, len);
		if (n) {
			fine = append_foreign(out, s, n) && fine;
		} else {
			g_string_append(out, REPLACEMENT);
			n = 1;
		}
		s += n;
		len -= n;
	}
	return fine;
}

static void append_latin1(GString *out, const char *s, gsize len)
{
	gsize n = 0, stop;

	while (n < len) {
		gsize ascii = ascii_prefix(s + n, len - n);

		g_string_append_len(out, s + n, (gssize)ascii);
		n += ascii;
		for (stop = MIN(n + sizeof(guint64), len); n < stop; n++)
			append_cp1252(out, (guchar)s[n]);
	}
}

/* TRUE if all bytes existed in the charset of `cd`. */
static gboolean append_iconv(GString *out, GIConv cd, char *s, gsize len)
{
	gboolean fine = TRUE;
	char buf[4096];

	while (len) {
		char *to = buf;
		gsize room = sizeof(buf);
		gsize rc = g_iconv(cd, &s, &len, &to, &room);
		int why = errno;

		append_utf8(out, buf, (gsize)(to - buf));
		if (rc != (gsize)-1 || why == E2BIG)
			continue;
		g_string_append(out, REPLACEMENT);
		fine = FALSE;
		if (why != EILSEQ)
			break;
		s++;
		len--;
	}
	return fine;
}

enum family {
	FAMILY_UTF8,
	FAMILY_ASCII,
	FAMILY_LATIN1,
	FAMILY_ICONV,
};

/* Names by prefix; what mail calls gb2312 or iso-8859-1 is in truth their
 * supersets. */
static const struct charset_name {
	const char *prefix;
	const char *iconv; /* NULL: the name as it is */
	enum family family;
} names[] = {
	{"utf-8", NULL, FAMILY_UTF8},
	{"utf8", NULL, FAMILY_UTF8},
	{"us-ascii", NULL, FAMILY_ASCII},
	{"ascii", NULL, FAMILY_ASCII},
	{"ansi_x3.4", NULL, FAMILY_ASCII},
	{"iso-8859-15", NULL, FAMILY_ICONV},
	{"iso-8859-8-", "iso-8859-8", FAMILY_ICONV},
	{"iso-8859-10", NULL, FAMILY_ICONV},
	{"iso-8859-11", NULL, FAMILY_ICONV},
	{"iso-8859-13", NULL, FAMILY_ICONV},
	{"iso-8859-14", NULL, FAMILY_ICONV},
	{"iso-8859-16", NULL, FAMILY_ICONV},
	{"iso-8859-1", NULL, FAMILY_LATIN1},
	{"iso8859-1", NULL, FAMILY_LATIN1},
	{"iso_8859-1", NULL, FAMILY_LATIN1},
	{"latin1", NULL, FAMILY_LATIN1},
	{"latin-1", NULL, FAMILY_LATIN1},
	{"windows-1252", NULL, FAMILY_LATIN1},
	{"cp1252", NULL, FAMILY_LATIN1},
	{"iso-8859-", NULL, FAMILY_ICONV},
	{"windows-125", NULL, FAMILY_ICONV},
	{"windows-874", "cp874", FAMILY_ICONV},
	{"cp125", NULL, FAMILY_ICONV},
	{"koi8-", NULL, FAMILY_ICONV},
	{"gb2312", "gb18030", FAMILY_ICONV},
	{"gbk", "gb18030", FAMILY_ICONV},
	{"gb18030", NULL, FAMILY_ICONV},
	{"x-gbk", "gb18030", FAMILY_ICONV},
	{"big5", "big5-hkscs", FAMILY_ICONV},
	{"euc-jp", NULL, FAMILY_ICONV},
	{"euc-kr", "cp949", FAMILY_ICONV},
	{"ks_c_5601", "cp949", FAMILY_ICONV},
	{"shift_jis", "cp932", FAMILY_ICONV},
	{"iso-2022-jp", NULL, FAMILY_ICONV},
	{"utf-16", NULL, FAMILY_ICONV},
	{"utf-7", "utf-7", FAMILY_ICONV},
	{"tis-620", NULL, FAMILY_ICONV},
	{"macintosh", NULL, FAMILY_ICONV},
};

static const struct charset_name *find_name(const char *charset)
{
	gsize i;

	if (strlen(charset) > CHARSET_MAX_NAME || strchr(charset, '/'))
		return NULL;
	for (i = 0; i < G_N_ELEMENTS(names); i++)
		if (g_str_has_prefix(charset, names[i].prefix))
			return &names[i];
	return NULL;
}

static enum charset_result by_iconv(GString *out, const char *bytes, gsize len,
				    const char *charset)
{
	GIConv cd = g_iconv_open("UTF-8", charset);
	gsize had = out->len;
	gboolean fine;

	if (cd == (GIConv)-1) {
		append_utf8(out, bytes, len);
		return CHARSET_UNKNOWN;
	}
	/* iconv takes a pointer to bytes that it does not change */
	fine = append_iconv(out, cd, (char *)(guintptr)bytes, len);
	g_iconv_close(cd);
	if (!fine && g_utf8_validate_len(bytes, len, NULL)) {
		g_string_truncate(out, had);
		append_utf8(out, bytes, len);
	}
	return fine ? CHARSET_FINE : CHARSET_BROKEN;
}

enum charset_result charset_append(GString *out, const char *bytes, gsize len,
				   const char *charset)
{
	const struct charset_name *name = charset ? find_name(charset) : NULL;

	if (!name) {
		append_utf8(out, bytes, len);
		return charset ? CHARSET_UNKNOWN : CHARSET_FINE;
	}
	switch (name->family) {
	case FAMILY_ICONV:
		return by_iconv(out, bytes, len,
				name->iconv ? name->iconv : charset);
	case FAMILY_LATIN1:
		append_latin1(out, bytes, len);
		return CHARSET_FINE;
	case FAMILY_UTF8:
		return append_utf8(out, bytes, len) ? CHARSET_FINE
						    : CHARSET_BROKEN;
	case FAMILY_ASCII:
		break;
	}
	append_utf8(out, bytes, len);
	return CHARSET_FINE;
}
