/* commit_facts.h - all that is known of one commit, for text and JSON */
#ifndef BOT_COMMIT_FACTS_H
#define BOT_COMMIT_FACTS_H

#include <jansson.h>

#include "db/commit_items.h"

struct commit_facts {
	struct commit *commit; /* NULL: no tree has it */
	char *asked;	       /* the id as asked for */
	char *describe;
	struct commit *follow; /* what took its place, NULL */
	enum commit_same same;
	GPtrArray *places;   /* of struct commit_place */
	GPtrArray *trees;    /* if no tree has it: all of them */
	GPtrArray *patches;  /* of struct commit_link */
	GPtrArray *sayings;  /* of struct commit_saying: its own */
	GPtrArray *others;   /* of struct commit_saying: of others about it */
	GPtrArray *items;    /* of struct commit_item */
	GPtrArray *mentions; /* of struct commit_mention */
};

/* `c` is taken; NULL: `asked` is in no tree. NULL and *err. */
struct commit_facts *commit_facts_load(store *st, struct commit *c,
				       const char *asked, GError **err);
void commit_facts_free(struct commit_facts *f);
AUTO_STRUCT(commit_facts, commit_facts_free)

/* culprit/commit/1; the trees of it, as in an item. */
json_t *view_commit(const struct commit_facts *f);
json_t *view_places(GPtrArray *places);
/* For people; you own it. */
char *commit_text(const struct commit_facts *f);
/* Lines of the matrix, each behind `indent`. */
void places_text(GString *out, GPtrArray *places, const char *indent);
/* The same for what is in none of these `trees` (of struct code_tree). */
void trees_text(GString *out, GPtrArray *trees, const char *indent);

#endif
