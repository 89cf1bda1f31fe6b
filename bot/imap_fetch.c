/* imap_fetch.c - sizes and bodies of messages
 * Bodies come in pieces to a handler, which knows them by their section only;
 * whose they are is told by the answer they were in, once it is complete. */
#include <string.h>

#include "bot/imap_priv.h"

#define SLACK (64 * 1024) /* what a server may be wrong about a size */

/* One literal of an answer. */
struct literal {
	const struct mailimap_msg_att_body_section *section; /* libetpan's */
	GByteArray *bytes; /* NULL once it is larger than max_body */
};

static void literal_free(gpointer data)
{
	struct literal *b = data;

	if (b->bytes)
		g_byte_array_unref(b->bytes);
	g_free(b);
}

static struct literal *
literal_of(imap_session *s, const struct mailimap_msg_att_body_section *section)
{
	struct literal *b = NULL;

	if (s->bodies->len > 0)
		b = s->bodies->pdata[s->bodies->len - 1];
	if (b && b->section == section)
		return b;
	b = g_new0(struct literal, 1);
	b->section = section;
	b->bytes = g_byte_array_new();
	g_ptr_array_add(s->bodies, b);
	return b;
}

static bool on_body(int type, struct mailimap_msg_att_body_section *section,
		    const char *bytes, size_t len, void *data)
{
	imap_session *s = data;
	struct literal *b = literal_of(s, section);

	if (b->bytes && b->bytes->len + len > s->max_body)
		g_clear_pointer(&b->bytes, g_byte_array_unref);
	if (b->bytes)
		g_byte_array_append(b->bytes, (const guint8 *)bytes,
				    (guint)len);
	return true;
}

void imap_fetch_prepare(imap_session *s)
{
	s->bodies = g_ptr_array_new_with_free_func(literal_free);
	mailimap_set_msg_body_handler(s->etpan, on_body, s);
}

void imap_fetch_clear(imap_session *s)
{
	if (s->bodies)
		g_ptr_array_unref(s->bodies);
}

/* ---- asking */

static struct mailimap_set *make_set(const guint32 *uids, guint n)
{
	struct mailimap_set *set = mailimap_set_new_empty();

	for (guint i = 0, j; i < n; i = j) {
		for (j = i + 1; j < n && uids[j] == uids[j - 1] + 1; j++)
			;
		mailimap_set_add_interval(set, uids[i], uids[j - 1]);
	}
	return set;
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

/* The list is yours, also if it fails. */
static gboolean fetch(imap_session *s, const guint32 *uids, guint n,
		      gboolean bodies, clist **found, GError **err)
{
	struct mailimap_set *set = make_set(uids, n);
	struct mailimap_fetch_type *type = make_type(bodies);
	int rc = mailimap_uid_fetch(s->etpan, set, type, found);

	mailimap_fetch_type_free(type);
	mailimap_set_free(set);
	return imap_check(s, rc, "it does not hand over mail", err);
}

/* ---- what was answered */

static gint64 read_date(const struct mailimap_date_time *d)
{
	g_autoptr(GDateTime) t =
		g_date_time_new_utc(d->dt_year, d->dt_month, d->dt_day,
				    d->dt_hour, d->dt_min, MIN(d->dt_sec, 59));
	gint64 zone = d->dt_zone / 100 * 3600 + d->dt_zone % 100 * 60;

	return t ? g_date_time_to_unix(t) - zone : 0;
}

/* One FETCH line. */
struct line {
	struct imap_mail mail;
	gboolean sized;
	const struct mailimap_msg_att_body_section *section;
};

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

static int by_uid(gconstpointer a, gconstpointer b)
{
	guint32 x = *(const guint32 *)a, y = *(const guint32 *)b;

	return x < y ? -1 : x > y;
}

static gboolean is_asked(const guint32 *uids, guint n, guint32 uid)
{
	return bsearch(&uid, uids, n, sizeof(uid), by_uid) != NULL;
}

static int by_mail_uid(gconstpointer a, gconstpointer b)
{
	const struct imap_mail *x = a, *y = b;

	return x->uid < y->uid ? -1 : x->uid > y->uid;
}

GArray *imap_session_sizes(imap_session *s, const guint32 *uids, guint n,
			   GError **err)
{
	g_autoptr(GArray) out =
		g_array_new(FALSE, TRUE, sizeof(struct imap_mail));
	clist *found = NULL;
	gboolean ok;

	imap_stream_begin(s->stream, 0, 0);
	ok = fetch(s, uids, n, FALSE, &found, err);
	for (clistiter *i = ok && found ? clist_begin(found) : NULL; i;
	     i = clist_next(i)) {
		struct line line = read_line(clist_content(i));

		if (line.sized && is_asked(uids, n, line.mail.uid) &&
		    out->len < n)
			g_array_append_val(out, line.mail);
	}
	if (found)
		mailimap_fetch_list_free(found);
	g_array_sort(out, by_mail_uid);
	return ok ? g_steal_pointer(&out) : NULL;
}

/* ---- bodies */

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

static struct imap_mail *find_mail(struct imap_mail *mails, guint n,
				   guint32 uid)
{
	struct imap_mail key = {.uid = uid};

	return bsearch(&key, mails, n, sizeof(key), by_mail_uid);
}

static struct literal *find_body(imap_session *s, guint *next,
				 const struct mailimap_msg_att_body_section *of)
{
	for (guint i = 0; of && i < s->bodies->len; i++) {
		struct literal *b =
			s->bodies->pdata[(*next + i) % s->bodies->len];

		if (b->section == of) {
			*next = (*next + i + 1) % s->bodies->len;
			return b;
		}
	}
	return NULL;
}

/* Lines and bodies come in the same order: each is found at once. */
static void bind(imap_session *s, clist *found, struct imap_mail *mails,
		 guint n)
{
	guint next = 0;

	for (clistiter *i = clist_begin(found); i; i = clist_next(i)) {
		struct line line = read_line(clist_content(i));
		struct imap_mail *m = find_mail(mails, n, line.mail.uid);
		struct literal *b =
			m ? find_body(s, &next, line.section) : NULL;

		if (!b || m->body)
			continue;
		m->larger = !b->bytes;
		m->body = g_steal_pointer(&b->bytes);
		if (m->body)
			normalise(m->body);
	}
}

static gboolean take_bodies(imap_session *s, struct imap_mail *mails, guint n,
			    GError **err)
{
	g_autofree guint32 *uids = g_new(guint32, n);
	guint64 sum = 0;
	clist *found = NULL;
	gboolean ok;

	for (guint i = 0; i < n; i++) {
		uids[i] = mails[i].uid;
		sum += mails[i].size;
	}
	imap_stream_begin(s->stream, 2 * s->max_body + SLACK,
			  2 * sum + n * (guint64)SLACK);
	ok = fetch(s, uids, n, TRUE, &found, err);
	if (ok && found)
		bind(s, found, mails, n);
	if (found)
		mailimap_fetch_list_free(found);
	return ok;
}

gboolean imap_session_bodies(imap_session *s, struct imap_mail *mails, guint n,
			     guint64 max, GError **err)
{
	gboolean ok;

	s->max_body = max;
	ok = take_bodies(s, mails, n, err) && imap_session_noop(s, err);
	g_ptr_array_set_size(s->bodies, 0);
	return ok;
}
