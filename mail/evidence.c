/* evidence.c - how sure it is that a mail's author is who he says */
#include "mail/evidence.h"

#include <string.h>

#include "mail/evidence_priv.h"
#include "mail/received.h"

#define MAX_SEALS 50 /* RFC 8617 4.2.1 */

/* What the fields that count say together. */
struct findings {
	const char *from; /* domain of From */
	gboolean pass, fail, dmarc_fail, chain;
};

static gboolean contains(const char *const *all, const char *name)
{
	for (guint i = 0; all && all[i]; i++)
		if (!g_ascii_strcasecmp(all[i], name))
			return TRUE;
	return FALSE;
}

/* `domain` is that of From, or one that it lies below. One label alone is
 * everybody's. */
static gboolean is_aligned(const char *domain, const char *from)
{
	return domain && strchr(domain, '.') && host_is_below(from, domain);
}

static gboolean is(const struct auth_method *m, const char *name,
		   const char *result)
{
	return !strcmp(m->name, name) && !strcmp(m->result, result);
}

static void take_methods(struct findings *f, const struct auth_results *a)
{
	for (guint i = 0; i < a->methods->len; i++) {
		const struct auth_method *m = a->methods->pdata[i];
		gboolean aligned = is_aligned(m->domain, f->from);

		if (is(m, "dkim", "pass"))
			f->pass = f->pass || aligned;
		else if (is(m, "dkim", "fail"))
			f->fail = f->fail || aligned;
		else if (is(m, "dmarc", "pass"))
			f->pass = f->pass || aligned || !m->domain;
		else if (is(m, "dmarc", "fail"))
			f->dmarc_fail = f->dmarc_fail || aligned || !m->domain;
		else if (is(m, "arc", "pass"))
			f->chain = TRUE;
	}
}

/* ---- which fields count */

static gboolean is_our_host(const struct evidence_trust *t, const char *name)
{
	return contains(t->authserv, name) ||
	       (t->host && host_is_below(name, t->host));
}

/* The line that our host wrote when the mail came in from outside. Local
 * delivery may put another one on top. */
static gboolean is_border(const struct evidence_trust *t,
			  const struct header_field *f)
{
	struct received r;
	gboolean border;

	received_parse(f, &r);
	border = is_our_host(t, r.by) && !g_str_has_prefix(r.with, "LMTP");
	received_clear(&r);
	return border;
}

static gboolean is_named(const struct header_field *f, const char *name)
{
	return f->name_len == strlen(name) &&
	       !g_ascii_strncasecmp(f->name, name, f->name_len);
}

/* The place of that line among all; 0: nothing above it counts. */
static guint find_border(const header *h, const struct evidence_trust *t)
{
	for (guint i = 0; i < header_count(h); i++) {
		const struct header_field *f = header_at(h, i);

		if (is_named(f, "Received") && is_border(t, f))
			return i;
	}
	return 0;
}

static void take_results(struct findings *found, const header *h,
			 const struct evidence_trust *t)
{
	guint border = find_border(h, t), read = 0;

	for (guint i = 0; i < border && read < EVIDENCE_MAX_FIELDS; i++) {
		const struct header_field *f = header_at(h, i);
		g_autofree char *value = NULL;
		g_autoptr(auth_results_auto) a = NULL;

		if (!is_named(f, "Authentication-Results"))
			continue;
		value = header_unfold(f);
		a = auth_results_parse(value);
		read++;
		if (a && contains(t->authserv, a->authserv))
			take_methods(found, a);
	}
}

/* ---- ARC: what the first host of a chain saw, if all of it are believed */

