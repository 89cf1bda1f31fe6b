/* fuzz_bounce.c - any mail as one that came back */
#include <stdint.h>
#include <string.h>

#include "mail/bounce.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	g_autoptr(GBytes) raw = g_bytes_new(data, size);
	g_autoptr(message) msg = message_parse(raw, 0, NULL);
	g_autoptr(bounce_auto) b =
		msg ? bounce_read(msg, "bot@bot.example.org") : NULL;

	for (guint i = 0; b && i < b->failed->len; i++) {
		const struct bounce_failed *f = b->failed->pdata[i];

		g_assert(f->address && f->text &&
			 strspn(f->status, "0123456789.") == strlen(f->status));
	}
	g_assert(!b || b->failed->len <= BOUNCE_MAX_FAILED);
	return 0;
}
