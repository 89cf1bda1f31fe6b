/* received.h - fields that the hosts on a mail's way put on top of it
 * Tokens alone; which hosts are ours, the caller knows. */
#ifndef MAIL_RECEIVED_H
#define MAIL_RECEIVED_H

#include <glib.h>

#include "mail/header.h"

struct received {
	char *by;   /* host, lower case; "" unknown */
	char *with; /* protocol, upper case; "" unknown */
};

/* One field; never fails. */
void received_parse(const struct header_field *f, struct received *r);
void received_clear(struct received *r);

/* A structured value without its comments and the quotes of its strings: what
 * is in quotes has no blank or ';' left. You own it. */
char *received_plain(const char *unfolded);

/* `name` is `host` or below it; case counts nothing. */
gboolean host_is_below(const char *name, const char *host);

#endif
