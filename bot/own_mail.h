/* own_mail.h - mail of our own as the settings want it
 * Who writes, how it quotes, what stands below it. */
#ifndef BOT_OWN_MAIL_H
#define BOT_OWN_MAIL_H

#include "mail/auto.h"
#include "mail/reply.h"

#include "bot/config.h"

struct own_mail {
	struct reply_options reply; /* lends from here and the settings */
	struct address *from;
	char **also;
	char **all; /* NULL-ended: every address of ours; lent strings */
};

/* Of settings that have an address in [bot]. */
struct own_mail *own_mail_new(const config *c, gint64 now);
void own_mail_free(struct own_mail *o);
AUTO_STRUCT(own_mail, own_mail_free)

/* Append NAME.txt of the templates (NULL: signature) to its body. */
gboolean own_mail_sign(struct outgoing *m, const config *c, const char *name,
		       GError **err);

#endif
