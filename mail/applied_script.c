/* applied_script.c - notices that a maintainer's own script writes
 * Under his name, and with the whole patch below: only the template of
 * subject and text tells them from his answers. */
#include <string.h>

#include "mail/applied_priv.h"
#include "mail/report_priv.h"

#define HEAD_LINES 40
#define HEX_FULL   40

gboolean applied_is_script(const message *msg)
{
	const char *subject = message_subject(msg);

	return g_str_has_prefix(subject, "Applied \"") ||
	       g_str_has_prefix(subject, "[git:");
}

/* "From <hex> Mon Sep 17 ...", as git begins a patch. */
static void read_patch_head(struct applied *a, const body *b)
{
	for (guint i = 0; i < body_count(b); i++) {
		const struct body_line *l = body_line(b, i);
		const char *p = l->text;
		gsize skip = l->len && *p == '>' ? 6 : 5;

		if (l->len < skip + HEX_FULL ||
		    memcmp(p + skip - 5, "From ", 5) ||
		    !report_is_hex(p + skip, HEX_FULL))
			continue;
		applied_add_commit(a, p + skip, HEX_FULL);
		return;
	}
}

/* "at", and below it "URL BRANCH". */
static void read_branch(struct applied *a, const body *b)
{
	for (guint i = 0; i < body_count(b) && i < HEAD_LINES; i++) {
		g_autofree char *line = report_joined(b, i, 1);
		const char *blank;

		if (!line || !strstr(line, "://"))
			continue;
		blank = strchr(line, ' ');
		if (blank && !strchr(blank + 1, ' '))
			a->branch = g_strdup(blank + 1);
		return;
	}
}

/* Applied "TITLE" to the X tree */
static struct applied *read_quoted(const message *msg, const body *b)
{
	static const char mark[] = "\" to the ";
	const char *subject = message_subject(msg);
	const char *title = subject + strlen("Applied \"");
	const char *to = g_strrstr(title, mark), *end;
	struct applied_item *item;
	struct applied *a;

	end = to ? strstr(to, " tree") : NULL;
	if (!end || report_find_line(b, 0, "has been applied to the ") < 0)
		return NULL;
	a = applied_new(APPLIED_APPLIED);
	a->text = g_strdup(subject);
	a->line = 1;
	to += strlen(mark);
	a->tree = g_strndup(to, (gsize)(end - to));
	item = applied_add_item(a, -1, -1);
	item->title = g_strndup(title, (gsize)(to - strlen(mark) - title));
	read_branch(a, b);
	read_patch_head(a, b);
	if (a->commits->len)
		item->commit = g_strdup(a->commits->pdata[0]);
	return a;
}

/* [git:TREE/BRANCH] TITLE */
static struct applied *read_git(const message *msg, const body *b)
{
	const char *place = message_subject(msg) + strlen("[git:");
	const char *close = strchr(place, ']');
	const char *slash = close ? strchr(place, '/') : NULL;
	struct applied *a;
	int at = report_find_line(b, 0, "This is an automatic generated email");

	if (!close || at < 0 ||
	    !(strstr(message_body(msg), "patch were queued")))
		return NULL;
	a = applied_new(APPLIED_QUEUED);
	a->robot = TRUE;
	a->line = (guint)at + 1;
	a->text = report_joined(b, (guint)at, 1);
	if (slash && slash < close) {
		a->tree = g_strndup(place, (gsize)(slash - place));
		a->branch = g_strndup(slash + 1, (gsize)(close - slash - 1));
	} else {
		a->tree = g_strndup(place, (gsize)(close - place));
	}
	applied_add_item(a, -1, -1)->title = g_strstrip(g_strdup(close + 1));
	for (guint i = 0; i < body_count(b) && !a->commits->len; i++) {
		g_autofree char *line = report_joined(b, i, 1);

		if (line && strstr(line, "git.linuxtv.org"))
			applied_find_commits(a, line, strlen(line));
	}
	return a;
}

struct applied *applied_read_script(const message *msg, const body *b)
{
	return message_subject(msg)[0] == '[' ? read_git(msg, b)
					      : read_quoted(msg, b);
}
