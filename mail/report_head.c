/* report_head.c - the sentence that makes a mail a report
 * "noticed a -3.3% regression of METRIC on:", 'noticed "ID" on:' and their
 * forms of several years, wrapped or not. */
#include <math.h>
#include <string.h>

#include "mail/report_priv.h"

#define HEADLINE_LINES 4

void report_headline_clear(struct headline *h)
{
	g_free(h->metric);
	g_free(h->ids);
	g_free(h->compiler);
	memset(h, 0, sizeof(*h));
}

/* Behind `word` and the blanks after it; NULL if it is not there. */
static const char *expect(const char *p, const char *word)
{
	gsize n = strlen(word);

	if (!p || strncmp(p, word, n) != 0 || (p[n] != ' ' && p[n] != '\0'))
		return NULL;
	return report_skip_blanks(p + n);
}

/* "on:", "due to commit:", "due to commit (built with gcc-9):" */
static const char *expect_end(const char *p)
{
	const char *rest;

	if (!p)
		return NULL;
	if (strncmp(p, "on:", 3) == 0)
		return p + 3;
	rest = expect(expect(p, "due"), "to");
	if (rest && strncmp(rest, "commit", 6) == 0 &&
	    (rest[6] == ':' || rest[6] == ' '))
		return rest + 6;
	return NULL;
}

static const char *expect_direction(const char *p, enum report_direction *d)
{
	const char *rest = expect(p, "regression");

	*d = REPORT_REGRESSION;
	if (rest)
		return rest;
	*d = REPORT_IMPROVEMENT;
	return expect(p, "improvement");
}

/* "regression of METRIC on:" or "METRIC regression on:" */
static gboolean read_metric(const char *p, struct headline *h)
{
	const char *rest = expect(expect_direction(p, &h->direction), "of");
	const char *metric = rest ? rest : p;
	const char *end = report_word_end(metric);

	if (end == metric || end - metric > TABLE_MAX_METRIC)
		return FALSE;
	p = report_skip_blanks(end);
	if (!rest)
		p = expect_direction(p, &h->direction);
	if (!expect_end(p))
		return FALSE;
	h->metric = g_strndup(metric, (gsize)(end - metric));
	return TRUE;
}

/* "-29.9%", or a percentage that is no number: then the sentence is no less
 * one, with a value that nobody knows. Behind it; NULL: neither. */
static const char *read_value(const char *p, struct headline *h)
{
	const char *end = report_word_end(p);
	char *rest;

	h->is_signed = *p == '-' || *p == '+';
	h->value = g_ascii_isdigit(p[h->is_signed]) ? g_ascii_strtod(p, &rest)
						    : NAN;
	if (isfinite(h->value) && rest + (*rest == '%') == end) {
		p = report_skip_blanks(end);
		return *p == '%' ? report_skip_blanks(p + 1) : p;
	}
	h->value = NAN;
	return end > p && end[-1] == '%' ? report_skip_blanks(end) : NULL;
}

/* "a -29.9% regression of unixbench.score due to commit:" */
static gboolean read_performance(const char *p, struct headline *h)
{
	p = expect(p, "a") ? expect(p, "a") : expect(p, "an");
	if (p)
		p = read_value(p, h);
	if (!p)
		return FALSE;
	h->kind = HEADLINE_PERFORMANCE;
	return read_metric(p, h);
}

/* "(built with gcc-9)" */
static void read_compiler(const char *p, struct headline *h)
{
	static const char built[] = "(built with ";
	const char *at = strstr(p, built);

	if (at && strchr(at, ')')) {
		at += strlen(built);
		h->compiler = g_strndup(at, strcspn(at, ")"));
	}
}

static gboolean read_failure(const char *p, struct headline *h)
{
	const char *end, *rest;

	h->kind = HEADLINE_FUNCTIONAL;
	if (*p == '"') {
		end = strchr(p + 1, '"');
		rest = end ? expect_end(report_skip_blanks(end + 1)) : NULL;
		p++;
	} else {
		end = strstr(p, " due to commit");
		rest = end ? expect_end(end + 1) : NULL;
		if (!rest && !strchr(p, '"')) {
			end = strstr(p, " on:");
			rest = end ? end + 4 : NULL;
		}
	}
	if (!rest || end == p)
		return FALSE;
	h->ids = g_strndup(p, (gsize)(end - p));
	read_compiler(rest, h);
	return TRUE;
}

static gboolean read_sentence(const char *p, struct headline *h)
{
	const char *rest;

	if (read_performance(p, h))
		return TRUE;
	rest = expect(expect(expect(p, "the"), "following"), "commit");
	if (rest) {
		h->kind = HEADLINE_COMMIT;
		read_compiler(rest, h);
		return *rest == '(' || *rest == ':';
	}
	if (strncmp(p, "the following commit:", 21) == 0) {
		h->kind = HEADLINE_COMMIT;
		return TRUE;
	}
	/* "noticed the following build errors:" */
	return !expect(p, "the") && !expect(p, "that") && !expect(p, "this") &&
	       read_failure(p, h);
}

/* Who noticed it: the robot or its people. */
static gboolean speaks(const char *text, gsize before)
{
	static const char *const who[] = {"we ", "We ", "robot ", "rboot "};

	for (guint i = 0; i < G_N_ELEMENTS(who); i++) {
		gsize n = strlen(who[i]);

		if (before >= n && memcmp(text + before - n, who[i], n) == 0)
			return TRUE;
	}
	return FALSE;
}

gboolean report_next_headline(const body *b, guint from, struct headline *h)
{
	static const char mark[] = "noticed ";

	for (guint i = from; i < body_count(b); i++) {
		g_autofree char *sentence = NULL;
		gsize len;
		const char *text = report_line(b, i, &len), *at;

		at = text ? memmem(text, len, mark, strlen(mark) - 1) : NULL;
		if (!at || !speaks(text, (gsize)(at - text)))
			continue;
		report_headline_clear(h);
		h->line = i + 1;
		sentence = report_joined(b, i, HEADLINE_LINES);
		at = strstr(sentence, mark);
		if (at && read_sentence(at + strlen(mark), h))
			return TRUE;
	}
	report_headline_clear(h);
	return FALSE;
}
