/* words_split.c - the words of one sentence
 * Runs over everything that people write: one pass, nothing allocated. */
#include <string.h>

#include "mail/words_priv.h"

#define STEMS_MAX 16 /* that begin with the same letter */

static const struct stem {
	const char *text;
	enum word_key key;
} stems['z' - 'a' + 1][STEMS_MAX + 1] = {
	['a' - 'a'] = {{"away", KEY_GONE},
		       {"apologies", KEY_SORRY},
		       {"acceptable", KEY_MEANT}},
	['c' - 'a'] = {{"changes", KEY_CHANGES},
		       {"cure", KEY_FIX},
		       {"cost", KEY_MEANT}},
	['d' - 'a'] = {{"disappear", KEY_GONE},
		       {"difference", KEY_DIFFERENCE},
		       {"disregard", KEY_IGNORE},
		       {"design", KEY_MEANT},
		       {"deliberate", KEY_MEANT}},
	['e' - 'a'] = {{"expected", KEY_MEANT}},
	['f' - 'a'] = {{"fix", KEY_FIX}, {"false", KEY_FALSE}},
	['g' - 'a'] = {{"gone", KEY_GONE}},
	['h' - 'a'] = {{"help", KEY_HELP}},
	['i' - 'a'] = {{"ignore", KEY_IGNORE},
		       {"intended", KEY_MEANT},
		       {"intentional", KEY_MEANT},
		       {"inevitable", KEY_MEANT},
		       {"iteration", KEY_PLAN}},
	['l' - 'a'] = {{"longer", KEY_LONGER}},
	['n' - 'a'] = {{"nak", KEY_NAK}, {"nack", KEY_NAK}, {"need", KEY_NEED}},
	['p' - 'a'] = {{"please", KEY_PLEASE},
		       {"pls", KEY_IGNORE},
		       {"pass", KEY_PASS},
		       {"performance", KEY_PERFORMANCE},
		       {"patch", KEY_PLAN},
		       {"post", KEY_PLAN},
		       {"purpose", KEY_MEANT},
		       {"penalty", KEY_MEANT},
		       {"price", KEY_MEANT}},
	['r' - 'a'] = {{"reproduc", KEY_REPRODUC},
		       {"regress", KEY_REGRESS},
		       {"resolve", KEY_FIX},
		       {"restore", KEY_FIX},
		       {"retract", KEY_RETRACT},
		       {"resend", KEY_PLAN},
		       {"repost", KEY_PLAN},
		       {"respin", KEY_PLAN},
		       {"reroll", KEY_PLAN},
		       {"rework", KEY_PLAN},
		       {"rebase", KEY_PLAN},
		       {"resubmit", KEY_PLAN},
		       {"revision", KEY_PLAN},
		       {"round", KEY_PLAN}},
	['s' - 'a'] = {{"still", KEY_STILL},
		       {"solve", KEY_FIX},
		       {"sorry", KEY_SORRY},
		       {"send", KEY_PLAN},
		       {"submi", KEY_PLAN},
		       {"series", KEY_PLAN},
		       {"spin", KEY_PLAN}},
	['t' - 'a'] = {{"trade", KEY_MEANT}},
	['u' - 'a'] = {{"unavoidable", KEY_MEANT}},
	['v' - 'a'] = {{"vanish", KEY_GONE},
		       {"version", KEY_PLAN},
		       {"v2", KEY_PLAN},
		       {"v3", KEY_PLAN},
		       {"v4", KEY_PLAN},
		       {"v5", KEY_PLAN},
		       {"v6", KEY_PLAN},
		       {"v7", KEY_PLAN},
		       {"v8", KEY_PLAN},
		       {"v9", KEY_PLAN},
		       {"v1", KEY_PLAN}},
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

/* "_not_" is stressed. */
static void end_word(struct sentence *s, char **out)
{
	while ((*out)[-1] == '_')
		(*out)--;
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

		if (g_ascii_isalnum(c) || (inside && (c == '_' || quote))) {
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
