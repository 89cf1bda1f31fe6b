/* reading.c - what kind of mail a message is, and its parsers called
 * Decides by subject, diff, In-Reply-To and sender. Must not know what a
 * parser finds beyond what that decision needs. */
#include "mail/reading.h"

#include <string.h>

#include "mail/reading_priv.h"

const char *mail_kind_name(enum mail_kind kind)
{
	static const char *const names[] = {"other",  "patch", "cover", "pull",
					    "report", "reply", "notice"};

	return names[kind];
}

static gboolean starts(const struct body_line *l, const char *with)
{
	gsize n = strlen(with);

	return l->len >= n && memcmp(l->text, with, n) == 0;
}

/* What the unquoted lines hold. */
struct content {
	gboolean diff; /* a hunk, a rename, a binary: something to apply */
	gboolean stat; /* the sum of a diffstat */
	gboolean signed_off;
};

static struct content look_at_lines(const body *b)
{
	struct content c = {0};
	guint i;

	for (i = 0; i < body_count(b); i++) {
		const struct body_line *l = body_line(b, i);

		if (l->kind == BODY_TEXT && starts(l, "Signed-off-by: "))
			c.signed_off = TRUE;
		if (l->kind != BODY_DIFF || !l->len)
			continue;
		switch (l->text[0]) {
		case '@':
			c.diff = c.diff || starts(l, "@@ -");
			break;
		case 'd':
			c.diff = c.diff || starts(l, "diff --git ");
			break;
		case ' ':
			c.stat = c.stat ||
				 (memmem(l->text, l->len, " file", 5) &&
				  memmem(l->text, l->len, " changed", 8));
			break;
		default:
			break;
		}
	}
	return c;
}

/* Output of a test suite ("+++ results/x.out.bad") is no patch. */
static gboolean is_test_output(const struct diff *d)
{
	guint i;

	for (i = 0; i < d->files->len; i++) {
		const struct diff_file *f = g_ptr_array_index(d->files, i);

		if (!f->path || (!g_str_has_suffix(f->path, ".out.bad") &&
				 !strstr(f->path, "/results/")))
			return FALSE;
	}
	return TRUE;
}

/* A diff under a subject that does not speak of patches: meant for git if it
 * is whole and signed off, or cut from its message as git does. */
static gboolean is_bare_patch(const message *msg, const struct content *c)
{
	gsize len;
	const char *bytes = message_patch_bytes(msg, &len);
	g_autoptr(diff_auto) d = NULL;

	if (!c->stat && !c->signed_off)
		return FALSE;
	d = diff_parse(bytes, len, 0);
	return d && d->files->len && !d->damage && !is_test_output(d);
}

/* Mail with a patch's subject that is no reply. */
static enum mail_kind patch_kind(const struct subject *s,
				 const struct content *c)
{
	if (s->numbered && s->number == 0)
		return KIND_COVER;
	if (c->diff || (s->numbered && !s->cover_hint))
		return KIND_PATCH;
	return c->stat || s->cover_hint ? KIND_COVER : KIND_OTHER;
}

/* Some robots send patches: of their own, or those of others. */
static enum mail_kind robot_kind(const struct subject *s,
				 const struct content *c)
{
	enum mail_kind kind = KIND_OTHER;

	if (s->patch && !s->reply && !s->tip)
		kind = patch_kind(s, c);
	return kind == KIND_OTHER ? KIND_NOTICE : kind;
}

static enum mail_kind decide(const struct reading *r, const struct content *c)
{
	const struct subject *s = r->subject;

	if (r->report)
		return KIND_REPORT;
	if (r->robot)
		return robot_kind(s, c);
	if (s->reply)
		return KIND_REPLY;
	if (s->pull && !(c->diff && s->numbered))
		return KIND_PULL;
	if (s->patch || (s->pull && c->diff))
		return patch_kind(s, c);
	if (message_in_reply_to(r->msg))
		return KIND_REPLY;
	if (r->pull)
		return KIND_PULL;
	if (c->diff && is_bare_patch(r->msg, c))
		return KIND_PATCH;
	return KIND_OTHER;
}

static void append_all(GPtrArray *to, GPtrArray *from)
{
	if (from)
		g_ptr_array_extend_and_steal(to, from);
}

static void read_patch_trailers(struct reading *r)
{
	const struct patch *p = r->patch;

	if (r->kind == KIND_COVER) {
		r->trailers =
			trailers_in_notes(p->commit_message, p->message_line);
		return;
	}
	r->trailers = trailers_in_commit(p->commit_message, p->message_line);
	append_all(r->trailers, trailers_in_notes(p->notes, p->notes_line));
}

