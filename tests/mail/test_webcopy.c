/* test_webcopy.c - pages of web archives read as the mails they show */
#include <math.h>
#include <string.h>

#include "mail/reading.h"
#include "mail/webcopy.h"

#include "tests/test.h"

#define SHA "0123456789abcdef0123456789abcdef01234567"

#define REPORT(domain)                                                \
	"Hello,\n\nkernel test robot noticed a -12.5% regression of " \
	"unixbench.score on:\n\ncommit: " SHA " (\"fs: do less\")\n"  \
	"https://git.example.org/linux.git master\n\n"                \
	"testcase: unixbench\n\n"                                     \
	"If you fix the issue, kindly add following tags\n"           \
	"| Reported-by: kernel test robot <oliver.sang@" domain ">\n" \
	"| Closes: https://lore.kernel.org/oe-lkp/"                   \
	"202401311609.2c8c0628-oliver.sang@" domain "\n\n"            \
	"commit: \n  aaaaaaaaaa (\"fs: before\")\n"                   \
	"  0123456789 (\"fs: do less\")\n\n"                          \
	"aaaaaaaaaaaaaaaa 0123456789abcdef0123456789a \n"             \
	"---------------- --------------------------- \n"             \
	" %stddev %change %stddev\n \\ | \\ \n"                       \
	" 4177 \xc2\xb1 2% -12.5% 3655 \xc2\xb1 3% unixbench.score\n"

#define NAVIGATION                            \
	"Next message: A Person: \"Re: x\"\n" \
	"Previous message: B Person: \"y\"\n" \
	"Messages sorted by: [ date ] [ thread ] [ subject ] [ author ]\n"

#define TITLE	      "[fs] 0123456789: unixbench.score -12.5% regression"
#define TITLE_WRAPPED "[fs] 0123456789: unixbench.score\n -12.5% regression"

#define HYPERMAIL                                                   \
	TITLE "\n\nFrom: kernel test robot\n"                       \
	      "Date: Wed Jan 31 2024 - 09:09:33 EST\n\n" NAVIGATION \
	      "\n" REPORT("xxxxxxxxx") "\n" NAVIGATION

#define LORE                                                                                 \
	"All of lore.kernel.org\n help / color / mirror / Atom feed\n"                       \
	"From: kernel test robot <oliver.sang@intel.com>\n"                                  \
	"To: A Person <a@example.org>\nCc: <b@example.org>,\n"                               \
	"\t<c@example.org>\nSubject: " TITLE_WRAPPED "\n"                                    \
	"Date: Wed, 31 Jan 2024 22:09:33 +0800\t[thread overview]\n"                         \
	"Message-ID: <202401311609.2c8c0628-oliver.sang@intel.com> (raw)\n"                  \
	"In-Reply-To: <p@example.org>\n\n" REPORT(                                           \
		"intel.com") "\n\nnext             reply\tother threads:[~2024-01-31 14:09 " \
			     "UTC|newest]\n\nThread overview: 2+ messages / expand[flat|nested]\n"

#define THREAD                                                                                \
	"* " TITLE "\n@ 2024-01-31 14:09 kernel test robot\n"                                 \
	"  0 siblings, 1 reply; 2+ messages in thread\n"                                      \
	"From: kernel test robot @ 2024-01-31 14:09 UTC (permalink / raw)\n"                  \
	"  To: A Person; +Cc: B\n\n" REPORT(                                                  \
		"intel.com") "\n^ permalink raw reply\t[flat|nested] 2+ messages in thread\n" \
			     "From: A Person @ 2024-01-31 15:00 UTC (permalink / raw)\n\nno\n"

static struct reading *read_page(const char *text)
{
	g_autoptr(GBytes) bytes = g_bytes_new(text, strlen(text));
	g_autoptr(message) msg = message_parse(bytes, 0, NULL);

	return msg ? reading_new(msg) : NULL;
}

/* Blanks collapsed and trimmed, as copies have them. */
static char *collapse(const char *text)
{
	GString *s = g_string_new(NULL);

	for (const char *p = text; *p; p++) {
		gboolean begin = !s->len || strchr("\n ", s->str[s->len - 1]);

		if (*p == '\n' && s->len && s->str[s->len - 1] == ' ')
			s->str[s->len - 1] = '\n';
		else if (*p == '\t' || *p == ' ')
			g_string_append_len(s, " ", begin ? 0 : 1);
		else
			g_string_append_c(s, *p);
	}
	return g_string_free(s, FALSE);
}

static const struct {
	const char *name;
	const char *text;
	const char *reply_to;
} pages[] = {
	{"hypermail", HYPERMAIL, NULL},
	{"public-inbox, a message", LORE, "p@example.org"},
	{"public-inbox, a thread", THREAD, NULL},
};

