/* fuzz_msgid.c - ids out of any header value, URL or typed text */
#include <stddef.h>
#include <stdint.h>

#include "mail/msgid.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_id(const char *id)
{
	g_assert_true(*id && g_utf8_validate(id, -1, NULL));
	for (const char *p = id; *p; p++)
		g_assert_true((guchar)*p > 0x20 && *p != 0x7f);
}

static void check_url(const char *id)
{
	g_autofree char *path = msgid_to_url(id);
	g_autofree char *url =
		g_strconcat("https://lore.kernel.org/all/", path, "/", NULL);
	g_autofree char *back = msgid_from_url(url);

	if (back)
		check_id(back);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	g_autofree char *value = g_strndup((const char *)data, size);
	g_autofree char *typed = msgid_from_text(value);
	g_autofree char *linked = msgid_from_url(value);
	g_autofree char *marc = msgid_from_marc(value);

	for (int field = 0; field < 3; field++) {
		gboolean clean;
		g_autoptr(GPtrArray) ids = msgid_extract(value, field, &clean);

		g_assert_cmpuint(ids->len, <=, MSGID_MAX_IDS);
		for (guint i = 0; i < ids->len; i++) {
			check_id(g_ptr_array_index(ids, i));
			check_url(g_ptr_array_index(ids, i));
		}
	}
	if (linked)
		check_id(linked);
	if (typed)
		check_id(typed);
	return 0;
}
