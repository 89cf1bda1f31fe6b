/* diff.c - diffs in a text: where they begin, their hunks, what is damaged
 * A hunk ends by its line counts. Judges the text; the patch id is made by
 * patch_id.c of the same bytes. */
#include "mail/diff.h"

#include <string.h>

#include "mail/diff_priv.h"
#include "mail/patch_id.h"

#define MAX_HUNK_LINES 10000000 /* announced by a hunk; more is nonsense */
#define MAX_SHOWN      60	/* bytes of a line in a damage text */

static void diff_damage(struct diff *d, const struct diff_scan *s,
			const char *what)
{
	g_autofree char *shown = NULL;
	g_autofree char *valid = NULL;
	guint number = 1;

	if (d->damage)
		return;
	for (const char *p = s->text; p < s->line; number++) {
		p = memchr(p, '\n', (gsize)(s->line - p));
		if (!p)
			break;
		p++;
	}
	shown = g_strndup(s->line, MIN(s->len, MAX_SHOWN));
	g_strdelimit(shown, "\r\t\v\f\x1b", ' ');
	valid = g_utf8_make_valid(shown, -1);
	d->damage = g_strdup_printf("line %u: %s: \"%s\"", number, what, valid);
}

static const char *read_number(const char *p, const char *end, guint *value)
{
	const char *start = p;

	for (*value = 0; p < end && g_ascii_isdigit(*p); p++)
		*value = MIN(*value * 10 + (guint)(*p - '0'), MAX_HUNK_LINES);
	return p > start ? p : NULL;
}

/* "12,3" or "12"; behind it, or NULL. */
static const char *read_range(const char *p, const char *end, guint *count)
{
	guint line;

	p = read_number(p, end, &line);
	*count = 1;
	if (p && p < end && *p == ',')
		p = read_number(p + 1, end, count);
	return p;
}

/* "@@ -1,2 +3,4 @@ context" at the line at hand. */
static gboolean read_hunk_line(const struct diff_scan *s, guint *before,
			       guint *after)
{
	const char *end = s->line + s->len;
	const char *p = read_range(s->line + 4, end, before);

	if (!p || end - p < 3 || p[0] != ' ' || p[1] != '+')
		return FALSE;
	p = read_range(p + 2, end, after);
	return p && end - p >= 3 && !memcmp(p, " @@", 3);
}

/* What a hunk cannot hold: the next file or hunk. */
static gboolean hunk_is_short(const struct diff_scan *s)
{
	return s->line == s->end || diff_scan_starts(s, "diff --git ") ||
	       diff_scan_starts(s, "@@ -");
}

/* The lines of one hunk, from behind its "@@" line. */
static void read_hunk(struct diff_scan *s, struct diff *d,
		      struct diff_file *file, guint before, guint after)
{
	while (before || after) {
		char c = s->line < s->end && s->len ? *s->line : ' ';

		if (hunk_is_short(s)) {
			diff_damage(d, s, "the hunk before it is too short");
			return;
		}
		s->bare |= !s->len;
		if ((c == ' ' && (!before || !after)) ||
		    (c == '-' && !before) || (c == '+' && !after))
			diff_damage(d, s, "does not fit the hunk's counts");
		else if (c != ' ' && c != '+' && c != '-' && c != '\\')
			diff_damage(d, s, "no line of a hunk, perhaps wrapped");
		if (c == ' ' || c == '-')
			before -= before > 0;
		if (c == ' ' || c == '+')
			after -= after > 0;
		file->deletions += c == '-';
		file->insertions += c == '+';
		diff_scan_at(s, s->next);
	}
	if (diff_scan_starts(s, "\\ "))
		diff_scan_at(s, s->next);
}

/* A line behind the last hunk that only a hunk can hold: no list item, no
 * signature, no next file. */
static gboolean hunk_is_long(const struct diff_scan *s)
{
	if (!s->len || diff_starts(s))
		return FALSE;
	return *s->line == '+' || (*s->line == '-' && s->len > 1 &&
				   s->line[1] != '-' && s->line[1] != ' ');
}

static void read_hunks(struct diff_scan *s, struct diff *d,
		       struct diff_file *file)
{
	gboolean any = FALSE;

	while (diff_scan_starts(s, "@@ -")) {
		guint before;
		guint after;

		if (!read_hunk_line(s, &before, &after)) {
			diff_damage(d, s, "no hunk can begin so");
			diff_scan_at(s, s->next);
			return;
		}
		any = TRUE;
		diff_scan_at(s, s->next);
		read_hunk(s, d, file, before, after);
	}
	if (any && hunk_is_long(s))
		diff_damage(d, s, "the hunk before it is too long");
}

/* One block of base85 lines, "literal 12" to the empty line. */
static void skip_binary_block(struct diff_scan *s)
{
	do
		diff_scan_at(s, s->next);
	while (s->line < s->end && s->len > 1 && g_ascii_isalpha(*s->line) &&
	       !diff_starts(s));
	if (s->line < s->end && !s->len)
		diff_scan_at(s, s->next);
}

static void read_binary(struct diff_scan *s, struct diff_file *file)
{
	file->binary = TRUE;
	diff_scan_at(s, s->next);
	for (guint i = 0; i < 2; i++)
		if (diff_scan_starts(s, "literal ") ||
		    diff_scan_starts(s, "delta "))
			skip_binary_block(s);
}

static gboolean is_git_head(const struct diff_scan *s)
{
	return diff_scan_starts(s, "diff --git ") ||
	       diff_scan_starts(s, "diff --cc ") ||
	       diff_scan_starts(s, "diff --combined ");
}

