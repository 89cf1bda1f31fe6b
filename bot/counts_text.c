/* counts_text.c - counts as summaries and logs tell them */
#include "bot/counts_text.h"

static void append(GString *s, guint64 n, const char *what)
{
	if (n > 0)
		g_string_append_printf(s, ", %" G_GUINT64_FORMAT " %s", n,
				       what);
}

void counts_text_mail(GString *out, const struct ingest_counts *c)
{
	g_string_append_printf(out, "%" G_GUINT64_FORMAT " messages read: ",
			       c->seen);
	g_string_append_printf(out, "%" G_GUINT64_FORMAT " new", c->new);
	append(out, c->known, "known");
	append(out, c->copies, "others under a known Message-ID");
	append(out, c->deleted, "deleted");
	append(out, c->broken, "unreadable (culprit problems lists them)");
	append(out, c->skipped, "files that are no mail");
}

void counts_text_trees(GString *out, const struct trees_counts *c, guint trees)
{
	g_string_append_printf(out, "%u %s read: %" G_GUINT64_FORMAT " new %s",
			       trees, trees == 1 ? "tree" : "trees", c->commits,
			       c->commits == 1 ? "commit" : "commits");
	append(out, c->landed, "landed in a branch");
	append(out, c->gone, "gone from a branch");
	append(out, c->rewritten,
	       c->rewritten == 1 ? "branch rewritten" : "branches rewritten");
	append(out, c->tags, c->tags == 1 ? "new tag" : "new tags");
}
