/* command_past.c - what somebody has written to a tracker before */
#include "db/command_past.h"

#include <string.h>

#include "mail/command.h"

#include "db/db_priv.h"

static gboolean switches_on(const char *args)
{
	const char *value = strchr(args, ':');

	return value &&
	       !g_ascii_strcasecmp(value + 1 + strspn(value + 1, " "), "on");
}

static void take(db_rows *rows, gint64 now, struct command_past *past)
{
	static const char receipts[] = "receipts:";
	const struct command c = {.status =
					  (enum command_status)db_int(rows, 0),
				  .problem = (char *)db_text(rows, 1)};
	const char *args = db_text(rows, 4);

	if (c.status != COMMAND_INERT)
		past->mails++;
	else if (command_is_near_miss(&c) &&
		 db_int(rows, 2) > now - COMMAND_PAST_WEEK)
		past->slips++;
	if (c.status == COMMAND_OK && !g_strcmp0(db_text(rows, 3), "set") &&
	    args && !g_ascii_strncasecmp(args, receipts, strlen(receipts)))
		past->receipts = switches_on(args);
}

gboolean command_past_load(store *st, const char *address, const char *mid,
			   gint64 now, struct command_past *past, GError **err)
{
	static const char sql[] =
		"SELECT c.status, c.problem, n.date, c.verb, c.args"
		" FROM address a JOIN person p ON p.address = a.id"
		" JOIN message m ON m.person = p.id"
		" JOIN command c ON c.node = m.node"
		" JOIN node n ON n.id = m.node"
		" WHERE a.text = ?1 COLLATE NOCASE AND c.marker = '#culprit'"
		" AND n.mid <> ?2 AND n.date <= ?3"
		" ORDER BY n.date, n.mid, c.seq LIMIT ?4";
	GError *failed = NULL;
	g_autoptr(db_rows) rows =
		db_query(st->state, &failed, sql, TEXT(address), TEXT(mid),
			 INT(now), INT(COMMAND_PAST_MAILS));

	memset(past, 0, sizeof(*past));
	while (!failed && db_next(rows, &failed) > 0)
		take(rows, now, past);
	if (failed)
		g_propagate_error(err, failed);
	return !failed;
}
