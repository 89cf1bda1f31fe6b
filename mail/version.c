/* version.c - the name of one release, and the order of names
 * Part of version_range.h. */
#include <string.h>

#include "mail/version_range.h"

#define MAX_DIGITS 6 /* of a number in a name */

static gboolean read_number(const char **p, guint *number)
{
	gsize n = strspn(*p, "0123456789");

	if (!n || n > MAX_DIGITS)
		return FALSE;
	*number = (guint)g_ascii_strtoull(*p, NULL, 10);
	*p += n;
	return TRUE;
}

/* "5.13", "5.13.4", "2.6.39.4" to the numbers of the release it is of. */
static gboolean read_numbers(const char **p, struct version *v)
{
	guint number[4] = {0, 0, 0, 0};
	guint n = 0, own;

	while (n < G_N_ELEMENTS(number)) {
		if (!read_number(p, &number[n++]))
			return FALSE;
		if (**p != '.' || !g_ascii_isdigit((*p)[1]))
			break;
		(*p)++;
	}
	own = number[0] == 2 && number[1] == 6 ? 3 : 2;
	if (n < own || n > own + 1 || **p == '.')
		return FALSE;
	memcpy(v->number, number, own * sizeof(*number));
	v->sublevel = number[own];
	return TRUE;
}

/* "-rc3", or "rc3"; nothing there is fine. */
static gboolean read_rc(const char **p, guint *rc)
{
	const char *at = *p + (**p == '-');

	if (g_ascii_strncasecmp(at, "rc", 2))
		return TRUE;
	at += 2;
	if (!read_number(&at, rc) || !*rc)
		return FALSE;
	*p = at;
	return TRUE;
}

/* As `git describe --contains` goes on: "~12^2~3". */
static gboolean is_ancestry(const char *p)
{
	return !*p ||
	       ((*p == '~' || *p == '^') && !p[strspn(p, "~^0123456789")]);
}

static char *tag_text(const struct version *v)
{
	GString *s = g_string_new(NULL);

	g_string_printf(s, "v%u.%u", v->number[0], v->number[1]);
	if (v->number[0] == 2 && v->number[1] == 6)
		g_string_append_printf(s, ".%u", v->number[2]);
	if (v->sublevel)
		g_string_append_printf(s, ".%u", v->sublevel);
	if (v->rc)
		g_string_append_printf(s, "-rc%u", v->rc);
	return g_string_free(s, FALSE);
}

static gboolean parse_release(const char *p, struct version *v)
{
	if (*p == 'v' || *p == 'V')
		p++;
	if (!read_numbers(&p, v) || !read_rc(&p, &v->rc) ||
	    (v->rc && v->sublevel) || !is_ancestry(p)) {
		memset(v, 0, sizeof(*v));
		return FALSE;
	}
	v->kind = v->sublevel ? VERSION_STABLE : VERSION_MAINLINE;
	v->release = v->kind == VERSION_MAINLINE && !v->rc;
	v->text = tag_text(v);
	return TRUE;
}

static gboolean parse_next(const char *text, struct version *v)
{
	const char *p = g_strrstr(text, "next-");
	guint day;

	if (!p || (p > text && p[-1] != '-') || strlen(p) < 13 ||
	    strspn(p + 5, "0123456789") != 8 || !is_ancestry(p + 13))
		return FALSE;
	day = (guint)g_ascii_strtoull(p + 5, NULL, 10);
	if (!g_date_valid_dmy((GDateDay)(day % 100),
			      (GDateMonth)(day / 100 % 100),
			      (GDateYear)(day / 10000)))
		return FALSE;
	v->kind = VERSION_NEXT;
	v->day = day;
	v->text = g_strndup(p, 13);
	return TRUE;
}

/* A hash, or what `git describe` puts before it: "v5.13-7-g1a2b3c4d5e6f". */
static gboolean parse_commit(const char *text, struct version *v)
{
	const char *g = g_strrstr(text, "-g");
	const char *hex = g ? g + 2 : text;
	gsize n = strspn(hex, "0123456789abcdefABCDEF");

	if (n < 7 || n > 40 || hex[n])
		return FALSE;
	v->kind = VERSION_COMMIT;
	v->text = g_ascii_strdown(hex, -1);
	return TRUE;
}

gboolean version_parse(const char *text, struct version *v)
{
	static const char refs[] = "refs/tags/", tags[] = "tags/";

	memset(v, 0, sizeof(*v));
	if (g_str_has_prefix(text, refs))
		text += strlen(refs);
	else if (g_str_has_prefix(text, tags))
		text += strlen(tags);
	if (strlen(text) <= VERSION_MAX_BYTES &&
	    (parse_commit(text, v) || parse_release(text, v) ||
	     parse_next(text, v)))
		return TRUE;
	v->text = g_strndup(text, VERSION_MAX_BYTES);
	if (!g_utf8_validate(v->text, -1, NULL)) {
		g_autofree char *cut = v->text;

		v->text = g_utf8_make_valid(cut, -1);
	}
	return FALSE;
}

void version_clear(struct version *v)
{
	g_clear_pointer(&v->text, g_free);
	v->kind = VERSION_UNKNOWN;
}

const char *version_kind_name(enum version_kind k)
{
	static const char *const names[] = {"unknown", "mainline", "stable",
					    "next", "commit"};

	return names[k];
}

static int by_number(guint a, guint b)
{
	return a < b ? -1 : a > b;
}

/* Releases first, next, then what has no order but its text. */
static guint group_of(const struct version *v)
{
	if (v->kind == VERSION_MAINLINE || v->kind == VERSION_STABLE)
		return 0;
	return v->kind == VERSION_NEXT ? 1 : 2;
}

int version_compare(const struct version *a, const struct version *b)
{
	int order = by_number(group_of(a), group_of(b));

	for (guint i = 0; !order && i < G_N_ELEMENTS(a->number); i++)
		order = by_number(a->number[i], b->number[i]);
	if (!order)
		order = by_number(a->sublevel, b->sublevel);
	if (!order) /* a release is after its candidates */
		order = by_number(a->rc ? a->rc : G_MAXUINT,
				  b->rc ? b->rc : G_MAXUINT);
	if (!order)
		order = by_number(a->day, b->day);
	return order || group_of(a) != 2 ? order : strcmp(a->text, b->text);
}

int version_compare_tags(const char *a, const char *b)
{
	struct version one, other;
	int order;

	version_parse(a, &one);
	version_parse(b, &other);
	order = version_compare(&one, &other);
	version_clear(&one);
	version_clear(&other);
	return order ? order : strcmp(a, b);
}
