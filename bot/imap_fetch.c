/* imap_fetch.c - sizes and bodies of messages
 * Whose a body is, is told by the line it comes in, whatever the order. */
#include <string.h>

#include "bot/imap_priv.h"

#define SLACK (64 * 1024) /* what a server may be wrong about a size */

static const char no_mail[] = "it does not hand over mail";

static int by_uid(gconstpointer a, gconstpointer b)
{
	const struct imap_mail *x = a, *y = b;

	return x->uid < y->uid ? -1 : x->uid > y->uid;
}

static struct imap_mail *find(struct imap_mail *mails, guint n, guint32 uid)
{
	struct imap_mail key = {.uid = uid};

	return bsearch(&key, mails, n, sizeof(key), by_uid);
}

static struct mailimap_fetch_type *make_type(gboolean bodies)
{
	struct mailimap_fetch_type *t =
		mailimap_fetch_type_new_fetch_att_list_empty();

	mailimap_fetch_type_new_fetch_att_list_add(
		t, mailimap_fetch_att_new_uid());
	if (bodies) {
		mailimap_fetch_type_new_fetch_att_list_add(
			t, mailimap_fetch_att_new_body_peek_section(
				   mailimap_section_new(NULL)));
		return t;
	}
	mailimap_fetch_type_new_fetch_att_list_add(
		t, mailimap_fetch_att_new_rfc822_size());
	mailimap_fetch_type_new_fetch_att_list_add(
		t, mailimap_fetch_att_new_internaldate());
	return t;
}

/* If it fails libetpan has freed the list that it gave. */
static gboolean fetch(imap_session *s, const struct imap_reply *reply,
		      const guint32 *uids, guint n, clist **found, GError **err)
{
	gboolean bodies = reply->max_body > 0;
	struct mailimap_set *set = imap_set(uids, n);
	struct mailimap_fetch_type *type = make_type(bodies);
	struct imap_said *said = imap_begin(s, reply);
	int rc;

	said->uids = uids;
	said->n = n;
	said->bodies = bodies;
	rc = mailimap_uid_fetch(s->etpan, set, type, found);
	mailimap_fetch_type_free(type);
	mailimap_set_free(set);
	if (rc != MAILIMAP_NO_ERROR)
		*found = NULL;
	return imap_check(s, rc, no_mail, err);
}

/* ---- what was answered */

/* One FETCH line. */
struct line {
	struct imap_mail mail;
	gboolean sized;
	const struct mailimap_msg_att_body_section *section;
};

static gint64 read_date(const struct mailimap_date_time *d)
{
	g_autoptr(GDateTime) t =
		g_date_time_new_utc(d->dt_year, d->dt_month, d->dt_day,
				    d->dt_hour, d->dt_min, d->dt_sec);

	return t ? g_date_time_to_unix(t) : 0;
}

static void read_item(const struct mailimap_msg_att_static *a,
		      struct line *line)
{
	switch (a->att_type) {
	case MAILIMAP_MSG_ATT_UID:
		line->mail.uid = a->att_data.att_uid;
		break;
	case MAILIMAP_MSG_ATT_RFC822_SIZE:
		line->mail.size = a->att_data.att_rfc822_size;
		line->sized = TRUE;
		break;
	case MAILIMAP_MSG_ATT_INTERNALDATE:
		line->mail.received = read_date(a->att_data.att_internal_date);
		break;
	case MAILIMAP_MSG_ATT_BODY_SECTION:
		line->section = a->att_data.att_body_section;
		break;
	default:
		break;
	}
}

static struct line read_line(const struct mailimap_msg_att *att)
{
	struct line line = {0};

	for (clistiter *i = clist_begin(att->att_list); i; i = clist_next(i)) {
		const struct mailimap_msg_att_item *item = clist_content(i);

		if (item->att_type == MAILIMAP_MSG_ATT_ITEM_STATIC)
			read_item(item->att_data.att_static, &line);
	}
	return line;
}

/* ---- sizes */

