/* search_doc.c - which words of a message are found under which prefix */
#include "mail/reading.h"

#include "db/search_priv.h"

static void add_text(GString *out, const char *text, gsize len)
{
	gsize room =
		out->len < SEARCH_MAX_TEXT ? SEARCH_MAX_TEXT - out->len : 0;

	g_string_append_len(out, text, (gssize)MIN(len, room));
	g_string_append_c(out, '\n');
}

static void add_line(GString *out, const char *text)
{
	if (text && *text)
		add_text(out, text, strlen(text));
}

static void add_person(GString *out, const struct address *who)
{
	if (!who)
		return;
	add_line(out, who->name);
	add_line(out, who->address);
}

static void add_people(GString *out, const GPtrArray *people)
{
	for (guint i = 0; people && i < people->len; i++)
		add_person(out, people->pdata[i]);
}

static void add_attached_patch(GString *out, const message *msg)
{
	gsize len;
	const char *bytes = message_patch_bytes(msg, &len);
	g_autofree char *valid = NULL;

	if (!message_patch_attached(msg))
		return;
	valid = g_utf8_make_valid(bytes, (gssize)MIN(len, SEARCH_MAX_TEXT));
	add_line(out, valid);
}

static void add_files(GString *out, const struct patch *patch)
{
	const GPtrArray *files;

	if (!patch || !patch->diff)
		return;
	files = patch->diff->files;
	for (guint i = 0; i < files->len; i++) {
		const struct diff_file *file = files->pdata[i];

		add_line(out, file->path);
		add_line(out, file->old_path);
	}
}

static void add_trailers(GString *out, const GPtrArray *trailers)
{
	for (guint i = 0; trailers && i < trailers->len; i++) {
		const struct trailer *t = trailers->pdata[i];

		g_string_append(out, t->key);
		g_string_append_c(out, ' ');
		add_line(out, t->value);
	}
}

struct search_doc *search_doc_new(const struct reading *r)
{
	struct search_doc *doc = g_new0(struct search_doc, 1);
	const struct address *from = message_from(r->msg);
	GString **text = doc->text;

	for (int i = 0; i < COLUMNS; i++)
		text[i] = g_string_new(NULL);
	add_line(text[COLUMN_SUBJECT], message_subject(r->msg));
	add_person(text[COLUMN_SENDER], from);
	if (!strstr(message_from_header(r->msg), from->address))
		add_line(text[COLUMN_SENDER], message_from_header(r->msg));
	add_people(text[COLUMN_TO], message_to(r->msg));
	add_people(text[COLUMN_CC], message_cc(r->msg));
	body_split(r->body, text[COLUMN_OWN], text[COLUMN_QUOTED],
		   text[COLUMN_DIFF]);
	for (int i = COLUMN_OWN; i <= COLUMN_DIFF; i++)
		if (text[i]->len > SEARCH_MAX_TEXT)
			g_string_truncate(text[i], SEARCH_MAX_TEXT);
	add_attached_patch(text[COLUMN_DIFF], r->msg);
	add_files(text[COLUMN_FILE], r->patch);
	add_trailers(text[COLUMN_TRAILER], r->trailers);
	return doc;
}

void search_doc_free(struct search_doc *doc)
{
	if (!doc)
		return;
	for (int i = 0; i < COLUMNS; i++)
		g_string_free(doc->text[i], TRUE);
	g_free(doc);
}
