/* track_set.c - properties of an item, and who is told of it
 * Values are kept by name, each the last note's text. */
#include <string.h>

#include "mail/address.h"

#include "db/track_priv.h"

#define MAX_KEY	  30  /* bytes of a property's name */
#define MAX_VALUE 200 /* bytes of its value */

static char *key_of(const char *kind, const char *name)
{
	g_autofree char *lower = name ? g_ascii_strdown(name, -1) : NULL;

	return lower ? g_strconcat(kind, " ", lower, NULL) : g_strdup(kind);
}

static const char *value_of(const struct tracked *i, const char *kind,
			    const char *name)
{
	g_autofree char *key = key_of(kind, name);

	return g_hash_table_lookup(i->values, key);
}

/* "KEY: value" is kept by its key, "Name <address>" by its address. */
static char *name_in(const char *text)
{
	const char *open = strrchr(text, '<');

	return open ? g_strndup(open + 1, strcspn(open + 1, ">"))
		    : g_strndup(text, strcspn(text, ":"));
}

void track_take_value(struct tracked *i, const struct track_note *n)
{
	static const struct {
		const char *type, *kind;
		gboolean named, away;
	} kinds[] = {
		{"prio", "prio", FALSE, FALSE},
		{"unprio", "prio", FALSE, TRUE},
		{"assigned", "assigned", FALSE, FALSE},
		{"unassigned", "assigned", FALSE, TRUE},
		{"set", "set", TRUE, FALSE},
		{"unset", "set", TRUE, TRUE},
		{"cc", "cc", TRUE, FALSE},
		{"uncc", "cc", TRUE, TRUE},
		{"muted", "muted", TRUE, FALSE},
		{"unmuted", "muted", TRUE, TRUE},
	};
	const char *text = n->note.text ? n->note.text : "";

	for (guint k = 0; k < G_N_ELEMENTS(kinds); k++) {
		g_autofree char *name = NULL;
		char *key;

		if (strcmp(n->note.type, kinds[k].type) != 0)
			continue;
		if (kinds[k].named)
			name = name_in(text);
		key = key_of(kinds[k].kind, name);
		if (kinds[k].away) {
			g_hash_table_remove(i->values, key);
			g_free(key);
		} else {
			g_hash_table_replace(i->values, key, (gpointer)text);
		}
		return;
	}
}

static gboolean tell(struct tracker *t, struct tracked *i,
		     struct track_command *c, const char *type,
		     const char *text)
{
	track_take(t, track_note(t, i, c, type, text, NULL));
	return TRUE;
}

static gboolean is_full(const struct tracked *i, struct track_command *c)
{
	if (g_hash_table_size(i->values) < TRACK_MAX_VALUES)
		return FALSE;
	track_outcome(c, OUTCOME_REFUSED,
		      "more properties and people than are kept of one report");
	return TRUE;
}

/* ---- how urgent it is */

static gboolean set_prio(struct tracker *t, struct tracked *i,
			 struct track_command *c, const char *level)
{
	static const char *const levels[] = {"low", "normal", "high", NULL};
	g_autofree char *lower = g_ascii_strdown(level, -1);
	const char *was = value_of(i, "prio", NULL);

	if (!g_strv_contains(levels, lower)) {
		track_outcome(c, OUTCOME_NOT_UNDERSTOOD,
			      "low, normal or high was expected");
		return TRUE;
	}
	if (!g_strcmp0(was, lower))
		return FALSE;
	track_outcome(c, OUTCOME_DONE, "prio %s (was: %s)", lower,
		      was ? was : "not set");
	return tell(t, i, c, "prio", lower);
}

gboolean track_prio(struct tracker *t, struct tracked *i,
		    struct track_command *c)
{
	return set_prio(t, i, c, c->args);
}

/* ---- whose turn it is */

static char *no_address(struct track_command *c)
{
	track_outcome(c, OUTCOME_NOT_UNDERSTOOD, "an address was expected");
	return NULL;
}

static gboolean names_several(const char *text)
{
	g_autoptr(GPtrArray) all = address_parse_list(text);
	guint count = 0;

	for (guint n = 0; n < all->len; n++)
		count += strchr(((struct address *)all->pdata[n])->address,
				'@') != NULL;
	return count > 1;
}

/* "Name <address>" of the one that is named; "me" and `or_self`: the sender;
 * NULL: nobody is. `*address` is yours, too. */
static char *person_in(struct track_command *c, const char *text,
		       gboolean or_self, char **address)
{
	g_autoptr(address_auto) a = NULL;

	*address = NULL;
	if (!g_ascii_strcasecmp(text, "me") || (or_self && !*text)) {
		if (!c->address || !*c->address)
			return no_address(c);
		*address = g_strdup(c->address);
		return g_strdup(c->by);
	}
	if (strlen(text) <= MAX_VALUE && names_several(text)) {
		track_outcome(c, OUTCOME_NOT_UNDERSTOOD,
			      "one address a command was expected");
		return NULL;
	}
	a = strlen(text) <= MAX_VALUE ? address_parse_person(text, NULL) : NULL;
	if (!a || !strchr(a->address, '@') ||
	    strpbrk(a->address, " \t,;:<>()\""))
		return no_address(c);
	*address = g_strdup(a->address);
	return *a->name ? g_strdup_printf("%s <%s>", a->name, a->address)
			: g_strdup_printf("<%s>", a->address);
}

