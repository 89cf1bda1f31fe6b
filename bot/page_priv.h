/* page_priv.h - values to template trees: shared by the page*.c files
 * Strings of trees are text as it is; escaping is the templates' part. */
#ifndef BOT_PAGE_PRIV_H
#define BOT_PAGE_PRIV_H

#include <glib.h>
#include <jansson.h>

#include "mail/reading.h"

#include "db/items.h"
#include "db/store.h"
#include "db/thread.h"

#include "templates/render.h"

#include "bot/page_file.h"

#define PAGE_ROWS	  200  /* items on one page of a list */
#define PAGE_MAILS	  300  /* mails shown in full on a thread's page */
#define PAGE_TREE	  1000 /* lines of a thread's overview */
#define PAGE_SAID	  20   /* answers quoted on an item's page */
#define PAGE_SAID_LINES	  14   /* of each */
#define PAGE_REPORT_LINES 40
#define PAGE_MAIL_LINES	  1500 /* of one mail on a thread's page */
#define PAGE_OPEN_LINES	  60   /* of one run of lines; more is folded */
#define PAGE_MAX_PROBLEMS 1000
#define PAGE_MAX_RELATED  10
#define PAGE_ITEM_TREE	  200 /* lines of the overview on an item's page */
#define PAGE_ITEM_FIXES	  50  /* rows; all are in its data.json */
#define PAGE_ITEM_EVENTS  200

/* A run of writing the site. */
struct site {
	store *st;
	template_set *set;
	page_dir *dir;
	const char *title;
	const char *base_url; /* or NULL */
	char *style_hash;     /* base64 of SHA-256 of the style sheet */
	GPtrArray *items;     /* of struct item, newest activity first */
	GHashTable *related;  /* of page_related.c */
};

/* ---- page_tree.c: small makers; each gives a new reference */
void tree_set(json_t *o, const char *key, json_t *value);
json_t *tree_text(const char *text);	  /* null for NULL and "" */
json_t *tree_time(gint64 utc);		  /* {iso, day}; null for 0 */
char *page_lore(const char *mid);	  /* URL of the mail in the archive */
char *page_anchor(const char *mid);	  /* of the mail on its thread's page */
char *page_thread_path(const char *root); /* "t/ab/0123.../index.html" */
const char *page_name(const char *name, const char *address);

/* What every page needs. `depth`: folders above it. */
json_t *page_new(const struct site *s, const char *title, guint depth);
/* Render and write; takes the tree. */
gboolean page_write(const struct site *s, const char *template,
		    const char *path, json_t *tree, GError **err);

/* ---- page_row.c: an item as one line of a list */
const char *item_tone(const struct item *i);	      /* class of its badge */
const char *item_state_text(const struct item *i);    /* "fix posted" */
const char *item_kind(const struct item *i);	      /* "Regression" */
void item_set_names(json_t *o, const struct item *i); /* headline, where... */
json_t *item_row(const struct item *i);
/* {title, caption, items} of at most `max` rows. */
json_t *item_table(const char *title, const char *caption, GPtrArray *items,
		   guint max);

/* ---- page_list.c: index, open/, all/ */
gboolean page_write_lists(const struct site *s, GError **err);

/* ---- page_item.c */
gboolean page_write_item(const struct site *s, const struct item *i,
			 const struct thread *t, GError **err);

/* ---- page_related.c: items of the same commit, thread or test */
GHashTable *page_related_new(GPtrArray *items);
/* The first PAGE_MAX_RELATED of them, in the order of the site's. */
GPtrArray *page_related(const struct site *s, const struct item *i);

/* ---- page_overview.c: the lines of _tree.html, at most `max`, those around
 * `here` (may be NULL), which stands out. Links lead to `page`. */
json_t *page_overview(const struct thread *t, const char *page,
		      const char *here, guint max);

/* ---- page_body.c: the text of a mail */
/* [{runs, class, fold, wide, label}]; *cut: lines left out at the end. */
json_t *page_parts(const body *b, guint *cut);
/* The sender's own words, at most `lines` lines; *cut: there is more. */
char *page_words(const body *b, guint lines, gboolean *cut);
/* [{class, href, text}]: the text, its URLs apart. */
json_t *page_spans(const char *text);
/* Has it lines that should not be wrapped? */
gboolean page_is_wide(const char *text);
/* The beginning of the text as it is. */
char *page_begin(const body *b, guint lines, gboolean *cut);
/* NULL with err unset: a ghost, or bytes that can't be had any more. */
struct reading *page_reading(const struct site *s, const char *mid,
			     GError **err);

/* ---- page_thread.c */
gboolean page_write_thread(const struct site *s, const struct thread *t,
			   GPtrArray *items, GError **err);

/* ---- page_about.c: about.html and problems.html */
gboolean page_write_about(const struct site *s, GError **err);

/* ---- page_measures.c: parts of an item's page */
#define PAGE_MAX_RERUNS 50
#define PAGE_MAX_TABLES 10
void page_set_reruns(const struct item *i, json_t *o);
void page_set_history(const struct item *i, json_t *o);
void page_set_tables(GPtrArray *tables, json_t *o);

#endif
