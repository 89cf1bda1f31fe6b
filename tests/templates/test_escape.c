/* test_escape.c - values by context: text, attribute, URL; what is refused */
#include <jansson.h>
#include <string.h>

#include "templates/render.h"

#include "tests/test.h"

static const char *one_partial(const char *name, void *data)
{
	return !strcmp(name, "p") ? data : NULL;
}

static char *render_value(const char *text, const char *partial, json_t *value,
			  enum template_escape escape, GError **err)
{
	g_autoptr(template_set) set =
		template_set_new(one_partial, (void *)partial);
	json_t *tree = json_pack("{s:o, s:b, s:[i,i]}", "v", value, "yes", 1,
				 "two", 1, 2);
	GString *out = g_string_new(NULL);
	gboolean ok;

	ck_assert_ptr_nonnull(tree);
	ok = template_render_text(set, text, escape, tree, out, err);
	json_decref(tree);
	return g_string_free(out, !ok);
}

static void expect(const char *text, const char *value,
		   enum template_escape escape, const char *expected)
{
	g_autoptr(GError) err = NULL;
	g_autofree char *got =
		render_value(text, NULL, json_string(value), escape, &err);

	ck_assert_msg(got && !strcmp(got, expected), "\"%s\" in \"%s\": %s",
		      value, text, got ? got : err->message);
}

static const struct {
	const char *text, *value, *expected;
} html[] = {
	{"<p>{{v}}</p>", "<b>&\"'", "<p>&lt;b&gt;&amp;&quot;&#39;</p>"},
	{"<p>{{v}}", "a\tb\nc", "<p>a\tb\nc"},
	{"<p>{{v}}", "\x1b[31m\x01\x7f\r", "<p>^[[31m^A^?^M"},
	{"<p>{{v}}", "\xc2\x9b x", "<p>[U+009B] x"},
	{"<p>{{v}}",
	 "a\xe2\x80\xae"
	 "b\xe2\x81\xa6\xe2\x80\x8b",
	 "<p>a[U+202E]b[U+2066][U+200B]"},
	{"<p>{{v}}",
	 "\xef\xbb\xbfGr\xc3\xbc\xc3\x9f"
	 "e \xe4\xb8\xad",
	 "<p>[U+FEFF]Gr\xc3\xbc\xc3\x9f"
	 "e \xe4\xb8\xad"},
	{"<p>{{v}}", "\xf3\xa0\x81\x81", "<p>[U+E0041]"},
	{"<p title=\"{{v}}\">", "\"><script>",
	 "<p title=\"&quot;&gt;&lt;script"
	 "&gt;\">"},
	{"<p title='{{v}}'>", "' onclick='x",
	 "<p title='&#39; onclick=&#39;x'>"},
	{"<a href=\"{{v}}\">", "https://example.org/a?b=1&c=2#d",
	 "<a href=\"https://example.org/a?b=1&amp;c=2#d\">"},
	{"<a href=\"{{v}}\">", "../t/ab/", "<a href=\"../t/ab/\">"},
	{"<a href=\"{{v}}\">", "mailto:a@example.org",
	 "<a href=\"mailto:a@example.org\">"},
	{"<a href=\"{{v}}\">", "HTTP://example.org",
	 "<a href=\"HTTP://example.org\">"},
	{"<a href=\"{{v}}\">", "javascript:alert(1)", "<a href=\"#\">"},
	{"<a href=\"{{v}}\">", "JaVaScRiPt:alert(1)", "<a href=\"#\">"},
	{"<a href=\"{{v}}\">", " javascript:alert(1)", "<a href=\"#\">"},
	{"<a href=\"{{v}}\">", "java\tscript:alert(1)", "<a href=\"#\">"},
	{"<a href=\"{{v}}\">", "\x01javascript:alert(1)", "<a href=\"#\">"},
	{"<a href=\"{{v}}\">", "data:text/html,<b>", "<a href=\"#\">"},
	{"<a href=\"{{v}}\">", "vbscript:x", "<a href=\"#\">"},
	{"<a href=\"{{v}}\">", ":x", "<a href=\"#\">"},
	{"<a href=\"{{v}}\">", "https://example.org/\"><b>'\xc3\xbc \\",
	 "<a href=\"https://example.org/%22%3E%3Cb%3E%27%C3%BC%20%5C\">"},
	{"<a href=\"{{v}}{{v}}\">", "java", "<a href=\"javajava\">"},
	{"<a href=\"../r/{{v}}/\">", "a/b?c:d@e\"",
	 "<a href=\"../r/a%2Fb%3Fc%3Ad%40e%22/\">"},
	{"<a href='{{v}}x'>", "'y", "<a href='%27yx'>"},
	{"<a\n  rel=x\n  HREF = \"{{v}}\">", "javascript:x",
	 "<a\n  rel=x\n  HREF = \"#\">"},
	{"<form action=\"{{v}}\">", "javascript:x", "<form action=\"#\">"},
	{"<a href=\"{{#yes}}{{v}}{{/yes}}\">", "javascript:x",
	 "<a href=\"#\">"},
	{"<a href=\"{{#two}}{{v}}{{/two}}\">", "javascript",
	 "<a href=\"javascriptjavascript\">"},
	{"<!-- <a href=\" --><p>{{v}}</p>", "<",
	 "<!-- <a href=\" --><p>&lt;"
	 "</p>"},
	{"<!doctype html><p>{{v}}", "<", "<!doctype html><p>&lt;"},
	{"<style>a{b:c}</style><p>{{v}}", "<", "<style>a{b:c}</style><p>&lt;"},
	{"<br/><p>1 < 2 {{v}}", "<", "<br/><p>1 < 2 &lt;"},
	{"<details{{#yes}} open{{/yes}}>{{v}}", "<", "<details open>&lt;"},
	{"<p{{#yes}} class=\"{{v}}\"{{/yes}}>", "\"", "<p class=\"&quot;\">"},
};

