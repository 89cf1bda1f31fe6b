/* command_inert.c - lines that look like commands and are none
 * Echoes of robots, forwarded mail, samples, and what was nearly written. */
#include <string.h>

#include "mail/command_priv.h"

#define FENCE_LINES 400 /* looked at for the beginning of a fence */

/* Robots that show what others wrote. The ones that report are missing: who
 * files a report of theirs adds a command to it. */
static gboolean is_echo(const struct robot *robot)
{
	static const char *const names[] = {
		"bugzilla", "debian-bts", "patchwork-bot", "pr-tracker-bot",
		"tip-bot",  "stable",	  "autosel",	   "mm-queue",
		"syzbot",   "sashiko",	  "regzbot",	   "robot",
		NULL};

	for (guint i = 0; names[i]; i++)
		if (g_str_equal(names[i], robot->name))
			return TRUE;
	return FALSE;
}

static gboolean line_begins(const struct body_line *l, const char *with)
{
	gsize n = strlen(with);

	return l->len >= n && memcmp(l->text, with, n) == 0;
}

/* Between two ``` lines. */
static gboolean is_fenced(const body *b, guint number)
{
	guint before = 0,
	      from = number > FENCE_LINES ? number - FENCE_LINES : 0;
	guint to = MIN(body_count(b), number + FENCE_LINES);

	for (guint i = from; i < number; i++)
		before += line_begins(body_line(b, i), "```");
	if (!(before & 1))
		return FALSE;
	for (guint i = number + 1; i < to; i++)
		if (line_begins(body_line(b, i), "```"))
			return TRUE;
	return FALSE;
}

/* "<commit>" or what robots' footers have in its place; "<3>" is a row of a
 * digest, "<a@b>" a mail. */
static gboolean is_placeholder(const char *args)
{
	static const char *const samples[] = {
		"...",
		"exact-commit-title",
		"exact-title",
		"LINK",
		"exact-subject-of-another-report",
		"git://repo/address.git branch-or-commit-hash",
		"git://repo.git branch",
		"new-subsystem",
		"some explanation",
		NULL};
	const char *p = args;

	for (guint i = 0; samples[i]; i++)
		if (g_ascii_strcasecmp(samples[i], args) == 0)
			return TRUE;
	while ((p = strchr(p, '<')) != NULL) {
		gsize n = strcspn(++p, "<>");

		if (p[n] == '>' && g_ascii_isalpha(*p) && !memchr(p, '@', n) &&
		    (p - 1 == args || p[-2] == ' '))
			return TRUE;
	}
	return FALSE;
}

/* "If you want to undo that, reply with:", and what our own mails say. */
static gboolean tells_to_write(const char *text)
{
	return (g_str_has_suffix(text, "with:") && strstr(text, "repl")) ||
	       g_str_has_suffix(text, "send back:") ||
	       g_str_has_suffix(text, "not indented:") ||
	       g_str_has_suffix(text, "it is written:");
}

gboolean command_is_instruction(const body *b, guint number)
{
	guint at = number, blanks = 1;
	const struct body_line *l;
	g_autofree char *text = NULL;

	do {
		if (!at--)
			return FALSE;
		l = body_line(b, at);
	} while (!l->len && blanks--);
	if (l->kind != BODY_TEXT || !l->len || l->text[l->len - 1] != ':')
		return FALSE;
	text = g_ascii_strdown(l->text, l->len);
	return tells_to_write(text);
}

/* Lists say so below a mail, some without a rule above. */
guint command_lines_end(const body *b)
{
	static const char *const openers[] = {
		"To unsubscribe from this list: send the line",
		"You received this message because", NULL};

	for (guint i = 0; i < body_count(b); i++) {
		const struct body_line *l = body_line(b, i);

		for (guint n = 0; openers[n] && !l->depth; n++)
			if (line_begins(l, openers[n]))
				return i;
	}
	return body_count(b);
}

