/* outbox_world.h - a bot, its settings, and mail that it answers */
#ifndef TESTS_DB_OUTBOX_WORLD_H
#define TESTS_DB_OUTBOX_WORLD_H

#include "db/outbox.h"

#include "tests/db/support.h"

#define NOON 1600000000

struct world {
	store *st;
	struct outbox_policy p;
	char *allow[2], *also[2];
	struct outbox_list list;
	gint64 now;
};

static inline void world_open(struct world *w, enum outbox_mode mode)
{
	static char address[] = "bot@bot.example.org";
	static char list[] = "fs@lists.example.org", name[] = "fs";

	memset(w, 0, sizeof(*w));
	w->st = open_memory();
	w->now = NOON;
	w->allow[0] = list;
	w->list = (struct outbox_list){.name = name,
				       .address = list,
				       .reply_to_author = TRUE,
				       .reply_list = TRUE,
				       .cc_individuals = TRUE,
				       .quiet_on_good_news = TRUE,
				       .max_per_day = 5};
	w->p.mode = mode;
	w->p.address = address;
	w->p.allow = w->allow;
	w->p.hold = 600;
	w->p.lists = g_ptr_array_new();
	g_ptr_array_add(w->p.lists, &w->list);
}

static inline void world_close(struct world *w)
{
	g_ptr_array_unref(w->p.lists);
	store_close(w->st);
}

/* A draft in short: addresses separated by blanks. */
struct letter {
	const char *to, *cc, *parent, *author, *body;
	enum outbox_kind kind;
	gboolean good_news;
};

static inline void add_people(GPtrArray *to, const char *addresses)
{
	g_auto(GStrv) each = addresses ? g_strsplit(addresses, " ", -1) : NULL;

	for (guint i = 0; each && each[i]; i++)
		g_ptr_array_add(to, address_new("", each[i]));
}

struct adding {
	struct world *w;
	struct outbox_draft d;
	struct outbox_fate fate;
};

static inline gboolean add_draft(store *st, void *data, GError **err)
{
	struct adding *a = data;

	return outbox_add(st, &a->d, &a->w->p, a->w->now, &a->fate, err);
}

static inline struct outbox_fate draft(struct world *w, const struct letter *l)
{
	g_autoptr(outgoing_auto) m = outgoing_new();
	struct adding a = {.w = w};

	m->from = address_new("culprit", w->p.address);
	add_people(m->to, l->to);
	add_people(m->cc, l->cc);
	m->subject = g_strdup("Re: slow fsync");
	m->body = g_strdup(l->body ? l->body : "Done.\n");
	a.d = (struct outbox_draft){.kind = l->kind,
				    .rule = "a command",
				    .parent = l->parent,
				    .author = l->author,
				    .good_news = l->good_news,
				    .mail = m};
	run(w->st, add_draft, &a);
	return a.fate;
}

static inline struct outbox_entry *entry(struct world *w, gint64 id)
{
	g_autoptr(GError) err = NULL;
	struct outbox_entry *e = outbox_load(w->st, id, &err);

	must(e != NULL, err);
	return e;
}

#endif
