/* git_run.c - starting git, watching it, ending it */
#include "bot/git_run.h"

#include <errno.h>
#include <gio/gio.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#define TICK_MS	 100  /* between looks at `stopped` and the time */
#define GRACE_MS 2000 /* from "please end" to the end */
#define READ_MAX 4096

G_DEFINE_QUARK(culprit - git - run - error, git_run_error)

struct child {
	GMainLoop *loop;
	GSubprocess *process;
	GInputStream *words;
	GString *said;
	char buffer[READ_MAX];
	GCancellable *enough;
	gint64 deadline, last; /* monotonic; last: the end began, 0 not yet */
	pid_t group; /* kept, since GSubprocess forgets it when git ends */
	gboolean (*stopped)(void);
	GCancellable *cancel;
	gboolean exited, closed;
	enum { ENDED, TOOK_LONG, WAS_STOPPED } how;
};

/* Its helpers shall end with it: a group of its own; and it with us. Between
 * fork and exec. */
static void own_group(gpointer data)
{
	(void)data;
	setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
}

/* ---- how it is started */

static GSubprocessLauncher *launcher_new(void)
{
	GSubprocessLauncher *l =
		g_subprocess_launcher_new(G_SUBPROCESS_FLAGS_STDOUT_SILENCE |
					  G_SUBPROCESS_FLAGS_STDERR_PIPE);
	g_auto(GStrv) names = g_listenv();

	for (guint i = 0; names[i]; i++)
		if (g_str_has_prefix(names[i], "GIT_"))
			g_subprocess_launcher_unsetenv(l, names[i]);
	g_subprocess_launcher_setenv(l, "GIT_TERMINAL_PROMPT", "0", TRUE);
	g_subprocess_launcher_setenv(l, "GIT_CONFIG_NOSYSTEM", "1", TRUE);
	g_subprocess_launcher_setenv(l, "GIT_CONFIG_GLOBAL", "/dev/null", TRUE);
	g_subprocess_launcher_setenv(l, "GIT_ALLOW_PROTOCOL",
				     "file:git:http:https:ssh", TRUE);
	g_subprocess_launcher_setenv(l, "GIT_SSH_COMMAND",
				     "ssh -oBatchMode=yes", TRUE);
	g_subprocess_launcher_setenv(l, "GIT_ASKPASS", "true", TRUE);
	g_subprocess_launcher_setenv(l, "SSH_ASKPASS", "true", TRUE);
	g_subprocess_launcher_setenv(l, "LC_ALL", "C", TRUE);
	g_subprocess_launcher_set_child_setup(l, own_group, NULL, NULL);
	return l;
}

static char **command_line(const char *const *args)
{
	static const char *const first[] = {
		"git",
		"-c",
		"core.hooksPath=/dev/null",
		"-c",
		"gc.auto=0",
		"-c",
		"maintenance.auto=false",
		"-c",
		"core.fsmonitor=false",
		"-c",
		"credential.helper=",
		"-c",
		"http.lowSpeedLimit=1",
		"-c",
		"http.lowSpeedTime=120",
		"-c",
		/* a mirror may belong to another account */
		"safe.directory=*",
	};
	g_autoptr(GPtrArray) all = g_ptr_array_new();

	for (guint i = 0; i < G_N_ELEMENTS(first); i++)
		g_ptr_array_add(all, g_strdup(first[i]));
	for (guint i = 0; args[i]; i++)
		g_ptr_array_add(all, g_strdup(args[i]));
	g_ptr_array_add(all, NULL);
	return (char **)g_ptr_array_steal(all, NULL);
}

/* ---- while it runs */

static void end_if_done(struct child *c)
{
	if (c->exited && c->closed)
		g_main_loop_quit(c->loop);
}

static void on_words(GObject *source, GAsyncResult *result, gpointer data)
{
	struct child *c = data;
	gssize n = g_input_stream_read_finish(G_INPUT_STREAM(source), result,
					      NULL);
	gsize room = GIT_RUN_MAX_WORDS - MIN(c->said->len, GIT_RUN_MAX_WORDS);

	if (n <= 0) {
		c->closed = TRUE;
		end_if_done(c);
		return;
	}
	g_string_append_len(c->said, c->buffer, (gssize)MIN((gsize)n, room));
	g_input_stream_read_async(c->words, c->buffer, sizeof(c->buffer),
				  G_PRIORITY_DEFAULT, c->enough, on_words, c);
}

static void on_exit_of(GObject *source, GAsyncResult *result, gpointer data)
{
	struct child *c = data;

	g_subprocess_wait_finish(G_SUBPROCESS(source), result, NULL);
	c->exited = TRUE;
	c->last = g_get_monotonic_time();
	end_if_done(c);
}

static void signal_group(struct child *c, int sig)
{
	if (c->group > 1)
		kill(-c->group, sig);
}

/* Politely first, so that git removes what it has begun. A helper that keeps
 * the pipe open beyond the end of git is not waited for. */
