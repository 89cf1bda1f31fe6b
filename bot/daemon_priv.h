/* daemon_priv.h - what the files of bot/daemon*.c share */
#ifndef BOT_DAEMON_PRIV_H
#define BOT_DAEMON_PRIV_H

#include <gio/gio.h>

#include "bot/daemon.h"

/* ---- daemon_pages.c: the site is written when there is something new
 * A thread with a connection of its own, so that nobody waits for it. */

typedef struct page_keeper page_keeper;

/* `lock` is that of opt->st, whose full text is caught up, too. Begins with
 * the whole site. */
page_keeper *page_keeper_start(const struct daemon_options *opt, GMutex *lock);
/* Something changed: by these mails, or (n = 0) by something else. Never
 * waits. */
void page_keeper_touch(page_keeper *k, const char *const *mids, guint n);
/* What is being written is finished. */
void page_keeper_end(page_keeper *k);

/* ---- daemon_trees.c: git trees, each in turn of its own */

typedef struct tree_keeper tree_keeper;

/* `pages` is touched when something is new. NULL and *err: the database can't
 * be opened. */
tree_keeper *tree_keeper_start(const struct daemon_options *opt,
			       GCancellable *cancel, page_keeper *pages,
			       GError **err);
/* Wait until all have ended after `cancel`; they saw daemon_is_ending(). */
void tree_keeper_end(tree_keeper *k);

/* ---- daemon_outbox.c: what is due is sent, what came is answered */

typedef struct outbox_keeper outbox_keeper;

/* NULL with err unset: there is no address= in [bot], so nothing is to do. */
outbox_keeper *outbox_keeper_start(const struct daemon_options *opt,
				   GCancellable *cancel, GError **err);
/* The mail in hand is finished. */
void outbox_keeper_end(outbox_keeper *k);

/* ---- daemon_answer.c */

struct outbox_policy;
/* Draft answers to mail that came, and note what came back. FALSE: the
 * database; the rest is done by the next call. */
gboolean daemon_answer(store *st, const config *c,
		       const struct outbox_policy *p, GError **err);

/* ---- daemon.c */

/* An interrupt or a reload: finish what is in hand. */
gboolean daemon_is_ending(void);

#endif
