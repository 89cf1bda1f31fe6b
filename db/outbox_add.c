/* outbox_add.c - a draft is taken in: what the settings leave of it
 * Recipients are only ever left out here, never added. */
#include <string.h>

#include "mail/error.h"
#include "mail/recipients.h"

#include "db/items_priv.h"
#include "db/outbox_priv.h"
#include "db/track_priv.h"

/* A draft on its way in. */
struct intake {
	store *st;
	const struct outbox_draft *d;
	const struct outbox_policy *p;
	gint64 now;
	GPtrArray *own;	   /* lent addresses, NULL-ended */
	GHashTable *heard; /* addresses, lower-case, that the parent went to */
	GPtrArray *rcpts;  /* of struct outbox_rcpt */
	guint left;	   /* of them not muted */
	gboolean public, any_list, approve, quiet;
	GString *body;
	guint8 digest[32];
	gint64 id;
};

/* ---- recipients */

static void mute(struct outbox_rcpt *r, const char *why)
{
	r->told = OUTBOX_MUTED;
	r->text = g_strdup(why);
}

static void note_heard(struct intake *in, const struct address *a)
{
	g_hash_table_add(in->heard, g_ascii_strdown(a->address, -1));
}

static gboolean read_parent(struct intake *in, GError **err)
{
	g_autoptr(GError) why = NULL;
	g_autoptr(GBytes) raw =
		in->d->parent ? archive_raw(in->st, in->d->parent, &why) : NULL;
	g_autoptr(message) msg = raw ? message_parse(raw, 0, NULL) : NULL;

	if (why && !g_error_matches(why, STORE_ERROR, STORE_ERROR_MISSING)) {
		g_propagate_error(err, g_steal_pointer(&why));
		return FALSE;
	}
	if (!msg)
		return TRUE;
	note_heard(in, message_from(msg));
	for (guint i = 0; i < message_to(msg)->len; i++)
		note_heard(in, message_to(msg)->pdata[i]);
	for (guint i = 0; i < message_cc(msg)->len; i++)
		note_heard(in, message_cc(msg)->pdata[i]);
	return TRUE;
}

#define MUTED "its receiver wants no mail from here: mute all"

/* "#culprit mute all" of that person; -1 and *err. */
static int has_muted(store *st, const char *address, GError **err)
{
	g_autofree char *lower = g_ascii_strdown(address, -1);
	g_autoptr(tracker_auto) t = tracker_open(st, err);

	return t ? track_has_muted_all(t, lower) : -1;
}

/* Why this one does not get it; NULL: it does. FALSE and *err. */
static gboolean refusal(struct intake *in, struct outbox_rcpt *r,
			const char **why, GError **err)
{
	int list = outbox_is_list(in->st, in->p, r->address, err);
	int off = list < 0 ? -1 : outbox_is_disabled(in->st, r->address, err);
	int muted = off < 0 ? -1 : has_muted(in->st, r->address, err);

	r->is_list = list > 0;
	*why = NULL;
	if (recipients_is_own(r->address, (const char *const *)in->own->pdata))
		*why = "our own address";
	else if (!g_str_is_ascii(r->address))
		*why = "not ASCII before the @";
	else if (r->is_list)
		*why = outbox_list_refusal(in->p, r->address);
	else if (off > 0)
		*why = "our mail came back from there";
	else if (muted > 0)
		*why = MUTED;
	return muted >= 0;
}

/* An ASCII form of it; only the domain has one. */
static char *plain_address(const char *address)
{
	const char *at = strrchr(address, '@');
	g_autofree char *domain = NULL;

	if (!at || g_str_is_ascii(at))
		return g_strdup(address);
	domain = g_hostname_to_ascii(at + 1);
	return domain ? g_strdup_printf("%.*s@%s", (int)(at - address), address,
					domain)
		      : g_strdup(address);
}

