/* commit_text.c - one commit, and where it is, for people */
#include <string.h>

#include "mail/date.h"
#include "mail/msgid.h"

#include "bot/commit_facts.h"

#define SHORT_ID   12
#define MENTIONS   10 /* shown; the rest is counted */
#define DATE_CHARS 10

static void add(GString *out, const char *label, const char *format, ...)
	G_GNUC_PRINTF(3, 4);

static void add(GString *out, const char *label, const char *format, ...)
{
	va_list args;

	g_string_append_printf(out, "%-12s ", label);
	va_start(args, format);
	g_string_append_vprintf(out, format, args);
	va_end(args);
	g_string_append_c(out, '\n');
}

static char *day_of(gint64 utc)
{
	char *date = date_to_rfc3339(utc);

	if (!date)
		return g_strdup("unknown date");
	date[DATE_CHARS] = '\0';
	return date;
}

/* ---- the matrix */

static void add_as(GString *out, const struct commit_place *p)
{
	static const char *const words[] = {
		[SAME_BACKPORT] = "backport",
		[SAME_PICKED] = "picked",
		[SAME_CHANGE] = "the same change",
		[SAME_AMENDED] = "amended",
	};

	if (p->same != SAME_ID)
		g_string_append_printf(out, ", as %.*s (%s)", SHORT_ID,
				       p->commit->id, words[p->same]);
}

static void add_present(GString *out, const struct commit_place *p)
{
	g_autofree char *day = day_of(p->merged);

	g_string_append_printf(out, "yes, in %s since %s", p->branch, day);
	if (p->tag)
		g_string_append_printf(out, ", first in %s", p->tag);
	else
		g_string_append(out, ", in no tag yet");
	add_as(out, p);
}

static void add_url(GString *out, const struct commit_place *p,
		    const char *indent)
{
	g_autofree char *url = code_tree_url(p->tree, p->commit->id);

	if (url)
		g_string_append_printf(out, "%s%-12s %s\n", indent, "", url);
}

static void add_absent(GString *out, const struct commit_place *p)
{
	g_autofree char *looked = day_of(p->tree->looked);
	g_autofree char *left = day_of(p->left);

	if (p->present == KNOWN_NOT) {
		g_string_append(out, p->tree->looked
					     ? "not looked that far back"
					     : "not looked");
		return;
	}
	g_string_append_printf(out, "no (looked %s)", looked);
	if (!p->left)
		return;
	g_string_append_printf(out, "; was in %s until %s", p->branch, left);
	if (p->tag)
		g_string_append_printf(out, ", first in %s", p->tag);
	add_as(out, p);
}

static void add_no_trees(GString *out, const char *indent)
{
	g_string_append_printf(out,
			       "%snot looked: no tree is configured, or none "
			       "was read yet\n",
			       indent);
}

void trees_text(GString *out, GPtrArray *trees, const char *indent)
{
	if (!trees->len)
		add_no_trees(out, indent);
	for (guint i = 0; i < trees->len; i++) {
		struct commit_place p = {.tree = trees->pdata[i]};

		p.present =
			p.tree->looked && !p.tree->since ? KNOWN_NO : KNOWN_NOT;
		g_string_append_printf(out, "%s%-12s ", indent, p.tree->name);
		add_absent(out, &p);
		g_string_append_c(out, '\n');
	}
}

void places_text(GString *out, GPtrArray *places, const char *indent)
{
	if (!places || !places->len) {
		add_no_trees(out, indent);
		return;
	}
	for (guint i = 0; i < places->len; i++) {
		const struct commit_place *p = places->pdata[i];

		g_string_append_printf(out, "%s%-12s ", indent, p->tree->name);
		if (p->present == KNOWN_YES)
			add_present(out, p);
		else
			add_absent(out, p);
		g_string_append_c(out, '\n');
		if (p->present == KNOWN_YES)
			add_url(out, p, indent);
	}
}

/* ---- the commit */

