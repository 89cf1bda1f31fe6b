/* commit_context.c - what the words around a hex word say about it
 * A false mention is worse than a missing one: what is not known to name a
 * commit does not. */
#include <string.h>

#include "mail/chars_priv.h"
#include "mail/command_priv.h"
#include "mail/commit_ref_priv.h"

#define MAX_TOKEN 512 /* bytes looked at before and behind a word */
#define MAX_KEY	  32

/* TRUE if neighbours of the word make it one on its own. */
static gboolean word_stands(const struct hex_word *w)
{
	char before = w->from > w->begin ? w->from[-1] : ' ';
	char behind = w->to < w->end ? w->to[0] : ' ';
	char after = w->to + 1 < w->end ? w->to[1] : ' ';

	if (!is_blank(before) && !strchr("(\"'`[<:{", before) &&
	    (guchar)before < 0x80)
		return FALSE;
	if (behind == '.' || behind == ':')
		return !g_ascii_isalnum(after) && after != '.' && after != '/';
	return is_blank(behind) || strchr("()\"'`]>},;!?", behind) ||
	       (guchar)behind >= 0x80;
}

/* A piece of text: what stands before a word. */
struct span {
	const char *from, *to;
};

/* Without blanks and opening marks (curly quotes too) at its end. */
static void trim_marks(struct span *s)
{
	while (s->to > s->from) {
		char c = s->to[-1];

		if (is_blank(c) || strchr("(\"'`[<{", c))
			s->to--;
		else if (s->to - s->from >= 3 && (guchar)s->to[-3] == 0xe2 &&
			 (guchar)s->to[-2] == 0x80 &&
			 ((guchar)c == 0x9c || (guchar)c == 0x98))
			s->to -= 3;
		else
			break;
	}
}

/* TRUE, and the words cut off, if `s` ends in `words` (any case, blanks in
 * it single) at the beginning of a word. */
static gboolean cut_words(struct span *s, const char *words)
{
	gsize len = strlen(words);

	if ((gsize)(s->to - s->from) < len ||
	    g_ascii_strncasecmp(s->to - len, words, len) != 0)
		return FALSE;
	if ((gsize)(s->to - s->from) > len &&
	    g_ascii_isalnum(s->to[-(gssize)len - 1]))
		return FALSE;
	s->to -= len;
	while (s->to > s->from && is_blank(s->to[-1]))
		s->to--;
	return TRUE;
}

static gboolean cut_any(struct span *s, const char *const *words)
{
	for (; *words; words++)
		if (cut_words(s, *words))
			return TRUE;
	return FALSE;
}

static const struct {
	const char *key;
	enum commit_role role;
} keys[] = {
	{"fixes", COMMIT_FIXES},
	{"base-commit", COMMIT_BASE},
	{"base", COMMIT_BASE},
	{"reverts", COMMIT_REVERTED},
	{"commit", COMMIT_MENTIONED},
	{"head commit", COMMIT_TESTED},
	{"# first bad commit", COMMIT_CULPRIT},
};

/* Lines of robots: "base: GITURL HASH", ":::::: HASH title" */
static gboolean by_robot(const struct span *before, struct hex_context *ctx)
{
	gsize len = before->to - before->from;

	if (len == 6 && memcmp(before->from, "::::::", 6) == 0)
		ctx->rest_is_subject = ctx->named = TRUE;
	else if (len > 5 && memcmp(before->from, "base:", 5) == 0 &&
		 memmem(before->from, MIN(len, MAX_TOKEN), "://", 3)) {
		ctx->role = COMMIT_BASE;
		ctx->named = TRUE;
	}
	return ctx->named;
}

/* "#regzbot ^introduced: HASH": nothing but the command stands before it. */
static gboolean by_command(const struct span *before, struct hex_context *ctx)
{
	gsize len = before->to - before->from;
	g_autofree char *text = NULL;
	struct command_head h;

	if (!len || *before->from != '#' || len > MAX_TOKEN)
		return FALSE;
	text = g_strndup(before->from, len);
	if (!command_head_read(text, &h) || !h.verb || *h.args)
		return FALSE;
	if (g_str_equal(h.verb->name, "introduced"))
		ctx->role = COMMIT_CULPRIT;
	else if (g_str_equal(h.verb->name, "fix"))
		ctx->role = COMMIT_FIX;
	else
		return FALSE;
	ctx->named = TRUE;
	return TRUE;
}

/* "key:" in front of the word. */
static gboolean by_key(const struct span *before, struct hex_context *ctx)
{
	const char *p = before->from, *to = before->to;
	gsize len;

	if (to - p > MAX_TOKEN)
		return FALSE;
	while (p < to && is_blank(*p))
		p++;
	if (to == p || to[-1] != ':')
		return FALSE;
	len = --to - p;
	for (guint i = 0; len > 0 && len <= MAX_KEY && i < G_N_ELEMENTS(keys);
	     i++) {
		if (strlen(keys[i].key) != len ||
		    g_ascii_strncasecmp(keys[i].key, p, len) != 0)
			continue;
		ctx->named = TRUE;
		ctx->role = keys[i].role;
		ctx->robot = p == before->from && len == 6;
		ctx->rest_is_subject =
			ctx->role == COMMIT_TESTED || keys[i].key[1] == ' ';
		return TRUE;
	}
	return FALSE;
}

