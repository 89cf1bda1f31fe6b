/* mailmap.c - .mailmap as git reads and applies it
 * Letters of ASCII are compared without regard to case, as git does; nothing
 * else is folded. */
#include "mail/mailmap.h"

#include <string.h>

/* What a person is replaced by; NULL: stays. */
struct proper {
	char *name, *address;
};

/* What is known of an address. */
struct entry {
	struct proper plain;
	GHashTable *by_name; /* lower-case name to struct proper; NULL none */
};

struct mailmap {
	GHashTable *by_address; /* lower-case address to struct entry */
	guint count;
};

static void proper_free(struct proper *p)
{
	g_free(p->name);
	g_free(p->address);
	g_free(p);
}

static void entry_free(struct entry *e)
{
	g_free(e->plain.name);
	g_free(e->plain.address);
	if (e->by_name)
		g_hash_table_unref(e->by_name);
	g_free(e);
}

/* ---- reading */

static gboolean is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* "NAME <ADDRESS>" at the beginning; NULL for a name of blanks. Gives what
 * stands behind it, or NULL if there is nothing of the kind. */
static const char *read_person(const char *p, gboolean may_be_empty,
			       char **name, char **address)
{
	const char *left = strchr(p, '<');
	const char *right = left ? strchr(left, '>') : NULL;
	const char *end = left;

	if (!right || (right == left + 1 && !may_be_empty))
		return NULL;
	while (p < end && is_blank(*p))
		p++;
	while (end > p && is_blank(end[-1]))
		end--;
	*name = end > p ? g_strndup(p, (gsize)(end - p)) : NULL;
	*address = g_strndup(left + 1, (gsize)(right - left - 1));
	return right + 1;
}

static void replace(char **to, const char *by)
{
	if (!by)
		return;
	g_free(*to);
	*to = g_utf8_make_valid(by, -1);
}

static void add_named(struct entry *e, const char *of_name, const char *name,
		      const char *address)
{
	struct proper *p = g_new0(struct proper, 1);

	replace(&p->name, name);
	replace(&p->address, address);
	if (!e->by_name)
		e->by_name =
			g_hash_table_new_full(g_str_hash, g_str_equal, g_free,
					      (GDestroyNotify)proper_free);
	g_hash_table_insert(e->by_name, g_ascii_strdown(of_name, -1), p);
}

static void add_entry(mailmap *m, const char *name, const char *address,
		      const char *of_name, const char *of_address)
{
	g_autofree char *key =
		g_ascii_strdown(of_address ? of_address : address, -1);
	struct entry *e = g_hash_table_lookup(m->by_address, key);

	if (!of_address)
		address = NULL;
	if (!e) {
		e = g_new0(struct entry, 1);
		g_hash_table_insert(m->by_address, g_steal_pointer(&key), e);
	}
	m->count++;
	if (of_name) {
		add_named(e, of_name, name, address);
	} else {
		replace(&e->plain.name, name);
		replace(&e->plain.address, address);
	}
}

static void read_line(mailmap *m, const char *line)
{
	g_autofree char *name = NULL, *address = NULL;
	g_autofree char *of_name = NULL, *of_address = NULL;
	const char *rest;

	if (*line == '#')
		return;
	rest = read_person(line, FALSE, &name, &address);
	if (rest)
		read_person(rest, TRUE, &of_name, &of_address);
	if (address)
		add_entry(m, name, address, of_name, of_address);
}

mailmap *mailmap_parse(const char *text, gsize len)
{
	mailmap *m = g_new0(mailmap, 1);
	const char *end = text + MIN(len, MAILMAP_MAX_BYTES);

	m->by_address = g_hash_table_new_full(g_str_hash, g_str_equal, g_free,
					      (GDestroyNotify)entry_free);
	while (text < end && m->count < MAILMAP_MAX_ENTRIES) {
		const char *nl = memchr(text, '\n', (gsize)(end - text));
		g_autofree char *line =
			g_strndup(text, (gsize)((nl ? nl : end) - text));

		read_line(m, line);
		text = nl ? nl + 1 : end;
	}
	return m;
}

void mailmap_free(mailmap *m)
{
	if (!m)
		return;
	g_hash_table_unref(m->by_address);
	g_free(m);
}

guint mailmap_count(const mailmap *m)
{
	return m->count;
}

/* ---- applying */

gboolean mailmap_apply(const mailmap *m, const char **name,
		       const char **address)
{
	g_autofree char *key = m ? g_ascii_strdown(*address, -1) : NULL;
	const struct entry *e =
		m ? g_hash_table_lookup(m->by_address, key) : NULL;
	const struct proper *p = e ? &e->plain : NULL;
	const struct proper *named = NULL;

	if (!e)
		return FALSE;
	if (e->by_name) {
		g_autofree char *folded = g_ascii_strdown(*name, -1);

		named = g_hash_table_lookup(e->by_name, folded);
	}
	if (named)
		p = named;
	if (p->name)
		*name = p->name;
	if (p->address)
		*address = p->address;
	return p->name || p->address;
}
