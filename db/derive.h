/* derive.h - the rows that follow from one reading: internal to db/ */
#ifndef DB_DERIVE_H
#define DB_DERIVE_H

#include "mail/reading.h"

#include "db/store.h"

#define MEASURE_MAX_ROWS 2000 /* kept of one table */

/* The thread node of a real mail: its raw, date and parent claim. */
gboolean derive_node(store *st, gint64 node, gint64 raw,
		     const struct reading *r, GError **err);
/* Everything else; the node has no such rows. `copies` mails share its id. */
gboolean derive_rows(store *st, gint64 node, const struct reading *r,
		     gint64 copies, GError **err);
/* Delete what derive_rows() made. */
gboolean derive_forget(store *st, gint64 node, GError **err);

/* ---- derive_patch.c */
gboolean derive_patch(store *st, gint64 node, const struct reading *r,
		      GError **err);

/* ---- derive_report.c */
gboolean derive_report(store *st, gint64 node, const struct report *p,
		       GError **err);
/* Tables, raw values, words. */
gboolean derive_measures(store *st, gint64 node, const struct reading *r,
			 GError **err);

/* ---- derive_command.c */
gboolean derive_commands(store *st, gint64 node, const struct reading *r,
			 GError **err);

/* ---- derive_said.c */
gboolean derive_applied(store *st, gint64 node, const struct applied *a,
			GError **err);

/* The strings of an array joined by newlines, NULL if there are none. */
char *derive_lines(const GPtrArray *strings);

#endif
