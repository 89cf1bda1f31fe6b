/* send_file.c - mail as files in a folder: whole or not at all, once each */
#include <errno.h>

#include "bot/send.h"

static void put(sender *x, const struct send_job *job, struct outbox_result *r)
{
	g_autofree char *name =
		g_strdup_printf("%s.eml", job->entry->message_id);
	g_autofree char *path = g_build_filename(x->s->folder, name, NULL);
	g_autoptr(GError) err = NULL;
	g_autoptr(GBytes) bytes = send_bytes(job, OUTGOING_EML, TRUE, &err);
	gsize len;
	const char *text = bytes ? g_bytes_get_data(bytes, &len) : NULL;

	if (!text) {
		send_tell_all(job, r, OUTBOX_PERM, 0, err->message);
		return;
	}
	if (g_mkdir_with_parents(x->s->folder, 0700)) {
		r->host = TRUE;
		send_tell_all(job, r, OUTBOX_TEMP, 0, g_strerror(errno));
	} else if (!g_file_set_contents_full(
			   path, text, (gssize)len,
			   G_FILE_SET_CONTENTS_CONSISTENT |
				   G_FILE_SET_CONTENTS_DURABLE,
			   0600, &err)) {
		r->host = TRUE;
		send_tell_all(job, r, OUTBOX_TEMP, 0, err->message);
	} else {
		send_tell_all(job, r, OUTBOX_OK, 0, path);
	}
}

const struct send_ops send_file = {.name = "file", .send = put};
