/* test_differential.c - random templates against another implementation
 * tests/e2e/render_pystache.py renders the same cases; every output has to be
 * equal. The seed is fixed. Skipped with a message where pystache is absent. */
#include <gio/gio.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "templates/render.h"

#include "tests/test.h"

#define CASES	  3000
#define MAX_PIECE 9
#define MAX_DEPTH 3

static const char data_text[] =
	"{\"a\":\"<x> & y\",\"b\":\"two\\nlines\",\"n\":42,\"t\":true,"
	"\"f\":false,\"z\":null,\"e\":[],\"l\":[\"p\",\"q\"],"
	"\"m\":{\"n\":7,\"a\":\"inner\"},"
	"\"o\":[{\"n\":1},{\"n\":2,\"a\":\"o2\",\"l\":[3]}]}";

struct maker {
	GRand *rand;
	GString *out;
	gboolean changed; /* delimiters are | | */
};

static const char *pick(struct maker *m, const char *const *from, guint n)
{
	return from[g_rand_int_range(m->rand, 0, (gint32)n)];
}

#define PICK(m, list) pick(m, list, G_N_ELEMENTS(list))

static void put_tag(struct maker *m, const char *sigil, const char *name)
{
	g_string_append_printf(m->out, m->changed ? "|%s%s|" : "{{%s%s}}",
			       sigil, name);
}

/* Blanks right behind a tag are left out: pystache alone does not take them
 * for the end of a line that the tag stands alone on. */
static void put_literal(struct maker *m)
{
	static const char *const texts[] = {"\n", "\n",	 "\n",	"\r\n",
					    "x",  "y z", "<b>", "\n\n",
					    "&",  " ",	 "  ",	"\t"};
	const char *text = PICK(m, texts);
	char last = m->out->len ? m->out->str[m->out->len - 1] : '\n';

	if (!strchr("}|", last) || !strchr(" \t", *text))
		g_string_append(m->out, text);
}

static void put_delimiters(struct maker *m)
{
	g_string_append(m->out, m->changed ? "|={{ }}=|" : "{{=| |=}}");
	m->changed = !m->changed;
}

static void put_pieces(struct maker *m, guint depth);

static void put_section(struct maker *m, guint depth)
{
	static const char *const names[] = {"a", "t", "f",   "z",   "e", "l",
					    "m", "o", "m.n", "m.x", "u", "n"};
	static const char *const sigils[] = {"#", "#", "^"};
	const char *name = PICK(m, names);

	put_tag(m, PICK(m, sigils), name);
	put_pieces(m, depth + 1);
	put_tag(m, "/", name);
}

static void put_piece(struct maker *m, guint depth)
{
	static const char *const names[] = {"a", "b",	"n",   "u",
					    "u", "m.n", "m.a", "m.x.y"};
	static const char *const partials[] = {"p", "q", "r", "none"};
	static const char *const sigils[] = {"", "", "&"};
	gint32 what = g_rand_int_range(m->rand, 0, 16);

	if (what < 8)
		put_literal(m);
	else if (what < 10)
		put_tag(m, PICK(m, sigils), PICK(m, names));
	else if (what == 10)
		put_tag(m, "!", " c\nd ");
	else if (what == 11 && g_rand_boolean(m->rand))
		put_delimiters(m);
	else if (what == 12)
		put_tag(m, ">", PICK(m, partials));
	else if (what > 12 && depth < MAX_DEPTH)
		put_section(m, depth);
}

static void put_pieces(struct maker *m, guint depth)
{
	gint32 n = g_rand_int_range(m->rand, 1, MAX_PIECE);

	for (gint32 i = 0; i < n; i++)
		put_piece(m, depth);
}

