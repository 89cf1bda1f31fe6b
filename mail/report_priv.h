/* report_priv.h - reading a robot's lines: cursors over unquoted text
 * For the report_*.c and robot_*.c files alone. */
#ifndef MAIL_REPORT_PRIV_H
#define MAIL_REPORT_PRIV_H

#include "mail/report.h"
#include "mail/subject.h"
#include "mail/table.h"

#define REPORT_MAX_HEADLINES  20 /* sentences looked at in one mail */
#define REPORT_MAX_PARAMETERS 64
#define REPORT_MAX_ARTIFACTS  64
#define REPORT_MAX_TAGS	      16
#define REPORT_MAX_STILL      64
#define REPORT_MAX_ERRORS     1000
#define REPORT_MAX_IMPACTS    100
#define REPORT_MAX_SUBJECT    1000 /* bytes of a commit's title */
#define REPORT_HEX_FULL	      40

/* An empty report of `robot`, a name that lives as long as the program. */
struct report *report_new(const char *robot, enum report_category category);

/* ---- lines (report_line.c) */

/* Content of a line that the robot itself wrote, blanks trimmed at both ends;
 * NULL if it is quoted, forwarded, signature or footer. */
const char *report_line(const body *b, guint i, gsize *len);

/* "key: value" if the line begins with one of the NULL-terminated `keys`
 * (with their colon): the value. You own it. */
char *report_value(const body *b, guint i, const char *const *keys);

/* A copy of a robot's own line, blanks squeezed, the next ones joined up to
 * `lines` or an empty one. NULL if the first is not its own. */
char *report_joined(const body *b, guint i, guint lines);

/* TRUE if the robot's own line `i` begins with `text`. */
gboolean report_starts(const body *b, guint i, const char *text);
/* The first own line from `from` that begins with `text`; -1 none. */
int report_find_line(const body *b, guint from, const char *text);

gboolean report_is_url(const char *s, gsize len);
gboolean report_is_hex(const char *s, gsize len);
const char *report_word_end(const char *p);
const char *report_skip_blanks(const char *p);
/* Keeps what is there; takes `value`. */
void report_set(char **field, char *value);
void report_add_artifact(struct report *r, const char *url, gsize len);
/* Every URL of a line that is no commit's, tree's or message's. */
void report_add_urls(struct report *r, const char *text, gsize len);
/* The failure or message `text`; one that is known is given again. */
struct report_error *report_add_error(struct report *r, const char *text,
				      gsize len, gboolean is_new);
void report_error_free(struct report_error *e);

/* ---- headlines (report_head.c) */

enum headline_kind {
	HEADLINE_PERFORMANCE, /* "noticed a -3.3% regression of METRIC on:" */
	HEADLINE_FUNCTIONAL,  /* noticed "ID" on: */
	HEADLINE_COMMIT,      /* "noticed the following commit (built ...):" */
};

struct headline {
	enum headline_kind kind;
	guint line;   /* behind the sentence's first line */
	double value; /* as written, with its sign; NAN: no number */
	gboolean is_signed;
	enum report_direction direction;
	char *metric;	/* of HEADLINE_PERFORMANCE */
	char *ids;	/* of HEADLINE_FUNCTIONAL, as written */
	char *compiler; /* "built with ..."; NULL unknown */
};

/* The next headline sentence at or after line `from`; clears `h` first. */
gboolean report_next_headline(const body *b, guint from, struct headline *h);
void report_headline_clear(struct headline *h);

/* ---- what most robots of this family tell (report_block.c) */

/* The first "commit: <40 hex>" at or after line `from`, within a few lines;
 * its line from 1, or 0. */
guint report_read_commit(struct report *r, const body *b, guint from);
/* Tree, patch, testcase, machine, parameters, config, compiler. */
void report_read_block(struct report *r, const body *b, guint from);
/* Offered tags, URLs of what is to be downloaded, later states. */
void report_read_rest(struct report *r, const body *b, guint from);
/* Which mail holds the patch. */
void report_read_patch(struct report *r, const message *msg,
		       const struct subject *s);
/* "GITURL BRANCH" */
void report_read_tree(struct report *r, const char *value);

/* ---- kinds of the kernel test robot's reports */

/* Its performance or functional report; NULL if no headline is in it. */
struct report *report_read_headline(const message *msg, const struct subject *s,
				    const body *b, GPtrArray *tables);
/* report_perf.c: the headline's row and its sign, base, roles, checks. */
void report_read_tables(struct report *r, GPtrArray *tables,
			const struct headline *h, gint64 date);
/* Roles in a report's own table: the culprit's column is known by its id,
 * every change is against the first one. */
void report_set_roles(const struct report *r, struct table *t);
/* report_impact.c: the box of further tests. */
void report_read_impacts(struct report *r, const body *b, guint from);
/* report_failure.c: failure ids and how often. */
void report_read_failures(struct report *r, const struct subject *s,
			  const body *b, GPtrArray *tables,
			  const struct headline *h);
/* report_build.c */
struct report *report_read_build(const message *msg, const struct subject *s,
				 const body *b);
/* File, line, column, tool and message of `e` from its text. `tool` (may be
 * NULL) is what the section says. */
void report_split_error(struct report_error *e, const char *tool,
			const char *compiler);
/* report_summary.c: "[tree:branch] BUILD REGRESSION <sha>" */
struct report *report_read_summary(const message *msg, const struct subject *s,
				   const body *b);

#endif
