/* report.c - the kernel test robot's performance reports
 * Recognised by the sender's address and the headline sentence; everything
 * is read below that sentence, since other text may stand before it. */
#include "mail/report.h"

#include <math.h>
#include <string.h>

#include "mail/msgid.h"
#include "mail/report_priv.h"

#define BLOCK_LINES   80 /* from the commit to the parameters */
#define COMMIT_LINES  30 /* from the headline to its commit */
#define SUBJECT_LINES 4	 /* of a wrapped commit title */
#define HEX_FULL      40

const char *report_category_name(enum report_category c)
{
	static const char *const names[] = {"performance", "functional",
					    "build", "boot", "summary"};

	return names[c];
}

const char *report_direction_name(enum report_direction d)
{
	static const char *const names[] = {NULL, "regression", "improvement"};

	return names[d];
}

const char *report_line(const body *b, guint i, gsize *len)
{
	const struct body_line *l = body_line(b, i);
	const char *text = l->text;

	*len = l->len;
	switch ((enum body_kind)l->kind) {
	case BODY_TEXT:
	case BODY_CODE:
	case BODY_DIFF:
	case BODY_ATTRIBUTION:
		break;
	default:
		return NULL;
	}
	while (*len && g_ascii_isspace(*text)) {
		text++;
		(*len)--;
	}
	while (*len && g_ascii_isspace(text[*len - 1]))
		(*len)--;
	return text;
}

char *report_value(const body *b, guint i, const char *const *keys)
{
	gsize len, n;
	const char *text = report_line(b, i, &len);

	for (; text && *keys; keys++) {
		n = strlen(*keys);
		if (len > n && memcmp(text, *keys, n) == 0)
			return g_strstrip(g_strndup(text + n, len - n));
	}
	return NULL;
}

/* ---- the headline */

/* The sentence, which may be wrapped: this line and the next two. */
static char *joined(const body *b, guint i, gsize from)
{
	GString *s = g_string_new(NULL);
	guint k;
	gsize len;

	for (k = i; k < body_count(b) && k < i + 3; k++) {
		const char *text = report_line(b, k, &len);

		if (!text || (k > i && !len))
			break;
		g_string_append_len(s, text + (k == i ? from : 0),
				    (gssize)(len - (k == i ? from : 0)));
		g_string_append_c(s, ' ');
	}
	return g_string_free(s, FALSE);
}

static const char *word_end(const char *p)
{
	return p + strcspn(p, " \t");
}

static const char *skip_blanks(const char *p)
{
	return p + strspn(p, " \t");
}

/* Behind `word` and the blanks after it; NULL if it is not there. */
static const char *expect(const char *p, const char *word)
{
	gsize n = strlen(word);

	if (!p || strncmp(p, word, n) != 0 || !strchr(" \t", p[n]))
		return NULL;
	return skip_blanks(p + n);
}

/* "-29.9% regression of unixbench.score due to commit:" */
static gboolean read_sentence(const char *p, struct headline *h)
{
	const char *metric;
	char *rest;

	p = skip_blanks(p + (*p == 'n'));
	h->is_signed = *p == '-' || *p == '+';
	if (!g_ascii_isdigit(p[h->is_signed]))
		return FALSE;
	h->value = g_ascii_strtod(p, &rest);
	p = skip_blanks(rest + (*rest == '%'));
	h->direction = REPORT_REGRESSION;
	metric = expect(expect(p, "regression"), "of");
	if (!metric) {
		h->direction = REPORT_IMPROVEMENT;
		metric = expect(expect(p, "improvement"), "of");
	}
	if (!metric || !*metric)
		return FALSE;
	p = skip_blanks(word_end(metric));
	if (strncmp(p, "on:", 3) != 0 &&
	    !expect(expect(expect(p, "due"), "to"), "commit:"))
		return FALSE;
	h->metric = g_strndup(metric, (gsize)(word_end(metric) - metric));
	return isfinite(h->value);
}

gboolean report_next_headline(const body *b, guint from, struct headline *h)
{
	static const char mark[] = "noticed a";
	guint i;

	for (i = from; i < body_count(b); i++) {
		g_autofree char *sentence = NULL;
		gsize len;
		const char *text = report_line(b, i, &len), *at;

		at = text ? memmem(text, len, mark, strlen(mark)) : NULL;
		if (!at)
			continue;
		h->line = i + 1;
		sentence = joined(b, i, (gsize)(at - text) + strlen(mark));
		if (read_sentence(sentence, h))
			return TRUE;
		g_clear_pointer(&h->metric, g_free);
	}
	return FALSE;
}

/* ---- the block below it */

