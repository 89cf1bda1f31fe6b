/* imap_idle.c - hearing of new mail: IDLE, and asking where there is none */
#include "bot/imap_priv.h"

#define MAX_PIECES 1024 /* read at once of what a server says by itself */

gboolean imap_session_has_news(imap_session *s)
{
	return imap_stream_guard(s->stream)->news;
}

gboolean imap_session_is_idle(const imap_session *s)
{
	return s->idle;
}

int imap_session_fd(const imap_session *s)
{
	return imap_stream_fd(s->stream);
}

gboolean imap_session_noop(imap_session *s, GError **err)
{
	imap_begin(s, NULL);
	return imap_check(s, mailimap_noop(s->etpan), "it does not answer",
			  err);
}

/* libetpan's own loses its way when something is said before the "+": it
 * hears nothing of that. */
gboolean imap_session_idle_begin(imap_session *s, GError **err)
{
	static const struct imap_reply reply = {.asks = TRUE};
	int rc;

	imap_begin(s, &reply);
	rc = mailimap_idle(s->etpan);
	s->idle = rc == MAILIMAP_NO_ERROR && !imap_stream_error(s->stream) &&
		  imap_stream_guard(s->stream)->ended == IMAP_END_ASKED;
	return s->idle || imap_check(s, MAILIMAP_NO_ERROR,
				     "it does not tell of new mail", err);
}

gboolean imap_session_idle_end(imap_session *s, GError **err)
{
	if (!s->idle)
		return TRUE;
	s->idle = FALSE;
	imap_stream_begin(s->stream, NULL)->tag = s->etpan->imap_tag;
	return imap_check(s, mailimap_idle_done(s->etpan),
			  "it does not tell of new mail", err);
}

gboolean imap_session_hear(imap_session *s, GError **err)
{
	int there = imap_stream_wait(s->stream, 0, err);

	for (guint i = 0; there > 0 && i < MAX_PIECES; i++) {
		enum imap_end end = IMAP_END_NOT;

		imap_stream_begin(s->stream, NULL);
		if (!imap_stream_hear(s->stream, &end, err))
			return FALSE;
		/* it ended IDLE by itself: begin anew */
		if (end == IMAP_END_DONE)
			s->idle = FALSE;
		there = imap_stream_wait(s->stream, 0, err);
	}
	return there >= 0;
}
