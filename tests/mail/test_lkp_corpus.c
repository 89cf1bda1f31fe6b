/* test_lkp_corpus.c - all tables of a real archive: printed again byte for
 * byte, and the same values whatever a mailer does to the mail */
#include <math.h>
#include <string.h>

#include "mail/lkp_table.h"
#include "mail/message.h"

#include "tests/mail/corpus_help.h"
#include "tests/test.h"

#define TABLES_LEAST 100   /* of the archive */
#define ROWS_LEAST   40000 /* not quoted */
#define QUOTE_MOST   6
#define QP_LINE	     70 /* bytes before a soft break */
#define FLOW_LINE    72

#define HEADERS                            \
	"From: Ann <ann@example.org>\n"    \
	"Message-ID: <copy@example.org>\n" \
	"MIME-Version: 1.0\n"              \
	"Content-Type: text/plain; charset="

static GPtrArray *read_body(const char *text, gsize len)
{
	g_autoptr(body) b = body_parse(text, len);
	GPtrArray *tables =
		g_ptr_array_new_with_free_func((GDestroyNotify)table_free);

	lkp_tables_read(b, tables);
	return tables;
}

/* ---- printing ---- */

struct seen {
	guint tables;
	guint rows;   /* not quoted */
	guint differ; /* of them: not the same bytes, although whole */
	guint mails;
};

/* The row's line of the body, as it stands there. */
static char *source_line(const body *b, const struct table_row *r)
{
	const struct body_line *l = body_line(b, r->line - 1);
	char *text = g_strndup(l->text + l->skip, l->len - l->skip);

	return g_strchomp(text);
}

static void compare_rows(const struct table *t, const body *b,
			 struct seen *seen)
{
	g_autoptr(GString) s = g_string_new(NULL);
	g_autoptr(GHashTable) lines = g_hash_table_new(g_str_hash, g_str_equal);
	g_auto(GStrv) printed = NULL;

	lkp_table_print(t, FALSE, s);
	printed = g_strsplit(s->str, "\n", -1);
	for (guint i = 0; printed[i]; i++)
		g_hash_table_add(lines, printed[i]);
	for (guint i = 0; i < t->rows->len; i++) {
		g_autofree char *line = source_line(b, table_row(t, i));

		if (table_row(t, i)->note)
			continue;
		seen->rows++;
		seen->differ += !g_hash_table_contains(lines, line);
	}
}

/* The numbers, printed by themselves, are the text that was mailed. */
static void compare_numbers(const struct table *t)
{
	g_autoptr(GString) s = g_string_new(NULL);

	for (guint i = 0; i < t->cells->len; i++) {
		const struct table_cell *c =
			&g_array_index(t->cells, struct table_cell, i);
		gboolean percent = c->change_kind == TABLE_CHANGE_PERCENT;

		if (isnan(c->mean))
			continue;
		g_string_truncate(s, 0);
		lkp_print_value(s, c->mean);
		/* 999.996 is "1000.00" */
		if (strcmp(c->printed, "1000.00") != 0)
			ck_assert_str_eq(g_strchug(s->str), c->printed);
		if (!c->change_printed)
			continue;
		s->len = strlen(s->str);
		g_string_truncate(s, 0);
		lkp_print_change(s, c->change,
				 (enum table_change)c->change_kind);
		ck_assert_str_eq(g_strstrip(s->str), c->change_printed);
		ck_assert_int_eq(g_str_has_suffix(s->str, "%"), percent);
		s->len = strlen(s->str);
		if (isnan(c->sd_pct))
			continue;
		g_string_truncate(s, 0);
		lkp_print_sd(s, c->sd_pct + 0.5);
		ck_assert_int_eq((int)c->sd_pct,
				 (int)strtol(s->str + 3, NULL, 10));
	}
}

static void print_again(GBytes *raw, gpointer data)
{
	struct seen *seen = data;
	g_autoptr(message) m = message_parse(raw, 0, NULL);
	g_autoptr(body) b = NULL;
	g_autoptr(GPtrArray) tables = NULL;

	if (!m)
		return;
	b = body_parse(message_body(m), message_body_len(m));
	tables = read_body(message_body(m), message_body_len(m));
	if (tables->len)
		ck_assert(lkp_table_likely(b));
	for (guint i = 0; i < tables->len; i++) {
		const struct table *t = tables->pdata[i];

		seen->tables++;
		ck_assert_uint_eq(t->rejects->len, 0);
		compare_numbers(t);
		if (!t->depth)
			compare_rows(t, b, seen);
	}
}

