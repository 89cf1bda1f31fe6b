/* command_head.c - marker and verb at the beginning of a line
 * One line at a time; knows nothing of its neighbours. */
#include <string.h>

#include "mail/command_priv.h"

static const struct command_marker markers[] = {
	{"#regzbot", 'r', 10},
	{"#culprit", 'c', 3},
	{"#syz", 0, 3},
	{"#kernelci", 0, 3},
};

/* What typists and mail programs write where the grammar has ASCII. */
static const struct fold {
	gunichar from, to;
	char ascii; /* 0: nothing */
} folds[] = {
	{0x00a0, 0x00a0, ' '}, {0x00ad, 0x00ad, 0},   {0x2007, 0x2007, ' '},
	{0x200b, 0x200b, 0},   {0x200e, 0x200f, 0},   {0x202f, 0x202f, ' '},
	{0x2060, 0x2060, 0},   {0x3000, 0x3000, ' '}, {0xfeff, 0xfeff, 0},
	{0xff03, 0xff03, '#'}, {0xff1a, 0xff1a, ':'}, {0, 0, 0},
};
static const struct fold quotes[] = {
	{0x2010, 0x2014, '-'},
	{0x2018, 0x2019, '\''},
	{0x201c, 0x201d, '"'},
	{0, 0, 0},
};

static void append_folded(GString *out, gunichar u, const struct fold *f)
{
	for (; f->from; f++) {
		if (u < f->from || u > f->to)
			continue;
		if (f->ascii)
			g_string_append_c(out, f->ascii);
		return;
	}
	g_string_append_unichar(out, u);
}

static char *fold(const char *text, gsize len, const struct fold *f)
{
	GString *out = g_string_sized_new(len + 1);
	const char *end = text + len;

	while (text < end) {
		gunichar u = g_utf8_get_char_validated(text, end - text);

		if (u < 0x80)
			g_string_append_c(out, u ? (char)u : ' ');
		else if (u == (gunichar)-1 || u == (gunichar)-2)
			u = 0; /* one byte, not taken */
		else
			append_folded(out, u, f);
		text += u < 0x80 ? 1 : g_unichar_to_utf8(u, NULL);
	}
	return g_string_free(out, FALSE);
}

char *command_normalise(const char *text, gsize len)
{
	return g_strchomp(fold(text, len, folds));
}

char *command_plain_quotes(const char *text, gsize len)
{
	return fold(text, len, quotes);
}

const struct command_marker *command_marker_find(const char *text,
						 const char **behind)
{
	if (*text != '#')
		return NULL;
	for (guint i = 0; i < G_N_ELEMENTS(markers); i++) {
		gsize n = strlen(markers[i].name);

		if (g_ascii_strncasecmp(text, markers[i].name, n) != 0)
			continue;
		/* the set is written out: no "#syz.txt", no "#culprits" */
		if (text[n] != '\0' && !strchr(" \t:-", text[n]))
			continue;
		*behind = text + n;
		return &markers[i];
	}
	return NULL;
}

static gboolean is_pointer(char c)
{
	return c == '^' || c == '/' || c == '~';
}

/* "introduced^", "introduced :", "introduced =", "poke.": what may follow the
 * verb. */
static const char *behind_verb(const char *p, struct command_head *h)
{
	const char *q;

	if (h->verb && *p && strchr(".!,;", *p))
		p++;
	if (*p == '^') {
		h->parent = TRUE;
		p++;
	}
	q = p + strspn(p, " \t");
	if (*q == ':') {
		h->colon = TRUE;
		q++;
	} else if (q > p && (*q == '=' || *q == '-') &&
		   (q[1] == ' ' || q[1] == '\t')) {
		q++;
	}
	return q + strspn(q, " \t");
}

gboolean command_head_read(const char *text, struct command_head *h)
{
	const char *p;

	memset(h, 0, sizeof(*h));
	h->marker = command_marker_find(text, &p);
	if (!h->marker)
		return FALSE;
	p += strspn(p, " \t:-");
	if (is_pointer(*p)) {
		h->parent = *p == '^';
		h->root = !h->parent;
		p++;
		p += strspn(p, " \t");
	}
	h->word = p;
	if (h->marker->letter)
		h->verb = command_verb_find(h->marker->letter, p, &h->len);
	if (!h->verb)
		h->len = strcspn(p, " \t:^");
	h->args = behind_verb(p + h->len, h);
	return TRUE;
}

/* Behind a verb that wants no words any marker begins a command. */
static gboolean wants_words(const struct command_head *h)
{
	return !h->verb || (h->verb->args != COMMAND_ARGS_NONE &&
			    h->verb->args != COMMAND_ARGS_REF &&
			    h->verb->args != COMMAND_ARGS_POINTER);
}

/* A marker inside a line begins a command if the verb behind it is hardly
 * part of a title: it has its colon, or is never followed by words. */
static gboolean begins_command(const char *p, gboolean words)
{
	struct command_head h;

	return command_head_read(p, &h) && h.verb && h.marker->letter == 'r' &&
	       (!words || h.colon || !wants_words(&h));
}

const char *command_split(const char *text, const char **end)
{
	struct command_head h;
	gboolean words = !command_head_read(text, &h) || wants_words(&h);
	const char *behind, *p = text;

	if (!*text)
		return NULL;
	while ((p = strchr(p + (p == text), '#')) != NULL) {
		const char *before = p;

		while (before > text &&
		       (before[-1] == ' ' || before[-1] == '\t'))
			before--;
		*end = before;
		if (before > text && before[-1] == ';' &&
		    command_marker_find(p, &behind)) {
			*end = before - 1;
			return p;
		}
		if (before < p && begins_command(p, words))
			return p;
		p++;
	}
	return NULL;
}
