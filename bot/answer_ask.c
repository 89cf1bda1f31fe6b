/* answer_ask.c - questions by mail: status, list, table, help
 * Answered from the store alone; nothing changes. */
#include <string.h>

#include "mail/columns.h"
#include "mail/reference.h"

#include "db/items.h"
#include "db/measures.h"

#include "bot/answer_priv.h"
#include "bot/item_match.h"
#include "bot/view.h"

#define TITLE_BYTES 60 /* of a title in a list */

gboolean asked_is_question(const char *verb)
{
	static const char *const verbs[] = {"status", "list", "table", "help",
					    NULL};

	return verb && g_strv_contains(verbs, verb);
}

static json_t *text_or_null(const char *text)
{
	return text && *text ? json_string(text) : json_null();
}

/* ---- which item */

/* bot+ID@host */
static char *tagged(GPtrArray *people, const struct own_mail *own)
{
	for (guint i = 0; i < people->len; i++) {
		const struct address *x = people->pdata[i];
		const char *plus = strchr(x->address, '+');
		const char *at = strchr(x->address, '@');

		if (plus && at && plus < at &&
		    !g_ascii_strncasecmp(x->address, own->from->address,
					 (gsize)(plus - x->address)))
			return g_strndup(plus + 1, (gsize)(at - plus) - 1);
	}
	return NULL;
}

static struct item *item_by_tag(struct asked *a, GError **err)
{
	const message *msg = a->reading->msg;
	g_autofree char *id = tagged(message_to(msg), a->own);
	gboolean many;

	if (!id)
		id = tagged(message_cc(msg), a->own);
	return id ? item_find(a->st, id, &many, err) : NULL;
}

/* What the first word of `args` names; `*rest` is what follows it. */
static struct item *item_named(struct asked *a, const char *args,
			       const char **rest, GError **err)
{
	const char *p = args;
	g_autoptr(reference_auto) r = reference_next(&p);
	gboolean many;
	struct item *i;

	*rest = args;
	if (!r || r->kind == REFERENCE_PARENT || r->kind == REFERENCE_ROOT) {
		if (r)
			*rest = p;
		return NULL;
	}
	i = item_find(a->st,
		      r->id    ? r->id
		      : r->url ? r->url
			       : r->text,
		      &many, err);
	if (i)
		*rest = p;
	return i;
}

static struct item *find_item(struct asked *a, const char *args,
			      const char **rest, GError **err)
{
	struct item *i = item_named(a, args, rest, err);

	if (!i && !*err)
		i = item_by_tag(a, err);
	if (!i && !*err)
		i = item_of_mail(a->st, message_id(a->reading->msg), err);
	if (i && !a->answer->item)
		a->answer->item = g_strdup(i->id);
	return i;
}

/* ---- status */

static json_t *fixes_of(const struct item *i)
{
	json_t *all = json_array();

	for (guint n = 0; n < i->fixes->len; n++) {
		const struct item_fix *f = i->fixes->pdata[n];
		const char *name =
			f->subject && *f->subject ? f->subject : f->id;

		if (!name)
			continue;
		json_array_append_new(all, json_pack("{s:s, s:s}", "name", name,
						     "status",
						     f->status ? f->status
							       : "named"));
	}
	return all;
}

static json_t *change_of(const struct item *i)
{
	g_autofree char *text =
		i->change_percent == i->change_percent
			? g_strdup_printf("%+.1f%%", i->change_percent)
			: NULL;

	return text_or_null(text);
}

static json_t *waiting_of(const struct item *i)
{
	const struct item_waiting *w = &i->waiting;
	g_autofree char *text =
		w->role ? g_strdup_printf("%s: %s",
					  w->person ? w->person : w->role,
					  w->reason)
			: NULL;

	return text_or_null(text);
}

static json_t *status_tree(const struct item *i, const char *url)
{
	json_t *o = json_object(), *all = view_item_short(i, url);

	json_object_set_new(o, "title", text_or_null(i->title));
	json_object_set_new(o, "id", json_string(i->id));
	json_object_set_new(o, "state",
			    json_string(i->only_said ? "says applied"
						     : i->state));
	json_object_set_new(o, "open", json_boolean(i->open));
	json_object_set_new(o, "stalled", json_boolean(i->stalled));
	json_object_set_new(o, "metric", text_or_null(i->metric));
	json_object_set_new(o, "change", change_of(i));
	json_object_set_new(o, "commit", text_or_null(i->commit));
	json_object_set_new(o, "commit_subject",
			    text_or_null(i->commit_subject));
	json_object_set_new(o, "introduced", text_or_null(i->range));
	json_object_set_new(o, "fixes", fixes_of(i));
	json_object_set_new(o, "waiting", waiting_of(i));
	json_object_set(o, "url", json_object_get(all, "url"));
	json_decref(all);
	return o;
}

static char *no_item(const char *args)
{
	return *args && *args != '^' && *args != '/'
		       ? g_strdup_printf("\"%s\" is no item that I track", args)
		       : g_strdup("this mail answers no report that I track");
}

static json_t *status(struct asked *a, const struct command *c, char **why,
		      GError **err)
{
	const char *rest;
	g_autofree char *args = g_strdup(c->args);
	char *public = g_str_has_suffix(args, "public")
			       ? args + strlen(args) - strlen("public")
			       : NULL;
	g_autoptr(item_auto) i = NULL;

	if (public && (public == args || public[-1] == ' '))
		*public = '\0';
	i = find_item(a, g_strstrip(args), &rest, err);
	if (i)
		return status_tree(i,
				   config_get(a->config, "bot", NULL, "url"));
	if (!*err)
		*why = no_item(args);
	return NULL;
}

