/* thread_fetch.h - a thread, brought in from the archives of the settings */
#ifndef BOT_THREAD_FETCH_H
#define BOT_THREAD_FETCH_H

#include "bot/cli.h"

/* Ask each source that can give threads, in the order of the settings, until
 * one has that of `mid`. EXIT_DONE, also if none has it; EXIT_UNREAD: one could
 * not be asked, which is told; EXIT_USAGE: there is none to ask. */
int thread_fetch(struct session *s, store *st, const char *mid);

#endif
