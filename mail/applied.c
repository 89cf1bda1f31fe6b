/* applied.c - what became of a patch: a robot's template or a person's words
 * A claim only; must not ask what the sender may apply. */
#include "mail/applied.h"

#include "mail/applied_priv.h"

const char *applied_kind_name(enum applied_kind k)
{
	static const char *const names[] = {"applied",	"queued",
					    "merged",	"picked-stable",
					    "rejected", "reverted",
					    "promised"};

	return names[k];
}

static void item_free(struct applied_item *i)
{
	g_free(i->title);
	g_free(i->commit);
	g_free(i->mid);
	g_free(i);
}

struct applied *applied_new(enum applied_kind kind)
{
	struct applied *a = g_new0(struct applied, 1);

	a->kind = kind;
	a->items = g_ptr_array_new_with_free_func((GDestroyNotify)item_free);
	a->commits = g_ptr_array_new_with_free_func(g_free);
	return a;
}

struct applied_item *applied_add_item(struct applied *a, int number, int total)
{
	struct applied_item *item;

	if (a->items->len >= APPLIED_MAX_ITEMS)
		return NULL;
	item = g_new0(struct applied_item, 1);
	item->number = number;
	item->total = total;
	g_ptr_array_add(a->items, item);
	return item;
}

void applied_free(struct applied *a)
{
	if (!a)
		return;
	g_free(a->tree);
	g_free(a->branch);
	g_free(a->text);
	g_ptr_array_unref(a->items);
	g_ptr_array_unref(a->commits);
	g_free(a);
}

struct applied *applied_read(const message *msg, const struct subject *s,
			     const body *b, const struct robot *robot)
{
	if (applied_is_script(msg))
		return applied_read_script(msg, b);
	if (robot)
		return applied_read_robot(msg, s, b, robot);
	return notice_read(msg, s, b);
}