static gboolean add_rcpt(struct intake *in, const struct address *a,
			 gboolean cc, GError **err)
{
	struct outbox_rcpt *r = g_new0(struct outbox_rcpt, 1);
	g_autofree char *lower = g_ascii_strdown(a->address, -1);
	const char *why;

	g_ptr_array_add(in->rcpts, r);
	r->number = in->rcpts->len;
	r->cc = cc;
	r->name = g_strdup(a->name);
	r->address = plain_address(a->address);
	r->is_new = !g_hash_table_contains(in->heard, lower);
	if (!refusal(in, r, &why, err))
		return FALSE;
	for (guint i = 0; !why && i + 1 < in->rcpts->len; i++) {
		const struct outbox_rcpt *o = in->rcpts->pdata[i];

		if (!g_ascii_strcasecmp(o->address, r->address))
			why = "named twice";
	}
	if (why)
		mute(r, why);
	return TRUE;
}

static gboolean add_rcpts(struct intake *in, GError **err)
{
	const struct outgoing *m = in->d->mail;

	for (guint i = 0; i < m->to->len; i++)
		if (!add_rcpt(in, m->to->pdata[i], FALSE, err))
			return FALSE;
	for (guint i = 0; i < m->cc->len; i++)
		if (!add_rcpt(in, m->cc->pdata[i], TRUE, err))
			return FALSE;
	return TRUE;
}

/* ---- what the lists that get it want: the strictest counts */

static gboolean no_copies(struct intake *in)
{
	gboolean none = FALSE;

	for (guint i = 0; i < in->rcpts->len; i++) {
		const struct outbox_rcpt *r = in->rcpts->pdata[i];
		const struct outbox_list *l = outbox_list_of(in->p, r->address);

		if (!r->is_list || r->told == OUTBOX_MUTED || !l)
			continue;
		in->any_list = TRUE;
		none |= !l->cc_individuals;
		in->approve |= l->approve;
		in->quiet |= l->quiet_on_good_news;
	}
	return none;
}

static void apply_lists(struct intake *in)
{
	gboolean none = no_copies(in);

	for (guint i = 0; i < in->rcpts->len; i++) {
		struct outbox_rcpt *r = in->rcpts->pdata[i];

		if (r->told == OUTBOX_MUTED)
			continue;
		if (none && r->cc && !r->is_list)
			mute(r, "a list with cc-individuals=no");
		else
			in->left++;
	}
	in->public = in->any_list || in->left > OUTBOX_FEW;
}

static void add_prefixes(struct intake *in)
{
	for (guint i = 0; i < in->rcpts->len; i++) {
		const struct outbox_rcpt *r = in->rcpts->pdata[i];
		const struct outbox_list *l =
			r->is_list && r->told != OUTBOX_MUTED
				? outbox_list_of(in->p, r->address)
				: NULL;

		if (l && l->prefix_text && *l->prefix_text)
			g_string_append_printf(in->body, "%s\n\n",
					       l->prefix_text);
	}
	g_string_append(in->body, in->d->mail->body);
}

/* ---- the same text again */

/* The line above a quote has a date in it. */
static gboolean is_attribution(const char *line, gsize len)
{
	return len > 10 && !memcmp(line, "On ", 3) &&
	       !memcmp(line + len - 7, " wrote:", 7);
}

/* Who gets what, without what differs every time. */
static void make_digest(struct intake *in)
{
	g_autoptr(GChecksum) sum = g_checksum_new(G_CHECKSUM_SHA256);
	gsize len = sizeof(in->digest);

	for (guint i = 0; i < in->rcpts->len; i++) {
		const struct outbox_rcpt *r = in->rcpts->pdata[i];
		g_autofree char *who = g_ascii_strdown(r->address, -1);

		if (r->told != OUTBOX_MUTED)
			g_checksum_update(sum, (const guchar *)who,
					  (gssize)strlen(who) + 1);
	}
	g_checksum_update(sum, (const guchar *)in->d->mail->subject,
			  (gssize)strlen(in->d->mail->subject) + 1);
	for (const char *p = in->body->str; *p;) {
		gsize line = strcspn(p, "\n");

		if (!is_attribution(p, line))
			g_checksum_update(sum, (const guchar *)p, (gssize)line);
		p += line + (p[line] == '\n');
	}
	g_checksum_get_digest(sum, in->digest, &len);
}