gboolean track_assign(struct tracker *t, struct tracked *i,
		      struct track_command *c)
{
	const char *was = value_of(i, "assigned", NULL);
	g_autofree char *address = NULL, *who = NULL;

	if (!g_ascii_strcasecmp(c->args, "nobody") ||
	    !g_ascii_strcasecmp(c->args, "none"))
		return was && tell(t, i, c, "unassigned", NULL);
	who = person_in(c, c->args, FALSE, &address);
	if (!who)
		return TRUE;
	if (was && strstr(was, address))
		return FALSE;
	track_outcome(c, OUTCOME_DONE, "assigned to %s", who);
	return tell(t, i, c, "assigned", who);
}

/* ---- properties */

static gboolean is_key(const char *key)
{
	gsize len = strlen(key);

	return len && len <= MAX_KEY && g_ascii_isalpha(*key) &&
	       strspn(key, "abcdefghijklmnopqrstuvwxyz0123456789-_") == len;
}

/* Is the property one that has a verb of its own? */
static gboolean set_by_verb(struct tracker *t, struct tracked *i,
			    struct track_command *c, const char *key,
			    const char *value, gboolean *changed)
{
	if (!strcmp(key, "prio") || !strcmp(key, "priority")) {
		*changed = set_prio(t, i, c, value);
		return TRUE;
	}
	if (!strcmp(key, "title")) {
		*changed = g_strcmp0(i->title, value) &&
			   tell(t, i, c, "title", value);
		return TRUE;
	}
	return FALSE;
}

gboolean track_set(struct tracker *t, struct tracked *i,
		   struct track_command *c)
{
	gsize len = strcspn(c->args, ":= ");
	g_autofree char *key = g_ascii_strdown(c->args, (gssize)len);
	const char *value = c->args + len;
	g_autofree char *text = NULL;
	const char *was;
	gboolean changed;

	value += strspn(value, ":= ");
	if (!is_key(key) || !*value || strlen(value) > MAX_VALUE) {
		track_outcome(c, OUTCOME_NOT_UNDERSTOOD,
			      "a name, a colon and a value were expected");
		return TRUE;
	}
	if (set_by_verb(t, i, c, key, value, &changed))
		return changed;
	text = g_strdup_printf("%s: %s", key, value);
	was = value_of(i, "set", key);
	if (!g_strcmp0(was, text))
		return FALSE;
	if (!was && is_full(i, c))
		return TRUE;
	return tell(t, i, c, "set", text);
}

gboolean track_unset(struct tracker *t, struct tracked *i,
		     struct track_command *c)
{
	gsize len = strcspn(c->args, ":= ");
	g_autofree char *key = g_ascii_strdown(c->args, (gssize)len);

	if (!strcmp(key, "prio") || !strcmp(key, "priority"))
		return value_of(i, "prio", NULL) &&
		       tell(t, i, c, "unprio", NULL);
	return value_of(i, "set", key) && tell(t, i, c, "unset", key);
}

/* ---- people */

static gboolean is_own(struct tracker *t, struct track_command *c,
		       const char *address)
{
	if (track_same_person(t, c->address, address))
		return TRUE;
	track_outcome(c, OUTCOME_REFUSED, "only %s can say that of himself",
		      address);
	return FALSE;
}

static gboolean tell_person(struct tracker *t, struct tracked *i,
			    struct track_command *c, const char *kind,
			    const char *address, const char *who)
{
	gboolean away = g_str_has_prefix(c->verb, "un");
	const char *was = value_of(i, kind, address);

	if (away ? !was : was != NULL)
		return FALSE;
	if (!away && i != t->everywhere && is_full(i, c))
		return TRUE;
	return tell(t, i, c,
		    strcmp(kind, "cc") ? (away ? "unmuted" : "muted")
				       : (away ? "uncc" : "cc"),
		    away ? was : who);
}

gboolean track_copy(struct tracker *t, struct tracked *i,
		    struct track_command *c)
{
	gboolean away = !strcmp(c->verb, "uncc");
	g_autofree char *address = NULL;
	g_autofree char *who = person_in(c, c->args, away, &address);

	if (!who || (away && !is_own(t, c, address)))
		return TRUE;
	return tell_person(t, i, c, "cc", address, who);
}

gboolean track_mute(struct tracker *t, struct tracked *i,
		    struct track_command *c)
{
	g_autofree char *address = NULL;
	g_autofree char *who = person_in(c, "me", TRUE, &address);

	return !who || tell_person(t, i, c, "muted", address, who);
}

gboolean track_has_muted_all(struct tracker *t, const char *address)
{
	return value_of(t->everywhere, "muted", address) != NULL;
}
