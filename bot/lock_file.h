/* lock_file.h - one at a time, held as long as the program lives */
#ifndef BOT_LOCK_FILE_H
#define BOT_LOCK_FILE_H

#include <glib.h>

/* Lock `path`, made if need be; whoever dies lets go. The descriptor holds it
 * until it is closed. -1 and a G_FILE_ERROR: G_FILE_ERROR_AGAIN where another
 * process has it, which the text names. */
int lock_file_take(const char *path, GError **err);

/* That of the database at `path`, PATH-lock: held by the daemon, and by who must
 * not work beside it. */
int lock_file_of_database(const char *path, GError **err);

#endif
