/* recipients.c - who gets an answer */
#include "mail/recipients.h"

#include <string.h>

#include "mail/chars_priv.h"

/* Who is making up the lists of an answer. */
struct choice {
	const message *msg;
	const char *const *own;
	struct recipients *r;
	GHashTable *seen; /* lower-case addresses */
};

void recipients_clear(struct recipients *r)
{
	g_clear_pointer(&r->to, g_ptr_array_unref);
	g_clear_pointer(&r->cc, g_ptr_array_unref);
}

/* "local@domain" without +tag, lower case. */
static char *plain_box(const char *address)
{
	const char *at = strrchr(address, '@');
	const char *plus = strchr(address, '+');
	g_autofree char *local = NULL;
	g_autofree char *whole = NULL;

	if (!at || !plus || plus > at)
		return g_ascii_strdown(address, -1);
	local = g_strndup(address, (gsize)(plus - address));
	whole = g_strconcat(local, at, NULL);
	return g_ascii_strdown(whole, -1);
}

gboolean recipients_is_own(const char *address, const char *const *own)
{
	g_autofree char *box = plain_box(address);

	for (guint i = 0; own && own[i]; i++) {
		g_autofree char *mine = plain_box(own[i]);

		if (g_str_equal(box, mine))
			return TRUE;
	}
	return FALSE;
}

static gboolean begins(const char *address, const char *const *words)
{
	for (guint i = 0; words[i]; i++)
		if (!g_ascii_strncasecmp(address, words[i], strlen(words[i])))
			return TRUE;
	return FALSE;
}

/* Answers there do nothing, or what nobody meant. */
static gboolean is_deaf(const char *address)
{
	static const char *const boxes[] = {"syzbot+",	      "bugzilla-daemon",
					    "noreply",	      "no-reply",
					    "mailer-daemon@", NULL};

	return begins(address, boxes);
}

static gboolean is_address(const char *address)
{
	const char *at = strchr(address, '@');

	if (!at || at == address || !at[1] || strchr(at + 1, '@'))
		return FALSE;
	for (const char *p = address; *p; p++)
		if (is_blank(*p) || g_ascii_iscntrl(*p) || *p == '<' ||
		    *p == '>' || *p == ',' || *p == ';')
			return FALSE;
	return TRUE;
}

/* The part behind "<mailto:" of List-Post. */
static gboolean is_posting_box(const message *msg, const char *address)
{
	g_autofree char *post = header_dup(message_header(msg), "List-Post");
	const char *p = post ? strstr(post, "mailto:") : NULL;
	gsize len = strlen(address);

	return p && !g_ascii_strncasecmp(p + 7, address, len) &&
	       (p[7 + len] == '>' || p[7 + len] == '?' || p[7 + len] == '\0');
}

/* "linux-foo.vger.kernel.org" is linux-foo@vger.kernel.org. */
static gboolean is_in_list_ids(const message *msg, const char *address)
{
	GPtrArray *ids = message_list_ids(msg);
	g_autofree char *dotted = g_strdup(address);

	g_strdelimit(dotted, "@", '.');
	for (guint i = 0; i < ids->len; i++)
		if (!g_ascii_strcasecmp(ids->pdata[i], dotted))
			return TRUE;
	return FALSE;
}

gboolean recipients_is_list(const message *msg, const char *address)
{
	static const char *const domains[] = {
		"vger.kernel.org", "lists.",	       "list.",
		"lore.kernel.org", "googlegroups.com", NULL};
	static const char *const locals[] = {"linux-", NULL};
	const char *at = strchr(address, '@');

	if (!at)
		return FALSE;
	return begins(at + 1, domains) || begins(address, locals) ||
	       strstr(at, ".lists.") ||
	       (msg &&
		(is_posting_box(msg, address) || is_in_list_ids(msg, address)));
}

static gboolean is_wanted(const struct choice *c, const struct address *a)
{
	return is_address(a->address) && !is_deaf(a->address) &&
	       !recipients_is_own(a->address, c->own);
}

/* A name that only says the address again is none. */
static struct address *tidy(const struct address *a)
{
	gboolean same = !g_ascii_strcasecmp(a->name, a->address);

	return address_new(same ? "" : a->name, a->address);
}

static void add(struct choice *c, GPtrArray *to, const struct address *a)
{
	g_autofree char *key = g_ascii_strdown(a->address, -1);

	if (is_wanted(c, a) && g_hash_table_add(c->seen, g_strdup(key)))
		g_ptr_array_add(to, tidy(a));
}

static void add_all(struct choice *c, GPtrArray *to, GPtrArray *from)
{
	for (guint i = 0; i < from->len; i++)
		add(c, to, from->pdata[i]);
}

