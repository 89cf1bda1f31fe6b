/* command.c - lines that are meant for a tracker */
#include "mail/command.h"

const char *command_status_name(enum command_status s)
{
	static const char *const names[] = {"ok", "unknown", "malformed",
					    "inert"};

	return names[s];
}

GPtrArray *commands_read(const message *msg, const body *b,
			 const struct robot *robot)
{
	(void)msg;
	(void)b;
	(void)robot;
	return g_ptr_array_new_with_free_func((GDestroyNotify)command_free);
}

void command_free(struct command *c)
{
	if (!c)
		return;
	g_free(c->verb);
	g_free(c->verb_written);
	g_free(c->args);
	g_free(c->problem);
	g_free(c->target_url);
	g_free(c);
}

const struct command_verb *command_verbs(void)
{
	static const struct command_verb verbs[] = {{0}};

	return verbs;
}
