/* robot_syzbot.c - syzbot: the bug is known by the address it writes from
 * What a mail tells stands in its first sentence. Its answers to commands
 * quote the mail they answer. */
#include <string.h>

#include "mail/robot_priv.h"

#define DOMAIN	    "syzkaller.appspotmail.com"
#define OPENING	    12 /* lines in which the first sentence stands */
#define FIELD_LINES 80

enum syz_kind {
	SYZ_NOTICE,
	SYZ_FOUND,
	SYZ_BISECTED,
	SYZ_SERIES, /* "syzbot ci": a series of patches was tested */
	SYZ_SUMMARY,
};

ROBOT_WROTE(robot_syzbot)
{
	return robot_domain(msg, DOMAIN) && robot_local(msg, "syzbot");
}

/* "found the following issue on:", "31-day syzbot report" ... */
static enum syz_kind kind_of(const char *sentence)
{
	static const struct {
		const char *words;
		enum syz_kind kind;
	} kinds[] = {
		{"syzbot found the following ", SYZ_FOUND},
		{"syzbot hit the following ", SYZ_FOUND},
		{"syzkaller hit the following ", SYZ_FOUND},
		{"syzbot has found a reproducer for the following ", SYZ_FOUND},
		{"syzbot has found reproducer for the following ", SYZ_FOUND},
		{"syzbot has bisected this ", SYZ_BISECTED},
		{"syzbot has bisected the following ", SYZ_BISECTED},
		{"syzbot ci has tested the following series", SYZ_SERIES},
	};

	for (guint i = 0; i < G_N_ELEMENTS(kinds); i++)
		if (g_str_has_prefix(sentence, kinds[i].words))
			return kinds[i].kind;
	return g_str_has_prefix(sentence, "This is a ") &&
			       strstr(sentence, "-day syzbot report")
		       ? SYZ_SUMMARY
		       : SYZ_NOTICE;
}

/* The first sentence behind "Hello,"; answers quote before they speak. */
static enum syz_kind read_opening(const body *b)
{
	guint end = MIN(body_count(b), OPENING);

	for (guint i = 0; i < end; i++) {
		g_autofree char *sentence = NULL;
		gsize len;

		if (body_line(b, i)->depth)
			return SYZ_NOTICE;
		if (!report_line(b, i, &len) || !len ||
		    report_starts(b, i, "Hello"))
			continue;
		sentence = report_joined(b, i, 2);
		return kind_of(sentence);
	}
	return SYZ_NOTICE;
}

/* The hex in "syzbot+<hex>@...". */
static char *bug_of(const message *msg)
{
	const char *address = message_from(msg)->address;
	const char *plus = strchr(address, '+');
	gsize n;

	if (!plus++)
		return NULL;
	n = strcspn(plus, "@");
	return n >= 16 && report_is_hex(plus, n)
		       ? g_ascii_strdown(plus, (gssize)n)
		       : NULL;
}

/* "upstream", "git://... branch" and values on the next line of a flowed
 * mail. */
static char *field(const body *b, const char *key)
{
	guint end = MIN(body_count(b), FIELD_LINES);
	int at = report_find_line(b, 0, key);
	gsize n = strlen(key);
	char *line, *value;

	if (at < 0 || (guint)at >= end)
		return NULL;
	line = report_joined(b, (guint)at, 1);
	if (strlen(line) <= n) {
		g_free(line);
		line = report_joined(b, (guint)at, 2);
	}
	value = g_strstrip(g_strdup(line + MIN(n, strlen(line))));
	g_free(line);
	if (!*value)
		g_clear_pointer(&value, g_free);
	return value;
}

static void read_tree(struct report *r, const body *b)
{
	g_autofree char *tree = field(b, "git tree:");

	if (!tree)
		return;
	report_read_tree(r, tree);
	report_set(&r->base_tree, g_strdup(tree));
}

/* "abf02e29 Merge tag ..": where it was found. */
static void read_head(struct report *r, const body *b)
{
	g_autofree char *head = field(b, "HEAD commit:");

	if (!head)
		head = field(b, "start commit:");
	if (!head)
		return;
	head[strcspn(head, " ")] = '\0';
	if (strlen(head) >= 7 && report_is_hex(head, strlen(head)))
		report_set(&r->base, g_ascii_strdown(head, -1));
}

