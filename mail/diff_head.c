/* diff_head.c - the lines before the hunks: names, modes, blob ids
 * Names are those of `git apply -p1`: the first component is dropped. */
#include <string.h>

#include "mail/diff_priv.h"

#define MAX_HEAD_LINES 40 /* of one file */

struct names {
	char *header; /* of the "diff" line, if both are the same */
	char *minus;  /* of "---" and "+++"; NULL = absent or /dev/null */
	char *plus;
	char *from; /* of "rename from", "copy from" */
	char *to;
	gboolean no_minus; /* "--- /dev/null" */
	gboolean no_plus;
	gboolean git;
};

void diff_scan_at(struct diff_scan *s, const char *line)
{
	const char *eol;

	s->line = line;
	eol = memchr(line, '\n', (gsize)(s->end - line));
	s->len = (gsize)((eol ? eol : s->end) - line);
	s->next = eol ? eol + 1 : s->end;
}

gboolean diff_scan_starts(const struct diff_scan *s, const char *word)
{
	gsize n = strlen(word);

	return s->len >= n && !memcmp(s->line, word, n);
}

static gboolean next_starts(const struct diff_scan *s, const char *word)
{
	gsize n = strlen(word);

	return (gsize)(s->end - s->next) >= n && !memcmp(s->next, word, n);
}

gboolean diff_starts(const struct diff_scan *s)
{
	if (s->len < 5)
		return FALSE;
	switch (*s->line) {
	case 'd':
		return diff_scan_starts(s, "diff -");
	case '-':
		return diff_scan_starts(s, "--- ") && next_starts(s, "+++ ");
	case 'I':
		return diff_scan_starts(s, "Index: ") && next_starts(s, "====");
	default:
		return FALSE;
	}
}

static gboolean is_octal(char c)
{
	return c >= '0' && c <= '7';
}

/* Undo git's C quoting from `p`, behind the opening quote; `*behind` gets
 * the place after the closing one. NULL if it never closes. */
static char *unquote(const char *p, const char *end, const char **behind)
{
	static const char codes[] = "abfnrtv";
	static const char bytes[] = "\a\b\f\n\r\t\v";
	g_autoptr(GString) out = g_string_new(NULL);

	for (; p < end && *p != '"'; p++) {
		const char *code;

		if (*p != '\\' || p + 1 == end) {
			g_string_append_c(out, *p);
			continue;
		}
		p++;
		code = strchr(codes, *p);
		if (end - p >= 3 && is_octal(p[0]) && is_octal(p[1]) &&
		    is_octal(p[2])) {
			g_string_append_c(out, (char)((p[0] - '0') << 6 |
						      (p[1] - '0') << 3 |
						      (p[2] - '0')));
			p += 2;
		} else {
			g_string_append_c(out, code && *code
						       ? bytes[code - codes]
						       : *p);
		}
	}
	if (p == end)
		return NULL;
	*behind = p + 1;
	return g_strdup(out->str);
}

/* The name without its first component; the whole if it has but one. */
static const char *after_slash(const char *name)
{
	const char *slash = strchr(name, '/');

	while (slash && slash[1] == '/')
		slash++;
	return slash ? slash + 1 : name;
}

/* The end of the name before "  2020-04-13 10:54:26 +0100" with blanks
 * instead of a tab; `end` if no date is there. */
static const char *before_date(const char *p, const char *end)
{
	static const char form[] = " 0000-00-00 00:00";
	const gssize n = (gssize)strlen(form);

	for (; end - p >= n && (p = memchr(p, ' ', (gsize)(end - p))); p++) {
		gssize i = 0;

		while (i < n && i < end - p &&
		       (form[i] == '0' ? g_ascii_isdigit(p[i])
				       : p[i] == form[i]))
			i++;
		if (i == n)
			return p;
	}
	return end;
}

/* The name on a line from `p`: quoted, or up to a tab, a date or the end. */
static char *read_name(const char *p, const char *end, gboolean stripped)
{
	g_autofree char *name = NULL;
	const char *tab = memchr(p, '\t', (gsize)(end - p));

	if (p < end && *p == '"')
		name = unquote(p + 1, end, &p);
	if (!name) {
		tab = tab ? tab : before_date(p, end);
		name = g_strndup(p, (gsize)(tab - p));
		g_strchomp(name);
	}
	return stripped ? g_strdup(after_slash(name)) : g_steal_pointer(&name);
}

/* "diff --git a/x b/x": only where both names are the same is it clear where
 * the first one ends. */
static char *read_git_name(const char *p, const char *end)
{
	const char *middle = p + (end - p) / 2;
	g_autofree char *first = NULL;
	g_autofree char *second = NULL;

	if (p < end && *p == '"') {
		first = unquote(p + 1, end, &middle);
		if (!first)
			return NULL;
	}
	if (middle >= end || *middle != ' ')
		return NULL;
	second = read_name(middle + 1, end, TRUE);
	if (!first)
		first = g_strndup(p, (gsize)(middle - p));
	return !strcmp(after_slash(first), second) ? g_steal_pointer(&second)
						   : NULL;
}

/* The line that begins a head: "diff ...", "Index: " or "--- ". */
static void read_first_line(struct diff_scan *s, struct names *n)
{
	static const char *const merges[] = {"diff --cc ", "diff --combined "};
	static const char git[] = "diff --git ";
	const char *end = s->line + s->len;

	if (diff_scan_starts(s, git)) {
		n->git = TRUE;
		n->header = read_git_name(s->line + strlen(git), end);
	}
	for (guint i = 0; i < G_N_ELEMENTS(merges); i++)
		if (diff_scan_starts(s, merges[i]))
			n->header = read_name(s->line + strlen(merges[i]), end,
					      FALSE);
}

