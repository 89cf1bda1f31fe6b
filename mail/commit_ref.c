/* commit_ref.c - commits that a mail mentions
 * Finds words of hex digits and lets their surroundings decide. Must not look
 * anything up: whether a commit exists is for a repository to say. */
#include "mail/commit_ref.h"

#include <string.h>

#include "mail/commit_ref_priv.h"
#include "mail/header.h"

#define MAX_HEX	   64 /* digits of a SHA-256 */
#define SHA1_HEX   40
#define CERTAIN	   12 /* so many digits or so many letters are no word */
#define MAX_PLURAL 16 /* bytes between the ids of "commits a, b and c" */

void commit_ref_free(struct commit_ref *c)
{
	if (!c)
		return;
	g_free(c->id);
	g_free(c->subject);
	g_free(c);
}

const char *commit_role_name(enum commit_role role)
{
	static const char *const names[] = {
		[COMMIT_CULPRIT] = "culprit",
		[COMMIT_BASE] = "base",
		[COMMIT_FIXES] = "fixes",
		[COMMIT_PARENT] = "parent",
		[COMMIT_FIX] = "fix",
		[COMMIT_TESTED] = "tested",
		[COMMIT_REVERTED] = "reverted",
		[COMMIT_MENTIONED] = "mentioned",
	};

	return names[role];
}

struct finder {
	const body *body;
	GPtrArray *refs;
	GHashTable *seen;
	gboolean has_culprit;  /* only the first "commit:" is a robot's */
	guint headline_before; /* lines searched for the headline */
	gboolean headline;
	/* the last id of a list "commits a, b", where it may go on */
	const char *list_end;
	enum commit_role list_role;
};

/* The next word of COMMIT_REF_MIN_HEX hex digits or more in [p, end). */
static gboolean next_word(const char *p, const char *end, struct hex_word *word)
{
	const char *from, *to;

	/* A word that long covers every seventh byte. */
	for (;; p = to) {
		p += COMMIT_REF_MIN_HEX - 1;
		while (p < end && !g_ascii_isxdigit(*p))
			p += COMMIT_REF_MIN_HEX;
		if (p >= end)
			return FALSE;
		from = p - (COMMIT_REF_MIN_HEX - 1);
		for (to = p; to > from && g_ascii_isxdigit(to[-1]); to--)
			;
		from = to;
		for (to = p; to < end && g_ascii_isxdigit(*to); to++)
			;
		if (to - from >= COMMIT_REF_MIN_HEX)
			break;
	}
	word->from = from;
	word->to = to;
	return TRUE;
}

static void look_at_digits(struct hex_word *w)
{
	gboolean digit = FALSE, lower = FALSE, upper = FALSE;

	for (const char *p = w->from; p < w->to; p++) {
		digit |= g_ascii_isdigit(*p);
		lower |= *p >= 'a';
		upper |= *p >= 'A' && *p <= 'F';
	}
	w->mixed = digit && lower != upper;
	w->upper = upper;
}

/* A robot has said "noticed a regression" somewhere above. */
static gboolean has_headline(struct finder *f, guint line)
{
	for (; f->headline_before < line; f->headline_before++) {
		const struct body_line *l =
			body_line(f->body, f->headline_before);

		if (l->depth == 0 &&
		    (memmem(l->text, l->len, "robot noticed", 13) ||
		     memmem(l->text, l->len, "we noticed", 10) ||
		     memmem(l->text, l->len, "We noticed", 10)))
			f->headline = TRUE;
	}
	return f->headline;
}

static const char *skip_any(const char *p, const char *end, const char *set)
{
	while (p < end && strchr(set, *p))
		p++;
	return p;
}

/* The title behind an id, without (""): the rest of the line where it has to
 * be one, and what robots number: "[2/3] title". */
static char *plain_title(const struct hex_word *w,
			 const struct hex_context *ctx)
{
	const char *p = skip_any(w->to, w->end, "] \t");
	gboolean numbered = p < w->end && *p == '[';
	g_autofree char *rest = NULL;
	char *text;

	if (!ctx->rest_is_subject && !(ctx->robot && numbered))
		return NULL;
	if (numbered) {
		p = memchr(p, ']', w->end - p);
		if (!p)
			return NULL;
		p = skip_any(p + 1, w->end, " \t");
	}
	rest = g_utf8_make_valid(p, w->end - p);
	text = header_decode(rest);
	if (!*text)
		g_clear_pointer(&text, g_free);
	return text;
}

