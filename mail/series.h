/* series.h - which patches make one series, and which series is older
 * A pure function of a set of facts: the order of arrival and the order of
 * the array do not matter. threads-patches 3.3. */
#ifndef MAIL_SERIES_H
#define MAIL_SERIES_H

#include <glib.h>

#define SERIES_MAX_PATCHES 2000	     /* slots of one series */
#define SERIES_GAP	   (20 * 60) /* seconds between unthreaded patches */
#define SERIES_CHAIN_DAYS  400	     /* between versions matched by title */

/* What is known of one patch, cover or naked-cover candidate. Borrowed
 * strings: they must outlive the series. */
struct series_mail {
	const char *mid;
	int parent; /* index of the nearest ancestor in the array, or -1 */
	const char *sender; /* lower-case address of the (header) sender */
	const char *author; /* lower-case address of the true author */
	gint64 date;
	gint64 thread; /* equal for mails of one thread */
	int version;   /* 1 if not stated */
	gboolean version_stated;
	int number; /* -1 = not numbered */
	int total;  /* -1 = not numbered */
	gboolean rfc, resend, reply, stable;
	gboolean has_diff, has_diffstat;
	gboolean is_patch_like; /* kind patch or cover by its subject */
	const char *title_key;	/* subject_key() of the title */
	const char *tags;	/* other prefixes, folded, joined by ',' */
	const char *change_id;	/* or NULL */
	const char *patch_id;	/* or NULL */
	const char *const
		*older_links; /* NULL-terminated Message-IDs or NULL */
	const char *const *prerequisites; /* as in struct patch, or NULL */
	const char *backport_of; /* hex of "commit X upstream", or NULL */
};

struct series_patch {
	int mail;	    /* index into the facts */
	int number;	    /* slot, from 1 */
	gboolean inherited; /* taken from the version before (partial reroll) */
};

struct series {
	int cover; /* index into the facts, or -1 */
	gboolean cover_inherited;
	int version;
	gboolean version_inferred;
	int total; /* announced or, if larger, the highest number seen */
	gboolean complete;
	const char *change_id;
	GArray *patches; /* of struct series_patch, by number */
	int supersedes;	 /* index into the result, or -1 */
	int superseded_by;
	int resend_of;
	const char *backport_of;
	GPtrArray *depends_on; /* lent strings: "patch-id: X" and the like */
	int first; /* facts index of the cover or first patch: its name */
};

/* Sort `n` facts into series. The result is ordered by (date of its first
 * own mail, Message-ID of it). You own the array of struct series. */
GPtrArray *series_assemble(const struct series_mail *mails, guint n);
void series_free(struct series *s);

#endif
