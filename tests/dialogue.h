/* dialogue.h - a server on loopback that plays a script, in a thread
 *
 *	static const struct dialogue_step script[] = {
 *		{.say = "200 hello\r\n"},
 *		{.hear = "QUIT\r\n", .say = "205 bye\r\n", .end = DIALOGUE_CUT},
 *		{.end = DIALOGUE_OVER},
 *	};
 *	dialogue *d = dialogue_start(script, NULL);
 *	... connect to 127.0.0.1, dialogue_port(d) ...
 *	dialogue_stop(d);
 *
 * Never waits for anything but what is told here, so a test that goes wrong
 * ends: dialogue_stop() ends every wait of it. After the last step it listens
 * until the client hangs up. */
#ifndef TESTS_DIALOGUE_H
#define TESTS_DIALOGUE_H

#include <gio/gio.h>
#include <string.h>
#include <sys/socket.h>

#include "bot/endpoint.h"

#include "tests/folder.h"

enum dialogue_end {
	DIALOGUE_ON,	/* the next step follows on this connection */
	DIALOGUE_CUT,	/* hang up in the orderly way; the next step is for
			 * another connection */
	DIALOGUE_RESET, /* the same with a reset, what is unsent thrown away */
	DIALOGUE_OVER,	/* the last of a script: no step, has only this field */
};

struct dialogue_step {
	const char *hear; /* first wait until this came; NULL: wait for nothing.
			   * Bytes are heard once: the next step looks behind */
	gboolean hold;	  /* then wait for one dialogue_release() */
	const char *say;  /* then say this, NULL: nothing */
	gsize len;	  /* of `say`; 0: strlen() */
	guint times;	  /* say it so often; 0: once */
	guint drip;	  /* milliseconds between two bytes of it */
	enum dialogue_end end;
};

struct dialogue_options {
	/* With TLS, as the certificate of this name in `certs`: "good",
	 * "expired", "wronghost", "selfsigned", "alien" (unknown CA). A child
	 * of python3 speaks it; what is heard here is what came inside. */
	const char *tls, *certs;
	const char *tls_version; /* at most: "1.1"; NULL: any */
	gboolean repeat;	 /* the script again for each connection */
	/* After so many bytes said on a connection it is cut (or what `fault`
	 * says); with DIALOGUE_AT_ONCE before the first one. 0: never. */
	gint64 cut;
	enum dialogue_end fault; /* 0 here: stay silent and connected */
	guint faults;		 /* connections hurt; 0: all */
};
#define DIALOGUE_AT_ONCE (-1)

typedef struct dialogue {
	const struct dialogue_step *steps;
	struct dialogue_options how;
	GSocket *listener;
	GSubprocess *front; /* speaks TLS, passes on what is inside */
	guint port;
	GThread *thread;
	GCancellable *stop;
	GMutex lock;
	GCond change;
	/* under lock */
	GByteArray *heard; /* of all connections */
	guint connections, over, released, step;
} dialogue;

/* ---- the server's thread */

struct dialogue_line {
	dialogue *d;
	GSocket *s;
	gsize taken; /* bytes of `heard` that a step has waited for */
	gint64 said;
	gboolean hurt; /* the fault is for this connection */
};

/* FALSE: the client is gone. */
static inline gboolean dialogue_listen(struct dialogue_line *l)
{
	char buf[16384];
	gssize n = g_socket_receive(l->s, buf, sizeof(buf), l->d->stop, NULL);

	if (n <= 0)
		return FALSE;
	g_mutex_lock(&l->d->lock);
	g_byte_array_append(l->d->heard, (guint8 *)buf, (guint)n);
	g_cond_broadcast(&l->d->change);
	g_mutex_unlock(&l->d->lock);
	return TRUE;
}

static inline gboolean dialogue_hear(struct dialogue_line *l, const char *text)
{
	GByteArray *h = l->d->heard; /* written by this thread only */
	gsize len = strlen(text);
	guint8 *at;

	do {
		at = h->len > l->taken ? memmem(h->data + l->taken,
						h->len - l->taken, text, len)
				       : NULL;
		if (at) {
			l->taken = (gsize)(at - h->data) + len;
			return TRUE;
		}
	} while (dialogue_listen(l));
	return FALSE;
}

static inline gboolean dialogue_hold(dialogue *d)
{
	gboolean ok;

	g_mutex_lock(&d->lock);
	while (!d->released && !g_cancellable_is_cancelled(d->stop))
		g_cond_wait(&d->change, &d->lock);
	ok = d->released > 0;
	if (ok)
		d->released--;
	g_mutex_unlock(&d->lock);
	return ok;
}

static inline void dialogue_hang_up(struct dialogue_line *l,
				    enum dialogue_end how)
{
	struct linger at_once = {1, 0};

	if (how == DIALOGUE_RESET)
		setsockopt(g_socket_get_fd(l->s), SOL_SOCKET, SO_LINGER,
			   &at_once, sizeof(at_once));
	g_socket_close(l->s, NULL);
}