START_TEST(html_contexts)
{
	for (gsize i = 0; i < G_N_ELEMENTS(html); i++)
		expect(html[i].text, html[i].value, TEMPLATE_HTML,
		       html[i].expected);
}
END_TEST

/* Places where no escaping would help are refused when compiling. */
static const char *const refused[] = {
	"<{{v}}>",
	"</{{v}}>",
	"<p {{v}}>",
	"<p title={{v}}>",
	"<p title=a{{v}}>",
	"<p {{v}}=\"x\">",
	"<p onclick=\"{{v}}\">",
	"<p style=\"{{v}}\">",
	"<iframe srcdoc=\"{{v}}\">",
	"<script>{{v}}</script>",
	"<SCRIPT>{{v}}</SCRIPT>",
	"<style>{{v}}</style>",
	"<style></styl {{v}}",
	"<!-- {{v}} -->",
	"<!doctype {{v}}>",
	"<a href=\"{{{v}}}\">",
	"{{#yes}}<p title=\"{{/yes}}{{v}}\">",
	"<p {{#yes}}title=\"{{/yes}}{{v}}\">",
	"{{#yes}}<style>{{/yes}}{{v}}</style>",
	"{{#yes}}<!--{{/yes}}{{v}}-->",
	"<p{{#yes}} a{{/yes}}b>{{v}}",
	"<a href={{#yes}}\"{{/yes}}{{v}}",
	"<p title=\"{{v}}",
	"<p><!-- ",
	"<style>",
};

START_TEST(unsafe_places_are_refused)
{
	for (gsize i = 0; i < G_N_ELEMENTS(refused); i++) {
		g_autoptr(GError) err = NULL;
		g_autofree char *got =
			render_value(refused[i], NULL, json_string("x"),
				     TEMPLATE_HTML, &err);

		ck_assert_msg(!got, "%s gave %s", refused[i], got);
		ck_assert(g_error_matches(err, TEMPLATE_ERROR,
					  TEMPLATE_ERROR_SYNTAX));
		ck_assert(g_str_has_prefix(err->message, "(text):1: "));
	}
}
END_TEST

