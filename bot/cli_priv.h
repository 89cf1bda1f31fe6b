/* cli_priv.h - what the files of bot/cli share */
#ifndef BOT_CLI_PRIV_H
#define BOT_CLI_PRIV_H

#include "bot/cli.h"

/* What the options before or after the verb say. */
struct global_options {
	char *config;
	char *db;
	char *now;
	gboolean quiet, verbose, version, help;
};
extern struct global_options cli_globals;

/* By name or alias; NULL if there is none. */
const struct verb *cli_verb_find(const char *name);

/* ---- cli_help.c: texts made of the table; you own them */

char *cli_help_all(void);
char *cli_help_verb(const struct verb *v);
/* The manual's sections that the tables know: "verbs" or "settings". */
char *cli_help_mdoc_verbs(void);
char *cli_help_mdoc_settings(void);
char *cli_help_completion(void);

/* ---- cli_store.c */

void cli_store_end(void);

/* ---- cli_signal.c */

void cli_signals_init(gboolean verbose);
void cli_fds_init(void);

/* ---- cli_error.c */

void cli_log_init(gboolean verbose);
/* Flush stdout; EXIT_UNREAD after saying so if it fails, else `rc`. */
int cli_flush(int rc);

#endif
