/* union.c - threads when written: nodes, and which of them belong together
 * Weighted union-find by relabelling: a node moves only into a thread at
 * least as large as its own, so at most log2(n) times. Threads that lost a
 * mail are split again at the end of the transaction (union_split.c). Never
 * looks at subjects or dates: threads are components of references. */
#include "db/union.h"

#include "db/db_priv.h"

struct seat {
	gint64 id;  /* of the node */
	gint64 tid; /* 0: the node is to be made */
};

/* One number space for nodes and threads: a tid is never one that was used
 * by a thread that still exists. */
static gint64 new_id(store *st, GError **err)
{
	gint64 top = 0;

	if (st->next_node)
		return st->next_node++;
	if (db_get_int(st->state, &top, err,
		       "SELECT max(coalesce((SELECT max(id) FROM node), 0), "
		       "coalesce((SELECT max(tid) FROM thread), 0))") < 0)
		return -1;
	st->next_node = top + 2;
	return top + 1;
}

gint64 union_new_thread(store *st, gint64 size, GError **err)
{
	gint64 tid = new_id(st, err);

	if (tid < 0 ||
	    !db_run(st->state, err, "INSERT INTO thread VALUES (?, ?)",
		    INT(tid), INT(size)))
		return -1;
	return tid;
}

static gboolean find_seat(store *st, const char *mid, struct seat *seat,
			  GError **err)
{
	g_autoptr(db_rows) rows =
		db_query(st->state, err,
			 "SELECT id, tid FROM node WHERE mid = ?", TEXT(mid));
	int rc = db_next(rows, err);

	*seat = (struct seat){0};
	if (rc > 0)
		*seat = (struct seat){db_int(rows, 0), db_int(rows, 1)};
	return rc >= 0;
}

static int by_number(gconstpointer a, gconstpointer b)
{
	const gint64 *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* Move all of `from` into `into`; the caller sums up the sizes. */
static gboolean relabel(store *st, gint64 from, gint64 into, GError **err)
{
	if (!db_run(st->state, err, "UPDATE node SET tid = ? WHERE tid = ?",
		    INT(into), INT(from)))
		return FALSE;
	st->relabelled += sqlite3_changes(db_handle(st->state));
	if (g_hash_table_remove(st->unsettled, &from))
		union_unsettle(st, into);
	return db_run(st->state, err, "DELETE FROM thread WHERE tid = ?",
		      INT(from));
}

static gboolean thread_size(store *st, gint64 tid, gint64 *size, GError **err)
{
	*size = 0;
	return db_get_int(st->state, size, err,
			  "SELECT size FROM thread WHERE tid = ?",
			  INT(tid)) >= 0;
}

/* Join the distinct threads `tids` (sorted) and make room for `more` nodes:
 * the largest wins, of equals the smallest tid. Gives the winner. */
static gint64 join(store *st, const GArray *tids, gint64 more, GError **err)
{
	gint64 size, sum = more, most = -1, winner = -1, tid;
	guint i;

	if (!tids->len)
		return union_new_thread(st, more, err);
	if (tids->len == 1 && !more)
		return g_array_index(tids, gint64, 0);
	for (i = 0; i < tids->len; i++) {
		tid = g_array_index(tids, gint64, i);
		if (!thread_size(st, tid, &size, err))
			return -1;
		sum += size;
		if (size > most) {
			most = size;
			winner = tid;
		}
	}
	for (i = 0; i < tids->len; i++) {
		tid = g_array_index(tids, gint64, i);
		if (tid != winner && !relabel(st, tid, winner, err))
			return -1;
	}
	if (!db_run(st->state, err, "UPDATE thread SET size = ? WHERE tid = ?",
		    INT(sum), INT(winner)))
		return -1;
	return winner;
}

static GArray *distinct_tids(const GArray *seats)
{
	GArray *tids = g_array_new(FALSE, FALSE, sizeof(gint64));
	guint i, kept = 0;

	for (i = 0; i < seats->len; i++)
		if (g_array_index(seats, struct seat, i).tid)
			g_array_append_val(
				tids, g_array_index(seats, struct seat, i).tid);
	g_array_sort(tids, by_number);
	for (i = 0; i < tids->len; i++)
		if (!i || g_array_index(tids, gint64, i) !=
				  g_array_index(tids, gint64, kept - 1))
			g_array_index(tids, gint64, kept++) =
				g_array_index(tids, gint64, i);
	g_array_set_size(tids, kept);
	return tids;
}

static gboolean make_node(store *st, const char *mid, gint64 tid,
			  struct seat *seat, GError **err)
{
	seat->id = new_id(st, err);
	seat->tid = tid;
	return seat->id > 0 &&
	       db_run(st->state, err,
		      "INSERT INTO node (id, mid, tid) VALUES (?, ?, ?)",
		      INT(seat->id), TEXT(mid), INT(tid));
}

/* Seat all `mids` (distinct) in one thread, made where they are not there. */
static GArray *seat_all(store *st, const GPtrArray *mids, GError **err)
{
	g_autoptr(GArray) seats =
		g_array_sized_new(FALSE, TRUE, sizeof(struct seat), mids->len);
	g_autoptr(GArray) tids = NULL;
	gint64 missing = 0, tid;
	struct seat *seat;
	guint i;

	g_array_set_size(seats, mids->len);
	for (i = 0; i < mids->len; i++) {
		seat = &g_array_index(seats, struct seat, i);
		if (!find_seat(st, mids->pdata[i], seat, err))
			return NULL;
		missing += !seat->tid;
	}
	tids = distinct_tids(seats);
	tid = join(st, tids, missing, err);
	for (i = 0; tid > 0 && missing && i < mids->len; i++) {
		seat = &g_array_index(seats, struct seat, i);
		if (!seat->tid &&
		    !make_node(st, mids->pdata[i], tid, seat, err))
			return NULL;
	}
	return tid > 0 ? g_steal_pointer(&seats) : NULL;
}

static gboolean pair(store *st, gint64 a, gint64 b, GError **err)
{
	g_autoptr(GArray) tids = g_array_new(FALSE, FALSE, sizeof(gint64));
	gint64 tid[2];
	int rc = 1, i;

	for (i = 0; i < 2 && rc > 0; i++)
		rc = db_get_int(st->state, &tid[i], err,
				"SELECT tid FROM node WHERE id = ?",
				INT(i ? b : a));
	if (rc <= 0)
		return rc == 0;
	if (tid[0] == tid[1])
		return TRUE;
	g_array_append_vals(tids, tid, 2);
	g_array_sort(tids, by_number);
	return join(st, tids, 0, err) > 0;
}

static gboolean write_refs(store *st, gint64 raw, const GArray *seats,
			   const gint64 *seqs, GError **err)
{
	gboolean ok = TRUE;
	guint i;

	for (i = 1; ok && i < seats->len; i++)
		ok = db_run(st->state, err,
			    "INSERT INTO ref (raw, seq, node) "
			    "VALUES (?, ?, ?)",
			    INT(raw), INT(seqs[i]),
			    INT(g_array_index(seats, struct seat, i).id));
	return ok;
}

/* A mail that a marc.info header names: its parent once it is real. */
static gboolean wait_for(store *st, gint64 raw, gint64 node, const char *marc,
			 GError **err)
{
	gint64 target;
	int rc;

	if (!db_run(st->state, err,
		    "INSERT OR IGNORE INTO marc (mid, raw) VALUES (?, ?)",
		    TEXT(marc), INT(raw)))
		return FALSE;
	rc = db_get_int(st->state, &target, err,
			"SELECT id FROM node "
			"WHERE mid = ? AND raw IS NOT NULL",
			TEXT(marc));
	return rc > 0 ? pair(st, node, target, err) : rc == 0;
}

/* Own id first; the ids of thread_ids() once each and never the own one.
 * `seqs` gets what each is: see ref.seq in derived.sql. */
static GPtrArray *ids_of(const message *msg, gint64 **seqs)
{
	GPtrArray *from = message_thread_ids(msg);
	guint links = message_references(msg)->len;
	guint extra = from->len - MIN(message_extra_ids(msg)->len, from->len);
	GPtrArray *ids = g_ptr_array_sized_new(from->len + 1);
	g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);
	gint64 next[] = {0, -1, UNION_OWN_SEQ};
	guint i;

	*seqs = g_new(gint64, from->len + 1);
	g_ptr_array_add(ids, (gpointer)message_id(msg));
	g_hash_table_add(seen, (gpointer)message_id(msg));
	for (i = 0; i < from->len; i++) {
		if (!g_hash_table_add(seen, from->pdata[i]))
			continue;
		(*seqs)[ids->len] = i < links	? next[0]++
				    : i < extra ? next[1]--
						: next[2]--;
		g_ptr_array_add(ids, from->pdata[i]);
	}
	return ids;
}

