/* body_marks.c - the lines that divide a mail: signature, footer, forward,
 * attribution, scissors. Each judged by the line and a few below or above it,
 * never by what was decided elsewhere. */
#include <string.h>

#include "mail/body_priv.h"
#include "mail/chars_priv.h"

#define SIGNATURE_LINES	  10 /* of a signature whose mark lost its blank */
#define FOOTER_LINES	  12
#define HEAD_LINES	  12 /* of an Outlook head, folded To: included */
#define ATTRIBUTION_LINES 3
#define ATTRIBUTION_BYTES 400 /* of one of its lines */

static gsize trimmed(const struct body_line *l)
{
	gsize len = l->len;

	while (len && is_blank(l->text[len - 1]))
		len--;
	return len;
}

gboolean line_blank(const struct body_line *l)
{
	return trimmed(l) == 0;
}

gboolean line_has(const struct body_line *l, const char *word)
{
	return memmem(l->text, l->len, word, strlen(word)) != NULL;
}

/* ASCII letters of `word` (lower case) compared case-blind. */
static gboolean line_has_folded(const struct body_line *l, const char *word)
{
	gsize n = strlen(word), i;

	for (i = 0; i + n <= l->len; i++)
		if (g_ascii_tolower(l->text[i]) == word[0] &&
		    g_ascii_strncasecmp(l->text + i, word, n) == 0)
			return TRUE;
	return FALSE;
}

/* Ends in `with`, blanks behind it left out. */
static gboolean line_ends(const struct body_line *l, const char *with)
{
	gsize len = trimmed(l), n = strlen(with);

	return len >= n && memcmp(l->text + len - n, with, n) == 0;
}

/* `n` or more times the character `c`, and nothing else but blanks. */
static gboolean line_is_rule(const struct body_line *l, char c, guint n)
{
	gsize len = trimmed(l), i;

	if (len < n)
		return FALSE;
	for (i = 0; i < len; i++)
		if (l->text[i] != c)
			return FALSE;
	return TRUE;
}

static gboolean has_any(const struct body_line *l, const char *const *words)
{
	for (; *words; words++)
		if (line_has(l, *words))
			return TRUE;
	return FALSE;
}

static gboolean starts_any(const struct body_line *l, const char *const *words)
{
	for (; *words; words++)
		if (line_starts(l, *words))
			return TRUE;
	return FALSE;
}

/* The next line that is not blank, at most BODY_LOOKAHEAD further. */
static guint next_text(const struct body_lines *b, guint i)
{
	guint end = MIN(b->n, i + BODY_LOOKAHEAD);

	while (i < end && line_blank(&b->at[i]))
		i++;
	return i < end ? i : b->n;
}

/* At most `max` lines that are not blank from `i` to the end, none of them
 * quoted: the tail of a mail. */
static gboolean short_tail(const struct body_lines *b, guint i, guint max)
{
	guint end = MIN(b->n, i + BODY_LOOKAHEAD), n = 0, depth;

	for (; i < end; i++) {
		if (line_blank(&b->at[i]))
			continue;
		body_quote_prefix(b->at[i].text, b->at[i].len, &depth);
		if (depth || ++n > max)
			return FALSE;
	}
	return i == b->n;
}

gboolean mark_signature(const struct body_lines *b, guint i)
{
	const struct body_line *l = &b->at[i];

	if (l->len == 3 && memcmp(l->text, "-- ", 3) == 0)
		return TRUE;
	if (line_starts(l, "-----BEGIN PGP SIGNATURE-----"))
		return TRUE;
	return l->len == 2 && memcmp(l->text, "--", 2) == 0 &&
	       short_tail(b, i + 1, SIGNATURE_LINES);
}

gboolean mark_footer(const struct body_lines *b, guint i)
{
	static const char *const lists[] = {"mailing list", "mailman/listinfo",
					    "http://",	    "https://",
					    "mailto:",	    NULL};
	static const char *const openers[] = {
		"To unsubscribe from this list: send the line",
		"You received this message because you are subscribed",
		"To UNSUBSCRIBE, email to", NULL};
	const struct body_line *l = &b->at[i];
	guint next;

	if (!l->len || !strchr("_-", l->text[0]))
		return FALSE;
	if (line_is_rule(l, '_', 20)) {
		next = next_text(b, i + 1);
		return next < b->n && has_any(&b->at[next], lists) &&
		       short_tail(b, next, FOOTER_LINES);
	}
	if (trimmed(l) > 2 || l->len < 2 || l->text[1] != '-' || i + 1 == b->n)
		return FALSE;
	return (starts_any(&b->at[i + 1], openers) ||
		line_ends(&b->at[i + 1], " mailing list")) &&
	       short_tail(b, i + 1, FOOTER_LINES);
}

