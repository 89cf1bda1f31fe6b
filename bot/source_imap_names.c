/* source_imap_names.c - which mailboxes the settings mean */
#include <string.h>

#include "bot/source_imap_priv.h"

#define MAX_NEAR 5 /* names that an error tells */

static gboolean is_wild(const char *name)
{
	return strpbrk(name, "*?") != NULL;
}

/* A public archive has its mail in parts: "GROUP.0", "GROUP.1" ... The length
 * of "GROUP."; 0: this is no part. */
static gsize part_base(const char *name)
{
	const char *dot = strrchr(name, '.');

	if (!dot || !dot[1] || strspn(dot + 1, "0123456789") != strlen(dot + 1))
		return 0;
	return (gsize)(dot + 1 - name);
}

static guint64 part_number(const char *name)
{
	return g_ascii_strtoull(name + part_base(name), NULL, 10);
}

static void add_name(GPtrArray *names, const char *name)
{
	if (!g_ptr_array_find_with_equal_func(names, name, g_str_equal, NULL))
		g_ptr_array_add(names, g_strdup(name));
}

/* A public archive lists the branches of its tree as mailboxes, too; they can
 * be opened and are always empty. */
static void keep_parts(GPtrArray *all)
{
	gboolean parts = FALSE;

	for (guint i = 0; i < all->len; i++)
		parts |= part_base(all->pdata[i]) > 0;
	for (guint i = all->len; parts && i-- > 0;)
		if (part_base(all->pdata[i]) == 0)
			g_ptr_array_remove_index(all, i);
}

static GPtrArray *list_boxes(imap_session *s, const char *pattern, GError **err)
{
	GPtrArray *all = imap_session_list(s, pattern, err);

	if (all && imap_session_is_guest(s))
		keep_parts(all);
	return all;
}

static gboolean add_matches(imap_session *s, const struct remote *r,
			    const char *glob, GPtrArray *names, GError **err)
{
	g_autofree char *pattern = g_strdelimit(g_strdup(glob), "?", '*');
	g_autoptr(GPtrArray) all = list_boxes(s, pattern, err);
	g_autoptr(GPatternSpec) spec = g_pattern_spec_new(glob);
	guint before = names->len;

	if (!all)
		return FALSE;
	for (guint i = 0; i < all->len; i++)
		if (g_pattern_spec_match_string(spec, all->pdata[i]) &&
		    g_strcmp0(all->pdata[i], r->move_to) != 0)
			add_name(names, all->pdata[i]);
	if (names->len > before)
		return TRUE;
	g_set_error(err, NET_ERROR, NET_ERROR_REFUSED,
		    "no mailbox of %s matches \"%s\"", r->server->host, glob);
	return FALSE;
}

/* Parts of the archive that came after the one that was named. */
static gboolean add_later_parts(imap_session *s, const char *name,
				GPtrArray *names, GError **err)
{
	gsize base = part_base(name);
	g_autofree char *start = g_strndup(name, base);
	g_autofree char *pattern = g_strconcat(start, "*", NULL);
	g_autoptr(GPtrArray) all = list_boxes(s, pattern, err);

	for (guint i = 0; all && i < all->len; i++) {
		const char *other = all->pdata[i];

		if (part_base(other) == base &&
		    g_str_has_prefix(other, start) &&
		    part_number(other) > part_number(name))
			add_name(names, other);
	}
	return all != NULL;
}

GPtrArray *imap_names(imap_session *s, const struct remote *r, GError **err)
{
	static const char *const usual[] = {"INBOX", NULL};
	const char *const *wanted = (const char *const *)r->mailboxes;
	g_autoptr(GPtrArray) out = g_ptr_array_new_with_free_func(g_free);
	gboolean ok = TRUE;

	if (!wanted || !wanted[0])
		wanted = usual;
	for (guint i = 0; ok && wanted[i]; i++) {
		if (is_wild(wanted[i])) {
			ok = add_matches(s, r, wanted[i], out, err);
			continue;
		}
		add_name(out, wanted[i]);
		if (imap_session_is_guest(s) && part_base(wanted[i]) > 0)
			ok = add_later_parts(s, wanted[i], out, err);
	}
	return ok ? g_steal_pointer(&out) : NULL;
}

gboolean imap_names_can_grow(const imap_session *s, const struct remote *r)
{
	for (guint i = 0; r->mailboxes && r->mailboxes[i]; i++)
		if (is_wild(r->mailboxes[i]) ||
		    (imap_session_is_guest(s) &&
		     part_base(r->mailboxes[i]) > 0))
			return TRUE;
	return FALSE;
}

/* ---- which a slip may have meant */

static const char *last_word(const char *name)
{
	const char *p = name + strlen(name);

	while (p > name && !strchr("./", p[-1]))
		p--;
	return p;
}

static gboolean is_near(const char *name, const char *other)
{
	g_autofree char *a = g_utf8_casefold(name, -1);
	g_autofree char *b = g_utf8_casefold(other, -1);
	const char *word = last_word(a);

	return g_str_has_prefix(b, a) || g_str_has_prefix(a, b) ||
	       (*word && strstr(b, word));
}

static void append_near(GPtrArray *all, const char *name, gboolean any,
			GString *out)
{
	for (guint i = 0, n = 0; i < all->len && n < MAX_NEAR; i++) {
		if (!any && !is_near(name, all->pdata[i]))
			continue;
		g_string_append_printf(out, "%s%s", n++ ? ", " : "",
				       (const char *)all->pdata[i]);
	}
}

static void advise(imap_session *s, const char *name, GError *err)
{
	g_autoptr(GPtrArray) all = NULL;
	GString *near = NULL;
	char *text;

	if (!g_error_matches(err, NET_ERROR, NET_ERROR_REFUSED))
		return;
	all = list_boxes(s, "*", NULL);
	if (!all || all->len == 0)
		return;
	near = g_string_new(NULL);
	append_near(all, name, FALSE, near);
	if (near->len == 0)
		append_near(all, name, TRUE, near);
	text = g_strdup_printf("%s; there is %s", err->message, near->str);
	g_free(err->message);
	err->message = text;
	g_string_free(near, TRUE);
}

/* ---- opening */

/* public-inbox opens a newsgroup as a mailbox, which stays empty. */
static gboolean refuse_empty(imap_session *s, const char *name, GError **err)
{
	g_autofree char *pattern = g_strconcat(name, ".*", NULL);
	g_autoptr(GPtrArray) parts = list_boxes(s, pattern, err);
	g_autofree char *first = g_strconcat(name, ".0", NULL);

	if (!parts)
		return FALSE;
	if (g_ptr_array_find_with_equal_func(parts, first, g_str_equal, NULL))
		g_set_error(err, NET_ERROR, NET_ERROR_REFUSED,
			    "mailbox \"%s\" is always empty: this archive has "
			    "its mail in parts; use %s",
			    name, first);
	else
		g_set_error(err, NET_ERROR, NET_ERROR_REFUSED,
			    "mailbox \"%s\" has no UIDVALIDITY: what is new "
			    "in it can't be told",
			    name);
	return FALSE;
}

gboolean imap_names_open(imap_session *s, const char *name, gboolean write,
			 struct imap_box *box, GError **err)
{
	g_autoptr(GError) why = NULL;

	if (imap_session_select(s, name, write, box, &why))
		return box->validity > 0 || refuse_empty(s, name, err);
	advise(s, name, why);
	g_propagate_error(err, g_steal_pointer(&why));
	return FALSE;
}
