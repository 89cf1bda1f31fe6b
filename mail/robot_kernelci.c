/* robot_kernelci.c - KernelCI (old and new), LKFT and CKI: test systems that
 * write about whole trees
 * Categories by what they say of themselves in subject and headers. */
#include <string.h>

#include "mail/robot_priv.h"

#define HEAD_LINES 80
#define MAX_ROWS   200 /* of lists of failures */

/* The subject without an emoji or bracket at its beginning. */
static gboolean subject_has(const message *msg, const char *word)
{
	return strstr(message_subject(msg), word) != NULL;
}

static void set_commit(struct report *r, char *value)
{
	if (!value)
		return;
	value[strcspn(value, " \t(,")] = '\0';
	if (strlen(value) >= 12 && report_is_hex(value, strlen(value)))
		report_set(&r->commit, g_ascii_strdown(value, -1));
	g_free(value);
}

static void set_tree(struct report *r, char *value)
{
	if (!value)
		return;
	if (report_is_url(value, strlen(value)))
		report_read_tree(r, value);
	g_free(value);
}

static void read_urls(struct report *r, const body *b)
{
	guint end = MIN(body_count(b), HEAD_LINES);

	for (guint i = 0; i < end; i++) {
		gsize len;
		const char *text = report_line(b, i, &len);

		if (text && memmem(text, len, "http", 4))
			report_add_urls(r, text, len);
	}
}

/* "key: value", where old and new mails and lists write "- key: value". */
static char *value_of(const body *b, const char *key)
{
	g_autofree char *item = g_strconcat("- ", key, NULL);
	g_autofree char *star = g_strconcat("* ", key, NULL);
	char *value = robot_value(b, HEAD_LINES, key);

	if (!value)
		value = robot_value(b, HEAD_LINES, item);
	if (!value)
		value = robot_value(b, HEAD_LINES, star);
	return value;
}

static void read_head(struct report *r, const body *b)
{
	set_commit(r, value_of(b, "Git Commit:"));
	set_commit(r, value_of(b, "git commit:"));
	set_commit(r, value_of(b, "commit HEAD:"));
	set_commit(r, value_of(b, "Commit:"));
	set_commit(r, value_of(b, "commit:"));
	set_tree(r, value_of(b, "Git URL:"));
	set_tree(r, value_of(b, "giturl:"));
	set_tree(r, value_of(b, "git:"));
	set_tree(r, value_of(b, "git repo:"));
	set_tree(r, value_of(b, "Kernel repo:"));
	report_set(&r->branch, value_of(b, "Git Branch:"));
	report_set(&r->branch, value_of(b, "git branch:"));
	report_set(&r->branch, value_of(b, "Branch:"));
	report_set(&r->branch, value_of(b, "branch:"));
	report_set(&r->base, value_of(b, "Git Describe:"));
	report_set(&r->base, value_of(b, "git describe:"));
}

/* ---- KernelCI */

ROBOT_WROTE(robot_kernelci)
{
	return robot_domain(msg, "kernelci.org") ||
	       (robot_has_header(msg, "X-Kernelci-Report-Type") &&
		robot_local(msg, "bot@"));
}

/* "next/master boot: 239 boots: 2 failed ..." */
static gboolean kernelci_header(const message *msg, const char *type)
{
	return robot_header_is(msg, "X-Kernelci-Report-Type", type);
}

static enum report_category kernelci_category(const message *msg)
{
	if (subject_has(msg, "[STATUS]"))
		return REPORT_SUMMARY;
	if (subject_has(msg, "[TEST REGRESSION]"))
		return REPORT_FUNCTIONAL;
	if (kernelci_header(msg, "build") || subject_has(msg, " build: ") ||
	    subject_has(msg, "(build)"))
		return REPORT_BUILD;
	if (kernelci_header(msg, "boot") || subject_has(msg, " boot: ") ||
	    subject_has(msg, "boot bisection:") || subject_has(msg, "(boot)"))
		return REPORT_BOOT;
	return REPORT_FUNCTIONAL;
}

/* The list below "### POSSIBLE REGRESSIONS". */
static void read_regressions(struct report *r, const body *b)
{
	int at = report_find_line(b, 0, "### POSSIBLE REGRESSIONS");

	if (at < 0)
		at = report_find_line(b, 0, "### REGRESSIONS");
	for (guint i = (guint)at + 1;
	     at >= 0 && i < body_count(b) && i < (guint)at + MAX_ROWS; i++) {
		gsize len;
		const char *text = report_line(b, i, &len);

		if (text && len > 3 && memcmp(text, "###", 3) == 0)
			break;
		if (text && len > 2 && memcmp(text, "- ", 2) == 0)
			report_add_error(r, text + 2, len - 2, TRUE);
	}
}

static gboolean tells_of_regressions(const message *msg, const struct report *r)
{
	return r->errors->len || subject_has(msg, "REGRESSION]") ||
	       subject_has(msg, "regressions (");
}

ROBOT_READ(robot_kernelci)
{
	struct report *r;

	/* answers of its team under a person's name */
	if (robot_answers(msg, s, b))
		return NULL;
	r = report_new("kernelci", kernelci_category(msg));
	read_head(r, b);
	report_set(&r->compiler, value_of(b, "compiler:"));
	report_set(&r->compiler, value_of(b, "Compiler:"));
	report_set(&r->config, value_of(b, "config:"));
	report_set(&r->config, value_of(b, "Config:"));
	report_set(&r->machine, value_of(b, "platform:"));
	read_urls(r, b);
	read_regressions(r, b);
	report_read_rest(r, b, 0);
	if (tells_of_regressions(msg, r))
		r->direction = REPORT_REGRESSION;
	if (!r->errors->len && r->category != REPORT_SUMMARY)
		report_add_error(r, s->base, strlen(s->base), TRUE);
	report_set(&r->title, g_strdup(s->base));
	return r;
}

