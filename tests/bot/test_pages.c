/* test_pages.c - the site as a reader and an attacker see it: well-formed, no
 * dead link, nothing of a mail becomes markup, nothing written twice */
#include <glib/gstdio.h>
#include <string.h>

#include "mail/mbox.h"

#include "bot/pages.h"

#include "tests/db/support.h"
#include "tests/folder.h"

#define EVIL_NAME    "\\\"><script>alert(1)</script>"
#define EVIL_SUBJECT "\"><img src=x onerror=alert(1)> \xe2\x80\xae\x1b[31m"
#define EVIL_TITLE   "x</code><script>alert(2)</script>"
#define EVIL_ID	     "a\"onclick='alert(3)'b@example.org"
#define COMMIT	     "0123456789abcdef0123456789abcdef01234567"

static store *st;

static void setup(void)
{
	make_dir();
	st = open_memory();
}

static void teardown(void)
{
	g_clear_pointer(&st, store_close);
	remove_dir();
}

static void put_text(const char *text)
{
	struct add a = {.bytes = g_bytes_new(text, strlen(text)),
			.kind = "mbox",
			.place = "/mail/box",
			.list = LIST};

	run(st, add_in, &a);
	g_bytes_unref(a.bytes);
}

/* The example that the project ships: splits at its "From mboxrd@z" lines. */
static void put_demo(void)
{
	g_autofree char *path =
		g_build_filename(test_data(), "demo", "examplefs.mbox", NULL);
	g_autofree char *text = NULL;
	g_auto(GStrv) mails = NULL;

	ck_assert_msg(g_file_get_contents(path, &text, NULL, NULL), "%s", path);
	mails = g_strsplit(text, "From mboxrd@z Thu Jan  1 00:00:00 1970\n",
			   -1);
	for (guint n = 0; mails[n]; n++)
		if (*mails[n])
			put_text(mails[n]);
}

/* Hostile words in every field that a page shows. */
static void put_evil(void)
{
	put_text("From: kernel test robot <lkp@intel.com>\n"
		 "Message-ID: <" EVIL_ID ">\n"
		 "Date: Fri, 10 Jan 2020 00:00:00 +0000\n"
		 "Subject: " EVIL_SUBJECT "\n"
		 "Content-Type: text/plain; charset=utf-8\n\n"
		 "Hello,\n\nkernel test robot noticed a -33.7% regression of "
		 "<svg/onload=alert(4)> on:\n\n\ncommit: " COMMIT
		 " (\"" EVIL_TITLE "\")\n"
		 "javascript:alert(5) \"><b>\n\n"
		 "testcase: </title><script>alert(6)</script>\n"
		 "test machine: \"'><style>*{display:none}</style>\n"
		 "parameters:\n\n\t<i>: \xe2\x81\xa6</dd>\x01\n\n\n"
		 "kindly add following tags\n"
		 "| Reported-by: <script>alert(7)</script> <a@example.org>\n"
		 "| Closes: javascript:alert(8)\n\n"
		 "</pre><script>alert(9)</script>\x1b[1m\x01\n"
		 "http://example.org/\"onclick='x' https://user@x/<b>\n");
	put_text("From: \"" EVIL_NAME "\" <evil@example.org>\n"
		 "Message-ID: <evil-fix@example.org>\n"
		 "In-Reply-To: <" EVIL_ID ">\n"
		 "Date: Sat, 11 Jan 2020 00:00:00 +0000\n"
		 "Subject: [PATCH] " EVIL_SUBJECT "\n"
		 "Content-Type: text/plain; charset=utf-8\n\n"
		 "</pre></article><script>alert(10)</script>\n\n"
		 "Fixes: " COMMIT " (\"" EVIL_TITLE "\")\n"
		 "---\n <a href=\"javascript:alert(11)\"> | 2 +-\n"
		 " 1 file changed, 1 insertion(+), 1 deletion(-)\n\n"
		 "diff --git a/<u>.c b/<u>.c\nindex 1111111..2222222 100644\n"
		 "--- a/<u>.c\n+++ b/<u>.c\n@@ -1,3 +1,3 @@ </span>\n a\n"
		 "-</pre>\n+<script>alert(12)</script>\n d\n");
	put_text("From: \"" EVIL_NAME "\" <evil2@example.org>\n"
		 "Message-ID: <evil-test@example.org>\n"
		 "In-Reply-To: <evil-fix@example.org>\n"
		 "Date: Sun, 12 Jan 2020 00:00:00 +0000\n"
		 "Subject: Re: [PATCH] " EVIL_SUBJECT "\n\n"
		 "> </pre><script>alert(13)</script>\n\n"
		 "Tested-by: <b>x</b> <t@example.org>\n");
}

