/* source_imap_box.c - one mailbox, handed over from where reading it ended
 * The position is "UIDVALIDITY UID", and a third number where mail is marked
 * or moved afterwards: the UID up to which that was done. */
#include <string.h>

#include "bot/source_imap_priv.h"
#include "bot/source_priv.h"

#define KIND	    "imap"
#define BATCH_BYTES (8 * 1024 * 1024) /* of bodies in one answer */

/* ---- where */

/* "imaps://user%40x@host:993/Lists/x" */
static char *make_place(const struct remote *r, const char *name)
{
	g_autofree char *server = endpoint_url(r->server);
	g_autofree char *box = g_uri_escape_string(name, "/", FALSE);
	g_autofree char *user =
		r->user ? g_uri_escape_string(r->user, NULL, FALSE) : NULL;
	const char *host = strstr(server, "://") + 3;

	return g_strdup_printf("%.*s%s%s%s/%s", (int)(host - server), server,
			       user ? user : "", user ? "@" : "", host, box);
}

static gboolean say_cursor(struct imap_reader *rd, GError **err)
{
	g_autofree char *cursor =
		rd->r->after == REMOTE_KEEP
			? g_strdup_printf("%u %u", rd->validity, rd->uid)
			: g_strdup_printf("%u %u %u", rd->validity, rd->uid,
					  rd->settled);

	rd->said = TRUE;
	return source_cursor(rd->ctx, KIND, rd->place, cursor, err);
}

static guint32 read_number(char **words, guint i, guint32 missing)
{
	guint64 n;

	if (i >= g_strv_length(words) ||
	    !g_ascii_string_to_unsigned(words[i], 10, 0, G_MAXUINT32, &n, NULL))
		return missing;
	return (guint32)n;
}

/* FALSE: there is none, or it is of a mailbox that is no more. */
static gboolean go_on(struct imap_reader *rd)
{
	g_autofree char *cursor = source_position(rd->ctx, KIND, rd->place);
	g_auto(GStrv) words = g_strsplit(cursor ? cursor : "", " ", 4);

	if (read_number(words, 0, 0) != rd->validity)
		return FALSE;
	rd->uid = read_number(words, 1, 0);
	/* what was taken in while it was to stay as it is does so */
	rd->settled = read_number(words, 2, rd->uid);
	return TRUE;
}

/* It can be opened: forget that it could not. */
static gboolean say_again(struct imap_reader *rd, GError **err)
{
	struct source_event ev = {.type = SOURCE_AGAIN,
				  .kind = KIND,
				  .place = rd->place};

	return source_say(rd->ctx, &ev, err);
}

static gboolean check_move(const struct imap_reader *rd, GError **err)
{
	if (rd->r->after != REMOTE_MOVE ||
	    g_strcmp0(rd->r->move_to, rd->name) != 0)
		return TRUE;
	g_set_error(err, NET_ERROR, NET_ERROR_REFUSED,
		    "mailbox \"%s\" is its own move-to", rd->name);
	return FALSE;
}

gboolean imap_reader_open(struct imap_reader *rd, const struct remote *r,
			  struct source_context *ctx, imap_session *s,
			  const char *name, GError **err)
{
	struct imap_box box = {0};

	*rd = (struct imap_reader){.r = r, .ctx = ctx, .s = s, .name = name};
	rd->place = make_place(r, name);
	if (!check_move(rd, err) ||
	    !imap_names_open(s, name, r->after != REMOTE_KEEP, &box, err))
		return FALSE;
	rd->validity = box.validity;
	if (go_on(rd))
		return say_again(rd, err);
	return source_afresh(ctx, KIND, rd->place, err) && say_cursor(rd, err);
}

gboolean imap_reader_refused(struct imap_reader *rd, const GError *why,
			     GError **err)
{
	GError *part = g_error_new_literal(SOURCE_ERROR, SOURCE_ERROR_OPEN,
					   why->message);

	return source_broken(rd->ctx, KIND, rd->place, &part, err);
}

void imap_reader_clear(struct imap_reader *rd)
{
	g_clear_pointer(&rd->place, g_free);
}

/* ---- marking and moving */

static gboolean settle(struct imap_reader *rd, GArray *uids, GError **err)
{
	gboolean ok =
		uids->len == 0 ||
		(rd->r->after == REMOTE_SEEN
			 ? imap_session_mark_seen(rd->s, uids, err)
			 : imap_session_move(rd->s, uids, rd->r->move_to, err));

	rd->settled = ok ? rd->uid : rd->settled;
	return ok && say_cursor(rd, err);
}

