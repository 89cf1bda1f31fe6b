/* am_text.c - a commit message as text and trailers
 * Agrees with b4 in what it takes for a trailer: here nothing may get lost, so
 * any "word: value" of the last paragraph is one. */
#include "mail/am_text.h"

#include <string.h>

/* "word:" of two or more characters, blanks, a value. Length of the word. */
static gsize key_len(const char *line, gsize *value)
{
	gsize start = strspn(line, " \t"), end, at;

	if (!g_ascii_isalnum(line[start]) && line[start] != '_')
		return 0;
	end = start + strcspn(line + start, " \t");
	if (end - start < 3 || line[end - 1] != ':')
		return 0;
	at = end + strspn(line + end, " \t");
	if (at == end || !line[at])
		return 0;
	*value = at;
	return end - 1 - start;
}

/* "Fixes: 0123abcd (a title that" goes on with "is long)". */
static gboolean is_open_title(const char *line, const char *next)
{
	gsize value, n = key_len(line, &value), hex;
	const char *open;

	if (!n || !next)
		return FALSE;
	hex = strspn(line + value, "0123456789abcdef");
	open = line + value + hex + strspn(line + value + hex, " \t");
	return hex && *open == '(' && open[1] && !strchr(open, ')') &&
	       strchr(next, ')');
}

/* "Signed-off-by: A Long Name" goes on with "<address>". */
static gboolean is_open_person(const char *line, const char *next)
{
	gsize value;

	return key_len(line, &value) && next && !strchr(line + value, '<') &&
	       *next == '<' && next[1] &&
	       strchr(next, '>') == next + strlen(next) - 1;
}

static gboolean is_note(const char *line)
{
	g_autofree char *bare = g_strstrip(g_strdup(line));
	gsize n = strlen(bare);

	return n > 2 && bare[0] == '[' && strchr(bare, ']') == bare + n - 1;
}

static struct trailer *understand(const char *line)
{
	g_autoptr(GPtrArray) found = trailers_in_commit(line, 1);

	return found->len == 1 ? g_ptr_array_steal_index(found, 0) : NULL;
}

static void add_trailer(struct am_text *t, const char *line)
{
	const char *key = line + strspn(line, " \t");
	gsize value;
	gsize n = key_len(line, &value);
	g_autofree char *text =
		g_strdup_printf("%.*s: %s", (int)n, key, line + value);

	g_strchomp(text);
	g_ptr_array_add(t->read, understand(text));
	g_ptr_array_add(t->trailers, g_steal_pointer(&text));
}

static void add_note(struct am_text *t, const char *line)
{
	char **last = (char **)&t->trailers->pdata[t->trailers->len - 1];
	char *more = g_strdup_printf("%s\n%s", *last, line);

	g_free(*last);
	*last = more;
}

/* The lines of the last paragraph, wrapped ones joined. */
static char **join_wrapped(const char *paragraph)
{
	char **lines = g_strsplit(paragraph, "\n", -1);
	guint out = 0;

	for (guint i = 0; lines[i]; i++) {
		char *next = lines[i + 1];

		if (is_open_title(lines[i], next) ||
		    is_open_person(lines[i], next)) {
			char *joined = g_strdup_printf("%s %s", lines[i], next);

			g_free(lines[i]);
			g_free(next);
			lines[out++] = joined;
			i++;
		} else {
			lines[out++] = lines[i];
		}
	}
	lines[out] = NULL;
	return lines;
}

static void add_prose(struct am_text *t, const char *line, gboolean *begun)
{
	if (t->prose->len)
		g_string_append(t->prose, *begun ? "\n" : "\n\n");
	g_string_append(t->prose, line);
	*begun = TRUE;
}

static void read_last(struct am_text *t, const char *paragraph)
{
	g_auto(GStrv) lines = join_wrapped(paragraph);
	gboolean after_trailer = FALSE, begun = FALSE;
	gsize value;

	for (guint i = 0; lines[i]; i++) {
		if (key_len(lines[i], &value)) {
			add_trailer(t, lines[i]);
			after_trailer = TRUE;
			continue;
		}
		if (after_trailer && is_note(lines[i]))
			add_note(t, lines[i]);
		else
			add_prose(t, lines[i], &begun);
		after_trailer = FALSE;
	}
}

static void free_trailer(gpointer t)
{
	trailer_free(t);
}

void am_text_init(struct am_text *t, const char *message)
{
	g_autofree char *text = g_strdup(message);
	char *bare = text + strspn(text, "\n"), *last;

	t->prose = g_string_new(NULL);
	t->trailers = g_ptr_array_new_with_free_func(g_free);
	t->read = g_ptr_array_new_with_free_func(free_trailer);
	for (gsize n = strlen(bare); n && bare[n - 1] == '\n'; n--)
		bare[n - 1] = '\0';
	last = g_strrstr(bare, "\n\n");
	if (last) {
		g_string_append_len(t->prose, bare, last - bare);
		last += 2;
	} else {
		last = bare;
	}
	if (*last)
		read_last(t, last);
	while (t->prose->len && t->prose->str[t->prose->len - 1] == '\n')
		g_string_truncate(t->prose, t->prose->len - 1);
}

void am_text_clear(struct am_text *t)
{
	g_string_free(t->prose, TRUE);
	g_ptr_array_unref(t->trailers);
	g_ptr_array_unref(t->read);
}
