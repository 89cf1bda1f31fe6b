/* reading_robot.c - is it a program that wrote this mail
 * By address and a few headers; never by the text, which people quote. */
#include <string.h>

#include "mail/reading_priv.h"

#define MAX_NAME_DISTANCE 2 /* "kernel test rboot" */
#define MAX_NAME	  40

/* Words of a local part, cut at "+-._": "patchwork-bot+f2fs". */
static gboolean is_robot_word(const char *word, gsize len)
{
	static const char *const words[] = {"bot",	"bot2",	    "robot",
					    "syzbot",	"tipbot",   "regzbot",
					    "buildbot", "kernelci", "lkft",
					    "noreply",	"bugzilla", "daemon",
					    "mptcpci",	"autobuild"};
	guint i;

	for (i = 0; i < G_N_ELEMENTS(words); i++)
		if (strlen(words[i]) == len &&
		    g_ascii_strncasecmp(word, words[i], len) == 0)
			return TRUE;
	return FALSE;
}

static gboolean is_robot_local(const char *p)
{
	if (g_ascii_strncasecmp(p, "no-reply@", 9) == 0)
		return TRUE;
	for (;;) {
		gsize n = strcspn(p, "+-._@");

		if (is_robot_word(p, n))
			return TRUE;
		p += n;
		if (!*p || *p == '@')
			return FALSE;
		p++;
	}
}

/* Edit distance of a name to `want`, at most `max` + 1. */
static guint distance(const char *name, const char *want, guint max)
{
	gsize n = strlen(name), m = strlen(want), i, k;
	guint row[MAX_NAME + 1];

	if (n > MAX_NAME || m > MAX_NAME)
		return max + 1;
	for (k = 0; k <= m; k++)
		row[k] = (guint)k;
	for (i = 1; i <= n; i++) {
		guint diagonal = row[0];

		row[0] = (guint)i;
		for (k = 1; k <= m; k++) {
			guint change =
				diagonal +
				(g_ascii_tolower(name[i - 1]) != want[k - 1]);

			diagonal = row[k];
			row[k] = MIN(MIN(row[k], row[k - 1]) + 1, change);
		}
	}
	return row[m];
}

/* Engineers of the test robot answer from its addresses, under their own
 * names. */
static gboolean is_test_robot(const struct address *a)
{
	const char *domain = strchr(a->address, '@');

	if (!domain || g_ascii_strcasecmp(domain, "@intel.com") != 0)
		return FALSE;
	return distance(a->name, "kernel test robot", MAX_NAME_DISTANCE) <=
		       MAX_NAME_DISTANCE ||
	       distance(a->name, "kbuild test robot", MAX_NAME_DISTANCE) <=
		       MAX_NAME_DISTANCE ||
	       g_ascii_strcasecmp(a->address, "lkp@intel.com") == 0;
}

/* "Patch "x" has been added to the 6.1-stable tree", "FAILED: patch ...",
 * "+ x.patch added to mm-unstable branch" */
static gboolean is_queue_subject(const char *subject)
{
	if (g_str_has_prefix(subject, "Patch \""))
		return strstr(subject, "-stable tree") != NULL;
	if (g_str_has_prefix(subject, "FAILED: patch "))
		return TRUE;
	return strchr("+-[", subject[0]) && subject[0] &&
	       (strstr(subject, ".patch added to ") ||
		strstr(subject, ".patch removed from "));
}

static gboolean says_automatic(const header *h)
{
	g_autofree char *value = header_dup(h, "Auto-Submitted");

	return value && g_ascii_strncasecmp(value, "auto-", 5) == 0;
}

gboolean reading_is_notice(const message *msg, const struct subject *s)
{
	const struct address *from = message_from(msg);
	const header *h = message_header(msg);

	return is_robot_local(from->address) || is_test_robot(from) ||
	       header_find(h, "X-PR-Tracked-Message-Id") ||
	       header_find(h, "X-Kernelci-Report-Type") ||
	       is_queue_subject(message_subject(msg)) || says_automatic(h) ||
	       (s->tip && header_find(h, "Robot-ID"));
}