static gboolean on_tick(gpointer data)
{
	struct child *c = data;
	gint64 now = g_get_monotonic_time();

	if (c->last) {
		if (now - c->last < GRACE_MS * G_TIME_SPAN_MILLISECOND)
			return G_SOURCE_CONTINUE;
		signal_group(c, SIGKILL);
		g_subprocess_force_exit(c->process);
		g_cancellable_cancel(c->enough);
		return G_SOURCE_CONTINUE;
	}
	if ((c->stopped && c->stopped()) ||
	    g_cancellable_is_cancelled(c->cancel))
		c->how = WAS_STOPPED;
	else if (now >= c->deadline)
		c->how = TOOK_LONG;
	else
		return G_SOURCE_CONTINUE;
	c->last = now;
	signal_group(c, SIGTERM);
	return G_SOURCE_CONTINUE;
}

static void watch(struct child *c, GMainContext *context)
{
	GSource *tick = g_timeout_source_new(TICK_MS);

	c->words = g_subprocess_get_stderr_pipe(c->process);
	g_input_stream_read_async(c->words, c->buffer, sizeof(c->buffer),
				  G_PRIORITY_DEFAULT, c->enough, on_words, c);
	g_subprocess_wait_async(c->process, NULL, on_exit_of, c);
	g_source_set_callback(tick, on_tick, c, NULL);
	g_source_attach(tick, context);
	g_main_loop_run(c->loop);
	g_source_destroy(tick);
	g_source_unref(tick);
}

/* ---- how it ended */

/* The last line that says something. */
static const char *last_words(struct child *c)
{
	g_strchomp(c->said->str);
	for (char *p = c->said->str; *p; p++)
		if (*p == '\r')
			*p = '\n';
	return strrchr(c->said->str, '\n') ? strrchr(c->said->str, '\n') + 1
					   : c->said->str;
}

static const char *fatal_words(struct child *c)
{
	char *fatal = strstr(c->said->str, "fatal: ");

	if (!fatal)
		return last_words(c);
	fatal += strlen("fatal: ");
	fatal[strcspn(fatal, "\r\n")] = '\0';
	return fatal;
}

static gboolean judge(struct child *c, GError **err)
{
	if (c->how == TOOK_LONG)
		g_set_error(err, GIT_RUN_ERROR, GIT_RUN_ERROR_TIME,
			    "git took too long and was ended");
	else if (c->how == WAS_STOPPED)
		g_set_error(err, GIT_RUN_ERROR, GIT_RUN_ERROR_STOPPED,
			    "git was ended by an interrupt");
	else if (!g_subprocess_get_successful(c->process))
		g_set_error(err, GIT_RUN_ERROR, GIT_RUN_ERROR_FAILED, "git: %s",
			    c->said->len ? fatal_words(c) : "failed");
	else
		return TRUE;
	return FALSE;
}

static GSubprocess *start(const char *const *args, GError **err)
{
	g_autoptr(GSubprocessLauncher) l = launcher_new();
	g_auto(GStrv) line = command_line(args);
	g_autoptr(GError) why = NULL;
	GSubprocess *p =
		g_subprocess_launcher_spawnv(l, (const char *const *)line,
					     &why);

	if (!p)
		g_set_error(err, GIT_RUN_ERROR, GIT_RUN_ERROR_START,
			    "git can't be started: %s", why->message);
	return p;
}

/* 0: it has ended already. */
static pid_t group_of(GSubprocess *p)
{
	const char *id = g_subprocess_get_identifier(p);

	return id ? (pid_t)g_ascii_strtoll(id, NULL, 10) : 0;
}

gboolean git_run_cancellable(const char *const *args, guint seconds,
			     gboolean (*stopped)(void), GCancellable *cancel,
			     GError **err)
{
	g_autoptr(GMainContext) context = g_main_context_new();
	struct child c = {.stopped = stopped, .cancel = cancel};
	gboolean ok = FALSE;

	g_main_context_push_thread_default(context);
	c.process = start(args, err);
	if (c.process) {
		c.loop = g_main_loop_new(context, FALSE);
		c.group = group_of(c.process);
		c.said = g_string_new(NULL);
		c.enough = g_cancellable_new();
		c.deadline = g_get_monotonic_time() +
			     (gint64)seconds * G_TIME_SPAN_SECOND;
		watch(&c, context);
		ok = judge(&c, err);
		g_string_free(c.said, TRUE);
		g_object_unref(c.enough);
		g_main_loop_unref(c.loop);
		g_object_unref(c.process);
	}
	g_main_context_pop_thread_default(context);
	return ok;
}

gboolean git_run(const char *const *args, guint seconds,
		 gboolean (*stopped)(void), GError **err)
{
	return git_run_cancellable(args, seconds, stopped, NULL, err);
}

gboolean git_is_repository(const char *path)
{
	static const char *const parts[] = {"HEAD", "objects", "refs"};

	for (guint i = 0; i < G_N_ELEMENTS(parts); i++) {
		g_autofree char *part = g_build_filename(path, parts[i], NULL);

		if (!g_file_test(part, G_FILE_TEST_EXISTS))
			return FALSE;
	}
	return TRUE;
}
