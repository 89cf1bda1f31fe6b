/* web_inbox.h - what a public-inbox's web server says, for dialogue.h */
#ifndef TESTS_BOT_WEB_INBOX_H
#define TESTS_BOT_WEB_INBOX_H

#include "bot/remote.h"

#include "tests/bot/heard.h"
#include "tests/dialogue.h"

/* A script that grows; kept until the test's process ends. */
struct web {
	struct dialogue_step steps[200];
	guint n;
};

/* An answer to a request that contains `hear`. Lent bytes. */
static inline void web_raw(struct web *w, const char *hear, const char *say,
			   gsize len)
{
	ck_assert_uint_lt(w->n, 196);
	w->steps[w->n++] = (struct dialogue_step){.hear = hear};
	w->steps[w->n++] = (struct dialogue_step){.hear = "\r\n\r\n",
						  .say = say,
						  .len = len,
						  .end = DIALOGUE_CUT};
	w->steps[w->n].end = DIALOGUE_OVER;
}

static inline void web_answer(struct web *w, const char *hear,
			      const char *status, const char *fields,
			      const char *text, gsize len)
{
	GString *out = g_string_new("HTTP/1.1 ");

	g_string_append_printf(out,
			       "%s\r\n%sConnection: close\r\n"
			       "Content-Length: %" G_GSIZE_FORMAT "\r\n\r\n",
			       status, fields, len);
	g_string_append_len(out, text, (gssize)len);
	len = out->len;
	web_raw(w, hear, g_string_free(out, FALSE), len);
}

static inline void web_status(struct web *w, const char *hear,
			      const char *status, const char *fields)
{
	web_answer(w, hear, status, fields, "no\n", 3);
}

/* new.atom with entries of these subjects, parted by blanks, newest first; of
 * that time. */
static inline void web_feed(struct web *w, const char *subjects,
			    const char *date, const char *fields)
{
	g_auto(GStrv) words = g_strsplit(subjects, " ", -1);
	GString *text = g_string_new(
		"<?xml version=\"1.0\"?>\n<feed\nxmlns=\"x\"><title>a &lt;b&gt;"
		"</title><link\nhref=\"http://other.example.org/list/\"/>"
		"<updated>2031-01-01T00:00:00Z</updated>");

	for (guint i = 0; words[i]; i++)
		g_string_append_printf(
			text,
			"<entry><title>t</title><updated>%s</updated><link\n"
			"href=\"http://other.example.org/list/%s%%40x/\"/>"
			"<content><div><updated>2032-01-01T00:00:00Z</updated>"
			"<link href=\"y\"/></div></content></entry>",
			date, words[i]);
	g_string_append(text, "</feed>\n");
	web_answer(w, "GET /list/new.atom ", "200 OK", fields, text->str,
		   text->len);
	g_string_free(text, TRUE);
}

static inline char *web_gzip(const char *text, gsize *len)
{
	g_autoptr(GZlibCompressor) z =
		g_zlib_compressor_new(G_ZLIB_COMPRESSOR_FORMAT_GZIP, 6);
	gsize room = strlen(text) + 1000, in;
	char *out = g_malloc(room);

	ck_assert_int_eq(g_converter_convert(G_CONVERTER(z), text, strlen(text),
					     out, room,
					     G_CONVERTER_INPUT_AT_END, &in, len,
					     NULL),
			 G_CONVERTER_FINISHED);
	return out;
}

/* The mails of these subjects, parted by blanks, as a packed mbox. */
static inline char *web_mbox(const char *subjects, gsize *len)
{
	g_auto(GStrv) words = g_strsplit(subjects, " ", -1);
	GString *all = g_string_new(NULL);
	char *out;

	for (guint i = 0; words[i]; i++) {
		g_autofree char *text = heard_text(words[i]);

		g_string_append_printf(all,
				       "From mboxrd@z Thu Jan  1 00:00:00 "
				       "1970\n%s\n",
				       text);
	}
	out = web_gzip(all->str, len);
	g_string_free(all, TRUE);
	return out;
}

static inline void web_mails(struct web *w, const char *hear,
			     const char *subjects)
{
	gsize len;
	g_autofree char *text = web_mbox(subjects, &len);

	web_answer(w, hear, "200 OK", "Content-Type: application/gzip\r\n",
		   text, len);
}

/* The page of one of them, as it was sent. */
static inline void web_page(struct web *w, const char *subject)
{
	g_autofree char *hear =
		g_strdup_printf("GET /list/%s%%40x/raw ", subject);
	g_autofree char *mail = heard_text(subject);
	g_autofree char *text =
		g_strconcat("From mboxrd@z Thu Jan  1 00:00:00 1970\n", mail,
			    NULL);

	web_answer(w, g_intern_string(hear), "200 OK",
		   "Content-Type: text/plain; charset=UTF-8\r\n", text,
		   strlen(text));
}

/* What threads lack, for ctx->wanted. */
static const char *web_wanted; /* parted by blanks; NULL: nothing */

static inline GPtrArray *web_wants(const char *place, guint max, void *data)
{
	g_auto(GStrv) words = g_strsplit(web_wanted ? web_wanted : "", " ", -1);
	GPtrArray *out = g_ptr_array_new_with_free_func(g_free);

	ck_assert(g_str_has_suffix(place, "/list/"));
	for (guint i = 0; words[i] && *words[i] && i < max; i++)
		g_ptr_array_add(out, g_strdup(words[i]));
	return out;
}

/* Read a source of that type whose URL is `d`/list. The log, with the server's
 * address as "URL"; you own it. */
static inline char *web_read(struct heard *h, const dialogue *d,
			     struct remote r, GCancellable *cancel)
{
	g_autofree char *base = g_strdup_printf("http://127.0.0.1:%u", d->port);
	g_autofree char *url = g_strconcat(base, "/list", NULL);
	struct source_context ctx = {.sink = heard_event,
				     .cursor_of = heard_cursor,
				     .oids_of = heard_oids,
				     .git = h->git,
				     .wanted = web_wants,
				     .cancel = cancel,
				     .data = h};
	g_autoptr(GError) err = NULL;
	g_auto(GStrv) parts = NULL;

	r.name = (char *)"test";
	r.url = r.url ? r.url : url;
	r.timeout = r.timeout ? r.timeout : 20;
	r.max_bytes = r.max_bytes ? r.max_bytes : 1000000;
	g_string_truncate(h->log, 0);
	h->mails = h->cursors = 0;
	if (!r.ops->read(&r, &ctx, &err))
		g_string_append_printf(h->log, "error %s: %s\n",
				       source_error_code(err), err->message);
	parts = g_strsplit(h->log->str, base, -1);
	return g_strjoinv("URL", parts);
}

#endif
