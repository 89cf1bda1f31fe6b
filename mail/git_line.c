/* git_line.c - lines by which git divides a mail
 * Each is judged alone: whether it may stand where it stands is for those to
 * say who read the lines around it. */
#include "mail/git_line.h"

#include <string.h>

#include "mail/chars_priv.h"

/* Bytes of the blade at `p`; 0 if there is none. */
static gsize blade_len(const char *p, gsize len)
{
	static const char *const blades[] = {">8", "8<", ">%", "%<",
					     "\xe2\x9c\x82"};

	for (guint i = 0; i < G_N_ELEMENTS(blades); i++) {
		gsize n;

		if (*p != *blades[i])
			continue;
		n = strlen(blades[i]);
		if (len >= n && memcmp(p, blades[i], n) == 0)
			return n;
	}
	return 0;
}

/* Told without reading most lines byte by byte: '<' and '>' are rare. */
static gboolean holds_blade(const char *line, gsize len)
{
	const char *end = line + len, *p;

	for (p = line; (p = memchr(p, '>', (gsize)(end - p))); p++)
		if (blade_len(p, (gsize)(end - p)))
			return TRUE;
	for (p = line; (p = memchr(p, '<', (gsize)(end - p))); p++)
		if (p > line && blade_len(p - 1, (gsize)(end - p) + 1))
			return TRUE;
	for (p = line; (p = memchr(p, 0xe2, (gsize)(end - p))); p++)
		if (blade_len(p, (gsize)(end - p)))
			return TRUE;
	return FALSE;
}

gboolean git_line_is_scissors(const char *line, gsize len)
{
	gsize first = len, last = 0; /* visible bytes */
	gsize perforation = 0, gap = 0;
	gboolean inside = FALSE;

	if (len < 8 || !holds_blade(line, len))
		return FALSE;
	/* git reads the line end, too: a blank more */
	for (gsize i = 0; i <= len; i++) {
		gsize n;

		if (i == len || g_ascii_isspace(line[i])) {
			perforation += inside;
			gap += inside;
			continue;
		}
		first = MIN(first, i);
		last = i; /* of a blade the first byte */
		n = blade_len(line + i, len - i);
		inside = n || line[i] == '-';
		perforation += MAX(n, (gsize)inside);
		i += n ? n - 1 : 0;
	}
	return last - first + 1 >= 8 && last - first + 1 < perforation * 3 &&
	       gap * 2 < perforation;
}

gboolean git_line_is_rule(const char *line, gsize len)
{
	if (len < 3 || memcmp(line, "---", 3) != 0)
		return FALSE;
	for (gsize i = 3; i < len; i++)
		if (!g_ascii_isspace(line[i]))
			return FALSE;
	return TRUE;
}

gboolean git_line_is_stat(const char *line, gsize len)
{
	const char *end = line + len, *bar, *p;

	if (len < 6 || line[0] != ' ' || is_blank(line[1]))
		return FALSE;
	bar = memrchr(line, '|', len);
	if (!bar || bar - line < 3 || bar[-1] != ' ')
		return FALSE;
	for (p = bar + 1; p < end && is_blank(*p); p++)
		;
	if (end - p >= 3 && memcmp(p, "Bin", 3) == 0)
		return TRUE;
	if (p == end || !g_ascii_isdigit(*p))
		return FALSE;
	while (p < end && g_ascii_isdigit(*p))
		p++;
	while (p < end && (is_blank(*p) || *p == '+' || *p == '-'))
		p++;
	return p == end;
}

gboolean git_line_is_stat_sum(const char *line, gsize len)
{
	return len > 16 && line[0] == ' ' && g_ascii_isdigit(line[1]) &&
	       (memmem(line, len, " file changed", 13) ||
		memmem(line, len, " files changed", 14));
}
