/* track_letters.h - mails with commands, and commits, in short
 * A world of letters and commits is put into a database in any order, and
 * described in lines that hold all that can be seen of its items. */
#ifndef TESTS_DB_TRACK_LETTERS_H
#define TESTS_DB_TRACK_LETTERS_H

#include <stdlib.h>

#include "db/commands.h"
#include "db/commit_store.h"
#include "db/items.h"

#include "tests/db/support.h"

#define NOW (1577836800 + 100 * DAY)

struct letter {
	const char *id, *reply_to, *subject, *body; /* NULL id: no more */
	int day;
	const char *from; /* NULL: Jo Wu */
};

static inline void put_letter(store *st, const struct letter *l)
{
	g_autofree char *text = g_strdup_printf("%s\n", l->body);
	g_autoptr(GDateTime) t =
		g_date_time_new_from_unix_utc(1577836800 + l->day * DAY);
	g_autofree char *date = g_date_time_format(t, "%a, %d %b %Y %T +0000");
	GString *s = g_string_new(NULL);
	struct add a = {.kind = "mbox", .place = "/mail/box", .list = LIST};

	g_string_printf(s, "From: %s\nMessage-ID: <%s>\n",
			l->from ? l->from : "Jo Wu <jo@example.org>", l->id);
	append_ids(s, "References", l->reply_to);
	append_ids(s, "In-Reply-To", l->reply_to);
	g_string_append_printf(s, "Subject: %s\nDate: %s\n\n%s",
			       l->subject ? l->subject : "Re: slow", date,
			       text);
	a.bytes = g_string_free_to_bytes(s);
	run(st, add_in, &a);
	g_bytes_unref(a.bytes);
}

/* ---- commits */

struct git_letter {
	const char *tree; /* NULL: no more */
	const char *id;	  /* one letter, which is all 40 digits */
	const char *subject, *body;
	int day;
};

static inline gboolean put_in(store *st, void *data, GError **err)
{
	static const struct {
		const char *name;
		enum tree_role role;
	} names[] = {{"mainline", TREE_MAINLINE},
		     {"next", TREE_NEXT},
		     {"stable", TREE_STABLE}};
	const struct git_letter *l = data;
	g_autoptr(GPtrArray) trees =
		g_ptr_array_new_with_free_func((GDestroyNotify)code_tree_free);
	struct stored_branch *b = NULL;
	gboolean ok;
	g_autoptr(commit_object_auto) c = NULL;
	g_autofree char *raw = NULL;
	struct code_tree *at = NULL;
	guint8 oid[COMMIT_OID_LEN];
	gint64 row, when = 1577836800 + l->day * DAY;

	for (guint n = 0; n < G_N_ELEMENTS(names); n++) {
		struct code_tree *t = g_new0(struct code_tree, 1);

		t->name = g_strdup(names[n].name);
		t->place = g_strdup_printf("/git/%s.git", t->name);
		t->role = names[n].role;
		g_ptr_array_add(trees, t);
		if (!strcmp(t->name, l->tree))
			at = t;
	}
	raw = g_strdup_printf("tree %040d\nauthor Ida Brandt <ida@example.org>"
			      " %" G_GINT64_FORMAT " +0000\ncommitter "
			      "Ida Brandt <ida@example.org> %" G_GINT64_FORMAT
			      " +0000\n\n%s\n\n%s",
			      0, when, when, l->subject,
			      l->body ? l->body : "");
	c = commit_object_parse(raw, strlen(raw));
	memset(oid,
	       16 * g_ascii_xdigit_value(*l->id) + g_ascii_xdigit_value(*l->id),
	       sizeof(oid));
	if (!commit_store_trees(st, trees, err))
		return FALSE;
	for (guint n = 0; n < trees->len; n++)
		if (!commit_store_looked(
			    st, ((struct code_tree *)trees->pdata[n])->row, NOW,
			    0, err))
			return FALSE;
	b = commit_store_branch(st, at->row, "master", err);
	if (!b)
		return FALSE;
	row = commit_store_find(st, oid, err);
	if (!row)
		row = commit_store_add(st, oid, c, err);
	ok = row > 0 && commit_store_present(st, row, b->row, when, err) &&
	     commit_store_head(st, b->row, oid, err);
	stored_branch_free(b);
	return ok;
}

static inline void put_commit(store *st, const struct git_letter *l)
{
	run(st, put_in, (void *)l);
}

/* ---- the world in lines */

static inline void add_texts(GString *out, const char *name, GPtrArray *texts)
{
	for (guint n = 0; n < texts->len; n++)
		g_string_append_printf(out, " %s=%s", name,
				       (char *)texts->pdata[n]);
}