/* The block as git prints it:
 *	commit <sha>
 *	Author: ...
 *	Date:   ...
 *
 *	    title */
static void read_culprit(struct report *r, const body *b)
{
	int at = report_find_line(b, 0, "commit ");
	g_autofree char *line = at < 0 ? NULL : report_joined(b, (guint)at, 1);
	guint end;

	if (!line || strlen(line) != 7 + REPORT_HEX_FULL ||
	    !report_is_hex(line + 7, REPORT_HEX_FULL))
		return;
	r->commit = g_ascii_strdown(line + 7, -1);
	end = MIN(body_count(b), (guint)at + 8);
	for (guint i = (guint)at + 1; i < end; i++) {
		gsize len;

		if (report_starts(b, i, "Author:") ||
		    report_starts(b, i, "Date:") || !report_line(b, i, &len) ||
		    !len)
			continue;
		report_set(&r->commit_subject, report_joined(b, i, 2));
		break;
	}
}

static void read_urls(struct report *r, const body *b)
{
	guint end = MIN(body_count(b), FIELD_LINES);

	for (guint i = 0; i < end; i++) {
		gsize len;
		const char *text = report_line(b, i, &len);

		if (text && memmem(text, len, "://", 3) &&
		    !memmem(text, len, "git tree:", 9))
			report_add_urls(r, text, len);
	}
}

/* "Reported-by: ..." and "Fixes: ..." of the offer. */
static void read_tags(struct report *r, const body *b)
{
	static const char *const keys[] = {"Reported-by: syzbot",
					   "Reported-and-tested-by: syzbot",
					   "Fixes: "};

	report_read_rest(r, b, 0);
	if (r->tags_offered->len)
		return;
	for (guint i = 0; i < G_N_ELEMENTS(keys); i++) {
		int at = report_find_line(b, 0, keys[i]);

		if (at >= 0)
			g_ptr_array_add(r->tags_offered,
					report_joined(b, (guint)at, 1));
	}
}

static gboolean is_boot(const struct subject *s)
{
	return strstr(s->base, " boot error:") != NULL;
}

static gboolean is_build(const struct subject *s)
{
	return strstr(s->base, " build error") != NULL;
}

/* "and found the following issues:", then "* WARNING in f". */
static struct report *read_series(const message *msg, const struct subject *s,
				  const body *b)
{
	int at = report_find_line(b, 0, "and found the following issue");
	struct report *r;

	if (at < 0)
		return NULL;
	r = report_new("syzbot", REPORT_FUNCTIONAL);
	for (guint i = (guint)at + 1;
	     i < body_count(b) && i < (guint)at + FIELD_LINES; i++) {
		gsize len;
		const char *text = report_line(b, i, &len);

		if (text && len > 2 && memcmp(text, "* ", 2) == 0)
			report_add_error(r, text + 2, len - 2, TRUE);
		else if (text && len && r->errors->len)
			break;
	}
	if (!r->errors->len)
		report_add_error(r, s->base, strlen(s->base), TRUE);
	r->title = g_strdup(((struct report_error *)r->errors->pdata[0])->text);
	report_set(&r->commit_subject, g_strdup(s->base));
	r->patch_message_id = g_strdup(message_in_reply_to(msg));
	r->bug_id = bug_of(msg);
	read_urls(r, b);
	report_read_rest(r, b, 0);
	return r;
}

ROBOT_READ(robot_syzbot)
{
	enum syz_kind kind = read_opening(b);
	struct report *r;

	if (kind == SYZ_NOTICE)
		return NULL;
	if (kind == SYZ_SERIES)
		return read_series(msg, s, b);
	r = report_new("syzbot", kind == SYZ_SUMMARY ? REPORT_SUMMARY
				 : is_boot(s)	     ? REPORT_BOOT
				 : is_build(s)	     ? REPORT_BUILD
						     : REPORT_FUNCTIONAL);
	r->title = g_strdup(s->base);
	if (kind == SYZ_SUMMARY)
		return r;
	r->bug_id = bug_of(msg);
	report_add_error(r, s->base, strlen(s->base), TRUE);
	read_tree(r, b);
	read_head(r, b);
	read_culprit(r, b);
	report_set(&r->config, field(b, "kernel config:"));
	report_set(&r->compiler, field(b, "compiler:"));
	report_set(&r->machine, field(b, "userspace arch:"));
	read_urls(r, b);
	read_tags(r, b);
	return r;
}
