/* maintainers_hint.c - a section by the prefix of a title, where no file is
 * known: "btrfs: ..." is of BTRFS FILE SYSTEM, if no other section is called
 * so */
#include <string.h>

#include "mail/maintainers_priv.h"

#define MAX_PREFIX 60 /* bytes in front of the colon */

/* Letters and digits, in lower case; of char *. */
static GPtrArray *words_of(const char *text, gsize len)
{
	GPtrArray *words = g_ptr_array_new_with_free_func(g_free);

	for (gsize i = 0; i < len;) {
		gsize n = 0;

		while (i + n < len && g_ascii_isalnum(text[i + n]))
			n++;
		if (n)
			g_ptr_array_add(words, g_ascii_strdown(text + i, n));
		i += MAX(n, 1);
	}
	return words;
}

void maintainers_add_title(maintainers *m, struct section *s)
{
	g_autoptr(GPtrArray) words = words_of(s->s.title, strlen(s->s.title));

	for (guint i = 0; i < words->len && !s->s.hidden; i++) {
		GPtrArray *of =
			g_hash_table_lookup(m->by_title, words->pdata[i]);

		if (!of) {
			of = g_ptr_array_new();
			g_hash_table_insert(m->by_title,
					    g_strdup(words->pdata[i]), of);
		}
		if (!of->len || of->pdata[of->len - 1] != s)
			g_ptr_array_add(of, s);
	}
}

static gboolean is_called(const maintainers *m, const GPtrArray *words,
			  struct section *s)
{
	for (guint i = 1; i < words->len; i++) {
		GPtrArray *of =
			g_hash_table_lookup(m->by_title, words->pdata[i]);

		if (!of || !g_ptr_array_find(of, s, NULL))
			return FALSE;
	}
	return TRUE;
}

const struct maintainers_section *maintainers_hint(const maintainers *m,
						   const char *title)
{
	const char *colon = strchr(title, ':');
	gsize len = colon ? (gsize)(colon - title) : 0;
	g_autoptr(GPtrArray) words =
		words_of(title, len <= MAX_PREFIX ? len : 0);
	GPtrArray *first =
		words->len ? g_hash_table_lookup(m->by_title, words->pdata[0])
			   : NULL;
	const struct section *only = NULL;

	for (guint i = 0; first && i < first->len; i++) {
		if (!is_called(m, words, first->pdata[i]))
			continue;
		if (only)
			return NULL;
		only = first->pdata[i];
	}
	return only ? &only->s : NULL;
}
