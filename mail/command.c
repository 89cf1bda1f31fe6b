/* command.c - lines that are meant for a tracker
 * Finds them in the sender's own text and gives each its status. */
#include "mail/command.h"

#include <string.h>

#include "mail/command_priv.h"

const char *command_status_name(enum command_status s)
{
	static const char *const names[] = {"ok", "unknown", "malformed",
					    "inert"};

	return names[s];
}

void command_free(struct command *c)
{
	if (!c)
		return;
	g_free(c->verb);
	g_free(c->verb_written);
	g_free(c->args);
	g_free(c->problem);
	g_free(c->nearest);
	g_free(c->target_url);
	g_free(c);
}

gboolean command_is_near_miss(const struct command *c)
{
	return c->status == COMMAND_INERT &&
	       (!g_strcmp0(c->problem, COMMAND_MISPLACED) ||
		!g_strcmp0(c->problem, COMMAND_MISSPELT));
}

gboolean command_is_html(const struct command *c)
{
	return c->status == COMMAND_INERT &&
	       !g_strcmp0(c->problem, COMMAND_IN_HTML);
}

struct reader {
	const message *msg;
	const struct robot *robot;
	struct command_text text;
	GPtrArray *out;
	guint block;
	guint block_end; /* line behind the last command */
	gboolean inside; /* our marker stands somewhere */
};

static gboolean is_blank_line(const struct body_line *l)
{
	for (guint i = 0; i < l->len; i++)
		if (!g_ascii_isspace(l->text[i]))
			return FALSE;
	return TRUE;
}

/* A block is what no blank line and nobody else's text divides. */
static void note_block(struct reader *r, guint line)
{
	if (!r->out->len)
		return;
	for (guint i = r->block_end; i < line; i++) {
		const struct body_line *l = body_line(r->text.body, i);

		if (l->depth || is_blank_line(l)) {
			r->block++;
			break;
		}
	}
}

/* The line above is a sentence that `line` goes on with. */
static gboolean in_sentence(const struct reader *r, guint line)
{
	const struct body_line *l;

	if (!line || r->block_end == line)
		return FALSE;
	l = body_line(r->text.body, line - 1);
	return l->kind == BODY_TEXT && !is_blank_line(l) &&
	       !strchr(".:!?;,", l->text[l->len - 1]);
}

/* The word in front of a verb that is none: as an unknown verb, or as prose
 * that happens to begin with the marker. */
static gboolean judge_word(const struct reader *r, struct command *c,
			   const struct command_head *h, guint line)
{
	g_autofree char *near = NULL;

	if (!*c->verb) {
		c->status = COMMAND_MALFORMED;
		c->problem = g_strdup("the verb is missing");
		return !in_sentence(r, line);
	}
	near = command_verb_nearest(h->marker->letter, c->verb);
	if (!near && !h->colon && h->marker->letter == 'r' &&
	    in_sentence(r, line))
		return FALSE;
	c->status = COMMAND_UNKNOWN;
	c->problem = near ? g_strdup_printf("no such verb; %s is one", near)
			  : g_strdup("no such verb");
	c->nearest = g_steal_pointer(&near);
	return TRUE;
}

static gboolean judge(const struct reader *r, struct command *c,
		      const struct command_head *h, guint line)
{
	if (h->verb)
		command_args_judge(c, h);
	else if (h->marker->letter)
		return judge_word(r, c, h, line);
	else if (!*c->verb)
		return FALSE;
	return TRUE;
}

static struct command *new_command(struct reader *r,
				   const struct command_head *h, guint line)
{
	struct command *c = g_new0(struct command, 1);

	c->marker = h->marker->name;
	c->verb_written = g_strndup(h->word, h->len);
	c->verb = h->verb ? g_strdup(h->verb->name)
			  : g_ascii_strdown(c->verb_written, -1);
	c->parent = h->parent;
	c->root = h->root;
	c->line = c->last = line + 1;
	c->block = r->block;
	return c;
}

/* "#culprit" alone asks for help. */
static void default_verb(struct command_head *h)
{
	gsize len;

	if (!h->len && h->marker->letter == 'c') {
		h->verb = command_verb_find('c', "help", &len);
		h->args = "";
	}
}

/* The next command of the line at hand. */
static void read_command(struct reader *r)
{
	guint line = r->text.number;
	g_autofree char *piece = command_text_piece(&r->text);
	struct command_head h;
	struct command *c;
	char *inert;

	if (!command_head_read(piece, &h))
		return;
	default_verb(&h);
	c = new_command(r, &h, line);
	c->args = command_args_read(&r->text, &h);
	c->last = r->text.next;
	inert = command_why_inert(r->msg, r->text.body, r->robot, line, &h,
				  c->args);
	if (inert) {
		c->status = COMMAND_INERT;
		c->problem = inert;
	} else if (!judge(r, c, &h, line)) {
		command_free(c);
		return;
	}
	g_ptr_array_add(r->out, c);
}

/* A line that the sender seems to have meant as a command. */
static void read_near_miss(struct reader *r, guint line)
{
	const char *why = NULL;
	struct command_head h;
	struct command *c;
	g_autofree char *meant =
		command_near_miss(body_line(r->text.body, line), &why);

	if (!meant)
		return;
	if (command_is_instruction(r->text.body, line))
		why = "a sample, in an instruction";
	command_head_read(meant, &h);
	c = new_command(r, &h, line);
	c->args = g_strdup(h.args);
	c->status = COMMAND_INERT;
	c->problem = g_strdup(why);
	g_ptr_array_add(r->out, c);
}

