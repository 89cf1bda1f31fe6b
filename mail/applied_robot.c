/* applied_robot.c - what robots tell of patches that were taken
 * Their templates, to the letter; a robot that is not in the table here tells
 * of none, and neither does a proposal (AUTOSEL). */
#include <string.h>

#include "mail/applied_priv.h"
#include "mail/robot_priv.h"

#define HEAD_LINES  60
#define TITLE_LINES 3

/* The words of a line and of `more` below it, blanks squeezed. */
static char *sentence(const body *b, guint i, guint more)
{
	char *text = report_joined(b, i, 1);

	for (guint k = i + 1; text && k <= i + more && k < body_count(b); k++) {
		g_autofree char *next = report_joined(b, k, 1);
		char *both;

		if (!next || !*next)
			break;
		both = g_strconcat(text, " ", next, NULL);
		g_free(text);
		text = both;
	}
	return text;
}

static struct applied *start(enum applied_kind kind, guint line, char *text)
{
	struct applied *a = applied_new(kind);

	a->robot = TRUE;
	a->line = line + 1;
	a->text = text;
	return a;
}

/* From `p` to the first of `stop`, blanks trimmed; NULL if nothing is left. */
static char *until(const char *p, const char *stop)
{
	gsize n = strcspn(p, stop);

	while (n && g_ascii_isspace(p[n - 1]))
		n--;
	while (n && g_ascii_isspace(*p)) {
		p++;
		n--;
	}
	return n ? g_strndup(p, n) : NULL;
}

/* "tree.git (branch)" */
static void read_tree(struct applied *a, const char *p)
{
	const char *paren = strchr(p, '(');

	a->tree = until(p, " (:,");
	if (!paren)
		return;
	paren++;
	if (g_str_has_prefix(paren, "refs/heads/"))
		paren += strlen("refs/heads/");
	a->branch = until(paren, ")");
}

static void add_url_commit(struct applied *a, const body *b, guint from)
{
	guint end = MIN(body_count(b), from + 5);

	for (guint i = from; i < end && !a->commits->len; i++) {
		g_autofree char *line = report_joined(b, i, 1);

		if (line)
			applied_find_commits(a, line, strlen(line));
	}
}

/* ---- pr-tracker-bot: "has been merged into torvalds/linux.git:" */

/* What its headers tell beside: the request, the branch, the merge. */
static void read_pr_headers(struct applied *a, const message *msg)
{
	const header *h = message_header(msg);
	g_autofree char *request = header_dup(h, "X-PR-Tracked-Message-Id");
	g_autofree char *tree = header_dup(h, "X-PR-Merge-Tree");
	g_autofree char *ref = header_dup(h, "X-PR-Merge-Refname");
	g_autofree char *merge = header_dup(h, "X-PR-Merge-Commit-Id");
	struct applied_item *item;

	if (!a->tree && tree)
		a->tree = until(tree, " ");
	if (ref && g_str_has_prefix(ref, "refs/heads/"))
		a->branch = until(ref + strlen("refs/heads/"), " ");
	if (merge)
		applied_find_commits(a, merge, strlen(merge));
	if (!request)
		return;
	item = applied_add_item(a, -1, -1);
	item->mid = until(request + (*request == '<'), " >");
	item->commit = header_dup(h, "X-PR-Tracked-Commit-Id");
}

static struct applied *read_prtracker(const message *msg, const body *b)
{
	static const char mark[] = "has been merged into ";

	for (guint i = 0; i < body_count(b) && i < HEAD_LINES; i++) {
		g_autofree char *line = sentence(b, i, 1);
		const char *at = line ? strstr(line, mark) : NULL;
		struct applied *a;

		if (!at)
			continue;
		a = start(APPLIED_MERGED, i, report_joined(b, i, 1));
		a->tree = until(at + strlen(mark), " :,");
		add_url_commit(a, b, i);
		read_pr_headers(a, msg);
		return a;
	}
	return NULL;
}

/* ---- tip-bot: "has been merged into the X branch of tip:", the commit */

