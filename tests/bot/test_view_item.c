/* test_view_item.c - an item as JSON: every key, in order, unknown is null */
#include <jansson.h>
#include <math.h>
#include <string.h>

#include "bot/view.h"

#include "tests/test.h"

static const char *const keys[] = {
	"schema",
	"id",
	"url",
	"title",
	"state",
	"open",
	"stalled",
	"backburner",
	"waiting_for",
	"category",
	"direction",
	"metric",
	"change_percent",
	"tree",
	"branch",
	"cycle",
	"subsystems",
	"subsystems_guessed",
	"reported",
	"last_activity",
	"messages",
	"reporter",
	"report_message_id",
	"report_url",
	"poked",
	"backburner_reason",
	"state_basis",
	"disputed",
	"prio",
	"assignee",
	"settings",
	/* here the short form ends */
	"culprit",
	"introduced_range",
	"base",
	"fixes",
	"reruns",
	"test",
	"tables",
	"duplicates",
	"duplicate_of",
	"links",
	"people",
	"events",
	"commands",
	"cut",
	"history",
};
#define SHORT_KEYS 31

static void check_keys(json_t *o, gsize n)
{
	const char *key;
	json_t *value;
	gsize i = 0;

	json_object_foreach(o, key, value)
	{
		ck_assert_uint_lt(i, n);
		ck_assert_str_eq(key, keys[i]);
		i++;
	}
	ck_assert_uint_eq(i, n);
}

static struct item *make(void)
{
	struct item *i = item_new();

	i->id = g_strdup("202001-aaaaaaaaaa");
	i->mid = g_strdup("r@example.org");
	i->title = g_strdup("a title");
	i->state = "reported";
	i->open = TRUE;
	i->change_percent = NAN;
	i->reporter_name = g_strdup("");
	i->reporter_address = g_strdup("r@example.org");
	g_ptr_array_set_free_func(i->fixes, NULL);
	g_ptr_array_set_free_func(i->events, NULL);
	g_ptr_array_set_free_func(i->people, NULL);
	return i;
}

START_TEST(all_keys_in_order)
{
	g_autoptr(item_auto) i = make();
	json_t *full = view_item(i, NULL, NULL),
	       *brief = view_item_short(i, NULL);

	check_keys(full, G_N_ELEMENTS(keys));
	check_keys(brief, SHORT_KEYS);
	json_decref(full);
	json_decref(brief);
}
END_TEST

START_TEST(unknown_is_null)
{
	static const char *const unknown[] = {
		"url",	  "metric",   "change_percent", "tree",
		"branch", "reported", "last_activity",	"culprit",
		"base",	  "direction"};
	g_autoptr(item_auto) i = make();
	json_t *o = view_item(i, NULL, NULL);
	json_t *test = json_object_get(o, "test");

	for (gsize n = 0; n < G_N_ELEMENTS(unknown); n++)
		ck_assert_msg(json_is_null(json_object_get(o, unknown[n])),
			      "%s", unknown[n]);
	ck_assert(json_is_null(json_object_get(test, "testcase")));
	ck_assert_uint_eq(json_object_size(json_object_get(test, "params")), 0);
	ck_assert(json_is_null(
		json_object_get(json_object_get(o, "reporter"), "name")));
	json_decref(o);
}
END_TEST

static const char *text_at(json_t *o, const char *key)
{
	return json_string_value(json_object_get(o, key));
}

START_TEST(known_values)
{
	static const struct {
		const char *tree, *name;
	} trees[] = {
		{"https://git.kernel.org/pub/scm/linux/kernel/git/torvalds/"
		 "linux.git",
		 "mainline"},
		{"https://git.kernel.org/cgit/linux/kernel/git/next/"
		 "linux-next.git",
		 "next"},
		{"https://git.example.org/fs.git",
		 "https://git.example.org/fs.git"},
	};
	g_autoptr(item_auto) i = make();

	i->change_percent = -33.7;
	i->commit = g_strdup("882f9ba557eb0a056e529b6326e2739bc930d18a");
	g_ptr_array_add(i->parameters, g_strdup("fs: examplefs"));
	g_ptr_array_add(i->parameters, g_strdup("time:10:30"));
	for (gsize n = 0; n < G_N_ELEMENTS(trees); n++) {
		json_t *o, *params;

		g_free(i->tree);
		i->tree = g_strdup(trees[n].tree);
		o = view_item(i, NULL, "https://example.org/site");
		params = json_object_get(json_object_get(o, "test"), "params");
		ck_assert_str_eq(text_at(o, "tree"), trees[n].name);
		ck_assert_str_eq(
			text_at(o, "url"),
			"https://example.org/site/r/202001-aaaaaaaaaa/");
		ck_assert_str_eq(text_at(params, "fs"), "examplefs");
		ck_assert_str_eq(text_at(params, "time"), "10:30");
		ck_assert_str_eq(text_at(json_object_get(o, "culprit"), "id"),
				 i->commit);
		json_decref(o);
	}
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("view_item");
	TCase *tc = tcase_create("json");

	tcase_add_test(tc, all_keys_in_order);
	tcase_add_test(tc, unknown_is_null);
	tcase_add_test(tc, known_values);
	suite_add_tcase(s, tc);
	return s;
}

TEST_MAIN(suite)