/* Digests and ids of other things. */
static gboolean is_other_id(struct span before)
{
	static const char compiler[] = "compiler:"; /* a commit of LLVM's */
	static const char *const words[] = {
		"tree",	   "blob",	"object", "patch-id", "patch id",
		"id",	   "ids",	"sha1",	  "sha1sum",  "sha256",
		"md5",	   "digest",	"key",	  "uuid",     "fingerprint",
		"buildid", "signature", NULL,
	};

	if (before.to - before.from > 9 &&
	    g_ascii_strncasecmp(before.from, compiler, 9) == 0)
		return TRUE;
	while (before.to > before.from &&
	       (before.to[-1] == ':' || before.to[-1] == '='))
		before.to--;
	return cut_any(&before, words);
}

static void by_words(struct span before, const struct hex_word *w,
		     gboolean wrapped, struct hex_context *ctx)
{
	static const char *const reverts[] = {"reverts", NULL};
	static const char *const upstream[] = {"[ upstream", "[upstream", NULL};
	static const char *const picked[] = {"cherry picked from",
					     "cherry-picked from",
					     "backported from", NULL};
	static const char *const fixed[] = {"fixed by", "fixed in",
					    "fixed with", "resolved by", NULL};
	static const char *const nots[] = {"not", "n't", "never", NULL};
	static const char *const commits[] = {"commit", "commit id",
					      "commit hash", NULL};

	ctx->plural = cut_words(&before, "commits");
	ctx->named = ctx->plural || cut_any(&before, commits);
	if (cut_any(&before, reverts)) {
		ctx->named = TRUE;
		ctx->role = COMMIT_REVERTED;
	} else if (ctx->named &&
		   (cut_any(&before, upstream) || cut_any(&before, picked))) {
		ctx->role = COMMIT_PARENT;
	} else if (cut_any(&before, fixed)) {
		/* of "fixed by abc" alone the title has to be there */
		if (!cut_any(&before, nots))
			ctx->role = COMMIT_FIX;
	} else if (ctx->named && !wrapped && before.to == before.from) {
		struct span after = {w->to, w->end};

		while (after.from < after.to && is_blank(*after.from))
			after.from++;
		if (after.to - after.from >= 8 &&
		    g_ascii_strncasecmp(after.from, "upstream", 8) == 0)
			ctx->role = COMMIT_PARENT;
	}
}

static gboolean ends_with(const char *from, const char *to, const char *what)
{
	gsize len = strlen(what);

	return (gsize)(to - from) >= len && memcmp(to - len, what, len) == 0;
}

/* A commit of a kernel.org tree: .../commit/?id=, /c/, /linus/. */
static gboolean is_commit_url(const char *url, const struct hex_word *w)
{
	static const char site[] = ".kernel.org/";
	const char *slash = memchr(url, '/', w->from - url);

	if (w->to < w->end && g_ascii_isalnum(*w->to))
		return FALSE;
	if (!slash || !ends_with(url, slash + 1, site))
		return FALSE;
	if (ends_with(slash, w->from, "/c/") ||
	    ends_with(slash, w->from, "/linus/") ||
	    ends_with(slash, w->from, "/commit/"))
		return TRUE;
	return ends_with(slash, w->from, "id=") &&
	       memmem(slash, w->from - slash, "/commit/", 8);
}

/* The blank-bounded token that holds the word. */
static struct span token_of(const struct hex_word *w)
{
	struct span t = {w->from, w->to};

	while (t.from > w->begin && w->from - t.from < MAX_TOKEN &&
	       !is_blank(t.from[-1]))
		t.from--;
	while (t.to < w->end && t.to - w->to < MAX_TOKEN && !is_blank(*t.to))
		t.to++;
	return t;
}

static gboolean line_says(const struct hex_word *w, const char *what)
{
	return memmem(w->to, MIN(w->end - w->to, MAX_TOKEN), what,
		      strlen(what)) != NULL;
}

/* The line before ends the sentence that the word goes on with. */
static gboolean line_above(const struct hex_word *w, struct span *above)
{
	const struct body_line *l;

	if (w->line == 0)
		return FALSE;
	l = body_line(w->body, w->line - 1);
	if (!body_line_is_own(l))
		return FALSE;
	above->from = l->text + l->skip;
	above->to = l->text + l->len;
	return TRUE;
}

void commit_context(const struct hex_word *w, struct hex_context *ctx)
{
	struct span token = token_of(w);
	struct span before = {w->begin, w->from};
	const char *scheme = memmem(token.from, w->from - token.from, "://", 3);
	gboolean wrapped;

	memset(ctx, 0, sizeof(*ctx));
	ctx->role = COMMIT_MENTIONED;
	if (scheme) {
		before.to = token.from;
		trim_marks(&before);
		if (!by_command(&before, ctx))
			by_key(&before, ctx);
		ctx->named = is_commit_url(scheme + 3, w);
		ctx->refused = !ctx->named;
		return;
	}
	ctx->refused = memchr(token.from, '@', token.to - token.from) ||
		       !word_stands(w) ||
		       line_says(w, "Mon Sep 17 00:00:00 2001");
	if (ctx->refused)
		return;
	if (line_says(w, "is the first bad commit")) {
		ctx->named = TRUE;
		ctx->role = COMMIT_CULPRIT;
		return;
	}
	trim_marks(&before);
	if (by_command(&before, ctx) || by_key(&before, ctx) ||
	    by_robot(&before, ctx))
		return;
	wrapped = before.to == before.from && line_above(w, &before);
	trim_marks(&before);
	by_words(before, w, wrapped, ctx);
	ctx->refused = !ctx->named && is_other_id(before);
}
