/* view_priv.h - small JSON makers that the view_*.c files share
 * Every function gives a new reference. */
#ifndef BOT_VIEW_PRIV_H
#define BOT_VIEW_PRIV_H

#include "bot/view.h"

/* A string; null for NULL. What is not UTF-8 is made so. */
json_t *view_text(const char *text);
/* The same, but null for "", too. */
json_t *view_filled(const char *text);
/* null for what is no number. */
json_t *view_number(double v);
/* RFC 3339 in UTC; null for 0. */
json_t *view_date(gint64 utc);
/* {name, address}; null for NULL. */
json_t *view_person(const struct address *who);
json_t *view_people(GPtrArray *people);
/* An array of the strings; empty for NULL. */
/* Of struct command_record. */
json_t *view_outcomes(GPtrArray *commands);
json_t *view_texts(GPtrArray *strings);

/* Parts of culprit/message/1; null for NULL, arrays empty. */
json_t *view_report(const struct report *r);
/* Verdicts, or what else is kept of people's words. */
json_t *view_words(GPtrArray *words, gboolean verdicts);
json_t *view_applied(const struct applied *a);
json_t *view_commands(GPtrArray *commands);
/* The series of an item, and other reports. */
json_t *view_history(const struct item *i);

#endif
