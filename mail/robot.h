/* robot.h - which program wrote a mail
 * One row a robot in one table. Decided by addresses and headers; the text
 * only tells what kind of mail of that robot it is. */
#ifndef MAIL_ROBOT_H
#define MAIL_ROBOT_H

#include <glib.h>

#include "mail/body.h"
#include "mail/message.h"
#include "mail/report.h"
#include "mail/subject.h"
#include "mail/table.h"

struct robot {
	const char *name; /* "kernel-test-robot", "syzbot" ...: contract 2 */
	/* Whether the mail is this robot's. */
	gboolean (*wrote)(const message *msg, const struct subject *s,
			  const body *b);
	/* Its report; NULL: this mail is a notice. A NULL function: it never
	 * sends any. `tables` are those of the body. */
	struct report *(*read)(const message *msg, const struct subject *s,
			       const body *b, GPtrArray *tables);
};

/* The robot that wrote the mail; NULL: a person. Lent. */
const struct robot *robot_find(const message *msg, const struct subject *s,
			       const body *b);

/* Every row, for tests and documents; ends with a NULL name. */
const struct robot *robot_table(void);

#endif