/* Behind the hunks or data of the file whose head was read. */
static void read_content(struct diff_scan *s, struct diff *d,
			 struct diff_file *file)
{
	if (diff_scan_starts(s, "GIT binary patch")) {
		read_binary(s, file);
	} else if (diff_scan_starts(s, "Binary files ") ||
		   diff_scan_starts(s, "Files ")) {
		file->binary = TRUE;
		diff_scan_at(s, s->next);
	} else {
		read_hunks(s, d, file);
	}
}

static void read_file(struct diff_scan *s, struct diff *d)
{
	struct diff_scan head = *s;
	struct diff_file *file = diff_read_head(s);

	if (!d->files->len && !d->damage)
		d->start = (gsize)(head.line - s->text);
	if (!file) {
		if (diff_scan_starts(&head, "diff --git "))
			diff_damage(d, &head, "names no file, perhaps wrapped");
		return;
	}
	s->plain |= !is_git_head(&head);
	read_content(s, d, file);
	d->insertions += file->insertions;
	d->deletions += file->deletions;
	d->end = (gsize)(s->line - s->text);
	g_ptr_array_add(d->files, file);
}

/* Step on to a line at which a diff starts; FALSE if none is left. `d` is
 * what was read before, or NULL. */
static gboolean find_start(struct diff_scan *s, struct diff *d)
{
	while (s->line < s->end && !diff_starts(s)) {
		if (d && diff_scan_starts(s, "@@ -"))
			diff_damage(d, s, "a hunk of no file");
		diff_scan_at(s, s->next);
	}
	return s->line < s->end;
}

/*
 * A transfer encoding or an HTML form left its marks: every '=' is the head
 * of =20 or =3D; "-&gt;" is there and "->" is not.
 */
static const char *find_leftovers(const char *p, gsize len)
{
	const char *end = p + len;
	const char *equal = p;
	guint found = 0;

	while ((equal = memchr(equal, '=', (gsize)(end - equal)))) {
		equal++;
		if (end - equal < 2 ||
		    (memcmp(equal, "3D", 2) && memcmp(equal, "20", 2) &&
		     memcmp(equal, "09", 2)))
			break;
		found++;
	}
	if (!equal && found)
		return "quoted-printable leftovers";
	if (memmem(p, len, "-&gt;", 5) && !memmem(p, len, "->", 2))
		return "HTML leftovers";
	return NULL;
}

/* The head that git would have written for a file. */
static void append_head(GString *out, const struct diff_file *file)
{
	g_string_append_printf(out, "diff --git a/%s b/%s\n", file->path,
			       file->path);
	if (file->added)
		g_string_append(out, "new file mode 100644\n--- /dev/null\n");
	else if (file->deleted)
		g_string_append(out, "deleted file mode 100644\n");
	if (!file->added)
		g_string_append_printf(out, "--- a/%s\n", file->path);
	if (file->deleted)
		g_string_append(out, "+++ /dev/null\n");
	else
		g_string_append_printf(out, "+++ b/%s\n", file->path);
}

/* The text with git's heads in place of those of diff, quilt and CVS. */
static GString *with_git_heads(const struct diff *d,
			       const struct diff_scan *whole)
{
	struct diff_scan s = *whole;
	GString *out = g_string_new(NULL);
	struct diff seen = {.damage = d->damage};

	diff_scan_at(&s, s.text + d->start);
	for (guint i = 0; i < d->files->len && find_start(&s, NULL);) {
		const char *from = s.line;
		gboolean git = is_git_head(&s);
		struct diff_file *file = diff_read_head(&s);

		if (!file)
			continue;
		if (!git) {
			append_head(out, file);
			from = s.line;
		}
		read_content(&s, &seen, file);
		g_string_append_len(out, from, s.line - from);
		diff_file_free(file);
		i++;
	}
	return out;
}

static void name_change(struct diff *d, const struct diff_scan *s)
{
	const char *from = s->text + d->start;
	gsize len = (gsize)(s->end - from);

	if (!d->damage)
		d->damage = g_strdup(find_leftovers(from, d->end - d->start));
	if (d->damage)
		return;
	d->patch_id = patch_id_compute(from, len, PATCH_ID_GIT);
	if (s->plain) {
		g_autoptr(GString) text = with_git_heads(d, s);

		d->mended_id =
			patch_id_compute(text->str, text->len, PATCH_ID_BLANKS);
	} else if (s->bare) {
		d->mended_id = patch_id_compute(from, len, PATCH_ID_BLANKS);
	}
	if (!g_strcmp0(d->mended_id, d->patch_id))
		g_clear_pointer(&d->mended_id, g_free);
}

struct diff *diff_parse(const char *text, gsize len, gsize from)
{
	struct diff_scan s = {.text = text, .end = text + len};
	struct diff *d = NULL;

	diff_scan_at(&s, text + MIN(from, len));
	while (find_start(&s, d)) {
		if (!d) {
			d = g_new0(struct diff, 1);
			d->files = g_ptr_array_new_with_free_func(
				(GDestroyNotify)diff_file_free);
		}
		if (d->files->len == DIFF_MAX_FILES) {
			diff_damage(d, &s, "too many files");
			break;
		}
		read_file(&s, d);
	}
	if (d && d->files->len) {
		name_change(d, &s);
		return d;
	}
	diff_free(d);
	return NULL;
}

void diff_free(struct diff *d)
{
	if (!d)
		return;
	g_ptr_array_unref(d->files);
	g_free(d->patch_id);
	g_free(d->mended_id);
	g_free(d->damage);
	g_free(d);
}
