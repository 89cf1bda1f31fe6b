/* config_priv.h - what the files of bot/config share */
#ifndef BOT_CONFIG_PRIV_H
#define BOT_CONFIG_PRIV_H

#include "bot/config.h"

/* One "[kind]" or "[kind NAME]" of the file. */
struct config_group {
	char *raw;  /* as it stands between the brackets */
	char *kind; /* "list" */
	char *name; /* NULL for plain groups */
	guint line;
};

struct config {
	char *file;	    /* NULL = built-in defaults */
	char *dir;	    /* relative paths begin here */
	GPtrArray *groups;  /* of struct config_group, order of the file */
	GHashTable *values; /* config_slot() to the value in force */
};

/* The key of config.values; you own it. */
char *config_slot(const char *group, const char *name, const char *key);

/* The row of the table; NULL if there is none. '_' in `key` counts as '-'. */
const struct config_key *config_key_find(const char *group, const char *key);
/* "list" and its like stand once for each name; NULL if no such group. */
gboolean config_group_known(const char *group, gboolean *named);

/* Is `value` what the row asks for? Else "must be ...", which you own. */
char *config_key_check(const struct config_key *row, const char *value);

/* Check `text` line by line and fill `c`. CONFIG_ERROR_SYNTAX. */
gboolean config_scan(config *c, const char *text, gsize len, GError **err);

#endif
