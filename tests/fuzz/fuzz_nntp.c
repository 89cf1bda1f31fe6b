/* fuzz_nntp.c - any bytes as what a news server says; the first chooses where
 * they are cut */
#include <stdint.h>
#include <string.h>

#include "mail/nntp_text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_slice(const struct nntp_slice *s, const char *in, gsize len)
{
	g_assert(!s->at ||
		 (s->at >= in && s->len <= len && s->at + s->len <= in + len));
	g_assert(!s->at || nntp_is_name(s->at, s->len));
}

static void check_line(const char *line, gsize len)
{
	struct nntp_active a;
	struct nntp_over o;
	struct nntp_slice id = {NULL, 0};
	guint64 low, high;
	const char *text;
	guint code;

	if (nntp_active(line, len, &a))
		check_slice(&a.name, line, len);
	if (nntp_over(line, len, &o)) {
		check_slice(&o.id, line, len);
		g_assert(o.number <= G_MAXINT64 && o.bytes <= G_MAXINT64);
	}
	if (nntp_reply(line, &code, &text))
		g_assert(code >= 100 && code < 600 && text <= line + len);
	if (nntp_group(line, &low, &high))
		g_assert(low <= G_MAXINT64 && high <= G_MAXINT64);
	if (nntp_article(line, &low, &id))
		check_slice(&id, line, strlen(line));
}

static void check_strip(const GString *article)
{
	g_autoptr(GString) s =
		g_string_new_len(article->str, (gssize)article->len);

	nntp_strip(s);
	g_assert(s->len <= article->len && s->str[s->len] == '\0');
	g_assert(!memchr(s->str, '\n', s->len) ||
		 !g_str_has_prefix(s->str, "Xref:"));
}

/* Wherever it is cut, it means the same. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *in = (const char *)data;
	gsize cut = size ? data[0] % size : 0, took;
	g_autoptr(GString) whole = g_string_new(NULL);
	g_autoptr(GString) parts = g_string_new(NULL);
	struct nntp_block b = {0};
	gboolean end, ended;

	took = nntp_block_take(&b, in, size, whole, &end);
	g_assert(took <= size && whole->len <= size);
	b = (struct nntp_block){0};
	cut = nntp_block_take(&b, in, cut, parts, &ended);
	if (!ended)
		cut += nntp_block_take(&b, in + cut, size - cut, parts, &ended);
	g_assert(end == ended && took == cut && g_string_equal(whole, parts));
	check_strip(whole);
	for (char *line = whole->str, *lf; *line; line = lf + 1) {
		lf = strchr(line, '\n');
		if (!lf)
			break;
		*lf = '\0';
		check_line(line, (gsize)(lf - line));
	}
	return 0;
}
