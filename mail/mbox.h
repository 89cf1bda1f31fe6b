/* mbox.h - splitting and writing mbox files of the mboxo, mboxrd, mboxcl2
 * families. Pure: bytes are handed in. */
#ifndef MAIL_MBOX_H
#define MAIL_MBOX_H

#include <glib.h>

enum mbox_format {
	MBOX_AUTO, /* mboxrd unless Content-Length fits (mboxcl2) */
	MBOX_O,	   /* "From " inside bodies is ">From ", not undone */
	MBOX_RD,   /* one '>' is removed from every "^>+From " */
	MBOX_CL2,  /* Content-Length tells the end; nothing is quoted */
};

/*
 * The extent of the first message in `buf[0..len)`, which begins with a
 * "From " line. A separator is "From " at the beginning of a line, after an
 * empty line or the start, followed by something that looks like an mbox
 * From line (an address-like word and a year or "mboxrd@z"), with a header
 * field on the line after. `final` tells that no more bytes will follow.
 * `*start` and `*end` bound the message's bytes (separator line and the one
 * empty line before the next separator excluded), `*next` the next "From ".
 * FALSE if more bytes are needed to tell (never when `final`), or if there
 * is nothing left.
 */
gboolean mbox_next(const char *buf, gsize len, gboolean final,
		   enum mbox_format format, gsize *start, gsize *end,
		   gsize *next);

/* The message's own bytes: From-quoting undone by `format`. */
GBytes *mbox_unquote(const char *msg, gsize len, enum mbox_format format);

/* TRUE if the buffer begins like an mbox. */
gboolean mbox_probe(const char *buf, gsize len);

/* Append a message as mboxrd, with the separator public-inbox writes
 * ("From mboxrd@z Thu Jan  1 00:00:00 1970") and an empty line behind. */
void mbox_append(GString *out, const char *msg, gsize len);

#endif
