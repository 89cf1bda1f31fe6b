/* outgoing.c - a mail of our own as bytes */
#include "mail/outgoing.h"

#include <string.h>

#include "mail/date.h"
#include "mail/error.h"
#include "mail/mbox.h"
#include "mail/outgoing_priv.h"

struct outgoing *outgoing_new(void)
{
	struct outgoing *m = g_new0(struct outgoing, 1);

	m->to = g_ptr_array_new_with_free_func((GDestroyNotify)address_free);
	m->cc = g_ptr_array_new_with_free_func((GDestroyNotify)address_free);
	m->references = g_ptr_array_new_with_free_func(g_free);
	m->extra = g_ptr_array_new_with_free_func(g_free);
	return m;
}

void outgoing_free(struct outgoing *m)
{
	if (!m)
		return;
	address_free(m->from);
	g_ptr_array_unref(m->to);
	g_ptr_array_unref(m->cc);
	g_free(m->subject);
	g_free(m->message_id);
	g_free(m->in_reply_to);
	g_ptr_array_unref(m->references);
	g_ptr_array_unref(m->extra);
	g_free(m->body);
	g_free(m);
}

/* ---- header lines */

/* A header being written; its value is checked and folded at blanks. */
struct field {
	GString *out;
	gsize column;
	gboolean bad;
};

/* A piece that is never broken inside; a blank, or a fold, stands before it. */
static void add_piece(struct field *f, const char *piece)
{
	gsize len = strlen(piece);

	f->bad |= strpbrk(piece, "\r\n") != NULL;
	if (f->column + 1 + len > OUTGOING_FOLD && f->column > 0 &&
	    f->out->str[f->out->len - 1] != ':') {
		g_string_append(f->out, "\n ");
		f->column = 1;
	} else {
		g_string_append_c(f->out, ' ');
		f->column++;
	}
	g_string_append_len(f->out, piece, (gssize)len);
	f->column += len;
}

static void begin(struct field *f, const char *name)
{
	g_string_append_printf(f->out, "%s:", name);
	f->column = strlen(name) + 1;
}

static void end(struct field *f)
{
	g_string_append_c(f->out, '\n');
}

static void add_words(struct field *f, const char *value)
{
	g_auto(GStrv) words = g_strsplit(value, " ", -1);

	for (guint i = 0; words[i]; i++)
		if (*words[i])
			add_piece(f, words[i]);
}

static void write_text(struct field *f, const char *name, const char *value)
{
	g_autoptr(GString) encoded = g_string_new(NULL);

	f->bad |= strpbrk(value, "\r\n") != NULL;
	outgoing_encode(encoded, value, FALSE);
	begin(f, name);
	add_words(f, encoded->str);
	end(f);
}

static void write_addresses(struct field *f, const char *name, GPtrArray *all)
{
	if (!all->len)
		return;
	begin(f, name);
	for (guint i = 0; i < all->len; i++) {
		const struct address *a = all->pdata[i];
		g_autofree char *text = outgoing_address(a);
		g_autofree char *piece =
			g_strconcat(text, i + 1 < all->len ? "," : "", NULL);

		f->bad |= !g_str_is_ascii(a->address);
		f->bad |= strpbrk(piece, "\r\n") != NULL;
		if (strlen(piece) > OUTGOING_FOLD - 1)
			add_words(f, piece);
		else
			add_piece(f, piece);
	}
	end(f);
}

static void write_ids(struct field *f, const char *name, GPtrArray *ids)
{
	if (!ids->len)
		return;
	begin(f, name);
	for (guint i = 0; i < ids->len; i++)
		add_piece(f, ids->pdata[i]);
	end(f);
}

static void write_id(struct field *f, const char *name, const char *id)
{
	if (!id)
		return;
	begin(f, name);
	add_piece(f, id);
	end(f);
}

static void write_extra(struct field *f, GPtrArray *extra)
{
	for (guint i = 0; i < extra->len; i++) {
		f->bad |= strpbrk(extra->pdata[i], "\r\n") != NULL;
		g_string_append_printf(f->out, "%s\n",
				       (const char *)extra->pdata[i]);
	}
}

static void write_mime(struct field *f, const char *body,
		       enum outgoing_encoding encoding)
{
	static const char *const names[] = {"7bit", "8bit", "quoted-printable"};

	g_string_append_printf(f->out,
			       "MIME-Version: 1.0\n"
			       "Content-Type: text/plain; charset=%s\n"
			       "Content-Transfer-Encoding: %s\n",
			       g_str_is_ascii(body) ? "us-ascii" : "utf-8",
			       names[encoding]);
}

static gboolean write_head(GString *out, const struct outgoing *m,
			   enum outgoing_encoding encoding, GError **err)
{
	struct field f = {.out = out};
	g_autofree char *date = date_to_mail(m->date);
	g_autofree char *from = outgoing_address(m->from);

	f.bad = strpbrk(from, "\r\n") || !g_str_is_ascii(m->from->address);
	begin(&f, "From");
	add_words(&f, from);
	end(&f);
	write_addresses(&f, "To", m->to);
	write_addresses(&f, "Cc", m->cc);
	write_text(&f, "Subject", m->subject);
	write_id(&f, "Date", date);
	write_id(&f, "Message-ID", m->message_id);
	write_id(&f, "In-Reply-To", m->in_reply_to);
	write_ids(&f, "References", m->references);
	write_extra(&f, m->extra);
	write_mime(&f, m->body, encoding);
	if (!f.bad && m->to->len)
		return TRUE;
	g_set_error(err, MAIL_ERROR, MAIL_ERROR_SYNTAX,
		    m->to->len ? "a header would hold a line end, or an "
				 "address is no ASCII"
			       : "nobody is left to send it to");
	return FALSE;
}

/* ---- forms */

static void add_cr(GString *out, const char *text)
{
	for (; *text; text++) {
		if (*text == '\n')
			g_string_append_c(out, '\r');
		g_string_append_c(out, *text);
	}
}

static void write_body(GString *out, const char *body,
		       enum outgoing_encoding encoding)
{
	gsize from = out->len;

	if (encoding == OUTGOING_QP)
		outgoing_qp(out, body);
	else
		g_string_append(out, body);
	if (out->len > from && out->str[out->len - 1] != '\n')
		g_string_append_c(out, '\n');
}

GBytes *outgoing_write(const struct outgoing *m, enum outgoing_form form,
		       gboolean eight_bit, GError **err)
{
	enum outgoing_encoding encoding = outgoing_choose(m->body, eight_bit);
	g_autoptr(GString) plain = g_string_new(NULL);
	GString *out;

	if (!write_head(plain, m, encoding, err))
		return NULL;
	g_string_append_c(plain, '\n');
	write_body(plain, m->body, encoding);
	if (form == OUTGOING_EML)
		return g_string_free_to_bytes(g_steal_pointer(&plain));
	out = g_string_new(NULL);
	if (form == OUTGOING_MBOX)
		mbox_append(out, plain->str, plain->len);
	else
		add_cr(out, plain->str);
	return g_string_free_to_bytes(out);
}
