/* applied_place.c - where a patch went: names of trees and branches
 * As people write them; what a name stands for is known to the configuration
 * alone. */
#include <string.h>

#include "mail/applied_priv.h"

#define PLACE_WORDS 14 /* after the preposition */

/* "5.4", "v6.12-rc3", "5.10.y", "6.1-stable", "5.4/scsi-queue". */
gboolean notice_is_version(const char *low)
{
	const char *p = low + (*low == 'v');
	gsize n = strspn(p, "0123456789");

	if (!n || n > 2 || p[n] != '.')
		return !strncmp(low, "rc", 2) &&
		       strspn(low + 2, "0123456789") == strlen(low + 2);
	p += n + 1;
	n = strspn(p, "0123456789x");
	if (!n || n > 3)
		return FALSE;
	p += n;
	if (*p == '.' && (g_ascii_isdigit(p[1]) || p[1] == 'y' || p[1] == 'x'))
		p += 1 + strspn(p + 1, "0123456789yx");
	return !*p || (strchr("-/+'", *p) && !strchr(p, ':'));
}

/* "5.10.17": a release that somebody runs. */
static gboolean is_release(const char *low)
{
	const char *p = low + (*low == 'v');

	p += strspn(p, "0123456789");
	p += *p == '.';
	p += strspn(p, "0123456789");
	return (*p == '.' && g_ascii_isdigit(p[1])) || strstr(p, "-rc") != NULL;
}

static gboolean has_suffix_of(const char *low, const char *const *list)
{
	for (; *list; list++)
		if (g_str_has_suffix(low, *list))
			return TRUE;
	return FALSE;
}

static gboolean has_prefix_of(const char *low, const char *const *list)
{
	for (; *list; list++)
		if (g_str_has_prefix(low, *list))
			return TRUE;
	return FALSE;
}

gboolean notice_is_tree(const char *low)
{
	static const char *const names[] = {
		"next",	    "devel",	"staging",     "master",   "main",
		"mainline", "upstream", "stable",      "trunk",	   "linus",
		"linus'",   "linus's",	"net",	       "bpf",	   "tip",
		"dev",	    "rc",	"fixes",       "-next",	   "-fixes",
		"-mm",	    "urgent",	"development", "xfstests", "fstests",
		"dev-test", "-stable",	"testing",     "-tip",	   "queue",
		"topic"};
	static const char *const endings[] = {
		"-next",  "/next",	 "-fixes",  "/fixes",	"-devel",
		".git",	  "-queue",	 "/master", "-tree",	"-current",
		"-linus", "-for-linus",	 "-stable", "-staging", "-testing",
		"-misc",  "/for-next",	 "-urgent", "/devel",	"-mm",
		"/main",  "-fixes-next", "-dev",    NULL};
	static const char *const beginnings[] = {
		"for-",	  "fixes-",   "next-",	   "linux-", "drm-",
		"misc-",  "msic-",    "vfs.",	   "net-",   "bpf-",
		"topic/", "dev-",     "x86/",	   "sched/", "drivers-",
		"mm-",	  "staging-", "wireless-", "fixes/", "for/",
		"devel-", NULL};

	for (gsize i = 0; i < G_N_ELEMENTS(names); i++)
		if (!strcmp(low, names[i]))
			return TRUE;
	if (strchr(low, '(') || strstr(low, ".c") || strstr(low, ".h"))
		return strstr(low, "://") != NULL;
	return has_suffix_of(low, endings) || has_prefix_of(low, beginnings) ||
	       strstr(low, ".git#") || strstr(low, "-next-") ||
	       g_str_has_prefix(low, "git://") ||
	       (strstr(low, "://") && strstr(low, "git"));
}

/* Words of every language of trees that mean other things too: "the next
 * version", "for testing". */
static gboolean is_plain_word(const char *low)
{
	static const char *const words[] = {"next",    "main",	  "master",
					    "staging", "testing", "stable",
					    "topic",   "fixes",	  "queue",
					    "dev",     "net",	  "upstream",
					    "tip",     "urgent",  NULL};

	for (guint i = 0; words[i]; i++)
		if (!strcmp(low, words[i]))
			return TRUE;
	return FALSE;
}