/* The value of `name` in "i=1; a=rsa-sha256; d=x". You own it. */
static char *seal_tag(const char *plain, const char *name)
{
	g_auto(GStrv) parts = g_strsplit(plain, ";", EVIDENCE_MAX_METHODS);
	gsize len = strlen(name);

	for (guint i = 0; parts[i]; i++) {
		const char *p = g_strstrip(parts[i]);
		const char *equals = strchr(p, '=');

		if (equals && !g_ascii_strncasecmp(p, name, len) &&
		    strspn(p + len, " \t") == (gsize)(equals - p) - len)
			return g_strstrip(g_strdup(equals + 1));
	}
	return NULL;
}

static gboolean seals_are_believed(const header *h,
				   const struct evidence_trust *t)
{
	const struct header_field *f = header_find(h, "ARC-Seal");
	guint n = 0;

	for (; f && n < MAX_SEALS; n++) {
		g_autofree char *value = header_unfold(f);
		g_autofree char *domain = seal_tag(value, "d");

		if (!domain || !contains(t->sealers, domain))
			return FALSE;
		f = header_next(h, "ARC-Seal", f);
	}
	return n && !f;
}

/* "i=1; lists.example.org; dkim=pass header.d=y" */
static void take_first_seal(struct findings *found, const header *h)
{
	static const char name[] = "ARC-Authentication-Results";
	const struct header_field *f = header_find(h, name);

	for (guint n = 0; f && n < MAX_SEALS; n++) {
		g_autofree char *value = header_unfold(f);
		g_autofree char *number = seal_tag(value, "i");
		const char *rest = strchr(value, ';');
		g_autoptr(auth_results_auto) a =
			rest ? auth_results_parse(rest + 1) : NULL;

		if (a && number && !strcmp(number, "1"))
			take_methods(found, a);
		f = header_next(h, name, f);
	}
}

static gboolean chain_passes(const struct findings *found, const header *h,
			     const struct evidence_trust *t)
{
	struct findings first = {.from = found->from};

	if (!found->chain || !seals_are_believed(h, t))
		return FALSE;
	take_first_seal(&first, h);
	return first.pass && !first.dmarc_fail;
}

/* ---- all of it */

/* The one address of the one From; NULL: there are several, or none. */
static char *from_domain(const header *h)
{
	const struct header_field *f = header_find(h, "From");
	g_autofree char *value = f ? header_unfold(f) : NULL;
	g_autoptr(GPtrArray) all = value ? address_parse_list(value) : NULL;
	const struct address *a;
	const char *at;

	if (!all || all->len != 1 || header_next(h, "From", f))
		return NULL;
	a = all->pdata[0];
	at = strrchr(a->address, '@');
	return at && at[1] ? g_ascii_strdown(at + 1, -1) : NULL;
}

static enum evidence weigh(const struct findings *found, gboolean chain,
			   gboolean masked, const char **why)
{
	if (!chain && !masked &&
	    (found->dmarc_fail || (found->fail && !found->pass))) {
		*why = "the signature of its author's domain is false";
		return EVIDENCE_FAILED;
	}
	if (masked) {
		*why = found->dmarc_fail ? "the list in From did not send it"
					 : "its list has put itself into From";
		return found->dmarc_fail ? EVIDENCE_FAILED : EVIDENCE_NONE;
	}
	if (found->pass || chain) {
		*why = "its author's domain has signed it";
		return EVIDENCE_PROVEN;
	}
	*why = "nothing shows that its author's domain has signed it";
	return EVIDENCE_NONE;
}

enum evidence evidence_of(const message *msg,
			  const struct evidence_trust *trust, const char **why)
{
	const header *h = message_header(msg);
	g_autofree char *domain = from_domain(h);
	struct findings found = {.from = domain};
	g_autoptr(address_auto) author = NULL;
	const char *text = "";
	enum evidence e;
	gboolean masked;

	if (domain) {
		take_results(&found, h, trust);
		author = address_author(h, &masked);
		e = weigh(&found, chain_passes(&found, h, trust), masked,
			  &text);
	} else {
		e = EVIDENCE_NONE;
		text = "its From is not one address";
	}
	if (why)
		*why = text;
	return e;
}