static struct applied *read_tip(const body *b, const struct subject *s)
{
	static const char mark[] = "has been merged into the ";
	g_autofree char *hex = robot_value(b, HEAD_LINES, "Commit-ID:");
	struct applied_item *item;
	struct applied *a;

	if (!hex)
		return NULL;
	a = start(APPLIED_MERGED, 0, NULL);
	for (guint i = 0; i < body_count(b) && i < HEAD_LINES; i++) {
		g_autofree char *line = sentence(b, i, 1);
		const char *at = line ? strstr(line, mark) : NULL;

		if (!at)
			continue;
		a->branch = until(at + strlen(mark), " ");
		a->line = i + 1;
		a->text = g_steal_pointer(&line);
		break;
	}
	if (!a->branch && s->prefixes->len)
		a->branch = g_strdup(s->prefixes->pdata[s->prefixes->len - 1]);
	if (!a->text)
		a->text = g_strdup(s->base);
	a->tree = g_strdup("tip");
	applied_find_commits(a, hex, strlen(hex));
	item = applied_add_item(a, -1, -1);
	item->title = g_strdup(s->base);
	if (a->commits->len)
		item->commit = g_strdup(a->commits->pdata[0]);
	return a;
}

/* ---- patchwork-bot: "This series was applied to TREE (BRANCH)"; and its
 * summary of many, each with a link to the list's archive */

/* The Message-ID at the end of a URL of an archive. */
static char *mid_of(const char *url)
{
	const char *at = strstr(url, "/r/");
	g_autofree char *id = NULL;

	if (*url == '<')
		return until(url + 1, " >");
	if (!at && (at = strstr(url, "://")) && (at = strchr(at + 3, '/')))
		at = strchr(at + 1, '/') ? strchr(at + 1, '/') - 2 : NULL;
	if (!at)
		return NULL;
	id = until(at + 3, "/ \t>");
	return id && strchr(id, '@') ? g_steal_pointer(&id) : NULL;
}

static void read_summary(struct applied *a, const body *b, guint from)
{
	struct applied_item *item = NULL;

	for (guint i = from; i < body_count(b); i++) {
		static const char *const heads[] = {"Patch:", "Series:", NULL};
		static const char *const links[] = {"Lore link:", "Link:",
						    NULL};
		g_autofree char *title = report_value(b, i, heads);
		g_autofree char *url = report_value(b, i, links);

		if (title) {
			item = applied_add_item(a, -1, -1);
			if (item)
				item->title = g_steal_pointer(&title);
		}
		if (url && item && !item->mid)
			item->mid = mid_of(url);
	}
}

static struct applied *read_patchwork(const body *b)
{
	static const char *const marks[] = {" applied to ", " merged into ",
					    " merged to "};

	for (guint i = 0; i < body_count(b) && i < HEAD_LINES; i++) {
		g_autofree char *line = sentence(b, i, 2);
		const char *at = NULL;
		struct applied *a;
		guint none;

		if (!line || (!g_str_has_prefix(line, "This ") &&
			      !g_str_has_prefix(line, "The following ") &&
			      !g_str_has_prefix(line, "These ")))
			continue;
		for (guint k = 0; k < G_N_ELEMENTS(marks) && !at; k++) {
			at = strstr(line, marks[k]);
			at = at ? at + strlen(marks[k]) : NULL;
		}
		if (!at || strstr(line, " not applied"))
			continue;
		a = start(APPLIED_APPLIED, i, NULL);
		read_tree(a, at);
		a->text = until(line, ":");
		none = applied_read_list(a, b);
		a->partial = none && none < a->items->len;
		if (!a->items->len)
			read_summary(a, b, i);
		return a;
	}
	return NULL;
}

/* ---- stable and Greg Kroah-Hartman's other trees */

/* "Patch "title" has been added to the 6.1-stable tree", "patch "title" added
 * to usb-next": the title, and what stands behind it. */
static const char *quoted_title(const char *subject, char **title)
{
	const char *from = strchr(subject, '"'), *to;

	to = from ? g_strrstr(from + 1, "\" ") : NULL;
	if (!to)
		return NULL;
	*title = g_strndup(from + 1, (gsize)(to - from - 1));
	return to + 2;
}

