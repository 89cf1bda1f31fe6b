/* command_verbs.c - the table of verbs, and which of them a word names
 * What a verb does is not known here. */
#include <string.h>

#include "mail/command_priv.h"
#include "mail/suggest.h"

#define NO_VERB	   3 /* a shorter word is none with a slip */
#define SHORT_VERB 5 /* a shorter word allows for one slip only */

static const struct command_verb verbs[] = {
	{"introduced",
	 "introduced_by introduced-by introduced_in introduced_with c:track",
	 "rc", COMMAND_ARGS_REF, "COMMIT|TAG|A..B|A.. [^|/|URL]",
	 "the mail reports a regression that came with this commit or range"},
	{"use", "report", "r", COMMAND_ARGS_POINTER, "^|/|URL",
	 "the rest of the block speaks of the report there"},
	{"title", "subject summary", "rc", COMMAND_ARGS_LINE, "TITLE",
	 "what the item is called"},
	{"duplicate", "dup dupof dup-of dup_of duplicate-of duplicate_of", "rc",
	 COMMAND_ARGS_POINTER, "URL|TITLE...",
	 "this item is the same as that one"},
	{"undup", "", "c", COMMAND_ARGS_POINTER, "[URL]",
	 "it is one of its own again"},
	{"relate", "related monitor", "rc", COMMAND_ARGS_URL, "URL [TITLE]",
	 "a link; what is written there belongs to the item, too"},
	{"relatebrief",
	 "link* relate-brief relate-briefly relatebriefly related-brief "
	 "related-briefly relatedbrief relatedbriefly",
	 "rc", COMMAND_ARGS_URL, "URL [TITLE]", "a link, no more"},
	{"backmonitor", "back-monitor", "rc", COMMAND_ARGS_POINTER, "URL",
	 "with ^: the thread belongs to the item that is reported there"},
	{"unrelate", "unrelated unlink unmonitor", "rc", COMMAND_ARGS_URL,
	 "URL", "takes a link away"},
	{"fix",
	 "fixed fixes fixed-by fixedby fixed_by fix-by fix_by fixed_in fixed-in fixed_with",
	 "rc", COMMAND_ARGS_FIX, "COMMIT [TEXT]|TITLE",
	 "what repairs it: a commit, or the title of a patch"},
	{"unfix", "", "c", COMMAND_ARGS_WORDS, "[COMMIT|TITLE]",
	 "that does not repair it"},
	{"resolve", "resolved invalid c:close", "rc", COMMAND_ARGS_REASON,
	 "[REASON]", "nothing is left to do"},
	{"reopen", "re-open unresolve", "rc", COMMAND_ARGS_REASON, "[REASON]",
	 "it is open again"},
	{"inconclusive", "", "rc", COMMAND_ARGS_WORDS, "[REASON]",
	 "nobody will find out"},
	{"expected", "improvement", "c", COMMAND_ARGS_WORDS, "[REASON]",
	 "the change is meant"},
	{"backburn", "backburner back-burner back_burner", "rc",
	 COMMAND_ARGS_WORDS, "[REASON]", "it can wait"},
	{"unbackburn", "unbackburner unback-burner un-backburner", "rc",
	 COMMAND_ARGS_WORDS, "[REASON]", "it cannot wait any longer"},
	{"from", "", "rc", COMMAND_ARGS_LINE, "NAME [<ADDRESS>]",
	 "who reported it"},
	{"poke", "", "rc", COMMAND_ARGS_NONE, "",
	 "this mail asks for news; it is no activity"},
	{"ignore-activity", "activity-ignore ignore_activity ignoreactivity",
	 "rc", COMMAND_ARGS_NONE, "", "this mail is no activity"},
	{"note", "", "rc", COMMAND_ARGS_LINE, "TEXT", "for the history only"},
	{"undo", "", "rc", COMMAND_ARGS_WORDS, "[N|URL]",
	 "takes back what the sender's last command did"},
	{"redo", "", "c", COMMAND_ARGS_WORDS, "[URL]", "undoes an undo"},
	{"untrack", "", "c", COMMAND_ARGS_WORDS, "[REASON]", "it is no item"},
	{"set", "", "c", COMMAND_ARGS_LINE, "KEY: VALUE[, VALUE]",
	 "a property of the item"},
	{"unset", "", "c", COMMAND_ARGS_LINE, "KEY", "takes it away"},
	{"prio", "priority", "c", COMMAND_ARGS_LINE, "LEVEL",
	 "how urgent it is"},
	{"rerun", "", "c", COMMAND_ARGS_LINE, "URL|COMMIT COMMIT",
	 "measurements that belong to the item"},
	{"result", "", "c", COMMAND_ARGS_LINE, "URL|COMMIT COMMIT", "the same"},
	{"assign", "", "c", COMMAND_ARGS_LINE, "ADDRESS", "whose turn it is"},
	{"cc", "", "c", COMMAND_ARGS_LINE, "ADDRESS", "who is told, too"},
	{"uncc", "", "c", COMMAND_ARGS_WORDS, "[ADDRESS]",
	 "who is told no more: oneself only"},
	{"mute", "optout stop", "c", COMMAND_ARGS_WORDS, "[thread|all]",
	 "no mail to the sender"},
	{"unmute", "", "c", COMMAND_ARGS_WORDS, "[thread|all]",
	 "mail to the sender again"},
	{"status", "show st", "c", COMMAND_ARGS_WORDS, "[ITEM|URL|^|/]",
	 "asks for the state of an item"},
	{"list", "ls", "c", COMMAND_ARGS_WORDS, "[QUERY]",
	 "asks for the items that match"},
	{"table", "compare", "c", COMMAND_ARGS_WORDS, "[ITEM] [METRIC]",
	 "asks for rows of a comparison"},
	{"help", "? commands", "c", COMMAND_ARGS_WORDS, "[VERB]",
	 "asks for this list"},
	{"confirm", "approve", "c", COMMAND_ARGS_WORDS, "TOKEN|DRAFT",
	 "what waits may be done"},
	{"reject", "", "c", COMMAND_ARGS_WORDS, "TOKEN|DRAFT",
	 "what waits is dropped"},
	{"hold", "", "c", COMMAND_ARGS_WORDS, "TOKEN|DRAFT",
	 "what waits goes on waiting"},
	{"atomic", "", "c", COMMAND_ARGS_NONE, "",
	 "all commands of the mail, or none"},
	{NULL, NULL, NULL, COMMAND_ARGS_NONE, NULL, NULL},
};

