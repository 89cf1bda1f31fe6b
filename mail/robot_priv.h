/* robot_priv.h - rows of the table of robots, one function pair a robot
 * For the robot_*.c files alone. */
#ifndef MAIL_ROBOT_PRIV_H
#define MAIL_ROBOT_PRIV_H

#include "mail/report_priv.h"
#include "mail/robot.h"

#define ROBOT_WROTE(name)                                                  \
	gboolean name##_wrote(const message *msg, const struct subject *s, \
			      const body *b)
#define ROBOT_READ(name)                                                   \
	struct report *name##_read(const message *msg,                     \
				   const struct subject *s, const body *b, \
				   GPtrArray *tables)

ROBOT_WROTE(robot_lkp);
ROBOT_READ(robot_lkp);
ROBOT_WROTE(robot_syzbot);
ROBOT_READ(robot_syzbot);
ROBOT_WROTE(robot_kernelci);
ROBOT_READ(robot_kernelci);
ROBOT_WROTE(robot_lkft);
ROBOT_READ(robot_lkft);
ROBOT_WROTE(robot_cki);
ROBOT_READ(robot_cki);
ROBOT_WROTE(robot_coverity);
ROBOT_READ(robot_coverity);
ROBOT_WROTE(robot_next);
ROBOT_READ(robot_next);
ROBOT_WROTE(robot_bugzilla);
ROBOT_WROTE(robot_debbugs);
ROBOT_WROTE(robot_patchwork);
ROBOT_WROTE(robot_prtracker);
ROBOT_WROTE(robot_tip);
ROBOT_WROTE(robot_stable);
ROBOT_WROTE(robot_autosel);
ROBOT_WROTE(robot_mm);
ROBOT_WROTE(robot_bpfci);
ROBOT_WROTE(robot_sashiko);
ROBOT_WROTE(robot_regzbot);
ROBOT_WROTE(robot_any);

/* ---- who sent it (robot_from.c) */

/* The sender's address is `address`, in any case. */
gboolean robot_from(const message *msg, const char *address);
/* The domain of the sender's address is `domain`. */
gboolean robot_domain(const message *msg, const char *domain);
/* Its local part begins with `prefix`. */
gboolean robot_local(const message *msg, const char *prefix);
/* Edit distance of the display name to `want`, at most 3. */
guint robot_name_distance(const message *msg, const char *want);
gboolean robot_has_header(const message *msg, const char *name);
/* A header begins with `value`, in any case. */
gboolean robot_header_is(const message *msg, const char *name,
			 const char *value);
/* An answer as people write it: to somebody, with "X wrote:" above a quote. */
gboolean robot_answers(const message *msg, const struct subject *s,
		       const body *b);
/* The value of the first own line "key value" within the first `lines`. You
 * own it; NULL none. */
char *robot_value(const body *b, guint lines, const char *key);

#endif
