/* patch.h - the anatomy of a patch mail: message, notes, diff
 * threads-patches 3.4; must agree with `git mailinfo` and `git patch-id`. */
#ifndef MAIL_PATCH_H
#define MAIL_PATCH_H

#include <glib.h>

#include "mail/address.h"
#include "mail/auto.h"
#include "mail/diff.h"
#include "mail/message.h"
#include "mail/subject.h"

#define PATCH_MAX_PREREQUISITES 1000

struct patch {
	char *title;		/* in-body Subject wins over the header's */
	struct address *author; /* in-body From wins; never NULL */
	gboolean author_in_body;
	char *commit_message; /* UTF-8, without title; as git would keep it,
			       * trailing blank lines removed */
	guint message_line;   /* of its first line, from 1: in the body, or in
			       * the attached patch where that says it */
	char *notes;	      /* between --- and diffstat/diff, or "" */
	guint notes_line;
	char *change_id;	  /* "change-id:" of b4, or NULL */
	char *base_commit;	  /* or NULL */
	GPtrArray *prerequisites; /* "patch-id: X", "change-id: Y", ... */
	GPtrArray *older_links; /* Message-IDs that the changelog names as older
				 * versions ("v1: https://lore...", "Link to
				 * v1:"), order of lines */
	struct diff *diff;	/* NULL for a cover */
	gboolean scissors;	/* text above a scissors line was cut */
};

/*
 * Read the mail as a patch or as a cover letter (no diff: all the text is
 * commit_message). For a reply with a diff inside, the caller decides.
 * Never NULL.
 */
struct patch *patch_parse(const message *msg, const struct subject *subject);
void patch_free(struct patch *p);
AUTO_STRUCT(patch, patch_free)

#endif
