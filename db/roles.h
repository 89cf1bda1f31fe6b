/* roles.h - people whom the settings give a word in items
 * The database knows no settings: whoever opens it hands them in. What
 * MAINTAINERS says, and who wrote what, it knows itself. */
#ifndef DB_ROLES_H
#define DB_ROLES_H

#include <glib.h>

#include "mail/evidence.h"

#include "db/store.h"

#define ROLES_MAX 10000 /* later ones are left out */

/* `address` may do everything: an operator. */
void roles_add_operator(store *st, const char *address);
/* `address` may decide on items that were seen on `list`: its name or its
 * address, as names of lists are compared: "fs@lists.example.org" and
 * "fs.lists.example.org" are one. */
void roles_add_maintainer(store *st, const char *list, const char *address);

/* From now on #culprit needs evidence of its sender (mail/evidence.h): whoever
 * wrote neither the report, what caused it nor a fix has to be proven, and of
 * a forged sender nothing is done. Copied. Unless told, From is believed. */
void roles_set_trust(store *st, const struct evidence_trust *trust);

#endif
