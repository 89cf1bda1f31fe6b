/* source_file.c - a file that is one message, or an mbox of many
 * Looks at no more of a message than what tells it from something else. */
#include <string.h>

#include "mail/header.h"
#include "mail/mbox.h"
#include "mail/webcopy.h"

#include "bot/source_priv.h"

#define READ_BYTES  (256 * 1024) /* first step; then as much as there is */
#define SHRINK_OVER (8 * 1024 * 1024)

/* ---- a window over the bytes */

void source_stream_init(struct source_stream *s, unpack *from)
{
	memset(s, 0, sizeof(*s));
	s->from = from;
	s->bytes = g_byte_array_new();
}

void source_stream_clear(struct source_stream *s)
{
	if (s->bytes)
		g_byte_array_unref(s->bytes);
	s->bytes = NULL;
}

const char *source_stream_data(const struct source_stream *s, gsize *len)
{
	*len = s->bytes->len - s->pos;
	return (const char *)s->bytes->data + s->pos;
}

/* Small files need no large window. */
static guint first_step(const struct source_stream *s)
{
	const struct stat *st = unpack_stat(s->from);

	return S_ISREG(st->st_mode) && st->st_size < READ_BYTES / 2
		       ? MAX(2 * st->st_size, 4096)
		       : READ_BYTES;
}

gboolean source_stream_more(struct source_stream *s, GError **err)
{
	guint have = s->bytes->len - s->pos;
	gssize got;

	if (s->pos > 0 && s->bytes->len > SHRINK_OVER && have < READ_BYTES) {
		GByteArray *small = g_byte_array_new();

		g_byte_array_append(small, s->bytes->data + s->pos, have);
		g_byte_array_unref(s->bytes);
		s->bytes = small;
	} else if (s->pos > 0) {
		g_byte_array_remove_range(s->bytes, 0, s->pos);
	}
	s->start += s->pos;
	s->pos = 0;
	g_byte_array_set_size(s->bytes, have + MAX(have, first_step(s)));
	got = unpack_read(s->from, (char *)s->bytes->data + have,
			  s->bytes->len - have, err);
	g_byte_array_set_size(s->bytes, have + MAX(got, 0));
	s->end = got == 0;
	return got >= 0;
}

gboolean source_stream_seek(struct source_stream *s, guint64 offset,
			    GError **err)
{
	g_byte_array_set_size(s->bytes, 0);
	s->pos = 0;
	s->start = offset;
	s->end = FALSE;
	return unpack_seek(s->from, offset, err) && source_stream_more(s, err);
}

/* ---- one message */

/* A field of a mail that other texts with colons do not have. `*whole`: the
 * header ends before `len`, so that more bytes would not change the answer. */
static gboolean has_mail_field(const char *buf, gsize len, gboolean *whole)
{
	static const char *const names[] = {"From",	   "Date",
					    "Subject",	   "Message-ID",
					    "Received",	   "Return-Path",
					    "In-Reply-To", "References",
					    "Delivered-To"};
	gsize end;
	g_autoptr(header) h = header_scan(buf, len, &end);

	*whole = end < len || len >= HEADER_MAX_BYTES;
	for (guint i = 0; i < G_N_ELEMENTS(names); i++)
		if (header_find(h, names[i]))
			return TRUE;
	return FALSE;
}

/* The fields that tell may come late, and a pipe's bytes in small pieces. */
static gboolean find_mail_field(struct source_stream *s, gboolean *found,
				GError **err)
{
	gboolean whole = FALSE;
	const char *buf;
	gsize len;

	for (;;) {
		buf = source_stream_data(s, &len);
		*found = has_mail_field(buf, len, &whole);
		if (*found || whole || s->end)
			return TRUE;
		if (!source_stream_more(s, err))
			return FALSE;
	}
}

static gboolean too_large(const struct source_stream *s, GError **err)
{
	g_set_error(err, SOURCE_ERROR, SOURCE_ERROR_READ,
		    "%s: is larger than a message may be (%d MB)",
		    unpack_name(s->from), SOURCE_MAX_MAIL / (1024 * 1024));
	return FALSE;
}

