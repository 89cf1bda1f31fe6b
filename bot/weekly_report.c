/* weekly_report.c - the regression report: its sections and its headers
 * What one entry looks like is in bot/weekly_entry.c. */
#include "bot/weekly_report.h"

#include <string.h>

#include "mail/date.h"
#include "mail/msgid.h"

#include "db/items.h"

#include "bot/plain_text.h"
#include "bot/weekly_entry.h"
#include "bot/wrap_text.h"

#define DAY 86400

enum part {
	PART_CURRENT,
	PART_CURRENT_UNKNOWN,
	PART_PREVIOUS,
	PART_PREVIOUS_UNKNOWN,
	PART_OLDER,
	PART_OLDER_UNKNOWN,
	PART_NEXT,
	PART_STABLE,
	PART_OTHER,
	PART_BACKBURNER,
	PART_CLOSED,
	PARTS,
};

static const char *const titles[PARTS] = {
	"mainline: current cycle, culprit identified",
	"mainline: current cycle, culprit not known",
	"mainline: previous cycle, culprit identified",
	"mainline: previous cycle, culprit not known",
	"mainline: older cycles, culprit identified",
	"mainline: older cycles, culprit not known",
	"next",
	"stable and longterm",
	"tree or cycle not known",
	"on the back burner, with news",
	"ended since the last report",
};

struct parts {
	GPtrArray *of[PARTS]; /* of struct item */
	guint open, fresh, ended, quiet, resting, fixes, stalled;
};

static gboolean is_of_stable(const struct item *i)
{
	return i->branch && g_str_has_prefix(i->branch, "linux-") &&
	       g_str_has_suffix(i->branch, ".y");
}

static enum part cycle_part(const struct item *i)
{
	gboolean unknown = !i->commit;

	if (!g_strcmp0(i->cycle, "current"))
		return PART_CURRENT + unknown;
	if (!g_strcmp0(i->cycle, "previous"))
		return PART_PREVIOUS + unknown;
	if (!g_strcmp0(i->cycle, "older"))
		return PART_OLDER + unknown;
	if (!g_strcmp0(i->cycle, "next"))
		return PART_NEXT;
	return weekly_is_of(i, "next")			      ? PART_NEXT
	       : weekly_is_of(i, "stable") || is_of_stable(i) ? PART_STABLE
							      : PART_OTHER;
}

static gboolean has_ended(const struct weekly_report *r, const struct item *i)
{
	return !i->open && i->direction != REPORT_IMPROVEMENT &&
	       i->last_activity > r->since && i->last_activity <= r->now;
}

static void count_open(struct parts *p, const struct weekly_report *r,
		       const struct item *i)
{
	p->open++;
	p->fresh += i->reported > r->since;
	p->fixes += i->fixes->len > 0;
	p->stalled += i->stalled;
}

static void sort_in(struct parts *p, const struct weekly_report *r)
{
	for (guint n = 0; n < r->items->len; n++) {
		struct item *i = r->items->pdata[n];

		if (i->reported > r->now)
			continue;
		if (!i->open) {
			if (has_ended(r, i)) {
				p->ended++;
				g_ptr_array_add(p->of[PART_CLOSED], i);
			}
			continue;
		}
		count_open(p, r, i);
		if (i->backburner) {
			if (i->last_activity > r->since)
				g_ptr_array_add(p->of[PART_BACKBURNER], i);
			else
				p->resting++;
		} else if (r->now - i->last_activity >
			   (gint64)WEEKLY_QUIET_DAYS * DAY) {
			p->quiet++;
		} else {
			g_ptr_array_add(p->of[cycle_part(i)], i);
		}
	}
}

static int by_activity(gconstpointer a, gconstpointer b)
{
	const struct item *x = *(struct item *const *)a;
	const struct item *y = *(struct item *const *)b;

	if (x->last_activity != y->last_activity)
		return x->last_activity > y->last_activity ? -1 : 1;
	return strcmp(x->id, y->id);
}

static char *day_of(gint64 time)
{
	g_autofree char *date = date_to_rfc3339(time);

	return g_strndup(date ? date : "unknown", 10);
}

/* ---- the text */

static char *count_of(guint n, const char *none)
{
	return n ? g_strdup_printf("%u", n) : g_strdup(none);
}

static void add_summary(GString *out, const struct parts *p,
			const struct weekly_report *r)
{
	g_autofree char *now = day_of(r->now), *since = day_of(r->since);
	g_autofree char *fresh = count_of(p->fresh, "none");
	g_autofree char *fixes = count_of(p->fixes, "none");
	g_autofree char *stalled = count_of(p->stalled, "none");
	g_autofree char *ended = count_of(p->ended, "None");
	g_autofree char *first = g_strdup_printf(
		"These regressions were tracked on %s. Of %u that are open, %s "
		"%s new since %s; for %s there is a fix somewhere, and %s %s "
		"stalled. %s ended since then.",
		now, p->open, fresh, p->fresh < 2 ? "is" : "are", since, fixes,
		stalled, p->stalled < 2 ? "is" : "are", ended);
	g_autofree char *rest = g_strdup_printf(
		"Not listed: %u without activity for more than %d days, and %u "
		"on the back burner without news.",
		p->quiet, WEEKLY_QUIET_DAYS, p->resting);

	text_wrap(out, first, "");
	if (p->quiet || p->resting) {
		g_string_append_c(out, '\n');
		text_wrap(out, rest, "");
	}
	if (r->url)
		g_string_append_printf(out, "\nAll of them: %s%s\n", r->url,
				       g_str_has_suffix(r->url, "/") ? ""
								     : "/");
}

