/* trailer_line.c - one trailer: its name, its value, what was wrapped
 * Where it may stand is the business of trailers.c. */
#include <string.h>

#include "mail/trailers_priv.h"

#define MAX_VALUE   2000 /* bytes of one value, wrapped lines included */
#define MAX_PERSONS 50	 /* on one line */
#define MIN_HEX	    7
#define MAX_HEX	    64
#define MAX_WRAPPED 2 /* lines that the title of a Fixes goes on for */

/* One trailer while it is read. */
struct reader {
	GPtrArray *out;
	struct trailer_name name;
	guint number;
	enum trailer_where where;
};

gsize trailer_name_len(const struct trailer_text *line, gsize *value)
{
	gsize start = 0;
	gsize n;
	guint words = 1;

	while (start < line->len && start < 4 && line->text[start] == ' ')
		start++;
	if (start == line->len || !g_ascii_isalpha(line->text[start]))
		return 0;
	for (n = start; n < line->len && n - start <= TRAILER_MAX_NAME; n++) {
		char c = line->text[n];

		if (c == ':')
			break;
		if (c == ' ' && ++words > 4)
			return 0;
		if (c != ' ' && c != '-' && c != '_' && !g_ascii_isalpha(c))
			return 0;
	}
	if (n == line->len || line->text[n] != ':')
		return 0;
	*value = n + 1;
	while (*value < line->len && g_ascii_isspace(line->text[*value]))
		(*value)++;
	while (n > start && line->text[n - 1] == ' ')
		n--;
	return n - start;
}

gboolean trailer_is_note(const struct trailer_text *line)
{
	const char *p = line->text;
	const char *end = p + line->len;

	while (p < end && g_ascii_isspace(*p))
		p++;
	while (end > p && g_ascii_isspace(end[-1]))
		end--;
	return end - p > 2 && *p == '[' && end[-1] == ']';
}

/* Blanks collapsed and trimmed. */
static void append_squeezed(GString *out, const char *p, gsize len)
{
	for (gsize i = 0; i < len && out->len < MAX_VALUE; i++) {
		if (!g_ascii_isspace(p[i]))
			g_string_append_c(out, p[i]);
		else if (out->len && out->str[out->len - 1] != ' ')
			g_string_append_c(out, ' ');
	}
	while (out->len && out->str[out->len - 1] == ' ')
		g_string_truncate(out, out->len - 1);
}

static struct trailer *add(struct reader *r, enum trailer_type type,
			   const char *value)
{
	struct trailer *t = g_new0(struct trailer, 1);

	t->key = g_strdup(r->name.key);
	t->value = g_utf8_make_valid(value, -1);
	t->line = r->number;
	t->where = r->where;
	t->type = type;
	t->typo = r->name.typo;
	t->counts = r->name.counts;
	g_ptr_array_add(r->out, t);
	return t;
}

/* ---- persons */

/* "<john at example dot org>", "john [at] example.org": what archives make
 * of addresses. NULL if it does not become one. */
static char *unmask(const char *value)
{
	static const char *const ats[] = {" at ", "[at]", "(at)", " AT "};
	static const char *const dots[] = {" dot ", "[dot]", "(dot)", " DOT "};
	g_autoptr(GString) text = g_string_new(value);
	guint found = 0;

	for (guint i = 0; i < G_N_ELEMENTS(ats); i++)
		found += g_string_replace(text, ats[i], "@", 1);
	if (found != 1)
		return NULL;
	for (guint i = 0; i < G_N_ELEMENTS(dots); i++)
		g_string_replace(text, dots[i], ".", 10);
	return g_strdup(text->str);
}

/* An archive put 'x' in place of the letters: the address is unknown. */
static void forget_masked(struct address *who)
{
	const char *domain = strchr(who->address, '@');

	if (domain && strlen(domain) > 3 &&
	    strspn(domain + 1, "xX.") == strlen(domain + 1) &&
	    g_ascii_strcasecmp(domain + 1, "x.xx"))
		*who->address = '\0';
}

const char *trailer_sentence(const struct trailer *t)
{
	const char *p;

	if (!t->who || !*t->who->address)
		return NULL;
	p = strstr(t->value, t->who->address);
	if (!p)
		return NULL;
	p += strlen(t->who->address);
	p += strspn(p, "> \t\"',;");
	return g_ascii_isalpha(*p) ? p : NULL;
}

/* "stable", "stable@": the list is meant, the address is not there. */
static struct address *bare_stable(const char *value, char **note)
{
	gsize n = strcspn(value, " #@");
	const char *hash = strchr(value, '#');

	if (n != 6 || g_ascii_strncasecmp(value, "stable", 6))
		return NULL;
	n += value[n] == '@';
	if (value[n] && value[n] != ' ' && value[n] != '#')
		return NULL;
	if (hash)
		*note = g_strstrip(g_strdup(hash + 1));
	return address_new("stable", "");
}