/* Trees that hold no patches. */
static gboolean is_other_tree(const char *low)
{
	static const char *const words[] = {
		"checksum",  "csum",	 "extent",	"fs",	   "log",
		"root",	     "radix",	 "chunk",	"uuid",	   "quota",
		"device",    "b",	 "rb",		"source",  "dentry",
		"inode",     "reloc",	 "block",	"space",   "tree",
		"group",     "subvol",	 "xarray",	"wait",	   "work",
		"run",	     "io",	 "rx",		"tx",	   "free",
		"subvolume", "interval", "device-tree", "data",	   "metadata",
		"request",   "event",	 "send",	"receive", "software",
		NULL};

	for (guint i = 0; words[i]; i++)
		if (!strcmp(low, words[i]))
			return TRUE;
	return FALSE;
}

static gboolean is_tree_name(const char *low)
{
	static const char *const names[] = {"linux-next", "net",
					    "net-next",	  "bpf",
					    "bpf-next",	  "tip",
					    "mainline",	  "upstream",
					    "linus",	  "stable",
					    "-mm",	  NULL};

	for (guint i = 0; names[i]; i++)
		if (!strcmp(low, names[i]))
			return TRUE;
	return strstr(low, ".git") || strstr(low, "://") ||
	       g_str_has_prefix(low, "linus'");
}

static char *name_of(const struct notice_token *t)
{
	gsize n = t->len;

	if (n > 2 && !memcmp(t->raw + n - 2, "'s", 2))
		n -= 2;
	else if (n > 1 && t->raw[n - 1] == '\'')
		n--;
	return g_strndup(t->raw, n);
}

static void take(char **slot, char *value)
{
	if (*slot)
		g_free(value);
	else
		*slot = value;
}

static gboolean is_end(const struct notice_token *t)
{
	return !t || t->before || (t->flags & IS_THANKS);
}

/* One name alone: "repo.git#branch" is both. */
static void take_name(struct notice_place *p, const struct notice_token *t,
		      gboolean is_tree)
{
	const char *hash = memchr(t->raw, '#', t->len);

	if (hash && hash > t->raw) {
		take(&p->tree, g_strndup(t->raw, (gsize)(hash - t->raw)));
		take(&p->branch,
		     g_strndup(hash + 1, (gsize)(t->raw + t->len - hash - 1)));
		return;
	}
	take(is_tree ? &p->tree : &p->branch, name_of(t));
}

static const struct notice_token *at(const struct notice_sentence *s, guint i)
{
	return i < s->n ? &s->word[i] : NULL;
}

static gboolean is_word(const struct notice_token *t, const char *word)
{
	return t && !strcmp(t->low, word);
}

static gboolean is_place(const struct notice_token *t)
{
	return t && (t->flags & IS_PLACE);
}

static gboolean is_queue(const struct notice_token *t)
{
	return is_place(t) && *t->low != 't' && *t->low != 'b';
}

static gboolean is_noun_tree(const struct notice_token *t)
{
	return is_place(t) && *t->low != 'b';
}

/* "misc-next", "the devel queue", "Linus' tree", "branch X": one of them,
 * from word `i`; the word behind it, or `i` if it is none. */
