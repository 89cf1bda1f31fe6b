/* fold.c - Message-IDs in another case than they are stored
 * The index knows ids by their bytes. Both it and the ways to write an id in
 * capitals and small letters are sorted, so they are walked side by side, each
 * leaping to where the other one is: a few keys, however many there are. A
 * second index would make every import pay for a rare question. */
#include "db/fold.h"

#include <string.h>

#include "db/db_priv.h"

/* The smallest way to write the byte `c` that is `least` or more; 0: none. */
static guint written(char c, guint least)
{
	guchar upper = g_ascii_toupper(c), lower = g_ascii_tolower(c);

	return upper >= least ? upper : lower >= least ? lower : 0;
}

static void append_upper(GString *out, const char *from)
{
	for (; *from; from++)
		g_string_append_c(out, g_ascii_toupper(*from));
}

char *fold_next(const char *mid, const char *key)
{
	GString *out = g_string_sized_new(strlen(mid));
	gssize turn = -1; /* the last place where a larger byte would do */
	gsize i;

	for (i = 0; mid[i] && key[i]; i++) {
		guint byte = written(mid[i], (guchar)key[i]);

		if (byte != (guchar)key[i])
			break;
		if (written(mid[i], byte + 1))
			turn = (gssize)i;
		g_string_append_c(out, (char)byte);
	}
	if (key[i]) { /* what is written so far may not go on as `key` does */
		if (mid[i] && written(mid[i], (guchar)key[i]))
			turn = (gssize)i;
		if (turn < 0) {
			g_string_free(out, TRUE);
			return NULL;
		}
		i = (gsize)turn;
		g_string_truncate(out, i);
		g_string_append_c(out,
				  (char)written(mid[i], (guchar)key[i] + 1u));
		i++;
	}
	append_upper(out, mid + i);
	return g_string_free(out, FALSE);
}

/* The first id that is not before `from`. You own it. */
static int seek(store *st, const char *from, char **mid, gint64 *node,
		GError **err)
{
	g_autoptr(db_rows) rows =
		db_query(st->state, err,
			 "SELECT mid, id FROM node WHERE mid >= ? "
			 "ORDER BY mid LIMIT 1",
			 TEXT(from));
	int rc = db_next(rows, err);

	*mid = rc > 0 ? db_dup(rows, 0) : NULL;
	if (rc > 0)
		*node = db_int(rows, 1);
	return rc;
}

int fold_find(store *st, const char *mid, gint64 *node, GError **err)
{
	g_autofree char *at = g_ascii_strup(mid, -1);
	guint n;

	for (n = 0; at && n < FOLD_MAX_SEEKS; n++) {
		g_autofree char *key = NULL;
		int rc = seek(st, at, &key, node, err);

		if (rc <= 0)
			return rc;
		if (g_ascii_strcasecmp(key, mid) == 0)
			return 1;
		g_free(at);
		at = fold_next(mid, key);
	}
	return 0;
}
