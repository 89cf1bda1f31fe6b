/* probe.c - some threads that ask one place after the other */
#include "bot/probe.h"

#include "bot/git_repo.h"
#include "bot/git_run.h"
#include "bot/source.h"

#define TREE_SECONDS 60 /* at most, for a server to answer */

struct job {
	const struct remote *r;
	const struct tree_setting *t;
	struct probe *result;
};

struct asking {
	GArray *jobs; /* of struct job */
	int next;     /* atomic */
	gboolean (*stopped)(void);
	GCancellable *cancel;
};

void probe_free(struct probe *p)
{
	if (!p)
		return;
	g_free(p->said);
	g_clear_error(&p->error);
	g_free(p);
}

/* A slip in the year is not noticed otherwise: no mail is no error. */
static void warn_of_future(const struct remote *r, struct probe *p)
{
	char *said = p->said;

	if (!said || r->since <= g_get_real_time() / G_USEC_PER_SEC)
		return;
	p->said = g_strconcat(said,
			      "; nothing is taken yet: since= is in the "
			      "future",
			      NULL);
	g_free(said);
}

static void ask_source(const struct job *j, const struct asking *a)
{
	struct probe *p = j->result;

	if (!j->r->ops->probe)
		p->said = g_strdup("not tested");
	else if (j->r->ops->probe(j->r, a->cancel, &p->said, &p->error) &&
		 !p->said)
		p->said = g_strdup("answers");
	warn_of_future(j->r, p);
}

static void ask_tree(const struct job *j, const struct asking *a)
{
	const struct tree_setting *t = j->t;
	const char *const list[] = {"ls-remote", "--quiet",	 "--heads",
				    "--",	 t->tree->place, NULL};
	struct probe *p = j->result;
	void *cache;

	if (t->remote) {
		if (git_run(list, MIN(t->timeout, TREE_SECONDS), a->stopped,
			    &p->error))
			p->said =
				g_strdup_printf("answers: %s", t->tree->place);
		return;
	}
	cache = source_git_cache_new();
	git_repo_unref(git_repo_get(cache, t->repository, &p->error));
	source_git_cache_free(cache);
	if (!p->error)
		p->said = g_strdup_printf("readable: %s", t->repository);
}

static gpointer ask_some(gpointer data)
{
	struct asking *a = data;
	guint i;

	while ((i = (guint)g_atomic_int_add(&a->next, 1)) < a->jobs->len) {
		const struct job *j = &g_array_index(a->jobs, struct job, i);

		if (j->r)
			ask_source(j, a);
		else
			ask_tree(j, a);
	}
	return NULL;
}

static void ask_all(struct asking *a)
{
	g_autoptr(GPtrArray) threads = g_ptr_array_new();

	for (guint i = 0; i < MIN(a->jobs->len, PROBE_AT_ONCE); i++)
		g_ptr_array_add(threads, g_thread_new("probe", ask_some, a));
	for (guint i = 0; i < threads->len; i++)
		g_thread_join(threads->pdata[i]);
}

static void add(GPtrArray *out, GArray *jobs, const char *name,
		const struct remote *r, const struct tree_setting *t)
{
	struct probe *p = g_new0(struct probe, 1);
	const struct job j = {r, t, p};

	*p = (struct probe){.kind = r ? "source" : "tree", .name = name};
	g_ptr_array_add(out, p);
	g_array_append_val(jobs, j);
}

GPtrArray *probe_all(GPtrArray *remotes, GPtrArray *trees, gboolean offline,
		     gboolean (*stopped)(void), GCancellable *cancel)
{
	g_autoptr(GArray) jobs = g_array_new(FALSE, FALSE, sizeof(struct job));
	struct asking a = {.jobs = jobs, .stopped = stopped, .cancel = cancel};
	GPtrArray *out =
		g_ptr_array_new_with_free_func((GDestroyNotify)probe_free);

	for (guint i = 0; i < remotes->len; i++) {
		const struct remote *r = remotes->pdata[i];

		if (!offline || (!r->server && !r->url))
			add(out, jobs, r->name, r, NULL);
	}
	for (guint i = 0; i < trees->len; i++) {
		const struct tree_setting *t = trees->pdata[i];

		if (!offline || !t->remote)
			add(out, jobs, t->tree->name, NULL, t);
	}
	ask_all(&a);
	return out;
}

/* ---- */

static const struct {
	GQuark (*domain)(void);
	int code;
	const char *text;
} remedies[] = {
	{net_error_quark, NET_ERROR_CONNECT,
	 "check host, port and network of server or url"},
	{net_error_quark, NET_ERROR_VERIFY,
	 "if it signs its certificate itself, name it as ca-file"},
	{net_error_quark, NET_ERROR_TIME, "try again, or set a longer timeout"},
	{net_error_quark, NET_ERROR_CLOSED, "try again later"},
	{net_error_quark, NET_ERROR_IO, "try again later"},
	{net_error_quark, NET_ERROR_REPLY,
	 "check that this port speaks the protocol of the type"},
	{net_error_quark, NET_ERROR_REFUSED,
	 "check user and password, and the names of what is read there"},
	{source_error_quark, SOURCE_ERROR_OPEN, "check the path"},
	{git_run_error_quark, GIT_RUN_ERROR_START, "install git"},
	{git_run_error_quark, GIT_RUN_ERROR_FAILED, "check the url"},
	{git_run_error_quark, GIT_RUN_ERROR_TIME, "try again later"},
};

const char *probe_remedy(const GError *e)
{
	for (guint i = 0; i < G_N_ELEMENTS(remedies); i++)
		if (g_error_matches(e, remedies[i].domain(), remedies[i].code))
			return remedies[i].text;
	return NULL;
}