/* ---- list */

static json_t *list_row(const struct item *i)
{
	const char *title = i->title ? i->title : "";
	const char *end = title;
	g_autofree char *cut = NULL, *state = NULL;

	while (*end && end - title < TITLE_BYTES)
		end = g_utf8_next_char(end);
	cut = g_strdup_printf("%.*s%s", (int)(end - title), title,
			      *end ? "..." : "");
	state = g_strdup_printf("%-14s", i->state);
	return json_pack("{s:s, s:s, s:s}", "id", i->id, "state", state,
			 "title", cut);
}

static json_t *list(struct asked *a, const struct command *c, char **why,
		    GError **err)
{
	g_autoptr(GPtrArray) all = items_load(a->st, err);
	g_autoptr(GPtrArray) some = NULL;
	GError *bad = NULL;
	json_t *rows;
	guint more;

	if (!all)
		return NULL;
	some = items_matching(a->st, all, *c->args ? c->args : "is:open",
			      a->now, message_from(a->reading->msg)->address,
			      &bad);
	if (!some) {
		*why = g_strdup(bad->message);
		g_error_free(bad);
		return NULL;
	}
	rows = json_array();
	for (guint n = 0; n < MIN(some->len, ANSWER_MAX_ROWS); n++)
		json_array_append_new(rows, list_row(some->pdata[n]));
	more = some->len > ANSWER_MAX_ROWS ? some->len - ANSWER_MAX_ROWS : 0;
	return json_pack("{s:o, s:o}", "items", rows, "more",
			 more ? json_integer(more) : json_false());
}

/* ---- table */

static void add_row(json_t *rows, const struct table *t, guint n)
{
	const struct table_row *row =
		&g_array_index(t->rows, struct table_row, n);
	GString *line = g_string_new(NULL);

	for (guint k = 0; k < t->columns->len; k++) {
		const struct table_cell *cell =
			&g_array_index(t->cells, struct table_cell,
				       n * t->columns->len + k);

		g_string_append_printf(line, "%12s ",
				       cell->printed ? cell->printed : "-");
		if (k)
			g_string_append_printf(line, "%8s ",
					       cell->change_printed
						       ? cell->change_printed
						       : "");
	}
	g_string_append_printf(line, " %s", row->metric);
	json_array_append_new(rows, json_pack("{s:s}", "line", line->str));
	g_string_free(line, TRUE);
}

static json_t *rows_of(GPtrArray *tables, const char *pattern, guint *more)
{
	GPatternSpec *spec = g_pattern_spec_new(*pattern ? pattern : "*");
	json_t *rows = json_array();

	*more = 0;
	for (guint n = 0; n < tables->len; n++) {
		const struct table *t = tables->pdata[n];

		for (guint k = 0; k < t->rows->len; k++) {
			if (!g_pattern_spec_match_string(
				    spec,
				    g_array_index(t->rows, struct table_row, k)
					    .metric))
				continue;
			if (json_array_size(rows) < ANSWER_MAX_ROWS)
				add_row(rows, t, k);
			else
				++*more;
		}
	}
	g_pattern_spec_free(spec);
	return rows;
}

static json_t *table(struct asked *a, const struct command *c, char **why,
		     GError **err)
{
	const char *rest = "";
	g_autoptr(item_auto) i = find_item(a, c->args, &rest, err);
	g_autoptr(measures_auto) m = NULL;
	json_t *rows;
	guint more;

	if (!i) {
		if (!*err)
			*why = no_item("");
		return NULL;
	}
	m = measures_load(a->st, i->mid, err);
	if (!m)
		return NULL;
	rows = rows_of(m->tables, rest + strspn(rest, " "), &more);
	return json_pack("{s:o, s:o}", "rows", rows, "more",
			 more ? json_integer(more) : json_false());
}

/* ---- help */

static gboolean is_ours(const struct command_verb *v)
{
	return strchr(v->markers, 'c') != NULL;
}

static json_t *help_one(const struct command_verb *v)
{
	json_t *one = json_pack("{s:s, s:s, s:s, s:o}", "help", v->help, "verb",
				v->name, "usage", v->usage, "aliases",
				text_or_null(v->aliases));

	return json_pack("{s:o, s:b}", "one", one, "all", FALSE);
}

static json_t *help(const struct command *c, char **why)
{
	const struct command_verb *v = command_verb_named(c->args);
	json_t *verbs;

	if (v && is_ours(v))
		return help_one(v);
	if (*c->args) {
		*why = g_strdup_printf("no command \"%s\"", c->args);
		return NULL;
	}
	verbs = json_array();
	for (v = command_verbs(); v->name; v++)
		if (is_ours(v))
			json_array_append_new(verbs,
					      json_pack("{s:s, s:s}", "name",
							v->name, "usage",
							v->usage));
	return json_pack("{s:b, s:{s:o}}", "one", FALSE, "all", "verbs", verbs);
}

/* ---- all */

char *asked_question(struct asked *a, const struct command *c, const char *verb,
		     const char *note, char **why, GError **err)
{
	g_autofree char *name = g_strdup_printf("answer-%s.txt", verb);
	GError *failed = NULL;
	json_t *tree;

	if (!strcmp(verb, "status"))
		tree = status(a, c, why, &failed);
	else if (!strcmp(verb, "list"))
		tree = list(a, c, why, &failed);
	else if (!strcmp(verb, "table"))
		tree = table(a, c, why, &failed);
	else
		tree = help(c, why);
	if (failed)
		g_propagate_error(err, failed);
	if (!tree)
		return NULL;
	json_object_set_new(tree, "note", text_or_null(note));
	return asked_render(a, name, tree, err);
}
