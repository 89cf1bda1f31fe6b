/* send_smtp.c - mail to a submission server, through libcurl
 * curl says only how a whole transfer ended, so every reply is read here as it
 * comes, and the reply codes decide. The connection is greeted before the mail
 * is made, since what the server offers decides how; it is kept for the next
 * mail. No command is ever logged: one of them has the password. */
#include <string.h>

#include "bot/net.h"
#include "bot/net_curl.h"
#include "bot/secret.h"
#include "bot/send.h"

#define CONNECT_SECONDS 30
#define MAX_REPLY	1000 /* bytes of one that are kept */

#if LIBCURL_VERSION_NUM >= 0x080200
#define RCPT_ALLOWFAILS CURLOPT_MAIL_RCPT_ALLOWFAILS
#else
#define RCPT_ALLOWFAILS CURLOPT_MAIL_RCPT_ALLLOWFAILS
#endif

/* What the server was asked last. */
enum asked { ASKED_OTHER, ASKED_MAIL, ASKED_RCPT, ASKED_DATA, ASKED_BODY };

struct answer {
	guint code; /* 0: none came */
	char *text;
};

struct line {
	struct net_curl curl;
	gboolean eight_bit; /* it said so */

	enum asked asked;
	GArray *rcpts; /* of struct answer, in the order they were asked */
	struct answer mail, data, end, last;
	GString *reply; /* of several lines */

	const char *bytes; /* what is sent */
	gsize len, at;
};

static void answer_clear(void *data)
{
	struct answer *a = data;

	g_clear_pointer(&a->text, g_free);
	a->code = 0;
}

static void answer_set(struct answer *a, guint code, const char *text)
{
	answer_clear(a);
	a->code = code;
	a->text = g_strdup(text);
}

static void forget(struct line *l)
{
	l->asked = ASKED_OTHER;
	g_array_set_size(l->rcpts, 0);
	answer_clear(&l->mail);
	answer_clear(&l->data);
	answer_clear(&l->end);
	answer_clear(&l->last);
	g_string_truncate(l->reply, 0);
}

/* ---- what goes over the line */

static gboolean begins(const char *data, gsize len, const char *word)
{
	return len >= strlen(word) && !memcmp(data, word, strlen(word));
}

static int on_trace(CURL *easy, curl_infotype type, char *data, size_t len,
		    void *user)
{
	struct line *l = user;
	struct answer none = {0};

	(void)easy;
	if (type != CURLINFO_HEADER_OUT)
		return 0;
	if (begins(data, len, "MAIL FROM:")) {
		l->asked = ASKED_MAIL;
	} else if (begins(data, len, "RCPT TO:")) {
		l->asked = ASKED_RCPT;
		g_array_append_val(l->rcpts, none);
	} else if (begins(data, len, "DATA")) {
		l->asked = ASKED_DATA;
	} else {
		if (begins(data, len, "EHLO"))
			l->eight_bit = FALSE;
		l->asked = ASKED_OTHER;
	}
	return 0;
}

static void take_reply(struct line *l, guint code)
{
	const char *text = l->reply->str;

	answer_set(&l->last, code, text);
	switch (l->asked) {
	case ASKED_MAIL:
		answer_set(&l->mail, code, text);
		break;
	case ASKED_RCPT:
		answer_set(&g_array_index(l->rcpts, struct answer,
					  l->rcpts->len - 1),
			   code, text);
		break;
	case ASKED_DATA:
		answer_set(&l->data, code, text);
		if (code == 354)
			l->asked = ASKED_BODY;
		break;
	case ASKED_BODY:
		answer_set(&l->end, code, text);
		break;
	default:
		break;
	}
	g_string_truncate(l->reply, 0);
}

static size_t on_reply(char *data, size_t size, size_t n, void *user)
{
	struct line *l = user;
	gsize len = size * n, text = len;
	guint code;

	while (text && (data[text - 1] == '\n' || data[text - 1] == '\r'))
		text--;
	if (text < 3 || !g_ascii_isdigit(data[0]) ||
	    !g_ascii_isdigit(data[1]) || !g_ascii_isdigit(data[2]))
		return len;
	code = (guint)(data[0] - '0') * 100 + (guint)(data[1] - '0') * 10 +
	       (guint)(data[2] - '0');
	if (text == 12 && code == 250 &&
	    !g_ascii_strncasecmp(data + 4, "8BITMIME", 8))
		l->eight_bit = TRUE;
	if (l->reply->len < MAX_REPLY && text > 4) {
		if (l->reply->len)
			g_string_append_c(l->reply, ' ');
		g_string_append_len(l->reply, data + 4, (gssize)text - 4);
	}
	if (text == 3 || data[3] != '-')
		take_reply(l, code);
	return len;
}

