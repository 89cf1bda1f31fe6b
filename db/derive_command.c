/* derive_command.c - lines meant for a tracker, to rows */
#include "db/db_priv.h"
#include "db/derive.h"

static gboolean derive_one(store *st, gint64 node, guint seq,
			   const struct command *c, GError **err)
{
	return db_run(st->state, err,
		      "INSERT INTO command (node, seq, marker, verb, written, "
		      "args, line, block, status, problem, parent, root, "
		      "target) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
		      INT(node), INT(seq), TEXT(c->marker), TEXT(c->verb),
		      TEXT(c->verb_written), TEXT(c->args), INT(c->line),
		      INT(c->block), INT(c->status), TEXT(c->problem),
		      INT(c->parent), INT(c->root), TEXT(c->target_url));
}

gboolean derive_commands(store *st, gint64 node, const struct reading *r,
			 GError **err)
{
	for (guint i = 0; i < r->commands->len; i++)
		if (!derive_one(st, node, i, r->commands->pdata[i], err))
			return FALSE;
	return TRUE;
}
