/* parse_text.c - what was understood of a message, for a person to read
 * Labels in a column of their own; what is not there is not mentioned. */
#include "bot/parse_text.h"

#include <math.h>
#include <string.h>

#include "mail/date.h"

#include "bot/plain_text.h"

#define LABEL_FORMAT "%-12s"

static void add_line(GString *out, const char *label, const char *format, ...)
	G_GNUC_PRINTF(3, 4);

static void add_line(GString *out, const char *label, const char *format, ...)
{
	va_list args;

	g_string_append_printf(out, LABEL_FORMAT, label);
	va_start(args, format);
	g_string_append_vprintf(out, format, args);
	va_end(args);
	g_string_append_c(out, '\n');
}

static void add_text(GString *out, const char *label, const char *value)
{
	if (value && *value)
		add_line(out, label, "%s", value);
}

static void add_person(GString *out, const char *label, const struct address *a)
{
	if (!a)
		return;
	if (!*a->address)
		add_text(out, label, a->name);
	else if (*a->name)
		add_line(out, label, "%s <%s>", a->name, a->address);
	else
		add_line(out, label, "<%s>", a->address);
}

static void add_people(GString *out, const char *label, GPtrArray *people)
{
	for (guint i = 0; i < people->len; i++)
		add_person(out, i ? "" : label, people->pdata[i]);
}

static void add_strings(GString *out, const char *label, GPtrArray *strings)
{
	for (guint i = 0; strings && i < strings->len; i++)
		add_text(out, i ? "" : label, strings->pdata[i]);
}

static void add_ids(GString *out, const char *label, GPtrArray *ids)
{
	for (guint i = 0; i < ids->len; i++)
		add_line(out, i ? "" : label, "<%s>",
			 (const char *)ids->pdata[i]);
}

static void add_date(GString *out, const message *m)
{
	g_autofree char *date = date_to_rfc3339(message_date(m));
	const char *zone = message_date_zone(m);

	if (date && zone)
		add_line(out, "date", "%s (written in %s)", date, zone);
	else
		add_text(out, "date", date ? date : "unknown");
}

static void add_head(GString *out, const struct reading *r)
{
	const message *m = r->msg;

	add_line(out, "message", "<%s>%s", message_id(m),
		 message_id_made(m) ? " (made here: it has none)" : "");
	add_ids(out, "also", message_extra_ids(m));
	add_text(out, "kind", mail_kind_name(r->kind));
	add_text(out, "subject", message_subject(m));
	add_person(out, "from", message_from(m));
	add_person(out, "sender", message_sender(m));
	add_people(out, "reply to", message_reply_to(m));
	add_date(out, m);
	add_people(out, "to", message_to(m));
	add_people(out, "cc", message_cc(m));
	add_strings(out, "list", message_list_ids(m));
	if (message_parent(m))
		add_line(out, "answers", "<%s>", message_parent(m));
	add_ids(out, "references", message_references(m));
}

static void add_place(GString *out, const struct subject *s)
{
	g_autofree char *prefixes = NULL;

	add_line(out, "version", s->version_text ? "%s" : "%.0s%d",
		 s->version_text ? s->version_text : "", s->version);
	if (s->numbered && s->total >= 0)
		add_line(out, "number", "%d of %d", s->number, s->total);
	else if (s->numbered)
		add_line(out, "number", "%d", s->number);
	if (!s->prefixes->len)
		return;
	g_ptr_array_add(s->prefixes, NULL);
	prefixes = g_strjoinv(" ", (char **)s->prefixes->pdata);
	g_ptr_array_set_size(s->prefixes, s->prefixes->len - 1);
	add_text(out, "prefixes", prefixes);
}

static void add_file(GString *out, const struct diff_file *f)
{
	g_autofree char *size = NULL;

	if (f->binary)
		size = g_strdup("binary");
	else
		size = g_strdup_printf("+%u -%u", f->insertions, f->deletions);
	if (f->old_path)
		add_line(out, "", "%s  %s, was %s", size, f->path, f->old_path);
	else
		add_line(out, "", "%s  %s", size, f->path);
}

