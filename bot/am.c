/* am.c - the newest complete series as an mbox for `git am`
 * Chooses, collects, writes. Never gives a part of a series. */
#include "bot/am.h"

#include <string.h>

#include "mail/am_mail.h"

#include "db/archive.h"

#include "bot/am_priv.h"

#define SLUG_MAX   100 /* characters, as b4 has it */
#define SLUG_BYTES 200 /* of the 255 of a file's name: suffixes follow */

const struct series_mail *am_mail_at(const struct am_job *job, int mail)
{
	return &g_array_index(job->set->mails, struct series_mail, mail);
}

struct reading *am_read(struct am_job *job, const char *mid, GError **err)
{
	g_autoptr(GError) why = NULL;
	g_autoptr(GBytes) raw = archive_raw(job->st, mid, &why);
	g_autoptr(message) msg = NULL;
	struct reading *r;

	if (!raw) {
		if (why &&
		    !g_error_matches(why, STORE_ERROR, STORE_ERROR_MISSING))
			g_propagate_error(err, g_steal_pointer(&why));
		return NULL;
	}
	msg = message_parse(raw, 0, NULL);
	if (!msg)
		return NULL;
	r = reading_new(msg);
	g_ptr_array_add(job->readings, r);
	return r;
}

/* ---- the job */

static void slot_free(gpointer data)
{
	struct am_slot *slot = data;

	g_array_unref(slot->given);
	g_array_unref(slot->for_cover);
	g_array_unref(slot->carried);
	g_free(slot);
}

static void reading_item_free(gpointer r)
{
	reading_free(r);
}

static void array_unref(gpointer array)
{
	g_ptr_array_unref(array);
}

static void add_slot(struct am_job *job, const struct series_patch *p)
{
	struct am_slot *slot = g_new0(struct am_slot, 1);

	slot->number = p->number;
	slot->mail = p->mail;
	slot->given = g_array_new(FALSE, FALSE, sizeof(struct am_given));
	slot->for_cover = g_array_new(FALSE, FALSE, sizeof(struct am_given));
	slot->carried = g_array_new(FALSE, FALSE, sizeof(struct am_given));
	g_ptr_array_add(job->slots, slot);
}

static void job_init(struct am_job *job, store *st,
		     const struct series_set *set, GHashTable *mails,
		     int chosen)
{
	job->st = st;
	job->set = set;
	job->chosen_index = chosen;
	job->chosen = set->series->pdata[chosen];
	job->slots = g_ptr_array_new_with_free_func(slot_free);
	job->series_of = mails;
	job->readings = g_ptr_array_new_with_free_func(reading_item_free);
	job->trailers = g_ptr_array_new_with_free_func(array_unref);
	for (guint i = 0; i < job->chosen->patches->len; i++)
		add_slot(job, &g_array_index(job->chosen->patches,
					     struct series_patch, i));
}

static void job_clear(struct am_job *job)
{
	g_ptr_array_unref(job->trailers);
	g_ptr_array_unref(job->readings);
	g_ptr_array_unref(job->slots);
}

/* ---- writing */

/* A reroll of a part is one series of its version, whatever its mails say. */
static int printed_version(const struct am_job *job)
{
	for (guint i = 0; i < job->chosen->patches->len; i++)
		if (g_array_index(job->chosen->patches, struct series_patch, i)
			    .inherited)
			return job->chosen->version;
	return 0;
}

static void add_given(GPtrArray *out, const GArray *list)
{
	for (guint i = 0; i < list->len; i++)
		g_ptr_array_add(out, (gpointer)g_array_index(list,
							     struct am_given, i)
					     .trailer);
}

static void note_line(GString *note, const char *format, ...)
	G_GNUC_PRINTF(2, 3);

static void note_line(GString *note, const char *format, ...)
{
	va_list args;

	if (note->len)
		g_string_append_c(note, '\n');
	va_start(args, format);
	g_string_append_vprintf(note, format, args);
	va_end(args);
}

