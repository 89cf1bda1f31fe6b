/* item_arg.c - the item that an argument of the command line means
 * What names an item is decided in db/item_find.c. */
#include "bot/item_arg.h"

struct item *item_arg(struct session *s, store *st, const char *what, int *rc)
{
	g_autoptr(GError) err = NULL;
	gboolean many = FALSE;
	struct item *i = item_find(st, what, &many, &err);

	*rc = EXIT_DONE;
	if (i)
		return i;
	if (err) {
		*rc = cli_fail(NULL, err);
	} else if (many) {
		cli_error("%s: means more than one item; culprit status lists "
			  "their ids",
			  what);
		*rc = EXIT_USAGE;
	} else {
		cli_error("%s: no tracked item is known by that", what);
		*rc = EXIT_NONE;
	}
	return NULL;
}
