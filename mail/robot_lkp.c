/* robot_lkp.c - Intel's kernel test robot
 * Its engineers answer from the same addresses: who it is tell the name and
 * the sentences that only the robot writes. */
#include <string.h>

#include "mail/robot_priv.h"

#define MAX_NAME_DISTANCE 2 /* "kernel test rboot" */

static gboolean is_robot_name(const message *msg)
{
	static const char *const names[] = {"kernel test robot",
					    "kbuild test robot"};

	for (guint i = 0; i < G_N_ELEMENTS(names); i++)
		if (robot_name_distance(msg, names[i]) <= MAX_NAME_DISTANCE)
			return TRUE;
	return FALSE;
}

/* Addresses that the robot's mail goes out from. */
static gboolean is_robot_address(const message *msg)
{
	static const char *const senders[] = {"lkp",	      "oliver.sang",
					      "yujie.liu",    "rong.a.chen",
					      "xiaolong.ye",  "beibei.si",
					      "fengguang.wu", "philip.li",
					      "shun.hao",     "ying.huang",
					      "carel.si"};
	const char *address = message_from(msg)->address;
	gsize n = strcspn(address, "@");

	for (guint i = 0; i < G_N_ELEMENTS(senders); i++)
		if (strlen(senders[i]) == n &&
		    g_ascii_strncasecmp(address, senders[i], n) == 0)
			return TRUE;
	return FALSE;
}

static gboolean has_headline(const body *b)
{
	struct headline h = {0};
	gboolean found = FALSE;

	for (guint n = 0; n < REPORT_MAX_HEADLINES && !found &&
			  report_next_headline(b, h.line, &h);
	     n++) {
		struct report *r = report_new("", REPORT_PERFORMANCE);

		found = report_read_commit(r, b, h.line) > 0;
		report_free(r);
	}
	report_headline_clear(&h);
	return found;
}

static gboolean is_summary(const struct subject *s)
{
	return g_str_has_prefix(s->base, "BUILD ");
}

static gboolean opens_as_report(const body *b)
{
	static const char *const openings[] = {"[auto build test ",
					       "tree/branch:", "tree:"};

	for (guint i = 0; i < G_N_ELEMENTS(openings); i++) {
		int at = report_find_line(b, 0, openings[i]);

		if (at >= 0 && at < 30)
			return TRUE;
	}
	return FALSE;
}

ROBOT_WROTE(robot_lkp)
{
	gboolean named;

	if (message_is_web_copy(msg) && !message_from(msg)->address[0])
		return is_robot_name(msg) &&
		       (has_headline(b) || is_summary(s) || opens_as_report(b));
	if (!robot_domain(msg, "intel.com") &&
	    !robot_domain(msg, "linux.intel.com"))
		return FALSE;
	named = is_robot_name(msg);
	if (!named && !is_robot_address(msg))
		return FALSE;
	/* a patch that cites a report is its author's */
	if (!named && (s->patch && !s->reply))
		return FALSE;
	/* a report that an engineer sends; not one that he shows again */
	if (has_headline(b))
		return named ||
		       (!robot_answers(msg, s, b) && (!s->reply || s->patch));
	if (named)
		/* an engineer who forgot to change the name */
		return !robot_answers(msg, s, b) || opens_as_report(b);
	if (!robot_local(msg, "lkp@"))
		return FALSE;
	return !message_from(msg)->name[0] || is_summary(s) ||
	       opens_as_report(b);
}

ROBOT_READ(robot_lkp)
{
	struct report *r;

	r = report_read_summary(msg, s, b);
	if (!r)
		r = report_read_headline(msg, s, b, tables);
	/* "[PATCH] f: fix boolreturn.cocci warnings" tells its tree, too */
	if (!r && !(s->patch && !s->reply))
		r = report_read_build(msg, s, b);
	return r;
}