const struct command_verb *command_verbs(void)
{
	return verbs;
}

const struct command_verb *command_verb_named(const char *name)
{
	for (const struct command_verb *v = verbs; v->name; v++)
		if (!strcmp(v->name, name))
			return v;
	return NULL;
}

/* "poke." is the verb, too. */
static gboolean ends_word(const char *p)
{
	if (*p && strchr(".!,;", *p))
		p++;
	return *p == '\0' || strchr(" \t:^", *p) != NULL;
}

/* Length of `name` (`len` bytes; '_' is blanks, a final '*' any letters) at
 * the beginning of `text`, 0 if it is not there as a word. */
static gsize name_at(const char *text, const char *name, gsize len)
{
	const char *p = text;
	gsize i;

	for (i = 0; i < len && name[i] != '*'; i++) {
		if (name[i] == '_') {
			if (*p != ' ' && *p != '\t')
				return 0;
			p += strspn(p, " \t");
		} else if (g_ascii_tolower(*p) == name[i]) {
			p++;
		} else {
			return 0;
		}
	}
	while (i < len && (g_ascii_isalpha(*p) || *p == '-'))
		p++;
	return ends_word(p) ? (gsize)(p - text) : 0;
}

typedef void (*name_fn)(const struct command_verb *verb, const char *name,
			gsize len, void *data);

/* Call `fn` with each name of the verbs that `letter` knows. */
static void each_name(char letter, name_fn fn, void *data)
{
	for (const struct command_verb *v = verbs; v->name; v++) {
		const char *p = v->aliases;

		if (!strchr(v->markers, letter))
			continue;
		fn(v, v->name, strlen(v->name), data);
		while (*p) {
			gsize len = strcspn(p, " ");
			gboolean limited = len > 2 && p[1] == ':';

			if (!limited)
				fn(v, p, len, data);
			else if (p[0] == letter)
				fn(v, p + 2, len - 2, data);
			p += len + strspn(p + len, " ");
		}
	}
}

struct find {
	const char *text;
	const struct command_verb *verb;
	gsize len;
};

static void find_name(const struct command_verb *verb, const char *name,
		      gsize len, void *data)
{
	struct find *f = data;
	gsize n = name_at(f->text, name, len);

	if (n > f->len) {
		f->verb = verb;
		f->len = n;
	}
}

const struct command_verb *command_verb_find(char letter, const char *text,
					     gsize *len)
{
	struct find f = {.text = text};

	each_name(letter, find_name, &f);
	*len = f.len;
	return f.verb;
}

struct nearest {
	const char *word;
	const struct command_verb *verb;
	char *name;
	guint distance;
	gboolean several;
};

static void near_name(const struct command_verb *verb, const char *name,
		      gsize len, void *data)
{
	struct nearest *n = data;
	g_autofree char *own = g_strndup(name, len);
	guint distance;

	g_strdelimit(own, "_*", ' ');
	g_strchomp(own);
	distance = suggest_distance(n->word, own);
	if (distance > n->distance)
		return;
	if (distance == n->distance && n->verb) {
		n->several = n->several || n->verb != verb;
		return;
	}
	n->verb = verb;
	n->distance = distance;
	n->several = FALSE;
	g_free(n->name);
	n->name = g_steal_pointer(&own);
}

char *command_verb_nearest(char letter, const char *word)
{
	struct nearest n = {
		.word = word,
		.distance = strlen(word) < SHORT_VERB ? 1 : 2,
	};

	if (strlen(word) < NO_VERB)
		return NULL;
	each_name(letter, near_name, &n);
	if (n.several)
		g_clear_pointer(&n.name, g_free);
	return n.name;
}
