/* maintainers_pattern.c - the patterns of MAINTAINERS on paths
 * Shell-like ones are matched here, as the expressions that the script makes
 * of them would; what holds more than those is such an expression. */
#include <string.h>

#include "mail/error.h"
#include "mail/maintainers_priv.h"

#define LIMIT_HEAD   "(*LIMIT_MATCH=%d)(*LIMIT_DEPTH=%d)"
#define IN_DIFF	     "^[+-].*"
#define GLOB_SPECIAL "[](){}+|^$\\"
/* Letters that stand behind a backslash by themselves. */
#define ESCAPES "bBwWsSdDAzZhHvVRntfrae"

guint pattern_slashes(const char *text)
{
	guint n = 0;

	while ((text = strchr(text, '/'))) {
		n++;
		text++;
	}
	return n;
}

/* ---- expressions */

static GRegex *compile(const char *head, const char *value,
		       GRegexCompileFlags flags, GError **err)
{
	g_autofree char *text =
		g_strdup_printf(LIMIT_HEAD "%s%s", MAINTAINERS_MATCH_LIMIT,
				MAINTAINERS_MATCH_LIMIT, head, value);
	g_autoptr(GError) why = NULL;
	GRegex *regex =
		g_regex_new(text, flags | G_REGEX_RAW | G_REGEX_OPTIMIZE, 0,
			    &why);
	const char *reason = why ? g_strrstr(why->message, ": ") : NULL;

	/* the whole message has the expression in it, with our bounds */
	if (why)
		g_set_error_literal(err, MAIL_ERROR, MAIL_ERROR_SYNTAX,
				    reason ? reason + 2 : why->message);
	return regex;
}

/* A glob as the script turns it into an expression. */
static char *glob_to_regex(const char *glob)
{
	GString *s = g_string_new(NULL);

	for (const char *p = glob; *p; p++) {
		if (*p == '.')
			g_string_append(s, "\\.");
		else if (*p == '*')
			g_string_append(s, ".*");
		else
			g_string_append_c(s, *p == '?' ? '.' : *p);
	}
	return g_string_free(s, FALSE);
}

/* The last letter of the class that begins at `p`. */
static const char *class_end(const char *p)
{
	p += p[1] == '^';
	p += p[1] == ']';
	for (p++; *p && *p != ']'; p++)
		if (*p == '\\' && p[1])
			p++;
	return p;
}

/* Behind the group or class that begins at `p`. */
static const char *skip_group(const char *p)
{
	guint depth = 0;

	for (; *p; p++) {
		if (*p == '[')
			p = class_end(p);
		else if (*p == '\\' && p[1])
			p++;
		else if (*p == '(')
			depth++;
		else if (*p == ')' && depth)
			depth--;
		if (!depth || !*p)
			break;
	}
	return *p ? p + 1 : p;
}

static void keep_longest(GString *run, GString *best)
{
	if (run->len > best->len)
		g_string_assign(best, run->str);
	g_string_truncate(run, 0);
}

/* One step of must_hold(); NULL: nothing can be said. */
static const char *must_step(const char *p, GString *run, GString *best)
{
	gboolean letter = TRUE;
	char c = *p;

	if (c == '|' || (c == '(' && p[1] == '?' && p[2] != ':'))
		return NULL;
	if (c == ' ' || c == '\t')
		return p + 1;
	if (c == '#')
		return p + strlen(p);
	if (c == '(' || c == '[') {
		keep_longest(run, best);
		p = skip_group(p);
		return p + strspn(p, "*?+{},0123456789");
	}
	if (c == '\\') {
		c = *++p;
		letter = !g_ascii_isalnum(c);
		if (!c || (!letter && !strchr(ESCAPES, c)))
			return NULL;
	} else {
		letter = !strchr(".^$)", c);
	}
	p++;
	if (letter && !(*p && strchr("*?{", *p)))
		g_string_append_c(run, c);
	if (!letter || (*p && strchr("*?{+", *p)))
		keep_longest(run, best);
	if (*p == '{')
		p += strcspn(p, "}") + (strchr(p, '}') != NULL);
	return p + strspn(p, "*?+");
}

/* A text that is in whatever the expression matches: tells most paths apart
 * without trying it. */
static char *must_hold(const char *value)
{
	g_autoptr(GString) run = g_string_new(NULL);
	g_autoptr(GString) best = g_string_new(NULL);
	const char *p = value;

	while (p && *p)
		p = must_step(p, run, best);
	keep_longest(run, best);
	return p && best->len ? g_strdup(best->str) : NULL;
}