/* "From:" and its "Sent:" in the languages that Outlook speaks here. */
static const struct head_words {
	const char *from;
	const char *sent;
} heads[] = {
	{"From:", "Sent:"},
	{"Von:", "Gesendet:"},
	{"De :", "Envoy\xc3\xa9"},
	{"De:", "Enviad"},
	{"De:", "Envoy\xc3\xa9"},
	{"Da:", "Inviato:"},
	{"Van:", "Verzonden:"},
	{"Fr\xc3\xa5n:", "Skickat:"},
	{"Fra:", "Sendt:"},
	{"\xd0\x9e\xd1\x82:",
	 "\xd0\x9e\xd1\x82\xd0\xbf\xd1\x80\xd0\xb0\xd0\xb2"},
	{"\xe5\x8f\x91\xe4\xbb\xb6\xe4\xba\xba", "\xe5\x8f\x91\xe9\x80\x81"},
	{"\xe5\xaf\x84\xe4\xbb\xb6\xe8\x80\x85",
	 "\xe5\xaf\x84\xe4\xbb\xb6\xe6"},
	{"\xe5\xb7\xae\xe5\x87\xba\xe4\xba\xba", "\xe9\x80\x81\xe4\xbf\xa1"},
};

/* `below_rule`: a rule stands above, then a plain Date: is enough. */
static gboolean outlook_head(const struct body_lines *b, guint i,
			     gboolean below_rule)
{
	guint k, n, end = MIN(b->n, i + 3);

	if (!b->at[i].len || !strchr("FVD\xd0\xe5", b->at[i].text[0]))
		return FALSE;
	for (n = 0; n < G_N_ELEMENTS(heads); n++) {
		if (!line_starts(&b->at[i], heads[n].from))
			continue;
		for (k = i + 1; k < end; k++)
			if (line_starts(&b->at[k], heads[n].sent))
				return TRUE;
	}
	if (!below_rule || !line_starts(&b->at[i], "From:"))
		return FALSE;
	for (k = i + 1; k < end; k++)
		if (line_starts(&b->at[k], "Date:") ||
		    line_starts(&b->at[k], "To:"))
			return TRUE;
	return FALSE;
}

/* "-----Original Message-----" and its translations */
static gboolean forward_rule(const struct body_line *l)
{
	static const char *const words[] = {"original message",
					    "original mail",
					    "original email",
					    "original e-mail",
					    "originalnachricht",
					    "originalmail",
					    "forwarded",
					    "weitergeleitete",
					    "message d'origine",
					    "mensaje original",
					    "mensagem original",
					    "messaggio originale",
					    "oorspronkelijk bericht",
					    "inoltrato",
					    "ngliche nachricht",
					    "ngliche mail",
					    "ngligt meddelande",
					    "message transf",
					    "oprindelig meddelelse",
					    "doorgestuurd",
					    NULL};
	static const char *const exact[] = {
		"\xe5\x8e\x9f\xe5\xa7\x8b",		/* original, zh */
		"\xe9\x82\xae\xe4\xbb\xb6\xe5\x8e\x9f", /* mail original, zh */
		"\xe8\xbd\xac\xe5\x8f\x91",		/* forwarded, zh */
		"\xd1\x81\xd0\xbe\xd0\xbe\xd0\xb1\xd1\x89\xd0\xb5\xd0\xbd",
		NULL};
	const char *const *w;

	if (line_starts(l, "Begin forwarded message:"))
		return TRUE;
	if (l->len < 12 || l->len > 120 || !line_starts(l, "--") ||
	    !line_ends(l, "-"))
		return FALSE;
	if (line_has(l, "From: ") && line_has(l, "Sent: "))
		return TRUE;
	for (w = words; *w; w++)
		if (line_has_folded(l, *w))
			return TRUE;
	return has_any(l, exact);
}

static guint head_length(const struct body_lines *b, guint i)
{
	guint end = MIN(b->n, i + HEAD_LINES), k = i;

	while (k < end && !line_blank(&b->at[k]))
		k++;
	return k - i;
}

