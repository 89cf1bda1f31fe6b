/* maintainers.h - the kernel's MAINTAINERS file: which sections a path, a
 * patch or a commit belongs to
 * By the rules of scripts/get_maintainer.pl, docs/maintainers.md. Bytes are
 * handed in: never opens a tree. */
#ifndef MAIL_MAINTAINERS_H
#define MAIL_MAINTAINERS_H

#include <glib.h>

#include "mail/auto.h"

#define MAINTAINERS_MAX_BYTES	 (16 * 1024 * 1024)
#define MAINTAINERS_MAX_SECTIONS 50000
#define MAINTAINERS_MAX_PATTERNS 500000 /* F, X, N and K together */
#define MAINTAINERS_MAX_VALUE	 1000	/* bytes of a pattern */
#define MAINTAINERS_MAX_PATH	 4096	/* longer paths match nothing */
#define MAINTAINERS_MAX_FILES	 10000 /* of one change; the rest is left out */
#define MAINTAINERS_MAX_LINE	 10000 /* bytes that K looks at of a line */
/* What one N or K pattern may cost on one text, in steps of PCRE2. */
#define MAINTAINERS_MATCH_LIMIT 20000

struct maintainers_person {
	char *name;    /* "" none */
	char *address; /* of a list, too */
	/* M: by the section's status, "maintainer", "supporter", "odd fixer",
	 * "orphan minder", "obsolete minder", "chief penguin", or the status
	 * itself in lower case, "unknown" without one; R: "reviewer"; L: "open
	 * list", "moderated list", "subscriber list" */
	char *role;
};

struct maintainers_section {
	char *title;
	char *slug;   /* of [a-z0-9.-], unique, 64 bytes at most */
	char *status; /* the last S: as written; NULL none */
	GPtrArray *m; /* of struct maintainers_person */
	GPtrArray *r; /* the same, reviewers */
	GPtrArray *l; /* the same, mailing lists */
	GPtrArray
		*t; /* of char *: trees as written: "git git://... for-next" */
	GPtrArray *w;	 /* of char *: web pages */
	guint line;	 /* of the title, from 1 */
	gboolean kept;	 /* maintained or supported by its status */
	gboolean hidden; /* THE REST, and what means every file: no subsystem */
};

typedef struct maintainers maintainers;

/* Is there a directory of that name in the tree the file is from? */
typedef gboolean (*maintainers_dir_fn)(const char *path, void *data);

/* `is_dir` may be NULL: then a pattern without a trailing slash is none of a
 * directory. Never fails on odd text; NULL and MAIL_ERROR_LIMIT beyond the
 * bounds above. */
maintainers *maintainers_parse(const char *text, gsize len,
			       maintainers_dir_fn is_dir, void *data,
			       GError **err);
void maintainers_free(maintainers *m);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(maintainers, maintainers_free)

/* Sections in the order of the file. */
guint maintainers_count(const maintainers *m);
const struct maintainers_section *maintainers_section(const maintainers *m,
						      guint n);
/* By its title (case-blind), or by its slug. NULL: none. */
const struct maintainers_section *maintainers_find(const maintainers *m,
						   const char *name);
/* Patterns that could not be used, "line 12: N: WHY", each once. */
GPtrArray *maintainers_problems(const maintainers *m);

/* The only section whose title has all words in front of the first colon of a
 * commit's title: a weak hint, for where no file is known. NULL: none, or
 * several. */
const struct maintainers_section *maintainers_hint(const maintainers *m,
						   const char *title);

struct maintainers_match {
	const struct maintainers_section *section; /* lent */
	int depth;	  /* of its pattern; 0 by N, -1 by a leading '*' or K */
	guint files;	  /* of the change that are in it; 0: by K alone */
	gboolean exact;	  /* the pattern names it, and somebody keeps it */
	gboolean keyword; /* by K */
};

/* The sections of one file, deepest first, then in the order of the file;
 * hidden ones are left out. You own the array of struct maintainers_match. */
GArray *maintainers_of_path(const maintainers *m, const char *path);

/*
 * The sections of a change: most files first, then the deepest pattern, then
 * the order of the file; those by keyword alone come last. The first is the
 * primary one. `files` of char *, both names of a renamed one; `message` is
 * the commit message or the mail, `diff` the text of the patch; each may be
 * NULL.
 */
GArray *maintainers_of_change(const maintainers *m, const GPtrArray *files,
			      const char *message, const char *diff);

#endif
