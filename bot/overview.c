/* overview.c - the thread overview in the form of public-inbox
 * What must agree with it to the letter: threads-patches 2.4. Plain text, no
 * markup, no loose matches by subject. */
#include <string.h>

#include "mail/date.h"
#include "mail/subject.h"

#include "bot/view.h"

/* Levels drawn; deeper ones stand below each other, else the text of a chain
 * would grow with the square of its length. */
#define INDENT_MAX 400

struct overview {
	const struct thread *t;
	int current;
	gboolean *has_child;
	char **memory; /* words of the subject shown before */
	GString *out;
};

static const struct thread_node *node_at(const struct thread *t, guint i)
{
	return t->nodes->pdata[i];
}

static char **subject_words(const char *subject)
{
	g_autofree char *text = subject_normalise(subject ? subject : "");

	return g_strsplit(text, " ", -1);
}

static void remember(struct overview *v, char **words)
{
	g_strfreev(v->memory);
	v->memory = words;
}

/* What is new in a subject against the one before: the words without an end
 * that is equal (unless that is one word alone), and without a last "re:". */
static void add_subject(struct overview *v, const char *subject)
{
	char **words = subject_words(subject);
	guint all = g_strv_length(words), have = g_strv_length(v->memory);
	guint equal = 0, keep;
	gsize before = v->out->len;

	while (equal < MIN(all, have) &&
	       !strcmp(words[all - 1 - equal], v->memory[have - 1 - equal]))
		equal++;
	keep = all - equal;
	if (keep && !g_ascii_strncasecmp(words[keep - 1], "re:", 3))
		keep--;
	for (guint i = 0; i < keep; i++)
		g_string_append_printf(v->out, "%s ", words[i]);
	if (equal == 1)
		g_string_append_printf(v->out, "%s ", words[all - 1]);
	else if (equal && v->out->len > before)
		g_string_append(v->out, "\" ");
	remember(v, words);
}

/* An address alone, or written as its own name, is its local part. */
static void add_name(GString *out, const struct thread_node *n)
{
	const char *name = n->from_name ? n->from_name : "";
	const char *address = n->from_address ? n->from_address : "";
	const char *at;

	if (*name && strcmp(name, address)) {
		g_string_append(out, name);
		return;
	}
	at = strrchr(address, '@');
	g_string_append_len(out, address,
			    at ? at - address : (gssize)strlen(address));
}

static void add_indent(GString *out, int depth)
{
	for (int i = 1; i < MIN(depth, INDENT_MAX); i++)
		g_string_append(out, "  ");
	if (depth > 0)
		g_string_append(out, "` ");
}

static void add_line(struct overview *v, guint i)
{
	const struct thread_node *n = node_at(v->t, i);
	g_autofree char *date = NULL;

	if (n->ghost) {
		g_string_append(v->out, "     [not found] ");
		add_indent(v->out, n->depth);
		g_string_append_printf(v->out, "<%s>\n", n->mid);
		return;
	}
	date = date_to_overview(n->date);
	g_string_append_printf(v->out, "%-16s ", date ? date : "unknown date");
	add_indent(v->out, n->depth);
	if ((int)i != v->current)
		add_subject(v, n->subject);
	add_name(v->out, n);
	g_string_append(v->out,
			(int)i == v->current ? " [this message]\n" : "\n");
}

static void start_memory(struct overview *v)
{
	const struct thread_node *n =
		v->current >= 0 ? node_at(v->t, (guint)v->current) : NULL;
	const char *subject = n && n->subject ? n->subject : "";

	v->memory = subject_words(*subject ? subject : "(no subject)");
}

/* A message that nobody answered: nothing to draw. */
static void add_alone(struct overview *v)
{
	const struct thread_node *n =
		v->current >= 0 ? node_at(v->t, (guint)v->current) : NULL;
	const struct thread_node *parent =
		n && n->parent >= 0 ? node_at(v->t, (guint)n->parent) : NULL;

	if (parent)
		g_string_append_printf(
			v->out, "Thread overview:\n [parent not found: <%s>]\n",
			parent->mid);
	else
		g_string_append(v->out, "Thread overview: [no followups]\n");
}

/* The root above the current message, or the first of the thread. */
static guint current_root(const struct overview *v)
{
	int at = v->current;

	while (at >= 0 && node_at(v->t, (guint)at)->parent >= 0)
		at = node_at(v->t, (guint)at)->parent;
	return at < 0 ? 0 : (guint)at;
}

/* A root and all below it; an id that only stands in References is no gap. */
static void add_tree(struct overview *v, guint root)
{
	for (guint i = root; i < v->t->nodes->len; i++) {
		const struct thread_node *n = node_at(v->t, i);

		if (i > root && n->parent < 0)
			return;
		if (!n->ghost || v->has_child[i])
			add_line(v, i);
	}
}

/* Several roots: that of the current message comes first. If that changes
 * their order the rest is turned around, behind this line. */
static void add_trees(struct overview *v)
{
	guint first = current_root(v);

	add_tree(v, first);
	if (first == 0) {
		for (guint i = 1; i < v->t->nodes->len; i++)
			if (node_at(v->t, i)->parent < 0)
				add_tree(v, i);
		return;
	}
	g_string_append(v->out, "  -- strict thread matches above, loose "
				"matches on Subject: below --\n");
	for (guint i = v->t->nodes->len; i > 0; i--)
		if (i - 1 != first && node_at(v->t, i - 1)->parent < 0)
			add_tree(v, i - 1);
}

char *view_overview(const struct thread *t, const char *mid)
{
	struct overview v = {.t = t, .current = thread_index(t, mid)};

	v.out = g_string_new(NULL);
	if (t->count <= 1) {
		add_alone(&v);
		return g_string_free(v.out, FALSE);
	}
	v.has_child = g_new0(gboolean, t->nodes->len);
	for (guint i = 0; i < t->nodes->len; i++)
		if (node_at(t, i)->parent >= 0)
			v.has_child[node_at(t, i)->parent] = TRUE;
	g_string_append_printf(v.out, "Thread overview: %u messages\n",
			       t->count);
	start_memory(&v);
	add_trees(&v);
	g_strfreev(v.memory);
	g_free(v.has_child);
	return g_string_free(v.out, FALSE);
}
