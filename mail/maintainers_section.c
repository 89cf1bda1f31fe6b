/* maintainers_section.c - who and what a section of MAINTAINERS names
 * Part of maintainers.h; knows nothing of patterns. */
#include <string.h>

#include "mail/address.h"
#include "mail/maintainers_priv.h"

static void person_free(struct maintainers_person *p)
{
	g_free(p->name);
	g_free(p->address);
	g_free(p->role);
	g_free(p);
}

static GPtrArray *people_new(void)
{
	return g_ptr_array_new_with_free_func((GDestroyNotify)person_free);
}

static void add_person(GPtrArray *people, const char *name, const char *address,
		       const char *role)
{
	struct maintainers_person *p = g_new0(struct maintainers_person, 1);

	p->name = g_strdup(name);
	p->address = g_strdup(address);
	p->role = g_strdup(role);
	g_ptr_array_add(people, p);
}

struct section *maintainers_section_new(const char *title, guint line)
{
	struct section *s = g_new0(struct section, 1);

	s->s.title = g_utf8_make_valid(title, -1);
	s->s.line = line;
	s->s.m = people_new();
	s->s.r = people_new();
	s->s.l = people_new();
	s->s.t = g_ptr_array_new_with_free_func(g_free);
	s->s.w = g_ptr_array_new_with_free_func(g_free);
	return s;
}

void maintainers_section_free(struct section *s)
{
	if (!s)
		return;
	g_free(s->s.title);
	g_free(s->s.slug);
	g_free(s->s.status);
	g_ptr_array_unref(s->s.m);
	g_ptr_array_unref(s->s.r);
	g_ptr_array_unref(s->s.l);
	g_ptr_array_unref(s->s.t);
	g_ptr_array_unref(s->s.w);
	g_free(s);
}

/* "Jane Doe <jane@example.org>", several of them, or an address alone. */
static void add_people(GPtrArray *people, const char *value, const char *name)
{
	const char *angle = strchr(value, '<');
	g_autoptr(address_auto) one = NULL;
	g_autoptr(GPtrArray) all = NULL;
	gsize n = strcspn(value, " \t");

	if (!angle) {
		g_autofree char *word = g_strndup(value, n);

		if (strchr(word, '@'))
			add_person(people, name ? name : "", word, NULL);
		return;
	}
	if (strchr(angle + 1, '<')) {
		all = address_parse_list(value);
		for (guint i = 0; i < all->len; i++) {
			const struct address *a = all->pdata[i];

			if (*a->address)
				add_person(people, a->name, a->address, NULL);
		}
		return;
	}
	one = address_parse_person(value, NULL);
	if (one) {
		n = strlen(one->name);
		if (n > 1 && one->name[0] == '"' && one->name[n - 1] == '"') {
			one->name[n - 1] = 0;
			memmove(one->name, one->name + 1, n - 1);
		}
		add_person(people, *one->name || !name ? one->name : name,
			   one->address, NULL);
	}
}

static void add_list(GPtrArray *lists, const char *value)
{
	gsize n = strcspn(value, " \t");
	g_autofree char *address = g_strndup(value, n);
	const char *role = "open list";

	if (strstr(value + n, "subscribers-only"))
		role = "subscriber list";
	else if (strstr(value + n, "moderated"))
		role = "moderated list";
	add_person(lists, "", address, role);
}

void maintainers_section_add(struct section *s, char type, const char *value,
			     const char *name)
{
	g_autofree char *text = g_utf8_make_valid(value, -1);
	g_autofree char *lower = NULL;

	if (type == 'M') {
		s->has_m = TRUE;
		add_people(s->s.m, text, name);
	} else if (type == 'R') {
		add_people(s->s.r, text, name);
	} else if (type == 'L') {
		add_list(s->s.l, text);
	} else if (type == 'T') {
		g_ptr_array_add(s->s.t, g_steal_pointer(&text));
	} else if (type == 'W') {
		g_ptr_array_add(s->s.w, g_steal_pointer(&text));
	} else if (type == 'S') {
		lower = g_ascii_strdown(text, -1);
		if (strstr(lower, "maintain") || strstr(lower, "support"))
			s->s.kept = TRUE;
		g_free(s->s.status);
		s->s.status = g_steal_pointer(&text);
	}
}

/* What somebody is called who looks after something of that status. */
static char *role_of(const char *status)
{
	static const char *const roles[][2] = {
		{"supported", "supporter"},
		{"maintained", "maintainer"},
		{"odd fixes", "odd fixer"},
		{"orphan", "orphan minder"},
		{"obsolete", "obsolete minder"},
		{"buried alive in reporters", "chief penguin"},
	};
	g_autofree char *lower = g_ascii_strdown(status ? status : "", -1);

	for (guint i = 0; i < G_N_ELEMENTS(roles); i++)
		if (!strcmp(lower, roles[i][0]))
			return g_strdup(roles[i][1]);
	return *lower ? g_steal_pointer(&lower) : g_strdup("unknown");
}

void maintainers_section_end(struct section *s)
{
	for (guint i = 0; i < s->s.m->len; i++) {
		struct maintainers_person *p = s->s.m->pdata[i];

		p->role = role_of(s->s.status);
	}
	for (guint i = 0; i < s->s.r->len; i++) {
		struct maintainers_person *p = s->s.r->pdata[i];

		p->role = g_strdup("reviewer");
	}
}
