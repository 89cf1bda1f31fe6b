/* robot_next.c - linux-next: what its maintainers' scripts write
 * A person sends them, and answers under the same name: only new threads with
 * the scripts' subjects and sentences count. */
#include <string.h>

#include "mail/robot_priv.h"

#define MAX_ERRORS  100
#define ERROR_LINES 400

static gboolean is_sender(const message *msg)
{
	static const char *const senders[] = {"sfr@canb.auug.org.au",
					      "sfr@rothwell.id.au",
					      "broonie@kernel.org",
					      "broonie@sirena.org.uk",
					      "treding@nvidia.com",
					      "thierry.reding@gmail.com"};

	for (guint i = 0; i < G_N_ELEMENTS(senders); i++)
		if (robot_from(msg, senders[i]))
			return TRUE;
	return FALSE;
}

ROBOT_WROTE(robot_next)
{
	return !s->reply && g_str_has_prefix(s->base, "linux-next: ") &&
	       is_sender(msg) && !robot_answers(msg, s, b);
}

/* The sentence "After merging the X tree, today's linux-next build (x86_64
 * allmodconfig) failed like this:"; its line, -1 none. */
static int find_sentence(const body *b)
{
	static const char *const openings[] = {
		"After merging the ",	"Today's linux-next build",
		"Today's linux-next ",	"today's linux-next build",
		"Building Linus' tree", "Building the ",
		"My qemu boot",		"In today's linux-next build",
		"Running an overlayfs"};

	for (guint i = 0; i < body_count(b) && i < ERROR_LINES; i++)
		for (guint k = 0; k < G_N_ELEMENTS(openings); k++)
			if (report_starts(b, i, openings[k]))
				return (int)i;
	return -1;
}

/* The tree that was merged, and what was built. */
static void read_sentence(struct report *r, const body *b, guint line)
{
	static const char merging[] = "After merging the ";
	g_autofree char *text = report_joined(b, line, 3);
	char *end, *what;

	if (g_str_has_prefix(text, merging) && (end = strstr(text, " tree"))) {
		*end = '\0';
		report_set(&r->branch, g_strdup(text + strlen(merging)));
		text[strlen(text)] = ' ';
	}
	what = strstr(text, "build (");
	end = what ? strchr(what, ')') : NULL;
	if (end)
		report_set(&r->config, g_strndup(what + 7, end - what - 7));
}

static gboolean is_blame(const body *b, guint i)
{
	return report_starts(b, i, "Caused by ") ||
	       report_starts(b, i, "Introduced by ") ||
	       report_starts(b, i, "Presumably caused by ") ||
	       report_starts(b, i, "Exposed by ");
}

/* "0123456789ab ("title")" on that line or the next ones. */
static void read_commit(struct report *r, const body *b, guint i)
{
	g_autofree char *text = report_joined(b, i, 1);
	g_auto(GStrv) words = NULL;
	guint end = MIN(body_count(b), i + 4);
	char *title, *close;

	for (guint k = i + 1; k < end && !strchr(text, '('); k++) {
		g_autofree char *more = report_joined(b, k, 2);
		char *both = more ? g_strconcat(text, " ", more, NULL)
				  : g_strdup(text);

		g_free(text);
		text = both;
	}
	words = g_strsplit_set(text, " \t", 64);
	for (guint k = 0; words[k] && !r->commit; k++) {
		gsize n = strspn(words[k], "0123456789abcdef");

		if (n >= 10 && n <= REPORT_HEX_FULL &&
		    (!words[k][n] || strchr(",.:", words[k][n])))
			r->commit = g_strndup(words[k], n);
	}
	title = strstr(text, "(\"");
	close = title ? strstr(title, "\")") : NULL;
	if (close)
		report_set(&r->commit_subject,
			   g_strndup(title + 2, (gsize)(close - title - 2)));
}

static gboolean is_error(const char *text, gsize len)
{
	static const char *const marks[] = {
		"error:", "warning:", "ERROR:", "WARNING:",
		"Error:", "Warning:", "error[", "undefined reference"};

	for (guint i = 0; i < G_N_ELEMENTS(marks); i++)
		if (memmem(text, len, marks[i], strlen(marks[i])))
			return TRUE;
	return FALSE;
}

static void read_errors(struct report *r, const body *b, guint from)
{
	guint end = MIN(body_count(b), from + ERROR_LINES);

	for (guint i = from; i < end; i++) {
		struct report_error *e;
		gsize len;
		const char *text = report_line(b, i, &len);

		if (text && is_blame(b, i)) {
			read_commit(r, b, i);
			return;
		}
		if (!text || !is_error(text, len) ||
		    r->errors->len >= MAX_ERRORS)
			continue;
		e = report_add_error(r, text, len, TRUE);
		if (e)
			report_split_error(e, NULL, "gcc");
	}
}

ROBOT_READ(robot_next)
{
	gboolean build = strstr(s->base, "build failure") ||
			 strstr(s->base, "build warning") ||
			 strstr(s->base, "build problem");
	gboolean boot = strstr(s->base, "boot ") || strstr(s->base, "runtime ");
	struct report *r;
	int at;

	if (!build && !boot)
		return NULL;
	r = report_new("linux-next", build ? REPORT_BUILD : REPORT_BOOT);
	r->title = g_strdup(s->base);
	at = find_sentence(b);
	if (at >= 0) {
		read_sentence(r, b, (guint)at);
		read_errors(r, b, (guint)at + 1);
	}
	return r;
}
