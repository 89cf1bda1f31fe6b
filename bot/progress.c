/* progress.c - lines at the bottom of a terminal, drawn over themselves */
#include "bot/progress.h"

#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define USUAL_WIDTH  80
#define SPEED_AFTER  1.0 /* seconds until a rate says something */
#define MAX_LEFT     (100 * 3600)
#define WIPE_LINE    "\r\033[K"
#define LINE_UP_WIPE "\033[A\033[K"

struct line {
	char *name, *text;
};

struct progress {
	gboolean on;
	GPtrArray *lines; /* of struct line */
	guint shown;	  /* lines on the terminal */
	gint64 drawn;	  /* when */
};

static void line_free(gpointer data)
{
	struct line *l = data;

	g_free(l->name);
	g_free(l->text);
	g_free(l);
}

progress *progress_new(gboolean wanted)
{
	progress *p = g_new0(progress, 1);

	p->on = wanted && isatty(STDERR_FILENO);
	p->lines = g_ptr_array_new_with_free_func(line_free);
	return p;
}

void progress_free(progress *p)
{
	if (!p)
		return;
	progress_hide(p);
	g_ptr_array_unref(p->lines);
	g_free(p);
}

gboolean progress_is_off(const progress *p)
{
	return !p->on;
}

gboolean progress_is_due(const progress *p)
{
	return p->on && g_get_monotonic_time() - p->drawn >= PROGRESS_USEC;
}

static struct line *find(progress *p, const char *name, guint *at)
{
	for (*at = 0; *at < p->lines->len; ++*at) {
		struct line *l = p->lines->pdata[*at];

		if (g_str_equal(l->name, name))
			return l;
	}
	return NULL;
}

void progress_set(progress *p, const char *name, const char *text)
{
	guint at;
	struct line *l = find(p, name, &at);

	if (!text) {
		if (l)
			g_ptr_array_remove_index(p->lines, at);
		return;
	}
	if (!l) {
		l = g_new0(struct line, 1);
		l->name = g_strdup(name);
		g_ptr_array_add(p->lines, l);
	}
	g_free(l->text);
	l->text = g_strdup(text);
}

void progress_hide(progress *p)
{
	if (!p->on || p->shown == 0)
		return;
	fputs(WIPE_LINE, stderr);
	for (guint i = 1; i < p->shown; i++)
		fputs(LINE_UP_WIPE, stderr);
	p->shown = 0;
}

static guint width(void)
{
	struct winsize size;

	if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1)
		return size.ws_col - 1u;
	return USUAL_WIDTH - 1;
}

/* A line that the terminal would break could not be wiped away. */
static void put(progress *p, const char *text, guint columns)
{
	g_autofree char *valid = g_utf8_make_valid(text, -1);
	g_autofree char *cut =
		g_utf8_substring(valid, 0,
				 MIN((glong)columns, g_utf8_strlen(valid, -1)));

	fprintf(stderr, "%s%s", p->shown ? "\n" : "", cut);
	p->shown++;
}

void progress_draw(progress *p)
{
	guint n = MIN(p->lines->len, PROGRESS_MAX_LINES);
	guint columns;

	if (!p->on)
		return;
	columns = width();
	progress_hide(p);
	for (guint i = 0; i < n; i++)
		put(p, ((struct line *)p->lines->pdata[i])->text, columns);
	if (n < p->lines->len) {
		g_autofree char *rest =
			g_strdup_printf("and %u more", p->lines->len - n);

		put(p, rest, columns);
	}
	fflush(stderr);
	p->drawn = g_get_monotonic_time();
}

static void append_left(GString *s, double seconds)
{
	if (seconds >= MAX_LEFT)
		return;
	if (seconds >= 5400)
		g_string_append_printf(s, ", %.1f h left", seconds / 3600);
	else if (seconds >= 90)
		g_string_append_printf(s, ", %.0f min left", seconds / 60);
	else
		g_string_append_printf(s, ", %.0f s left", seconds);
}

char *progress_messages(guint64 done, guint64 all, gint64 since)
{
	double seconds = (double)(g_get_monotonic_time() - since) /
			 (double)G_USEC_PER_SEC;
	GString *s = g_string_new(NULL);

	g_string_append_printf(s, "%" G_GUINT64_FORMAT, done);
	if (all > done)
		g_string_append_printf(s, " of %" G_GUINT64_FORMAT, all);
	g_string_append(s, " messages");
	if (seconds >= SPEED_AFTER && done > 0) {
		double rate = (double)done / seconds;

		g_string_append_printf(s, ", %.0f/s", rate);
		if (all > done)
			append_left(s, (double)(all - done) / rate);
	}
	return g_string_free(s, FALSE);
}
