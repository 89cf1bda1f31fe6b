#include "mail/robot.h"

#include "mail/reading_priv.h"

static gboolean any_wrote(const message *msg, const struct subject *s,
			  const body *b)
{
	return reading_is_notice(msg, s) || report_parse(msg, b);
}

static struct report *any_read(const message *msg, const struct subject *s,
			       const body *b, GPtrArray *tables)
{
	(void)s;
	(void)tables;
	return report_parse(msg, b);
}

static const struct robot robots[] = {{"robot", any_wrote, any_read}, {0}};

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
