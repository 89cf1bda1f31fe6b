/* pull.h - pull requests ("git request-pull" and hand-made ones) */
#ifndef MAIL_PULL_H
#define MAIL_PULL_H

#include <glib.h>

#include "mail/auto.h"

struct pull {
	char *url;   /* NULL if not found */
	char *ref;   /* tag or branch, NULL if none */
	char *base;  /* "The following changes since commit X", or NULL */
	int commits; /* announced by the shortlog "A Person (3):"; -1 unknown */
};

/* NULL if the text holds no pull request ("are available in the Git
 * repository at", "please pull" with a git URL). `said` is TRUE where the
 * subject says GIT PULL: then a URL alone suffices. */
struct pull *pull_parse(const char *body, gboolean said);
void pull_free(struct pull *p);
AUTO_STRUCT(pull, pull_free)

#endif
