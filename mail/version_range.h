/* version_range.h - "v5.13..v5.14": what `introduced` is followed by
 * Names of releases and their order; which cycle they belong to by a list of
 * tags. Never asks git: what a name stands for is the caller's to look up. */
#ifndef MAIL_VERSION_RANGE_H
#define MAIL_VERSION_RANGE_H

#include <glib.h>

#include "mail/auto.h"

#define VERSION_MAX_BYTES 200 /* of one reference; a longer one is unknown */

enum version_kind {
	VERSION_UNKNOWN,  /* no name of a release: a branch, a typing error */
	VERSION_MAINLINE, /* v5.13, v5.14-rc3, v2.6.39 */
	VERSION_STABLE,	  /* v5.13.4, v2.6.39.4 */
	VERSION_NEXT,	  /* next-20230511 */
	VERSION_COMMIT,	  /* 7 to 40 hex digits */
};

struct version {
	enum version_kind kind;
	char *text;	  /* as a tag: "v5.14-rc3", "next-20230511"; a commit
			   * in lower case; an unknown one as written */
	guint number[3];  /* 5,13,0; 2,6,39 */
	guint sublevel;	  /* of a stable release, else 0 */
	guint rc;	  /* 0: a release */
	guint day;	  /* next: 20230511 */
	gboolean release; /* a mainline release: no rc */
};

struct version_range {
	struct version from; /* kind VERSION_UNKNOWN, text "": not given */
	struct version to;
	gboolean range;	    /* two dots were written; else only `to` is set */
	gboolean open;	    /* "A..": up to what there was at that time */
	gboolean symmetric; /* "A...B" was written; read as "A..B" */
};

/* The first word of `text`, with what surrounds it there removed: "v5.13 ..
 * v5.14", "(v5.13..v5.14)", "5.13..5.14", "refs/tags/v5.13..v5.14.". NULL:
 * there is no word. */
struct version_range *version_range_parse(const char *text);
void version_range_free(struct version_range *r);
AUTO_STRUCT(version_range, version_range_free)
/* "v5.13..v5.14", "v5.13..", "1a2b3c4d5e". You own it. */
char *version_range_text(const struct version_range *r);

/* Clear with version_clear(). FALSE: VERSION_UNKNOWN. */
gboolean version_parse(const char *text, struct version *v);
void version_clear(struct version *v);
const char *version_kind_name(enum version_kind k);

/* <0, 0, >0 for releases: v5.13-rc1 < v5.13 < v5.13.1 < v5.14-rc1; next by
 * day among themselves. Others are after all releases, by text. */
int version_compare(const struct version *a, const struct version *b);
/* The same of two tags' names: a GCompareFunc of char *. */
int version_compare_tags(const char *a, const char *b);

/* Which kind of tree a range speaks of: "mainline", "stable", "next". NULL:
 * only the commits themselves can tell (a hash, v5.13.4..v5.14.1), or nobody
 * can. v5.13..v5.13.1 is stable, v5.13..next-20210901 next. */
const char *version_range_tree(const struct version_range *r);

/* A tag and when it was made. */
struct version_tag {
	const char *name;
	gint64 date;
};

enum version_cycle {
	CYCLE_UNKNOWN,
	CYCLE_CURRENT,	/* what is being made: -rc, or the merge window */
	CYCLE_PREVIOUS, /* the newest release */
	CYCLE_OLDER,
	CYCLE_NEXT, /* not in mainline yet */
};
const char *version_cycle_name(enum version_cycle c); /* NULL: unknown */

/* The newest mainline release among tags made at `now` or before: the cycle
 * after it is the current one. FALSE: there is none; else clear `v`. */
gboolean version_newest_release(const struct version_tag *tags, guint n,
				gint64 now, struct version *v);

/*
 * The cycle of a commit by the first tag that holds it (`git describe
 * --contains`, "v5.14-rc1~12^2" or the tag alone); NULL: in mainline, but in
 * no tag yet, so current.
 */
enum version_cycle version_cycle_of(const char *tag,
				    const struct version_tag *tags, guint n,
				    gint64 now);
/*
 * The oldest cycle that a range may mean: v5.13..v5.15 is of v5.14's, if not of
 * v5.15's. What is not of mainline has none but next; nor has a range with an
 * end that is no tag: put the tag there that holds it. An open range ends in
 * what was being made when it was `written` (0: at `now`).
 */
enum version_cycle version_range_cycle(const struct version_range *r,
				       const struct version_tag *tags, guint n,
				       gint64 written, gint64 now);

#endif