/* ---- making one */

static gboolean init_glob(struct pattern *p, const char *value,
			  maintainers_dir_fn is_dir, void *data, GError **err)
{
	g_autofree char *text = g_strdup(value);
	g_autofree char *regex = NULL;

	if (is_dir && !strpbrk(value, ".*?") && !g_str_has_suffix(value, "/") &&
	    is_dir(value, data)) {
		g_free(text);
		text = g_strconcat(value, "/", NULL);
	}
	p->slashes = pattern_slashes(text);
	p->depth = (int)p->slashes + !g_str_has_suffix(text, "/");
	if (*text == '*')
		p->depth = -1;
	p->any_depth = strstr(text, "**") != NULL;
	p->text = g_steal_pointer(&text);
	if (!strpbrk(p->text, GLOB_SPECIAL))
		return TRUE;
	regex = glob_to_regex(p->text);
	p->how = PATTERN_REGEX;
	p->regex = compile("^", regex, 0, err);
	return p->regex != NULL;
}

static gboolean init_regex(struct pattern *p, const char *value, GError **err)
{
	p->how = PATTERN_REGEX;
	p->must = must_hold(value);
	p->text = g_strdup(value);
	p->regex = compile("", value, G_REGEX_EXTENDED, err);
	if (!p->regex || p->type != 'K')
		return p->regex != NULL;
	p->in_diff = compile(IN_DIFF, value, G_REGEX_EXTENDED, err);
	return p->in_diff != NULL;
}

void pattern_init(struct pattern *p, char type, const char *value,
		  maintainers_dir_fn is_dir, void *data, GError **err)
{
	gboolean ok;

	memset(p, 0, sizeof(*p));
	p->type = type;
	p->how = PATTERN_GLOB;
	if (!*value || strlen(value) > MAINTAINERS_MAX_VALUE) {
		g_set_error(err, MAIL_ERROR, MAIL_ERROR_SYNTAX,
			    *value ? "longer than %d bytes" : "no pattern%.0d",
			    MAINTAINERS_MAX_VALUE);
		p->how = PATTERN_UNUSABLE;
		return;
	}
	if (type == 'F' || type == 'X')
		ok = init_glob(p, value, is_dir, data, err);
	else
		ok = init_regex(p, value, err);
	if (!ok)
		p->how = PATTERN_UNUSABLE;
}

void pattern_clear(struct pattern *p)
{
	g_free(p->text);
	g_free(p->must);
	g_clear_pointer(&p->regex, g_regex_unref);
	g_clear_pointer(&p->in_diff, g_regex_unref);
}

char *pattern_begin(const struct pattern *p)
{
	gsize len = strcspn(p->text, "*?" GLOB_SPECIAL);

	if (p->how == PATTERN_REGEX) {
		if (strchr(p->text, '|'))
			len = 0;
		/* what repeats the last letter */
		else if (len && p->text[len] && strchr("+{", p->text[len]))
			len--;
	}
	return g_strndup(p->text, len);
}

/* ---- matching */

static gboolean same_at(const char *glob, gsize len, const char *path)
{
	for (gsize i = 0; i < len; i++)
		if (!path[i] || (glob[i] != '?' && glob[i] != path[i]))
			return FALSE;
	return TRUE;
}

/* Anchored at the start, open at the end: of each part between stars the
 * first place will do. */
static gboolean glob_matches(const char *glob, const char *path)
{
	gsize len = strcspn(glob, "*");

	if (!same_at(glob, len, path))
		return FALSE;
	path += len;
	for (glob += len; *glob; glob += len) {
		glob += strspn(glob, "*");
		len = strcspn(glob, "*");
		while (!same_at(glob, len, path))
			if (!*path++)
				return FALSE;
		path += len;
	}
	return TRUE;
}

gboolean pattern_matches(const struct pattern *p, const char *path,
			 guint slashes)
{
	gsize len;

	if (p->how == PATTERN_UNUSABLE)
		return FALSE;
	if (p->type == 'N')
		return (!p->must || strstr(path, p->must)) &&
		       g_regex_match(p->regex, path, 0, NULL);
	len = strlen(p->text);
	if (p->text[len - 1] != '/' && !p->any_depth && p->slashes != slashes)
		return FALSE;
	return p->regex ? g_regex_match(p->regex, path, 0, NULL)
			: glob_matches(p->text, path);
}
