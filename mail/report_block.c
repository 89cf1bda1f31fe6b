/* report_block.c - what stands below a headline: commit, tree, patch, test,
 * machine, offered tags, later states, downloads
 * The same keys in all reports of the kernel test robot, in any order. */
#include <string.h>

#include "mail/msgid.h"
#include "mail/report_priv.h"

#define BLOCK_LINES   80 /* from the commit to the parameters */
#define COMMIT_LINES  30 /* from the headline to its commit */
#define SUBJECT_LINES 4	 /* of a wrapped commit title */
#define EMPTY_LINES   2	 /* between "parameters:" and the first of them */

/* ---- the commit */

/* ("title") behind the id, wrapped or not, quotes inside it kept. */
static char *read_title(const body *b, guint i, const char *rest)
{
	g_autoptr(GString) s = g_string_new(rest);
	guint k;
	gsize len;

	for (k = i + 1; k < body_count(b) && k < i + SUBJECT_LINES &&
			!g_str_has_suffix(s->str, "\")");
	     k++) {
		const char *text = report_line(b, k, &len);

		if (!text || !len || s->len > REPORT_MAX_SUBJECT)
			break;
		if (s->len)
			g_string_append_c(s, ' ');
		g_string_append_len(s, text, (gssize)len);
	}
	if (!g_str_has_prefix(s->str, "(\"") ||
	    !g_str_has_suffix(s->str, "\")"))
		return NULL;
	return g_strndup(s->str + 2, s->len - 4);
}

/* "[3/14] title" of reports on a tree. */
static char *read_numbered_title(const char *rest)
{
	const char *end = *rest == '[' ? strchr(rest, ']') : NULL;

	return end && end[1] ? g_strdup(report_skip_blanks(end + 1)) : NULL;
}

static gboolean take_commit(struct report *r, const body *b, guint i,
			    const char *value)
{
	if (strlen(value) < REPORT_HEX_FULL ||
	    !report_is_hex(value, REPORT_HEX_FULL))
		return FALSE;
	r->commit = g_ascii_strdown(value, REPORT_HEX_FULL);
	value = report_skip_blanks(value + REPORT_HEX_FULL);
	r->commit_subject = read_title(b, i, value);
	report_set(&r->commit_subject, read_numbered_title(value));
	return TRUE;
}

guint report_read_commit(struct report *r, const body *b, guint from)
{
	static const char *const keys[] = {"commit:", NULL};
	guint end = MIN(body_count(b), from + COMMIT_LINES);
	gsize len;

	/* the sentence ends in "due to commit:" and may be wrapped */
	for (guint i = from ? from - 1 : 0; i < end; i++) {
		g_autofree char *value = report_value(b, i, keys);
		const char *text = report_line(b, i, &len);

		if (value && take_commit(r, b, i, value))
			return i + 1;
		/* wrapped behind the key */
		if (text && len == 7 && memcmp(text, "commit:", 7) == 0 &&
		    i + 1 < end) {
			g_autofree char *next = report_joined(b, i + 1, 1);

			if (next && take_commit(r, b, i + 1, next))
				return i + 2;
		}
	}
	return 0;
}

/* ---- the block */

void report_read_tree(struct report *r, const char *value)
{
	const char *end = report_word_end(value);

	if (r->base_tree || !report_is_url(value, (gsize)(end - value)))
		return;
	r->base_tree = g_strndup(value, (gsize)(end - value));
	end = report_skip_blanks(end);
	if (*end)
		report_set(&r->branch,
			   g_strndup(end, (gsize)(report_word_end(end) - end)));
}

/* "x86_64-rhel-8.3 (https://...)": the name; the URL is to be downloaded. */
static void read_config(struct report *r, char *value)
{
	if (!value)
		return;
	report_add_urls(r, value, strlen(value));
	value[strcspn(value, " \t")] = '\0';
	report_set(&r->config, value);
}

static const char *const block_keys[][4] = {
	{"patch link:"},
	{"testcase:", "in testcase:"},
	{"test machine:", "on test machine:"},
	{"compiler:"},
};

static gboolean ends_in_parameters(const char *text, gsize len)
{
	static const char word[] = "parameters:";
	gsize n = strlen(word);

	return len >= n && memcmp(text + len - n, word, n) == 0;
}

static void read_base(struct report *r, char *value)
{
	if (!value)
		return;
	report_read_tree(r, value);
	if (report_is_hex(value, strlen(value)) && strlen(value) >= 12)
		report_set(&r->base, g_strdup(value));
	g_free(value);
}

