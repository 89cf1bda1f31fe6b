/* guard.h - mail that must not be answered, whatever it says
 * Two programs that answer each other never stop, so who wrote a mail is asked
 * before what it says. Precedence and List-* decide nothing: all mail of lists
 * has them. Knows no database. docs/answers.md. */
#ifndef MAIL_GUARD_H
#define MAIL_GUARD_H

#include "mail/message.h"
#include "mail/robot.h"

#define GUARD_MAX_RECEIVED 30		 /* more hops are a loop */
#define GUARD_OWN_HOPS	   3		 /* so many of our host are one, too */
#define GUARD_MAX_TEXT	   (1024 * 1024) /* bytes; nobody types more */

/* In the order in which they are asked; the first that holds decides. */
enum guard {
	GUARD_PASS,
	GUARD_OWN,	/* we wrote it */
	GUARD_BOUNCE,	/* a report of delivery, or from nobody */
	GUARD_VACATION, /* a program answered for somebody */
	GUARD_LOOP,	/* it has been here before */
	GUARD_ROBOT,	/* of a robot: facts only */
	GUARD_IGNORE,	/* its sender asks for it */
	GUARD_SIZE,
};

struct guard_rules {
	const char *const *own; /* our addresses, NULL-ended; may be NULL */
	const char *host;	/* of our Message-IDs; NULL: none is ours */
};

/* `robot`: of robot_find(), or NULL. `*why` is a constant: half a sentence. */
enum guard guard_judge(const message *msg, const struct guard_rules *rules,
		       const struct robot *robot, const char **why);

/* "pass", "own", "bounce", "vacation", "loop", "robot" ... */
const char *guard_name(enum guard g);

#endif