/* ---- LKFT: the robot, and what people send in its name */

static gboolean has_lkft_footer(const body *b)
{
	static const char footer[] = "Linux Kernel Functional Testing";
	static const char address[] = "lkft@linaro.org";

	for (guint i = 0; i < body_count(b); i++) {
		gsize len;
		const char *text = report_line(b, i, &len);

		if (text && len > 13 && memcmp(text, "Reported-by:", 12) == 0 &&
		    (memmem(text, len, footer, strlen(footer)) ||
		     memmem(text, len, address, strlen(address))))
			return TRUE;
		if (text && len >= 9 && memcmp(text, "metadata:", 9) == 0)
			return TRUE;
	}
	return report_find_line(b, 0, "Linaro LKFT") >= 0;
}

ROBOT_WROTE(robot_lkft)
{
	if (robot_from(msg, "lkft@linaro.org"))
		return TRUE;
	return robot_domain(msg, "linaro.org") && !s->reply && !s->patch &&
	       !message_in_reply_to(msg) && has_lkft_footer(b);
}

/* "* x15, ltp-syscalls-tests" below "## Test Regressions" */
static void read_lists(struct report *r, const body *b)
{
	gboolean regressions = FALSE;

	for (guint i = 0; i < body_count(b) && r->errors->len < MAX_ROWS; i++) {
		gsize len;
		const char *text = report_line(b, i, &len);

		if (!text || len < 3)
			continue;
		if (memcmp(text, "## ", 3) == 0)
			regressions =
				memmem(text, len, "Regressions", 11) != NULL;
		else if (regressions && memcmp(text, "* ", 2) == 0)
			report_add_error(r, text + 2, len - 2, TRUE);
	}
}

static gboolean body_says(const body *b, const char *words)
{
	gsize n = strlen(words);

	for (guint i = 0; i < body_count(b); i++) {
		gsize len;
		const char *text = report_line(b, i, &len);

		if (text && memmem(text, len, words, n))
			return TRUE;
	}
	return FALSE;
}

static gboolean is_build_subject(const struct subject *s)
{
	static const char *const words[] = {"error:",  "warning:", "undefined",
					    "modpost", "build",	   "Build"};

	for (guint i = 0; i < G_N_ELEMENTS(words); i++)
		if (strstr(s->base, words[i]))
			return TRUE;
	return FALSE;
}

ROBOT_READ(robot_lkft)
{
	gboolean robot = report_find_line(b, 0, "## Build") >= 0;
	struct report *r;

	if (robot_answers(msg, s, b))
		return NULL;
	r = report_new("lkft", is_build_subject(s) && !robot
				       ? REPORT_BUILD
				       : REPORT_FUNCTIONAL);
	read_head(r, b);
	read_lists(r, b);
	if (r->errors->len)
		r->direction = REPORT_REGRESSION;
	else if (!robot)
		report_add_error(r, s->base, strlen(s->base), TRUE);
	else if (!body_says(b, "Regressions"))
		r->category = REPORT_SUMMARY;
	read_urls(r, b);
	report_read_rest(r, b, 0);
	report_set(&r->title, g_strdup(s->base));
	return r;
}

/* ---- CKI */

ROBOT_WROTE(robot_cki)
{
	return robot_from(msg, "cki-project@redhat.com") ||
	       (robot_domain(msg, "redhat.com") &&
		robot_has_header(msg, "X-Gitlab-Pipeline-ID"));
}

/* "merge: OK", "compile: FAILED" */
static gboolean failed(const body *b, const char *key)
{
	g_autofree char *value = robot_value(b, HEAD_LINES, key);

	return value && strstr(value, "FAIL") != NULL;
}

/* Rows of failed tests: a cross and a name. */
static void read_crosses(struct report *r, const body *b)
{
	static const char cross[] = "\xe2\x9d\x8c"; /* U+274C */

	for (guint i = 0; i < body_count(b) && r->errors->len < MAX_ROWS; i++) {
		gsize len;
		const char *text = report_line(b, i, &len);
		const char *at = text ? memmem(text, len, cross, 3) : NULL;

		if (!at)
			continue;
		at += 3;
		len -= (gsize)(at - text);
		while (len && *at == ' ') {
			at++;
			len--;
		}
		if (len)
			report_add_error(r, at, len, TRUE);
	}
}

ROBOT_READ(robot_cki)
{
	struct report *r;

	if (robot_answers(msg, s, b))
		return NULL;
	r = report_new("cki", REPORT_FUNCTIONAL);
	if (failed(b, "Compile:") || failed(b, "compile:"))
		r->category = REPORT_BUILD;
	else if (subject_has(msg, "PASS"))
		r->category = REPORT_SUMMARY;
	read_head(r, b);
	read_urls(r, b);
	if (r->category == REPORT_FUNCTIONAL)
		read_crosses(r, b);
	if (r->category != REPORT_SUMMARY && !r->errors->len)
		report_add_error(r, s->base, strlen(s->base), TRUE);
	report_set(&r->title, g_strdup(s->base));
	return r;
}