static json_t *make_case(GRand *rand)
{
	static const char *const parts[][2] = {
		{"q", "{{n}}\n  {{#l}}\n- {{.}}\n  {{/l}}\n{{a}}\n"},
		{"r", " {{>q}}\n|{{#o}}{{n}}{{/o}}\n\n{{! x }}\n{{=| |=}}|n|"},
	};
	struct maker m = {.rand = rand, .out = g_string_new(NULL)};
	json_t *c = json_object(), *partials = json_object();

	put_pieces(&m, 0);
	json_object_set_new(c, "text", json_string(m.out->str));
	g_string_truncate(m.out, 0);
	m.changed = FALSE;
	do {
		g_string_truncate(m.out, 0);
		m.changed = FALSE;
		put_pieces(&m, 1);
	} while (strstr(m.out->str, ">p")); /* no endless recursion */
	json_object_set_new(partials, "p", json_string(m.out->str));
	for (guint i = 0; i < G_N_ELEMENTS(parts); i++)
		json_object_set_new(partials, parts[i][0],
				    json_string(parts[i][1]));
	json_object_set_new(c, "partials", partials);
	json_object_set_new(c, "data", json_loads(data_text, 0, NULL));
	g_string_free(m.out, TRUE);
	return c;
}

static const char *partial_of(const char *name, void *data)
{
	json_t *partials = json_object_get(data, "partials");

	return json_string_value(json_object_get(partials, name));
}

static void compare(json_t *c, const char *line)
{
	g_autoptr(template_set) set = template_set_new(partial_of, c);
	const char *text = json_string_value(json_object_get(c, "text"));
	json_t *theirs = json_loads(line, JSON_DECODE_ANY, NULL);
	g_autoptr(GString) ours = g_string_new(NULL);
	g_autofree char *dump = json_dumps(c, JSON_COMPACT);
	g_autoptr(GError) err = NULL;

	template_set_strict(set, FALSE);
	ck_assert_msg(template_render_text(set, text, TEMPLATE_SPEC,
					   json_object_get(c, "data"), ours,
					   &err),
		      "%s: %s", dump, err ? err->message : "");
	ck_assert_msg(!g_strcmp0(json_string_value(theirs), ours->str),
		      "%s\nours \"%s\"\ntheirs %s", dump, ours->str, line);
	json_decref(theirs);
}

static char *ask_other(const char *input, const char *python, int *status)
{
	g_autoptr(GSubprocess) p =
		g_subprocess_new(G_SUBPROCESS_FLAGS_STDIN_PIPE |
					 G_SUBPROCESS_FLAGS_STDOUT_PIPE,
				 NULL, python, "tests/e2e/render_pystache.py",
				 NULL);
	char *output = NULL;

	*status = 77;
	if (!p ||
	    !g_subprocess_communicate_utf8(p, input, NULL, &output, NULL, NULL))
		return NULL;
	*status = g_subprocess_get_exit_status(p);
	return output;
}

START_TEST(equal_to_another_implementation)
{
	static const char *const pythons[] = {"python3", "/usr/bin/python3"};
	GRand *rand = g_rand_new_with_seed(20240);
	g_autoptr(GString) input = g_string_new(NULL);
	g_autofree char *output = NULL;
	g_auto(GStrv) lines = NULL;
	json_t *cases = json_array();
	int status = 77;

	for (guint i = 0; i < CASES; i++) {
		json_t *c = make_case(rand);
		g_autofree char *dump = json_dumps(c, JSON_COMPACT);

		json_array_append_new(cases, c);
		g_string_append_printf(input, "%s\n", dump);
	}
	g_rand_free(rand);
	for (guint i = 0; i < G_N_ELEMENTS(pythons) && status == 77; i++) {
		g_free(output);
		output = ask_other(input->str, pythons[i], &status);
	}
	if (status == 77) {
		printf("skipped: python3-pystache is not installed\n");
		json_decref(cases);
		return;
	}
	ck_assert_int_eq(status, 0);
	lines = g_strsplit(output, "\n", -1);
	ck_assert_uint_eq(g_strv_length(lines), CASES + 1);
	for (guint i = 0; i < CASES; i++)
		compare(json_array_get(cases, i), lines[i]);
	json_decref(cases);
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("differential");
	TCase *tc = tcase_create("pystache");

	tcase_add_test(tc, equal_to_another_implementation);
	suite_add_tcase(s, tc);
	return s;
}

TEST_MAIN(suite)