static guint read_name(struct notice_place *p, const struct notice_sentence *s,
		       guint i)
{
	const struct notice_token *t = at(s, i), *next = at(s, i + 1);
	gboolean version;

	if (!t || (i && t->before > BREAK_PAREN))
		return i;
	if (next && next->before)
		next = NULL;
	if (is_word(next, "git") && is_place(at(s, i + 2)))
		next = at(s, ++i + 1); /* "the ext4 git tree" */
	if (is_place(t)) {	       /* "my tree", "branch 'x'" */
		p->named = TRUE;
		if (next && !is_queue(t) && !next->flags &&
		    strpbrk(next->low, "-/.")) {
			take_name(p, next, is_noun_tree(t));
			return i + 2;
		}
		return i + 1;
	}
	if (t->raw[-1] == '"' ||
	    (is_word(next, "tree") && is_other_tree(t->low)) ||
	    (is_plain_word(t->low) && next && !notice_is_version(next->low) &&
	     !(next->flags & (IS_PLACE | IS_THANKS | IS_TO | IS_TAIL | IS_JOIN |
			      IS_ADVERB))) ||
	    (!strcmp(t->low, "testing") &&
	     (!i || !strcmp(s->word[i - 1].low, "for"))))
		return i;
	if (!t->flags && next && !is_place(next) &&
	    !notice_is_version(t->low) && is_plain_word(next->low) &&
	    !notice_is_tree(t->low) && is_end(at(s, i + 2))) {
		take_name(p, t, TRUE); /* "powerpc fixes" */
		take_name(p, next, FALSE);
		p->named = TRUE;
		return i + 2;
	}
	version = notice_is_version(t->low);
	if (!is_place(next) && !version && !notice_is_tree(t->low))
		return i;
	p->named |= !version || is_place(next) || !is_release(t->low);
	p->version |= version;
	if (is_queue(next) && version)
		take(&p->tree, g_strndup(t->raw, (gsize)(next->raw + next->len -
							 t->raw)));
	else if (!version || strchr(t->low, '/') || is_place(next))
		take_name(p, t,
			  is_place(next) ? is_noun_tree(next) && !is_queue(next)
					 : is_tree_name(t->low));
	return i + 1 + (is_place(next) ? 1 : 0);
}

static gboolean is_article(const struct notice_token *t)
{
	static const char *const words[] = {
		"a",	     "temporary", "topic",    "separate",    "public",
		"current",   "local",	  "git",      "development", "patch",
		"upcoming",  "github",	  "own",      "various",     "all",
		"following", "same",	  "new",      "another",     "original",
		"pushed",    "test",	  "internal", "respective",  "this",
		"that",	     NULL};

	if (t->flags & IS_THE)
		return TRUE;
	for (guint i = 0; words[i]; i++)
		if (!strcmp(t->low, words[i]))
			return TRUE;
	return FALSE;
}

static guint skip_articles(const struct notice_sentence *s, guint i)
{
	for (guint k = 0; k < 4 && i < s->n && is_article(&s->word[i]); k++) {
		const struct notice_token *next = at(s, i + 1);

		/* "net": a name, unless something follows */
		if (s->word[i].flags & IS_PLACE ||
		    (notice_is_tree(s->word[i].low) &&
		     !(next && !next->before && !(next->flags & IS_TO))))
			break;
		i++;
	}
	return i;
}

/* "of the vfs/vfs.git tree", "in Y", "(branch)", "#branch". */
static guint read_more(struct notice_place *p, const struct notice_sentence *s,
		       guint i)
{
	const struct notice_token *t = at(s, i);
	guint from, end;

	if (!t)
		return i;
	if (t->before == BREAK_PAREN && !t->flags && notice_is_tree(t->low) &&
	    !p->tree != !p->branch) {
		if (!p->tree) /* "drm-misc (drm-misc-next)" */
			p->tree = g_steal_pointer(&p->branch);
		take(&p->branch, name_of(t));
		return i + 1;
	}
	if (t->before == BREAK_COMMA && is_word(t, "branch") && at(s, i + 1) &&
	    !at(s, i + 1)->flags && !at(s, i + 1)->before) {
		take(&p->branch, name_of(at(s, i + 1)));
		return i + 2;
	}
	if (t->before)
		return i;
	if (is_word(t, "of") || is_word(t, "in") || is_word(t, "and") ||
	    is_word(t, "on") || is_word(t, "to")) {
		from = skip_articles(s, i + 1);
		end = read_name(p, s, from);
		return end > from ? end : i;
	}
	return read_name(p, s, i);
}

gboolean notice_place_read(struct notice_place *p,
			   const struct notice_sentence *s, guint i)
{
	guint from = skip_articles(s, i + 1),
	      limit = MIN(s->n, i + PLACE_WORDS);
	guint end = read_name(p, s, from);

	if (end == from)
		return FALSE;
	while (end < limit) {
		guint next = read_more(p, s, end);

		if (next == end)
			break;
		end = next;
	}
	p->end = end;
	return TRUE;
}

void notice_place_clear(struct notice_place *p)
{
	g_clear_pointer(&p->tree, g_free);
	g_clear_pointer(&p->branch, g_free);
}