guint mark_forward(const struct body_lines *b, guint i, gboolean first)
{
	const struct body_line *l = &b->at[i];
	guint next;

	if (!l->len)
		return 0;
	if (l->text[0] == '-' || l->text[0] == 'B') {
		if (!forward_rule(l))
			return 0;
		next = next_text(b, i + 1);
		if (next < b->n && outlook_head(b, next, TRUE))
			return next - i + head_length(b, next);
		return 1;
	}
	if (line_is_rule(l, '_', 20)) {
		next = next_text(b, i + 1);
		if (next < b->n && outlook_head(b, next, TRUE))
			return next - i + head_length(b, next);
		return 0;
	}
	/* at the very top, From: is an author's line of a patch */
	if (first || !outlook_head(b, i, FALSE))
		return 0;
	return head_length(b, i);
}

static gboolean says(const struct body_line *l)
{
	static const char *const words[] = {
		"wrote",
		"writes",
		"said:",
		"schrieb",
		"\xc3\xa9"
		"crit",
		"escribi",
		"scritto",
		"escreveu",
		"skrev",
		"schreef",
		"kirjoitti",
		"pisze",
		"napisa",
		"napsal",
		"a scris",
		"\xc3\xadrta",
		"yazd\xc4\xb1",
		"\xd0\xbd\xd0\xb0\xd0\xbf\xd0\xb8\xd1\x81\xd0\xb0",
		"\xd0\xbf\xd0\xb8\xd1\x88\xd0\xb5",
		"\xce\xad\xce\xb3\xcf\x81\xce\xb1\xcf\x88\xce\xb5",
		"\xe5\x86\x99\xe9\x81\x93",
		"\xe5\xaf\xab\xe9\x81\x93",
		"\xe5\x86\x99\xe5\x88\xb0",
		"\xe6\x9b\xb8\xe3\x81\x8d",
		NULL};

	return has_any(l, words);
}

/* How an attribution of more than one line begins. */
static gboolean opens(const struct body_line *l)
{
	static const char *const words[] = {
		"On ",		 "Am ",	  "Le ",   "El ",	 "Il ",
		"Op ",		 "Em ",	  "Den ",  "W dniu",	 "Dne ",
		"Quoting ",	 "* ",	  "At ",   "In message", "In article",
		"In reply to",	 "Citat", "Zitat", "Quoth ",	 "\xe5\x9c\xa8",
		"Excerpts from", NULL};

	return starts_any(l, words) ||
	       (l->len > 10 && g_ascii_isdigit(l->text[0]) &&
		(line_has(l, "-") || line_has(l, "/") || line_has(l, ".")) &&
		line_has(l, ":"));
}

/* "A Person - 23.07.20, 06:51:06 CEST:" */
static gboolean has_time(const struct body_line *l)
{
	guint i;

	for (i = 2; i + 2 < l->len; i++)
		if (l->text[i] == ':' && g_ascii_isdigit(l->text[i - 1]) &&
		    g_ascii_isdigit(l->text[i - 2]) &&
		    g_ascii_isdigit(l->text[i + 1]) &&
		    g_ascii_isdigit(l->text[i + 2]))
			return TRUE;
	return FALSE;
}

static gboolean ends_open(const struct body_line *l)
{
	return line_ends(l, ":") || line_ends(l, "\xef\xbc\x9a") ||
	       line_ends(l, "wrote") || line_ends(l, "wrote...");
}

guint mark_attribution(const struct body_lines *b, guint i,
		       gboolean before_quote)
{
	const struct body_line *l = &b->at[i];
	gboolean said;
	guint n;

	if (!l->len || l->len > ATTRIBUTION_BYTES || !ends_open(l))
		return 0;
	if (is_blank(l->text[0]) && !before_quote)
		return 0;
	said = says(l) || (before_quote && has_time(l));
	if (opens(l) && (said || (before_quote && line_has(l, "@"))))
		return 1;
	if (!said && !(before_quote && line_ends(l, ">:")))
		return 0;
	for (n = 1; n < ATTRIBUTION_LINES && n <= i; n++) {
		l = &b->at[i - n];
		if (line_blank(l) || l->depth || l->kind == BODY_DIFF ||
		    line_ends(l, ":"))
			break;
		if (opens(l))
			return n + 1;
	}
	return before_quote && said ? 1 : 0;
}
