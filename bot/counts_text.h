/* counts_text.h - "120 messages read: 100 new, 20 known": what was brought in */
#ifndef BOT_COUNTS_TEXT_H
#define BOT_COUNTS_TEXT_H

#include "bot/ingest.h"
#include "bot/trees.h"

void counts_text_mail(GString *out, const struct ingest_counts *c);
/* `trees`: how many were read. */
void counts_text_trees(GString *out, const struct trees_counts *c, guint trees);

#endif