START_TEST(test_print)
{
	struct seen seen = {0};

	corpus_each(print_again, &seen);
	if (!test_corpus())
		return;
	ck_assert_uint_gt(seen.tables, TABLES_LEAST);
	ck_assert_uint_gt(seen.rows, ROWS_LEAST);
	ck_assert_uint_eq(seen.differ, 0);
}
END_TEST

/* ---- damage ---- */

static char *quoted(const char *text, const char *mark)
{
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
	GString *s = g_string_new(NULL);

	for (guint i = 0; lines[i]; i++)
		g_string_append_printf(s, "%s%s\n", mark, lines[i]);
	return g_string_free(s, FALSE);
}

static char *collapsed(const char *text)
{
	GString *s = g_string_new(NULL);

	for (; *text; text++)
		if (!strchr(" \t", *text) ||
		    (s->len && !strchr(" \n", s->str[s->len - 1])))
			g_string_append_c(s, *text == '\t' ? ' ' : *text);
	return g_string_free(s, FALSE);
}

static char *quoted_printable(const char *text)
{
	GString *s = g_string_new(HEADERS "utf-8\nContent-Transfer-Encoding: "
					  "quoted-printable\n\n");
	gsize line = 0;

	for (; *text; text++) {
		if (*text == '\n') {
			g_string_append_c(s, '\n');
			line = 0;
			continue;
		}
		if (line >= QP_LINE) {
			g_string_append(s, "=\n");
			line = 0;
		}
		if (*text == '=' || (guchar)*text >= 0x80 || text[1] == '\n')
			g_string_append_printf(s, "=%02X", (guchar)*text);
		else
			g_string_append_c(s, *text);
		line++;
	}
	return g_string_free(s, FALSE);
}

static char *base64(const char *text)
{
	g_autofree char *coded =
		g_base64_encode((const guchar *)text, strlen(text));
	GString *s = g_string_new(HEADERS "utf-8\nContent-Transfer-Encoding: "
					  "base64\n\n");

	for (gsize i = 0; coded[i]; i++) {
		g_string_append_c(s, coded[i]);
		if (i % 76 == 75)
			g_string_append_c(s, '\n');
	}
	return g_string_free(s, FALSE);
}

/* Bytes of iso-8859-1, which the header calls `charset`. */
static char *latin(const char *text, const char *charset)
{
	g_autofree char *bytes =
		g_convert_with_fallback(text, -1, "iso-8859-1", "utf-8", "?",
					NULL, NULL, NULL);

	ck_assert_ptr_nonnull(bytes);
	return g_strconcat(HEADERS, charset,
			   "\nContent-Transfer-Encoding: 8bit\n\n", bytes,
			   NULL);
}

static char *latin1(const char *text)
{
	return latin(text, "iso-8859-1");
}

static char *latin2(const char *text)
{
	return latin(text, "iso-8859-2");
}

/* Long lines broken where they have blanks, with the marks of RFC 3676. */
static char *flowed(const char *text)
{
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
	GString *s =
		g_string_new(HEADERS "utf-8; format=flowed\n"
				     "Content-Transfer-Encoding: 8bit\n\n");

	for (guint i = 0; lines[i]; i++) {
		const char *p = g_strchomp(lines[i]), *cut;

		for (;;) {
			if (strchr(" >", *p) || g_str_has_prefix(p, "From "))
				g_string_append_c(s, ' ');
			cut = strlen(p) > FLOW_LINE ? strchr(p + FLOW_LINE, ' ')
						    : NULL;
			if (!cut)
				break;
			g_string_append_len(s, p, cut + 1 - p);
			g_string_append_c(s, '\n');
			p = cut + 1;
		}
		g_string_append_printf(s, "%s\n", p);
	}
	return g_string_free(s, FALSE);
}

static char *replaced(const char *text)
{
	g_auto(GStrv) parts = g_strsplit(text, "\302\261", -1);

	return g_strjoinv("\357\277\275", parts);
}

static char *no_break(const char *text)
{
	g_auto(GStrv) parts = g_strsplit(text, "  ", -1);

	return g_strjoinv("\302\240 ", parts);
}

