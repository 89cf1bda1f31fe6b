/* am_replies.c - the trailers that were given in replies, patch by patch
 * threads-patches 4.3 and 4.4. A reply speaks of the nearest patch or cover
 * above it. What was said of an older version counts where the patch is the
 * same by its patch-id. */
#include <string.h>

#include "bot/am_priv.h"

/* A reply, and the series mail that it speaks of. */
struct said {
	const struct thread_node *node; /* lent by the threads */
	const char *target;
	gint64 date;
};

struct collector {
	struct am_job *job;
	GHashTable *by_patch_id; /* -> struct am_slot */
	GPtrArray *threads;	 /* of struct thread */
	GHashTable *roots;	 /* of those */
	GArray *said;		 /* of struct said */
};

static void thread_item_free(gpointer t)
{
	thread_free(t);
}

/* ---- which replies, and what they speak of */

/* The series mail at or above `at`, NULL where another patch is in between. */
static const char *find_target(const struct am_job *job, const struct thread *t,
			       int at)
{
	for (guint step = 0; at >= 0 && step < t->nodes->len; step++) {
		const struct thread_node *n = t->nodes->pdata[at];

		if (g_hash_table_contains(job->series_of, n->mid))
			return n->mid;
		if (!n->ghost && n->kind == KIND_PATCH)
			return NULL;
		at = n->parent;
	}
	return NULL;
}

static void add_thread_replies(struct collector *c, const struct thread *t)
{
	for (guint i = 0; i < t->nodes->len; i++) {
		const struct thread_node *n = t->nodes->pdata[i];
		struct said s = {n, NULL, n->date};

		if (n->ghost || n->kind == KIND_PATCH || n->parent < 0 ||
		    g_hash_table_contains(c->job->series_of, n->mid))
			continue;
		s.target = find_target(c->job, t, n->parent);
		if (s.target)
			g_array_append_val(c->said, s);
	}
}

static gboolean add_thread_of(struct collector *c, int mail, GError **err)
{
	const char *mid = am_mail_at(c->job, mail)->mid;
	g_autoptr(thread_auto) t = NULL;

	if (g_hash_table_contains(c->roots, mid))
		return TRUE;
	t = thread_load(c->job->st, mid, err);
	if (!t)
		return FALSE;
	for (guint i = 0; i < t->nodes->len; i++) {
		const struct thread_node *n = t->nodes->pdata[i];

		g_hash_table_add(c->roots, n->mid);
	}
	add_thread_replies(c, t);
	g_ptr_array_add(c->threads, g_steal_pointer(&t));
	return TRUE;
}

static gboolean add_series_threads(struct collector *c, const struct series *s,
				   GError **err)
{
	if (s->cover >= 0 && !add_thread_of(c, s->cover, err))
		return FALSE;
	for (guint i = 0; i < s->patches->len; i++) {
		const struct series_patch *p =
			&g_array_index(s->patches, struct series_patch, i);

		if (!add_thread_of(c, p->mail, err))
			return FALSE;
	}
	return TRUE;
}

/* The chosen series and the versions before it. */
static gboolean add_all_threads(struct collector *c, GError **err)
{
	int at = c->job->chosen_index;

	for (guint i = 0; at >= 0 && i < AM_MAX_VERSIONS; i++) {
		const struct series *s = c->job->set->series->pdata[at];

		if (!add_series_threads(c, s, err))
			return FALSE;
		at = s->resend_of >= 0 ? s->resend_of : s->supersedes;
	}
	return TRUE;
}

static int by_date(gconstpointer a, gconstpointer b)
{
	const struct said *x = a, *y = b;

	if (x->date != y->date)
		return x->date < y->date ? -1 : 1;
	return strcmp(x->node->mid, y->node->mid);
}

/* ---- to which patches that goes */

static GArray *list_of(struct collector *c, struct am_slot *slot, int mail,
		       gboolean cover)
{
	if (slot->mail != mail)
		return slot->carried;
	return cover ? slot->for_cover : slot->given;
}

/* The slot of the chosen series that holds this patch, or an equal one. */
static struct am_slot *slot_of(const struct collector *c, int mail)
{
	const char *id = am_mail_at(c->job, mail)->patch_id;

	for (guint i = 0; i < c->job->slots->len; i++) {
		struct am_slot *slot = c->job->slots->pdata[i];

		if (slot->mail == mail)
			return slot;
	}
	return id ? g_hash_table_lookup(c->by_patch_id, id) : NULL;
}

static gboolean is_meant(const struct am_scope *scope, int number, int target,
			 gboolean is_cover)
{
	if (scope->whole)
		return TRUE;
	if (!scope->numbers->len)
		return is_cover || number == target;
	for (guint i = 0; i < scope->numbers->len; i++)
		if (g_array_index(scope->numbers, int, i) == number)
			return TRUE;
	return FALSE;
}

