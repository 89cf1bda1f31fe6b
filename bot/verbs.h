/* verbs.h - the verbs there are: one line a verb, in the order of the help
 * Each is defined as verb_NAME in bot/verb_NAME.c. */
#ifndef BOT_VERBS_H
#define BOT_VERBS_H

#include "bot/cli.h"

/* clang-format off */
#define CLI_VERBS(V) \
	V(am) \
	V(answer) \
	V(backup) \
	V(check) \
	V(commit) \
	V(config) \
	V(digest) \
	V(doctor) \
	V(dump) \
	V(fix) \
	V(help) \
	V(import) \
	V(index) \
	V(next) \
	V(outbox) \
	V(pages) \
	V(parse) \
	V(problems) \
	V(rebuild) \
	V(reply) \
	V(report) \
	V(rerun) \
	V(run) \
	V(search) \
	V(series) \
	V(show) \
	V(status) \
	V(sync) \
	V(table) \
	V(templates) \
	V(thread) \
	V(trees) \
	V(verdict) \
	V(why)
/* clang-format on */

#define VERB_DECLARE(name) extern const struct verb verb_##name;
CLI_VERBS(VERB_DECLARE)
#undef VERB_DECLARE

#endif
