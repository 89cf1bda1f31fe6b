/* report_build.c - build errors and warnings, and static checkers
 * Lines marked ">> " are new, "<< " are old; which tool says a section's
 * title. Source excerpts are not read. */
#include <string.h>

#include "mail/report_priv.h"

#define OPENING_LINES 30 /* in which a mail says what it is */
#define MAX_LINE      2000

/* ---- one line: "fs/x.c:12:3: error: text" */

/* "12", "12:3", "12:3-4", "12.3-4": the bytes read; 0 none. */
static gsize read_place(const char *p, guint *line, guint *column)
{
	const char *start = p;
	char *end;
	gint64 n = g_ascii_strtoll(p, &end, 10);

	if (!g_ascii_isdigit(*p) || n <= 0 || n > G_MAXINT32)
		return 0;
	*line = (guint)n;
	p = end;
	if ((*p == ':' || *p == '.') && g_ascii_isdigit(p[1])) {
		n = g_ascii_strtoll(p + 1, &end, 10);
		*column = (guint)CLAMP(n, 0, G_MAXINT32);
		p = end;
	}
	while (*p == '-' && g_ascii_isdigit(p[1])) {
		(void)g_ascii_strtoll(p + 1, &end, 10);
		p = end;
		if (*p == '.' && g_ascii_isdigit(p[1]))
			p += 1 + strspn(p + 1, "0123456789");
	}
	return (gsize)(p - start);
}

static gboolean is_file_char(char c)
{
	return g_ascii_isalnum(c) || strchr("/._-+,@", c);
}

/* A path with a suffix or a folder. */
static gboolean is_file(const char *text, gsize len)
{
	if (!len)
		return FALSE;
	for (gsize i = 0; i < len; i++)
		if (!is_file_char(text[i]) || text[i] == '\0')
			return FALSE;
	return memchr(text, '/', len) || memchr(text, '.', len) ||
	       (len >= 7 && memcmp(text, "Kconfig", 7) == 0) ||
	       (len >= 8 && memcmp(text, "Makefile", 8) == 0);
}

/* Behind "riscv32-linux-ld: ". */
static const char *skip_linker(const char *text)
{
	gsize n = strcspn(text, " ");

	if (n > 3 && text[n - 1] == ':' && text[n] == ' ' &&
	    (memcmp(text + n - 4, "-ld:", MIN(n, 4)) == 0 ||
	     strncmp(text, "ld.lld:", 7) == 0))
		return text + n + 1;
	return strncmp(text, "ld: ", 4) == 0 ? text + 4 : text;
}

/* Behind "file:line[:column]"; NULL if the text doesn't begin so. */
static const char *read_file(struct report_error *e, const char *text)
{
	gsize n = 0, place;

	text = skip_linker(text);
	while (text[n] && is_file_char(text[n]))
		n++;
	if ((text[n] != ':' && text[n] != ' ') || !is_file(text, n))
		return NULL;
	place = read_place(text + n + 1, &e->line, &e->column);
	if (!place && strncmp(text + n, ": ", 2) != 0 &&
	    strncmp(text + n, ":(", 2) != 0)
		return NULL;
	e->file = g_strndup(text, n);
	if (g_str_has_prefix(e->file, "./"))
		memmove(e->file, e->file + 2, n - 1);
	text += n + 1 + place;
	return text + (*text == ':');
}

static const char *find_tool(const char *text, const char *tool,
			     const char *compiler)
{
	static const char *const marks[][2] = {
		{"sparse:", "sparse"},
		{"[clang-analyzer-", "clang-analyzer"},
		{"modpost:", "modpost"},
		{".ko] undefined!", "modpost"},
		{"objtool:", "objtool"},
		{"undefined reference to", "ld"},
		{"-ld:", "ld"},
		{"ld.lld:", "ld"},
		{"relocation truncated to fit", "ld"},
		{"multiple definition of", "ld"},
		{"expecting prototype for", "kernel-doc"},
		{"Function parameter or ", "kernel-doc"},
		{"This comment starts with '/**'", "kernel-doc"},
		{"() warn: ", "smatch"},
		{"() error: ", "smatch"},
	};

	for (guint i = 0; i < G_N_ELEMENTS(marks); i++)
		if (strstr(text, marks[i][0]))
			return marks[i][1];
	if (tool)
		return tool;
	if (!compiler)
		return NULL;
	if (strstr(compiler, "clang"))
		return "clang";
	if (strstr(compiler, "gcc") || strstr(compiler, "GCC"))
		return "gcc";
	return NULL;
}