/* "GITURL BRANCH" below the commit: two words. */
static gboolean is_tree_line(const char *text, gsize len)
{
	const char *blank = memchr(text, ' ', len);
	gsize rest;

	if (!blank || !report_is_url(text, len))
		return FALSE;
	while (blank < text + len && *blank == ' ')
		blank++;
	rest = (gsize)(text + len - blank);
	return rest && !memchr(blank, ' ', rest);
}

/* One line of the block; FALSE where the parameters begin. */
static gboolean read_block_line(struct report *r, const body *b, guint i,
				char **url)
{
	static const char *const base[] = {"base:", NULL};
	static const char *const tree[] = {"tree:", NULL};
	static const char *const config[] = {"config:", NULL};
	static const char *const urls[] = {"url:", NULL};
	char **const fields[] = {&r->patch_url, &r->testcase, &r->machine,
				 &r->compiler};
	g_autofree char *where = NULL;
	gsize len;
	const char *text = report_line(b, i, &len);

	if (!text || !len)
		return TRUE;
	if (ends_in_parameters(text, len))
		return FALSE;
	read_base(r, report_value(b, i, base));
	where = report_value(b, i, tree);
	if (where)
		report_read_tree(r, where);
	if (is_tree_line(text, len)) {
		g_autofree char *line = g_strndup(text, len);

		report_read_tree(r, line);
	}
	for (guint k = 0; k < G_N_ELEMENTS(fields); k++)
		report_set(fields[k], report_value(b, i, block_keys[k]));
	report_set(url, report_value(b, i, urls));
	read_config(r, report_value(b, i, config));
	return TRUE;
}

static gboolean is_key(const char *text, gsize len)
{
	const char *colon = memchr(text, ':', len);

	return colon && colon > text && !memchr(text, ' ', colon - text) &&
	       (gsize)(colon - text) + 1 < len && colon[1] == ' ';
}

/* Lines that follow the parameters, not always after an empty one. */
static gboolean ends_parameters(const char *text, gsize len)
{
	static const char *const keys[] = {"test-description:",
					   "test-url:",
					   "compiler:",
					   "config:",
					   "url:",
					   "base:",
					   "commit:"};

	for (guint i = 0; i < G_N_ELEMENTS(keys); i++)
		if (len >= strlen(keys[i]) &&
		    memcmp(text, keys[i], strlen(keys[i])) == 0)
			return TRUE;
	return !is_key(text, len);
}

/* The line behind them. */
static guint read_parameters(struct report *r, const body *b, guint i)
{
	guint start = i;
	gsize len;
	const char *text;

	while (i < body_count(b) && i < start + EMPTY_LINES &&
	       report_line(b, i, &len) && !len)
		i++;
	for (; i < body_count(b) && r->parameters->len < REPORT_MAX_PARAMETERS;
	     i++) {
		text = report_line(b, i, &len);
		if (!text || ends_parameters(text, len))
			break;
		g_ptr_array_add(r->parameters, g_strndup(text, len));
	}
	return i;
}

void report_read_block(struct report *r, const body *b, guint from)
{
	guint i = from, end = MIN(body_count(b), from + BLOCK_LINES);
	char *url = NULL;

	while (i < end && !report_starts(b, i, "========")) {
		if (read_block_line(r, b, i, &url))
			i++;
		else
			/* the machine stands below them in some years */
			i = read_parameters(r, b, i + 1);
	}
	report_set(&r->patch_url, url);
}

/* ---- the rest */

static gboolean asks_for_tags(const body *b, guint i)
{
	return report_starts(b, i, "If you fix ") ||
	       report_starts(b, i, "IMPORTANT: if you fix ") ||
	       report_starts(b, i, "If you end up fixing this");
}

/* "Key: value" of a tag. */
static gboolean is_tag(const char *text, gsize len)
{
	gsize n = 0;

	while (n < len && (g_ascii_isalpha(text[n]) || text[n] == '-'))
		n++;
	return n > 3 && n + 2 < len && text[n] == ':' && text[n + 1] == ' ' &&
	       g_ascii_isupper(text[0]);
}

/* "| Reported-by: ..." below "kindly add following tag": shielded or not. */
static guint read_tags(struct report *r, const body *b, guint i)
{
	gsize len;
	const char *text;

	if (r->tags_offered->len || !asks_for_tags(b, i))
		return i;
	/* the request is up to three lines long */
	for (i++; i < body_count(b); i++) {
		text = report_line(b, i, &len);
		if (text && len && *text == '|') {
			text++;
			len--;
		}
		while (text && len && *text == ' ') {
			text++;
			len--;
		}
		if (text && is_tag(text, len)) {
			if (r->tags_offered->len < REPORT_MAX_TAGS)
				g_ptr_array_add(r->tags_offered,
						g_strndup(text, len));
		} else if (!text || !len || r->tags_offered->len) {
			break;
		}
	}
	return i;
}

