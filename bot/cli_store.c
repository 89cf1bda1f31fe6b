/* cli_store.c - the database of a session, opened as its settings want it */
#include <errno.h>

#include "db/health.h"
#include "db/items.h"
#include "db/roles.h"

#include "bot/cli_priv.h"
#include "bot/source.h"

static void *git_cache; /* of the stores that cli_store() opened */

/* Folders are made only for a database that is to be written. */
static gboolean make_folder(const char *path)
{
	g_autofree char *folder = g_path_get_dirname(path);

	if (g_mkdir_with_parents(folder, 0700) == 0)
		return TRUE;
	cli_error("%s: cannot make the folder: %s", folder, g_strerror(errno));
	return FALSE;
}

static store *no_store(struct session *s, int *rc)
{
	cli_error("%s: no database yet; culprit import makes one", s->db_path);
	*rc = EXIT_NONE;
	return NULL;
}

store *cli_store_present(struct session *s, int *rc)
{
	if (!g_file_test(s->db_path, G_FILE_TEST_EXISTS))
		return no_store(s, rc);
	return cli_store(s, STORE_WRITE, rc);
}

/* Answers are given all the same: better some than none. */
static void warn_of_rebuild(const struct session *s, store *st)
{
	gboolean pending = FALSE;

	if (health_rebuild(st, &pending, NULL) && pending)
		cli_error("%s: a rebuild has not ended, so mail is missing; "
			  "culprit rebuild ends it",
			  s->db_path);
}

/* What the settings want tracked. */
static guint track_mask(const struct session *s)
{
	static const struct {
		const char *name;
		guint bits;
	} kinds[] = {
		{"performance", 1u << REPORT_PERFORMANCE},
		{"functional", 1u << REPORT_FUNCTIONAL},
		{"build", 1u << REPORT_BUILD},
		{"boot", 1u << REPORT_BOOT},
		{"regzbot", ITEMS_BY_REGZBOT},
		{"human", ITEMS_BY_CULPRIT},
	};
	g_auto(GStrv) words = config_get_list(s->config, "track", NULL, "what");
	guint mask = ITEMS_NONE;

	for (guint n = 0; n < G_N_ELEMENTS(kinds); n++)
		if (g_strv_contains((const char *const *)words, kinds[n].name))
			mask |= kinds[n].bits;
	return mask;
}

/* Who may decide, as the settings say. */
static void tell_roles(const struct session *s, store *st)
{
	g_auto(GStrv) operators =
		config_get_list(s->config, "bot", NULL, "operators");
	g_auto(GStrv) lists = config_names(s->config, "list");

	for (guint n = 0; operators[n]; n++)
		roles_add_operator(st, operators[n]);
	for (guint n = 0; lists[n]; n++) {
		g_auto(GStrv) people = config_get_list(s->config, "list",
						       lists[n], "maintainers");
		const char *address =
			config_get(s->config, "list", lists[n], "address");

		for (guint k = 0; people[k]; k++) {
			roles_add_maintainer(st, lists[n], people[k]);
			if (address)
				roles_add_maintainer(st, address, people[k]);
		}
	}
}

/* A bot that takes commands has to know whose they are. */
static void tell_trust(const struct session *s, store *st)
{
	g_auto(GStrv) authserv =
		config_get_list(s->config, "bot", NULL, "authserv");
	g_auto(GStrv) sealers =
		config_get_list(s->config, "bot", NULL, "sealers");
	const struct evidence_trust trust = {
		.authserv = (const char *const *)authserv,
		.sealers = (const char *const *)sealers,
		.host = config_get(s->config, "bot", NULL, "host")};

	if (config_get(s->config, "bot", NULL, "address"))
		roles_set_trust(st, &trust);
}

void cli_store_date(const struct session *s, store *st)
{
	items_configure(st, track_mask(s), cli_now());
}

store *cli_store_open(const struct session *s, enum store_mode mode, void *git,
		      GError **err)
{
	store *st = store_open(s->db_path, mode, err);

	if (!st)
		return NULL;
	/* Spool and index of the settings belong to the database named there,
	 * not to another one. */
	if (!cli_globals.db)
		store_set_paths(st,
				config_get(s->config, "store", NULL, "spool"),
				config_get(s->config, "store", NULL, "fts"));
	archive_set_fetch(st, source_git_fetch, git);
	tell_roles(s, st);
	tell_trust(s, st);
	cli_store_date(s, st);
	return st;
}

store *cli_store(struct session *s, enum store_mode mode, int *rc)
{
	g_autoptr(GError) err = NULL;
	store *st;

	*rc = EXIT_UNREAD;
	if (mode == STORE_WRITE) {
		if (!make_folder(s->db_path))
			return NULL;
		cli_catch_signals();
	}
	if (!git_cache)
		git_cache = source_git_cache_new();
	st = cli_store_open(s, mode, git_cache, &err);
	if (!st && err) {
		*rc = cli_fail(NULL, err);
		return NULL;
	}
	if (!st)
		return no_store(s, rc);
	if (mode == STORE_READ)
		warn_of_rebuild(s, st);
	*rc = EXIT_DONE;
	return st;
}

void cli_store_end(void)
{
	g_clear_pointer(&git_cache, source_git_cache_free);
}

store *cli_store_scratch(struct session *s, int *rc)
{
	g_autoptr(GError) err = NULL;
	store *st;

	if (g_file_test(s->db_path, G_FILE_TEST_EXISTS))
		return cli_store(s, STORE_WRITE, rc);
	st = store_open(":memory:", STORE_WRITE, &err);
	*rc = st ? EXIT_DONE : cli_fail(NULL, err);
	if (!st)
		return NULL;
	tell_roles(s, st);
	tell_trust(s, st);
	cli_store_date(s, st);
	return st;
}