/* Decoded for people to read; what can be hidden so is not obeyed. */
static gboolean is_utf7(const message *msg)
{
	g_autofree char *type = header_dup(message_header(msg), "Content-Type");
	g_autofree char *folded = type ? g_ascii_strdown(type, -1) : NULL;

	return folded && strstr(folded, "utf-7") != NULL;
}

/* templates/signature.txt, with the line above and the one below. */
gboolean command_has_footer(const body *b)
{
	static const char says[] = "To get no more mail from here, answer with";

	for (guint i = 1; i + 1 < body_count(b); i++) {
		const struct body_line *l = body_line(b, i);
		const struct body_line *below = body_line(b, i + 1);

		if (!l->depth && line_begins(l, says) &&
		    body_line(b, i - 1)->len && !below->depth &&
		    memmem(below->text, below->len, "#culprit", 8))
			return TRUE;
	}
	return FALSE;
}

/* Asks, and changes nothing. */
static gboolean is_question(const struct command_head *h)
{
	static const char *const verbs[] = {"status", "list", "table", "help",
					    NULL};

	return h->verb && g_strv_contains(verbs, h->verb->name);
}

char *command_why_inert(const message *msg, const body *b,
			const struct robot *robot, guint number,
			const struct command_head *h, const char *args)
{
	if (robot && (is_echo(robot) || h->marker->letter == 'c'))
		return g_strdup_printf("a robot's mail: %s", robot->name);
	if (header_find(message_header(msg), "X-Culprit-Bot"))
		return g_strdup("our own mail");
	if (body_line(b, number)->kind == BODY_FORWARD)
		return g_strdup("of a forwarded mail");
	if (message_html(msg) && !is_question(h))
		return g_strdup(COMMAND_IN_HTML);
	if (h->marker->letter == 'c' && is_utf7(msg))
		return g_strdup("its text is written in UTF-7");
	if (body_line(b, number)->kind == BODY_SIGNATURE &&
	    h->marker->letter != 'r')
		return g_strdup("below the signature");
	if (is_placeholder(args) ||
	    (h->verb && *args && g_str_equal(args, h->verb->usage) &&
	     strpbrk(args, "|[<")))
		return g_strdup("a sample");
	if (command_is_instruction(b, number))
		return g_strdup("a sample, in an instruction");
	if (is_fenced(b, number))
		return g_strdup("a sample, between ``` lines");
	return NULL;
}

/* The command that `text` would be with a proper marker. */
static char *with_marker(const char *text)
{
	static const struct {
		const char *written, *meant;
	} forms[] = {
		{"# culprit", "#culprit"}, {"@culprit", "#culprit"},
		{"culprit:", "#culprit:"}, {"# regzbot", "#regzbot"},
		{"@regzbot", "#regzbot"},  {"#culprit", "#culprit"},
		{"#regzbot", "#regzbot"},
	};

	for (guint i = 0; i < G_N_ELEMENTS(forms); i++) {
		gsize n = strlen(forms[i].written);

		if (g_ascii_strncasecmp(text, forms[i].written, n) == 0)
			return g_strconcat(forms[i].meant, text + n, NULL);
	}
	return NULL;
}

/* "Please #culprit fix: a", "- #culprit status" */
static const char *inside(const char *text)
{
	static const char word[] = "#culprit";

	for (const char *p = text; (p = strchr(p, '#')) != NULL; p++)
		if (p > text && strchr(" \t\"'`(*-", p[-1]) &&
		    g_ascii_strncasecmp(p, word, sizeof(word) - 1) == 0)
			return p;
	return NULL;
}

char *command_near_miss(const struct body_line *l, const char **why)
{
	g_autofree char *text = command_normalise(l->text, l->len);
	const char *p = text + strspn(text, " \t");
	char *meant = with_marker(p);
	struct command_head h;

	/* marks of quotes, and of samples that robots send */
	if (!meant && !strchr("|%}>", *p) && (p = inside(text)) != NULL)
		meant = g_strdup(p);
	if (!meant)
		return NULL;
	*why = p > text ? COMMAND_MISPLACED : COMMAND_MISSPELT;
	if (command_head_read(meant, &h) && h.verb)
		return meant;
	g_free(meant);
	return NULL;
}
