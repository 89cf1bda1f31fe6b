/* source_nntp_priv.h - what the files of the news source share
 * Overviews tell which articles a group has; those are asked for ahead of the
 * answers, and come in the order of their numbers. */
#ifndef BOT_SOURCE_NNTP_PRIV_H
#define BOT_SOURCE_NNTP_PRIV_H

#include "bot/nntp_session.h"
#include "bot/rate.h"
#include "bot/source_priv.h"

#define NNTP_DEPTH	  64	  /* articles under way at most */
#define NNTP_CURSOR_EVERY 500	  /* articles */
#define NNTP_SPAN	  2000	  /* numbers of an overview */
#define NNTP_MAX_TODO	  2500	  /* articles known of and not asked for yet */
#define NNTP_MAX_GAP	  1000000 /* missing in a row, without overviews */
#define NNTP_MAX_OVER	  4000000 /* lines of an overview */
#define NNTP_MAX_SKIP	  (256 * 1024 * 1024) /* read past of a large one */

enum nntp_views {
	NNTP_OVER,
	NNTP_XOVER, /* the old name for it */
	NNTP_NO_OVER,
};

/* An article that is there. */
struct nntp_wanted {
	guint64 number;
	guint64 bytes;	/* 0: unknown */
	gboolean large; /* too large to be asked for */
	char *id;	/* of a large one; NULL: unknown */
};

/* One that was asked for. */
struct nntp_asked {
	guint64 number;
	guint64 bytes; /* about */
};

struct nntp_group {
	const struct remote *r;
	struct source_context *ctx;
	struct rate *rate;
	nntp_session *s; /* lent; another one after it was lost */
	const char *name;
	char *place;

	/* the position: the last article that was dealt with */
	guint64 last;  /* 0: none */
	char *last_id; /* NULL: unknown */
	guint unsaid;  /* articles since the last cursor */
	gboolean moved;
	guint64 got; /* by this session */

	gboolean entered, expected;
	gint64 since;	   /* articles before the first one from then are passed
		       * over; 0: no more */
	guint64 low, high; /* the marks of the group; low is only believed where
			    * there are no overviews */
	guint64 next; /* what comes before it was asked for, or is in todo */
	enum nntp_views views;
	guint64 span;
	guint gap;
	GQueue todo;	   /* of struct nntp_wanted */
	GQueue asked;	   /* of struct nntp_asked */
	guint gone;	   /* of these, which ones is not known yet */
	guint64 under_way; /* bytes of these */
	GString *article;
};

struct nntp_group *nntp_group_new(const struct remote *r,
				  struct source_context *ctx, struct rate *rate,
				  const char *name);
void nntp_group_free(struct nntp_group *g);
AUTO_STRUCT(nntp_group, nntp_group_free)

/* Everything behind the position, then the cursor. FALSE: what was said stays;
 * with another session it goes on. */
gboolean nntp_group_read(struct nntp_group *g, nntp_session *s, GError **err);
/* GROUP, and whether the position still stands: sets high and next. */
gboolean nntp_group_enter(struct nntp_group *g, GError **err);

/* ---- overviews */
typedef gboolean (*nntp_view_fn)(const struct nntp_over *o, void *data,
				 GError **err);
/* Which of from..to are there, by rising numbers, asked for when nothing is
 * under way: public-inbox answers at once, even where articles that were asked
 * for before are still to come. Where g->views is NNTP_NO_OVER afterwards the
 * server does not know any. */
gboolean nntp_view(struct nntp_group *g, guint64 from, guint64 to,
		   nntp_view_fn fn, void *data, GError **err);

/* The first number that may be of an article dated g->since or later. */
gboolean nntp_since(struct nntp_group *g, guint64 *first, GError **err);

#endif
