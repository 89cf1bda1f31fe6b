/* robot_tip.c - robots that tell where a patch went: tip, the tracker of
 * pull requests, patchwork */
#include <string.h>

#include "mail/robot_priv.h"

/* "tip-bot2 for A Person", in 2019 "tip-bot for A Person <tipbot@zytor.com>"
 */
ROBOT_WROTE(robot_tip)
{
	return robot_from(msg, "tip-bot2@linutronix.de") ||
	       robot_from(msg, "tip-bot@linutronix.de") ||
	       robot_from(msg, "tipbot@zytor.com") ||
	       (s->tip && robot_header_is(msg, "Robot-ID", "<tip-bot"));
}

ROBOT_WROTE(robot_prtracker)
{
	return robot_local(msg, "pr-tracker-bot@") ||
	       (robot_has_header(msg, "X-PR-Tracked-Message-Id") &&
		robot_domain(msg, "kernel.org"));
}

/* Lists put themselves into From: the author is known from Reply-To. */
ROBOT_WROTE(robot_patchwork)
{
	return robot_local(msg, "patchwork-bot+") ||
	       robot_local(msg, "patchwork-bot@") ||
	       (robot_local(msg, "patchwork@") &&
		robot_header_is(msg, "X-Patchwork-Hint", "ignore"));
}
