/* item_addressee.c - whom a mail asks
 * To: of a mail is not stored: the mail itself is read, which is done for the
 * last mail of an open item alone, and only if it asks something. */
#include <string.h>

#include "mail/message.h"

#include "db/archive.h"
#include "db/items_priv.h"

#define MAX_NODES 1000 /* of the thread, in search of its people */

static gboolean is_in(const char *people, const char *address)
{
	g_autofree char *low = people ? g_ascii_strdown(people, -1) : NULL;
	g_autofree char *in = g_strdup_printf("<%s>", address);

	return low && strstr(low, in);
}

/* A person, and none who runs or is a list: somebody who wrote in the thread,
 * or has to do with the culprit. */
static gboolean is_person(const struct item *i, const struct item_thread *t,
			  const char *address)
{
	g_autofree char *low = g_ascii_strdown(address, -1);

	if (is_in(i->author, low) || is_in(i->maintainer, low))
		return TRUE;
	for (guint n = 0; n < MIN(t->t->nodes->len, MAX_NODES); n++) {
		const struct thread_node *node = t->t->nodes->pdata[n];

		if (node->from_address && node->kind != KIND_REPORT &&
		    node->kind != KIND_NOTICE &&
		    !g_ascii_strcasecmp(node->from_address, address))
			return TRUE;
	}
	return FALSE;
}

static gboolean is_to(const GPtrArray *to, const char *address)
{
	for (guint n = 0; address && n < to->len; n++)
		if (!g_ascii_strcasecmp(
			    ((struct address *)to->pdata[n])->address, address))
			return TRUE;
	return FALSE;
}

static char *first_person(const GPtrArray *to, const struct item *i,
			  const struct item_thread *t,
			  const struct thread_node *by)
{
	for (guint n = 0; n < to->len; n++) {
		const struct address *a = to->pdata[n];

		if (!*a->address ||
		    !g_ascii_strcasecmp(a->address, by->from_address) ||
		    !is_person(i, t, a->address))
			continue;
		return *a->name
			       ? g_strdup_printf("%s <%s>", a->name, a->address)
			       : g_strdup_printf("<%s>", a->address);
	}
	return NULL;
}

char *item_addressee(struct item_cache *c, const struct item *i,
		     const struct item_thread *t, const struct thread_node *by,
		     const char *answered)
{
	g_autoptr(GBytes) raw = archive_raw(c->st, by->mid, NULL);
	g_autoptr(message) msg = raw ? message_parse(raw, 0, NULL) : NULL;
	GPtrArray *to = msg ? message_to(msg) : NULL;

	return !to || is_to(to, answered) ? NULL : first_person(to, i, t, by);
}