/* FALSE: this connection is over, by the fault or by the client. */
static inline gboolean dialogue_send(struct dialogue_line *l, const char *bytes,
				     gsize len)
{
	gint64 cut = MAX(l->d->how.cut, 0);
	gboolean last = l->hurt && l->said + (gint64)len >= cut;
	gsize much = last ? (gsize)(cut - l->said) : len;
	gssize n;

	for (gsize done = 0; done < much; done += (gsize)n) {
		n = g_socket_send(l->s, bytes + done, much - done, l->d->stop,
				  NULL);
		if (n <= 0)
			return FALSE;
	}
	l->said += (gint64)much;
	if (!last)
		return TRUE;
	if (l->d->how.fault)
		dialogue_hang_up(l, l->d->how.fault);
	return FALSE;
}

static inline gboolean dialogue_say(struct dialogue_line *l,
				    const struct dialogue_step *st)
{
	gsize len = !st->say ? 0 : st->len ? st->len : strlen(st->say);
	gboolean ok = TRUE;

	for (guint t = 0; ok && t < MAX(st->times, 1); t++) {
		if (!st->drip && len)
			ok = dialogue_send(l, st->say, len);
		for (gsize i = 0; st->drip && ok && i < len; i++) {
			ok = dialogue_send(l, st->say + i, 1) &&
			     !g_cancellable_is_cancelled(l->d->stop);
			g_usleep(st->drip * 1000);
		}
	}
	return ok;
}

/* The steps of one connection; where those of the next one begin. */
static inline const struct dialogue_step *
dialogue_serve(struct dialogue_line *l, const struct dialogue_step *st)
{
	gboolean ok =
		!(l->hurt && l->d->how.cut < 0) || dialogue_send(l, "", 0);

	for (; st->end != DIALOGUE_OVER; st++) {
		ok = ok && (!st->hear || dialogue_hear(l, st->hear)) &&
		     (!st->hold || dialogue_hold(l->d)) && dialogue_say(l, st);
		g_mutex_lock(&l->d->lock);
		l->d->step++;
		g_cond_broadcast(&l->d->change);
		g_mutex_unlock(&l->d->lock);
		if (st->end == DIALOGUE_ON)
			continue;
		if (ok)
			dialogue_hang_up(l, st->end);
		ok = FALSE;
		st++;
		break;
	}
	while (!g_socket_is_closed(l->s) && dialogue_listen(l))
		;
	return st;
}

static inline gpointer dialogue_thread(gpointer data)
{
	dialogue *d = data;
	const struct dialogue_step *st = d->steps;
	GSocket *s;

	while ((s = g_socket_accept(d->listener, d->stop, NULL))) {
		struct dialogue_line l = {d, s, d->heard->len, 0, FALSE};

		g_mutex_lock(&d->lock);
		d->connections++;
		l.hurt = d->how.cut &&
			 (!d->how.faults || d->connections <= d->how.faults);
		g_cond_broadcast(&d->change);
		g_mutex_unlock(&d->lock);
		st = dialogue_serve(&l, d->how.repeat ? d->steps : st);
		g_object_unref(s);
		g_mutex_lock(&d->lock);
		d->over++;
		g_cond_broadcast(&d->change);
		g_mutex_unlock(&d->lock);
	}
	return NULL;
}

/* ---- starting and ending */

static inline GSocket *dialogue_socket(guint *port)
{
	g_autoptr(GInetAddress) ip =
		g_inet_address_new_loopback(G_SOCKET_FAMILY_IPV4);
	g_autoptr(GSocketAddress) want = g_inet_socket_address_new(ip, 0);
	g_autoptr(GSocketAddress) got = NULL;
	GSocket *s = g_socket_new(G_SOCKET_FAMILY_IPV4, G_SOCKET_TYPE_STREAM,
				  G_SOCKET_PROTOCOL_TCP, NULL);

	ck_assert(s && g_socket_bind(s, want, TRUE, NULL) &&
		  g_socket_listen(s, NULL));
	got = g_socket_get_local_address(s, NULL);
	*port = g_inet_socket_address_get_port(G_INET_SOCKET_ADDRESS(got));
	return s;
}

/* tests/tls_front.py ends when its standard input does: with this process. */
static inline void dialogue_front(dialogue *d)
{
	g_autofree char *to = g_strdup_printf("%u", d->port);
	g_autofree char *pem =
		g_strdup_printf("%s/%s.pem", d->how.certs, d->how.tls);
	const char *args[] = {"python3", "tests/tls_front.py", to,
			      pem,	 d->how.tls_version,   NULL};
	g_autoptr(GDataInputStream) out = NULL;
	g_autofree char *line = NULL;

	d->front = g_subprocess_newv(args,
				     G_SUBPROCESS_FLAGS_STDIN_PIPE |
					     G_SUBPROCESS_FLAGS_STDOUT_PIPE,
				     NULL);
	ck_assert_msg(d->front != NULL, "python3 is missing");
	out = g_data_input_stream_new(g_subprocess_get_stdout_pipe(d->front));
	line = g_data_input_stream_read_line(out, NULL, NULL, NULL);
	ck_assert_msg(line != NULL, "tests/tls_front.py did not start");
	d->port = (guint)g_ascii_strtoull(line, NULL, 10);
}

