/* test_imap_login.c - telling an IMAP server who we are, and keeping to
 * ourselves what it must not have */
#include "tests/bot/imap_script.h"

static struct heard h;
static struct dialogue_step script[AT_MAX];

static void setup(void)
{
	heard_init(&h);
	imap_script(script);
}

static void teardown(void)
{
	heard_clear(&h);
}

static void without_user(struct remote *r)
{
	g_clear_pointer(&r->user, g_free);
}

static void with_token(struct remote *r)
{
	r->auth = REMOTE_XOAUTH2;
}

#define LINE(caps) "* CAPABILITY IMAP4rev1 " caps "\r\n1 OK yes\r\n"
#define TOKEN	   "dXNlcj1ib3QBYXV0aD1CZWFyZXIgc2VzYW1lIQEB"

static const struct {
	const char *caps;
	struct dialogue_step login[3];
	void (*change)(struct remote *r);
	const char *error; /* NULL: we are in */
} logins[] = {
	{LINE("AUTH=PLAIN"),
	 {{.hear = "2 AUTHENTICATE PLAIN\r\n", .say = "+ \r\n"},
	  {.hear = "AGJvdABzZXNhbWUh\r\n", .say = "2 OK yes\r\n"}},
	 NULL,
	 NULL},
	{LINE("XX"),
	 {{.hear = "2 LOGIN bot \"sesame!\"\r\n", .say = "2 OK yes\r\n"}},
	 NULL,
	 NULL},
	{LINE("SASL-IR AUTH=XOAUTH2"),
	 {{.hear = "2 AUTHENTICATE XOAUTH2 " TOKEN "\r\n",
	   .say = "2 OK yes\r\n"}},
	 with_token,
	 NULL},
	{LINE("AUTH=XOAUTH2"),
	 {{.hear = "2 AUTHENTICATE XOAUTH2\r\n", .say = "+\r\n"},
	  {.hear = TOKEN "\r\n", .say = "+ eyJzdGF0dXMiOiI0MDAifQ==\r\n"},
	  {.hear = "\r\n", .say = "2 NO no token\r\n"}},
	 with_token,
	 "error refused: source box: 127.0.0.1: the login was refused: NO no "
	 "token ({\"status\":\"400\"})\n"},
	{LINE("AUTH=PLAIN"),
	 {{.hear = "zzz"}},
	 with_token,
	 "error refused: source box: 127.0.0.1: takes no token (no "
	 "AUTH=XOAUTH2)\n"},
	{LINE("LOGINDISABLED"),
	 {{.hear = "zzz"}},
	 NULL,
	 "error refused: source box: 127.0.0.1: takes no password here "
	 "(LOGINDISABLED, no AUTH=PLAIN); use TLS or auth=xoauth2\n"},
	{LINE("AUTH=ANONYMOUS"),
	 {{.hear = "2 LOGIN anonymous anonymous\r\n", .say = "2 OK yes\r\n"}},
	 without_user,
	 NULL},
	{LINE("AUTH=PLAIN"),
	 {{.hear = "zzz"}},
	 without_user,
	 "error refused: source box: 127.0.0.1: lets nobody in without a "
	 "login; set user\n"},
	/* wrong; and servers that repeat what they were told */
	{LINE("XX"),
	 {{.hear = "2 LOGIN", .say = "2 NO [AUTHENTICATIONFAILED] no\r\n"}},
	 NULL,
	 "error refused: source box: 127.0.0.1: the login was refused: NO "
	 "[AUTHENTICATIONFAILED] no\n"},
	{LINE("XX"),
	 {{.hear = "2 LOGIN", .say = "2 NO [UNAVAILABLE] later\r\n"}},
	 NULL,
	 "error reply: source box: 127.0.0.1: the login was refused: NO "
	 "[UNAVAILABLE] later\n"},
	{LINE("XX"),
	 {{.hear = "2 LOGIN", .say = "2 BAD LOGIN bot \"sesame!\"\r\n"}},
	 NULL,
	 "error reply: source box: 127.0.0.1: the login was refused; the "
	 "server's answer repeats the secret and is not shown\n"},
	{LINE("SASL-IR AUTH=PLAIN"),
	 {{.hear = "2 ", .say = "2 BAD PLAIN AGJvdABzZXNhbWUh\r\n"}},
	 NULL,
	 "error reply: source box: 127.0.0.1: the login was refused; the "
	 "server's answer repeats the secret and is not shown\n"},
};

START_TEST(login)
{
	g_autofree char *log = NULL, *heard = NULL;
	guint n = 0;

	script[AT_CAPABILITY].say = logins[_i].caps;
	for (; n < 3 && logins[_i].login[n].hear; n++)
		script[AT_LOGIN + n] = logins[_i].login[n];
	script[AT_LOGIN + n++] =
		(struct dialogue_step){.hear = "3 CAPABILITY",
				       .say = "3 NO that was all\r\n"};
	script[AT_LOGIN + n] = (struct dialogue_step){.end = DIALOGUE_OVER};
	log = imap_play(&h, script, logins[_i].change, &heard);
	ck_assert_str_eq(log, logins[_i].error
				      ? logins[_i].error
				      : "error refused: source box: 127.0.0.1: "
					"it does not say what it can do: NO "
					"that was all\n");
	if (g_str_equal(logins[_i].login[0].hear, "zzz")) {
		ck_assert_ptr_null(strstr(heard, "LOGIN"));
		ck_assert_ptr_null(strstr(heard, "AUTH"));
	}
}
END_TEST

static Suite *make_suite(void)
{
	Suite *s = suite_create("imap_login");
	TCase *c = tcase_create("login");

	tcase_add_checked_fixture(c, setup, teardown);
	tcase_add_loop_test(c, login, 0, G_N_ELEMENTS(logins));
	suite_add_tcase(s, c);
	return s;
}

TEST_MAIN(make_suite)