static void check_page(const struct reading *r, const char *reply_to)
{
	const struct report *p;

	ck_assert_ptr_nonnull(r);
	ck_assert(message_is_web_copy(r->msg));
	ck_assert_str_eq(message_id(r->msg),
			 "202401311609.2c8c0628-oliver.sang@intel.com");
	ck_assert_str_eq(message_subject(r->msg), TITLE);
	ck_assert_int_eq(message_date(r->msg) / 3600, 1706710173 / 3600);
	ck_assert_pstr_eq(message_in_reply_to(r->msg), reply_to);
	ck_assert_int_eq(r->kind, KIND_REPORT);
	p = r->report;
	ck_assert_int_eq(p->category, REPORT_PERFORMANCE);
	ck_assert_double_eq(p->change_percent, -12.5);
	ck_assert_str_eq(p->commit, SHA);
	ck_assert_str_eq(p->base, "aaaaaaaaaaaaaaaa");
	ck_assert_uint_eq(r->tables->len, 1);
	ck_assert_ptr_null(strstr(message_body(r->msg), "Thread overview"));
	ck_assert_ptr_null(strstr(message_body(r->msg), "sorted by"));
	ck_assert_ptr_null(strstr(message_body(r->msg), "permalink"));
}

START_TEST(test_page)
{
	g_autoptr(reading_auto) r = read_page(pages[_i].text);
	g_autofree char *narrow = collapse(pages[_i].text);
	g_autoptr(reading_auto) collapsed = read_page(narrow);

	check_page(r, pages[_i].reply_to);
	check_page(collapsed, pages[_i].reply_to);
}
END_TEST

/* People's answers: a reply, nobody's Message-ID. */
START_TEST(test_reply)
{
	g_autoptr(reading_auto) r =
		read_page("Re: " TITLE "\n\nFrom: A Person\n"
			  "Date: Thu Feb 1 2024 - 10:00:00 EDT\n\n" NAVIGATION
			  "\nOn Wed, kernel test robot wrote:\n"
			  "> | Closes: https://lore.kernel.org/oe-lkp/"
			  "202401311609.2c8c0628-oliver.sang@xxxxxxxxx\n\n"
			  "I will look.\n\n" NAVIGATION);

	ck_assert_ptr_nonnull(r);
	ck_assert_int_eq(r->kind, KIND_REPLY);
	ck_assert(message_id_made(r->msg));
	ck_assert_str_eq(message_from(r->msg)->name, "A Person");
	ck_assert_str_eq(message_from(r->msg)->address, "");
	ck_assert_int_eq(message_date(r->msg), 1706796000);
}
END_TEST

/* The name of the robot over other text, or an address the page hid. */
START_TEST(test_forged)
{
	g_autoptr(reading_auto) other =
		read_page("a title\n\nFrom: kernel test robot\n"
			  "Date: Wed Jan 31 2024 - 09:09:33 EST\n\nhello\n");
	g_autoptr(reading_auto) person = read_page(
		TITLE
		"\n\nFrom: A Person <oliver.sang@xxxxxxxxx>\n"
		"Date: Wed Jan 31 2024 - 09:09:33 EST\n\n" REPORT("xxxxxxxxx"));

	ck_assert_ptr_null(other->report);
	ck_assert_ptr_null(person->report);
	ck_assert_str_eq(message_from(person->msg)->address, "");
}
END_TEST

static const char *const no_pages[] = {
	"",
	"hello\n",
	"From: kernel test robot\nhello\n",
	"title\n\nFrom: a\nDate: yesterday\n\nx\n",
	"title\n\nDate: Wed Jan 31 2024 - 09:09:33 EST\n\nx\n",
	/* real mail is what it is */
	"Received: by x; Wed, 31 Jan 2024 22:09:33 +0800\nFrom: a@example.org\n"
	"Date: Wed Jan 31 2024 - 09:09:33 EST\nSubject: x\n\nx\n",
	"Message-ID: <a@example.org>\nSubject: x\nFrom: kernel test robot\n"
	"Date: Wed Jan 31 2024 - 09:09:33 EST\n\nx\n",
};

START_TEST(test_no_page)
{
	g_autoptr(reading_auto) r = read_page(no_pages[_i]);

	ck_assert(!r || !message_is_web_copy(r->msg));
}
END_TEST

/* Cut anywhere: a page or none, never worse. */
START_TEST(test_cut)
{
	for (gsize n = 0; n < strlen(pages[_i].text); n += 3) {
		g_autofree char *cut = g_strndup(pages[_i].text, n);
		g_autoptr(reading_auto) r = read_page(cut);

		if (r && r->report)
			ck_assert_str_eq(r->report->commit, SHA);
	}
}
END_TEST

static Suite *webcopy_suite(void)
{
	Suite *s = suite_create("webcopy");
	TCase *t = tcase_create("webcopy");

	tcase_add_loop_test(t, test_page, 0, G_N_ELEMENTS(pages));
	tcase_add_test(t, test_reply);
	tcase_add_test(t, test_forged);
	tcase_add_loop_test(t, test_no_page, 0, G_N_ELEMENTS(no_pages));
	tcase_add_loop_test(t, test_cut, 0, G_N_ELEMENTS(pages));
	suite_add_tcase(s, t);
	return s;
}

TEST_MAIN(webcopy_suite)
