/* union.h - nodes and threads when written: internal to db/
 * See union.c for the algorithm, thread.h for how threads are read. */
#ifndef DB_UNION_H
#define DB_UNION_H

#include "mail/message.h"

#include "db/store.h"

/* ref.seq of further Message-IDs of a mail: this and below. */
#define UNION_OWN_SEQ (-10000)

/* The node of a raw mail and all it refers to, found or made, joined in one
 * thread, with the raw's ref and marc rows. -1 and *err. */
gint64 union_add(store *st, gint64 raw, const message *msg, GError **err);
/* `node` became real: mails that wait for it by a marc.info id join it. */
gboolean union_real(store *st, gint64 node, const char *mid, GError **err);
/* Forget the refs of a raw mail; its thread is split at the end if need be. */
gboolean union_remove(store *st, gint64 raw, gint64 node, GError **err);
/* Split what union_remove() may have parted; nodes that nothing refers to
 * vanish. At the end of the transaction. */
gboolean union_settle(store *st, GError **err);

/* ---- between union.c and union_split.c */
gint64 union_new_thread(store *st, gint64 size, GError **err);
void union_unsettle(store *st, gint64 tid);

#endif
