/* fuzz_applied.c - any text as a notice, by a person and by robots
 * The first byte chooses who sends it. */
#include <stdint.h>
#include <string.h>

#include "mail/reading.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *const heads[] = {
	"From: A <a@example.org>\nSubject: Re: [PATCH 0/5] foo\n",
	"From: A <a@example.org>\nSubject: Re: (subset) [PATCH 2/3] foo\n",
	"From: pr-tracker-bot@kernel.org\nSubject: Re: [GIT PULL] foo\n",
	"From: tip-bot2@linutronix.de\nSubject: [tip: x/y] foo\n",
	"From: patchwork-bot+x@kernel.org\nSubject: Re: [PATCH] foo\n",
	"From: gregkh@kernel.org\nSubject: Patch \"x\" has been added to the "
	"5.4-stable tree\n",
	"From: a@linux-foundation.org\nSubject: [x] y.patch removed from -mm "
	"tree\n",
};

static void check_text(const char *text)
{
	g_assert(!text || g_utf8_validate(text, -1, NULL));
}

static void check(const struct reading *r)
{
	const struct applied *a = r->applied;

	if (!a)
		return;
	g_assert(a->items->len <= APPLIED_MAX_ITEMS);
	g_assert(a->commits->len <= APPLIED_MAX_ITEMS);
	g_assert(a->line >= 1 && a->line <= MAX(body_count(r->body), 1));
	g_assert(a->text && applied_kind_name(a->kind));
	check_text(a->text);
	check_text(a->tree);
	check_text(a->branch);
	for (guint i = 0; i < a->items->len; i++) {
		const struct applied_item *item = a->items->pdata[i];

		check_text(item->title);
		check_text(item->commit);
		check_text(item->mid);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	g_autoptr(GByteArray) raw = g_byte_array_new();
	g_autoptr(message) msg = NULL;
	g_autoptr(reading_auto) r = NULL;
	g_autoptr(GBytes) bytes = NULL;
	const char *head;

	if (!size)
		return 0;
	head = heads[data[0] % G_N_ELEMENTS(heads)];
	g_byte_array_append(raw, (const guint8 *)head, (guint)strlen(head));
	g_byte_array_append(raw, (const guint8 *)"In-Reply-To: <p@x.y>\n\n",
			    22);
	g_byte_array_append(raw, data + 1, (guint)MIN(size - 1, 100000));
	bytes = g_byte_array_free_to_bytes(g_steal_pointer(&raw));
	msg = message_parse(bytes, 0, NULL);
	if (!msg)
		return 0;
	r = reading_new(msg);
	check(r);
	return 0;
}
