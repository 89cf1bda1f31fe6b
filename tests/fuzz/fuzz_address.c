/* fuzz_address.c - mailboxes and persons out of any bytes */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "mail/address.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(const struct address *a)
{
	g_assert_true(g_utf8_validate(a->name, -1, NULL));
	g_assert_true(g_utf8_validate(a->address, -1, NULL));
	g_assert_null(strpbrk(a->address, "\r\n"));
	g_assert_true(!*a->address || address_same_person(a, a));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	g_autofree char *text = g_strndup((const char *)data, size);
	g_autoptr(header) h = header_scan((const char *)data, size, NULL);
	g_autoptr(GPtrArray) list = address_parse_list(text);
	g_autoptr(address_auto) author = address_author(h, NULL);
	g_autofree char *note = NULL;
	g_autoptr(address_auto) person = address_parse_person(text, &note);

	g_assert_cmpuint(list->len, <=, ADDRESS_MAX_LIST);
	for (guint i = 0; i < list->len; i++)
		check(g_ptr_array_index(list, i));
	check(author);
	if (person)
		check(person);
	return 0;
}