static gboolean write_slot(struct am_job *job, const struct am_slot *slot,
			   const char *signoff, GString *out, GString *note,
			   guint *added, GError **err)
{
	const char *mid = am_mail_at(job, slot->mail)->mid;
	g_autoptr(GPtrArray) given = g_ptr_array_new();
	struct am_mail mail = {.signoff = signoff, .given = given};
	g_autoptr(GError) why = NULL;

	mail.version = printed_version(job);
	mail.patch = am_read(job, mid, &why);
	if (!mail.patch || !mail.patch->patch) {
		if (!why)
			g_set_error(&why, STORE_ERROR, STORE_ERROR_MISSING,
				    "%s: its bytes are gone", mid);
		g_propagate_error(err, g_steal_pointer(&why));
		return FALSE;
	}
	if (mail.patch->patch->diff && mail.patch->patch->diff->damage)
		note_line(note, "patch %d is damaged: %s", slot->number,
			  mail.patch->patch->diff->damage);
	add_given(given, slot->given);
	add_given(given, slot->for_cover);
	add_given(given, slot->carried);
	*added += am_mail_append(out, &mail);
	return TRUE;
}

static GBytes *write_cover(struct am_job *job, GError **err)
{
	g_autoptr(GError) why = NULL;
	struct am_mail mail = {0};
	GString *out;

	if (job->chosen->cover < 0)
		return NULL;
	mail.patch =
		am_read(job, am_mail_at(job, job->chosen->cover)->mid, &why);
	if (why)
		g_propagate_error(err, g_steal_pointer(&why));
	if (!mail.patch || !mail.patch->patch)
		return NULL;
	out = g_string_new(NULL);
	am_mail_write(out, &mail);
	return g_string_free_to_bytes(out);
}

/* Letters and digits of any script, lower-case; '_' for the rest. */
static char *make_slug(const char *text)
{
	GString *out = g_string_new(NULL);
	g_autofree char *low = g_utf8_strdown(text, -1);
	const char *p = low;
	guint chars = 0;

	for (; *p; p = g_utf8_next_char(p)) {
		gunichar c = g_utf8_get_char(p);
		gboolean keep = g_unichar_isalnum(c) || c == '_';

		if (!keep && (!out->len || out->str[out->len - 1] == '_'))
			continue;
		if (++chars > SLUG_MAX ||
		    out->len + g_unichar_to_utf8(c, NULL) > SLUG_BYTES)
			break;
		g_string_append_unichar(out, keep ? c : '_');
	}
	while (!*p && out->len && out->str[out->len - 1] == '_')
		g_string_truncate(out, out->len - 1);
	return g_string_free(out, FALSE);
}

/* The day where it was sent: "+0200" is two hours ahead. */
static char *sent_day(const message *msg)
{
	const char *zone = message_date_zone(msg);
	gint64 east = zone ? g_ascii_strtoll(zone, NULL, 10) : 0;
	gint64 shift = (east / 100 * 60 + east % 100) * 60;
	g_autoptr(GDateTime) day =
		g_date_time_new_from_unix_utc(message_date(msg) + shift);

	return day ? g_date_time_format(day, "%Y%m%d") : g_strdup("undated");
}

static char *slug_of(struct am_job *job, GError **err)
{
	int first = job->chosen->cover >= 0
			    ? job->chosen->cover
			    : g_array_index(job->chosen->patches,
					    struct series_patch, 0)
				      .mail;
	struct reading *r = am_read(job, am_mail_at(job, first)->mid, err);
	g_autofree char *day = NULL, *local = NULL, *text = NULL;
	g_autofree char *version = NULL;

	if (!r)
		return g_strdup("series");
	day = sent_day(r->msg);
	local = g_strdup(message_from(r->msg)->address);
	*strchrnul(local, '@') = '\0';
	if (job->chosen->version > 1)
		version = g_strdup_printf("v%d_", job->chosen->version);
	text = g_strdup_printf("%s%s_%s_%s", version ? version : "", day, local,
			       r->subject->base);
	return make_slug(text);
}

/* ---- what a person should know */

