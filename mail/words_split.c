/* words_split.c - the words of one sentence
 * Runs over everything that people write: one pass, nothing allocated. */
#include <string.h>

#include "mail/words_priv.h"

#define STEMS_MAX 6 /* that begin with the same letter */

static const struct stem {
	const char *text;
	enum word_key key;
} stems['z' - 'a' + 1][STEMS_MAX + 1] = {
	['a' - 'a'] = {{"away", KEY_GONE}, {"apologies", KEY_SORRY}},
	['c' - 'a'] = {{"changes", KEY_CHANGES}, {"cure", KEY_FIX}},
	['d' - 'a'] = {{"disappear", KEY_GONE},
		       {"difference", KEY_DIFFERENCE},
		       {"disregard", KEY_IGNORE}},
	['f' - 'a'] = {{"fix", KEY_FIX}, {"false", KEY_FALSE}},
	['g' - 'a'] = {{"gone", KEY_GONE}},
	['h' - 'a'] = {{"help", KEY_HELP}},
	['i' - 'a'] = {{"ignore", KEY_IGNORE}},
	['l' - 'a'] = {{"longer", KEY_LONGER}},
	['n' - 'a'] = {{"nak", KEY_NAK}, {"nack", KEY_NAK}, {"need", KEY_NEED}},
	['p' - 'a'] = {{"please", KEY_PLEASE},
		       {"pls", KEY_IGNORE},
		       {"pass", KEY_PASS},
		       {"performance", KEY_PERFORMANCE}},
	['r' - 'a'] = {{"reproduc", KEY_REPRODUC},
		       {"regress", KEY_REGRESS},
		       {"resolve", KEY_FIX},
		       {"restore", KEY_FIX},
		       {"retract", KEY_RETRACT}},
	['s' - 'a'] = {{"still", KEY_STILL},
		       {"solve", KEY_FIX},
		       {"sorry", KEY_SORRY}},
	['v' - 'a'] = {{"vanish", KEY_GONE}},
	['w' - 'a'] = {{"work", KEY_WORKS}, {"withdraw", KEY_RETRACT}},
};

static guint key_of(const char *word)
{
	const struct stem *s;

	if (!g_ascii_islower(*word))
		return 0;
	for (s = stems[*word - 'a']; s->text; s++)
		if (g_str_has_prefix(word, s->text))
			return s->key;
	return 0;
}

static void end_word(struct sentence *s, char **out)
{
	*(*out)++ = '\0';
	s->keys |= key_of(s->word[s->n - 1]);
}

/* The typographic apostrophe is one, too. */
static gsize is_apostrophe(const char *p, gsize left)
{
	if (*p == '\'')
		return 1;
	return left > 2 && !memcmp(p, "\xe2\x80\x99", 3) ? 3 : 0;
}

void sentence_split(struct sentence *s)
{
	char *out = s->folded;
	gboolean inside = FALSE, colon = TRUE;

	s->n = s->keys = 0;
	for (gsize i = 0; i < s->len;) {
		guchar c = (guchar)s->text[i];
		gsize quote = is_apostrophe(s->text + i, s->len - i);

		if (g_ascii_isalnum(c) || c == '_' || (inside && quote)) {
			if (!inside && s->n == WORDS_OF_SENTENCE)
				break;
			if (!inside) {
				s->colon[s->n] = colon;
				s->word[s->n++] = out;
			}
			*out++ = quote ? '\'' : g_ascii_tolower(c);
			inside = TRUE;
			colon = FALSE;
			i += quote ? quote : 1;
			continue;
		}
		if (inside)
			end_word(s, &out);
		inside = FALSE;
		colon |= c == ':';
		i++;
	}
	if (inside)
		end_word(s, &out);
	s->question = s->len && s->text[s->len - 1] == '?';
}
