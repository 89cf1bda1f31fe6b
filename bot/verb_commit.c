/* verb_commit.c - what is known of one commit */
#include <string.h>

#include "bot/commit_facts.h"
#include "bot/plain_text.h"
#include "bot/verbs.h"
#include "bot/view.h"

static gboolean as_json;

static const GOptionEntry options[] = {
	{"json", 0, 0, G_OPTION_ARG_NONE, &as_json, "as one JSON object", NULL},
	{NULL},
};

static gboolean is_id(const char *text)
{
	gsize len = strspn(text, "0123456789abcdefABCDEF");

	return len >= COMMITS_MIN_PREFIX && len <= 2 * COMMIT_OID_LEN &&
	       !text[len];
}

static char *render(const struct commit_facts *f)
{
	return as_json ? view_line_take(view_commit(f))
		       : plain_text(commit_text(f));
}

static int print(struct session *s, store *st, struct commit *c)
{
	g_autoptr(GError) err = NULL;
	g_autoptr(commit_facts_auto) f =
		commit_facts_load(st, c, s->argv[0], &err);
	g_autofree char *text = NULL;

	if (!f)
		return cli_fail(s->db_path, err);
	if (!f->commit && !f->items->len && !f->mentions->len) {
		cli_error("%s: no such commit is known", s->argv[0]);
		return EXIT_NONE;
	}
	text = render(f);
	return cli_write(text, -1) ? EXIT_DONE : EXIT_UNREAD;
}

static int run(struct session *s)
{
	g_autoptr(GError) err = NULL;
	g_autoptr(store) st = NULL;
	struct commit *c;
	gboolean many;
	int rc;

	if (!is_id(s->argv[0])) {
		cli_error("commit: %s: must be the id of a commit, %d hex "
			  "digits or more",
			  s->argv[0], COMMITS_MIN_PREFIX);
		return EXIT_USAGE;
	}
	st = cli_store(s, STORE_READ, &rc);
	if (!st)
		return rc;
	c = commit_find(st, s->argv[0], NULL, &many, &err);
	if (!c && err)
		return cli_fail(NULL, err);
	if (!c && many) {
		cli_error("%s: more than one commit begins so; give more "
			  "digits",
			  s->argv[0]);
		return EXIT_USAGE;
	}
	return print(s, st, c);
}

const struct verb verb_commit = {
	.name = "commit",
	.synopsis = "[--json] SHA",
	.help = "tell what is known of a commit",
	.details = "Tells whether the commit is known to have broken "
		   "something, what it repairs, which trees have it since "
		   "when, under which id, and in which tag first, the patch "
		   "mails that it was, the commits that fix, revert or "
		   "backport it, and the mails that name it. SHA is its id or "
		   "the first 7 digits or more.",
	.options = options,
	.min_args = 1,
	.max_args = 1,
	.run = run,
};