static void add_part(GString *out, const char *title, GPtrArray *items,
		     const struct weekly_report *r, gboolean ended)
{
	g_autofree char *rule = NULL;

	if (!items->len)
		return;
	g_ptr_array_sort(items, by_activity);
	rule = g_strnfill(text_columns(title, strlen(title)), '=');
	g_string_append_printf(out, "\n\n%s\n%s\n%s\n", rule, title, rule);
	for (guint n = 0; n < items->len; n++) {
		g_string_append(out, "\n\n");
		weekly_entry(out, items->pdata[n], r, ended);
	}
}

static void add_previous(GString *out, const struct weekly_report *r)
{
	g_autofree char *path = r->previous ? msgid_to_url(r->previous) : NULL;

	if (path)
		g_string_append_printf(out,
				       "\nThe previous report:\n"
				       "https://lore.kernel.org/all/%s/\n",
				       path);
}

static void add_foot(GString *out, const struct weekly_report *r)
{
	g_string_append(out, "\n\n");
	text_wrap(out,
		  "A fix is noticed by itself if its commit has a tag "
		  "\"Closes:\" or \"Link:\" with the link to the report, or a "
		  "\"Fixes:\" tag that names the culprit.",
		  "");
	add_previous(out, r);
	if (r->address)
		g_string_append_printf(out, "\n-- \n%s <%s>\n",
				       r->name ? r->name : "culprit",
				       r->address);
}

char *weekly_report_text(const struct weekly_report *r)
{
	GString *out = g_string_new(NULL);
	struct parts p = {0};

	for (guint n = 0; n < PARTS; n++)
		p.of[n] = g_ptr_array_new();
	sort_in(&p, r);
	add_summary(out, &p, r);
	for (guint n = 0; n < PARTS; n++)
		add_part(out, titles[n], p.of[n], r, n == PART_CLOSED);
	add_foot(out, r);
	for (guint n = 0; n < PARTS; n++)
		g_ptr_array_unref(p.of[n]);
	return plain_text(g_string_free(out, FALSE));
}

/* ---- the mail */

/* "Thu, 01 Feb 2024 00:00:00 +0000" */
static char *mail_date(gint64 utc)
{
	static const char *const days[] = {"Mon", "Tue", "Wed", "Thu",
					   "Fri", "Sat", "Sun"};
	static const char *const months[] = {"Jan", "Feb", "Mar", "Apr",
					     "May", "Jun", "Jul", "Aug",
					     "Sep", "Oct", "Nov", "Dec"};
	g_autoptr(GDateTime) t = g_date_time_new_from_unix_utc(utc);

	return g_strdup_printf("%s, %02d %s %04d %02d:%02d:%02d +0000",
			       days[g_date_time_get_day_of_week(t) - 1],
			       g_date_time_get_day_of_month(t),
			       months[g_date_time_get_month(t) - 1],
			       g_date_time_get_year(t), g_date_time_get_hour(t),
			       g_date_time_get_minute(t),
			       g_date_time_get_second(t));
}

/* A function of the text, so the same report is the same mail. */
static char *mail_id(const struct weekly_report *r, const char *day,
		     const char *text)
{
	g_autofree char *hash =
		g_compute_checksum_for_string(G_CHECKSUM_SHA256, text, -1);

	return g_strdup_printf(WEEKLY_ID_BEGIN "%s-%.16s@%s", day, hash,
			       r->host ? r->host : "localhost");
}

static void add_to(GString *out, const GPtrArray *to)
{
	for (guint n = 0; to && n < to->len; n++)
		g_string_append_printf(out, "%s%s", n ? ",\n\t" : "To: ",
				       (const char *)to->pdata[n]);
	if (to && to->len)
		g_string_append_c(out, '\n');
}

char *weekly_report_mail(const struct weekly_report *r)
{
	g_autofree char *text = weekly_report_text(r);
	g_autofree char *day = day_of(r->now), *date = mail_date(r->now);
	g_autofree char *id = mail_id(r, day, text);
	g_autofree char *name = weekly_phrase(r->name ? r->name : "culprit");
	GString *out = g_string_new(NULL);

	if (r->address)
		g_string_append_printf(out, "From: %s <%s>\n", name,
				       r->address);
	else
		g_string_append_printf(out, "From: %s <culprit@%s>\n", name,
				       r->host ? r->host : "localhost");
	add_to(out, r->to);
	g_string_append_printf(out,
			       "Subject: Linux regressions report [%s]\n"
			       "Date: %s\n"
			       "Message-ID: <%s>\n"
			       "Auto-Submitted: auto-generated\n"
			       "MIME-Version: 1.0\n"
			       "Content-Type: text/plain; charset=utf-8\n"
			       "Content-Transfer-Encoding: 8bit\n\n%s",
			       day, date, id, text);
	return g_string_free(out, FALSE);
}