/* `steps` must stay; `how` may be NULL. Listening when this returns. */
static inline dialogue *dialogue_start(const struct dialogue_step *steps,
				       const struct dialogue_options *how)
{
	dialogue *d = g_new0(dialogue, 1);

	d->steps = steps;
	if (how)
		d->how = *how;
	g_mutex_init(&d->lock);
	g_cond_init(&d->change);
	d->stop = g_cancellable_new();
	d->heard = g_byte_array_new();
	d->listener = dialogue_socket(&d->port);
	d->thread = g_thread_new("dialogue", dialogue_thread, d);
	if (d->how.tls)
		dialogue_front(d);
	return d;
}

static inline void dialogue_end_front(dialogue *d)
{
	if (!d->front)
		return;
	g_output_stream_close(g_subprocess_get_stdin_pipe(d->front), NULL,
			      NULL);
	g_subprocess_wait(d->front, NULL, NULL);
	g_clear_object(&d->front);
}

static inline void dialogue_stop(dialogue *d)
{
	g_cancellable_cancel(d->stop);
	g_mutex_lock(&d->lock);
	g_cond_broadcast(&d->change);
	g_mutex_unlock(&d->lock);
	g_thread_join(d->thread);
	dialogue_end_front(d);
	g_object_unref(d->listener);
	g_object_unref(d->stop);
	g_byte_array_unref(d->heard);
	g_mutex_clear(&d->lock);
	g_cond_clear(&d->change);
	g_free(d);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC(dialogue, dialogue_stop)

/* ---- what a test asks of it */

static inline guint dialogue_port(const dialogue *d)
{
	return d->port;
}

/* As endpoint_parse() would give it; "localhost" is in the good certificate,
 * whose CA is trusted. */
static inline struct endpoint *
dialogue_endpoint(const dialogue *d, const char *protocol, guint timeout)
{
	struct endpoint *e = g_new0(struct endpoint, 1);

	e->plain = !d->how.tls;
	e->scheme = g_strconcat(protocol, e->plain ? "" : "s", NULL);
	e->host = g_strdup(e->plain ? "127.0.0.1" : "localhost");
	e->port = d->port;
	e->timeout = timeout;
	if (d->how.tls)
		e->ca_file = g_strconcat(d->how.certs, "/ca.crt", NULL);
	return e;
}

/* All bytes that came so far; you own the text, NULs in it are "\1". */
static inline char *dialogue_heard(dialogue *d)
{
	char *text;

	g_mutex_lock(&d->lock);
	text = g_strndup("", d->heard->len);
	for (guint i = 0; i < d->heard->len; i++)
		text[i] = (char)(d->heard->data[i] ? d->heard->data[i] : 1);
	g_mutex_unlock(&d->lock);
	return text;
}

/* Until the server has heard `text` (NULL: has a connection). */
static inline void dialogue_await(dialogue *d, const char *text)
{
	g_mutex_lock(&d->lock);
	while (text ? !d->heard->len || !memmem(d->heard->data, d->heard->len,
						text, strlen(text))
		    : !d->connections)
		g_cond_wait(&d->change, &d->lock);
	g_mutex_unlock(&d->lock);
}

/* Until so many steps are done. */
static inline void dialogue_await_step(dialogue *d, guint steps)
{
	g_mutex_lock(&d->lock);
	while (d->step < steps)
		g_cond_wait(&d->change, &d->lock);
	g_mutex_unlock(&d->lock);
}

/* Until all that clients have sent is heard; they have hung up. */
static inline void dialogue_await_over(dialogue *d)
{
	dialogue_end_front(d);
	g_mutex_lock(&d->lock);
	while (d->over < d->connections)
		g_cond_wait(&d->change, &d->lock);
	g_mutex_unlock(&d->lock);
}

/* Let one step that holds go on, now or when it comes. */
static inline void dialogue_release(dialogue *d)
{
	g_mutex_lock(&d->lock);
	d->released++;
	g_cond_broadcast(&d->change);
	g_mutex_unlock(&d->lock);
}

static inline guint dialogue_connections(dialogue *d)
{
	guint n;

	g_mutex_lock(&d->lock);
	n = d->connections;
	g_mutex_unlock(&d->lock);
	return n;
}

/* Certificates for the `tls` option, below `folder`, which you own. */
static inline char *dialogue_certs(const char *folder)
{
	char *certs = g_build_filename(folder, "certs", NULL);
	const char *args[] = {"sh", "tests/certs.sh", certs, NULL};
	int status = -1;

	ck_assert(g_spawn_sync(NULL, (char **)args, NULL, G_SPAWN_SEARCH_PATH,
			       NULL, NULL, NULL, NULL, &status, NULL));
	ck_assert_msg(status == 0, "tests/certs.sh failed");
	return certs;
}

#endif