void report_split_error(struct report_error *e, const char *tool,
			const char *compiler)
{
	const char *rest;

	/* a line may come twice */
	if (e->file || e->message || e->tool)
		return;
	rest = read_file(e, e->text);
	if (!rest)
		rest = e->text;
	rest += strspn(rest, " \t");
	if (*rest)
		e->message = g_strdup(rest);
	e->tool = g_strdup(find_tool(e->text, tool, compiler));
}

/* ---- sections */

/* "sparse warnings: (new ones prefixed by >>)": the tool, "" for compilers;
 * NULL if the line is no title. */
static const char *section_tool(const char *text, gsize len)
{
	static const char *const tools[][2] = {
		{"sparse warnings", "sparse"},
		{"cocci warnings", "coccinelle"},
		{"coccinelle warnings", "coccinelle"},
		{"smatch warnings", "smatch"},
		{"New smatch warnings", "smatch"},
		{"Old smatch warnings", "smatch"},
		{"clang-analyzer warnings", "clang-analyzer"},
		{"clang_analyzer warnings", "clang-analyzer"},
		{"includecheck warnings", "includecheck"},
		{"versioncheck warnings", "versioncheck"},
		{"spdxcheck warnings", "spdxcheck"},
		{"cppcheck warnings", "cppcheck"},
		{"cppcheck possible warnings", "cppcheck"},
		{"dtcheck warnings", "dtcheck"},
		{"dtschema warnings", "dtcheck"},
		{"Kconfig warnings", "kconfig"},
		{"kismet warnings", "kismet"},
		{"rust", "rustc"},
		{"All ", ""},
	};

	if (len > 120 || !memchr(text, ':', len))
		return NULL;
	for (guint i = 0; i < G_N_ELEMENTS(tools); i++) {
		gsize n = strlen(tools[i][0]);

		if (len <= n || memcmp(text, tools[i][0], n) != 0)
			continue;
		if (*tools[i][1] && strcmp(tools[i][1], "rustc") != 0)
			return tools[i][1];
		/* "All errors (new ones prefixed by >>):" */
		return memmem(text, len, "prefixed by", 11) ? tools[i][1]
							    : NULL;
	}
	return NULL;
}

struct section {
	const char *tool;  /* NULL: none begun */
	gboolean unmarked; /* lines without marks count, too */
	gboolean is_new;   /* those lines are */
};

static gboolean take_title(struct section *s, const struct body_line *l)
{
	const char *tool = section_tool(l->text, l->len);

	if (!tool)
		return FALSE;
	s->tool = tool;
	s->unmarked = !memmem(l->text, l->len, "prefixed by", 11);
	s->is_new = l->text[0] != 'O' &&
		    !memmem(l->text, l->len, "for reference", 13);
	return TRUE;
}

static void add_line(struct report *r, const struct section *s,
		     const char *text, gsize len, gboolean is_new)
{
	struct report_error *e;

	while (len && g_ascii_isspace(text[len - 1]))
		len--;
	while (len && (*text == ' ' || *text == '\t')) {
		text++;
		len--;
	}
	if (!len || len > MAX_LINE)
		return;
	e = report_add_error(r, text, len, is_new);
	if (e)
		report_split_error(e, s->tool && *s->tool ? s->tool : NULL,
				   r->compiler);
}

