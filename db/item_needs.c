/* item_needs.c - what a fix needs to be there before it: prerequisites
 * As the fix says itself: prerequisite-* lines of its patch, Depends-on tags,
 * and commits that it names to stable behind "Cc: stable # 5.10:". They are
 * listed before the fixes and decide nothing. */
#include <string.h>

#include "mail/msgid.h"
#include "mail/reference.h"
#include "mail/subject.h"

#include "db/item_commits.h"

#define MAX_NEEDS 20 /* of one item */

struct needs {
	struct item_cache *c;
	struct item_facts *f;
	GPtrArray *found; /* of struct item_fix */
	GError *error;
};

static char *lent(db_rows *rows, int col)
{
	const char *text = db_text(rows, col);

	return text && *text ? item_ref(text) : NULL;
}

/* ---- one of them */

static void take_commit(struct needs *s, struct item_fix *need,
			struct commit *commit)
{
	struct landing l = {0};
	const char *status;

	if (landing_find(s->c->st, commit, s->f->role, FALSE, &l, &s->error)) {
		const struct commit *c = l.commit;

		item_ref_drop(need->id);
		need->id = item_ref(c->id);
		item_ref_drop(need->subject);
		need->subject = item_ref(c->subject);
		if (!need->author_name) {
			need->author_name = item_ref(c->author_name);
			need->author_address = item_ref(c->author_address);
		}
		status = landing_status(&l);
		if (status) {
			need->status = status;
			need->basis = "tree";
		}
		need->date = MAX(need->date, l.landed);
		fix_take_places(need, l.places);
	}
	landing_clear(&l);
}

static gboolean is_known(const struct needs *s, const struct item_fix *need)
{
	if (item_fix_find(s->f->item, need->id, need->mid, need->subject))
		return TRUE;
	for (guint n = 0; n < s->found->len; n++) {
		const struct item_fix *x = s->found->pdata[n];

		if ((need->id && !g_strcmp0(x->id, need->id)) ||
		    (need->mid && !g_strcmp0(x->mid, need->mid)))
			return TRUE;
	}
	return FALSE;
}

/* Takes `need`. */
static void add_need(struct needs *s, struct item_fix *need,
		     const struct item_fix *of)
{
	if (s->error || s->found->len >= MAX_NEEDS || is_known(s, need)) {
		item_fix_free(need);
		return;
	}
	need->role = "prerequisite";
	need->evidence = "prerequisite";
	need->evidence_mid = item_ref(of->mid);
	if (!need->status)
		need->status = "posted";
	if (!need->date)
		need->date = of->date;
	g_ptr_array_add(s->found, need);
}

static void add_commit(struct needs *s, const char *id, const char *title,
		       const struct item_fix *of)
{
	struct item_fix *need;
	struct commit *c;

	if (s->error || s->found->len >= MAX_NEEDS)
		return;
	need = g_new0(struct item_fix, 1);
	need->id = item_ref(id);
	need->subject = item_ref(title);
	c = commit_find(s->c->st, id, title, NULL, &s->error);
	if (c)
		take_commit(s, need, c);
	add_need(s, need, of);
}

/* The newest patch that `where` finds by ?1. */
#define PATCH_WHERE(where)                                            \
	"SELECT n.mid, p.title, a.name, a.written, p.date, m.subject" \
	" FROM patch p JOIN node n ON n.id = p.node"                  \
	" JOIN message m ON m.node = p.node"                          \
	" JOIN person a ON a.id = p.author_person"                    \
	" WHERE " where " ORDER BY p.version DESC, p.date DESC, n.mid LIMIT 1"

/* The title in the patch, else the subject without its brackets. */
static char *title_in(db_rows *rows)
{
	g_autoptr(subject_auto) s = NULL;

	if (db_text(rows, 1))
		return lent(rows, 1);
	s = subject_parse(db_text(rows, 5), NULL);
	return item_ref(s->base);
}

static void add_patch(struct needs *s, const char *sql,
		      const struct db_arg *what, const struct item_fix *of)
{
	g_autoptr(db_rows) rows =
		s->error ? NULL
			 : db_query_args(s->c->st->state, &s->error, sql, what);
	g_autoptr(GPtrArray) links = NULL;
	struct item_fix *need;

	if (!rows || db_next(rows, &s->error) < 1)
		return;
	need = g_new0(struct item_fix, 1);
	need->mid = lent(rows, 0);
	need->subject = title_in(rows);
	need->author_name = lent(rows, 2);
	need->author_address = lent(rows, 3);
	need->date = db_int(rows, 4) == DB_NULL ? 0 : db_int(rows, 4);
	links = commits_of_patch(s->c->st, need->mid, &s->error);
	if (links && links->len)
		take_commit(s, need,
			    g_steal_pointer(
				    &((struct commit_link *)links->pdata[0])
					     ->commit));
	add_need(s, need, of);
}

/* ---- what a fix says */

static void add_patch_id(struct needs *s, const char *hex,
			 const struct item_fix *of)
{
	guint8 id[20];

	if (strlen(hex) != 2 * sizeof(id))
		return;
	for (gsize n = 0; n < sizeof(id); n++) {
		int high = g_ascii_xdigit_value(hex[2 * n]);
		int low = g_ascii_xdigit_value(hex[2 * n + 1]);

		if (high < 0 || low < 0)
			return;
		id[n] = (guint8)(high << 4 | low);
	}
	add_patch(s, PATCH_WHERE("p.patch_id = ?1"),
		  DB_ARGS(BLOB(id, sizeof(id))), of);
}

