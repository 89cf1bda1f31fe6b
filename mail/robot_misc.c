/* robot_misc.c - trackers of bugs, reviewers, static analysis, and what any
 * program's mail has in common */
#include <string.h>

#include "mail/robot_priv.h"

#define HEAD_LINES 400

/* ---- bug trackers */

ROBOT_WROTE(robot_bugzilla)
{
	return robot_local(msg, "bugzilla-daemon@") ||
	       robot_local(msg, "bugbot@") ||
	       (robot_local(msg, "bugzilla@") &&
		robot_has_header(msg, "X-Bugzilla-URL")) ||
	       robot_has_header(msg, "X-Bugzilla-Reason");
}

ROBOT_WROTE(robot_debbugs)
{
	return (robot_domain(msg, "bugs.debian.org") &&
		robot_has_header(msg, "X-Debian-PR-Message")) ||
	       robot_from(msg, "owner@bugs.debian.org");
}

ROBOT_WROTE(robot_regzbot)
{
	static const char name[] = "Regzbot (on behalf of ";

	/* its operator's answers come from the same address */
	return robot_local(msg, "regzbot@") || robot_local(msg, "regzbot+") ||
	       (robot_from(msg, "regressions@leemhuis.info") &&
		g_ascii_strncasecmp(message_from(msg)->name, name,
				    strlen(name)) == 0);
}

/* ---- reviewers */

ROBOT_WROTE(robot_bpfci)
{
	return robot_local(msg, "bot+bpf-ci@") ||
	       robot_local(msg, "kernel-patches-review-bot@");
}

ROBOT_WROTE(robot_sashiko)
{
	return robot_local(msg, "sashiko@") || robot_local(msg, "sashiko-") ||
	       robot_local(msg, "sashiko+") || robot_domain(msg, "sashiko.dev");
}

/* ---- Coverity, sent from its operator's own address */

ROBOT_WROTE(robot_coverity)
{
	return !s->reply && g_str_has_prefix(s->base, "Coverity: ") &&
	       robot_name_distance(msg, "coverity-bot") <= 2 &&
	       (robot_domain(msg, "chromium.org") ||
		robot_domain(msg, "kernel.org") ||
		robot_domain(msg, "outflux.net")) &&
	       report_find_line(b, 0, "*** CID ") >= 0;
}

/* "  0123456789ab ("title")" below "touched by commits:" */
static void read_touched(struct report *r, const body *b)
{
	int at = report_find_line(b, 0, "Coverity");
	guint end = MIN(body_count(b), 40);

	for (guint i = (guint)MAX(at, 0); i < end && !r->commit; i++) {
		g_autofree char *line = report_joined(b, i, 1);
		gsize n = line ? strspn(line, "0123456789abcdef") : 0;
		char *title = line ? strstr(line, "(\"") : NULL;

		if (n < 10 || n > REPORT_HEX_FULL || !title)
			continue;
		r->commit = g_strndup(line, n);
		title += 2;
		title[strcspn(title, "\"")] = '\0';
		r->commit_subject = g_strdup(title);
	}
}

/* "*** CID 1234:  Memory - corruptions  (OVERRUN)", then
 * "/fs/x.c: 123 in x_do()" */
static void read_defect(struct report *r, const body *b)
{
	int at = report_find_line(b, 0, "*** CID ");
	g_autofree char *cid = at < 0 ? NULL : report_joined(b, (guint)at, 1);
	g_autofree char *place = NULL;
	struct report_error *e;
	const char *p;

	if (!cid)
		return;
	p = cid + strlen("*** CID ");
	report_set(&r->bug_id, g_strndup(p, strspn(p, "0123456789")));
	e = report_add_error(r, cid + 4, strlen(cid + 4), TRUE);
	e->tool = g_strdup("coverity");
	p = strchr(p, ':');
	if (p)
		e->message = g_strdup(p + 1 + strspn(p + 1, " "));
	place = (guint)at + 1 < body_count(b)
			? report_joined(b, (guint)at + 1, 1)
			: NULL;
	p = place ? strstr(place, ": ") : NULL;
	if (p && *place == '/') {
		e->file = g_strndup(place + 1, (gsize)(p - place - 1));
		e->line = (guint)CLAMP(g_ascii_strtoll(p + 2, NULL, 10), 0,
				       G_MAXINT32);
	}
}

ROBOT_READ(robot_coverity)
{
	struct report *r = report_new("coverity", REPORT_BUILD);

	r->title = g_strdup(s->base);
	read_touched(r, b);
	read_defect(r, b);
	report_read_rest(r, b, 0);
	return r;
}

/* ---- any program */

/* Words of a local part, cut at '+', '-' and '_': "patchwork-bot+f2fs". A
 * person may be called john.robot. */
static gboolean is_robot_word(const char *word, gsize len)
{
	static const char *const words[] = {"bot",	"bot2",	     "robot",
					    "syzbot",	"tipbot",    "regzbot",
					    "buildbot", "kernelci",  "lkft",
					    "noreply",	"bugzilla",  "daemon",
					    "mptcpci",	"autobuild", "ci"};

	for (guint i = 0; i < G_N_ELEMENTS(words); i++)
		if (strlen(words[i]) == len &&
		    g_ascii_strncasecmp(word, words[i], len) == 0)
			return TRUE;
	return FALSE;
}

static gboolean is_robot_local(const char *p)
{
	gsize local = strcspn(p, "@");

	if (g_ascii_strncasecmp(p, "no-reply@", 9) == 0)
		return TRUE;
	/* "ci" alone is too short to be sure of */
	if (local < 3)
		return FALSE;
	for (;;) {
		gsize n = strcspn(p, "+-_@");

		if (is_robot_word(p, n))
			return TRUE;
		p += n;
		if (!*p || *p == '@')
			return FALSE;
		p++;
	}
}

/* "X-Kernelci-Report-Type" and the like. */
static gboolean has_report_type(const header *h)
{
	static const char end[] = "-Report-Type";

	for (guint i = 0; i < header_count(h); i++) {
		const struct header_field *f = header_at(h, i);

		if (f->name_len > strlen(end) + 2 &&
		    (f->name[0] == 'X' || f->name[0] == 'x') &&
		    g_ascii_strncasecmp(f->name + f->name_len - strlen(end),
					end, strlen(end)) == 0)
			return TRUE;
	}
	return FALSE;
}

/* Away notes are a program's ("auto-replied"), as anything generated. */
ROBOT_WROTE(robot_any)
{
	if (robot_header_is(msg, "Auto-Submitted", "auto-"))
		return TRUE;
	if (has_report_type(message_header(msg)))
		return TRUE;
	return is_robot_local(message_from(msg)->address) &&
	       !robot_answers(msg, s, b);
}