/* "From " lines of delivery agents are no part of the message. */
static gsize separator_len(const char *data, gsize len)
{
	const char *end = memchr(data, '\n', MIN(len, MBOX_MAX_FROM));

	return len > 5 && memcmp(data, "From ", 5) == 0 && end ? end + 1 - data
							       : 0;
}

static gboolean read_single(struct source_stream *s,
			    const struct source_home *home,
			    struct source_context *ctx, GError **err)
{
	g_autoptr(GBytes) raw = NULL;
	struct source_event ev = {.type = SOURCE_MAIL,
				  .kind = home->kind,
				  .place = home->place};
	const char *data;
	gsize len, skip;

	while (!s->end) {
		if (s->bytes->len > SOURCE_MAX_MAIL)
			return too_large(s, err);
		if (!source_stream_more(s, err))
			return FALSE;
	}
	data = source_stream_data(s, &len);
	skip = separator_len(data, len);
	raw = g_bytes_new(data + skip, len - skip);
	ev.raw = raw;
	if (strcmp(unpack_name(s->from), home->place) != 0)
		ev.name = unpack_name(s->from);
	else if (!source_afresh(ctx, home->kind, home->place, err))
		return FALSE;
	return source_say(ctx, &ev, err) && unpack_end(s->from, err);
}

/* ---- either */

static gboolean no_mail(const struct source_stream *s, const char *why,
			GError **err)
{
	g_set_error(err, SOURCE_ERROR, SOURCE_ERROR_NO_MAIL, "%s: %s",
		    unpack_name(s->from), why);
	return FALSE;
}

static gboolean is_bundle(const char *buf, gsize len)
{
	return len > 16 && memcmp(buf, "# v", 3) == 0 &&
	       memcmp(buf + 4, " git bundle\n", 12) == 0;
}

/* A page of a web archive, saved as text, stands for the mail it shows. */
static gboolean is_web_copy(struct source_stream *s, GError **err)
{
	g_autoptr(GBytes) head = NULL;
	g_autoptr(GBytes) mail = NULL;
	const char *buf;
	gsize len;

	while (!s->end && s->bytes->len - s->pos < WEBCOPY_MAX_HEAD)
		if (!source_stream_more(s, err))
			return FALSE;
	buf = source_stream_data(s, &len);
	head = g_bytes_new_static(buf, len);
	mail = webcopy_to_mail(head);
	return mail != NULL;
}

static gboolean read_any(struct source_stream *s,
			 const struct source_home *home,
			 struct source_context *ctx, GError **err)
{
	gboolean is_mbox, is_mail;
	const char *buf;
	gsize len, lead = 0;

	do {
		if (!source_stream_more(s, err))
			return FALSE;
	} while (!s->end && s->bytes->len < MBOX_MAX_FROM);
	if (home->form == SOURCE_FORM_SINGLE)
		return read_single(s, home, ctx, err);
	buf = source_stream_data(s, &len);
	while (lead < len && (buf[lead] == '\n' || buf[lead] == '\r'))
		lead++;
	if (lead == len)
		return no_mail(s, "is empty", err);
	if (is_bundle(buf, len))
		return no_mail(s,
			       "is a git bundle; git clone --bare makes an "
			       "archive of it",
			       err);
	is_mbox = mbox_probe(buf + lead, len - lead, &is_mail);
	if (!is_mail && !find_mail_field(s, &is_mail, err))
		return FALSE;
	if (!is_mail && !is_web_copy(s, err))
		return err && *err ? FALSE : no_mail(s, "is no mail", err);
	if (is_mbox) {
		s->pos += lead;
		return source_mbox(s, home, ctx, err);
	}
	return read_single(s, home, ctx, err);
}

gboolean source_file(unpack *from, const struct source_home *home,
		     struct source_context *ctx, GError **err)
{
	struct source_stream s;
	gboolean ok;

	source_stream_init(&s, from);
	ok = read_any(&s, home, ctx, err);
	source_stream_clear(&s);
	return ok;
}