static void take_depends(struct needs *s, const char *value,
			 const struct item_fix *of)
{
	g_autoptr(reference_auto) r = reference_next(&value);

	if (r && r->kind == REFERENCE_COMMIT)
		add_commit(s, r->id, r->title, of);
	else if (r && r->kind == REFERENCE_MAIL)
		add_patch(s, PATCH_WHERE("n.mid = ?1"), DB_ARGS(TEXT(r->id)),
			  of);
}

/* "patch-id: X" */
static void take_line(struct needs *s, const char *line,
		      const struct item_fix *of)
{
	const char *colon = strstr(line, ": ");
	const char *value = colon ? colon + 2 : "";
	g_autofree char *mid = NULL;

	if (g_str_has_prefix(line, "patch-id:"))
		add_patch_id(s, value, of);
	else if (g_str_has_prefix(line, "commit:"))
		take_depends(s, value, of);
	else if (g_str_has_prefix(line, "change-id:"))
		add_patch(s, PATCH_WHERE("p.change_id = ?1"),
			  DB_ARGS(TEXT(value)), of);
	else if (g_str_has_prefix(line, "message-id:"))
		mid = msgid_from_text(value);
	if (mid)
		add_patch(s, PATCH_WHERE("n.mid = ?1"), DB_ARGS(TEXT(mid)), of);
}

static void take_lines(struct needs *s, const char *lines,
		       const struct item_fix *of)
{
	g_auto(GStrv) each = g_strsplit(lines, "\n", MAX_NEEDS + 1);

	for (guint n = 0; n < MAX_NEEDS && each[n]; n++)
		take_line(s, each[n], of);
}

/* "5.10.x: 1234567890ab: title": the id stands alone, a colon behind it. */
static void take_note(struct needs *s, const char *note,
		      const struct item_fix *of)
{
	while (*note) {
		gsize len = strspn(note, "0123456789abcdef");

		if (len >= 7 && len <= 40 && note[len] == ':') {
			g_autofree char *id = g_strndup(note, len);
			g_autofree char *title = g_strdup(note + len + 1);

			g_strstrip(title);
			add_commit(s, id, *title ? title : NULL, of);
			return;
		}
		note += strcspn(note, " :");
		note += strspn(note, " :");
	}
}

static void ask_mail(struct needs *s, const struct item_fix *of)
{
	static const char sql[] =
		"SELECT 0, p.prerequisites FROM node n"
		" JOIN patch p ON p.node = n.id"
		" WHERE n.mid = ?1 AND p.prerequisites NOTNULL"
		" UNION ALL SELECT t.key = 'Depends-on',"
		"  CASE t.key WHEN 'Cc' THEN t.note ELSE t.value END"
		" FROM node n JOIN trailer_text t ON t.node = n.id"
		" WHERE n.mid = ?1 AND (t.key = 'Depends-on' OR t.key = 'Cc'"
		"  AND t.note NOTNULL AND instr(lower(t.address), 'stable'))";
	g_autoptr(db_rows) rows =
		db_query(s->c->st->state, &s->error, sql, TEXT(of->mid));

	while (!s->error && db_next(rows, &s->error) > 0) {
		const char *text = db_text(rows, 1);

		if (!text)
			continue;
		if (db_int(rows, 0))
			take_depends(s, text, of);
		else if (strstr(text, "-id: ") || strstr(text, "commit: "))
			take_lines(s, text, of);
		else
			take_note(s, text, of);
	}
}

static void ask_commit(struct needs *s, const struct item_fix *of)
{
	g_autoptr(commit_auto) c =
		commit_find(s->c->st, of->id, NULL, NULL, &s->error);
	g_auto(GStrv) lines =
		c && c->trailers ? g_strsplit(c->trailers, "\n", 200) : NULL;

	for (guint n = 0; lines && lines[n]; n++) {
		const char *note = strchr(lines[n], '#');

		if (!g_ascii_strncasecmp(lines[n], "cc:", 3) && note &&
		    strstr(lines[n], "stable"))
			take_note(s, note + 1 + strspn(note + 1, " "), of);
		else if (!g_ascii_strncasecmp(lines[n], "depends-on:", 11))
			take_depends(s, lines[n] + 11, of);
	}
}

gboolean item_find_needs(struct item_cache *c, struct item_facts *f,
			 GError **err)
{
	g_autoptr(GPtrArray) found = g_ptr_array_new();
	struct needs s = {.c = c, .f = f, .found = found};
	const GPtrArray *fixes = f->item->fixes;

	for (guint n = 0; n < fixes->len && !s.error; n++) {
		const struct item_fix *of = fixes->pdata[n];

		if (of->mid)
			ask_mail(&s, of);
		if (of->id && c->trees->len && !s.error)
			ask_commit(&s, of);
	}
	for (guint n = 0; n < found->len; n++)
		g_ptr_array_insert(f->item->fixes, (int)n, found->pdata[n]);
	if (!s.error)
		return TRUE;
	g_propagate_error(err, s.error);
	return FALSE;
}