/* Those of commands alone. */
static inline void describe_people(GString *out, const struct item *i)
{
	for (guint n = 0; n < i->people->len; n++) {
		const struct item_person *p = i->people->pdata[n];

		if (!strcmp(p->role, "cc") || !strcmp(p->role, "muted"))
			g_string_append_printf(out, " %s=%s", p->role,
					       p->address);
	}
}

static inline void describe_item(GString *out, const struct item *i)
{
	g_string_append_printf(out, "%s: %s %s '%s'", i->mid, i->state,
			       i->open ? "open" : "closed", i->title);
	if (i->commit)
		g_string_append_printf(out, " commit=%s", i->commit);
	if (i->range)
		g_string_append_printf(out, " range=%s", i->range);
	if (i->tree)
		g_string_append_printf(out, " tree=%s", i->tree);
	if (i->reporter_name)
		g_string_append_printf(out, " by=%s", i->reporter_name);
	if (i->backburner)
		g_string_append_printf(out, " backburner=%s",
				       i->backburner_reason);
	if (i->disputed.since)
		g_string_append_printf(out, " disputed=%s", i->disputed.mid);
	if (i->prio)
		g_string_append_printf(out, " prio=%s", i->prio);
	if (i->assignee)
		g_string_append_printf(out, " assignee=%s", i->assignee);
	add_texts(out, "set", i->settings);
	describe_people(out, i);
	if (i->duplicate_of)
		g_string_append(out, " is-duplicate");
	if (i->duplicates->len)
		g_string_append_printf(out, " duplicates=%u",
				       i->duplicates->len);
	g_string_append_printf(out, " active=%d",
			       (int)((i->last_activity - 1577836800) / DAY));
	for (guint n = 0; n < i->fixes->len; n++) {
		const struct item_fix *f = i->fixes->pdata[n];

		g_string_append_printf(out, " fix=%.7s/%s/%s",
				       f->id ? f->id : "-",
				       f->subject ? f->subject : "-",
				       f->status);
		if (strcmp(f->role, "fix") != 0)
			g_string_append_printf(out, "/%s", f->role);
		for (guint k = 0; f->trees && k < f->trees->len; k++) {
			const struct item_fix_tree *t = f->trees->pdata[k];

			g_string_append_printf(out, " %s:%s", t->name,
					       t->present > 0	? "yes"
					       : t->present < 0 ? "?"
								: "no");
		}
	}
	for (guint n = 0; n < i->links->len; n++) {
		const struct item_link *l = i->links->pdata[n];

		g_string_append_printf(out, " link=%s%s",
				       l->mid ? l->mid : l->url,
				       l->monitored ? "+" : "");
	}
	g_string_append_c(out, '\n');
}

static inline void describe_events(GString *out, const struct item *i)
{
	for (guint n = 0; n < i->events->len; n++) {
		const struct item_event *e = i->events->pdata[n];

		g_string_append_printf(out, "  %s %s %s %s\n", e->type, e->by,
				       e->mid ? e->mid : "-",
				       e->text ? e->text : "-");
	}
	g_string_append_printf(out, "  waits for %s since %d: %s, %s%s\n",
			       i->waiting.role ? i->waiting.role : "-",
			       (int)((i->waiting.since - 1577836800) / DAY),
			       i->waiting.reason ? i->waiting.reason : "-",
			       i->waiting.person ? i->waiting.person : "-",
			       i->stalled ? ", stalled" : "");
}

static inline int by_key(gconstpointer a, gconstpointer b)
{
	const struct item *x = *(struct item *const *)a;
	const struct item *y = *(struct item *const *)b;

	return strcmp(x->mid, y->mid);
}

/* Items by key, then outcomes of commands; with events if `whole`. */
static inline char *world_of(store *st, gboolean whole)
{
	g_autoptr(GError) err = NULL;
	g_autoptr(GPtrArray) items = items_load(st, &err);
	g_autoptr(GPtrArray) commands = NULL;
	GString *out = g_string_new(NULL);

	must(items != NULL, err);
	g_ptr_array_sort(items, by_key);
	for (guint n = 0; n < items->len; n++) {
		describe_item(out, items->pdata[n]);
		if (whole)
			describe_events(out, items->pdata[n]);
	}
	commands = command_records_load(st, NULL, &err);
	must(commands != NULL, err);
	for (guint n = 0; n < commands->len; n++) {
		const struct command_record *c = commands->pdata[n];
		const char *o = command_outcome_name(c->outcome);

		g_string_append_printf(out, "%s %s %s\n", c->mid, c->verb,
				       o ? o : "-");
	}
	return g_string_free(out, FALSE);
}

#endif
