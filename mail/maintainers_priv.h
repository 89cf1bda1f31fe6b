/* maintainers_priv.h - one pattern of MAINTAINERS, and the file as it is kept
 * Internal to mail/maintainers*.c. */
#ifndef MAIL_MAINTAINERS_PRIV_H
#define MAIL_MAINTAINERS_PRIV_H

#include "mail/maintainers.h"

enum pattern_how {
	PATTERN_UNUSABLE,
	PATTERN_GLOB,  /* F, X: letters, '*' and '?' */
	PATTERN_REGEX, /* N, K; F and X that hold more than that */
};

struct pattern {
	char type; /* F X N K */
	enum pattern_how how;
	guint section;
	guint line;
	char *text;	 /* F, X: as in the file, with the slash it lacked */
	char *must;	 /* N, K: any match holds it; NULL unknown */
	GRegex *regex;	 /* NULL: none is needed */
	GRegex *in_diff; /* K: on lines of a diff */
	guint slashes;	 /* of `text` */
	int depth;
	gboolean any_depth; /* "**": slashes are not counted */
};

void pattern_init(struct pattern *p, char type, const char *value,
		  maintainers_dir_fn is_dir, void *data, GError **err);
void pattern_clear(struct pattern *p);

/* F, X, N on a path of so many slashes. */
gboolean pattern_matches(const struct pattern *p, const char *path,
			 guint slashes);
/* What all that it matches begins with. */
char *pattern_begin(const struct pattern *p);
guint pattern_slashes(const char *text);

struct section {
	struct maintainers_section s;
	guint first, count; /* its patterns */
	guint excludes;	    /* X among them */
	gboolean has_m;
};

struct maintainers {
	GPtrArray *sections;  /* of struct section */
	GArray *patterns;     /* of struct pattern, in the order of the file */
	GHashTable *by_begin; /* char * to GArray of guint: F by beginning */
	/* is there a beginning of that length */
	gboolean lengths[MAINTAINERS_MAX_VALUE + 2];
	GArray *by_name;      /* guint: N */
	GArray *by_word;      /* guint: K */
	GHashTable *by_title; /* word of titles to GPtrArray of section */
	GHashTable *names;    /* lower-case titles, and slugs, to section */
	GPtrArray *problems;
};

/* Once, when it is whole. maintainers_hint.c */
void maintainers_add_title(maintainers *m, struct section *s);

struct section *maintainers_section_new(const char *title, guint line);
void maintainers_section_free(struct section *s);
/* Everything of a line but patterns: M R L S T W. `name` is what P: on the
 * line before gave, or NULL. */
void maintainers_section_add(struct section *s, char type, const char *value,
			     const char *name);
/* When all of its lines were read: roles by the status. */
void maintainers_section_end(struct section *s);

#endif