static gboolean keep(struct imap_reader *rd, GError **err)
{
	rd->said = FALSE;
	return rd->ctx->keep(rd->ctx->data, err);
}

static gboolean is_old(const struct imap_reader *rd, const struct imap_mail *m)
{
	return m->received > 0 && m->received < rd->r->since;
}

static gboolean is_large(const struct imap_reader *rd,
			 const struct imap_mail *m)
{
	return m->size > rd->r->max_bytes;
}

/* Of `mails`, those that were to be handed over. */
static void add_wanted(const struct imap_reader *rd, GArray *mails, GArray *out)
{
	for (guint i = 0; i < mails->len; i++) {
		const struct imap_mail *m =
			&g_array_index(mails, struct imap_mail, i);

		if (!is_old(rd, m) && !is_large(rd, m))
			g_array_append_val(out, m->uid);
	}
}

/* An earlier run was ended after it kept mail, before it marked it. */
static gboolean settle_rest(struct imap_reader *rd, GError **err)
{
	g_autoptr(GArray) uids = NULL;
	g_autoptr(GArray) wanted = g_array_new(FALSE, FALSE, sizeof(guint32));

	if (rd->r->after == REMOTE_KEEP || rd->settled >= rd->uid)
		return TRUE;
	uids = imap_session_search(rd->s, rd->settled + 1, rd->uid,
				   rd->r->since, err);
	for (guint i = 0; uids && i < uids->len; i += IMAP_MAX_SIZES) {
		g_autoptr(GArray) mails =
			imap_session_sizes(rd->s,
					   &g_array_index(uids, guint32, i),
					   MIN(IMAP_MAX_SIZES, uids->len - i),
					   err);

		if (!mails)
			return FALSE;
		add_wanted(rd, mails, wanted);
	}
	return uids && settle(rd, wanted, err);
}

/* ---- handing over */

static gboolean say_broken(struct imap_reader *rd, const struct imap_mail *m,
			   enum net_error code, const char *why, GError **err)
{
	GError *part = g_error_new(NET_ERROR, (int)code, "%s: message %u: %s",
				   rd->place, m->uid, why);

	return source_broken(rd->ctx, KIND, rd->place, &part, err);
}

static gboolean say_large(struct imap_reader *rd, const struct imap_mail *m,
			  GError **err)
{
	g_autofree char *size = g_format_size_full(m->size, 0);
	g_autofree char *why =
		g_strdup_printf("larger than max-size allows (%s)", size);

	return say_broken(rd, m, NET_ERROR_LIMIT, why, err);
}

static gboolean say_mail(struct imap_reader *rd, struct imap_mail *m,
			 GError **err)
{
	g_autoptr(GBytes) raw =
		g_byte_array_free_to_bytes(g_steal_pointer(&m->body));
	g_autofree char *name =
		g_strdup_printf("%s/;UID=%u", rd->place, m->uid);
	struct source_event ev = {.type = SOURCE_MAIL,
				  .kind = KIND,
				  .place = rd->place,
				  .raw = raw,
				  .received = m->received,
				  .name = name};

	return source_say(rd->ctx, &ev, err);
}

/* No body came: it was expunged since, or the server does not have it. */
static gboolean say_missing(struct imap_reader *rd, const struct imap_mail *m,
			    GError **err)
{
	g_autoptr(GArray) again = imap_session_sizes(rd->s, &m->uid, 1, err);

	if (!again)
		return FALSE;
	return again->len == 0 ||
	       say_broken(rd, m, NET_ERROR_REPLY,
			  "the server lists it and does not hand it over", err);
}

static gboolean say_one(struct imap_reader *rd, struct imap_mail *m,
			GArray *done, GError **err)
{
	if (m->larger)
		return say_large(rd, m, err);
	if (!m->body || m->body->len == 0)
		return say_missing(rd, m, err);
	g_array_append_val(done, m->uid);
	rd->taken++;
	return say_mail(rd, m, err);
}

/* ---- batches */