static void read_trailers(struct reading *r)
{
	switch (r->kind) {
	case KIND_PATCH:
	case KIND_COVER:
		read_patch_trailers(r);
		break;
	case KIND_REPORT:
	case KIND_NOTICE:
		/* the tags that robots offer are nobody's yet */
		r->trailers = g_ptr_array_new_with_free_func(
			(GDestroyNotify)trailer_free);
		break;
	default:
		r->trailers = trailers_in_reply(r->body, message_from(r->msg));
		break;
	}
}

static void read_patch(struct reading *r, const struct content *c)
{
	if (r->kind != KIND_PATCH && r->kind != KIND_COVER &&
	    !(r->kind == KIND_REPLY && c->diff))
		return;
	r->patch = patch_parse(r->msg, r->subject);
	if (r->kind == KIND_REPLY && !r->patch->diff) {
		patch_free(r->patch);
		r->patch = NULL;
		return;
	}
	/* an interdiff in a cover letter is nothing to apply */
	if (r->kind == KIND_COVER)
		g_clear_pointer(&r->patch->diff, diff_free);
}

static void read_warnings(struct reading *r)
{
	GPtrArray *from = message_warnings(r->msg);
	guint i;

	r->warnings = warnings_new();
	for (i = 0; i < from->len; i++) {
		const struct warning *w = g_ptr_array_index(from, i);

		warnings_add(r->warnings, w->code, "%s", w->text);
	}
	if (r->kind == KIND_PATCH && r->patch->diff && r->patch->diff->damage)
		warnings_add(r->warnings, "diff-damaged", "%s",
			     r->patch->diff->damage);
	if (r->subject->malformed)
		warnings_add(r->warnings, "subject-bracket",
			     "a bracket is not closed in: %s",
			     message_subject(r->msg));
	if (r->commands->len >= COMMANDS_MAX)
		warnings_add(r->warnings, "many-commands",
			     "what stands below the first %d commands was not "
			     "looked at",
			     COMMANDS_MAX);
}

/* What people add to measurements: raw values, words. */
static void read_measurements(struct reading *r)
{
	r->samples = table_samples_read(r->body);
	if (r->samples->len)
		table_samples_bind(r->tables, r->samples);
	/* a patch describes, a robot has its report */
	r->words = words_read(r->kind == KIND_REPLY || r->kind == KIND_OTHER
				      ? r->body
				      : NULL);
	r->rerun = reading_is_rerun(r);
}

/* Mail that may say what became of a patch that is not in it. */
static gboolean tells_of_others(const struct reading *r)
{
	return r->kind == KIND_REPLY || r->kind == KIND_NOTICE ||
	       (r->kind == KIND_OTHER && message_in_reply_to(r->msg)) ||
	       applied_is_script(r->msg);
}

struct reading *reading_new(message *msg)
{
	struct reading *r = g_new0(struct reading, 1);
	struct content c;

	r->msg = message_ref(msg);
	r->subject = subject_parse(message_subject(msg), NULL);
	r->body = body_parse(message_body(msg), message_body_len(msg));
	c = look_at_lines(r->body);
	c.diff = c.diff || message_patch_attached(msg);
	r->tables = tables_read(r->body);
	r->robot = robot_find(msg, r->subject, r->body);
	if (r->robot && r->robot->read)
		r->report = r->robot->read(msg, r->subject, r->body, r->tables);
	if (!r->subject->reply)
		r->pull = pull_parse(message_body(msg), r->subject->pull);
	r->kind = decide(r, &c);
	if (r->kind != KIND_PULL)
		g_clear_pointer(&r->pull, pull_free);
	read_measurements(r);
	read_patch(r, &c);
	read_trailers(r);
	r->links = links_find(r->body);
	r->commits = commit_refs_find(r->body);
	r->commands = commands_read(r->msg, r->body, r->robot);
	if (tells_of_others(r))
		r->applied = applied_read(msg, r->subject, r->body, r->robot);
	read_warnings(r);
	return r;
}

static void free_array(GPtrArray *array)
{
	if (array)
		g_ptr_array_unref(array);
}

void reading_free(struct reading *r)
{
	if (!r)
		return;
	free_array(r->trailers);
	free_array(r->links);
	free_array(r->commits);
	free_array(r->warnings);
	free_array(r->tables);
	free_array(r->samples);
	free_array(r->words);
	free_array(r->commands);
	applied_free(r->applied);
	report_free(r->report);
	pull_free(r->pull);
	patch_free(r->patch);
	body_free(r->body);
	subject_free(r->subject);
	message_unref(r->msg);
	g_free(r);
}
