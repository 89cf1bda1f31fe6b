/* robot.c - the table of robots: names and functions
 * The order decides where two could claim a mail; the last row takes any
 * program. What a robot's mail says is read in the robot_*.c files. */
#include "mail/robot.h"

#include "mail/robot_priv.h"

static const struct robot robots[] = {
	{"kernel-test-robot", robot_lkp_wrote, robot_lkp_read},
	{"syzbot", robot_syzbot_wrote, robot_syzbot_read},
	{"kernelci", robot_kernelci_wrote, robot_kernelci_read},
	{"lkft", robot_lkft_wrote, robot_lkft_read},
	{"cki", robot_cki_wrote, robot_cki_read},
	{"coverity", robot_coverity_wrote, robot_coverity_read},
	{"linux-next", robot_next_wrote, robot_next_read},
	{"bugzilla", robot_bugzilla_wrote, NULL},
	{"debian-bts", robot_debbugs_wrote, NULL},
	{"patchwork-bot", robot_patchwork_wrote, NULL},
	{"pr-tracker-bot", robot_prtracker_wrote, NULL},
	{"tip-bot", robot_tip_wrote, NULL},
	{"stable", robot_stable_wrote, NULL},
	{"autosel", robot_autosel_wrote, NULL},
	{"mm-queue", robot_mm_wrote, NULL},
	{"bpf-ci", robot_bpfci_wrote, NULL},
	{"sashiko", robot_sashiko_wrote, NULL},
	{"regzbot", robot_regzbot_wrote, NULL},
	{"robot", robot_any_wrote, NULL},
	{NULL, NULL, NULL},
};

const struct robot *robot_table(void)
{
	return robots;
}

const struct robot *robot_find(const message *msg, const struct subject *s,
			       const body *b)
{
	for (const struct robot *r = robots; r->name; r++)
		if (r->wrote(msg, s, b))
			return r;
	return NULL;
}
