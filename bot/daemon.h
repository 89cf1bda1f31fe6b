/* daemon.h - sources, trees and pages kept up to date until told to stop
 * Each source and each tree has a thread of its own, the pages another one;
 * none waits for a server that another one is waiting for. */
#ifndef BOT_DAEMON_H
#define BOT_DAEMON_H

#include "bot/cli.h"

enum daemon_end {
	DAEMON_STOPPED, /* by a signal */
	DAEMON_RELOAD,	/* SIGHUP: begin again with settings read anew */
	DAEMON_FAILED,	/* the database; told already */
};

struct daemon_options {
	struct session *s;
	store *st;	    /* of the session, to be written */
	GPtrArray *remotes; /* of struct remote */
	GPtrArray *trees;   /* of struct tree_setting */
	gboolean no_pages;
};

/* Run until something ends it; `*rc` is the exit code then. What was read is
 * kept, however it ends. */
enum daemon_end daemon_run(const struct daemon_options *opt, int *rc);

#endif
