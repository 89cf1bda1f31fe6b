/* own_address.c - who asks on the command line
 * The settings of git are read here by their paths: everywhere else they are
 * switched off. */
#include "bot/own_address.h"

#include <git2.h>

#include "db/keepers.h"

/* NULL: there is no such file, or it does not tell. */
static char *email_in(const char *path)
{
	git_config *config = NULL;
	git_buf value = {0};
	char *email = NULL;

	if (git_config_open_ondisk(&config, path) == 0 &&
	    git_config_get_string_buf(&value, config, "user.email") == 0 &&
	    *value.ptr)
		email = g_strdup(value.ptr);
	git_buf_dispose(&value);
	git_config_free(config);
	return email;
}

static char *email_of_git(void)
{
	const char *global = g_getenv("GIT_CONFIG_GLOBAL");
	g_autofree char *home =
		g_build_filename(g_get_home_dir(), ".gitconfig", NULL);
	g_autofree char *xdg = g_build_filename(g_get_user_config_dir(), "git",
						"config", NULL);
	char *email;

	if (global)
		return email_in(global);
	email = email_in(home);
	return email ? email : email_in(xdg);
}

static const char *filled(const char *name)
{
	const char *value = g_getenv(name);

	return value && *value ? value : NULL;
}

char *own_address(store *st)
{
	const char *name = "", *address;
	g_autofree char *written = g_strdup(filled("GIT_AUTHOR_EMAIL"));

	git_libgit2_init();
	if (!written)
		written = email_of_git();
	if (!written)
		written = g_strdup(filled("EMAIL"));
	git_libgit2_shutdown();
	address = written;
	if (written)
		mailmap_apply(keepers_mailmap(st, NULL), &name, &address);
	return g_strdup(address);
}
