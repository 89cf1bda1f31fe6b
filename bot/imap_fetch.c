/* imap_fetch.c - sizes and bodies of messages
 * Whose a body is, is told by the line it comes in, whatever the order. */
#include <string.h>

#include "bot/imap_priv.h"
#include "bot/imap_text.h"

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

/* "UID FETCH SET ITEMS" */
static char *make_command(const guint32 *uids, guint n, const char *items)
{
	g_autofree char *set = imap_set(uids, n);

	return g_strjoin(" ", "UID FETCH", set, items, NULL);
}

/* ---- sizes */

/* The mails that were asked for, and which of them the answer has. */
struct sizes {
	struct imap_mail *asked;
	guint n;
	gboolean *seen;
};

static gboolean on_size(const char *line, GPtrArray *literals, void *data)
{
	struct sizes *z = data;
	struct imap_fetched f;
	struct imap_mail *m;

	if (!imap_text_fetch(line, literals, &f))
		return FALSE;
	g_clear_pointer(&f.body, g_byte_array_unref);
	m = f.is && f.sized ? find(z->asked, z->n, f.uid) : NULL;
	if (!m)
		return TRUE;
	m->size = f.size;
	m->received = f.received;
	z->seen[m - z->asked] = TRUE;
	return TRUE;
}

GArray *imap_session_sizes(imap_session *s, const guint32 *uids, guint n,
			   GError **err)
{
	g_autoptr(GArray) out =
		g_array_new(FALSE, TRUE, sizeof(struct imap_mail));
	g_autofree struct imap_mail *asked = g_new0(struct imap_mail, n);
	g_autofree gboolean *seen = g_new0(gboolean, n);
	struct sizes sizes = {asked, n, seen};
	const struct imap_reply reply = {.line = on_size, .data = &sizes};
	g_autofree char *command =
		make_command(uids, n, "(UID RFC822.SIZE INTERNALDATE)");

	for (guint i = 0; i < n; i++)
		asked[i].uid = uids[i];
	if (!imap_ask(s, command, &reply, no_mail, err))
		return NULL;
	for (guint i = 0; i < n; i++)
		if (seen[i])
			g_array_append_val(out, asked[i]);
	return g_steal_pointer(&out);
}

/* ---- bodies */

struct bodies {
	struct imap_mail *mails;
	guint n;
};

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

static gboolean on_body(const char *line, GPtrArray *literals, void *data)
{
	struct bodies *b = data;
	struct imap_fetched f;
	struct imap_mail *m;

	if (!imap_text_fetch(line, literals, &f))
		return FALSE;
	m = f.is ? find(b->mails, b->n, f.uid) : NULL;
	if (m && !m->body) {
		m->larger |= f.larger;
		m->body = g_steal_pointer(&f.body);
		if (m->body)
			normalise(m->body);
	}
	g_clear_pointer(&f.body, g_byte_array_unref);
	return TRUE;
}

gboolean imap_session_bodies(imap_session *s, struct imap_mail *mails, guint n,
			     guint64 max, GError **err)
{
	struct bodies bodies = {mails, n};
	struct imap_reply reply = {.max_body = 2 * max + SLACK,
				   .keep = max,
				   .line = on_body,
				   .data = &bodies};
	g_autofree guint32 *uids = g_new(guint32, n);
	g_autofree char *command = NULL;

	for (guint i = 0; i < n; i++) {
		uids[i] = mails[i].uid;
		reply.max_bodies += 2 * mails[i].size + SLACK;
	}
	command = make_command(uids, n, "(UID BODY.PEEK[])");
	return imap_ask(s, command, &reply, no_mail, err) &&
	       imap_session_noop(s, err);
}