static size_t on_read(char *to, size_t size, size_t n, void *user)
{
	struct line *l = user;
	gsize most = MIN(size * n, l->len - l->at);

	memcpy(to, l->bytes + l->at, most);
	l->at += most;
	return most;
}

/* ---- the connection */

void send_smtp_close(void *line)
{
	struct line *l = line;

	if (!l)
		return;
	forget(l);
	net_curl_clear(&l->curl);
	g_array_unref(l->rcpts);
	g_string_free(l->reply, TRUE);
	g_free(l);
}

static gboolean set_login(struct line *l, const struct send_settings *s,
			  GCancellable *cancel, GError **err)
{
	g_autoptr(secret) word = NULL;
	CURL *easy = l->curl.easy;

	if (!s->user)
		return TRUE;
	word = secret_load(s->password_file, s->password_command, cancel, err);
	if (!word)
		return FALSE;
	curl_easy_setopt(easy, CURLOPT_USERNAME, s->user);
	curl_easy_setopt(easy, CURLOPT_LOGIN_OPTIONS,
			 s->xoauth2 ? "AUTH=XOAUTH2" : "AUTH=PLAIN;AUTH=LOGIN");
	curl_easy_setopt(easy,
			 s->xoauth2 ? CURLOPT_XOAUTH2_BEARER : CURLOPT_PASSWORD,
			 secret_text(word));
	return TRUE;
}

static void set_place(struct line *l, const struct send_settings *s)
{
	const struct endpoint *e = s->server;
	gboolean v6 = strchr(e->host, ':') != NULL;
	g_autofree char *url =
		g_strdup_printf("%s://%s%s%s:%u/%s",
				s->implicit_tls ? "smtps" : "smtp",
				v6 ? "[" : "", e->host, v6 ? "]" : "", e->port,
				s->hello);
	CURL *easy = l->curl.easy;

	curl_easy_setopt(easy, CURLOPT_URL, url);
	curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "smtp,smtps");
	curl_easy_setopt(easy, CURLOPT_USE_SSL,
			 (long)(e->plain ? CURLUSESSL_NONE : CURLUSESSL_ALL));
	curl_easy_setopt(easy, CURLOPT_VERBOSE, 1L);
	curl_easy_setopt(easy, CURLOPT_DEBUGFUNCTION, on_trace);
	curl_easy_setopt(easy, CURLOPT_DEBUGDATA, l);
	curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, on_reply);
	curl_easy_setopt(easy, CURLOPT_HEADERDATA, l);
	curl_easy_setopt(easy, CURLOPT_READFUNCTION, on_read);
	curl_easy_setopt(easy, CURLOPT_READDATA, l);
	curl_easy_setopt(easy, RCPT_ALLOWFAILS, 1L);
}

static struct line *line_of(sender *x, GError **err)
{
	struct line *l = x->line;

	if (l)
		return l;
	l = x->line = g_new0(struct line, 1);
	l->rcpts = g_array_new(FALSE, FALSE, sizeof(struct answer));
	g_array_set_clear_func(l->rcpts, answer_clear);
	l->reply = g_string_new(NULL);
	net_curl_init(&l->curl, x->s->server->ca_file, NULL, CONNECT_SECONDS,
		      x->cancel);
	set_place(l, x->s);
	if (set_login(l, x->s, x->cancel, err))
		return l;
	send_smtp_close(l);
	x->line = NULL;
	return NULL;
}

/* FALSE: cancelled or too late. */
static gboolean perform(struct line *l, CURLcode *code)
{
	gint64 until =
		g_get_monotonic_time() + (gint64)SEND_SECONDS * G_USEC_PER_SEC;
	gboolean done;

	done = net_curl_perform(&l->curl, until, code);
	curl_multi_remove_handle(l->curl.multi, l->curl.easy);
	return done;
}

/* Connected, TLS, logged in: or nothing of the mail was said. */
static gboolean greet(sender *x, struct line *l, GError **err)
{
	const char *host = x->s->server->host;
	CURLcode code;

	forget(l);
	curl_easy_setopt(l->curl.easy, CURLOPT_UPLOAD, 0L);
	curl_easy_setopt(l->curl.easy, CURLOPT_NOBODY, 1L);
	curl_easy_setopt(l->curl.easy, CURLOPT_CUSTOMREQUEST, "NOOP");
	curl_easy_setopt(l->curl.easy, CURLOPT_MAIL_RCPT, NULL);
	if (!perform(l, &code)) {
		net_curl_fail_wait(&l->curl, host, err);
		return FALSE;
	}
	if (code == CURLE_OK)
		return TRUE;
	if (l->last.code >= 400)
		g_set_error(err, NET_ERROR, NET_ERROR_REFUSED, "%s: %u %s",
			    host, l->last.code, l->last.text);
	else
		net_curl_fail(&l->curl, host, code, err);
	return FALSE;
}

