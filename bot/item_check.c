/* item_check.c - the mails of an item that hold numbers, read once more
 * Findings are not stored: they follow from the mail. */
#include "bot/item_check.h"

#include "mail/rerun.h"

#include "db/archive.h"

static void check_mail_free(struct check_mail *m)
{
	reading_free(m->reading);
	g_free(m);
}

void item_check_free(struct item_check *c)
{
	if (!c)
		return;
	g_ptr_array_unref(c->mails);
	g_free(c);
}

/* NULL with err unset: its bytes are not there, or are no mail. */
static struct reading *read_mail(store *st, const char *mid, GError **err)
{
	g_autoptr(GError) why = NULL;
	GBytes *raw = archive_raw(st, mid, &why);
	g_autoptr(message) msg = NULL;

	if (!raw) {
		if (why &&
		    !g_error_matches(why, STORE_ERROR, STORE_ERROR_MISSING))
			g_propagate_error(err, g_steal_pointer(&why));
		return NULL;
	}
	msg = message_parse(raw, 0, NULL);
	g_bytes_unref(raw);
	return msg ? reading_new(msg) : NULL;
}

static void fill_roles(struct item_check *c, struct reading *r)
{
	const struct check_mail *first =
		c->mails->len ? c->mails->pdata[0] : NULL;
	const struct report *report =
		first && first->report ? first->reading->report : r->report;
	GPtrArray *of_report = first ? first->reading->tables : r->tables;

	if (!report)
		return;
	for (guint n = 0; n < r->tables->len; n++)
		rerun_roles(r->tables->pdata[n], report,
			    of_report->len ? of_report->pdata[0] : NULL, NULL);
}

static gboolean add_mail(struct item_check *c, store *st, const char *mid,
			 gboolean report, GError **err)
{
	g_autoptr(GError) why = NULL;
	struct reading *r = read_mail(st, mid, &why);
	struct check_mail *m;

	if (why) {
		g_propagate_error(err, g_steal_pointer(&why));
		return FALSE;
	}
	if (!r) {
		c->gone++;
		return TRUE;
	}
	fill_roles(c, r);
	for (guint n = 0; n < r->tables->len; n++) {
		const struct table *t = r->tables->pdata[n];

		c->tables++;
		c->findings += t->findings->len;
		c->rejects += t->rejects->len;
	}
	m = g_new0(struct check_mail, 1);
	m->report = report;
	m->reading = r;
	g_ptr_array_add(c->mails, m);
	return TRUE;
}

struct item_check *item_check_load(store *st, const struct item *i,
				   GError **err)
{
	g_autoptr(item_check_auto) c = g_new0(struct item_check, 1);
	g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);

	c->item = i;
	c->mails =
		g_ptr_array_new_with_free_func((GDestroyNotify)check_mail_free);
	g_hash_table_add(seen, i->mid);
	if (!add_mail(c, st, i->mid, TRUE, err))
		return NULL;
	for (guint n = 0; n < i->reruns->len; n++) {
		const struct rerun *r = i->reruns->pdata[n];

		if (g_hash_table_add(seen, r->message_id) &&
		    !add_mail(c, st, r->message_id, FALSE, err))
			return NULL;
	}
	return g_steal_pointer(&c);
}
