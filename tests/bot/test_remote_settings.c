/* test_remote_settings.c - [source NAME]: what is made of it, and each way in
 * which it can be wrong */
#include <string.h>

#include "bot/remote.h"

#include "tests/folder.h"

static config *load(const char *text)
{
	g_autofree char *path = in_dir("c.conf");
	g_autofree char *all = g_strconcat("[source s]\n", text, NULL);
	g_autoptr(GError) err = NULL;
	config *c;

	ck_assert(g_file_set_contents(path, all, -1, NULL));
	c = config_load(path, &err);
	ck_assert_msg(c != NULL, "%s", err ? err->message : "");
	return c;
}

#define IMAP "type=imap\nserver=mail.example.org\n"
#define NNTP "type=nntp\nserver=news.example.org\ngroups=org.example.*\n"
#define HTTP "type=http\nurl=https://example.org/list/\n"

/* Each complaint says what to do. */
static const struct {
	const char *text;
	const char *says;
} wrong[] = {
	{"list=x\n", "needs a type: imap, nntp"},
	{"type=imap\n", "is of type imap and needs server="},
	{"type=nntp\ngroups=x\n", "is of type nntp and needs server="},
	{"type=nntp\nserver=x\n", "is of type nntp and needs groups="},
	{"type=http\n", "is of type http and needs url="},
	{"type=inbox\n", "is of type inbox and needs url="},
	{"type=mbox\n", "is of type mbox and needs path="},
	{"type=maildir\n", "is of type maildir and needs path="},
	{IMAP "groups=x\n", "where groups has no meaning; remove it"},
	{IMAP "url=https://x/\n", "where url has no meaning"},
	{IMAP "path=/x\n", "where path has no meaning"},
	{NNTP "mailboxes=INBOX\n", "where mailboxes has no meaning"},
	{NNTP "move-to=Old\n", "where move-to has no meaning"},
	{HTTP "server=x\n", "where server has no meaning"},
	{HTTP "user=me\n", "where user has no meaning"},
	{HTTP "password-file=/x\n", "where password-file has no meaning"},
	{HTTP "password-command=x\n", "where password-command has no meaning"},
	{HTTP "path=/x\n", "where path has no meaning"},
	{"type=mbox\npath=/x\nurl=https://x/\n", "where url has no meaning"},
	/* a file is read in whole */
	{"type=mbox\npath=/x\nsince=2024-01-31\n", "since has no meaning"},
	{"type=maildir\npath=/x\nca-file=/y\n", "ca-file has no meaning"},
	{"type=maildir\npath=/x\nproxy=y\n", "proxy has no meaning"},
	{"type=mbox\npath=/x\nplain-host=y\n", "plain-host has no meaning"},
	{IMAP "user=me\n", "set password-file or password-command, too"},
	{IMAP "password-file=/x\n", "set user, too"},
	{IMAP "password-command=x\n", "set user, too"},
	{IMAP "user=me\npassword-file=/x\npassword-command=x\n",
	 "keep one of the two"},
	{IMAP "since=yesterday\n", "since: must be a date like 2024-01-31"},
	{IMAP "since=2024-02-31\n", "since: must be a date"},
	{IMAP "after=move\n", "say where: move-to=MAILBOX"},
	{IMAP "move-to=Old\n", "set after=move, too"},
	{IMAP "after=seen\nmove-to=Old\n", "set after=move, too"},
	{"type=http\nurl=ftp://example.org/\n",
	 "url: must begin with https:// or http://"},
	{"type=http\nurl=https://me:secret@example.org/\n",
	 "url: must not hold a user or password"},
	{"type=http\nurl=https://\n", "is no address of the web"},
	{"type=inbox\nurl=https:///list/\n", "is no address of the web"},
	{"type=http\nurl=http://example.org/list/\n",
	 "set plain-host=example.org"},
	{"type=inbox\nurl=http://example.org/l/\nplain-host=example.com\n",
	 "set plain-host=example.org"},
	{"type=imap\nserver=mail example.org\n", "must be HOST"},
	{"type=imap\nserver=a/b\n", "must be HOST"},
	{"type=inbox\nurl=/srv/list\n", "url: must begin with https://"},
	{"type=imap\nserver=imap://mail.example.org\n", "server: "},
	{"type=imap\nserver=nntps://mail.example.org\n", "server: "},
	{"type=imap\nserver=me:secret@mail.example.org\n", "server: "},
};

START_TEST(a_slip_is_told_with_its_remedy)
{
	g_autoptr(config) c = load(wrong[_i].text);
	g_autoptr(GError) err = NULL;
	g_autofree char *place =
		g_strdup_printf("%s: [source s] ", config_file(c));

	ck_assert_ptr_null(remotes_settings(c, "/x.db", &err));
	ck_assert(g_error_matches(err, CONFIG_ERROR, CONFIG_ERROR_SYNTAX));
	ck_assert_msg(g_str_has_prefix(err->message, place), "%s",
		      err->message);
	ck_assert_msg(strstr(err->message, wrong[_i].says), "%s lacks: %s",
		      err->message, wrong[_i].says);
	ck_assert_ptr_null(strchr(err->message, '\n'));
	ck_assert_ptr_null(strstr(err->message, "secret"));
}
END_TEST

static struct remote *only(config *c, GPtrArray **all)
{
	g_autoptr(GError) err = NULL;

	*all = remotes_settings(c, "/x.db", &err);
	ck_assert_msg(*all != NULL, "%s", err ? err->message : "");
	ck_assert_uint_eq((*all)->len, 1);
	return (*all)->pdata[0];
}

