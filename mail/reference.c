/* reference.c - what an argument names */
#include "mail/reference.h"

const char *reference_kind_name(enum reference_kind k)
{
	static const char *const names[] = {"commit", "tag",  "range", "mail",
					    "ticket", "url",  "item",  "parent",
					    "root",   "title"};

	return names[k];
}

struct reference *reference_next(const char **text)
{
	(void)text;
	return NULL;
}

struct reference *reference_parse(const char *text)
{
	(void)text;
	return NULL;
}

char *reference_clean_title(const char *text)
{
	return g_strdup(text);
}

void reference_free(struct reference *r)
{
	if (!r)
		return;
	g_free(r->text);
	g_free(r->id);
	g_free(r->from);
	g_free(r->to);
	g_free(r->url);
	g_free(r->title);
	g_free(r->anchor);
	g_free(r);
}
