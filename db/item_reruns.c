/* item_reruns.c - what measurements after a report say of it
 * Finds the mails whose tables belong to an item; mail/rerun judges them. */
#include <math.h>
#include <string.h>

#include "mail/rerun.h"
#include "mail/subject.h"
#include "mail/trailers.h"

#include "db/items_priv.h"
#include "db/measures.h"

/* Mails with tables or a Tested-by that answer the report, link it, or show
 * its commit; the reports among them are items of their own. */
static const char rerun_mails[] =
	"SELECT DISTINCT n.mid, n.date, m.subject, s.name, s.written,"
	" EXISTS (SELECT 1 FROM trailer_text v WHERE v.node = w.node"
	"  AND v.key = 'Tested-by' AND v.place = ?5 AND v.counts"
	"  AND NOT v.relayed) AS tested"
	" FROM (SELECT x.id AS node FROM node x WHERE x.tid = ?1"
	"       UNION SELECT l.node FROM link l WHERE l.mid = ?2"
	"       UNION SELECT c.node FROM measure_column c"
	"        WHERE substr(c.commit_id, 1, 8) = ?3) w"
	" JOIN node n ON n.id = w.node JOIN message m ON m.node = w.node"
	" JOIN person s ON s.id = m.person"
	" WHERE (tested OR EXISTS (SELECT 1 FROM measure t"
	"  WHERE t.node = w.node))"
	" AND NOT EXISTS (SELECT 1 FROM report r WHERE r.node = w.node)"
	" ORDER BY n.date, n.mid LIMIT ?4";

struct rerun_mails {
	GPtrArray *measures; /* of struct measures: they own the tables */
	GArray *mails;	     /* of struct rerun_mail */
	GPtrArray *strings;  /* own what the mails lend */
	GPtrArray *by;	     /* "Name <address>" of each; shared strings */
	GPtrArray *titles;   /* of the thread's patches */
};

static void mails_init(struct rerun_mails *m)
{
	m->measures =
		g_ptr_array_new_with_free_func((GDestroyNotify)measures_free);
	m->mails = g_array_new(FALSE, TRUE, sizeof(struct rerun_mail));
	m->strings = g_ptr_array_new_with_free_func(g_free);
	m->by = g_ptr_array_new_with_free_func((GDestroyNotify)item_ref_drop);
	m->titles = g_ptr_array_new_with_free_func(g_free);
}

static void mails_clear(struct rerun_mails *m)
{
	g_ptr_array_unref(m->measures);
	g_array_unref(m->mails);
	g_ptr_array_unref(m->strings);
	g_ptr_array_unref(m->by);
	g_ptr_array_unref(m->titles);
}

static gboolean add_mail(struct rerun_mails *m, store *st, char *mid,
			 gint64 date, char *subject, GError **err)
{
	struct measures *x = measures_load(st, mid, err);
	struct rerun_mail mail = {.message_id = mid,
				  .date = date,
				  .subject = subject,
				  .titles = m->titles};

	g_ptr_array_add(m->strings, mid);
	g_ptr_array_add(m->strings, subject);
	if (!x)
		return FALSE;
	g_ptr_array_add(m->measures, x);
	mail.tables = x->tables;
	mail.samples = x->samples;
	mail.words = x->words;
	g_array_append_val(m->mails, mail);
	return TRUE;
}

static gboolean find_mails(struct rerun_mails *m, store *st,
			   const struct item_facts *f, GError **err)
{
	g_autofree char *commit =
		f->item->commit ? g_strndup(f->item->commit, 8) : NULL;
	g_autoptr(db_rows) rows =
		db_query(st->state, err, rerun_mails, INT(f->tid),
			 TEXT(f->item->mid), TEXT(commit),
			 INT(ITEM_MAX_RERUN_MAILS), INT(TRAILER_MESSAGE));
	int rc;

	while ((rc = db_next(rows, err)) > 0) {
		gint64 date = db_int(rows, 1);

		g_ptr_array_add(m->by, item_ref_person(db_text(rows, 3),
						       db_text(rows, 4)));
		if (!add_mail(m, st, db_dup(rows, 0),
			      date == DB_NULL ? 0 : date, db_dup(rows, 2), err))
			return FALSE;
		g_array_index(m->mails, struct rerun_mail, m->mails->len - 1)
			.tested_by = db_int(rows, 5) != 0;
	}
	return rc == 0;
}

