/* patch.c - the anatomy of a patch mail: who, what, why, and the diff
 * Puts together what patch_cut.c, patch_tags.c and diff.c find in the text.
 * Never refuses a mail: what is missing is empty. */
#include "mail/patch.h"

#include <string.h>

#include "mail/mime_priv.h"
#include "mail/patch_priv.h"

/* In-body Subject lines are written as headers are: encoded, folded. */
static char *clean_title(const char *value)
{
	g_autofree char *decoded = header_decode(value);
	g_autoptr(subject_auto) subject = subject_parse(decoded, NULL);

	return g_steal_pointer(&subject->base);
}

/* The author of an in-body From; NULL if there is no address in it. */
static struct address *in_body_author(const char *value)
{
	g_autoptr(GPtrArray) list = NULL;
	const struct address *first;

	if (!value || !strchr(value, '@'))
		return NULL;
	list = address_parse_list(value);
	if (!list->len)
		return NULL;
	first = g_ptr_array_index(list, 0);
	return *first->address ? address_copy(first) : NULL;
}

static void take_cut(struct patch *p, const struct patch_cut *cut)
{
	struct address *author = in_body_author(cut->from);

	if (author) {
		address_free(p->author);
		p->author = author;
		p->author_in_body = TRUE;
	}
	if (cut->subject) {
		g_free(p->title);
		p->title = clean_title(cut->subject);
	}
	p->commit_message = g_strndup(cut->message, cut->message_len);
	p->message_line = MAX(cut->message_line, 1);
	p->notes = g_strndup(cut->notes, cut->notes_len);
	p->notes_line = MAX(cut->notes_line, 1);
	p->scissors = cut->scissors;
}

static void read_texts(struct patch *p, const char *text, gsize len,
		       gboolean has_diff, int version)
{
	struct patch_cut cut;

	patch_cut_text(&cut, text, len, has_diff);
	take_cut(p, &cut);
	if (has_diff)
		patch_read_older(p, cut.notes, cut.notes_len, version);
	else
		patch_read_older(p, cut.message, cut.message_len, version);
	patch_cut_clear(&cut);
}

/*
 * A patch in an attachment: if it is what format-patch writes, it says all
 * itself; otherwise the mail's own text is the message.
 */
static gboolean read_attached(struct patch *p, const char *bytes, gsize len,
			      int version)
{
	g_autoptr(GString) text = g_string_sized_new(len);
	struct patch_cut cut;
	gboolean says;

	charset_append(text, bytes, p->diff->start, NULL);
	g_string_append(text, "\ndiff --git\n");
	patch_cut_text(&cut, text->str, text->len, TRUE);
	says = cut.from || cut.subject;
	patch_cut_clear(&cut);
	if (says)
		read_texts(p, text->str, text->len, TRUE, version);
	return says;
}

/* The text that holds the message. Flowed mail has blanks stuffed before its
 * lines, which only the bytes of the patch are free of. */
static const char *message_text(const message *msg, gboolean own_diff,
				gsize *len)
{
	const char *bytes = message_patch_bytes(msg, len);

	if (own_diff && message_flowed(msg) &&
	    g_utf8_validate(bytes, (gssize)*len, NULL))
		return bytes;
	*len = message_body_len(msg);
	return message_body(msg);
}

static void read_mail(struct patch *p, const message *msg, int version)
{
	gsize len;
	const char *bytes = message_patch_bytes(msg, &len);
	gboolean attached = message_patch_attached(msg);
	gsize text_len;
	const char *text;

	p->diff = diff_parse(bytes, len, 0);
	text = message_text(msg, p->diff && !attached, &text_len);
	if (!p->diff || !attached || !read_attached(p, bytes, len, version))
		read_texts(p, text, text_len, p->diff && !attached, version);
	if (!p->diff || attached)
		patch_read_tags(p, text, text_len);
	if (p->diff) {
		patch_read_tags(p, bytes, p->diff->start);
		patch_read_tags(p, bytes + p->diff->end, len - p->diff->end);
	}
}

struct patch *patch_parse(const message *msg, const struct subject *subject)
{
	struct patch *p = g_new0(struct patch, 1);

	p->title = g_strdup(subject->base);
	p->author = address_copy(message_from(msg));
	p->prerequisites = g_ptr_array_new_with_free_func(g_free);
	p->older_links = g_ptr_array_new_with_free_func(g_free);
	read_mail(p, msg, subject->version_stated ? subject->version : 0);
	return p;
}

void patch_free(struct patch *p)
{
	if (!p)
		return;
	g_free(p->title);
	address_free(p->author);
	g_free(p->commit_message);
	g_free(p->notes);
	g_free(p->change_id);
	g_free(p->base_commit);
	g_ptr_array_unref(p->prerequisites);
	g_ptr_array_unref(p->older_links);
	diff_free(p->diff);
	g_free(p);
}
