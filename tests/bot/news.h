/* news.h - a news server that plays a script, and what the source hears of it
 * Places lose the server's address: a group is its name. */
#ifndef TESTS_BOT_NEWS_H
#define TESTS_BOT_NEWS_H

#include "bot/remote.h"

#include "tests/bot/heard.h"
#include "tests/dialogue.h"

#define NEWS_HELLO                                                         \
	{.say = "200 hi\r\n"},                                             \
	{                                                                  \
		.hear = "CAPABILITIES\r\n",                                \
		.say = "101 these\r\nVERSION 2\r\nREADER\r\nOVER\r\n.\r\n" \
	}
#define NEWS_DAY "Thu, 1 Jan 2026 00:00:00 +0000"
/* A line of an overview, an article as a server sends it, and as it was. */
#define NEWS_LINE(n, day, bytes) \
	n "\ts\tf\t" day "\t<" n "@x>\t\t" bytes "\t1\r\n"
#define NEWS_VIEW(n) NEWS_LINE(n, NEWS_DAY, "200")
#define NEWS_MAIL(n)                                                \
	"220 " n " <" n "@x>\r\nSubject: m" n "\r\nMessage-ID: <" n \
	"@x>\r\nXref: h g:" n                                       \
	"\r\nNewsgroups: g\r\nPath: h!not\r\n\r\nb\r\n.\r\n"
#define NEWS_RAW(n) "Subject: m" n "\nMessage-ID: <" n "@x>\n\nb\n"
/* The answer to a command. */
#define NEWS_ON(command, ...)                              \
	{                                                  \
		.hear = command "\r\n", .say = __VA_ARGS__ \
	}

struct news_how {
	const char *groups; /* NULL: "g" */
	const char *host;   /* NULL: 127.0.0.1 */
	const char *user, *password_file;
	gint64 since;
	guint64 max_bytes; /* 0: 32 MiB */
	guint timeout;	   /* 0: 20 */
	guint rate;
	GCancellable *cancel;
};

/* One run: what is said, and where it stands then. */
struct news_run {
	const char *name;
	struct news_how how;
	const char *from; /* position before; NULL: none */
	struct dialogue_step steps[16];
	const char *log;
	const char *to;
};

#define NEWS_DONE                    \
	{                            \
		.end = DIALOGUE_OVER \
	}
/* A group of three. */
#define NEWS_THREE "mail nntp g m1\nmail nntp g m2\nmail nntp g m3\n"
#define NEWS_ON_THREE                                                         \
	NEWS_ON("GROUP g", "211 2 1 3 g\r\n"),                                \
		NEWS_ON("OVER 1-3", "224 x\r\n" NEWS_VIEW("1") NEWS_VIEW("2") \
					    NEWS_VIEW("3") ".\r\n"),          \
		NEWS_ON("ARTICLE 1", NEWS_MAIL("1")),                         \
		NEWS_ON("ARTICLE 2", NEWS_MAIL("2")),                         \
		NEWS_ON("ARTICLE 3", NEWS_MAIL("3"))

/* What the last run expected. */
static guint64 news_expected;

static inline void news_expect(guint64 mails, void *data)
{
	news_expected += mails;
}

/* What was said, and last the error, until the next call. */
static inline const char *news_read(struct heard *h, guint port,
				    const struct news_how *how)
{
	struct endpoint near = {.scheme = (char *)"nntp",
				.host = (char *)(how->host ? how->host
							   : "127.0.0.1"),
				.port = port,
				.plain = TRUE,
				.timeout = how->timeout ? how->timeout : 20};
	struct endpoint *server = &near;
	g_auto(GStrv) groups =
		g_strsplit(how->groups ? how->groups : "g", " ", -1);
	struct remote r = {.name = (char *)"news",
			   .ops = &remote_nntp,
			   .server = server,
			   .user = (char *)how->user,
			   .password_file = (char *)how->password_file,
			   .groups = groups,
			   .since = how->since,
			   .rate = how->rate,
			   .max_bytes =
				   how->max_bytes ? how->max_bytes : 32 << 20};
	struct source_context ctx = {.sink = heard_event,
				     .cursor_of = heard_cursor,
				     .cancel = how->cancel,
				     .expect = news_expect,
				     .data = h};
	g_autofree char *url = endpoint_url(server);
	g_autofree char *address = g_strdup_printf("%u: ", server->port);
	g_autoptr(GError) err = NULL;
	char *home = h->dir;

	g_string_truncate(h->log, 0);
	g_ptr_array_set_size(h->raws, 0);
	h->mails = h->cursors = 0;
	news_expected = 0;
	h->dir = url;
	if (!remote_nntp.read(&r, &ctx, &err)) {
		g_autofree char *text = heard_short(h, err->message);
		const char *at = strstr(text, address);

		g_string_append_printf(h->log, "error %s: %s\n",
				       g_error_matches(err, SOURCE_ERROR,
						       SOURCE_ERROR_STOPPED)
					       ? "stopped"
					       : source_error_code(err),
				       at ? at + strlen(address) : text);
	}
	h->dir = home;
	return h->log->str;
}

#endif
