/* item_arg.h - the item that an argument of the command line means */
#ifndef BOT_ITEM_ARG_H
#define BOT_ITEM_ARG_H

#include "db/items.h"

#include "bot/cli.h"

/* As item_find(). NULL after saying why, with *rc set: EXIT_NONE, EXIT_USAGE
 * where it is not unique, or what stands for the error. */
struct item *item_arg(struct session *s, store *st, const char *what, int *rc);

#endif