/* Lines broken at blanks, as editors do. */
static char *wrapped(const char *text)
{
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
	GString *s = g_string_new(NULL);

	for (guint i = 0; lines[i]; i++) {
		guint depth;
		gsize mark =
			body_quote_prefix(lines[i], strlen(lines[i]), &depth);
		const char *p = lines[i] + mark, *cut;

		for (;;) {
			g_string_append_len(s, lines[i], (gssize)mark);
			cut = strlen(p) > FLOW_LINE
				      ? g_strrstr_len(p, FLOW_LINE, " ")
				      : NULL;
			if (!cut || (gsize)(cut - p) < strspn(p, " "))
				break;
			g_string_append_len(s, p, cut - p);
			g_string_append_c(s, '\n');
			p = cut + 1;
		}
		g_string_append_printf(s, "%s\n", p);
	}
	return g_string_free(s, FALSE);
}

static const struct {
	const char *name;
	char *(*mail)(const char *text); /* a whole mail */
	char *(*text)(const char *text); /* only its text */
} damages[] = {
	{"quoted-printable", quoted_printable, NULL},
	{"base64", base64, NULL},
	{"latin1", latin1, NULL},
	{"latin2", latin2, NULL},
	{"flowed", flowed, NULL},
	{"collapsed", NULL, collapsed},
	{"replaced", NULL, replaced},
	{"no-break", NULL, no_break},
	{"wrapped", NULL, wrapped},
};

static void same_table(const struct table *a, const struct table *b,
		       guint deeper, const char *how)
{
	ck_assert_msg(b->depth == a->depth + deeper, "%s: depth", how);
	ck_assert_msg(a->rows->len == b->rows->len &&
			      a->columns->len == b->columns->len &&
			      a->axes->len == b->axes->len && !b->rejects->len,
		      "%s: size", how);
	for (guint i = 0; i < a->columns->len; i++) {
		const struct table_column *x = table_column(a, i);
		const struct table_column *y = table_column(b, i);

		ck_assert_msg(!g_strcmp0(x->label, y->label) &&
				      !g_strcmp0(x->commit, y->commit),
			      "%s: %s", how, x->label);
	}
	for (guint i = 0; i < a->rows->len; i++)
		ck_assert_msg(!strcmp(table_row(a, i)->metric,
				      table_row(b, i)->metric),
			      "%s: %s", how, table_row(a, i)->metric);
	ck_assert_msg(table_repeats(a, b), "%s: %s", how,
		      table_row(a, 0)->metric);
}

static void same_tables(GPtrArray *want, const char *text, gsize len,
			guint deeper, const char *how)
{
	g_autoptr(GPtrArray) got = read_body(text, len);

	ck_assert_msg(got->len == want->len, "%s: %u tables, not %u", how,
		      got->len, want->len);
	for (guint i = 0; i < want->len; i++)
		same_table(want->pdata[i], got->pdata[i], deeper, how);
}

static void damage(const char *text, GPtrArray *want, guint which)
{
	const char *how = damages[which].name;
	g_autofree char *made = damages[which].text ? damages[which].text(text)
						    : damages[which].mail(text);
	g_autoptr(GBytes) raw = g_bytes_new(made, strlen(made));
	g_autoptr(message) m = NULL;

	if (damages[which].text) {
		same_tables(want, made, strlen(made), 0, how);
		return;
	}
	m = message_parse(raw, 0, NULL);
	ck_assert_ptr_nonnull(m);
	same_tables(want, message_body(m), message_body_len(m), 0, how);
}

static void damage_mail(GBytes *raw, gpointer data)
{
	static const char *const marks[QUOTE_MOST] = {"> ",	">>",
						      "> > >",	"> >>> ",
						      ">>>>> ", "> > > > > > "};
	struct seen *seen = data;
	g_autoptr(message) m = message_parse(raw, 0, NULL);
	g_autoptr(body) b = NULL;
	g_autoptr(GPtrArray) want = NULL;

	if (!m)
		return;
	b = body_parse(message_body(m), message_body_len(m));
	if (!lkp_table_likely(b))
		return;
	want = read_body(message_body(m), message_body_len(m));
	if (!want->len)
		return;
	for (guint i = 0; i < QUOTE_MOST; i++) {
		g_autofree char *text = quoted(message_body(m), marks[i]);

		same_tables(want, text, strlen(text), i + 1, marks[i]);
	}
	for (guint i = 0; i < G_N_ELEMENTS(damages); i++)
		damage(message_body(m), want, i);
	seen->mails++;
}

START_TEST(test_damage)
{
	struct seen seen = {0};

	corpus_each(damage_mail, &seen);
	if (test_corpus())
		ck_assert_uint_gt(seen.mails, 60);
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("lkp_corpus");
	TCase *t = tcase_create("core");

	tcase_add_test(t, test_print);
	tcase_add_test(t, test_damage);
	suite_add_tcase(s, t);
	return s;
}

TEST_MAIN(suite)