static void add_diff(GString *out, const struct diff *d)
{
	add_line(out, "diff", "%u %s, +%u -%u", d->files->len,
		 d->files->len == 1 ? "file" : "files", d->insertions,
		 d->deletions);
	for (guint i = 0; i < d->files->len; i++)
		add_file(out, d->files->pdata[i]);
	add_text(out, "patch id", d->patch_id);
	add_text(out, "damage", d->damage);
}

static void add_patch(GString *out, const struct reading *r)
{
	const struct patch *p = r->patch;

	add_text(out, "title", p->title);
	add_place(out, r->subject);
	if (p->author_in_body)
		add_person(out, "author", p->author);
	add_text(out, "change id", p->change_id);
	add_text(out, "base", p->base_commit);
	add_strings(out, "needs", p->prerequisites);
	add_ids(out, "older", p->older_links);
	if (p->diff)
		add_diff(out, p->diff);
}

static void add_pull(GString *out, const struct pull *p)
{
	add_text(out, "pull from", p->url);
	add_text(out, "ref", p->ref);
	add_text(out, "base", p->base);
	if (p->commits >= 0)
		add_line(out, "commits", "%d", p->commits);
}

static void add_report(GString *out, const struct report *t)
{
	const char *direction = report_direction_name(t->direction);

	add_line(out, "report", "%s%s%s by %s",
		 report_category_name(t->category), direction ? " " : "",
		 direction ? direction : "", t->robot);
	if (t->metric && !isnan(t->change_percent))
		add_line(out, "metric", "%s %+.1f%%", t->metric,
			 t->change_percent);
	else
		add_text(out, "metric", t->metric);
	add_text(out, "commit", t->commit);
	add_text(out, "", t->commit_subject);
	add_text(out, "base", t->base);
	add_text(out, "tree", t->base_tree);
	add_text(out, "branch", t->branch);
	add_text(out, "patch link", t->patch_url);
	add_text(out, "testcase", t->testcase);
	add_text(out, "machine", t->machine);
	add_strings(out, "parameters", t->parameters);
	add_text(out, "compiler", t->compiler);
	add_text(out, "config", t->config);
	add_strings(out, "offers", t->tags_offered);
	add_strings(out, "artifacts", t->artifacts);
}

static void add_trailer(GString *out, const char *label,
			const struct trailer *t)
{
	const char *relayed = t->relayed ? " (relayed)" : "";

	if (t->counts)
		add_line(out, label, "%s: %s%s", t->key, t->value, relayed);
}

static void add_mentions(GString *out, const struct reading *r)
{
	for (guint i = 0; i < r->trailers->len; i++)
		add_trailer(out, i ? "" : "trailers", r->trailers->pdata[i]);
	for (guint i = 0; i < r->commits->len; i++) {
		const struct commit_ref *c = r->commits->pdata[i];

		add_line(out, i ? "" : "commits", "%s %s%s%s", c->id,
			 commit_role_name(c->role), c->subject ? ": " : "",
			 c->subject ? c->subject : "");
	}
	for (guint i = 0; i < r->links->len; i++) {
		const struct link *l = r->links->pdata[i];

		add_line(out, i ? "" : "links", "%s %s",
			 link_role_name(l->role), l->url);
	}
	for (guint i = 0; i < r->warnings->len; i++) {
		const struct warning *w = r->warnings->pdata[i];

		add_line(out, i ? "" : "warnings", "%s: %s", w->code, w->text);
	}
}

char *parse_text(const struct reading *r, gboolean with_body)
{
	GString *out = g_string_new(NULL);

	add_head(out, r);
	if (r->patch)
		add_patch(out, r);
	if (r->pull)
		add_pull(out, r->pull);
	if (r->report)
		add_report(out, r->report);
	add_mentions(out, r);
	if (with_body) {
		g_string_append_c(out, '\n');
		g_string_append(out, message_body(r->msg));
	}
	return plain_text(g_string_free(out, FALSE));
}