/* ---- its place in the world */

static char *make_mid(const struct intake *in)
{
	g_autoptr(GChecksum) sum = g_checksum_new(G_CHECKSUM_SHA256);
	g_autoptr(GDateTime) t = g_date_time_new_from_unix_utc(in->now);
	g_autofree char *when =
		t ? g_date_time_format(t, "%Y%m%d%H%M%S") : g_strdup("0");
	g_autofree char *seq = g_strdup_printf("%" G_GINT64_FORMAT, in->id);
	const char *const parts[] = {in->d->parent, in->d->rule, in->d->item,
				     seq};
	const char *at = strchr(in->p->address, '@');

	for (guint i = 0; i < G_N_ELEMENTS(parts); i++) {
		if (parts[i])
			g_checksum_update(sum, (const guchar *)parts[i], -1);
		g_checksum_update(sum, (const guchar *)"", 1);
	}
	return g_strdup_printf("culprit.%s.%s.%.8s@%s", when, seq,
			       g_checksum_get_string(sum),
			       in->p->host ? in->p->host
			       : at	   ? at + 1
					   : "localhost");
}

static gboolean has_extra(const GString *extra, const char *name)
{
	g_auto(GStrv) lines = g_strsplit(extra->str, "\n", -1);

	for (guint i = 0; lines[i]; i++)
		if (!g_ascii_strncasecmp(lines[i], name, strlen(name)))
			return TRUE;
	return FALSE;
}

static void add_extra(GString *extra, const char *name, const char *value)
{
	if (value && !has_extra(extra, name))
		g_string_append_printf(extra, "%s %s\n", name, value);
}

/* That a program wrote it, so that no program answers. */
static char *make_extra(const struct intake *in)
{
	const struct outgoing *m = in->d->mail;
	GString *extra = g_string_new(NULL);
	g_autofree char *number = g_strdup_printf("%" G_GINT64_FORMAT, in->id);

	for (guint i = 0; i < m->extra->len; i++)
		g_string_append_printf(extra, "%s\n",
				       (const char *)m->extra->pdata[i]);
	add_extra(extra, "Auto-Submitted:",
		  in->d->parent ? "auto-replied" : "auto-generated");
	add_extra(extra, "X-Culprit-Bot:", number);
	add_extra(extra, "X-Culprit-Regression:", in->d->item);
	return g_string_free(extra, FALSE);
}

static char *join(GPtrArray *lines)
{
	GString *s = g_string_new(NULL);

	for (guint i = 0; i < lines->len; i++)
		g_string_append_printf(s, "%s\n",
				       (const char *)lines->pdata[i]);
	return g_string_free(s, FALSE);
}

/* ---- state */

static gboolean is_unwanted_answer(struct intake *in, GPtrArray *names)
{
	for (guint i = 0; in->p->lists && i < in->p->lists->len; i++) {
		const struct outbox_list *l = in->p->lists->pdata[i];
		g_autofree char *dotted = g_strdup(l->address);

		if (l->reply_to_author)
			continue;
		g_strdelimit(dotted ? dotted : (dotted = g_strdup(l->name)),
			     "@", '.');
		for (guint n = 0; n < names->len; n++)
			if (!g_ascii_strcasecmp(names->pdata[n], dotted) ||
			    !g_ascii_strcasecmp(names->pdata[n], l->name))
				return TRUE;
	}
	return FALSE;
}

