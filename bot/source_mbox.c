/* source_mbox.c - mbox files, packed or not, as a stream of messages
 * Position of a plain file: the beginning of the last message and a hash of
 * what lies around it, so that an appended file goes on there and a file with
 * other contents is read again. Position of any file: what stat() says of it,
 * where no later change could leave that as it is. */
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "mail/mbox.h"

#include "bot/source_priv.h"

#define CURSOR_EVERY 256  /* messages */
#define CHECK_BYTES  4096 /* hashed at the beginning and before the position */
#define SKIP_BYTES   (1024 * 1024) /* kept of a message that is skipped */

struct mbox {
	struct source_stream *s;
	struct source_context *ctx;
	const char *kind, *place;
	gboolean seekable; /* a plain file */
	char *stamp;	   /* NULL: can't be told from a later version */
	guint64 last;	   /* where the latest message begins */
	guint count;
};

/* ---- positions: "STAMP OFFSET HASH" or "- OFFSET HASH" or "STAMP" */

/* Everything that changes with the contents. NULL if a write right after
 * could leave it equal: the clock of file systems moves in steps. */
static char *stamp_of(const struct stat *st)
{
	gint64 now = g_get_real_time();
	gint64 changed = st->st_ctim.tv_sec * G_USEC_PER_SEC +
			 st->st_ctim.tv_nsec / 1000;
	gint64 step =
		st->st_ctim.tv_nsec ? G_USEC_PER_SEC / 10 : 2 * G_USEC_PER_SEC;

	if (!S_ISREG(st->st_mode) || now - changed < step)
		return NULL;
	return g_strdup_printf("%jx:%jx:%jx:%jx.%lx:%jx.%lx",
			       (uintmax_t)st->st_dev, (uintmax_t)st->st_ino,
			       (uintmax_t)st->st_size,
			       (uintmax_t)st->st_mtim.tv_sec,
			       (unsigned long)st->st_mtim.tv_nsec,
			       (uintmax_t)st->st_ctim.tv_sec,
			       (unsigned long)st->st_ctim.tv_nsec);
}

static gboolean hash_range(GChecksum *sum, int fd, guint64 from, guint64 to)
{
	guint8 buf[CHECK_BYTES];
	gssize got = pread(fd, buf, to - from, (off_t)from);

	g_checksum_update(sum, buf, MAX(got, 0));
	return got == (gssize)(to - from);
}

/* Hash of both ends of the file's first `offset` bytes; NULL if short. */
static char *hash_before(int fd, guint64 offset)
{
	g_autoptr(GChecksum) sum = g_checksum_new(G_CHECKSUM_SHA1);
	guint64 part = MIN(offset, CHECK_BYTES);

	if (!hash_range(sum, fd, 0, part) ||
	    !hash_range(sum, fd, offset - part, offset))
		return NULL;
	return g_strdup(g_checksum_get_string(sum));
}

/* The stamp, unless the file was written to while it was read. */
static char *final_stamp(const struct mbox *m)
{
	g_autofree char *stamp = NULL;
	struct stat st;

	if (!m->stamp || fstat(unpack_fd(m->s->from), &st) < 0)
		return NULL;
	stamp = stamp_of(&st);
	return g_strcmp0(stamp, m->stamp) == 0 ? g_steal_pointer(&stamp) : NULL;
}

static gboolean say_position(struct mbox *m, gboolean whole, GError **err)
{
	g_autofree char *stamp = whole ? final_stamp(m) : NULL;
	g_autofree char *hash = NULL;
	g_autofree char *cursor = NULL;

	if (m->seekable)
		hash = hash_before(unpack_fd(m->s->from), m->last);
	if (hash)
		cursor = g_strdup_printf("%s %" G_GUINT64_FORMAT " %s",
					 stamp ? stamp : "-", m->last, hash);
	else
		cursor = g_steal_pointer(&stamp);
	return !cursor || source_cursor(m->ctx, m->kind, m->place, cursor, err);
}

