/* test_render.c - the language: cases of the specification, strictness,
 * errors that name the place, limits */
#include <jansson.h>
#include <string.h>

#include "templates/render.h"

#include "tests/templates/render_cases.h"
#include "tests/test.h"

static const char *one_partial(const char *name, void *data)
{
	return !strcmp(name, "p") ? data : NULL;
}

static char *render(const char *text, const char *partial, const char *data,
		    enum template_escape escape, gboolean strict, GError **err)
{
	g_autoptr(template_set) set =
		template_set_new(one_partial, (void *)partial);
	json_t *tree = json_loads(data, 0, NULL);
	GString *out = g_string_new(NULL);
	gboolean ok;

	ck_assert_msg(tree != NULL, "data of a case: %s", data);
	template_set_strict(set, strict);
	ok = template_render_text(set, text, escape, tree, out, err);
	json_decref(tree);
	return g_string_free(out, !ok);
}

static void check_cases(const struct render_case *cases, gsize n)
{
	for (gsize i = 0; i < n; i++) {
		const struct render_case *c = &cases[i];
		g_autoptr(GError) err = NULL;
		g_autofree char *got = render(c->text, c->partial, c->data,
					      TEMPLATE_SPEC, FALSE, &err);

		ck_assert_msg(got && !strcmp(got, c->expected),
			      "%s: got \"%s\" for \"%s\"", c->name,
			      got ? got : err->message, c->expected);
	}
}

#define CASES(test, cases)                               \
	START_TEST(test)                                 \
	{                                                \
		check_cases(cases, G_N_ELEMENTS(cases)); \
	}                                                \
	END_TEST

CASES(comments, comment_cases)
CASES(delimiters, delimiter_cases)
CASES(values, value_cases)
CASES(sections, section_cases)
CASES(inverted, inverted_cases)
CASES(partials, partial_cases)

/* An error's place and words; all of them with strict names. */
static const struct {
	const char *text, *data, *partial;
	int code;
	const char *message;
} bad[] = {
	{"a\n{{x}}", "{}", NULL, TEMPLATE_ERROR_NAME,
	 "(text):2: \"x\" is not known here"},
	{"{{#x}}{{/x}}", "{}", NULL, TEMPLATE_ERROR_NAME,
	 "(text):1: \"x\" is not known here"},
	{"{{^x}}{{/x}}", "{}", NULL, TEMPLATE_ERROR_NAME,
	 "(text):1: \"x\" is not known here"},
	{"{{a.b}}", "{\"a\":{}}", NULL, TEMPLATE_ERROR_NAME,
	 "(text):1: \"a.b\" is not known here"},
	{"{{#a}}{{.b}}{{/a}}", "{\"a\":{\"c\":1},\"b\":1}", NULL,
	 TEMPLATE_ERROR_NAME, "(text):1: \".b\" is not known here"},
	{"\n\n{{>q}}", "{}", "", TEMPLATE_ERROR_NAME,
	 "(text):3: \"q\" is no known partial"},
	{"{{>p}}", "{}", "\n{{y}}", TEMPLATE_ERROR_NAME,
	 "p:2: \"y\" is not known here"},
	{"{{x}}", "{\"x\":[1]}", NULL, TEMPLATE_ERROR_VALUE,
	 "(text):1: \"x\" is a list or map and cannot be shown"},
	{"a\n{{x", "{}", NULL, TEMPLATE_ERROR_SYNTAX,
	 "(text):2: a tag is not closed by \"}}\""},
	{"{{{x}}", "{}", NULL, TEMPLATE_ERROR_SYNTAX,
	 "(text):1: a tag is not closed by \"}}}\""},
	{"{{}}", "{}", NULL, TEMPLATE_ERROR_SYNTAX,
	 "(text):1: a tag without a name"},
	{"{{a b}}", "{}", NULL, TEMPLATE_ERROR_SYNTAX,
	 "(text):1: blanks inside the name \"a b\""},
	{"{{a..b}}", "{}", NULL, TEMPLATE_ERROR_SYNTAX,
	 "(text):1: empty part in the name \"a..b\""},
	{"{{#a}}\n{{/b}}", "{}", NULL, TEMPLATE_ERROR_SYNTAX,
	 "(text):2: the end of \"b\", but the section of line 1 is open"},
	{"{{#a}}", "{}", NULL, TEMPLATE_ERROR_SYNTAX,
	 "(text):1: the section of line 1 is not ended"},
	{"{{/a}}", "{}", NULL, TEMPLATE_ERROR_SYNTAX,
	 "(text):1: the end of \"a\" without its beginning"},
	{"{{=a=}}", "{}", NULL, TEMPLATE_ERROR_SYNTAX,
	 "(text):1: delimiters are two words without \"=\""},
	{"{{>p}}", "{}", "{{>p}}", TEMPLATE_ERROR_LIMIT,
	 "p:1: \"p\" is nested too deep"},
};