/* "stable@vger.kernel.org v5.4+" without the '#'. */
static char *bare_release(const char *value, const struct address *who)
{
	const char *p = strstr(value, who->address);

	if (!*who->address || !p)
		return NULL;
	p += strlen(who->address);
	p += strspn(p, ">,; \t(");
	if (!g_ascii_isdigit(p[*p == 'v' || *p == 'V']))
		return NULL;
	return g_strndup(p, strcspn(p, ")"));
}

static gboolean read_person(struct reader *r, const char *value)
{
	g_autofree char *note = NULL;
	struct address *who = address_parse_person(value, &note);
	struct trailer *t;

	if (!who) {
		g_autofree char *clear = unmask(value);

		who = clear ? address_parse_person(clear, &note) : NULL;
	}
	if (!who && r->name.kind == NAME_CC)
		who = bare_stable(value, &note);
	if (!who)
		return FALSE;
	if (!note && r->name.kind == NAME_CC)
		note = bare_release(value, who);
	forget_masked(who);
	t = add(r, TRAILER_PERSON, value);
	t->who = who;
	t->note = note ? g_steal_pointer(&note) : g_strdup(r->name.mood);
	return TRUE;
}

/* The end of one person in "A <a@x>, B <b@y>" or "a@x, b@y". */
static const char *person_end(const char *p)
{
	const char *comma = strpbrk(p, ",;");
	const char *close = strchr(p, '>');
	const char *at = strchr(p, '@');

	if (close && (close[1] == ',' || close[1] == ';') &&
	    strchr(close + 1, '@'))
		return close + 1;
	if (!close && comma && at && at < comma && strchr(comma, '@') &&
	    !memchr(p, '#', (gsize)(comma - p)))
		return comma;
	return NULL;
}

static gboolean read_persons(struct reader *r, const char *value)
{
	gboolean any = FALSE;

	for (guint i = 0; i < MAX_PERSONS && *value; i++) {
		const char *end = person_end(value);
		g_autofree char *one =
			end ? g_strndup(value, (gsize)(end - value))
			    : g_strdup(value);

		any |= read_person(r, one);
		if (!end || r->out->len >= TRAILERS_MAX)
			break;
		value = end + strspn(end, ",; ");
	}
	return any;
}

/* A name alone, its address on the next line. */
static gboolean address_follows(const char *value,
				const struct trailer_text *next)
{
	const char *p = next->text;
	const char *end = p + next->len;

	if (!*value || strchr(value, '@') || strchr(value, '#'))
		return FALSE;
	while (p < end && g_ascii_isspace(*p))
		p++;
	return p < end && *p == '<' && memchr(p, '@', (gsize)(end - p)) &&
	       memchr(p, '>', (gsize)(end - p));
}

/* "[for the driver]" below a person; "[me: I changed it]" is no note on
 * them, but a maintainer's own remark. */
static char *note_below(const struct trailer_text *line)
{
	const char *open;
	gsize n;
	char *note;

	if (!trailer_is_note(line))
		return NULL;
	open = memchr(line->text, '[', line->len);
	n = line->len - (gsize)(open + 1 - line->text);
	note = g_strndup(open + 1, n);
	g_strchomp(note);
	note[strlen(note) - 1] = '\0';
	g_strstrip(note);
	n = strcspn(note, ": ");
	if (*note && (note[n] != ':' || note[n + 1] != ' '))
		return note;
	g_free(note);
	return NULL;
}

static guint read_person_lines(struct reader *r, GString *value,
			       const struct trailer_text *lines, guint n)
{
	guint first = r->out->len;
	guint taken = 1;

	if (n > 1 && address_follows(value->str, &lines[1])) {
		g_string_append_c(value, ' ');
		append_squeezed(value, lines[1].text, lines[1].len);
		taken = 2;
	}
	if (!read_persons(r, value->str))
		return 0;
	if (n > taken && r->out->len == first + 1) {
		struct trailer *t = g_ptr_array_index(r->out, first);

		if (!t->note) {
			t->note = note_below(&lines[taken]);
			taken += t->note != NULL;
		}
	}
	return taken;
}

/* ---- Fixes, links */

static const char *find_url(const char *value)
{
	const char *p = strstr(value, "://");

	if (!p)
		return NULL;
	while (p > value && g_ascii_isalpha(p[-1]))
		p--;
	return *p == ':' ? NULL : p;
}

static char *read_url(const char *value)
{
	const char *p = find_url(value);
	gsize n;

	if (!p)
		return NULL;
	n = strcspn(p, " <>\"");
	while (n && strchr(",;", p[n - 1]))
		n--;
	return g_utf8_make_valid(p, (gssize)n);
}

