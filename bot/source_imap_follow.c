/* source_imap_follow.c - hearing of new mail as it comes
 * The first IMAP_SEATS mailboxes have a connection each, in IDLE, all watched
 * by one thread; further ones are looked at every poll. Without IDLE all are.
 * Errors end it: whoever called begins anew. */
#include "bot/source_imap_priv.h"

#define IMAP_SEATS   8		      /* connections at once */
#define IDLE_SECONDS (9 * 60)	      /* networks forget silent connections */
#define MAX_LOOKS    100	      /* in a row at what goes on changing */
#define NEVER	     (G_MAXINT64 / 2) /* microseconds */

/* A mailbox with a connection of its own. */
struct seat {
	imap_session *s;
	struct imap_reader rd;
	gint64 due;	  /* to be looked at, whatever is heard */
	gboolean refused; /* IDLE was */
};

struct follower {
	const struct remote *r;
	struct source_context *ctx;
	GPtrArray *seats; /* of struct seat */
	GPtrArray *names;
	gint64 rest_due, names_due;
};

static void seat_free(gpointer data)
{
	struct seat *seat = data;

	imap_reader_clear(&seat->rd);
	imap_session_close(seat->s);
	g_free(seat);
}

static gint64 in_seconds(guint seconds)
{
	return g_get_monotonic_time() + (gint64)seconds * G_USEC_PER_SEC;
}

/* ---- one seat */

/* All that is new, for good. */
static gboolean look(struct seat *seat, GError **err)
{
	struct imap_reader *rd = &seat->rd;

	for (guint i = 0; i < MAX_LOOKS; i++) {
		if (!imap_reader_take(rd, err))
			return FALSE;
		if (!imap_session_has_news(seat->s))
			break;
	}
	if (!rd->said || !rd->ctx->keep)
		return TRUE;
	rd->said = FALSE;
	return rd->ctx->keep(rd->ctx->data, err);
}

static gboolean listen_in(struct seat *seat, guint poll, GError **err)
{
	g_autoptr(GError) no = NULL;

	seat->due = in_seconds(poll);
	if (seat->refused || !imap_session_can(seat->s, "IDLE"))
		return TRUE;
	if (!imap_session_idle_begin(seat->s, &no)) {
		seat->refused =
			g_error_matches(no, NET_ERROR, NET_ERROR_REFUSED);
		if (seat->refused)
			return TRUE;
		g_propagate_error(err, g_steal_pointer(&no));
		return FALSE;
	}
	/* what came with the answer is not on the socket any more */
	if (!imap_session_hear(seat->s, err))
		return FALSE;
	if (imap_session_is_idle(seat->s))
		seat->due = in_seconds(IDLE_SECONDS);
	return TRUE;
}

/* What came between looking and listening is not overheard. */
static gboolean look_and_listen(struct seat *seat, guint poll, GError **err)
{
	for (guint i = 0; i < MAX_LOOKS; i++) {
		if (!imap_session_idle_end(seat->s, err) || !look(seat, err) ||
		    !listen_in(seat, poll, err))
			return FALSE;
		if (!imap_session_has_news(seat->s))
			break;
	}
	return TRUE;
}

/* Something was heard, or it is time to look. */
static gboolean serve(struct seat *seat, guint poll, GError **err)
{
	gboolean due = g_get_monotonic_time() >= seat->due;
	gboolean idle = imap_session_is_idle(seat->s);

	if (!imap_session_hear(seat->s, err))
		return FALSE;
	if (due && !idle && !imap_session_noop(seat->s, err))
		return FALSE;
	/* a server may end IDLE when it likes */
	if (due || imap_session_has_news(seat->s) ||
	    (idle && !imap_session_is_idle(seat->s)))
		return look_and_listen(seat, poll, err);
	return TRUE;
}

/* Takes the session. One mailbox that can't be opened keeps none of the others
 * back. */
static gboolean sit_down(struct follower *f, imap_session *s, const char *name,
			 GError **err)
{
	struct seat *seat = g_new0(struct seat, 1);
	g_autoptr(GError) why = NULL;

	seat->s = s;
	g_ptr_array_add(f->seats, seat);
	if (imap_reader_open(&seat->rd, f->r, f->ctx, s, name, &why))
		return look_and_listen(seat, f->r->poll, err);
	if (f->names->len == 1 ||
	    !g_error_matches(why, NET_ERROR, NET_ERROR_REFUSED)) {
		g_propagate_error(err, g_steal_pointer(&why));
		return FALSE;
	}
	if (!imap_reader_refused(&seat->rd, why, err))
		return FALSE;
	g_ptr_array_remove_index(f->names, f->seats->len - 1);
	g_ptr_array_remove_index(f->seats, f->seats->len - 1);
	return TRUE;
}

