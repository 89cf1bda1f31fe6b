/* mail_files.c - mail of files, read and understood, without a database */
#include "bot/mail_files.h"

#include "bot/cli.h"
#include "bot/source.h"

struct files {
	const char *path;
	void *git;   /* repositories that mail is read from */
	guint count; /* messages of this path so far */
	mail_files_fn fn;
	void *data;
	gboolean ended;
	int rc;
};

static void read_mail(struct files *f, const struct source_event *ev)
{
	g_autoptr(GError) err = NULL;
	g_autoptr(GBytes) raw =
		ev->raw ? g_bytes_ref(ev->raw)
			: source_git_fetch(f->git, ev->place, ev->oid, &err);
	g_autoptr(message) msg =
		raw ? message_parse(raw, ev->received, &err) : NULL;
	g_autofree char *what = NULL;

	f->count++;
	if (!msg) {
		what = g_strdup_printf("%s: message %u", f->path, f->count);
		f->rc = cli_fail(what, err);
		return;
	}
	f->ended = !f->fn(reading_new(msg), f->data);
}

static gboolean on_event(const struct source_event *ev, void *data)
{
	struct files *f = data;

	if (ev->type == SOURCE_BROKEN)
		f->rc = cli_fail(NULL, ev->error);
	else if (ev->type == SOURCE_MAIL)
		read_mail(f, ev);
	return !f->ended && !cli_interrupted();
}

int mail_files_read(char *const *paths, int count, mail_files_fn fn, void *data)
{
	struct files f = {.rc = EXIT_DONE,
			  .git = source_git_cache_new(),
			  .fn = fn,
			  .data = data};
	struct source_context context = {
		.sink = on_event,
		.stopped = cli_interrupted,
		.git = f.git,
		.data = &f,
	};

	for (int i = 0; i < count && !f.ended; i++) {
		g_autoptr(GError) err = NULL;

		f.path = paths[i];
		f.count = 0;
		if (!source_read_path(f.path, &context, &err) &&
		    !g_error_matches(err, SOURCE_ERROR, SOURCE_ERROR_STOPPED))
			f.rc = cli_fail(NULL, err);
	}
	source_git_cache_free(f.git);
	return f.rc;
}
