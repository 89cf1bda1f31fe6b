/* verb_dump.c - everything at once, for other programs */
#include "db/problems.h"

#include "bot/verbs.h"

static const struct {
	const char *name;
	gboolean (*dump)(store *st, GString *out, GError **err);
} kinds[] = {
	{"threads", dump_threads},
	{"series", dump_series},
	{"items", dump_items},
	{"links", dump_links},
};

static int run(struct session *s)
{
	g_autoptr(GError) err = NULL;
	g_autoptr(GString) out = g_string_new(NULL);
	g_autoptr(store) st = NULL;
	guint kind;
	int rc;

	for (kind = 0; kind < G_N_ELEMENTS(kinds); kind++)
		if (g_str_equal(kinds[kind].name, s->argv[0]))
			break;
	if (kind == G_N_ELEMENTS(kinds)) {
		cli_error("dump: %s: there are threads, series, items, links",
			  s->argv[0]);
		return EXIT_USAGE;
	}
	st = cli_store(s, STORE_READ, &rc);
	if (!st)
		return rc;
	if (!kinds[kind].dump(st, out, &err))
		return cli_fail(NULL, err);
	return cli_write(out->str, out->len) ? EXIT_DONE : EXIT_UNREAD;
}

const struct verb verb_dump = {
	.name = "dump",
	.synopsis = "threads|series|items|links",
	.help = "print everything of a kind, tab-separated",
	.details = "Prints all threads, series, items or links, one a line, "
		   "fields separated by tabs, sorted by bytes. For threads: "
		   "Message-ID, root of the thread, parent or -, and 1 for a "
		   "message that others refer to and that was not seen. "
		   "For series: Message-ID of the cover or first patch, "
		   "version (? behind it if it was inferred), patches "
		   "announced, 1 if all are there, cover, older version, newer "
		   "version, the series it is a copy of, the commit it is a "
		   "backport of, patches (= before one taken from the version "
		   "before). "
		   "For links: Message-ID, kind, and what it names: the role "
		   "of a link with the Message-ID in it (else its URL), "
		   "commit-ROLE with a commit id, or patch-id, change-id, "
		   "base-commit, backport-of of a patch.",
	.min_args = 1,
	.max_args = 1,
	.run = run,
};
