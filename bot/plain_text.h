/* plain_text.h - text out of mails, made safe for a terminal */
#ifndef BOT_PLAIN_TEXT_H
#define BOT_PLAIN_TEXT_H

/* Drop, in place, control characters but newline and tab (C1 and DEL, too),
 * and those that turn the direction of text around. Gives `text` back. */
char *plain_text(char *text);

#endif