/* "to my X git tree which can be found at" */
static char *note_tree(const body *b)
{
	for (guint i = 0; i < body_count(b) && i < HEAD_LINES; i++) {
		g_autofree char *line = report_joined(b, i, 1);
		char *end;

		if (!line || !g_str_has_prefix(line, "to my ") ||
		    !(end = strstr(line, " git tree")))
			continue;
		*end = '\0';
		return g_strdup(line + strlen("to my "));
	}
	return NULL;
}

static struct applied *read_stable(const message *msg, const body *b)
{
	const char *subject = message_subject(msg);
	g_autofree char *title = NULL;
	const char *rest = quoted_title(subject, &title);
	gboolean failed = g_str_has_prefix(subject, "FAILED: ");
	const char *at = rest ? strstr(rest, " to ") : NULL;
	struct applied_item *item;
	struct applied *a;

	if (!at)
		return NULL;
	at += strlen(" to ");
	if (failed && g_str_has_prefix(at, "apply to "))
		at += strlen("apply to ");
	if (g_str_has_prefix(at, "the "))
		at += strlen("the ");
	a = start(failed ? APPLIED_REJECTED : APPLIED_PICKED_STABLE, 0,
		  g_strdup(subject));
	a->tree = until(at, " ");
	if (!failed && a->tree && !strstr(a->tree, "stable")) {
		a->kind = APPLIED_APPLIED;
		a->branch = g_steal_pointer(&a->tree);
		a->tree = note_tree(b);
	}
	item = applied_add_item(a, -1, -1);
	if (g_str_has_prefix(title, "[PATCH"))
		item->title = until(title + strcspn(title, "]") + 1, "");
	else
		item->title = g_steal_pointer(&title);
	return a;
}

/* ---- Andrew Morton's queue */

/* Why it left: "This patch was dropped because it was merged into ...". */
static enum applied_kind left_kind(const body *b, char **branch)
{
	static const char mark[] = "merged into ";

	for (guint i = 0; i < body_count(b) && i < HEAD_LINES; i++) {
		g_autofree char *line = sentence(b, i, 2);
		const char *at;

		if (!line || !strstr(line, " was dropped because "))
			continue;
		at = strstr(line, mark);
		if (!at)
			return strstr(line, "folded into") ? APPLIED_APPLIED
							   : APPLIED_REVERTED;
		at += strlen(mark);
		if (g_str_has_prefix(at, "the "))
			at += strlen("the ");
		if (!strstr(at, " or a subsystem tree"))
			*branch = until(at, " ");
		return APPLIED_MERGED;
	}
	return APPLIED_REVERTED;
}

static struct applied *read_mm(const message *msg, const body *b)
{
	static const char added[] = ".patch added to ";
	const char *subject = message_subject(msg);
	const char *at = strstr(subject, added);
	g_autofree char *title = robot_value(b, HEAD_LINES, "Subject:");
	g_autofree char *branch = NULL;
	struct applied_item *item;
	struct applied *a;

	if (!at && !strstr(subject, ".patch removed from "))
		return NULL;
	a = start(at ? APPLIED_APPLIED : left_kind(b, &branch), 0,
		  g_strdup(subject));
	a->tree = g_strdup("-mm");
	if (at) {
		at += strlen(added);
		branch = g_str_has_prefix(at, "-mm") ? NULL : until(at, " ");
	}
	a->branch = g_steal_pointer(&branch);
	item = applied_add_item(a, -1, -1);
	item->title = g_steal_pointer(&title);
	return a;
}

struct applied *applied_read_robot(const message *msg, const struct subject *s,
				   const body *b, const struct robot *robot)
{
	if (!strcmp(robot->name, "pr-tracker-bot"))
		return read_prtracker(msg, b);
	if (!strcmp(robot->name, "tip-bot"))
		return read_tip(b, s);
	if (!strcmp(robot->name, "patchwork-bot"))
		return read_patchwork(b);
	if (!strcmp(robot->name, "stable"))
		return read_stable(msg, b);
	if (!strcmp(robot->name, "mm-queue"))
		return read_mm(msg, b);
	return NULL;
}
