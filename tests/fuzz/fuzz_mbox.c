/* fuzz_mbox.c - splitting any bytes, whole and in pieces, gives the same */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "mail/mbox.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct bounds {
	gsize start, end, next;
};

static gboolean whole(const char *buf, gsize len, enum mbox_format format,
		      struct bounds *b)
{
	gsize resume = 0;

	return mbox_next(buf, len, TRUE, format, &resume, &b->start, &b->end,
			 &b->next);
}

static gboolean in_pieces(const char *buf, gsize len, gsize step,
			  enum mbox_format format, struct bounds *b)
{
	gsize resume = 0;

	for (gsize have = step;; have += step) {
		gsize now = MIN(have, len);

		if (mbox_next(buf, now, now == len, format, &resume, &b->start,
			      &b->end, &b->next))
			return TRUE;
		if (now == len)
			return FALSE;
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *p = (const char *)data;
	gsize left = size;
	struct bounds a, b;
	int format;

	if (size < 2)
		return 0;
	format = data[0] % 4;
	p++;
	left--;
	while (left > 0 && whole(p, left, format, &a)) {
		g_autoptr(GBytes) plain = NULL;
		g_autoptr(GString) out = g_string_new(NULL);

		g_assert_true(in_pieces(p, left, 1 + data[0] / 4, format, &b));
		g_assert_cmpuint(a.start, ==, b.start);
		g_assert_cmpuint(a.end, ==, b.end);
		g_assert_cmpuint(a.next, ==, b.next);
		g_assert_true(a.start <= a.end && a.end <= a.next &&
			      a.next <= left && a.next > 0);
		plain = mbox_unquote(p + a.start, a.end - a.start, format);
		g_assert_cmpuint(g_bytes_get_size(plain), <=, a.end - a.start);
		mbox_append(out, p + a.start, a.end - a.start);
		p += a.next;
		left -= a.next;
	}
	return 0;
}
