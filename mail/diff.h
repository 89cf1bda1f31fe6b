/* diff.h - unified and git diffs by state machine with hunk line counts
 * Works on bytes; knows nothing of mail. */
#ifndef MAIL_DIFF_H
#define MAIL_DIFF_H

#include <glib.h>

#include "mail/auto.h"

#define DIFF_MAX_FILES 20000

struct diff_file {
	char *path;	/* new path; the old one for a deletion */
	char *old_path; /* set if renamed or copied, else NULL */
	char *pre_blob; /* hex of "index a..b", NULL if absent */
	char *post_blob;
	guint insertions;
	guint deletions;
	gboolean binary;
	gboolean added;
	gboolean deleted;
};

struct diff {
	GPtrArray *files; /* of struct diff_file, in order */
	guint insertions; /* sums */
	guint deletions;
	gsize start;	/* offset of the first diff line in the text */
	gsize end;	/* offset behind the last one */
	char *patch_id; /* 40 hex, as `git patch-id --stable`; NULL if damaged */
	char *mended_id; /* id of the commit that git makes of it where that is
			  * not patch_id: empty context lines that lost their
			  * blank, which git-patch-id does not count; heads of
			  * quilt or diff -u, which it does not read */
	char *damage;	 /* NULL, or one line saying what is wrong */
};

/*
 * Read all diffs of `text[0..len)`, the first of which begins at or after
 * `from`. A diff begins at "diff --git", "diff -...", "--- x" followed by
 * "+++ y", or "Index: " + "====". Text between diffs is passed over. Hunks
 * end by their line counts, not at "-- ". Damage (wrapped lines, count
 * mismatch) is told and leaves patch_id NULL; nothing is guessed.
 * NULL if there is no diff.
 */
struct diff *diff_parse(const char *text, gsize len, gsize from);
/* A name for "these files before and after": the first bytes of a SHA-1 over
 * the sorted pairs of blob ids, of 7 digits each. FALSE if not every file has
 * them (a file only renamed has none and does not count). */
#define DIFF_BLOBS_LEN 8
#define DIFF_BLOB_HEX  7
gboolean diff_blobs_key(const struct diff *d, guint8 key[DIFF_BLOBS_LEN]);
/* The same from "1234567 89abcde" strings in any order, which are sorted. */
void diff_pairs_key(GPtrArray *pairs, guint8 key[DIFF_BLOBS_LEN]);

void diff_free(struct diff *d);
AUTO_STRUCT(diff, diff_free)

#endif