GArray *imap_session_sizes(imap_session *s, const guint32 *uids, guint n,
			   GError **err)
{
	static const struct imap_reply reply = {.line = imap_say_fetch};
	g_autoptr(GArray) out =
		g_array_new(FALSE, TRUE, sizeof(struct imap_mail));
	g_autofree struct imap_mail *asked = g_new0(struct imap_mail, n);
	g_autofree gboolean *seen = g_new0(gboolean, n);
	clist *found = NULL;
	gboolean ok;

	for (guint i = 0; i < n; i++)
		asked[i].uid = uids[i];
	ok = fetch(s, &reply, uids, n, &found, err);
	for (clistiter *i = found ? clist_begin(found) : NULL; i;
	     i = clist_next(i)) {
		struct line line = read_line(clist_content(i));
		struct imap_mail *m = find(asked, n, line.mail.uid);

		if (!m)
			continue;
		*m = line.mail;
		seen[m - asked] = TRUE;
	}
	if (found)
		mailimap_fetch_list_free(found);
	for (guint i = 0; ok && i < n; i++)
		if (seen[i])
			g_array_append_val(out, asked[i]);
	return ok ? g_steal_pointer(&out) : NULL;
}

/* ---- bodies */

/* They come to a handler in pieces, each with the section of its line, which
 * tells them apart; whose they are is known once the answer is complete. */
struct piece {
	const struct mailimap_msg_att_body_section *section; /* libetpan's */
	GByteArray *bytes;
};

static void piece_free(gpointer data)
{
	struct piece *p = data;

	if (p->bytes)
		g_byte_array_unref(p->bytes);
	g_free(p);
}

static bool on_body(int type, struct mailimap_msg_att_body_section *section,
		    const char *bytes, size_t len, void *data)
{
	GPtrArray *pieces = data;
	struct piece *p = NULL;

	if (pieces->len > 0)
		p = pieces->pdata[pieces->len - 1];
	if (!p || p->section != section) {
		p = g_new0(struct piece, 1);
		p->section = section;
		p->bytes = g_byte_array_new();
		g_ptr_array_add(pieces, p);
	}
	g_byte_array_append(p->bytes, (const guint8 *)bytes, (guint)len);
	return true;
}

/* CRLF to LF, in place. */
static void normalise(GByteArray *b)
{
	guint out = 0;

	for (guint i = 0; i < b->len; i++)
		if (b->data[i] != '\r' || i + 1 == b->len ||
		    b->data[i + 1] != '\n')
			b->data[out++] = b->data[i];
	g_byte_array_set_size(b, out);
}

/* The body of a line; lines and bodies come in the same order, but an empty
 * one does not come. */
static GByteArray *take_body(GPtrArray *pieces, guint *next,
			     const struct mailimap_msg_att_body_section *of)
{
	struct piece *p = *next < pieces->len ? pieces->pdata[*next] : NULL;

	if (!p || p->section != of)
		return g_byte_array_new();
	(*next)++;
	return g_steal_pointer(&p->bytes);
}

/* FALSE: there is one that belongs to no line. */
static gboolean bind_bodies(clist *found, GPtrArray *pieces,
			    struct imap_mail *mails, guint n)
{
	guint next = 0;

	for (clistiter *i = clist_begin(found); i; i = clist_next(i)) {
		struct line line = read_line(clist_content(i));
		struct imap_mail *m = find(mails, n, line.mail.uid);
		g_autoptr(GByteArray) taken = NULL;

		if (line.section)
			taken = take_body(pieces, &next, line.section);
		if (!m || m->body)
			continue;
		m->larger |= line.sized;
		m->body = g_steal_pointer(&taken);
		if (m->body)
			normalise(m->body);
	}
	return next == pieces->len;
}

gboolean imap_session_bodies(imap_session *s, struct imap_mail *mails, guint n,
			     guint64 max, GError **err)
{
	struct imap_reply reply = {.max_body = 2 * max + SLACK,
				   .keep = max,
				   .line = imap_say_fetch};
	g_autoptr(GPtrArray) pieces =
		g_ptr_array_new_with_free_func(piece_free);
	g_autofree guint32 *uids = g_new(guint32, n);
	clist *found = NULL;
	gboolean ok;

	for (guint i = 0; i < n; i++) {
		uids[i] = mails[i].uid;
		reply.max_bodies += 2 * mails[i].size + SLACK;
	}
	mailimap_set_msg_body_handler(s->etpan, on_body, pieces);
	ok = fetch(s, &reply, uids, n, &found, err);
	mailimap_set_msg_body_handler(s->etpan, NULL, NULL);
	if (ok && found && !bind_bodies(found, pieces, mails, n))
		ok = imap_check(s, MAILIMAP_ERROR_PARSE, no_mail, err);
	if (found)
		mailimap_fetch_list_free(found);
	return ok && imap_session_noop(s, err);
}
