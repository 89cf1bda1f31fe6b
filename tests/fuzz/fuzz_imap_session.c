/* fuzz_imap_session.c - any bytes as what an IMAP server says to a session:
 * the guard, the lines said again, and libetpan behind them
 * The first byte chooses where the bytes are cut. tls_stream is played here: no
 * socket is opened. */
#include <stdint.h>
#include <string.h>

#include "bot/imap_session.h"
#include "bot/tls_stream.h"

#define MAX_BODY 500

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* ---- a server that has said all it will ever say */

struct tls_stream {
	int unused;
};
static struct tls_stream only;
static const char *input;
static gsize left, piece;
static gboolean greeted; /* a server waits then */

tls_stream *tls_stream_open(const struct endpoint *to, GCancellable *cancel,
			    GError **err)
{
	return &only;
}

void tls_stream_close(tls_stream *s)
{
}

void tls_stream_begin(tls_stream *s)
{
}

gssize tls_stream_read(tls_stream *s, void *buf, gsize len, GError **err)
{
	gsize n = MIN(MIN(len, piece), left);

	for (gsize i = 0; !greeted && i < n; i++)
		if (input[i] == '\n') {
			greeted = TRUE;
			n = i + 1;
		}
	memcpy(buf, input, n);
	input += n;
	left -= n;
	return (gssize)n;
}

gboolean tls_stream_write(tls_stream *s, const void *bytes, gsize len,
			  GError **err)
{
	const char *end = memchr(bytes, '\n', len);

	/* a command is one line, whatever the server said before */
	g_assert(!end || end == (const char *)bytes + len - 1);
	return TRUE;
}

int tls_stream_wait(tls_stream *s, guint seconds, GError **err)
{
	return left > 0;
}

int tls_stream_fd(const tls_stream *s)
{
	return -1;
}

const char *tls_stream_name(const tls_stream *s)
{
	return "example.org:143";
}

/* ---- everything a session can be asked */

static gboolean look(imap_session *s, GError **err)
{
	g_autoptr(GPtrArray) names = imap_session_list(s, "*", err);
	struct imap_box box;

	for (guint i = 0; names && i < names->len; i++)
		g_assert(g_utf8_validate(names->pdata[i], -1, NULL));
	return names && imap_session_select(s, "INBOX", TRUE, &box, err);
}

static gboolean take(imap_session *s, GError **err)
{
	static const guint32 asked[] = {1, 2, 3, 5, 9};
	const guint n = G_N_ELEMENTS(asked);
	g_autoptr(GArray) uids = imap_session_search(s, 2, 0, 86400, err);
	g_autoptr(GArray) sizes = NULL;
	struct imap_mail mails[G_N_ELEMENTS(asked)] = {0};
	gboolean ok;

	for (guint i = 1; uids && i < uids->len; i++)
		g_assert(g_array_index(uids, guint32, i - 1) <
			 g_array_index(uids, guint32, i));
	if (uids)
		sizes = imap_session_sizes(s, asked, n, err);
	if (!sizes)
		return FALSE;
	for (guint i = 0; i < n; i++)
		mails[i].uid = asked[i];
	ok = imap_session_bodies(s, mails, n, MAX_BODY, err);
	for (guint i = 0; i < n; i++) {
		g_assert(!mails[i].body || mails[i].body->len <= MAX_BODY);
		g_clear_pointer(&mails[i].body, g_byte_array_unref);
	}
	return ok;
}

static gboolean settle(imap_session *s, GError **err)
{
	static const guint32 done[] = {1, 2, 5};
	g_autoptr(GArray) uids = g_array_new(FALSE, FALSE, sizeof(guint32));

	g_array_append_vals(uids, done, G_N_ELEMENTS(done));
	/* hearing takes whatever is left: it comes last */
	return imap_session_idle_begin(s, err) &&
	       imap_session_idle_end(s, err) &&
	       imap_session_mark_seen(s, uids, err) &&
	       imap_session_move(s, uids, "old", err) &&
	       imap_session_idle_begin(s, err) && imap_session_hear(s, err);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct remote guest = {0};
	g_autoptr(imap_session) s = NULL;
	g_autoptr(GError) err = NULL;

	if (size == 0)
		return 0;
	piece = data[0] ? data[0] : G_MAXSIZE;
	input = (const char *)data + 1;
	left = size - 1;
	greeted = data[0] % 2 == 1;
	s = imap_session_open(&guest, NULL, &err);
	if (!s || !look(s, &err) || !take(s, &err) || !settle(s, &err)) {
		g_assert(err->domain == NET_ERROR);
		g_assert(g_utf8_validate(err->message, -1, NULL));
		g_assert(!strpbrk(err->message, "\r\n\033"));
	}
	return 0;
}
