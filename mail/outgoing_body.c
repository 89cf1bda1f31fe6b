/* outgoing_body.c - a body in the plainest encoding that carries it */
#include <string.h>

#include "mail/outgoing_priv.h"

#define QP_MAX 76

enum outgoing_encoding outgoing_choose(const char *body, gboolean eight_bit)
{
	gboolean ascii = TRUE;

	for (const char *p = body; *p;) {
		gsize len = strcspn(p, "\n");

		if (len > OUTGOING_LINE || memchr(p, '\r', len))
			return OUTGOING_QP;
		for (gsize i = 0; i < len; i++)
			ascii &= (guchar)p[i] < 0x80;
		p += len + (p[len] == '\n');
	}
	if (ascii)
		return OUTGOING_7BIT;
	return eight_bit ? OUTGOING_8BIT : OUTGOING_QP;
}

/* A byte that must not stand for itself at column `col` of its line. */
static gboolean must_encode(const char *line, gsize i, gsize len)
{
	guchar c = (guchar)line[i];

	if (c == '=' || c >= 0x7f || (c < 0x20 && c != '\t'))
		return TRUE;
	if (i + 1 == len && (c == ' ' || c == '\t'))
		return TRUE;
	return i == 0 &&
	       (c == '.' || (len >= 5 && memcmp(line, "From ", 5) == 0));
}

static void qp_line(GString *out, const char *line, gsize len)
{
	gsize column = 0;

	for (gsize i = 0; i < len; i++) {
		gboolean encode = must_encode(line, i, len);
		gsize width = encode ? 3 : 1;
		gsize room = i + 1 == len ? QP_MAX : QP_MAX - 1;

		if (column + width > room) {
			g_string_append(out, "=\n");
			column = 0;
			/* what begins a line of the wire counts there */
			encode |= line[i] == '.' || line[i] == 'F';
			width = encode ? 3 : 1;
		}
		if (encode)
			g_string_append_printf(out, "=%02X", (guchar)line[i]);
		else
			g_string_append_c(out, line[i]);
		column += width;
	}
}

void outgoing_qp(GString *out, const char *body)
{
	while (*body) {
		gsize len = strcspn(body, "\n");

		qp_line(out, body, len);
		if (body[len] == '\n')
			g_string_append_c(out, '\n');
		body += len + (body[len] == '\n');
	}
}
