/* fuzz_imap_guard.c - any bytes as what an IMAP server says; the first chooses
 * where they are cut */
#include <stdint.h>
#include <string.h>

#include "bot/imap_guard.h"
#include "bot/imap_text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Whatever a line is, it is read without harm. */
static gboolean on_line(const char *line, GPtrArray *literals, void *data)
{
	guint *lines = data;
	g_autoptr(GArray) uids = g_array_new(FALSE, FALSE, sizeof(guint32));
	g_autofree char *name = NULL;
	struct imap_fetched f;
	guint32 n;

	(*lines)++;
	g_assert(!strchr(line, '\n') || literals->len > 0);
	imap_text_search(line, uids);
	imap_text_list(line, literals, &name);
	imap_text_exists(line, &n);
	imap_text_validity(line, &n);
	g_assert(imap_text_fetch(line, literals, &f) || !f.body);
	g_clear_pointer(&f.body, g_byte_array_unref);
	return TRUE;
}

/* What became of it all. */
struct outcome {
	gsize passed;
	int code; /* of the error; -1: none */
	guint ends, lines;
	gboolean news;
	char *status;
};

static void note(const struct imap_guard *g, struct outcome *o)
{
	o->ends += g->ended != IMAP_END_NOT;
	o->news |= g->news;
	if (g->status) {
		g_assert(g_utf8_validate(g->status, -1, NULL));
		g_assert(!strpbrk(g->status, "\r\n\033"));
	}
}

static struct outcome feed(const char *in, gsize len, gsize piece)
{
	struct outcome o = {.code = -1};
	const struct imap_reply reply = {.max_body = 1000,
					 .max_bodies = 5000,
					 .keep = 500,
					 .line = on_line,
					 .data = &o.lines};
	struct imap_guard g;
	g_autoptr(GError) err = NULL;

	imap_guard_init(&g);
	imap_guard_begin(&g, &reply);
	while (o.passed < len) {
		gsize n = MIN(piece, len - o.passed);
		gssize took = imap_guard_pass(&g, in + o.passed, n, &err);

		if (took < 0)
			break;
		g_assert(took > 0 && (gsize)took <= n);
		o.passed += (gsize)took;
		note(&g, &o);
	}
	if (err) {
		g_assert(err->domain == NET_ERROR);
		o.code = err->code;
		/* how much passed before depends on the pieces */
		o.passed = 0;
	}
	o.status = g_strdup(g.status);
	imap_guard_clear(&g);
	return o;
}

/* Wherever it is cut, it means the same. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *in = (const char *)data;
	struct outcome whole = feed(in, size, MAX(size, 1));
	struct outcome parts = feed(in, size, size ? 1 + data[0] % 16 : 1);

	g_assert(whole.code == parts.code);
	if (whole.code < 0) {
		g_assert(whole.passed == parts.passed);
		g_assert(whole.ends == parts.ends);
		g_assert(whole.lines == parts.lines);
		g_assert(whole.news == parts.news);
		g_assert(g_strcmp0(whole.status, parts.status) == 0);
	}
	g_free(whole.status);
	g_free(parts.status);
	return 0;
}