gint64 union_add(store *st, gint64 raw, const message *msg, GError **err)
{
	g_autofree gint64 *seqs = NULL;
	g_autoptr(GPtrArray) ids = ids_of(msg, &seqs);
	g_autoptr(GArray) seats = seat_all(st, ids, err);
	const char *marc = message_parent_marc(msg);
	gint64 me;

	if (!seats || !write_refs(st, raw, seats, seqs, err))
		return -1;
	me = g_array_index(seats, struct seat, 0).id;
	if (marc && !g_str_equal(marc, message_id(msg)) &&
	    !wait_for(st, raw, me, marc, err))
		return -1;
	return me;
}

gboolean union_real(store *st, gint64 node, const char *mid, GError **err)
{
	g_autoptr(GArray) waiting = g_array_new(FALSE, FALSE, sizeof(gint64));
	g_autoptr(db_rows) rows =
		db_query(st->state, err,
			 "SELECT raw.node FROM marc JOIN raw ON "
			 "raw.id = marc.raw WHERE marc.mid = ? AND "
			 "raw.node IS NOT NULL",
			 TEXT(mid));
	gboolean ok = TRUE;
	gint64 other;
	guint i;
	int rc;

	while ((rc = db_next(rows, err)) > 0) {
		other = db_int(rows, 0);
		g_array_append_val(waiting, other);
	}
	for (i = 0; rc == 0 && ok && i < waiting->len; i++)
		ok = pair(st, node, g_array_index(waiting, gint64, i), err);
	return rc == 0 && ok;
}

void union_unsettle(store *st, gint64 tid)
{
	gint64 *key = g_new(gint64, 1);

	*key = tid;
	g_hash_table_add(st->unsettled, key);
}

gboolean union_remove(store *st, gint64 raw, gint64 node, GError **err)
{
	gint64 tid;

	if (db_get_int(st->state, &tid, err,
		       "SELECT tid FROM node WHERE id = ?", INT(node)) < 1)
		return FALSE;
	union_unsettle(st, tid);
	return db_run(st->state, err, "DELETE FROM ref WHERE raw = ?",
		      INT(raw)) &&
	       db_run(st->state, err, "DELETE FROM marc WHERE raw = ?",
		      INT(raw));
}