START_TEST(a_short_one_has_its_defaults)
{
	g_autoptr(config) c = load(IMAP);
	g_autoptr(GPtrArray) all = NULL;
	const struct remote *r = only(c, &all);

	ck_assert_str_eq(r->name, "s");
	ck_assert_ptr_eq(r->ops, &remote_imap);
	ck_assert_str_eq(r->server->host, "mail.example.org");
	ck_assert_uint_eq(r->server->port, 993);
	ck_assert(!r->server->plain);
	ck_assert_uint_eq(r->server->timeout, 60);
	ck_assert_ptr_null(r->mailboxes[0]);
	ck_assert_int_eq(r->after, REMOTE_KEEP);
	ck_assert_int_eq(r->auth, REMOTE_PASSWORD);
	ck_assert_uint_eq(r->poll, 300);
	ck_assert_uint_eq(r->rate, 100);
	ck_assert_uint_eq(r->max_bytes, 32 * 1024 * 1024);
	ck_assert_int_eq(r->since, 0);
	ck_assert_ptr_null(r->list);
}
END_TEST

START_TEST(a_long_one_is_read_in_full)
{
	g_autoptr(config) c = load(
		"type=imap\nserver=127.0.0.1:1143\nuser=me\n"
		"password-command=pass show mail\nauth=xoauth2\n"
		"mailboxes=INBOX Lists/fs\nafter=move\nmove-to=Old\nlist=fs\n"
		"since=2024-01-31\npoll=2h\nmax-size=1\ntimeout=5s\n"
		"ca-file=/ca.pem\nproxy=socks5h://127.0.0.1:9050\n");
	g_autoptr(GPtrArray) all = NULL;
	const struct remote *r = only(c, &all);

	ck_assert_str_eq(r->user, "me");
	ck_assert_str_eq(r->password_command, "pass show mail");
	ck_assert_ptr_null(r->password_file);
	ck_assert_int_eq(r->auth, REMOTE_XOAUTH2);
	ck_assert_str_eq(r->mailboxes[1], "Lists/fs");
	ck_assert_ptr_null(r->mailboxes[2]);
	ck_assert_int_eq(r->after, REMOTE_MOVE);
	ck_assert_str_eq(r->move_to, "Old");
	ck_assert_str_eq(r->list, "fs");
	ck_assert_int_eq(r->since, 1706659200);
	ck_assert_uint_eq(r->poll, 7200);
	ck_assert_uint_eq(r->max_bytes, 1024 * 1024);
	ck_assert_uint_eq(r->server->timeout, 5);
	ck_assert_str_eq(r->server->ca_file, "/ca.pem");
	ck_assert_str_eq(r->server->proxy, "socks5h://127.0.0.1:9050");
	/* a server of this machine needs no mercy */
	ck_assert_uint_eq(r->rate, 0);
}
END_TEST

static const struct {
	const char *text;
	guint rate, poll;
	guint64 mib;
} numbers[] = {
	{NNTP, 100, 300, 32},
	{NNTP "rate=0\n", 0, 300, 32},
	{NNTP "rate=7\n", 7, 300, 32},
	{NNTP "rate=-7\n", 0, 300, 32},
	{NNTP "poll=0s\n", 100, 1, 32},
	{NNTP "max-size=0\n", 100, 300, 1},
	{NNTP "max-size=100000\n", 100, 300, SOURCE_MAX_MAIL / 1024 / 1024},
	{HTTP, 100, 300, 32},
	{"type=nntp\nserver=nntp://localhost\ngroups=x\n", 0, 300, 32},
};

START_TEST(numbers_stay_within_reason)
{
	g_autoptr(config) c = load(numbers[_i].text);
	g_autoptr(GPtrArray) all = NULL;
	const struct remote *r = only(c, &all);

	ck_assert_uint_eq(r->rate, numbers[_i].rate);
	ck_assert_uint_eq(r->poll, numbers[_i].poll);
	ck_assert_uint_eq(r->max_bytes, numbers[_i].mib * 1024 * 1024);
}
END_TEST

START_TEST(a_clone_is_beside_the_database)
{
	g_autoptr(config) c = load("type=inbox\nurl=https://example.org/a/\n"
				   "[source ../up]\ntype=inbox\n"
				   "url=https://example.org/b/\n"
				   "[source own]\ntype=inbox\npath=/srv/own\n"
				   "url=https://example.org/c/\n");
	g_autoptr(GPtrArray) all = remotes_settings(c, "/d/x.db", NULL);
	static const char *const paths[] = {"/d/x.db-inboxes/s",
					    "/d/x.db-inboxes/%..%2Fup",
					    "/srv/own"};

	ck_assert_ptr_nonnull(all);
	ck_assert_uint_eq(all->len, G_N_ELEMENTS(paths));
	for (guint i = 0; i < all->len; i++)
		ck_assert_str_eq(((struct remote *)all->pdata[i])->path,
				 paths[i]);
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("remote_settings");
	TCase *tc = tcase_create("sources");

	tcase_add_checked_fixture(tc, make_dir, remove_dir);
	tcase_add_loop_test(tc, a_slip_is_told_with_its_remedy, 0,
			    G_N_ELEMENTS(wrong));
	tcase_add_test(tc, a_short_one_has_its_defaults);
	tcase_add_test(tc, a_long_one_is_read_in_full);
	tcase_add_loop_test(tc, numbers_stay_within_reason, 0,
			    G_N_ELEMENTS(numbers));
	tcase_add_test(tc, a_clone_is_beside_the_database);
	suite_add_tcase(s, tc);
	return s;
}

TEST_MAIN(suite)
