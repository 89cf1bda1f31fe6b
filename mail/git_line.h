/* git_line.h - lines by which git divides a mail, judged by their bytes alone
 * The text of a line is handed in without its line end. */
#ifndef MAIL_GIT_LINE_H
#define MAIL_GIT_LINE_H

#include <glib.h>

/* Scissors by the measure of `git mailinfo`: eight or more visible bytes, a
 * third of them perforation, which is more dash and blade than gap. Besides
 * git's blades one more counts: U+2702. */
gboolean git_line_is_scissors(const char *line, gsize len);

/* "---" and nothing else: the message ends here. */
gboolean git_line_is_rule(const char *line, gsize len);

/* " path | 12 ++--" or " path | Bin 0 -> 3 bytes" of a diffstat. A table may
 * look so: what counts is the sum below. */
gboolean git_line_is_stat(const char *line, gsize len);

/* " 2 files changed, 3 insertions(+)" below those lines. */
gboolean git_line_is_stat_sum(const char *line, gsize len);

#endif
