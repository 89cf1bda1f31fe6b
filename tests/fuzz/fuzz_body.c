/* fuzz_body.c - any bytes as a body; the same bytes through the decoders that
 * stand before it */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "mail/body.h"
#include "mail/mime_priv.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Lines are the text, in order and without a gap. */
static void check_lines(const char *text, gsize len)
{
	g_autoptr(body) b = body_parse(text, len);
	g_autoptr(GString) own = g_string_new(NULL);
	g_autoptr(GString) quoted = g_string_new(NULL);
	g_autoptr(GString) diff = g_string_new(NULL);
	gsize at = 0;

	for (guint i = 0; i < body_count(b); i++) {
		const struct body_line *l = body_line(b, i);

		g_assert_true(l->text == text + at);
		g_assert_cmpuint(l->skip, <=, l->len);
		g_assert_cmpuint(l->depth, <=, BODY_MAX_DEPTH);
		g_assert_true((l->depth > 0) == (l->kind == BODY_QUOTE));
		at += l->len + 1;
	}
	g_assert_true(at == len || at == len + 1);
	body_split(b, own, quoted, diff);
	g_assert_cmpuint(own->len + quoted->len + diff->len, <=, len + 1);
}

static void check_text(const GString *s)
{
	g_assert_true(g_utf8_validate_len(s->str, s->len, NULL));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const charsets[] = {NULL,	      "utf-8",
					       "us-ascii",    "iso-8859-1",
					       "koi8-r",      "gb2312",
					       "iso-2022-jp", "euc-kr"};
	const char *text = (const char *)data;
	g_autoptr(GString) utf8 = g_string_new(NULL);
	g_autoptr(GString) flowed = NULL;
	g_autoptr(GString) html = NULL;
	g_autoptr(GString) plain = NULL;
	guint which = size ? data[0] % G_N_ELEMENTS(charsets) : 0;

	check_lines(text, size);
	charset_append(utf8, text, size, charsets[which]);
	check_text(utf8);
	flowed = flowed_join(utf8->str, utf8->len, which & 1);
	check_text(flowed);
	plain = flowed_unstuff(utf8->str, utf8->len);
	if (plain)
		check_text(plain);
	html = html_to_text(utf8->str, utf8->len);
	check_text(html);
	check_lines(html->str, html->len);
	return 0;
}
