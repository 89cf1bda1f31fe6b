/* robot_stable.c - queues: stable's, AUTOSEL, Andrew Morton's
 * What their scripts send about patches of others; never what their
 * maintainers write themselves. */
#include <string.h>

#include "mail/robot_priv.h"

static gboolean is_stable_sender(const message *msg)
{
	static const char *const senders[] = {"gregkh@linuxfoundation.org",
					      "gregkh@kernel.org",
					      "gregkh@suse.de",
					      "greg@kroah.com",
					      "sashal@kernel.org",
					      "alexander.levin@microsoft.com",
					      "alexander.levin@verizon.com",
					      "sasha.levin@oracle.com",
					      "ben@decadent.org.uk",
					      "jslaby@suse.cz",
					      "kamal@canonical.com",
					      "luis.henriques@canonical.com",
					      "lizefan@huawei.com",
					      "w@1wt.eu",
					      "stable@vger.kernel.org",
					      "bwh@kernel.org"};

	for (guint i = 0; i < G_N_ELEMENTS(senders); i++)
		if (robot_from(msg, senders[i]))
			return TRUE;
	return FALSE;
}

/* "Patch "x" has been added to the 6.1-stable tree", "FAILED: patch ..." */
static gboolean is_queue_subject(const char *subject)
{
	if (g_str_has_prefix(subject, "Patch \"") ||
	    g_str_has_prefix(subject, "patch \""))
		return strstr(subject, "-stable tree") != NULL ||
		       strstr(subject, "added to ") != NULL;
	return g_str_has_prefix(subject, "FAILED: patch ") ||
	       g_str_has_prefix(subject, "FAILED: Patch ");
}

ROBOT_WROTE(robot_stable)
{
	return !s->reply && is_queue_subject(message_subject(msg)) &&
	       is_stable_sender(msg);
}

static gboolean has_prefix_token(const struct subject *s, const char *token)
{
	for (guint i = 0; i < s->prefixes->len; i++)
		if (!g_ascii_strcasecmp(s->prefixes->pdata[i], token))
			return TRUE;
	return FALSE;
}

/* Patches of others that a script chose and sent: the mail is the patch. */
ROBOT_WROTE(robot_autosel)
{
	if (s->reply || !s->patch || !is_stable_sender(msg))
		return FALSE;
	return has_prefix_token(s, "AUTOSEL") ||
	       robot_has_header(msg, "X-stable") ||
	       robot_has_header(msg, "X-KernelTest-Patch") ||
	       robot_has_header(msg, "X-stable-base");
}

/* "+ x.patch added to mm-unstable branch", "[merged] x.patch removed from
 * -mm tree" */
ROBOT_WROTE(robot_mm)
{
	const char *subject = message_subject(msg);

	return !s->reply && *subject && strchr("+-[", subject[0]) &&
	       (strstr(subject, ".patch added to ") ||
		strstr(subject, ".patch removed from ")) &&
	       (robot_domain(msg, "linux-foundation.org") ||
		robot_domain(msg, "kernel.org"));
}