/* The verb wrapped at its hyphen: "ignore-" and "activity" below. */
static void mend_verb(struct reader *r)
{
	GString *s = r->text.line;
	struct command_head h;
	g_autofree char *first = NULL, *below = NULL;
	guint number, at = r->text.number;

	if (!s->len || s->str[s->len - 1] != '-' ||
	    !command_head_read(s->str, &h) || h.verb || *h.args || !h.len)
		return;
	first = g_strdup(s->str);
	r->text.ends = TRUE;
	below = command_text_below(&r->text, FALSE, &number);
	if (!below)
		return;
	command_text_take(&r->text, number);
	g_string_prepend(r->text.line, first);
	r->text.number = at;
}

/* Seen without copying the line: nearly every line is none. */
static gboolean may_begin(const char *p, gsize len)
{
	static const char *const words[] = {"#regzbot",	 "#culprit",
					    "#syz",	 "#kernelci",
					    "# culprit", "# regzbot",
					    "@culprit",	 "@regzbot",
					    "culprit:"};

	switch ((guchar)*p) {
	case '#':
	case '@':
	case 'c':
	case 'C':
		break;
	case 0xc2: /* soft hyphen, no-break space */
	case 0xe2: /* characters of no width */
	case 0xef: /* byte order mark, full-width "#" */
		return TRUE;
	default:
		return FALSE;
	}
	for (guint i = 0; i < G_N_ELEMENTS(words); i++) {
		gsize n = strlen(words[i]);

		if (n <= len && g_ascii_strncasecmp(p, words[i], n) == 0)
			return TRUE;
	}
	/* a character of no width may be inside */
	return *p == '#' && len > 1 && (guchar)p[1] >= 0x80;
}

static gboolean may_hold(const struct reader *r, const struct body_line *l)
{
	guint i = 0;

	if (r->inside && l->kind == BODY_TEXT &&
	    memmem(l->text, l->len, "#culprit", 8))
		return TRUE;

	if (l->kind != BODY_TEXT && l->kind != BODY_CODE &&
	    l->kind != BODY_FORWARD && l->kind != BODY_SIGNATURE)
		return FALSE;
	while (i < l->len && (l->text[i] == ' ' || l->text[i] == '\t'))
		i++;
	return i < l->len && may_begin(l->text + i, l->len - i);
}

/* Below a signature people add paragraphs for the tracker. */
static gboolean stands_alone(const struct reader *r, guint line)
{
	return line && (r->block_end == line ||
			is_blank_line(body_line(r->text.body, line - 1)));
}

static void read_line(struct reader *r, guint line)
{
	const struct body_line *l = body_line(r->text.body, line);
	const char *behind;

	if (!may_hold(r, l))
		return;
	if (l->text[0] != '#' && (guchar)l->text[0] < 0x80) {
		if (l->kind != BODY_SIGNATURE)
			read_near_miss(r, line);
		return;
	}
	if (l->kind == BODY_SIGNATURE && !stands_alone(r, line))
		return;
	r->text.kind = l->kind;
	command_text_open(&r->text, line);
	if (!command_marker_find(r->text.line->str, &behind)) {
		read_near_miss(r, line);
		return;
	}
	note_block(r, line);
	mend_verb(r);
	while (r->text.line->len && r->out->len < COMMANDS_MAX)
		read_command(r);
	r->block_end = r->text.next;
}

/* A tag of the tracker's own in the subject. */
static void read_subject(struct reader *r)
{
	static const char tag[] = "#forregzbot";
	g_autofree char *folded = g_ascii_strdown(message_subject(r->msg), -1);
	struct command *c;

	if (!strstr(folded, tag))
		return;
	c = g_new0(struct command, 1);
	c->marker = tag;
	c->verb = g_strdup("ignore-activity");
	c->verb_written = g_strdup("");
	c->args = g_strdup("");
	g_ptr_array_add(r->out, c);
}

static void disarm_all(struct reader *r)
{
	for (guint i = 0; i < r->out->len; i++) {
		struct command *c = r->out->pdata[i];

		if (strcmp(c->marker, "#culprit") != 0)
			continue;
		c->status = COMMAND_INERT;
		g_free(c->problem);
		c->problem = g_strdup("what stands below our mails is in it, "
				      "unquoted");
	}
}

GPtrArray *commands_read(const message *msg, const body *b,
			 const struct robot *robot)
{
	struct reader r = {
		.msg = msg,
		.robot = robot,
		.text = {.body = b},
		.out = g_ptr_array_new_with_free_func(
			(GDestroyNotify)command_free),
	};
	guint end;

	r.inside = strstr(message_body(msg), "#culprit") != NULL;
	read_subject(&r);
	end = r.inside ? command_lines_end(b) : body_count(b);
	for (guint i = 0; i < end && r.out->len < COMMANDS_MAX; i++) {
		if (i < r.text.next)
			continue;
		read_line(&r, i);
	}
	if (r.text.line)
		g_string_free(r.text.line, TRUE);
	if (r.inside && r.out->len && command_has_footer(b))
		disarm_all(&r);
	return r.out;
}
