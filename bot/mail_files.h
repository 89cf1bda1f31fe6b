/* mail_files.h - mail of files, read and understood, without a database */
#ifndef BOT_MAIL_FILES_H
#define BOT_MAIL_FILES_H

#include "mail/reading.h"

/* Called for each message of a file, in order; `r` is yours. FALSE ends the
 * reading. */
typedef gboolean (*mail_files_fn)(struct reading *r, void *data);

/* Read the messages of every path: files, mbox, folders, compressed, "-".
 * What can't be read is told on stderr, one line each, and the rest goes on.
 * Gives an exit code: EXIT_DONE, or EXIT_UNREAD if anything failed; `fn`
 * itself fails by ending the reading. */
int mail_files_read(char *const *paths, int count, mail_files_fn fn,
		    void *data);

#endif
