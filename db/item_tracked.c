/* item_tracked.c - items that commands make, and what commands say to all
 * The tracker knows which there are; here they become values. */
#include <string.h>

#include "db/track_priv.h"

/* ---- a report of a person, or a ticket */

static const char *skip_mark(const char *subject)
{
	static const char mark[] = "[regression]";

	while (*subject == ' ')
		subject++;
	if (!g_ascii_strncasecmp(subject, mark, strlen(mark)))
		subject += strlen(mark);
	while (*subject == ' ')
		subject++;
	return subject;
}

/* The mail that began to track it. */
static const struct track_note *first_note(const struct tracked *i)
{
	return i->notes->len ? i->notes->pdata[0] : NULL;
}

static void read_human(struct tracker *t, struct tracked *x,
		       struct item_facts *f)
{
	struct track_mail *m = x->node ? track_mail_get(t, x->node) : NULL;
	const struct track_note *first = first_note(x);
	struct track_mail *by =
		first ? track_mail_named(t, first->note.mid) : NULL;
	const char *subject = m && m->subject	  ? m->subject
			      : by && by->subject ? by->subject
						  : x->key;
	struct item *i = f->item = item_new();

	f->node = x->node;
	f->tid = x->tid;
	i->mid = g_strdup(x->key);
	if (x->ticket)
		i->report_url = g_strdup(x->key);
	i->reported = x->date;
	i->subject = g_strdup(subject);
	i->title = g_strdup(skip_mark(subject));
	if (m) {
		i->reporter_name = g_strdup(m->name);
		i->reporter_address = g_strdup(m->address);
	}
	item_facts_strings(f);
}

/* ---- all of them */

static int compare_facts(gconstpointer a, gconstpointer b)
{
	const struct item_facts *x = a, *y = b;

	if (x->tid != y->tid)
		return x->tid < y->tid ? -1 : 1;
	return strcmp(x->item->mid, y->item->mid);
}

static void adopt(struct tracker *t, struct item_facts *f, struct tracked *x)
{
	f->tracker = t;
	f->tracked = x;
	g_free(f->item->id);
	f->item->id = g_strdup(x->id);
}

static void add_humans(struct tracker *t, GArray *facts)
{
	for (guint n = 0; n < t->all->len && !t->error; n++) {
		struct tracked *x = t->all->pdata[n];
		struct item_facts f = {0};

		if (x->robot || x->dropped)
			continue;
		read_human(t, x, &f);
		adopt(t, &f, x);
		g_array_append_val(facts, f);
	}
}

/* Reports of a bug that is tracked already are no items. */
static void keep_tracked(struct tracker *t, GArray *facts)
{
	g_autoptr(GHashTable) by_node =
		g_hash_table_new(g_int64_hash, g_int64_equal);
	guint kept = 0;

	for (guint n = 0; n < t->all->len; n++) {
		struct tracked *x = t->all->pdata[n];

		if (x->robot)
			g_hash_table_insert(by_node, &x->node, x);
	}
	for (guint n = 0; n < facts->len; n++) {
		struct item_facts *f =
			&g_array_index(facts, struct item_facts, n);
		struct tracked *x = g_hash_table_lookup(by_node, &f->node);

		if (!x) {
			item_facts_free(f);
			continue;
		}
		adopt(t, f, x);
		if (kept != n)
			g_array_index(facts, struct item_facts, kept) = *f;
		kept++;
	}
	for (guint n = kept; n < facts->len; n++)
		memset(&g_array_index(facts, struct item_facts, n), 0,
		       sizeof(struct item_facts));
	g_array_set_size(facts, kept);
}

static GArray *load_one(struct tracker *t, struct tracked *one, GError **err)
{
	GArray *facts;

	if (one->robot) {
		facts = item_reports_load(t->st, one->node, err);
		if (facts && facts->len)
			adopt(t, &g_array_index(facts, struct item_facts, 0),
			      one);
		return facts;
	}
	facts = g_array_new(FALSE, TRUE, sizeof(struct item_facts));
	g_array_set_clear_func(facts, item_facts_free);
	g_array_set_size(facts, 1);
	read_human(t, one, &g_array_index(facts, struct item_facts, 0));
	adopt(t, &g_array_index(facts, struct item_facts, 0), one);
	return facts;
}

GArray *item_tracked_load(struct tracker *t, struct tracked *one, GError **err)
{
	g_autoptr(GArray) facts =
		one ? load_one(t, one, err) : item_reports_load(t->st, 0, err);

	if (!facts)
		return NULL;
	if (!one) {
		keep_tracked(t, facts);
		add_humans(t, facts);
		g_array_sort(facts, compare_facts);
	}
	if (!t->error)
		return g_steal_pointer(&facts);
	g_propagate_error(err, g_steal_pointer(&t->error));
	return NULL;
}

/* ---- what commands set */

static void set(char **to, const char *value)
{
	g_free(*to);
	*to = g_strdup(value);
}

static void set_culprit(struct item_facts *f, const struct track_note *n)
{
	struct item *i = f->item;
	gboolean commit = n->ref && n->ref->kind == REFERENCE_COMMIT;

	f->introduced = n->note.time;
	if (commit && i->commit && g_str_has_prefix(i->commit, n->ref->id))
		return;
	set(&i->commit, commit ? n->ref->id : NULL);
	set(&i->commit_subject, commit ? n->ref->title : NULL);
	set(&i->range, commit ? NULL : n->note.text);
}

