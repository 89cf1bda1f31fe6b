/* own_address.h - who asks on the command line: "me" in queries */
#ifndef BOT_OWN_ADDRESS_H
#define BOT_OWN_ADDRESS_H

#include "db/store.h"

/* The address that git would write into a commit: $GIT_AUTHOR_EMAIL, then
 * user.email of the user's settings of git, then $EMAIL; as .mailmap of the
 * trees has it. NULL: none is set. You own it. */
char *own_address(store *st);

#endif