/* A list whose authors shall not be answered in private. */
static gboolean check_author(struct intake *in, gboolean *unwanted,
			     GError **err)
{
	g_autoptr(GPtrArray) names = NULL;
	gint64 node;
	int rc;

	*unwanted = FALSE;
	if (in->public || !in->d->parent || in->d->kind > OUTBOX_MISTAKE)
		return TRUE;
	rc = node_find(in->st, in->d->parent, &node, err);
	if (rc <= 0)
		return rc == 0;
	names = item_lists(in->st, node, err);
	*unwanted = names && is_unwanted_answer(in, names);
	return names != NULL;
}

/* Nobody is left, and one of them by his own wish: no person need decide. */
static gboolean is_muted(const struct intake *in)
{
	gboolean muted = FALSE;

	for (guint i = 0; i < in->rcpts->len; i++) {
		const struct outbox_rcpt *r = in->rcpts->pdata[i];

		muted |= r->text && g_str_equal(r->text, MUTED);
	}
	return muted && !in->left;
}

static void decide(struct intake *in, struct outbox_judgement *j,
		   gboolean unwanted, struct outbox_fate *f)
{
	f->state = OUTBOX_CANCELLED;
	if (j->why && j->drop)
		f->why = g_strdup(j->why);
	else if (is_muted(in))
		f->why = g_strdup(MUTED);
	else if (unwanted)
		f->why = g_strdup("a list with reply-to-author=no");
	else if (in->public && in->quiet && in->d->good_news)
		f->why = g_strdup("a list with quiet-on-good-news=yes");
	if (f->why)
		return;
	f->state = OUTBOX_HELD;
	if (!in->left)
		f->why = g_strdup("nobody is left whom the settings allow");
	else if (in->left > OUTBOX_MAX_RECIPIENTS)
		f->why = g_strdup("more than 30 recipients");
	else if (in->p->mode == OUTBOX_DRY_RUN)
		f->state = OUTBOX_DRAFT;
	else if (in->public && in->p->mode == OUTBOX_APPROVE)
		f->why = g_strdup("mode=approve: a person must approve it");
	else if (in->public && in->approve)
		f->why = g_strdup("a list with approve=yes");
	else
		f->state = OUTBOX_APPROVED;
	if (!f->why)
		f->why = g_strdup(j->why ? j->why : "");
}

/* ---- storing */

static gboolean insert(struct intake *in, GError **err)
{
	const struct outgoing *m = in->d->mail;
	g_autofree char *refs = join(m->references);
	g_autofree char *author =
		in->d->author ? g_ascii_strdown(in->d->author, -1) : NULL;

	if (!db_run(in->st->state, err,
		    "INSERT INTO outbox (state, why, kind, rule, parent, item, "
		    "author, public, created, digest, from_name, "
		    "from_address, subject, in_reply_to, refs, extra, body) "
		    "VALUES (9, '', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, "
		    "'', ?)",
		    INT(in->d->kind), TEXT(in->d->rule ? in->d->rule : ""),
		    TEXT(in->d->parent), TEXT(in->d->item), TEXT(author),
		    INT(in->public), INT(in->now),
		    BLOB(in->digest, sizeof(in->digest)), TEXT(m->from->name),
		    TEXT(m->from->address), TEXT(m->subject),
		    TEXT(m->in_reply_to), TEXT(refs), TEXT(in->body->str)))
		return FALSE;
	in->id = sqlite3_last_insert_rowid(db_handle(in->st->state));
	return TRUE;
}

static gboolean insert_rcpts(struct intake *in, GError **err)
{
	for (guint i = 0; i < in->rcpts->len; i++) {
		const struct outbox_rcpt *r = in->rcpts->pdata[i];

		if (!db_run(in->st->state, err,
			    "INSERT INTO outbox_rcpt VALUES "
			    "(?, ?, ?, ?, ?, ?, ?, ?, 0, ?)",
			    INT(in->id), INT(r->number), INT(r->cc),
			    TEXT(r->name), TEXT(r->address), INT(r->is_list),
			    INT(r->is_new), INT(r->told),
			    TEXT(r->text ? r->text : "")))
			return FALSE;
	}
	return TRUE;
}