static gboolean is_hex(const char *s, gsize n)
{
	gsize i;

	for (i = 0; i < n; i++)
		if (!g_ascii_isxdigit(s[i]))
			return FALSE;
	return TRUE;
}

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
		g_string_append_c(s, ' ');
		g_string_append_len(s, text, (gssize)len);
	}
	if (!g_str_has_prefix(s->str, "(\"") ||
	    !g_str_has_suffix(s->str, "\")"))
		return NULL;
	return g_strndup(s->str + 2, s->len - 4);
}

/* The first "commit: <40 hex>" behind the headline; its line, or 0. */
static guint read_commit(struct report *r, const body *b, guint from)
{
	static const char *const keys[] = {"commit:", NULL};
	guint i, end = MIN(body_count(b), from + COMMIT_LINES);

	/* the sentence ends in "due to commit:" and may be wrapped */
	for (i = from - 1; i < end; i++) {
		g_autofree char *value = report_value(b, i, keys);

		if (!value || strlen(value) < HEX_FULL ||
		    !is_hex(value, HEX_FULL))
			continue;
		r->commit = g_ascii_strdown(value, HEX_FULL);
		r->commit_subject =
			read_title(b, i, skip_blanks(value + HEX_FULL));
		return i + 1;
	}
	return 0;
}

static gboolean is_url(const char *s, gsize len)
{
	return (len > 7 && !memcmp(s, "http", 4)) ||
	       (len > 7 &&
		(!memcmp(s, "git://", 6) || !memcmp(s, "ssh://", 6)));
}

/* "GITURL BRANCH" */
static void read_tree(struct report *r, const char *value)
{
	const char *end = word_end(value);

	if (r->base_tree || !is_url(value, (gsize)(end - value)))
		return;
	r->base_tree = g_strndup(value, (gsize)(end - value));
	end = skip_blanks(end);
	if (*end)
		r->branch = g_strndup(end, (gsize)(word_end(end) - end));
}

static void set_once(char **field, char *value)
{
	if (*field || !value)
		g_free(value);
	else
		*field = value;
}

/* One line of the block; FALSE where the parameters begin. */
static gboolean read_block_line(struct report *r, const body *b, guint i)
{
	static const char *const base[] = {"base:", NULL};
	static const char *const link[] = {"patch link:", NULL};
	static const char *const testcase[] = {"testcase:", "in testcase:",
					       NULL};
	static const char *const machine[] = {"test machine:",
					      "on test machine:", NULL};
	static const char *const config[] = {"config:", NULL};
	static const char *const compiler[] = {"compiler:", NULL};
	gsize len;
	const char *text = report_line(b, i, &len);
	g_autofree char *tree = report_value(b, i, base);
	char *value;

	if (!text)
		return TRUE;
	if (len > 11 && !memcmp(text + len - 11, "parameters:", 11))
		return FALSE;
	if (tree)
		read_tree(r, tree);
	if (is_url(text, len)) {
		g_autofree char *line = g_strndup(text, len);

		read_tree(r, line);
	}
	set_once(&r->patch_url, report_value(b, i, link));
	set_once(&r->testcase, report_value(b, i, testcase));
	set_once(&r->machine, report_value(b, i, machine));
	set_once(&r->compiler, report_value(b, i, compiler));
	value = report_value(b, i, config);
	if (value && strchr(value, ' '))
		*strchr(value, ' ') = '\0';
	set_once(&r->config, value);
	return len < 11 || memcmp(text, "parameters:", 11) != 0;
}

static gboolean is_parameter(const char *text, gsize len)
{
	const char *colon = memchr(text, ':', len);

	return colon && colon > text && !memchr(text, ' ', colon - text) &&
	       (gsize)(colon - text) + 1 < len && colon[1] == ' ';
}

static void read_parameters(struct report *r, const body *b, guint i)
{
	gsize len;
	const char *text;

	while (i < body_count(b) && report_line(b, i, &len) && !len)
		i++;
	for (; i < body_count(b) && r->parameters->len < REPORT_MAX_PARAMETERS;
	     i++) {
		text = report_line(b, i, &len);
		if (!text || !is_parameter(text, len))
			break;
		g_ptr_array_add(r->parameters, g_strndup(text, len));
	}
}

static void read_block(struct report *r, const body *b, guint from)
{
	guint i, end = MIN(body_count(b), from + BLOCK_LINES);
	gsize len;

	for (i = from; i < end; i++) {
		const char *text = report_line(b, i, &len);

		if (text && len > 8 && !memcmp(text, "========", 8))
			return;
		if (!read_block_line(r, b, i)) {
			read_parameters(r, b, i + 1);
			/* the machine stands below them in some years */
			if (r->machine)
				return;
		}
	}
}