/* `near`: a Message-ID; NULL: all of it. */
static struct pages_counts write_what(gboolean force, const char *near)
{
	g_autoptr(GError) err = NULL;
	g_autofree char *none = g_build_filename(dir, "..", NULL);
	g_autoptr(config) c = NULL;
	g_autoptr(template_set) set = template_set_open(NULL);
	struct pages_counts counts = {0};

	g_setenv("XDG_CONFIG_HOME", none, TRUE);
	c = config_load(NULL, &err);
	must(c != NULL, err);
	if (near) {
		g_autoptr(GPtrArray) mids = g_ptr_array_new();

		g_ptr_array_add(mids, (char *)near);
		must(pages_write_near(st, c, set, dir, mids, &counts, &err),
		     err);
	} else {
		must(pages_write(st, c, set, dir, force, &counts, &err), err);
	}
	return counts;
}

static struct pages_counts write_site(gboolean force)
{
	return write_what(force, NULL);
}

/* ---- reading a page back */

struct page {
	char *path;	  /* relative to dir */
	GHashTable *ids;  /* of its elements */
	GPtrArray *links; /* relative ones */
	GString *text;
	guint styles;
};

static void page_free(struct page *p)
{
	g_free(p->path);
	g_hash_table_unref(p->ids);
	g_ptr_array_unref(p->links);
	g_string_free(p->text, TRUE);
	g_free(p);
}

static void check_url(struct page *p, const char *url)
{
	if (g_str_has_prefix(url, "https://") ||
	    g_str_has_prefix(url, "http://"))
		return;
	ck_assert_msg(!strpbrk(url, ":"), "%s: leads to %s", p->path, url);
	g_ptr_array_add(p->links, g_strdup(url));
}

static void start(GMarkupParseContext *context, const char *name,
		  const char **names, const char **values, gpointer data,
		  GError **err)
{
	static const char *const known[] = {
		"html",	   "head",    "meta",	 "title", "style", "body",
		"a",	   "header",  "strong",	 "nav",	  "main",  "footer",
		"p",	   "h1",      "h2",	 "h3",	  "small", "section",
		"article", "span",    "code",	 "b",	  "ul",	   "ol",
		"li",	   "dl",      "dt",	 "dd",	  "table", "caption",
		"thead",   "tbody",   "tr",	 "th",	  "td",	   "time",
		"pre",	   "details", "summary", NULL};
	static const char *const attributes[] = {
		"lang",	    "charset",	  "name",
		"content",  "http-equiv", "class",
		"href",	    "id",	  "scope",
		"data-h",   "rel",	  "datetime",
		"tabindex", "aria-label", "aria-labelledby",
		NULL};
	struct page *p = data;

	ck_assert_msg(g_strv_contains(known, name), "%s: <%s>", p->path, name);
	p->styles += !strcmp(name, "style");
	for (guint n = 0; names[n]; n++) {
		ck_assert_msg(g_strv_contains(attributes, names[n]),
			      "%s: <%s %s=\"%s\">", p->path, name, names[n],
			      values[n]);
		if (!strcmp(names[n], "href"))
			check_url(p, values[n]);
		if (!strcmp(names[n], "id"))
			ck_assert_msg(g_hash_table_add(p->ids,
						       g_strdup(values[n])),
				      "%s: id %s twice", p->path, values[n]);
	}
}

static void text(GMarkupParseContext *context, const char *bytes, gsize len,
		 gpointer data, GError **err)
{
	struct page *p = data;

	g_string_append_len(p->text, bytes, (gssize)len);
}

static struct page *read_page(const char *path)
{
	static const GMarkupParser parser = {.start_element = start,
					     .text = text};
	g_autofree char *full = g_build_filename(dir, path, NULL);
	struct page *p = g_new0(struct page, 1);
	g_autoptr(GMarkupParseContext) context =
		g_markup_parse_context_new(&parser, 0, p, NULL);
	g_autoptr(GError) err = NULL;
	g_autofree char *bytes = NULL;
	gsize len;

	p->path = g_strdup(path);
	p->ids = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	p->links = g_ptr_array_new_with_free_func(g_free);
	p->text = g_string_new(NULL);
	must(g_file_get_contents(full, &bytes, &len, &err), err);
	ck_assert_msg(g_markup_parse_context_parse(context, bytes, (gssize)len,
						   &err) &&
			      g_markup_parse_context_end_parse(context, &err),
		      "%s: %s", path, err ? err->message : "");
	ck_assert_uint_eq(p->styles, 1);
	return p;
}