static void read_artifact(struct report *r, const body *b, guint i)
{
	static const char host[] = "https://download.01.org/";
	gsize len;
	const char *text = report_line(b, i, &len);

	if (text && len > strlen(host) && memmem(text, len, host, strlen(host)))
		report_add_urls(r, text, len);
}

static gboolean has(const char *text, const char *word)
{
	return strstr(text, word) != NULL;
}

/* What the words before " on " say; FALSE if nothing. */
static gboolean read_status(const char *words, enum report_still *status)
{
	if (has(words, "fixed") || has(words, "passed") || has(words, "gone"))
		*status = REPORT_STILL_FIXED;
	else if (has(words, "fail"))
		*status = REPORT_STILL_TEST_FAILED;
	else if (has(words, "regression"))
		*status = REPORT_STILL_REGRESSION;
	else if (has(words, "improvement"))
		*status = REPORT_STILL_IMPROVEMENT;
	else
		return FALSE;
	return TRUE;
}

static void add_still(struct report *r, const char *tree, gsize len,
		      const char *commit, enum report_still status)
{
	struct report_status *s;

	if (r->still_on->len >= REPORT_MAX_STILL)
		return;
	s = g_new0(struct report_status, 1);
	s->tree = g_strchomp(g_strndup(tree, len));
	s->commit = commit ? g_ascii_strdown(commit, REPORT_HEX_FULL) : NULL;
	s->status = status;
	g_ptr_array_add(r->still_on, s);
}

/* "[still regression on linus/master <sha>]" */
static void read_still(struct report *r, const body *b, guint i)
{
	g_autofree char *line = NULL;
	enum report_still status;
	char *on, *end, *sha;
	gsize len;
	const char *text = report_line(b, i, &len);

	if (!text || len < 12 || *text != '[' || !memmem(text, len, " on ", 4))
		return;
	line = report_joined(b, i, 2);
	end = strchr(line, ']');
	on = strstr(line, " on ");
	if (!end || !on || on > end)
		return;
	*end = *on = '\0';
	on += 4;
	sha = strrchr(on, ' ') ? strrchr(on, ' ') + 1 : on;
	if (strlen(sha) != REPORT_HEX_FULL ||
	    !report_is_hex(sha, REPORT_HEX_FULL) ||
	    !read_status(line + 1, &status))
		return;
	add_still(r, on, (gsize)(sha - on), sha, status);
}

/* The older form:
 *	# extra tests on linus/master
 *	# bad: [<sha>] title */
static void read_extra_test(struct report *r, const body *b, guint i)
{
	static const char head[] = "# extra tests on ";
	g_autofree char *tree = NULL;
	g_autofree char *line = NULL;
	gboolean good;

	if (!report_starts(b, i, head) || i + 1 >= body_count(b))
		return;
	tree = report_joined(b, i, 1);
	line = report_joined(b, i + 1, 1);
	if (!line)
		return;
	good = g_str_has_prefix(line, "# good: [");
	if ((good || g_str_has_prefix(line, "# bad: [")) &&
	    strlen(strchr(line, '[')) > REPORT_HEX_FULL &&
	    report_is_hex(strchr(line, '[') + 1, REPORT_HEX_FULL))
		add_still(r, tree + strlen(head), strlen(tree) - strlen(head),
			  strchr(line, '[') + 1,
			  good ? REPORT_STILL_FIXED : REPORT_STILL_TEST_FAILED);
}

void report_read_rest(struct report *r, const body *b, guint from)
{
	for (guint i = 0; i < MIN(from, body_count(b)); i++)
		read_extra_test(r, b, i);
	for (guint i = from; i < body_count(b); i++) {
		guint next = read_tags(r, b, i);

		read_still(r, b, i);
		i = MAX(i, next);
		if (i < body_count(b))
			read_artifact(r, b, i);
	}
}

void report_read_patch(struct report *r, const message *msg,
		       const struct subject *s)
{
	const char *parent = message_in_reply_to(msg);
	gboolean of_list = r->commit_subject && r->commit_subject[0] == '[' &&
			   strstr(r->commit_subject, "PATCH");

	if (r->patch_url)
		r->patch_message_id = msgid_from_url(r->patch_url);
	/* "[PATCH 3/3] title": the commit is a patch of the list */
	if (!r->patch_message_id && parent &&
	    (of_list || (s->reply && s->patch)))
		r->patch_message_id = g_strdup(parent);
}