/* Go on where the position says. `*same`: nothing has changed. */
static gboolean resume(struct mbox *m, gboolean *same, GError **err)
{
	g_autofree char *cursor = source_position(m->ctx, m->kind, m->place);
	g_auto(GStrv) words = g_strsplit(cursor ? cursor : "", " ", 3);
	g_autofree char *hash = NULL;
	guint64 offset;
	char from[5];

	*same = m->stamp && words[0] && g_str_equal(words[0], m->stamp);
	if (*same || !m->seekable || g_strv_length(words) != 3 ||
	    !g_ascii_string_to_unsigned(words[1], 10, 1, G_MAXINT64, &offset,
					NULL))
		return TRUE;
	hash = hash_before(unpack_fd(m->s->from), offset);
	if (!hash || !g_str_equal(hash, words[2]) ||
	    pread(unpack_fd(m->s->from), from, 5, (off_t)offset) != 5 ||
	    memcmp(from, "From ", 5) != 0)
		return TRUE;
	m->last = offset;
	return source_stream_seek(m->s, offset, err);
}

/* From where the position says, else from the beginning. */
static gboolean begin(struct mbox *m, gboolean *same, GError **err)
{
	return resume(m, same, err) &&
	       (*same || m->last > 0 ||
		source_afresh(m->ctx, m->kind, m->place, err));
}

/* ---- messages */

static gboolean hand_over(struct mbox *m, const char *msg, gsize len,
			  GError **err)
{
	g_autoptr(GBytes) raw = mbox_unquote(msg, len, MBOX_AUTO);
	struct source_event ev = {.type = SOURCE_MAIL,
				  .kind = m->kind,
				  .place = m->place,
				  .raw = raw,
				  .offset = m->s->start + m->s->pos};

	m->last = ev.offset;
	return source_say(m->ctx, &ev, err) &&
	       (++m->count % CURSOR_EVERY || say_position(m, FALSE, err));
}

/* Forget all but the last bytes of a message that is too large; with a head
 * before them they look like the end of a small one, which is dropped. */
static void drop_large(struct source_stream *s)
{
	static const char head[] = "From mboxrd@z Thu Jan  1 00:00:00 1970\n"
				   "X-Skipped: yes\n\nx";
	gsize drop = s->bytes->len - 2 * MBOX_MAX_FROM;

	g_byte_array_remove_range(s->bytes, 0, drop);
	g_byte_array_prepend(s->bytes, (const guint8 *)head, sizeof(head) - 1);
	s->start += drop - (sizeof(head) - 1);
	s->pos = 0;
}

static gboolean say_large(struct mbox *m, GError **err)
{
	g_autoptr(GError) part =
		g_error_new(SOURCE_ERROR, SOURCE_ERROR_READ,
			    "%s: the message at byte %" G_GUINT64_FORMAT
			    " is larger than %d MB and was skipped",
			    m->place, m->s->start + m->s->pos,
			    SOURCE_MAX_MAIL / (1024 * 1024));

	return source_broken(m->ctx, m->kind, m->place, &part, err);
}

static gboolean read_all(struct mbox *m, GError **err)
{
	struct source_stream *s = m->s;
	gboolean skipping = FALSE;
	gsize done = 0;

	for (;;) {
		gsize len, start, end, next;
		const char *buf = source_stream_data(s, &len);

		if (len > 0 && mbox_next(buf, len, s->end, MBOX_AUTO, &done,
					 &start, &end, &next)) {
			if (!skipping &&
			    !hand_over(m, buf + start, end - start, err))
				return FALSE;
			skipping = FALSE;
			s->pos += next;
			continue;
		}
		if (s->end)
			return TRUE;
		if (len > (skipping ? SKIP_BYTES : SOURCE_MAX_MAIL)) {
			if (!skipping && !say_large(m, err))
				return FALSE;
			skipping = TRUE;
			drop_large(s);
			done = 0;
		}
		if (!source_stream_more(s, err))
			return FALSE;
	}
}

gboolean source_mbox(struct source_stream *s, const struct source_home *home,
		     struct source_context *ctx, GError **err)
{
	struct mbox m = {.s = s,
			 .ctx = ctx,
			 .kind = home->kind,
			 .place = home->place};
	gboolean is_file = S_ISREG(unpack_stat(s->from)->st_mode);
	gboolean same = FALSE, ok;

	if (is_file) {
		m.kind = "mbox";
		m.place = unpack_name(s->from);
		m.seekable = !unpack_packed(s->from);
		m.stamp = stamp_of(unpack_stat(s->from));
	}
	ok = (!is_file || begin(&m, &same, err)) &&
	     (same || (read_all(&m, err) && unpack_end(s->from, err) &&
		       say_position(&m, TRUE, err)));
	g_free(m.stamp);
	return ok;
}
