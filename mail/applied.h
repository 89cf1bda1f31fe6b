/* applied.h - "Applied to for-next, thanks": what became of a patch, in words
 * A claim of the sender; whether a commit is there is told by git alone.
 * docs/applied.md. */
#ifndef MAIL_APPLIED_H
#define MAIL_APPLIED_H

#include <glib.h>

#include "mail/auto.h"
#include "mail/body.h"
#include "mail/message.h"
#include "mail/robot.h"
#include "mail/subject.h"

#define APPLIED_MAX_ITEMS 500

enum applied_kind { /* stored as numbers: append only */
		    APPLIED_APPLIED,
		    APPLIED_QUEUED,
		    APPLIED_MERGED,
		    APPLIED_PICKED_STABLE,
		    APPLIED_REJECTED,
		    APPLIED_REVERTED, /* dropped again */
		    APPLIED_PROMISED, /* "I'll queue it": no notice, stored */
};

/* One patch of the list that such a mail may hold. */
struct applied_item {
	int number, total; /* "[2/5]"; -1 */
	char *title;	   /* NULL unknown */
	char *commit;	   /* hex; NULL unknown */
	char *mid;	   /* of the patch, from a link; NULL unknown */
};

struct applied {
	enum applied_kind kind;
	char *tree;	    /* as written: "misc-next", "vfs/vfs.git"; NULL */
	char *branch;	    /* NULL unknown */
	GPtrArray *items;   /* of struct applied_item; empty: what it answers */
	GPtrArray *commits; /* of char *, hex, each once */
	char *text;	    /* the sentence */
	guint line;	    /* from 1 */
	gboolean partial;   /* some patches of the series only */
	gboolean robot;
};

/* One of nothing, for who reads them from elsewhere. */
struct applied *applied_new(enum applied_kind kind);
/* Another item, numbers -1 if unknown; NULL beyond APPLIED_MAX_ITEMS. Lent. */
struct applied_item *applied_add_item(struct applied *a, int number, int total);

/* By its subject the notice of a maintainer's script, with a patch in it. */
gboolean applied_is_script(const message *msg);

/* NULL: the mail tells of no such thing. */
struct applied *applied_read(const message *msg, const struct subject *s,
			     const body *b, const struct robot *robot);
void applied_free(struct applied *a);
AUTO_STRUCT(applied, applied_free)
/* "applied" ... ; "promised" is no value of the contract's JSON: the parsed
 * message then has null. */
const char *applied_kind_name(enum applied_kind k);

#endif