/* ---- the rest */

/* "| Reported-by: ..." below "kindly add following tag": shielded or not. */
static guint read_tags(struct report *r, const body *b, guint i)
{
	gsize len;
	const char *text = report_line(b, i, &len);

	if (r->tags_offered->len || !text || len < 14 ||
	    memcmp(text, "If you fix the", 14) != 0)
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
		if (text && is_parameter(text, len)) {
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

	if (text && len > strlen(host) && !memcmp(text, host, strlen(host)) &&
	    r->artifacts->len < REPORT_MAX_ARTIFACTS)
		g_ptr_array_add(r->artifacts,
				g_strndup(text, strcspn(text, " \t\r\n")));
}

static void read_rest(struct report *r, const body *b, guint from)
{
	guint i, next;

	for (i = from; i < body_count(b); i++) {
		next = read_tags(r, b, i);
		i = MAX(i, next);
		if (i < body_count(b))
			read_artifact(r, b, i);
	}
}

static void read_patch(struct report *r, const message *msg)
{
	const char *parent = message_in_reply_to(msg);

	if (r->patch_url)
		r->patch_message_id = msgid_from_url(r->patch_url);
	/* "[PATCH 3/3] title": the commit is a patch of the list */
	if (!r->patch_message_id && parent && r->commit_subject &&
	    r->commit_subject[0] == '[' && strstr(r->commit_subject, "PATCH"))
		r->patch_message_id = g_strdup(parent);
}

static gboolean is_robot(const struct address *a)
{
	static const char *const senders[] = {"lkp@intel.com",
					      "oliver.sang@intel.com",
					      "yujie.liu@intel.com",
					      "rong.a.chen@intel.com",
					      "xiaolong.ye@intel.com"};
	guint i;

	for (i = 0; i < G_N_ELEMENTS(senders); i++)
		if (g_ascii_strcasecmp(a->address, senders[i]) == 0)
			return TRUE;
	return FALSE;
}

static struct report *report_new(void)
{
	struct report *r = g_new0(struct report, 1);

	r->robot = "kernel-test-robot";
	r->category = REPORT_PERFORMANCE;
	r->change_percent = NAN;
	r->parameters = g_ptr_array_new_with_free_func(g_free);
	r->tags_offered = g_ptr_array_new_with_free_func(g_free);
	r->artifacts = g_ptr_array_new_with_free_func(g_free);
	return r;
}

/* The headline whose commit is the subject's, else the first with a commit:
 * earlier reports may be told above. */
static struct report *choose_headline(const message *msg, const body *b,
				      struct headline *h, guint *below)
{
	struct report *best = NULL;
	struct headline next = {0};
	guint n, at;

	for (n = 0; n < REPORT_MAX_HEADLINES &&
		    report_next_headline(b, next.line, &next);
	     n++) {
		struct report *r = report_new();
		g_autofree char *id = NULL;

		at = read_commit(r, b, next.line);
		id = at ? g_strndup(r->commit, 10) : NULL;
		if (!at || (best && !strstr(message_subject(msg), id))) {
			report_free(r);
			g_clear_pointer(&next.metric, g_free);
			continue;
		}
		report_free(best);
		g_free(h->metric);
		best = r;
		*below = at;
		*h = next;
		next.metric = NULL;
		if (strstr(message_subject(msg), id))
			break;
	}
	return best;
}

struct report *report_parse(const message *msg, const body *b)
{
	struct headline h = {0};
	struct report *r;
	guint below = 0;

	if (!is_robot(message_from(msg)))
		return NULL;
	r = choose_headline(msg, b, &h, &below);
	if (!r)
		return NULL;
	r->direction = h.direction;
	r->metric = h.metric;
	read_block(r, b, below);
	read_rest(r, b, below);
	read_patch(r, msg);
	report_read_tables(r, b, below, &h, message_date(msg));
	return r;
}

void report_free(struct report *r)
{
	if (!r)
		return;
	g_free(r->metric);
	g_free(r->commit);
	g_free(r->commit_subject);
	g_free(r->base);
	g_free(r->base_tree);
	g_free(r->branch);
	g_free(r->patch_url);
	g_free(r->patch_message_id);
	g_free(r->testcase);
	g_free(r->machine);
	g_free(r->tbox);
	g_free(r->compiler);
	g_free(r->config);
	g_ptr_array_unref(r->parameters);
	g_ptr_array_unref(r->tags_offered);
	g_ptr_array_unref(r->artifacts);
	g_free(r);
}
