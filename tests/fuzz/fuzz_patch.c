/* fuzz_patch.c - any bytes as a mail that is read as a patch */
#include <stdint.h>

#include "mail/patch.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	g_autoptr(GBytes) raw = g_bytes_new(data, size);
	g_autoptr(message) msg = message_parse(raw, 0, NULL);
	g_autoptr(subject_auto) subject = NULL;
	g_autoptr(patch_auto) p = NULL;

	if (!msg)
		return 0;
	subject = subject_parse(message_subject(msg), NULL);
	p = patch_parse(msg, subject);
	g_assert(p->author && p->title && p->message_line && p->notes_line);
	g_assert(g_utf8_validate(p->commit_message, -1, NULL));
	g_assert(g_utf8_validate(p->notes, -1, NULL));
	g_assert(g_utf8_validate(p->title, -1, NULL));
	g_assert(!p->change_id || g_utf8_validate(p->change_id, -1, NULL));
	return 0;
}