static gboolean find_titles(struct rerun_mails *m, store *st, gint64 tid,
			    GError **err)
{
	g_autoptr(db_rows) rows =
		db_query(st->state, err,
			 "SELECT coalesce(p.title, s.subject)"
			 " FROM node n JOIN patch p ON p.node = n.id"
			 " JOIN message s ON s.node = n.id"
			 " WHERE n.tid = ?1 ORDER BY n.date, n.mid LIMIT ?2",
			 INT(tid), INT(ITEM_MAX_LOOKS));
	int rc;

	while ((rc = db_next(rows, err)) > 0)
		g_ptr_array_add(m->titles, db_dup(rows, 0));
	return rc == 0;
}

/* The report as far as the judge asks; everything is lent. */
static struct report as_report(const struct item *i)
{
	return (struct report){
		.robot = "",
		.category = i->category,
		.direction = i->direction,
		.metric = i->metric,
		.change_percent = i->change_percent,
		.commit = i->commit,
		.commit_subject = i->commit_subject,
		.base = i->base,
		.testcase = i->testcase,
		.machine = i->machine,
		.tbox = i->tbox,
		.parameters = i->parameters,
	};
}

/* A release that behaves otherwise is no fix that was tested. */
static const char *note_type(const struct rerun *r)
{
	if (rerun_is_tag(r->candidate))
		return "rerun";
	switch (r->judgement.verdict) {
	case VERDICT_RECOVERED:
		return "rerun-recovered";
	case VERDICT_PARTIAL:
	case VERDICT_NOT_RECOVERED:
		return "rerun-failed";
	case VERDICT_NOT_REPRODUCED:
		return "not-reproduced";
	default:
		return "rerun";
	}
}

static void note_rerun(struct item_facts *f, const struct rerun *r,
		       const struct rerun_mails *m, guint seq, GArray *notes)
{
	struct item_note note = {.type = note_type(r),
				 .seq = (int)seq,
				 .again = r->judgement.verdict ==
					  VERDICT_REPRODUCED};
	g_autofree char *text =
		g_strdup_printf("%s: %s%s%s",
				verdict_name(r->judgement.verdict), r->metric,
				r->candidate ? " with " : "",
				!r->candidate	       ? ""
				: r->candidate_subject ? r->candidate_subject
						       : r->candidate);

	for (guint n = 0; n < m->mails->len; n++) {
		const struct rerun_mail *mail =
			&g_array_index(m->mails, struct rerun_mail, n);

		if (strcmp(mail->message_id, r->message_id) != 0)
			continue;
		note.time = mail->date;
		note.by = m->by->pdata[n];
		break;
	}
	note.mid = item_ref(r->message_id);
	note.text = item_ref(text);
	note.by = item_ref_again(note.by);
	g_ptr_array_add(f->kept, note.mid);
	g_ptr_array_add(f->kept, note.text);
	g_ptr_array_add(f->kept, note.by);
	g_array_append_val(notes, note);
}

static gboolean judge(store *st, struct item_facts *f, struct rerun_mails *m,
		      GArray *notes, GError **err)
{
	struct item *i = f->item;
	g_autoptr(measures_auto) own = measures_load(st, i->mid, err);
	struct report r = as_report(i);
	struct rerun_mail report = {.message_id = i->mid,
				    .date = i->reported,
				    .subject = i->subject,
				    .titles = m->titles};

	if (!own)
		return FALSE;
	report.tables = own->tables;
	report.samples = own->samples;
	report.words = own->words;
	g_ptr_array_unref(i->reruns);
	i->reruns = rerun_judge(&r, &report,
				(struct rerun_mail *)(void *)m->mails->data,
				m->mails->len);
	for (guint n = 0; n < i->reruns->len; n++) {
		const struct rerun *x = i->reruns->pdata[n];

		if (x->headline && !x->other_setup)
			note_rerun(f, x, m, n, notes);
	}
	return TRUE;
}

/* ---- is there anything to judge; asked once for a thread, and a commit */