/* No more messages a second than the settings allow. */
static gboolean pace(const struct imap_reader *rd, gint64 begun, guint mails,
		     GError **err)
{
	GCancellable *cancel = rd->ctx->cancel;
	gint64 until, rest;
	GPollFD fd;
	gboolean watched;

	if (rd->r->rate == 0)
		return TRUE;
	until = begun + (gint64)mails * G_USEC_PER_SEC / rd->r->rate;
	rest = (until - g_get_monotonic_time()) / 1000;
	if (rest <= 0)
		return TRUE;
	watched = g_cancellable_make_pollfd(cancel, &fd);
	g_poll(&fd, watched ? 1 : 0, (int)MIN(rest, G_MAXINT));
	if (watched)
		g_cancellable_release_fd(cancel);
	if (!g_cancellable_is_cancelled(cancel))
		return TRUE;
	g_set_error(err, NET_ERROR, NET_ERROR_STOPPED, "%s: interrupted",
		    rd->place);
	return FALSE;
}

static gboolean say_batch(struct imap_reader *rd, struct imap_mail *mails,
			  guint n, GError **err)
{
	g_autoptr(GArray) done = g_array_new(FALSE, FALSE, sizeof(guint32));

	for (guint i = 0; i < n; i++)
		if (!say_one(rd, &mails[i], done, err))
			return FALSE;
	rd->uid = mails[n - 1].uid;
	if (rd->r->after == REMOTE_KEEP)
		rd->settled = rd->uid;
	if (!say_cursor(rd, err))
		return FALSE;
	if (rd->r->after == REMOTE_KEEP || !rd->ctx->keep)
		return TRUE;
	return keep(rd, err) && settle(rd, done, err);
}

static void free_bodies(struct imap_mail *mails, guint n)
{
	for (guint i = 0; i < n; i++)
		g_clear_pointer(&mails[i].body, g_byte_array_unref);
}

static gboolean take_batch(struct imap_reader *rd, struct imap_mail *mails,
			   guint n, GError **err)
{
	gint64 begun = g_get_monotonic_time();
	gboolean ok =
		imap_session_bodies(rd->s, mails, n, rd->r->max_bytes, err) &&
		say_batch(rd, mails, n, err);

	free_bodies(mails, n);
	return ok && pace(rd, begun, n, err);
}

/* How many of the `n` come in one answer. */
static guint batch_size(const struct imap_mail *mails, guint n)
{
	guint64 bytes = mails[0].size;
	guint i = 1;

	while (i < MIN(n, IMAP_BATCH) && bytes + mails[i].size <= BATCH_BYTES)
		bytes += mails[i++].size;
	return i;
}

/* Those that are old or too large are not asked for. */
static gboolean sift(struct imap_reader *rd, GArray *mails, GError **err)
{
	guint out = 0;

	for (guint i = 0; i < mails->len; i++) {
		struct imap_mail *m =
			&g_array_index(mails, struct imap_mail, i);

		if (is_old(rd, m))
			continue;
		if (!is_large(rd, m))
			g_array_index(mails, struct imap_mail, out++) = *m;
		else if (!say_large(rd, m, err))
			return FALSE;
	}
	g_array_set_size(mails, out);
	return TRUE;
}

static gboolean take_some(struct imap_reader *rd, const guint32 *uids, guint n,
			  GError **err)
{
	g_autoptr(GArray) mails = imap_session_sizes(rd->s, uids, n, err);

	if (!mails || !sift(rd, mails, err))
		return FALSE;
	for (guint i = 0, k; i < mails->len; i += k) {
		struct imap_mail *m =
			&g_array_index(mails, struct imap_mail, i);

		k = batch_size(m, mails->len - i);
		if (!take_batch(rd, m, k, err))
			return FALSE;
	}
	if (rd->uid >= uids[n - 1])
		return TRUE;
	/* the last ones were none for us */
	rd->settled = rd->settled == rd->uid ? uids[n - 1] : rd->settled;
	rd->uid = uids[n - 1];
	return say_cursor(rd, err);
}

gboolean imap_reader_take(struct imap_reader *rd, GError **err)
{
	g_autoptr(GArray) uids = NULL;

	if (!settle_rest(rd, err))
		return FALSE;
	if (rd->uid == G_MAXUINT32)
		return TRUE;
	uids = imap_session_search(rd->s, rd->uid + 1, 0, rd->r->since, err);
	if (!uids)
		return FALSE;
	if (rd->ctx->expect && uids->len > 0)
		rd->ctx->expect(uids->len, rd->ctx->data);
	for (guint i = 0; i < uids->len; i += IMAP_MAX_SIZES)
		if (!take_some(rd, &g_array_index(uids, guint32, i),
			       MIN(IMAP_MAX_SIZES, uids->len - i), err))
			return FALSE;
	return TRUE;
}