START_TEST(markup_needs_its_type)
{
	g_autoptr(GError) err = NULL;
	g_autofree char *plain =
		render_value("{{{v}}}", NULL, json_string("<b>"), TEMPLATE_HTML,
			     &err);
	g_autofree char *typed =
		render_value("{{{v}}}", NULL, json_pack("{ss}", "html", "<b>"),
			     TEMPLATE_HTML, NULL);

	ck_assert_ptr_null(plain);
	ck_assert(g_error_matches(err, TEMPLATE_ERROR, TEMPLATE_ERROR_VALUE));
	ck_assert_str_eq(typed, "<b>");
}
END_TEST

/* A partial is read in the context that it stands in. */
START_TEST(partials_know_their_context)
{
	static const struct {
		const char *text, *partial, *expected;
	} good[] = {
		{"<p>{{>p}}</p>", "<i>{{v}}</i>", "<p><i>a:b</i></p>"},
		{"<a href=\"{{>p}}\">", "{{v}}", "<a href=\"#\">"},
		{"<a href=\"x{{>p}}\">", "{{v}}", "<a href=\"xa%3Ab\">"},
		{"<p{{>p}}>", " title=\"{{v}}\"", "<p title=\"a:b\">"},
		{"<style>{{>p}}</style>{{v}}", "a{b:c}",
		 "<style>a{b:c}</style>a:b"},
	};
	static const struct {
		const char *text, *partial;
	} wrong[] = {
		{"<style>{{>p}}</style>", "{{v}}"},
		{"<style>{{>p}}</style>", "</style>"},
		{"<p>{{>p}}\">", "<p title=\""},
	};

	for (gsize i = 0; i < G_N_ELEMENTS(good); i++) {
		g_autofree char *got =
			render_value(good[i].text, good[i].partial,
				     json_string("a:b"), TEMPLATE_HTML, NULL);

		ck_assert_pstr_eq(got, good[i].expected);
	}
	for (gsize i = 0; i < G_N_ELEMENTS(wrong); i++) {
		g_autofree char *got =
			render_value(wrong[i].text, wrong[i].partial,
				     json_string("a:b"), TEMPLATE_HTML, NULL);

		ck_assert_ptr_null(got);
	}
}
END_TEST

START_TEST(plain_text_drops_controls)
{
	expect("{{v}}{{{v}}}",
	       "a<\x1b[1m\xc2\x9b\r\n\t\xe2\x80\xae"
	       "b\x7f",
	       TEMPLATE_TEXT, "a<[1m\n\tba<[1m\n\tb");
}
END_TEST

START_TEST(xml_is_well_formed)
{
	expect("<t a=\"{{v}}\">{{v}}</t>", "\x01<&\"\xef\xbf\xbe", TEMPLATE_XML,
	       "<t a=\"^A&lt;&amp;&quot;\xef\xbf\xbd\">"
	       "^A&lt;&amp;&quot;\xef\xbf\xbd</t>");
	expect("<link href=\"{{v}}\"/>", "javascript:x", TEMPLATE_XML,
	       "<link href=\"#\"/>");
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("escape");
	TCase *tc = tcase_create("contexts");

	tcase_add_test(tc, html_contexts);
	tcase_add_test(tc, unsafe_places_are_refused);
	tcase_add_test(tc, markup_needs_its_type);
	tcase_add_test(tc, partials_know_their_context);
	tcase_add_test(tc, plain_text_drops_controls);
	tcase_add_test(tc, xml_is_well_formed);
	suite_add_tcase(s, tc);
	return s;
}

TEST_MAIN(suite)
