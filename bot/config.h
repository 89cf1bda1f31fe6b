/* config.h - the settings: one table (group, key, type, default, help)
 * GKeyFile behind it; unknown groups and keys are errors that name file and
 * line. The same table prints `config --show` and the man page's section. */
#ifndef BOT_CONFIG_H
#define BOT_CONFIG_H

#include <glib.h>

#define CONFIG_ERROR (config_error_quark())
GQuark config_error_quark(void);
enum config_error {
	CONFIG_ERROR_READ,   /* cannot open or read */
	CONFIG_ERROR_SYNTAX, /* "FILE:LINE: what; remedy" */
};

enum config_type {
	CONFIG_STRING,
	CONFIG_PATH, /* "~/" and relative to the file are resolved */
	CONFIG_LIST, /* separated by blanks */
	CONFIG_INT,
	CONFIG_DURATION, /* "10min", "7d" in seconds */
	CONFIG_ENUM,
};

struct config_key {
	const char *group; /* "store"; "list" for [list NAME] */
	const char *key;
	enum config_type type;
	const char *preset;  /* default as written, NULL = none */
	const char *choices; /* ENUM: "a|b|c" */
	const char *help;
};
extern const struct config_key config_keys[]; /* ends with group NULL */

#define CONFIG_MAX_KIB	 1024 /* of one settings file */
#define CONFIG_MAX_BYTES (CONFIG_MAX_KIB * 1024)

typedef struct config config;

/* Read `file`; NULL = $CULPRIT_CONFIG, then culprit/culprit.conf of the user's
 * configuration folder, then /etc/culprit/culprit.conf, where none existing
 * gives the defaults. CONFIG_ERROR_READ, CONFIG_ERROR_SYNTAX. */
config *config_load(const char *file, GError **err);
void config_free(config *c);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(config, config_free)

const char *config_file(const config *c); /* NULL = built-in defaults */
/* Named groups of a kind, e.g. all "list" names, in the order of the file;
 * you own the NULL-ended vector. */
char **config_names(const config *c, const char *kind);
/* `name` is NULL for plain groups. Lent; NULL if unset and without default. */
const char *config_get(const config *c, const char *group, const char *name,
		       const char *key);
/* The parts of a LIST (any value, in fact); empty if unset, never NULL. You own
 * the vector. */
char **config_get_list(const config *c, const char *group, const char *name,
		       const char *key);
/* INT; DURATION in seconds; 0 if unset and without default. */
gint64 config_get_int(const config *c, const char *group, const char *name,
		      const char *key);
/* As an INI text: what is in force; secrets never (only their commands). */
char *config_show(const config *c);

#endif