/* The id at the beginning, "commit " before it allowed; its end, or NULL. */
static const char *read_hex(const char *p, char **hex)
{
	gsize n = 0;

	if (!g_ascii_strncasecmp(p, "commit ", 7))
		p += 7;
	p += *p == '<' || *p == '\'';
	while (g_ascii_isxdigit(p[n]))
		n++;
	if (n < MIN_HEX || n > MAX_HEX || g_ascii_isalpha(p[n]))
		return NULL;
	*hex = g_ascii_strdown(p, (gssize)n);
	return p + n;
}

/* Behind an opening or closing quote of any kind; 0 bytes if there is none. */
static gsize quote_len(const char *p)
{
	static const char *const quotes[] = {"\"",
					     "'",
					     "`",
					     "\xe2\x80\x9c",
					     "\xe2\x80\x9d",
					     "\xe2\x80\x98",
					     "\xe2\x80\x99"};

	for (guint i = 0; i < G_N_ELEMENTS(quotes); i++)
		if (g_str_has_prefix(p, quotes[i]))
			return strlen(quotes[i]);
	return 0;
}

/* The title in ("..."), also where the end is missing. */
static char *read_title(const char *p)
{
	gsize len;
	g_autofree char *title = NULL;

	p += strspn(p, " ,:-");
	if (*p == '(')
		p += 1 + strspn(p + 1, " ");
	else if (!quote_len(p))
		return NULL;
	p += quote_len(p);
	len = strlen(p);
	if (len && p[len - 1] == '.')
		len--;
	if (len && p[len - 1] == ')')
		len--;
	while (len && p[len - 1] == ' ')
		len--;
	for (gsize n = 1; n <= 3 && n < len; n++)
		if (quote_len(p + len - n) == n) {
			len -= n;
			break;
		}
	if (!len)
		return NULL;
	title = g_strndup(p, len);
	return g_utf8_make_valid(title, -1);
}

/* The title goes on in the next line. */
static gboolean title_is_open(const char *value)
{
	const char *open = strchr(value, '(');

	return open && quote_len(open + 1) && !strstr(open, "\")") &&
	       !strstr(open, "')") && !strstr(open, "\xe2\x80\x9d)") &&
	       !g_str_has_suffix(value, ")");
}

static guint read_fixes(struct reader *r, GString *value,
			const struct trailer_text *lines, guint n)
{
	g_autofree char *hex = NULL;
	const char *behind = read_hex(value->str, &hex);
	gsize title = behind ? (gsize)(behind - value->str) : 0;
	guint taken = 1;
	struct trailer *t;

	if (!behind && !find_url(value->str) &&
	    !(value->str[0] == '#' && g_ascii_isdigit(value->str[1])))
		return 0;
	while (behind && taken < n && taken <= MAX_WRAPPED &&
	       title_is_open(value->str)) {
		gsize skip;

		if (!lines[taken].len || trailer_name_len(&lines[taken], &skip))
			break;
		g_string_append_c(value, ' ');
		append_squeezed(value, lines[taken].text, lines[taken].len);
		taken++;
	}
	t = add(r, TRAILER_UTILITY, value->str);
	t->commit = g_steal_pointer(&hex);
	if (t->commit)
		t->subject = read_title(value->str + title);
	else
		t->url = read_url(value->str);
	return taken;
}

static guint read_link(struct reader *r, GString *value)
{
	const char *url = find_url(value->str);
	const char *hash;
	struct trailer *t;

	if (!url && (r->where == TRAILER_MESSAGE || strchr(value->str, ' ')))
		return 0; /* "BUG: kernel NULL pointer dereference" */
	t = add(r, TRAILER_UTILITY, value->str);
	t->url = read_url(value->str);
	hash = strstr(url ? url : value->str, " #");
	if (hash && hash[2])
		t->note = g_strstrip(g_utf8_make_valid(hash + 2, -1));
	return 1;
}

guint trailer_read(GPtrArray *out, const struct trailer_text *lines, guint n,
		   guint number, enum trailer_where where)
{
	struct reader r = {.out = out, .number = number, .where = where};
	g_autoptr(GString) value = NULL;
	gsize skip = 0;
	gsize len = trailer_name_len(lines, &skip);
	const char *name = lines->text;
	guint taken = 0;

	if (!len || out->len >= TRAILERS_MAX)
		return 0;
	while (*name == ' ')
		name++;
	trailer_name_read(&r.name, name, len);
	if (r.name.kind == NAME_NONE)
		return 0;
	value = g_string_new(NULL);
	append_squeezed(value, lines->text + skip, lines->len - skip);
	switch (r.name.kind) {
	case NAME_PERSON:
	case NAME_CC:
		taken = read_person_lines(&r, value, lines, n);
		break;
	case NAME_FIXES:
		taken = read_fixes(&r, value, lines, n);
		break;
	case NAME_LINK:
		taken = value->len ? read_link(&r, value) : 0;
		break;
	default:
		if (value->len)
			add(&r, TRAILER_UTILITY, value->str);
		taken = value->len > 0;
		break;
	}
	g_free(r.name.key);
	return taken;
}