/* ---- all of them */

static gboolean fill_seats(struct follower *f, GError **err)
{
	while (f->seats->len < MIN(f->names->len, IMAP_SEATS)) {
		const char *name = f->names->pdata[f->seats->len];
		imap_session *s = imap_session_open(f->r, f->ctx->cancel, err);

		if (!s || !sit_down(f, s, name, err))
			return FALSE;
	}
	return TRUE;
}

/* Mailboxes that have come since; where names are read from stays. */
static gboolean refresh_names(struct follower *f, imap_session *s, GError **err)
{
	g_autoptr(GPtrArray) now = imap_names(s, f->r, err);

	if (!now)
		return FALSE;
	for (guint i = 0; i < now->len; i++)
		if (!g_ptr_array_find_with_equal_func(f->names, now->pdata[i],
						      g_str_equal, NULL))
			g_ptr_array_add(f->names, g_strdup(now->pdata[i]));
	f->names_due =
		imap_names_can_grow(s, f->r) ? in_seconds(IDLE_SECONDS) : NEVER;
	return TRUE;
}

static gboolean find_names(struct follower *f, GError **err)
{
	g_autoptr(imap_session) s =
		imap_session_open(f->r, f->ctx->cancel, err);

	return s && refresh_names(f, s, err);
}

static gboolean read_rest(struct follower *f, GError **err)
{
	g_autoptr(imap_session) s = NULL;
	guint64 taken = 0;

	f->rest_due = NEVER;
	if (f->names->len <= IMAP_SEATS)
		return TRUE;
	f->rest_due = in_seconds(f->r->poll);
	s = imap_session_open(f->r, f->ctx->cancel, err);
	if (!s)
		return FALSE;
	if (!imap_read_names(s, f->r, f->ctx, f->names, IMAP_SEATS, &taken,
			     err))
		return FALSE;
	return !f->ctx->keep || f->ctx->keep(f->ctx->data, err);
}

static gint64 next_due(const struct follower *f)
{
	gint64 due = MIN(f->rest_due, f->names_due);

	for (guint i = 0; i < f->seats->len; i++) {
		const struct seat *seat = f->seats->pdata[i];

		due = MIN(due, seat->due);
	}
	return due;
}

/* Until one of the connections has something, the next look is due, or all
 * ends. What is decrypted but not read was heard before. */
static gboolean wait(struct follower *f, GError **err)
{
	GPollFD fds[IMAP_SEATS + 1];
	gint64 rest = next_due(f) - g_get_monotonic_time();
	gboolean watched;
	guint n = 0;

	for (guint i = 0; i < f->seats->len; i++) {
		struct seat *seat = f->seats->pdata[i];

		fds[n++] = (GPollFD){.fd = imap_session_fd(seat->s),
				     .events = G_IO_IN | G_IO_HUP | G_IO_ERR};
	}
	watched = g_cancellable_make_pollfd(f->ctx->cancel, &fds[n]);
	if (rest > 0)
		g_poll(fds, n + (watched ? 1 : 0),
		       (int)MIN(rest / 1000 + 1, G_MAXINT));
	if (watched)
		g_cancellable_release_fd(f->ctx->cancel);
	if (!g_cancellable_is_cancelled(f->ctx->cancel))
		return TRUE;
	g_set_error_literal(err, NET_ERROR, NET_ERROR_STOPPED, "interrupted");
	return FALSE;
}

static gboolean serve_all(struct follower *f, GError **err)
{
	gint64 now = g_get_monotonic_time();

	for (guint i = 0; i < f->seats->len; i++)
		if (!serve(f->seats->pdata[i], f->r->poll, err))
			return FALSE;
	if (now >= f->names_due && (!find_names(f, err) || !fill_seats(f, err)))
		return FALSE;
	return now < f->rest_due || read_rest(f, err);
}

static gboolean run(struct follower *f, GError **err)
{
	if (!find_names(f, err) || !fill_seats(f, err) || !read_rest(f, err))
		return FALSE;
	while (wait(f, err))
		if (!serve_all(f, err))
			return FALSE;
	return FALSE;
}

gboolean imap_follow(const struct remote *r, struct source_context *ctx,
		     GError **err)
{
	struct follower f = {
		.r = r,
		.ctx = ctx,
		.seats = g_ptr_array_new_with_free_func(seat_free),
		.names = g_ptr_array_new_with_free_func(g_free),
	};
	gboolean ok = run(&f, err);

	g_ptr_array_unref(f.seats);
	g_ptr_array_unref(f.names);
	return ok;
}
