/* applied_text.c - the sentences of a mail that may be notices
 * Paragraphs of the sender's own lines; most end at the first look. What one
 * sentence tells is judged in applied_judge.c. */
#include <string.h>

#include "mail/applied_priv.h"
#include "mail/chars_priv.h"
#include "mail/robot_priv.h"

#define SHORT_LINE    50 /* bytes: a line that was not wrapped */
#define PARAGRAPH_MAX 4000
#define PLACE_LINES   4 /* below "Applied to" */
#define COMMIT_LINES  4 /* around a sentence */

struct scan {
	const body *b;
	const struct subject *subject;
	struct notice_context context;
	GString *text;
	guint line;	       /* of the paragraph's first line */
	GArray *starts;	       /* gsize: where each line of it begins */
	struct applied *found; /* the best one so far */
	struct notice notice;  /* numbers of the best one */
	struct notice_sentence sentence;
};

/* Taken outweighs taken out, that refused, that promised. */
static guint rank(enum applied_kind k)
{
	switch (k) {
	case APPLIED_PROMISED:
		return 0;
	case APPLIED_REJECTED:
		return 1;
	case APPLIED_REVERTED:
		return 2;
	default:
		return 3;
	}
}

static void add_numbers(struct scan *x, const struct notice *n)
{
	x->notice.count = 0;
	for (guint i = 0; i < NOTICE_NUMBERS / 8; i++)
		x->notice.numbers[i] |= n->numbers[i];
	for (guint i = 0; i < NOTICE_NUMBERS; i++)
		x->notice.count += x->notice.numbers[i / 8] >> i % 8 & 1;
}

/* "Applied to", and below it "URL BRANCH". */
static void read_place_below(struct scan *x, struct applied *a)
{
	guint i = a->line, end = MIN(body_count(x->b), i + PLACE_LINES);

	for (; i < end; i++) {
		const struct body_line *l = body_line(x->b, i);
		struct notice_sentence *s = &x->sentence;

		if ((l->kind != BODY_TEXT && l->kind != BODY_CODE) ||
		    !notice_split(s, l->text, l->len))
			continue;
		if (!strstr(s->word[0].low, "://") &&
		    !notice_is_tree(s->word[0].low))
			continue;
		a->tree = g_strndup(s->word[0].raw, s->word[0].len);
		if (s->n > 1 && !s->word[1].flags)
			a->branch = g_strndup(s->word[1].raw, s->word[1].len);
		return;
	}
}

/* A commit's URL that has a line to itself, above or below the sentence. */
static void read_commit_near(struct scan *x, struct applied *a)
{
	guint at = a->line - 1;
	guint from = at > COMMIT_LINES ? at - COMMIT_LINES : 0;
	guint end = MIN(body_count(x->b), at + COMMIT_LINES);

	for (guint i = from; i < end; i++) {
		const struct body_line *l = body_line(x->b, i);
		const char *p = l->text, *q = l->text + l->len;

		if (l->kind != BODY_TEXT && l->kind != BODY_CODE)
			continue;
		while (p < q && g_ascii_isspace(*p))
			p++;
		while (q > p && g_ascii_isspace(q[-1]))
			q--;
		if (q - p > 4 && !memcmp(p, "http", 4) &&
		    !memchr(p, ' ', (gsize)(q - p)))
			applied_find_commits(a, p, (gsize)(q - p));
	}
}

static void keep(struct scan *x, struct notice *n, const char *text, gsize len,
		 guint line)
{
	struct applied *a = x->found;

	if (a && a->kind == n->kind && rank(n->kind) == 3) {
		if (n->count && x->notice.count)
			add_numbers(x, n);
		return;
	}
	if (a && rank(n->kind) <= rank(a->kind))
		return;
	applied_free(a);
	a = x->found = applied_new(n->kind);
	a->tree = g_steal_pointer(&n->place.tree);
	a->branch = g_steal_pointer(&n->place.branch);
	a->text = chars_squeeze(text, len, NOTICE_TEXT);
	a->line = line + 1;
	if (rank(n->kind) == 3) {
		applied_find_commits(a, text, len);
		read_commit_near(x, a);
	}
	if (n->open)
		read_place_below(x, a);
	x->notice = *n;
}

static guint line_at(const struct scan *x, gsize at)
{
	guint i = 0;

	while (i + 1 < x->starts->len &&
	       g_array_index(x->starts, gsize, i + 1) <= at)
		i++;
	return x->line + i;
}

static void read_sentence(struct scan *x, gsize from, gsize to)
{
	const char *text = x->text->str;
	struct notice n;

	while (from < to && g_ascii_isspace(text[from]))
		from++;
	if (to - from < 5 || !notice_is_hint(text + from, to - from) ||
	    !notice_split(&x->sentence, text + from, to - from))
		return;
	if (notice_judge(&n, &x->sentence, &x->context) ||
	    notice_refused(&n, &x->sentence, &x->context)) {
		keep(x, &n, text + from, to - from, line_at(x, from));
		notice_clear(&n);
	}
}

/* A sentence ends before what begins like one. */
static gboolean ends_here(const char *p)
{
	if (!strchr(".!?", *p) || !g_ascii_isspace(p[1]))
		return FALSE;
	for (p++; g_ascii_isspace(*p); p++)
		;
	return g_ascii_isupper(*p) || g_ascii_isdigit(*p) ||
	       (guchar)*p >= 0x80 || strchr("\"'`([:;", *p);
}