/* "Name <address>", either part alone, too. */
static void set_reporter(struct item *i, const char *text)
{
	const char *open = strchr(text, '<');
	const char *close = open ? strchr(open, '>') : NULL;

	g_free(i->reporter_name);
	i->reporter_name =
		open ? g_strstrip(g_strndup(text, (gsize)(open - text)))
		     : g_strdup(text);
	g_free(i->reporter_address);
	i->reporter_address =
		close ? g_strndup(open + 1, (gsize)(close - open - 1)) : NULL;
}

static void take(struct item_facts *f, const struct track_note *n)
{
	struct item *i = f->item;
	const char *type = n->note.type;

	if (!strcmp(type, "introduced"))
		set_culprit(f, n);
	else if (!strcmp(type, "title"))
		set(&i->title, n->note.text);
	else if (!strcmp(type, "from"))
		set_reporter(i, n->note.text);
	else if (!strcmp(type, "poked"))
		i->poked = n->note.time;
}

static void take_links(struct item_facts *f)
{
	for (guint n = 0; n < f->tracked->links->len; n++) {
		const struct item_link *l = f->tracked->links->pdata[n];
		struct item_link *copy = g_new0(struct item_link, 1);

		copy->url = g_strdup(l->url);
		copy->title = g_strdup(l->title);
		copy->mid = g_strdup(l->mid);
		copy->monitored = l->monitored;
		g_ptr_array_add(f->item->links, copy);
	}
}

static int compare_texts(gconstpointer a, gconstpointer b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static void take_duplicates(struct item_facts *f)
{
	struct item *i = f->item;

	if (f->tracked->duplicate_of)
		i->duplicate_of = g_strdup(f->tracked->duplicate_of->id);
	for (guint n = 0; n < f->tracked->duplicates->len; n++) {
		const struct tracked *x = f->tracked->duplicates->pdata[n];

		g_ptr_array_add(i->duplicates, g_strdup(x->id));
	}
	g_ptr_array_sort(i->duplicates, compare_texts);
}

/* ---- properties, and people who are told */

static void add_person(struct item *i, const char *role, const char *name,
		       const char *address)
{
	struct item_person *p = g_new0(struct item_person, 1);

	p->name = item_ref(name);
	p->address = item_ref(address);
	p->role = role;
	g_ptr_array_add(i->people, p);
}

/* "Name <address>" */
static void add_named(struct item *i, const char *role, const char *text)
{
	const char *open = strrchr(text, '<');
	g_autofree char *name =
		open ? g_strndup(text, (gsize)(open - text)) : NULL;
	g_autofree char *address =
		open ? g_strndup(open + 1, strcspn(open + 1, ">")) : NULL;

	if (open)
		add_person(i, role, g_strstrip(name), address);
}

static void take_value(struct item *i, const char *key, const char *text)
{
	static const char *const levels[] = {"low", "normal", "high"};

	for (guint n = 0; n < G_N_ELEMENTS(levels); n++)
		if (!strcmp(key, "prio") && !strcmp(text, levels[n]))
			i->prio = levels[n];
	if (!strcmp(key, "assigned")) {
		set(&i->assignee, text);
		add_named(i, "assignee", text);
	} else if (g_str_has_prefix(key, "set "))
		g_ptr_array_add(i->settings, g_strdup(text));
	else if (g_str_has_prefix(key, "cc "))
		add_named(i, "cc", text);
	else if (g_str_has_prefix(key, "muted "))
		add_named(i, "muted", text);
}

static void take_values(struct item_facts *f)
{
	GHashTableIter iter;
	gpointer key, text;

	g_hash_table_iter_init(&iter, f->tracked->values);
	while (g_hash_table_iter_next(&iter, &key, &text))
		take_value(f->item, key, text);
	g_ptr_array_sort(f->item->settings, compare_texts);
}

static gboolean is_muted(const struct item *i, const char *address)
{
	for (guint n = 0; n < i->people->len; n++) {
		const struct item_person *p = i->people->pdata[n];

		if (!strcmp(p->role, "muted") &&
		    !g_ascii_strcasecmp(p->address, address))
			return TRUE;
	}
	return FALSE;
}

void item_take_mutes(struct item_facts *f)
{
	struct item *i = f->item;
	guint count = i->people->len;

	for (guint n = 0; n < count; n++) {
		const struct item_person *p = i->people->pdata[n];

		if (track_has_muted_all(f->tracker, p->address) &&
		    !is_muted(i, p->address))
			add_person(i, "muted", p->name, p->address);
	}
}

void item_take_commands(struct item_facts *f, GArray *notes)
{
	for (guint n = 0; n < f->tracked->notes->len; n++) {
		const struct track_note *x = f->tracked->notes->pdata[n];

		if (!track_note_holds(x))
			continue;
		take(f, x);
		g_array_append_val(notes, x->note);
	}
	for (guint n = 0; n < f->tracked->commands->len; n++)
		g_ptr_array_add(f->item->commands,
				command_record_new(
					f->tracked->commands->pdata[n]));
	take_links(f);
	take_duplicates(f);
	take_values(f);
}
