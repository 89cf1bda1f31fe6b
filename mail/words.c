#include "mail/words.h"

const char *verdict_word_name(enum verdict_word_kind k)
{
	static const char *const names[] = {
		"tested-ok", "tested-bad",	  "not-reproduced", "retracted",
		"nak",	     "changes-requested", "question"};

	return names[k];
}

GPtrArray *words_read(const body *b)
{
	(void)b;
	return g_ptr_array_new_with_free_func(
		(GDestroyNotify)verdict_word_free);
}

void verdict_word_free(struct verdict_word *w)
{
	g_free(w);
}