/* The series that a reply to `target` speaks of. A cover that a reroll of a
 * part took over is the cover of all that is chosen. */
static const struct series *find_series(const struct collector *c,
					const char *target)
{
	const struct series *s = c->job->chosen;
	guint at;

	if (s->cover >= 0 && !strcmp(am_mail_at(c->job, s->cover)->mid, target))
		return s;
	at = GPOINTER_TO_UINT(g_hash_table_lookup(c->job->series_of, target));
	return c->job->set->series->pdata[at - 1];
}

/* The lists that a reply to `target` adds to. */
static GPtrArray *find_lists(struct collector *c, const char *target,
			     const struct am_scope *scope)
{
	GPtrArray *out = g_ptr_array_new();
	const struct series *s = find_series(c, target);
	gboolean cover = s->cover >= 0 &&
			 !strcmp(am_mail_at(c->job, s->cover)->mid, target);
	int number = -1;

	for (guint i = 0; i < s->patches->len; i++) {
		const struct series_patch *p =
			&g_array_index(s->patches, struct series_patch, i);

		if (!strcmp(am_mail_at(c->job, p->mail)->mid, target))
			number = p->number;
	}
	for (guint i = 0; i < s->patches->len; i++) {
		const struct series_patch *p =
			&g_array_index(s->patches, struct series_patch, i);
		struct am_slot *slot = slot_of(c, p->mail);

		if (slot && is_meant(scope, p->number, number, cover))
			g_ptr_array_add(out,
					list_of(c, slot, p->mail,
						cover || p->number != number));
	}
	return out;
}

/* ---- the replies read */

/* A person speaks for himself; facts (Fixes, Link) are anybody's. */
static gboolean is_given(const struct trailer *t, const struct address *from)
{
	if (!t->counts || t->relayed ||
	    !g_ascii_strcasecmp(t->key, "Nacked-by"))
		return FALSE;
	return t->type != TRAILER_PERSON ||
	       (t->who && address_same_person(t->who, from));
}

static void withdraw(GPtrArray *lists, const struct address *from)
{
	for (guint i = 0; i < lists->len; i++) {
		GArray *list = lists->pdata[i];

		for (guint k = list->len; k > 0; k--) {
			const struct am_given *g =
				&g_array_index(list, struct am_given, k - 1);

			if (address_same_person(g->from, from))
				g_array_remove_index(list, k - 1);
		}
	}
}

static void give(GPtrArray *lists, GPtrArray *trailers,
		 const struct address *from)
{
	for (guint i = 0; i < trailers->len; i++) {
		struct am_given given = {trailers->pdata[i], from};

		if (!is_given(given.trailer, from))
			continue;
		for (guint k = 0; k < lists->len; k++)
			g_array_append_val((GArray *)lists->pdata[k], given);
	}
}

static gboolean take_reply(struct collector *c, const struct said *said,
			   GError **err)
{
	g_autoptr(GError) why = NULL;
	struct reading *r = am_read(c->job, said->node->mid, &why);
	g_autoptr(GPtrArray) lists = NULL;
	const struct address *from;
	struct am_scope scope;
	GPtrArray *trailers;

	if (!r && why) {
		g_propagate_error(err, g_steal_pointer(&why));
		return FALSE;
	}
	if (!r)
		return TRUE; /* its bytes are gone */
	from = message_from(r->msg);
	trailers = trailers_in_reply(r->body, from);
	g_ptr_array_add(c->job->trailers, trailers);
	am_scope_init(&scope, r->body, trailers);
	lists = find_lists(c, said->target, &scope);
	if (scope.withdraws)
		withdraw(lists, from);
	else
		give(lists, trailers, from);
	am_scope_clear(&scope);
	return TRUE;
}

static void index_slots(struct collector *c)
{
	for (guint i = 0; i < c->job->slots->len; i++) {
		struct am_slot *slot = c->job->slots->pdata[i];
		const char *id = am_mail_at(c->job, slot->mail)->patch_id;

		if (id)
			g_hash_table_insert(c->by_patch_id, (gpointer)id, slot);
	}
}

gboolean am_collect(struct am_job *job, GError **err)
{
	struct collector c = {.job = job};
	gboolean ok;

	c.by_patch_id = g_hash_table_new(g_str_hash, g_str_equal);
	c.threads = g_ptr_array_new_with_free_func(thread_item_free);
	c.roots = g_hash_table_new(g_str_hash, g_str_equal);
	c.said = g_array_new(FALSE, FALSE, sizeof(struct said));
	index_slots(&c);
	ok = add_all_threads(&c, err);
	g_array_sort(c.said, by_date);
	for (guint i = 0; ok && i < c.said->len; i++)
		ok = take_reply(&c, &g_array_index(c.said, struct said, i),
				err);
	g_array_unref(c.said);
	g_hash_table_unref(c.roots);
	g_ptr_array_unref(c.threads);
	g_hash_table_unref(c.by_patch_id);
	return ok;
}