static const char measured_thread[] =
	"SELECT 1 FROM node n JOIN measure t ON t.node = n.id"
	" WHERE n.tid = ?1"
	" AND NOT EXISTS (SELECT 1 FROM report r WHERE r.node = n.id) LIMIT 1";
static const char measured_commit[] =
	"SELECT 1 FROM measure_column c WHERE substr(c.commit_id, 1, 8) = ?1"
	" AND NOT EXISTS (SELECT 1 FROM report r WHERE r.node = c.node)"
	" LIMIT 1";
static const char measured_link[] =
	"SELECT 1 FROM link l JOIN measure t ON t.node = l.node"
	" WHERE l.mid = ?1 LIMIT 1";

/* 1, 0; -1 and *err. Takes `key`. */
static int recall(struct item_cache *c, char *key, const char *sql,
		  const struct db_arg *args, GError **err)
{
	gint64 one;
	void *known;
	int rc;

	if (g_hash_table_lookup_extended(c->measured, key, NULL, &known)) {
		g_free(key);
		return GPOINTER_TO_INT(known);
	}
	rc = db_get_int_args(c->st->state, &one, err, sql, args);
	if (rc < 0) {
		g_free(key);
		return -1;
	}
	g_hash_table_insert(c->measured, key, GINT_TO_POINTER(rc > 0));
	return rc > 0;
}

static int is_measured(struct item_cache *c, const struct item_facts *f,
		       GError **err)
{
	g_autofree char *commit =
		f->item->commit ? g_strndup(f->item->commit, 8) : NULL;
	gint64 one;
	int rc = recall(c, g_strdup_printf("%" G_GINT64_FORMAT, f->tid),
			measured_thread, DB_ARGS(INT(f->tid)), err);

	if (rc == 0 && commit)
		rc = recall(c, g_strconcat("c", commit, NULL), measured_commit,
			    DB_ARGS(TEXT(commit)), err);
	if (rc == 0)
		rc = db_get_int(c->st->state, &one, err, measured_link,
				TEXT(f->item->mid));
	return rc;
}

gboolean item_find_reruns(struct item_cache *c, struct item_facts *f,
			  GArray *notes, GError **err)
{
	struct rerun_mails m;
	gboolean ok;
	int rc = is_measured(c, f, err);

	if (rc <= 0)
		return rc == 0;
	mails_init(&m);
	ok = find_mails(&m, c->st, f, err) &&
	     (!m.mails->len || (find_titles(&m, c->st, f->tid, err) &&
				judge(c->st, f, &m, notes, err)));
	mails_clear(&m);
	return ok;
}

/* ---- fixes that were measured */

static gboolean is_of_fix(const struct rerun *r, const struct item_fix *fix,
			  enum verdict verdict)
{
	g_autofree char *a = NULL, *b = NULL;

	if (!r->headline || r->other_setup || !r->candidate_subject ||
	    r->judgement.verdict != verdict || !fix->subject)
		return FALSE;
	a = subject_key(r->candidate_subject);
	b = subject_key(fix->subject);
	return !strcmp(a, b);
}

/* The last of those that decide counts. */
static void mark_partial(const struct item *i, struct item_fix *fix)
{
	for (guint k = i->reruns->len; k-- > 0;) {
		const struct rerun *r = i->reruns->pdata[k];

		if (is_of_fix(r, fix, VERDICT_RECOVERED) ||
		    is_of_fix(r, fix, VERDICT_NOT_RECOVERED))
			return;
		if (is_of_fix(r, fix, VERDICT_PARTIAL)) {
			fix->role = "partial";
			return;
		}
	}
}

void item_mark_fixes(struct item *i)
{
	for (guint n = 0; n < i->fixes->len; n++) {
		struct item_fix *fix = i->fixes->pdata[n];

		for (guint k = 0; k < i->reruns->len; k++) {
			const struct rerun *r = i->reruns->pdata[k];

			if ((strcmp(fix->status, "posted") != 0 &&
			     strcmp(fix->status, "reviewed") != 0) ||
			    !is_of_fix(r, fix, VERDICT_RECOVERED))
				continue;
			fix->status = "tested";
			fix->basis = "rerun";
			item_ref_drop(fix->evidence_mid);
			fix->evidence_mid = item_ref(r->message_id);
		}
		mark_partial(i, fix);
	}
}