static void note_incomplete(GString *note, const struct series_set *set, int i)
{
	const struct series *s = set->series->pdata[i];
	int have = 0;

	for (guint k = 0; k < s->patches->len; k++)
		have += g_array_index(s->patches, struct series_patch, k)
				.number <= s->total;
	if (s->total > 0)
		note_line(note, "v%d is incomplete: %d of %d patches are here",
			  s->version, have, s->total);
	else
		note_line(note, "v%d: how many patches it has is not known",
			  s->version);
}

/* The cover is older than a patch that its trailers are put on. */
static gboolean any_early(const struct am_job *job)
{
	for (guint i = 0; i < job->slots->len; i++) {
		const struct am_slot *slot = job->slots->pdata[i];
		const struct series_patch *p =
			&g_array_index(job->chosen->patches,
				       struct series_patch, i);

		if (job->chosen->cover_inherited && !p->inherited &&
		    slot->for_cover->len)
			return TRUE;
	}
	return FALSE;
}

static void note_taken(GString *note, const struct am_job *job, guint added,
		       gboolean carried)
{
	guint n = job->slots->len;

	note_line(note, "v%d, %u patch%s, %u trailer%s from replies",
		  job->chosen->version, n, n == 1 ? "" : "es", added,
		  added == 1 ? "" : "s");
	if (printed_version(job))
		note_line(note, "some patches are taken from the version "
				"before, as they were not sent again");
	if (any_early(job))
		note_line(note, "trailers given to the cover before patches "
				"were sent again are on those, too");
	if (carried)
		note_line(note, "some trailers were given to an older version "
				"of the same patch");
	if (job->chosen->version_inferred)
		note_line(note, "the version was not stated: v%d is inferred",
			  job->chosen->version);
}

static gboolean any_carried(const struct am_job *job)
{
	for (guint i = 0; i < job->slots->len; i++) {
		const struct am_slot *slot = job->slots->pdata[i];

		if (slot->carried->len)
			return TRUE;
	}
	return FALSE;
}

static gboolean write_all(struct am_job *job, const char *signoff, struct am *a,
			  GString *note, GError **err)
{
	g_autoptr(GString) mbox = g_string_new(NULL);
	g_autoptr(GError) why = NULL;
	guint added = 0;

	if (!am_collect(job, err))
		return FALSE;
	for (guint i = 0; i < job->slots->len; i++)
		if (!write_slot(job, job->slots->pdata[i], signoff, mbox, note,
				&added, err))
			return FALSE;
	a->cover = write_cover(job, &why);
	if (!why)
		a->slug = slug_of(job, &why);
	if (why) {
		g_propagate_error(err, g_steal_pointer(&why));
		return FALSE;
	}
	note_taken(note, job, added, any_carried(job));
	a->mbox = g_string_free_to_bytes(g_steal_pointer(&mbox));
	return TRUE;
}

struct am *am_make(store *st, const char *mid, const char *signoff,
		   GError **err)
{
	g_autoptr(thread_auto) t = thread_load(st, mid, err);
	g_autoptr(series_set_auto) set = t ? series_load(st, mid, err) : NULL;
	g_autoptr(GHashTable) mails = set ? am_index_mails(set) : NULL;
	g_autoptr(GString) note = g_string_new(NULL);
	g_autoptr(am_auto) a = NULL;
	struct am_job job = {0};
	int newest, chosen;
	gboolean ok = TRUE;

	if (!set)
		return NULL;
	chosen = am_choose(set, t, mails, &newest);
	if (newest < 0)
		return NULL;
	a = g_new0(struct am, 1);
	if (newest != chosen)
		note_incomplete(note, set, newest);
	if (chosen >= 0) {
		job_init(&job, st, set, mails, chosen);
		ok = write_all(&job, signoff, a, note, err);
		job_clear(&job);
	}
	a->note = g_strdup(note->str);
	return ok ? g_steal_pointer(&a) : NULL;
}

void am_free(struct am *a)
{
	if (!a)
		return;
	if (a->mbox)
		g_bytes_unref(a->mbox);
	if (a->cover)
		g_bytes_unref(a->cover);
	g_free(a->slug);
	g_free(a->note);
	g_free(a);
}
