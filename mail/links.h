/* links.h - URLs in a message and the mails they name */
#ifndef MAIL_LINKS_H
#define MAIL_LINKS_H

#include <glib.h>

#include "mail/body.h"

#define LINKS_MAX 1000

enum link_role {
	LINK_LINK,     /* URL in Link:, Message-ID: or Patchwork-...: */
	LINK_CLOSES,   /* Closes:, Bug:, BugLink: */
	LINK_FIXES,    /* a URL in Fixes: */
	LINK_PATCH,    /* "patch link:" of a robot */
	LINK_ARTIFACT, /* downloads, logs, configs (download.01.org ...) */
	LINK_LORE,     /* any other that names a Message-ID */
	LINK_OTHER,
};

struct link {
	char *url;	  /* as written, closing punctuation removed */
	char *message_id; /* inside an archive URL, else NULL */
	enum link_role role;
	guint line; /* from 1, in the body */
};

void link_free(struct link *l);
const char *link_role_name(enum link_role role); /* "link", "closes" ... */

/* Links of the unquoted lines, first occurrence of a URL in a role once, in
 * order of lines. http, https, git, ssh schemes. You own the array. */
GPtrArray *links_find(const body *b);

#endif
