/* page_file.h - the files of the site: whole or old, written if they differ
 * A reader never sees half a file, and equal files keep their time. */
#ifndef BOT_PAGE_FILE_H
#define BOT_PAGE_FILE_H

#include <glib.h>

#include "bot/pages.h"

#define PAGE_FILE_LIST ".culprit-pages" /* what the last run wrote */
#define PAGE_FILE_NEW  ".culprit-new"	/* and a number: not in place yet */
#define PAGE_PATH_MAX  400

typedef struct page_dir page_dir;

/* Make `dir` if need be and lock it against other writers. `force` writes
 * equal files, too. NULL and a G_FILE_ERROR. */
page_dir *page_dir_open(const char *dir, gboolean force, GError **err);
/* Without page_dir_finish() nothing is removed, and the newest files may not
 * have taken their places. */
void page_dir_close(page_dir *d);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(page_dir, page_dir_close)

/* `path` is relative ("r/202001-abc/index.html"), of lower-case letters,
 * digits, dots, "-" and "/"; folders are made. Each path once. */
gboolean page_dir_put(page_dir *d, const char *path, const char *bytes,
		      gsize len, GError **err);

/* Did the last run write it? */
gboolean page_dir_had(const page_dir *d, const char *path);

/* Remove what an earlier run wrote and this one did not, and folders that
 * became empty; write down what there is. */
gboolean page_dir_finish(page_dir *d, GError **err);

/* The same where only a part of the site was written: all else stays. */
gboolean page_dir_finish_part(page_dir *d, GError **err);

const struct pages_counts *page_dir_counts(const page_dir *d);

#endif