static void find_pages(const char *folder, GHashTable *pages)
{
	g_autofree char *full = g_build_filename(dir, folder, NULL);
	g_autoptr(GDir) d = g_dir_open(full, 0, NULL);
	const char *name;

	while (d && (name = g_dir_read_name(d))) {
		g_autofree char *path =
			*folder ? g_strconcat(folder, "/", name, NULL)
				: g_strdup(name);

		if (g_str_has_suffix(name, ".html"))
			g_hash_table_insert(pages, g_strdup(path),
					    read_page(path));
		else
			find_pages(path, pages);
	}
}

static GHashTable *read_site(void)
{
	GHashTable *pages =
		g_hash_table_new_full(g_str_hash, g_str_equal, g_free,
				      (GDestroyNotify)page_free);

	find_pages("", pages);
	return pages;
}

/* ---- tests */

static void check_link(GHashTable *pages, const struct page *p, const char *url)
{
	g_auto(GStrv) parts = g_strsplit(url, "#", 2);
	g_autofree char *folder = g_path_get_dirname(p->path);
	g_autofree char *root = g_canonicalize_filename("/", "/");
	g_autofree char *from = g_strconcat("/", folder, NULL);
	g_autofree char *full =
		*parts[0] ? g_canonicalize_filename(parts[0], from) : NULL;
	g_autofree char *file = NULL;
	const struct page *to = p;

	if (full) {
		file = g_build_filename(dir, full, NULL);
		ck_assert_msg(g_file_test(file, G_FILE_TEST_IS_REGULAR),
			      "%s: %s leads nowhere", p->path, url);
		to = g_hash_table_lookup(pages, full + 1);
	}
	if (parts[0] && parts[1])
		ck_assert_msg(to && g_hash_table_contains(to->ids, parts[1]),
			      "%s: %s: no such place", p->path, url);
}

START_TEST(links_lead_somewhere)
{
	g_autoptr(GHashTable) pages = NULL;
	GHashTableIter iter;
	gpointer page;
	guint links = 0;

	put_demo();
	put_evil();
	write_site(FALSE);
	pages = read_site();
	g_hash_table_iter_init(&iter, pages);
	while (g_hash_table_iter_next(&iter, NULL, &page)) {
		const struct page *p = page;

		for (guint n = 0; n < p->links->len; n++)
			check_link(pages, p, p->links->pdata[n]);
		links += p->links->len;
	}
	ck_assert_uint_ge(g_hash_table_size(pages), 12);
	ck_assert_uint_ge(links, 100);
}
END_TEST

static void check_visible(const struct page *p)
{
	for (const char *c = p->text->str; *c; c = g_utf8_next_char(c)) {
		gunichar u = g_utf8_get_char(c);

		ck_assert_msg(u >= 0x20 || u == '\n' || u == '\t',
			      "%s: control character %x", p->path, u);
		ck_assert_msg(u != 0x202e && u != 0x2066, "%s: U+%04X", p->path,
			      u);
	}
}

/* read_page() has refused every element and attribute that is not ours; the
 * hostile words are there, as words. */
START_TEST(hostile_mail_is_text)
{
	static const char *const words[] = {
		"<svg/onload=alert(4)>",
		"x</code><script>alert(2)</script>",
		"</title><script>alert(6)</script>",
		"\"'><style>*{display:none}</style>",
		"</pre><script>alert(9)</script>",
		"[U+202E][31m",
		"^[[1m^A",
		"</pre></article><script>alert(10)</script>",
	};
	g_autoptr(GHashTable) pages = NULL;
	const struct page *found = NULL;
	GHashTableIter iter;
	gpointer page;

	put_evil();
	write_site(FALSE);
	pages = read_site();
	g_hash_table_iter_init(&iter, pages);
	while (g_hash_table_iter_next(&iter, NULL, &page)) {
		const struct page *p = page;

		check_visible(p);
		if (g_str_has_prefix(p->path, "r/"))
			found = p;
	}
	ck_assert_ptr_nonnull(found);
	for (gsize n = 0; n < G_N_ELEMENTS(words); n++)
		ck_assert_msg(strstr(found->text->str, words[n]) != NULL,
			      "%s is not shown", words[n]);
}
END_TEST

