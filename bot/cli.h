/* cli.h - the command line: one table of verbs, options parsed with GOption
 * Help, completion and the man page's synopsis come from this table. */
#ifndef BOT_CLI_H
#define BOT_CLI_H

#include <glib.h>

#include "db/store.h"

#include "bot/config.h"

enum exit_code {
	EXIT_DONE = 0,
	EXIT_NONE = 1,	/* nothing found */
	EXIT_USAGE = 2, /* bad usage, query or configuration */
	EXIT_STALE = 3,
	EXIT_UNREAD = 4, /* a source, server or file failed; the rest is kept */
	EXIT_DAMAGED = 5, /* database damaged or newer than the program */
	EXIT_BUG = 70,
};

/* What every verb gets. */
struct session {
	config *config;
	const char *db_path;
	gint64 now; /* --now or the clock, once */
	gboolean quiet, verbose;
	int argc; /* arguments behind the verb, options removed */
	char **argv;
};

struct verb {
	const char *name;
	const char *alias;	       /* or NULL */
	const char *synopsis;	       /* "[--json] [--body] FILE..." */
	const char *help;	       /* one line, no full stop */
	const char *details;	       /* a paragraph for the man page */
	const GOptionEntry *options;   /* or NULL */
	int min_args, max_args;	       /* -1: no maximum */
	gboolean no_config;	       /* runs even if the settings are bad */
	int (*run)(struct session *s); /* an exit_code */
};
extern const struct verb *const cli_verbs[]; /* NULL-terminated, help order */
extern const GOptionEntry cli_global_options[];

/* The settings of --config, read anew; you own them. */
config *cli_config_again(GError **err);

/* --now, or the clock at this moment. */
gint64 cli_now(void);

int cli_main(int argc, char **argv);

/* "culprit: TEXT" on stderr, one line. */
void cli_error(const char *format, ...) G_GNUC_PRINTF(1, 2);
/* The same for a GError; returns the exit code that its domain and code
 * stand for. `what` (may be NULL) is put before the text: "WHAT: WHY". */
int cli_fail(const char *what, const GError *err);

/* Open the database of the session; NULL after saying why and setting *rc.
 * With STORE_READ and no file: NULL, *rc = EXIT_NONE, said so. The git fetch
 * function is set. STORE_WRITE also calls cli_catch_signals(). */
store *cli_store(struct session *s, enum store_mode mode, int *rc);

/* The same without a word, for a thread of its own: `git` is a cache of
 * source_git_cache_new() that outlives it. */
store *cli_store_open(const struct session *s, enum store_mode mode, void *git,
		      GError **err);
/* From now on it is cli_now() for this store. */
void cli_store_date(const struct session *s, store *st);

/* STORE_WRITE for what is rolled back in the end: of the session's database,
 * or of an empty one in memory if there is none. */
store *cli_store_scratch(struct session *s, int *rc);

/* STORE_WRITE of a database that must be there already. */
store *cli_store_present(struct session *s, int *rc);

/* Until this is called SIGINT and SIGTERM end the program at once with 130
 * and 143. From then on the first one only sets cli_interrupted(): finish the
 * message in hand and return. Blocking reads end with EINTR. */
void cli_catch_signals(void);
gboolean cli_interrupted(void);
/* For who waits for several things: readable from the first signal on. */
int cli_interrupt_fd(void);
/* The interrupt was what the verb waited for: its exit code counts. */
void cli_interrupt_heeded(void);
/* 130 or 143 after an interrupt, else `rc`. */
int cli_exit_code(int rc);

/* stdout, checked: FALSE after saying so if it can't be written; then return
 * EXIT_UNREAD. `len` may be -1: up to the NUL. */
gboolean cli_write(const char *text, gssize len);

#endif