static gboolean holds(GPtrArray *all, const char *address)
{
	for (guint i = 0; i < all->len; i++) {
		const struct address *a = all->pdata[i];

		if (!g_ascii_strcasecmp(a->address, address))
			return TRUE;
	}
	return FALSE;
}

static gboolean is_recipient(const message *msg, const char *address)
{
	return holds(message_to(msg), address) ||
	       holds(message_cc(msg), address);
}

static GPtrArray *field_addresses(const message *msg, const char *name)
{
	g_autofree char *value = header_dup(message_header(msg), name);

	return address_parse_list(value ? value : "");
}

/* Where the author wants answers. A Reply-To that gets the answer anyway was
 * put there by a list. */
static struct address *author_box(const message *msg)
{
	g_autoptr(GPtrArray) asked = field_addresses(msg, "Mail-Reply-To");
	const struct address *from = message_from(msg);
	GPtrArray *reply_to = message_reply_to(msg);
	gboolean munged = FALSE;

	if (asked->len)
		return address_copy(asked->pdata[0]);
	for (guint i = 0; i < reply_to->len; i++) {
		const struct address *a = reply_to->pdata[i];

		munged |= is_recipient(msg, a->address);
	}
	if (reply_to->len && !munged) {
		const struct address *a = reply_to->pdata[0];

		return address_new(*a->name ? a->name : from->name, a->address);
	}
	return address_copy(from);
}

static gboolean is_honest(const message *msg, GPtrArray *followup,
			  const char *author)
{
	if (!followup->len || followup->len > RECIPIENTS_MAX_FOLLOWUP)
		return FALSE;
	for (guint i = 0; i < followup->len; i++) {
		const struct address *a = followup->pdata[i];

		if (is_recipient(msg, a->address) ||
		    !g_ascii_strcasecmp(a->address, author))
			return TRUE;
	}
	return FALSE;
}

static void add_lists(struct choice *c, GPtrArray *from)
{
	for (guint i = 0; i < from->len; i++) {
		const struct address *a = from->pdata[i];

		if (recipients_is_list(c->msg, a->address))
			add(c, c->r->cc, a);
	}
}

static void follow(struct choice *c, GPtrArray *followup,
		   const struct address *author)
{
	if (holds(followup, author->address))
		add(c, c->r->to, author);
	for (guint i = 0; i < followup->len; i++)
		add(c, c->r->to->len ? c->r->cc : c->r->to, followup->pdata[i]);
	add_lists(c, message_to(c->msg));
	add_lists(c, message_cc(c->msg));
}

/* "Mail-Copies-To: never": the author reads the list. */
static gboolean wants_no_copy(const message *msg)
{
	g_autofree char *value =
		header_dup_decoded(message_header(msg), "Mail-Copies-To");

	return value && (!g_ascii_strcasecmp(value, "never") ||
			 !g_ascii_strcasecmp(value, "nobody"));
}

/* Somebody has to stand in To: a list, else whoever comes first. */
static void promote(struct choice *c)
{
	GPtrArray *cc = c->r->cc;
	guint best = 0;

	if (c->r->to->len || !cc->len)
		return;
	for (guint i = 0; wants_no_copy(c->msg) && i < cc->len; i++) {
		const struct address *a = cc->pdata[i];

		if (recipients_is_list(c->msg, a->address)) {
			best = i;
			break;
		}
	}
	g_ptr_array_add(c->r->to, g_ptr_array_steal_index(cc, best));
}

static void answer_all(struct choice *c, const struct address *author)
{
	g_autoptr(GPtrArray) followup =
		field_addresses(c->msg, "Mail-Followup-To");

	if (is_honest(c->msg, followup, author->address)) {
		follow(c, followup, author);
		return;
	}
	if (wants_no_copy(c->msg))
		g_hash_table_add(c->seen, g_ascii_strdown(author->address, -1));
	else
		add(c, c->r->to, author);
	add_all(c, c->r->cc, message_to(c->msg));
	add_all(c, c->r->cc, message_cc(c->msg));
}

void recipients_of(const message *msg, gboolean everybody,
		   const char *const *own, struct recipients *r)
{
	g_autoptr(GHashTable) seen =
		g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	struct choice c = {msg, own, r, seen};
	g_autoptr(address_auto) author = author_box(msg);

	r->to = g_ptr_array_new_with_free_func((GDestroyNotify)address_free);
	r->cc = g_ptr_array_new_with_free_func((GDestroyNotify)address_free);
	if (recipients_is_own(message_from(msg)->address, own)) {
		add_all(&c, r->to, message_to(msg));
		if (everybody)
			add_all(&c, r->cc, message_cc(msg));
	} else if (everybody) {
		answer_all(&c, author);
	} else {
		add(&c, r->to, author);
	}
	promote(&c);
}