START_TEST(errors_name_the_place)
{
	for (gsize i = 0; i < G_N_ELEMENTS(bad); i++) {
		g_autoptr(GError) err = NULL;
		g_autofree char *got =
			render(bad[i].text, bad[i].partial, bad[i].data,
			       TEMPLATE_TEXT, TRUE, &err);

		ck_assert_msg(!got, "%s: no error", bad[i].text);
		ck_assert_str_eq(err->message, bad[i].message);
		ck_assert_int_eq(err->code, bad[i].code);
	}
}
END_TEST

/* A part of null is null: shown as nothing, false in a section. */
START_TEST(null_is_known)
{
	g_autofree char *got =
		render("<{{a}}{{a.b.c}}{{#a.b}}x{{/a.b}}{{^a.b}}y{{/a.b}}>",
		       NULL, "{\"a\":null}", TEMPLATE_TEXT, TRUE, NULL);

	ck_assert_str_eq(got, "<y>");
}
END_TEST

START_TEST(zero_and_empty_are_false)
{
	g_autofree char *got = render("{{^z}}a{{/z}}{{^e}}b{{/e}}{{#m}}c{{/m}}",
				      NULL, "{\"z\":0,\"e\":\"\",\"m\":{}}",
				      TEMPLATE_TEXT, TRUE, NULL);

	ck_assert_str_eq(got, "abc");
}
END_TEST

static void expect_limit(const char *text, const char *data)
{
	g_autoptr(GError) err = NULL;
	g_autofree char *got =
		render(text, NULL, data, TEMPLATE_TEXT, FALSE, &err);

	ck_assert_ptr_null(got);
	ck_assert(g_error_matches(err, TEMPLATE_ERROR, TEMPLATE_ERROR_LIMIT));
}

START_TEST(limits_hold)
{
	g_autoptr(GString) deep = g_string_new(NULL);
	g_autoptr(GString) wide = g_string_new(NULL);
	g_autoptr(GString) list = g_string_new("{\"l\":[0");
	g_autofree char *big = g_strnfill(TEMPLATE_MAX_BYTES + 1, 'x');

	for (int i = 0; i <= TEMPLATE_MAX_DEPTH; i++)
		g_string_append(deep, "{{#a}}");
	for (int i = 0; i <= TEMPLATE_MAX_DEPTH; i++)
		g_string_append(deep, "{{/a}}");
	for (int i = 0; i < 200; i++)
		g_string_append(list, ",1");
	g_string_append(list, "]}");
	for (int i = 0; i < 8; i++)
		g_string_append(wide, "{{#l}}");
	for (int i = 0; i < 8; i++)
		g_string_append(wide, "{{/l}}");
	expect_limit(deep->str, "{\"a\":true}");
	expect_limit(wide->str, list->str);
	expect_limit(big, "{}");
}
END_TEST

/* As many as are allowed do work. */
START_TEST(deepest_allowed)
{
	g_autoptr(GString) text = g_string_new(NULL);
	g_autofree char *got = NULL;

	for (int i = 0; i < TEMPLATE_MAX_DEPTH - 1; i++)
		g_string_append(text, "{{#a}}");
	g_string_append(text, "x");
	for (int i = 0; i < TEMPLATE_MAX_DEPTH - 1; i++)
		g_string_append(text, "{{/a}}");
	got = render(text->str, NULL, "{\"a\":true}", TEMPLATE_TEXT, TRUE,
		     NULL);
	ck_assert_str_eq(got, "x");
}
END_TEST

/* Cut anywhere, a template gives a result or an error, never a crash. */
START_TEST(cut_anywhere)
{
	static const char text[] =
		"{{! c }}\n<a href=\"{{u}}\"{{#s}} class='{{v}}'{{/s}}>"
		"{{^s}}\n{{=<% %>=}}\n<%{v}%>\n<%/s%>\n<%> p %> &amp;";

	for (gsize n = 0; n < sizeof(text); n++) {
		g_autofree char *part = g_strndup(text, n);

		for (int e = TEMPLATE_HTML; e <= TEMPLATE_SPEC; e++) {
			g_autoptr(GError) err = NULL;
			g_autofree char *got =
				render(part, "x", "{\"s\":[1]}",
				       (enum template_escape)e, FALSE, &err);

			ck_assert((got == NULL) != (err == NULL));
		}
	}
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("render");
	TCase *tc = tcase_create("language");

	tcase_add_test(tc, comments);
	tcase_add_test(tc, delimiters);
	tcase_add_test(tc, values);
	tcase_add_test(tc, sections);
	tcase_add_test(tc, inverted);
	tcase_add_test(tc, partials);
	tcase_add_test(tc, errors_name_the_place);
	tcase_add_test(tc, null_is_known);
	tcase_add_test(tc, zero_and_empty_are_false);
	tcase_add_test(tc, limits_hold);
	tcase_add_test(tc, deepest_allowed);
	tcase_add_test(tc, cut_anywhere);
	suite_add_tcase(s, tc);
	return s;
}

TEST_MAIN(suite)
