/* track_cases.h - cases of mails and commits, and what must be seen of them
 * Each in many orders of arrival, after a rebuild, and with every mail twice. */
#ifndef TESTS_DB_TRACK_CASES_H
#define TESTS_DB_TRACK_CASES_H

#include "tests/db/track_letters.h"

#define LETTERS 12
#define LINES	8

struct track_case {
	const char *name;
	struct letter letters[LETTERS];
	struct git_letter commits[5];
	const char *lines[LINES]; /* each is in the picture */
};

#define REPORT(text)                                   \
	{                                              \
		"r@x", NULL, "fs: slow", text, 1, NULL \
	}
#define TRACKED REPORT("It is slow.\n\n#regzbot introduced: v5.1..v5.2\n")

static inline void put_commits(store *st, const struct track_case *c)
{
	for (guint k = 0; k < G_N_ELEMENTS(c->commits) && c->commits[k].tree;
	     k++)
		put_commit(st, &c->commits[k]);
}

static inline guint fill(store *st, const struct track_case *c,
			 const guint *order, gboolean git_first)
{
	guint count = 0;

	while (count < LETTERS && c->letters[count].id)
		count++;
	if (git_first)
		put_commits(st, c);
	for (guint k = 0; k < count; k++)
		put_letter(st, &c->letters[order ? order[k] : k]);
	if (!git_first)
		put_commits(st, c);
	return count;
}

static inline void check_states(const struct track_case *cases, gsize count)
{
	for (gsize n = 0; n < count; n++) {
		g_autoptr(store) st = open_memory();
		g_autofree char *world = NULL;

		items_configure(st, 0, NOW);
		fill(st, &cases[n], NULL, FALSE);
		world = world_of(st, TRUE);
		for (guint k = 0; k < LINES && cases[n].lines[k]; k++)
			ck_assert_msg(strstr(world, cases[n].lines[k]) != NULL,
				      "%s: no '%s' in\n%s", cases[n].name,
				      cases[n].lines[k], world);
	}
}

static inline void shuffle(guint *order, guint count)
{
	for (guint n = count; n > 1; n--) {
		guint other = (guint)g_random_int_range(0, (gint32)n);
		guint was = order[n - 1];

		order[n - 1] = order[other];
		order[other] = was;
	}
}

static inline void check_orders(const struct track_case *cases, gsize all)
{
	/* more than there are orders of so few */
	static const guint shuffles[] = {0, 2, 6, 20, 80, 100};

	g_random_set_seed(7);
	for (gsize n = 0; n < all; n++) {
		g_autofree char *first = NULL, *again = NULL;
		g_autoptr(GError) err = NULL;
		g_autoptr(store) st = open_memory();
		guint order[LETTERS];
		guint count = fill(st, &cases[n], NULL, FALSE);
		guint many = MIN(count, G_N_ELEMENTS(shuffles) - 1);

		items_configure(st, 0, NOW);
		first = world_of(st, TRUE);
		must(archive_rebuild(st, NULL, NULL, &err), err);
		again = world_of(st, TRUE);
		ck_assert_str_eq(first, again);
		for (guint k = 0; k < LETTERS; k++)
			order[k] = k;
		for (guint k = 0; k < shuffles[many]; k++) {
			g_autoptr(store) other = open_memory();
			g_autofree char *world = NULL;

			shuffle(order, count);
			items_configure(other, 0, NOW);
			fill(other, &cases[n], order, k % 2);
			world = world_of(other, TRUE);
			ck_assert_msg(!strcmp(first, world), "%s\n%s\n%s",
				      cases[n].name, first, world);
		}
	}
}

/* Twice the same mail, as cross-posts and archives bring it. */
static inline void check_copies(const struct track_case *cases, gsize count)
{
	for (gsize n = 0; n < count; n++) {
		g_autoptr(store) st = open_memory();
		g_autofree char *once = NULL, *twice = NULL;

		items_configure(st, 0, NOW);
		fill(st, &cases[n], NULL, FALSE);
		once = world_of(st, TRUE);
		fill(st, &cases[n], NULL, FALSE);
		twice = world_of(st, TRUE);
		ck_assert_str_eq(once, twice);
	}
}

#define TRACK_CASE_TESTS(cases)                           \
	START_TEST(states)                                \
	{                                                 \
		check_states(cases, G_N_ELEMENTS(cases)); \
	}                                                 \
	END_TEST                                          \
	START_TEST(orders)                                \
	{                                                 \
		check_orders(cases, G_N_ELEMENTS(cases)); \
	}                                                 \
	END_TEST                                          \
	START_TEST(copies)                                \
	{                                                 \
		check_copies(cases, G_N_ELEMENTS(cases)); \
	}                                                 \
	END_TEST

#endif
