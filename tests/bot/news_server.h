/* news_server.h - a small news server that answers whatever it is asked
 * In a thread of the test; one group "g", articles at any numbers, each
 * connection cut after so many bytes if wanted. */
#ifndef TESTS_BOT_NEWS_SERVER_H
#define TESTS_BOT_NEWS_SERVER_H

#include <gio/gio.h>
#include <string.h>

#include "tests/dialogue.h"

struct news_article {
	guint64 number;
	gint64 date;
	char *text; /* CRLF, dots stuffed, without the dot that ends it */
};

typedef struct news_server {
	GSocket *listener;
	guint port;
	GThread *thread;
	GCancellable *stop;
	GArray *articles;  /* of struct news_article, by rising numbers */
	guint64 low, high; /* what GROUP says; 0: the truth */
	gint64 cut;	   /* bytes until a connection is cut; -1: never */
	guint cuts;	   /* connections that are cut, first ones; 0: all */
	/* set by the thread, read when it is idle */
	guint connections, asked; /* asked: for articles */
	gint64 said;		  /* bytes of the last connection */
} news_server;

static inline void news_article_clear(gpointer data)
{
	g_free(((struct news_article *)data)->text);
}

static inline struct news_article *news_find(news_server *n, guint64 number)
{
	for (guint i = 0; i < n->articles->len; i++) {
		struct news_article *a =
			&g_array_index(n->articles, struct news_article, i);

		if (a->number == number)
			return a;
	}
	return NULL;
}

static inline void news_group(news_server *n, GString *out)
{
	guint len = n->articles->len;
	guint64 low =
		len ? g_array_index(n->articles, struct news_article, 0).number
		    : 1;
	guint64 high =
		len ? g_array_index(n->articles, struct news_article, len - 1)
				.number
		    : 0;

	g_string_append_printf(out,
			       "211 7 %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT
			       " g\r\n",
			       n->low ? n->low : low, n->high ? n->high : high);
}

static inline void news_over(news_server *n, const char *range, GString *out)
{
	char *end;
	guint64 from = g_ascii_strtoull(range, &end, 10);
	guint64 to = *end == '-' ? g_ascii_strtoull(end + 1, NULL, 10) : from;

	g_string_append(out, "224 follows\r\n");
	for (guint i = 0; i < n->articles->len; i++) {
		struct news_article *a =
			&g_array_index(n->articles, struct news_article, i);
		g_autoptr(GDateTime) t = g_date_time_new_from_unix_utc(a->date);
		g_autofree char *day =
			g_date_time_format(t, "%d %b %Y %H:%M:%S +0000");

		if (a->number >= from && a->number <= to)
			g_string_append_printf(out,
					       "%" G_GUINT64_FORMAT
					       "\ts\tf\t%s\t<%" G_GUINT64_FORMAT
					       "@x>\t\t%zu\t1\r\n",
					       a->number, day, a->number,
					       strlen(a->text));
	}
	g_string_append(out, ".\r\n");
}

static inline void news_article(news_server *n, const char *which, guint code,
				GString *out)
{
	gboolean by_id = *which == '<';
	struct news_article *a =
		news_find(n, g_ascii_strtoull(by_id ? which + 1 : which, NULL,
					      10));

	if (!a) {
		g_string_append(out, by_id ? "430 no\r\n" : "423 no\r\n");
		return;
	}
	g_string_append_printf(out,
			       "%u %" G_GUINT64_FORMAT " <%" G_GUINT64_FORMAT
			       "@x>\r\n",
			       code, a->number, a->number);
	if (code == 220) {
		n->asked++;
		g_string_append_printf(out, "%s.\r\n", a->text);
	}
}

static inline void news_answer(news_server *n, const char *line, GString *out)
{
	if (g_str_equal(line, "CAPABILITIES"))
		g_string_append(out, "101 x\r\nVERSION 2\r\nREADER\r\n.\r\n");
	else if (g_str_equal(line, "GROUP g"))
		news_group(n, out);
	else if (g_str_has_prefix(line, "OVER "))
		news_over(n, line + 5, out);
	else if (g_str_has_prefix(line, "STAT "))
		news_article(n, line + 5, 223, out);
	else if (g_str_has_prefix(line, "ARTICLE "))
		news_article(n, line + 8, 220, out);
	else
		g_string_append(out, "500 what?\r\n");
}

/* FALSE: the connection is over. */
static inline gboolean news_say(news_server *n, GSocket *s, GString *out)
{
	gboolean hurt = n->cut >= 0 && (!n->cuts || n->connections <= n->cuts);
	gsize len = hurt ? MIN(out->len, (gsize)(n->cut - n->said)) : out->len;

	for (gsize done = 0; done < len;) {
		gssize got = g_socket_send(s, out->str + done, len - done,
					   n->stop, NULL);

		if (got <= 0)
			return FALSE;
		done += (gsize)got;
	}
	n->said += (gint64)len;
	g_string_truncate(out, 0);
	return !hurt || n->said < n->cut;
}

static inline void news_serve(news_server *n, GSocket *s)
{
	g_autoptr(GString) in = g_string_new(NULL);
	g_autoptr(GString) out = g_string_new("200 hi\r\n");
	char buf[4096];
	gssize got = 1;

	while (news_say(n, s, out) && got > 0) {
		char *lf;

		got = g_socket_receive(s, buf, sizeof(buf), n->stop, NULL);
		if (got > 0)
			g_string_append_len(in, buf, got);
		while ((lf = strstr(in->str, "\r\n"))) {
			*lf = '\0';
			news_answer(n, in->str, out);
			g_string_erase(in, 0, lf + 2 - in->str);
		}
	}
	g_socket_close(s, NULL);
}

static inline gpointer news_thread(gpointer data)
{
	news_server *n = data;
	GSocket *s;

	while ((s = g_socket_accept(n->listener, n->stop, NULL))) {
		n->connections++;
		n->said = 0;
		news_serve(n, s);
		g_object_unref(s);
	}
	return NULL;
}

static inline news_server *news_start(void)
{
	news_server *n = g_new0(news_server, 1);

	n->cut = -1;
	n->stop = g_cancellable_new();
	n->articles = g_array_new(FALSE, TRUE, sizeof(struct news_article));
	g_array_set_clear_func(n->articles, news_article_clear);
	n->listener = dialogue_socket(&n->port);
	return n;
}

static inline void news_add(news_server *n, guint64 number, gint64 date,
			    const char *text)
{
	struct news_article a = {number, date, g_strdup(text)};

	g_array_append_val(n->articles, a);
}

/* So many, numbered from `first`, dated a day apart from 1970 on. */
static inline void news_add_many(news_server *n, guint64 first, guint count)
{
	for (guint i = 0; i < count; i++) {
		g_autofree char *text =
			g_strdup_printf("Subject: m%" G_GUINT64_FORMAT
					"\r\n\r\n..dot\r\nb\r\n",
					first + i);

		news_add(n, first + i, (gint64)(i + 1) * 86400, text);
	}
}

/* Serve what there is now, until news_pause(). */
static inline void news_go(news_server *n)
{
	n->connections = n->asked = 0;
	g_cancellable_reset(n->stop);
	n->thread = g_thread_new("news", news_thread, n);
}

static inline void news_pause(news_server *n)
{
	g_cancellable_cancel(n->stop);
	g_thread_join(g_steal_pointer(&n->thread));
}

static inline void news_stop(news_server *n)
{
	if (n->thread)
		news_pause(n);
	g_object_unref(n->listener);
	g_object_unref(n->stop);
	g_array_unref(n->articles);
	g_free(n);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC(news_server, news_stop)

#endif