static void add_head(GString *out, const struct commit *c)
{
	g_autofree char *written = day_of(c->author_date);
	g_autofree char *taken = day_of(c->commit_date);

	g_string_append_printf(out, "%s\n", c->subject);
	add(out, "commit", "%s", c->id);
	add(out, "author", "%s <%s>, %s; committed %s", c->author_name,
	    c->author_address, written, taken);
}

static void add_items(GString *out, const struct commit_facts *f)
{
	guint culprit = 0;

	for (guint i = 0; i < f->items->len; i++)
		culprit += ((struct commit_item *)f->items->pdata[i])->culprit;
	if (culprit)
		add(out, "regressed", "yes, %u %s", culprit,
		    culprit == 1 ? "report" : "reports");
	else
		add(out, "regressed",
		    f->commit ? "nothing that is known" : "not known");
	for (guint i = 0; i < f->items->len; i++) {
		const struct commit_item *x = f->items->pdata[i];

		add(out, x->culprit ? "  brought" : "  repairs", "%s  %s (%s)",
		    x->item->id, x->item->title,
		    x->culprit ? x->item->state : x->status);
	}
}

static void add_patches(GString *out, GPtrArray *patches)
{
	for (guint i = 0; patches && i < patches->len; i++) {
		const struct commit_link *l = patches->pdata[i];
		g_autofree char *path = msgid_to_url(l->mid);

		add(out, i ? "" : "patch",
		    "https://lore.kernel.org/all/%s/ (%s)", path,
		    commit_evidence_name(l->evidence));
	}
}

static void add_sayings(GString *out, const struct commit_facts *f)
{
	static const char *const about_it[] = {
		[SAYS_FIXES] = "fixed by",
		[SAYS_REVERTS] = "reverted by",
		[SAYS_BACKPORTS] = "backport",
		[SAYS_PICKED] = "picked as",
	};

	for (guint i = 0; i < f->sayings->len; i++) {
		const struct commit_saying *s = f->sayings->pdata[i];

		if (s->says >= SAYS_FIXES && s->says <= SAYS_PICKED)
			add(out, commit_says_name(s->says), "%s%s%s%s",
			    s->id ? s->id : "", s->subject ? " (\"" : "",
			    s->subject ? s->subject : "",
			    s->subject ? "\")" : "");
	}
	for (guint i = 0; i < f->others->len; i++) {
		const struct commit_saying *s = f->others->pdata[i];

		add(out, about_it[s->says], "%.*s (\"%s\")", SHORT_ID,
		    s->commit->id, s->commit->subject);
	}
}

static void add_mentions(GString *out, GPtrArray *mentions)
{
	for (guint i = 0; i < MIN(mentions->len, MENTIONS); i++) {
		const struct commit_mention *m = mentions->pdata[i];
		g_autofree char *day = day_of(m->date);

		add(out, i ? "" : "mails", "%s %-9s %s <%s>", day,
		    commit_role_name(m->role), m->subject, m->mid);
	}
	if (mentions->len > MENTIONS)
		add(out, "", "and %s%u more",
		    mentions->len == COMMIT_MAX_MENTIONS ? "at least " : "",
		    mentions->len - MENTIONS);
}

char *commit_text(const struct commit_facts *f)
{
	GString *out = g_string_new(NULL);

	if (f->commit)
		add_head(out, f->commit);
	else
		add(out, "commit", "%s, which no tree is known to have",
		    f->asked);
	if (f->describe)
		add(out, "describe", "%s", f->describe);
	add_items(out, f);
	if (f->commit) {
		add_patches(out, f->patches);
		add_sayings(out, f);
		g_string_append(out, "trees\n");
		places_text(out, f->places, "  ");
	} else {
		g_string_append(out, "trees\n");
		trees_text(out, f->trees, "  ");
	}
	if (f->follow)
		add(out, "now", "%s (%s)", f->follow->id,
		    f->same == SAME_CHANGE ? "rebased" : "amended");
	add_mentions(out, f->mentions);
	return g_string_free(out, FALSE);
}
