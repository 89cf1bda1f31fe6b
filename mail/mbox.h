/* mbox.h - splitting and writing mbox files of the mboxo, mboxrd, mboxcl2
 * families. Pure: bytes are handed in. */
#ifndef MAIL_MBOX_H
#define MAIL_MBOX_H

#include <glib.h>

/* A Content-Length beyond this is not believed. */
#define MBOX_MAX_CONTENT (128 * 1024 * 1024)
#define MBOX_MAX_FROM	 1024 /* a longer line is no separator */

enum mbox_format {
	MBOX_AUTO, /* mboxrd unless Content-Length fits (mboxcl2), which is
		    * waited for some MB beyond a separator, no further */
	MBOX_O,	   /* "From " inside bodies is ">From ", not undone */
	MBOX_RD,   /* one '>' is removed from every "^>+From " */
	MBOX_CL2,  /* Content-Length tells the end; nothing is quoted */
};

/*
 * The extent of the first message in `buf[0..len)`, which begins with a
 * "From " line. A separator is "From " at the beginning of a line, after an
 * empty line or the start, followed by something that looks like an mbox
 * From line (a word and a date with a time and a year, or "mboxrd@z"), with
 * a header field on the line after. The one that git format-patch writes
 * ("From <hash> Mon Sep 17 00:00:00 2001") counts only where the message
 * itself begins with such a line: elsewhere it is an attached patch.
 * public-inbox writes a line end behind each mail, which is all that stands
 * before the next one's "From mboxrd@z" where a mail has none itself: so that
 * whole line needs no empty line where the message begins with it.
 * `final` tells that no more bytes will follow. `*start` and `*end` bound
 * the message's bytes (separator line and the one empty line before the next
 * separator excluded), `*next` the next "From ".
 * FALSE if more bytes are needed to tell (never when `final`), or if there
 * is nothing left.
 *
 * `*resume` makes a long message cheap that arrives in pieces: 0 for a new
 * message; after FALSE call again with the same `buf` contents plus more at
 * the end and `*resume` as it was left (an offset into `buf`: the bytes
 * before it are not looked at again). Reset to 0 on TRUE.
 */
gboolean mbox_next(const char *buf, gsize len, gboolean final,
		   enum mbox_format format, gsize *resume, gsize *start,
		   gsize *end, gsize *next);

/* The message's own bytes: From-quoting undone by `format`. MBOX_AUTO undoes
 * it unless a Content-Length equals the length of the body as it stands. */
GBytes *mbox_unquote(const char *msg, gsize len, enum mbox_format format);

/* TRUE if the buffer begins like an mbox. `*dated`: with a separator, not with
 * a line that merely has its first word, as prose may have it. */
gboolean mbox_probe(const char *buf, gsize len, gboolean *dated);

/* Append a message as mboxrd, with the separator public-inbox writes
 * ("From mboxrd@z Thu Jan  1 00:00:00 1970") and an empty line behind. */
void mbox_append(GString *out, const char *msg, gsize len);

#endif
