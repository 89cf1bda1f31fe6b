/* verbs.c - the table of verbs, made of the lines of verbs.h */
#include "bot/verbs.h"

#define VERB_POINTER(name) &verb_##name,

const struct verb *const cli_verbs[] = {CLI_VERBS(VERB_POINTER) NULL};
