/* inbox_clone.c - bare copies of the repositories of a public-inbox */
#include "bot/inbox_clone.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <unistd.h>

#include "mail/date.h"

#include "bot/git_copy.h"
#include "bot/git_run.h"

#define MAX_SECONDS (6 * 3600) /* an epoch has up to 1 GiB */
#define MAX_PACKS   50	       /* each fetch leaves one; then they are joined */

/* ---- what git is told */

static void add(GPtrArray *args, const char *text)
{
	g_ptr_array_add(args, g_strdup(text));
}

static void set(GPtrArray *args, const char *name, const char *value)
{
	add(args, "-c");
	g_ptr_array_add(args, g_strconcat(name, "=", value, NULL));
}

static GPtrArray *command(const char *dir)
{
	GPtrArray *args = g_ptr_array_new_with_free_func(g_free);

	g_ptr_array_add(args, g_strconcat("--git-dir=", dir, NULL));
	return args;
}

/* As bot/http_get.h does it: verified, no proxy but the one that is set, and
 * nowhere else. */
static GPtrArray *fetch_command(const struct remote *r, const char *url,
				const char *dir, gboolean first)
{
	static const char *const options[] = {
		"fetch",
		"--quiet",
		"--prune",
		"--force",
		"--no-tags",
		"--no-auto-gc",
		"--update-shallow",
		"--no-write-fetch-head",
	};
	g_autofree char *since = first ? date_to_rfc3339(r->since) : NULL;
	GPtrArray *args = command(dir);

	set(args, "http.proxy", r->proxy ? r->proxy : "");
	set(args, "http.sslVersion", "tlsv1.2");
	set(args, "http.sslVerify", "true");
	set(args, "http.followRedirects", "false");
	set(args, "fetch.unpackLimit", "1");
	if (r->ca_file)
		set(args, "http.sslCAInfo", r->ca_file);
	for (guint i = 0; i < G_N_ELEMENTS(options); i++)
		add(args, options[i]);
	if (since)
		g_ptr_array_add(args,
				g_strconcat("--shallow-since=", since, NULL));
	add(args, "--");
	add(args, url);
	add(args, "+refs/heads/*:refs/heads/*");
	return args;
}

static gboolean run(GPtrArray *args, const char *of, struct source_context *ctx,
		    GError **err)
{
	g_autoptr(GError) why = NULL;
	enum net_error code = NET_ERROR_IO;

	g_ptr_array_add(args, NULL);
	if (git_run_cancellable((const char *const *)args->pdata, MAX_SECONDS,
				ctx->stopped, ctx->cancel, &why))
		return TRUE;
	if (why->code == GIT_RUN_ERROR_STOPPED)
		code = NET_ERROR_STOPPED;
	else if (why->code == GIT_RUN_ERROR_TIME)
		code = NET_ERROR_TIME;
	g_set_error(err, NET_ERROR, (int)code, "%s: %s", of, why->message);
	return FALSE;
}

/* ---- the copy */

static gboolean make(const char *dir, struct source_context *ctx, GError **err)
{
	g_autoptr(GPtrArray) args = command(dir);
	g_autofree char *folder = g_path_get_dirname(dir);

	if (g_mkdir_with_parents(folder, 0777) != 0) {
		g_set_error(err, SOURCE_ERROR, SOURCE_ERROR_OPEN, "%s: %s",
			    folder, g_strerror(errno));
		return FALSE;
	}
	add(args, "init");
	add(args, "--quiet");
	add(args, "--bare");
	add(args, "--template=");
	return run(args, dir, ctx, err);
}

static guint count_packs(const char *dir)
{
	g_autofree char *folder =
		g_build_filename(dir, "objects", "pack", NULL);
	g_autoptr(GDir) d = g_dir_open(folder, 0, NULL);
	const char *name;
	guint n = 0;

	while (d && (name = g_dir_read_name(d)))
		n += g_str_has_suffix(name, ".pack");
	return n;
}

/* Small packs into larger ones; what fails here is tried again next time. */
static void tidy(const char *dir, struct source_context *ctx)
{
	g_autoptr(GPtrArray) args = command(dir);

	if (count_packs(dir) < MAX_PACKS)
		return;
	add(args, "repack");
	add(args, "-d");
	add(args, "-q");
	add(args, "--geometric=2");
	run(args, dir, ctx, NULL);
}

gboolean inbox_clone_fetch(const struct remote *r, const char *url,
			   const char *dir, struct source_context *ctx,
			   GError **err)
{
	gboolean first = !git_is_repository(dir) || count_packs(dir) == 0;
	g_autoptr(GPtrArray) args = fetch_command(r, url, dir, first);
	g_autoptr(GError) why = NULL;

	gboolean ok;
	int lock;

	if (!git_is_repository(dir) && !make(dir, ctx, err))
		return FALSE;
	lock = git_copy_take(dir, &why);
	if (lock < 0) {
		g_set_error_literal(err, NET_ERROR, NET_ERROR_IO, why->message);
		return FALSE;
	}
	ok = run(args, url, ctx, err);
	if (ok)
		tidy(dir, ctx);
	close(lock);
	return ok;
}