static gboolean finish(struct intake *in, const struct outbox_judgement *j,
		       const struct outbox_fate *f, GError **err)
{
	g_autofree char *mid = make_mid(in), *extra = make_extra(in);
	gint64 due = in->now + (in->public ? in->p->hold : 0);
	gboolean approved = f->state == OUTBOX_APPROVED;
	gint64 heard = outbox_heard(in->st, in->d->parent, err);

	return heard >= 0 &&
	       db_run(in->st->state, err,
		      "UPDATE outbox SET mid = ?, state = ?, why = ?, "
		      "extra = ?, heard = ?, approved = ?, due = ? "
		      "WHERE id = ?",
		      TEXT(mid), INT(f->state), TEXT(f->why), TEXT(extra),
		      INT(heard), INT(approved ? in->now : DB_NULL),
		      INT(f->state == OUTBOX_CANCELLED
				  ? DB_NULL
				  : MAX(due, j->not_before)),
		      INT(in->id)) &&
	       outbox_log(in->st, in->id, in->now, err, "%s%s%s",
			  outbox_state_name(f->state), *f->why ? ": " : "",
			  f->why);
}

/* Can it be written? What was approved by a rule is sealed at once. */
static gboolean seal(struct intake *in, gboolean approved, GError **err)
{
	g_autoptr(outbox_entry_auto) e = outbox_load(in->st, in->id, err);
	g_autofree char *text = e ? outbox_text_of(e, err) : NULL;
	g_autofree char *hash = text ? outbox_hash_of(text) : NULL;

	return hash && (!approved ||
			db_run(in->st->state, err,
			       "UPDATE outbox SET hash = ?, approved_text = ? "
			       "WHERE id = ?",
			       TEXT(hash), TEXT(text), INT(in->id)));
}

static gboolean take(struct intake *in, struct outbox_fate *f, GError **err)
{
	struct outbox_judgement j;
	gboolean unwanted;

	if (!read_parent(in, err) || !add_rcpts(in, err))
		return FALSE;
	apply_lists(in);
	add_prefixes(in);
	make_digest(in);
	if (!outbox_judge(in->st, in->d, in->digest, sizeof(in->digest),
			  in->public, in->now, &j, err) ||
	    !check_author(in, &unwanted, err))
		return FALSE;
	decide(in, &j, unwanted, f);
	if (!insert(in, err) || !insert_rcpts(in, err) ||
	    !finish(in, &j, f, err) ||
	    !seal(in, f->state == OUTBOX_APPROVED, err))
		return FALSE;
	f->id = in->id;
	return !j.loop ||
	       outbox_note_loop(in->st, in->d->parent, j.why, in->now, err);
}

gboolean outbox_add(store *st, const struct outbox_draft *d,
		    const struct outbox_policy *p, gint64 now,
		    struct outbox_fate *fate, GError **err)
{
	g_autoptr(GPtrArray) own = g_ptr_array_new();
	g_autoptr(GPtrArray) rcpts =
		g_ptr_array_new_with_free_func(outbox_rcpt_free);
	g_autoptr(GHashTable) heard =
		g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	g_autoptr(GString) text = g_string_new(NULL);
	struct intake in = {.st = st,
			    .d = d,
			    .p = p,
			    .now = now,
			    .own = own,
			    .rcpts = rcpts,
			    .heard = heard,
			    .body = text};

	*fate = (struct outbox_fate){.state = OUTBOX_CANCELLED};
	if (!p->address) {
		fate->why = g_strdup("no address= in [bot] of the settings");
		return TRUE;
	}
	g_ptr_array_add(own, p->address);
	for (char **also = p->also; also && *also; also++)
		g_ptr_array_add(own, *also);
	g_ptr_array_add(own, NULL);
	if (take(&in, fate, err))
		return TRUE;
	outbox_fate_clear(fate);
	return FALSE;
}
