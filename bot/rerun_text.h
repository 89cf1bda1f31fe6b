/* rerun_text.h - verdicts, the history of a report, places of fixes, in words */
#ifndef BOT_RERUN_TEXT_H
#define BOT_RERUN_TEXT_H

#include <glib.h>

#include "mail/rerun.h"

#include "db/items.h"

/* "recovered, high confidence: 0.98 of the change of fsmark.files_per_sec is
 * gone with "title" (95 %: 0.88 to 1.11)". One line, no full stop. */
char *rerun_sentence(const struct rerun *r);

/* What is known from other reports, a sentence each: "4th report of this
 * metric on this machine, of 4" ... Never NULL. */
GPtrArray *history_sentences(const struct item *i);

/* The fix's status; "said to be applied" where git does not show it. Static. */
const char *fix_status_text(const struct item_fix *fix);

/* "mainline: yes, since v6.7-rc1"; "not looked" is not "no". */
char *fix_tree_text(const struct item_fix_tree *t);

#endif