static void flush(struct scan *x)
{
	const char *text = x->text->str;
	gsize from = 0;

	for (gsize i = 0; i < x->text->len; i++)
		if (strchr(".!?", text[i]) && ends_here(text + i)) {
			read_sentence(x, from, i + 1);
			from = i + 1;
		}
	read_sentence(x, from, x->text->len);
	g_string_truncate(x->text, 0);
	g_array_set_size(x->starts, 0);
}

static gboolean is_empty_line(const struct body_line *l)
{
	for (guint i = l->skip; i < l->len; i++)
		if (!g_ascii_isspace(l->text[i]))
			return FALSE;
	return TRUE;
}

/* Whether line `i` goes on with the paragraph before it. */
static gboolean goes_on(const struct scan *x, guint i)
{
	const struct body_line *l = body_line(x->b, i), *above;

	if (!x->text->len || x->text->len > PARAGRAPH_MAX)
		return FALSE;
	if (strchr("[*-", l->text[0]))
		return FALSE;
	above = body_line(x->b, i - 1);
	return above->len >= SHORT_LINE || !g_ascii_isupper(l->text[0]);
}

static void read_lines(struct scan *x)
{
	guint own = 0;

	for (guint i = 0; i < body_count(x->b) && own < NOTICE_LINES; i++) {
		const struct body_line *l = body_line(x->b, i);
		gsize start;

		if (l->kind != BODY_TEXT || is_empty_line(l)) {
			flush(x);
			continue;
		}
		own++;
		if (!goes_on(x, i))
			flush(x);
		if (!x->text->len)
			x->line = i;
		start = x->text->len;
		g_array_append_val(x->starts, start);
		g_string_append_len(x->text, l->text, l->len);
		g_string_append_c(x->text, '\n');
	}
	flush(x);
}

/* ---- which patches */

static gboolean has_number(const struct notice *n, guint k)
{
	return k < NOTICE_NUMBERS && (n->numbers[k / 8] & (1 << k % 8));
}

static void add_items(struct scan *x)
{
	const struct notice *n = &x->notice;
	int total = x->subject->total;
	guint last = total > 0 && total < NOTICE_NUMBERS ? (guint)total
							 : NOTICE_NUMBERS - 1;

	if (!n->count || (n->except && total <= 0))
		return;
	for (guint k = 1; k <= last; k++)
		if (has_number(n, k) != n->except)
			applied_add_item(x->found, (int)k, total);
}

static gboolean is_numbered(const struct applied *a)
{
	const struct applied_item *item = a->items->pdata[0];

	return item->number >= 0;
}

static void read_items(struct scan *x)
{
	struct applied *a = x->found;
	int total = x->subject->total;
	guint none;

	if (rank(a->kind) != 3) {
		add_items(x);
		return;
	}
	none = applied_read_list(a, x->b);
	if (!a->items->len)
		add_items(x);
	else if (none == a->items->len)
		none = 0; /* "(no commit info)": applied all the same */
	a->partial =
		x->subject->subset || x->notice.some || x->notice.except ||
		none ||
		(total > 0 && a->items->len && a->items->len < (guint)total &&
		 (x->subject->number == 0 || is_numbered(a))) ||
		(total <= 0 && x->notice.count && !has_number(&x->notice, 1) &&
		 !has_number(&x->notice, 0));
}

/* A list with commits says it without a sentence that is understood. */
static void read_list_alone(struct scan *x)
{
	struct applied *a = applied_new(APPLIED_APPLIED);

	applied_read_list(a, x->b);
	for (guint i = 0; a->commits->len && i < body_count(x->b); i++) {
		const struct body_line *l = body_line(x->b, i);

		if (l->kind != BODY_TEXT || is_empty_line(l))
			continue;
		a->line = i + 1;
		a->text = chars_squeeze(l->text, l->len, NOTICE_TEXT);
		break;
	}
	if (a->text && a->items->len) {
		applied_free(x->found);
		x->found = g_steal_pointer(&a);
		g_ptr_array_set_size(x->found->items, 0);
	}
	applied_free(a);
}

static gboolean is_next_merger(const message *msg)
{
	return robot_from(msg, "sfr@canb.auug.org.au") ||
	       robot_from(msg, "sfr@rothwell.id.au");
}

/* Scripts of people who also write themselves say so. */
static gboolean is_automated(const body *b)
{
	guint end = MIN(body_count(b), 8);

	for (guint i = 0; i < end; i++) {
		const struct body_line *l = body_line(b, i);

		if (l->len > 10 && l->text[0] == '[' &&
		    memmem(l->text, l->len, "automated email", 15))
			return TRUE;
	}
	return FALSE;
}

struct applied *notice_read(const message *msg, const struct subject *s,
			    const body *b)
{
	struct scan x = {
		.b = b,
		.subject = s,
		.context = {.patch = s->patch || s->pull || s->numbered,
			    .stable = s->stable,
			    .next = is_next_merger(msg)},
		.text = g_string_new(NULL),
		.starts = g_array_new(FALSE, FALSE, sizeof(gsize)),
	};

	if (!is_automated(b))
		read_lines(&x);
	if (s->reply && x.context.patch && !x.context.next &&
	    (!x.found || rank(x.found->kind) == 0))
		read_list_alone(&x);
	if (x.found)
		read_items(&x);
	g_string_free(x.text, TRUE);
	g_array_unref(x.starts);
	return x.found;
}