gboolean send_smtp_probe(const struct send_settings *s, GError **err)
{
	sender x = {.s = s};
	struct line *l = line_of(&x, err);
	gboolean ok = l && greet(&x, l, err);

	sender_clear(&x);
	return ok;
}

/* ---- one mail */

static enum outbox_told told_by(guint code)
{
	if (code / 100 == 2)
		return OUTBOX_OK;
	return code / 100 == 5 ? OUTBOX_PERM : OUTBOX_TEMP;
}

/* "550 5.7.1 ...": not who or where, but what. */
static gboolean is_content(const struct answer *a)
{
	return (a->code == 554 || a->code == 550) && a->text &&
	       g_str_has_prefix(a->text, "5.7.");
}

/* What decides for those whom the server would have taken. NULL: nothing was
 * said any more. */
static const struct answer *verdict(const struct line *l)
{
	if (l->mail.code && l->mail.code / 100 != 2)
		return &l->mail;
	if (l->data.code && l->data.code != 354)
		return &l->data;
	return l->data.code == 354 && l->end.code ? &l->end : NULL;
}

static void tell_one(const struct line *l, guint i, guint number,
		     const struct answer *end, gboolean unsure,
		     struct outbox_result *r)
{
	const struct answer *own =
		i < l->rcpts->len ? &g_array_index(l->rcpts, struct answer, i)
				  : NULL;

	if (own && own->code && own->code / 100 != 2)
		outbox_result_add(r, number, told_by(own->code), own->code,
				  own->text);
	else if (end)
		outbox_result_add(r, number, told_by(end->code), end->code,
				  end->text);
	else if (unsure)
		r->uncertain = TRUE;
	else {
		r->host = TRUE;
		outbox_result_add(r, number, OUTBOX_TEMP, 0,
				  "the line broke before it was sent");
	}
}

static void judge(const struct line *l, const struct send_job *job,
		  struct outbox_result *r)
{
	const struct answer *end = verdict(l);
	gboolean unsure = l->data.code == 354 && l->at == l->len;

	for (guint i = 0; i < job->rcpts->len; i++) {
		const struct outbox_rcpt *to = job->rcpts->pdata[i];

		tell_one(l, job->redirect ? 0 : i, to->number, end, unsure, r);
	}
	r->content = end && end != &l->mail && is_content(end);
	r->host |= l->last.code == 421 || l->mail.code / 100 == 4;
	if (r->uncertain)
		r->note = g_strdup_printf("the line broke behind the last dot: "
					  "%s",
					  *l->curl.why ? l->curl.why : "");
}

static struct curl_slist *recipients(const struct send_job *job)
{
	g_autoptr(GPtrArray) to = send_addresses(job);
	struct curl_slist *list = NULL;

	for (guint i = 0; to->pdata[i]; i++)
		list = curl_slist_append(list, to->pdata[i]);
	return list;
}

static void transfer(struct line *l, const struct send_job *job, GBytes *mail,
		     struct outbox_result *r)
{
	struct curl_slist *to = recipients(job);
	CURL *easy = l->curl.easy;
	CURLcode code;

	forget(l);
	l->bytes = g_bytes_get_data(mail, &l->len);
	l->at = 0;
	l->curl.why[0] = '\0';
	curl_easy_setopt(easy, CURLOPT_NOBODY, 0L);
	curl_easy_setopt(easy, CURLOPT_CUSTOMREQUEST, NULL);
	curl_easy_setopt(easy, CURLOPT_UPLOAD, 1L);
	curl_easy_setopt(easy, CURLOPT_INFILESIZE_LARGE, (curl_off_t)l->len);
	curl_easy_setopt(easy, CURLOPT_MAIL_FROM, job->sender);
	curl_easy_setopt(easy, CURLOPT_MAIL_RCPT, to);
	perform(l, &code);
	judge(l, job, r);
	curl_easy_setopt(easy, CURLOPT_MAIL_RCPT, NULL);
	curl_slist_free_all(to);
	l->bytes = NULL;
}

static void send_one(sender *x, const struct send_job *job,
		     struct outbox_result *r)
{
	g_autoptr(GError) err = NULL;
	g_autoptr(GBytes) mail = NULL;
	struct line *l = line_of(x, &err);

	if (!l || !greet(x, l, &err)) {
		r->host = TRUE;
		send_tell_all(job, r, OUTBOX_TEMP, l ? l->last.code : 0,
			      err->message);
		sender_clear(x);
		return;
	}
	mail = send_bytes(job, OUTGOING_WIRE, l->eight_bit, &err);
	if (!mail) {
		send_tell_all(job, r, OUTBOX_PERM, 0, err->message);
		return;
	}
	r->seven_bit = !l->eight_bit;
	transfer(l, job, mail, r);
	/* after trouble the next one begins afresh */
	if (r->uncertain || r->host)
		sender_clear(x);
}

const struct send_ops send_smtp = {.name = "smtp", .send = send_one};
