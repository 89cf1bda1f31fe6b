/* ingest_place.c - where the mails of an ingest come from
 * Each place once, however often its mails are queued. */
#include "bot/ingest_place.h"

#include <string.h>

static void place_free(gpointer data)
{
	struct ingest_place *p = data;

	g_free(p->kind);
	g_free(p->place);
	g_free(p);
}

GHashTable *ingest_places_new(void)
{
	return g_hash_table_new_full(g_str_hash, g_str_equal, g_free,
				     place_free);
}

struct ingest_place *ingest_place_get(GHashTable *places,
				      struct ingest_place **last,
				      const char *kind, const char *place)
{
	g_autofree char *key = NULL;
	struct ingest_place *p = *last;

	if (p && strcmp(p->place, place) == 0 && strcmp(p->kind, kind) == 0)
		return p;
	key = g_strconcat(kind, "\n", place, NULL);
	p = g_hash_table_lookup(places, key);
	if (!p) {
		p = g_new0(struct ingest_place, 1);
		p->kind = g_strdup(kind);
		p->place = g_strdup(place);
		p->once = g_str_equal(kind, "stdin");
		p->id = -1;
		g_hash_table_insert(places, g_steal_pointer(&key), p);
	}
	*last = p;
	return p;
}
