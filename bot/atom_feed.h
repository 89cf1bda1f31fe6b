/* atom_feed.h - the entries of an Atom feed */
#ifndef BOT_ATOM_FEED_H
#define BOT_ATOM_FEED_H

#include <glib.h>

#define ATOM_FEED_MAX 1000 /* more are not looked at */

struct atom_entry {
	char *link; /* address of its page */
	gint64 updated;
};

/* Of struct atom_entry, in their order, those with a link; you own it. NULL
 * with NET_ERROR_REPLY: it is no feed, or not whole; `name` is for the text. */
GPtrArray *atom_feed_parse(const char *text, gsize len, const char *name,
			   GError **err);

#endif