static void add_ref(struct finder *f, const struct hex_word *w,
		    enum commit_role role, char *subject)
{
	g_autofree char *id = g_ascii_strdown(w->from, w->to - w->from);
	g_autofree char *key = g_strdup_printf("%d %s", role, id);
	struct commit_ref *c;

	if (!f->seen)
		f->seen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free,
						NULL);
	c = g_hash_table_lookup(f->seen, key);
	if (c) {
		if (c->subject)
			g_free(subject);
		else
			c->subject = subject;
		return;
	}
	c = g_new(struct commit_ref, 1);
	c->id = g_steal_pointer(&id);
	c->subject = subject;
	c->role = role;
	c->line = w->line + 1;
	g_ptr_array_add(f->refs, c);
	g_hash_table_insert(f->seen, g_steal_pointer(&key), c);
}

/* The word goes on the list that the last one stands in. */
static gboolean continues_list(const struct finder *f, const struct hex_word *w)
{
	const char *p = f->list_end;

	if (!p || p < w->begin || p > w->from || w->from - p > MAX_PLURAL)
		return FALSE;
	while (p < w->from) {
		if (strchr(" \t,&\"'`", *p))
			p++;
		else if (w->from - p > 3 && memcmp(p, "and ", 4) == 0)
			p += 4;
		else
			return FALSE;
	}
	return TRUE;
}

static gboolean is_commit(const struct hex_word *w,
			  const struct hex_context *ctx, gboolean titled)
{
	gsize len = w->to - w->from;

	if (ctx->refused || len > MAX_HEX)
		return FALSE;
	if (ctx->named || titled)
		return w->mixed || (len >= CERTAIN && !w->upper);
	return len == SHA1_HEX && w->mixed && !w->upper;
}

static void take_word(struct finder *f, struct hex_word *w)
{
	struct hex_context ctx;
	const char *behind;
	g_autofree char *title = NULL;

	look_at_digits(w);
	commit_context(w, &ctx);
	if (!ctx.refused && continues_list(f, w)) {
		ctx.named = ctx.plural = TRUE;
		ctx.role = f->list_role;
	}
	if (!ctx.refused)
		title = commit_title(w, &behind);
	if (!is_commit(w, &ctx, title != NULL))
		return;
	if (!title)
		title = plain_title(w, &ctx);
	if (ctx.robot && !f->has_culprit && w->to - w->from == SHA1_HEX &&
	    has_headline(f, w->line)) {
		ctx.role = COMMIT_CULPRIT;
		f->has_culprit = TRUE;
	}
	f->list_end = ctx.plural ? behind : NULL;
	f->list_role = ctx.role;
	add_ref(f, w, ctx.role, g_steal_pointer(&title));
}

/* git format-patch and b4 write it behind diffs and signatures. */
static gboolean is_base_commit(const struct body_line *l)
{
	return l->depth == 0 && l->len > 13 &&
	       memcmp(l->text, "base-commit: ", 13) == 0;
}

static void free_element(gpointer data)
{
	commit_ref_free(data);
}

GPtrArray *commit_refs_find(const body *b)
{
	struct finder f = {
		.body = b,
		.refs = g_ptr_array_new_with_free_func(free_element),
	};
	guint n = body_count(b);

	for (guint i = 0; i < n && f.refs->len < COMMIT_REF_MAX; i++) {
		const struct body_line *l = body_line(b, i);
		struct hex_word w = {.body = b, .line = i};

		if (l->len < COMMIT_REF_MIN_HEX ||
		    (!body_line_is_own(l) && !is_base_commit(l)))
			continue;
		w.begin = l->text + l->skip;
		w.end = l->text + l->len;
		w.to = w.begin;
		while (f.refs->len < COMMIT_REF_MAX &&
		       next_word(w.to, w.end, &w))
			take_word(&f, &w);
	}
	g_clear_pointer(&f.seen, g_hash_table_unref);
	return f.refs;
}