static gboolean is_null_file(const char *p, const char *end)
{
	static const char null_file[] = "/dev/null";
	gsize n = strlen(null_file);

	return (gsize)(end - p) >= n && !memcmp(p, null_file, n) &&
	       (p + n == end || g_ascii_isspace(p[n]));
}

/* diff -N gives a file that is not there the date of the epoch. */
static gboolean has_epoch_date(const char *p, const char *end)
{
	gsize len = (gsize)(end - p);

	return memmem(p, len, "1970-01-01 ", 11) ||
	       memmem(p, len, "1969-12-31 ", 11);
}

static void read_minus_plus(struct diff_scan *s, struct names *n)
{
	gboolean minus = *s->line == '-';
	const char *p = s->line + 4;
	const char *end = s->line + s->len;
	char **name = minus ? &n->minus : &n->plus;
	gboolean *none = minus ? &n->no_minus : &n->no_plus;

	*none = is_null_file(p, end);
	if (*none || *name)
		return;
	*name = read_name(p, end, TRUE);
	*none = !n->git && has_epoch_date(p, end);
}

static gsize hex_len(const char *p, const char *end)
{
	gsize n = 0;

	while (p + n < end && g_ascii_isxdigit(p[n]))
		n++;
	return n;
}

static void read_index(struct diff_scan *s, struct diff_file *file)
{
	const char *p = s->line + strlen("index ");
	const char *end = s->line + s->len;
	gsize pre = hex_len(p, end);
	gsize post;

	if (!pre || pre > 64 || end - p < (gssize)pre + 2 || p[pre] != '.' ||
	    p[pre + 1] != '.' || file->pre_blob)
		return;
	post = hex_len(p + pre + 2, end);
	if (!post || post > 64)
		return;
	file->pre_blob = g_ascii_strdown(p, (gssize)pre);
	file->post_blob = g_ascii_strdown(p + pre + 2, (gssize)post);
}

static void read_rename(struct diff_scan *s, char **name, gsize skip)
{
	if (!*name)
		*name = read_name(s->line + skip, s->line + s->len, FALSE);
}

/* Lines of a head that say nothing we need. */
static gboolean is_passed(const struct diff_scan *s)
{
	static const char *const passed[] = {
		"old mode ",
		"new mode ",
		"similarity index ",
		"dissimilarity index ",
		"====",
		"RCS file:",
		"retrieving revision",
		"mode ",
	};

	for (guint i = 0; i < G_N_ELEMENTS(passed); i++)
		if (diff_scan_starts(s, passed[i]))
			return TRUE;
	return FALSE;
}

/* One line of the head; FALSE if the line does not belong to it. */
static gboolean read_head_line(struct diff_scan *s, struct diff_file *file,
			       struct names *n)
{
	if (diff_scan_starts(s, "--- ") && !n->minus && !n->no_minus)
		read_minus_plus(s, n);
	else if (diff_scan_starts(s, "+++ "))
		read_minus_plus(s, n);
	else if (diff_scan_starts(s, "index "))
		read_index(s, file);
	else if (diff_scan_starts(s, "new file mode "))
		file->added = TRUE;
	else if (diff_scan_starts(s, "deleted file mode "))
		file->deleted = TRUE;
	else if (diff_scan_starts(s, "rename from "))
		read_rename(s, &n->from, strlen("rename from "));
	else if (diff_scan_starts(s, "rename to "))
		read_rename(s, &n->to, strlen("rename to "));
	else if (diff_scan_starts(s, "copy from "))
		read_rename(s, &n->from, strlen("copy from "));
	else if (diff_scan_starts(s, "copy to "))
		read_rename(s, &n->to, strlen("copy to "));
	else
		return is_passed(s);
	return TRUE;
}

static char *valid_name(char *name)
{
	char *valid;

	if (!name || g_utf8_validate(name, -1, NULL))
		return name;
	valid = g_utf8_make_valid(name, -1);
	g_free(name);
	return valid;
}

/* Where names disagree, git believes "rename to", then "+++", then the
 * first line; the name of a deleted file is the old one. */
static void settle_names(struct diff_file *file, struct names *n)
{
	char **order[] = {&n->to, n->no_plus ? &n->minus : &n->plus, &n->plus,
			  &n->minus, &n->header};

	file->added |= n->no_minus && !n->no_plus;
	file->deleted |= n->no_plus && !n->no_minus;
	if (n->to)
		file->old_path = valid_name(g_steal_pointer(&n->from));
	for (guint i = 0; i < G_N_ELEMENTS(order) && !file->path; i++)
		file->path = valid_name(g_steal_pointer(order[i]));
	g_free(n->header);
	g_free(n->minus);
	g_free(n->plus);
	g_free(n->from);
	g_free(n->to);
}

struct diff_file *diff_read_head(struct diff_scan *s)
{
	struct diff_file *file = g_new0(struct diff_file, 1);
	struct names n = {0};

	read_first_line(s, &n);
	if (diff_scan_starts(s, "--- "))
		read_minus_plus(s, &n);
	for (guint i = 0; i < MAX_HEAD_LINES; i++) {
		diff_scan_at(s, s->next);
		if (s->line == s->end || !read_head_line(s, file, &n))
			break;
	}
	settle_names(file, &n);
	if (file->path)
		return file;
	diff_file_free(file);
	return NULL;
}

void diff_file_free(struct diff_file *file)
{
	if (!file)
		return;
	g_free(file->path);
	g_free(file->old_path);
	g_free(file->pre_blob);
	g_free(file->post_blob);
	g_free(file);
}