START_TEST(second_run_writes_nothing)
{
	struct pages_counts first, second, forced;

	put_demo();
	first = write_site(FALSE);
	second = write_site(FALSE);
	forced = write_site(TRUE);
	ck_assert_uint_ge(first.written, 12);
	ck_assert_uint_eq(second.written, 0);
	ck_assert_uint_eq(second.unchanged, first.written);
	ck_assert_uint_eq(forced.written, first.written);
}
END_TEST

/* One more mail changes the pages that show it and no other. */
START_TEST(one_mail_changes_few_files)
{
	struct pages_counts first, counts;

	put_demo();
	put_evil();
	first = write_site(FALSE);
	put_text("From: New Person <new@example.org>\n"
		 "Message-ID: <new@example.org>\n"
		 "In-Reply-To: <evil-fix@example.org>\n"
		 "Date: Mon, 13 Jan 2020 00:00:00 +0000\n"
		 "Subject: Re: x\n\nA word.\n");
	counts = write_site(FALSE);
	/* item, its data, thread, three lists, about */
	ck_assert_uint_eq(counts.written, 7);
	ck_assert_uint_eq(counts.unchanged, first.written - 7);
}
END_TEST

/* What one mail touches is there at once, the same as by a whole run; of which
 * little is left to do. */
START_TEST(the_pages_near_a_mail_come_first)
{
	struct pages_counts counts;

	put_demo();
	write_site(FALSE);
	put_evil();
	/* an item with its data, its thread, three lists */
	counts = write_what(FALSE, "evil-test@example.org");
	ck_assert_uint_eq(counts.written, 6);
	ck_assert_uint_eq(counts.removed, 0);
	counts = write_site(FALSE);
	ck_assert_uint_le(counts.written, 1);
	ck_assert_uint_eq(counts.removed, 0);
	/* a mail of no item changes no page; one that is not known neither */
	put_text("From: New Person <new@example.org>\n"
		 "Message-ID: <new@example.org>\n"
		 "Date: Mon, 13 Jan 2020 00:00:00 +0000\n"
		 "Subject: x\n\nA word.\n");
	counts = write_what(FALSE, "new@example.org");
	ck_assert_uint_eq(counts.written, 0);
	counts = write_what(FALSE, "nobody@example.org");
	ck_assert_uint_eq(counts.written, 0);
	/* what was not near is not forgotten */
	store_close(st);
	st = open_memory();
	counts = write_site(FALSE);
	ck_assert_uint_ge(counts.removed, 12);
}
END_TEST

START_TEST(an_empty_database)
{
	g_autoptr(GHashTable) pages = NULL;
	struct page *index;

	write_site(FALSE);
	pages = read_site();
	ck_assert_uint_eq(g_hash_table_size(pages), 5);
	index = g_hash_table_lookup(pages, "index.html");
	ck_assert(strstr(index->text->str, "No open regression is known"));
	ck_assert(!exists("r"));
}
END_TEST

/* The sentence that a reader looks for first. */
START_TEST(says_how_far_it_is)
{
	g_autoptr(GHashTable) pages = NULL;
	struct page *index;

	put_demo();
	write_site(FALSE);
	pages = read_site();
	index = g_hash_table_lookup(pages, "index.html");
	ck_assert(strstr(index->text->str, "open regressions, "));
	ck_assert(strstr(index->text->str, "aim7.jobs-per-min -33.7\xc2\xa0%"));
	ck_assert(exists(".culprit-pages"));
}
END_TEST

START_TEST(withdrawn_mail_takes_its_pages_along)
{
	static const struct mail root = {.id = "root@example.org", .day = 1};
	struct pages_counts counts;

	put_demo();
	put(st, &root);
	write_site(FALSE);
	put_evil();
	counts = write_site(FALSE);
	ck_assert_uint_eq(counts.removed, 0);
	store_close(st);
	st = open_memory();
	put_demo();
	counts = write_site(FALSE);
	ck_assert_uint_eq(counts.removed, 3);
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("pages");
	TCase *tc = tcase_create("site");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, links_lead_somewhere);
	tcase_add_test(tc, hostile_mail_is_text);
	tcase_add_test(tc, second_run_writes_nothing);
	tcase_add_test(tc, one_mail_changes_few_files);
	tcase_add_test(tc, the_pages_near_a_mail_come_first);
	tcase_add_test(tc, an_empty_database);
	tcase_add_test(tc, says_how_far_it_is);
	tcase_add_test(tc, withdrawn_mail_takes_its_pages_along);
	suite_add_tcase(s, tc);
	return s;
}

TEST_MAIN(suite)
