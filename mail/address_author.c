/* address_author.c - the author behind a From that a list has rewritten
 * Must not guess: without a better source From stays what it is. */
#include <string.h>

#include "mail/address.h"

#define VIA	  " via "
#define MAX_LISTS 100 /* List-Id fields, and addresses of List-Post */

static GPtrArray *field_list(const header *h, const char *name)
{
	g_autofree char *value = header_dup(h, name);

	return value ? address_parse_list(value) : NULL;
}

static gboolean holds_address(GPtrArray *list, const char *address)
{
	for (guint i = 0; list && i < list->len; i++) {
		const struct address *a = g_ptr_array_index(list, i);

		if (g_ascii_strcasecmp(a->address, address) == 0)
			return TRUE;
	}
	return FALSE;
}

/* The lists that a message says it came by. */
struct lists {
	GPtrArray *ids;	 /* values of List-Id, between the brackets */
	GPtrArray *post; /* addresses of List-Post; NULL if there is none */
};

static void lists_read(struct lists *lists, const header *h)
{
	const struct header_field *f = header_find(h, "List-Id");

	lists->ids = g_ptr_array_new_with_free_func(g_free);
	for (; f && lists->ids->len < MAX_LISTS;
	     f = header_next(h, "List-Id", f)) {
		g_autofree char *value = header_unfold(f);
		const char *id = strrchr(value, '<');

		id = id ? id + 1 : value;
		g_ptr_array_add(lists->ids, g_strndup(id, strcspn(id, "> ")));
	}
	lists->post = field_list(h, "List-Post");
	if (lists->post && lists->post->len > MAX_LISTS)
		g_ptr_array_set_size(lists->post, MAX_LISTS);
}

static void lists_clear(struct lists *lists)
{
	g_ptr_array_unref(lists->ids);
	if (lists->post)
		g_ptr_array_unref(lists->post);
}

/* "A list <name.lists.example.org>" stands for name@lists.example.org. */
static gboolean id_is_address(const char *id, const char *address)
{
	const char *at = strchr(address, '@');
	gsize len = at ? (gsize)(at - address) : 0;

	return len > 0 && g_ascii_strncasecmp(id, address, len) == 0 &&
	       id[len] == '.' && g_ascii_strcasecmp(id + len + 1, at + 1) == 0;
}

static gboolean is_list_address(const struct lists *lists, const char *address)
{
	for (guint i = 0; i < lists->ids->len; i++)
		if (id_is_address(g_ptr_array_index(lists->ids, i), address))
			return TRUE;
	return *address && holds_address(lists->post, address);
}

/* "'Name' via List" without its end and quotes; NULL if it is no such name.
 * "bot--- via List" is written for bot@domain: it has no name. */
static char *name_before_via(const char *name)
{
	const char *via = NULL;
	gsize len;
	char *clean;

	for (const char *p = name; (p = strstr(p, VIA)) != NULL; p++)
		via = p;
	if (!via)
		return NULL;
	clean = g_strstrip(g_strndup(name, via - name));
	len = strlen(clean);
	if (len > 1 && strchr("'\"", clean[0]) && clean[len - 1] == clean[0]) {
		memmove(clean, clean + 1, len - 2);
		clean[len - 2] = '\0';
	}
	if (g_str_has_suffix(clean, "---"))
		clean[0] = '\0';
	return clean;
}

static gboolean names_equal(const char *a, const char *b)
{
	g_autofree char *fold_a = g_utf8_casefold(a, -1);
	g_autofree char *fold_b = g_utf8_casefold(b, -1);

	return g_str_equal(fold_a, fold_b);
}

/* The first of `list` that is neither the list nor From itself; one of that
 * name is better; `only_named`: no other will do. */
static const struct address *choose(const struct lists *lists, GPtrArray *list,
				    const struct address *from,
				    const char *name, gboolean only_named)
{
	const struct address *first = NULL;

	for (guint i = 0; list && i < list->len; i++) {
		const struct address *a = g_ptr_array_index(list, i);

		if (!strchr(a->address, '@') ||
		    g_ascii_strcasecmp(a->address, from->address) == 0 ||
		    is_list_address(lists, a->address))
			continue;
		if (name && *name && names_equal(a->name, name))
			return a;
		if (!first && !only_named)
			first = a;
	}
	return first;
}

static struct address *unmunge(const header *h, const struct lists *lists,
			       const struct address *from, const char *name)
{
	static const char *const fields[] = {"X-Original-From", "Reply-To",
					     "Cc"};

	for (guint i = 0; i < G_N_ELEMENTS(fields); i++) {
		g_autoptr(GPtrArray) list = field_list(h, fields[i]);
		const struct address *a = choose(lists, list, from, name,
						 g_str_equal(fields[i], "Cc"));

		if (a)
			return address_new(*a->name || !name ? a->name : name,
					   a->address);
	}
	return NULL;
}

/* "Last, First <address>" without quotes reads as two mailboxes. */
static struct address *read_from(const header *h)
{
	g_autoptr(GPtrArray) list = field_list(h, "From");
	const struct address *a, *b;
	g_autofree char *name = NULL;

	if (!list || list->len == 0)
		return address_new("", "");
	a = g_ptr_array_index(list, 0);
	b = list->len > 1 ? g_ptr_array_index(list, 1) : NULL;
	if (*a->address || !b || !*b->address)
		return address_copy(a);
	name = g_strconcat(a->name, *b->name ? ", " : "", b->name, NULL);
	return address_new(name, b->address);
}

struct address *address_author(const header *h, gboolean *unmunged)
{
	struct address *from = read_from(h);
	g_autofree char *name = name_before_via(from->name);
	struct address *author = NULL;
	struct lists lists;

	lists_read(&lists, h);
	if (name || is_list_address(&lists, from->address))
		author = unmunge(h, &lists, from, name);
	lists_clear(&lists);
	if (unmunged)
		*unmunged = author != NULL;
	if (!author)
		return from;
	address_free(from);
	return author;
}
