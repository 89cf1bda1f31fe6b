/* git_loose.h - loose objects of a repository, read by ourselves
 * libgit2 1.5 never comes back from one that is cut short. */
#ifndef BOT_GIT_LOOSE_H
#define BOT_GIT_LOOSE_H

#include <git2.h>
#include <glib.h>

#define GIT_LOOSE_MAX_BYTES	 G_MAXINT32 /* of one object, unpacked */
#define GIT_LOOSE_MAX_ALTERNATES 64	    /* folders of objects in all */

/* Put before libgit2's own readers of `odb`: those of the folder `objects`
 * and of the alternates that it names. */
void git_loose_add(git_odb *odb, const char *objects);

#endif