/* "fs/x.c:12 ..." at the line's beginning. */
static gboolean begins_with_place(const struct body_line *l)
{
	g_autofree char *text = g_strndup(l->text, MIN(l->len, 300));
	struct report_error e = {0};
	gboolean yes = read_file(&e, text) && e.line;

	g_free(e.file);
	return yes;
}

static void read_lines(struct report *r, const body *b)
{
	struct section s = {0};

	for (guint i = 0; i < body_count(b); i++) {
		const struct body_line *l = body_line(b, i);

		if (l->len > 3 && memcmp(l->text, ">> ", 3) == 0)
			add_line(r, &s, l->text + 3, l->len - 3, TRUE);
		else if (l->len > 3 && memcmp(l->text, "<< ", 3) == 0)
			add_line(r, &s, l->text + 3, l->len - 3, FALSE);
		else if (take_title(&s, l))
			continue;
		else if (l->len > 4 && memcmp(l->text, "vim +", 5) == 0)
			s.unmarked = FALSE;
		else if (s.tool && s.unmarked && begins_with_place(l))
			add_line(r, &s, l->text, l->len, s.is_new);
	}
}

/* ---- the mail */

static gboolean opens_as_build(const body *b)
{
	static const char *const openings[] = {
		"Yet something to improve:",
		"Perhaps something to improve:",
		"Thank you for the patch! Yet ",
		"Thank you for the patch! Perhaps ",
		"I love your patch! Yet ",
		"I love your patch! Perhaps ",
		"kernel test robot noticed the following build ",
		"FYI, the error/warning still remains.",
		"FYI, the error/warning was bisected to ",
		"BUILD SUCCESS",
		"tree:",
		"[auto build test ",
	};
	guint end = MIN(body_count(b), OPENING_LINES);

	for (guint i = 0; i < end; i++)
		for (guint k = 0; k < G_N_ELEMENTS(openings); k++)
			if (report_starts(b, i, openings[k]))
				return TRUE;
	return FALSE;
}

/* "[auto build test ERROR on kdave/for-next]" where no tree is named. */
static void read_auto(struct report *r, const body *b)
{
	int at = report_find_line(b, 0, "[auto build test ");
	g_autofree char *line = at < 0 ? NULL : report_joined(b, (guint)at, 1);
	char *on = line ? strstr(line, " on ") : NULL;
	char *slash;

	if (!on || r->base_tree)
		return;
	on += 4;
	on[strcspn(on, "] ")] = '\0';
	slash = strchr(on, '/');
	if (!slash) {
		/* "on v5.7-rc1" */
		report_set(&r->base, g_strdup(on));
		return;
	}
	r->base_tree = g_strndup(on, (gsize)(slash - on));
	report_set(&r->branch, g_strdup(slash + 1));
}

static void read_build_head(struct report *r, const struct subject *s,
			    const body *b)
{
	static const char *const title[] = {"patch subject:", NULL};
	guint end = MIN(body_count(b), 60);
	guint commit = report_read_commit(r, b, 0);

	report_read_block(r, b, 0);
	for (guint i = 0; i < end && !r->commit_subject && !commit; i++)
		report_set(&r->commit_subject, report_value(b, i, title));
	if (s->patch)
		report_set(&r->commit_subject, g_strdup(s->base));
	read_auto(r, b);
}

static char *build_title(const struct report *r, const struct subject *s)
{
	for (guint i = 0; i < r->errors->len; i++) {
		const struct report_error *e = r->errors->pdata[i];

		if (e->is_new)
			return g_strdup(e->text);
	}
	return g_strdup(s->base);
}

struct report *report_read_build(const message *msg, const struct subject *s,
				 const body *b)
{
	struct report *r;

	if (!opens_as_build(b))
		return NULL;
	r = report_new("kernel-test-robot", REPORT_BUILD);
	read_build_head(r, s, b);
	report_read_rest(r, b, 0);
	report_read_patch(r, msg, s);
	read_lines(r, b);
	report_set(&r->title, build_title(r, s));
	return r;
}
