/* address.h - people in headers and trailers */
#ifndef MAIL_ADDRESS_H
#define MAIL_ADDRESS_H

#include <glib.h>

#include "mail/auto.h"
#include "mail/header.h"

#define ADDRESS_MAX_LIST 2000 /* addresses of one field; the rest is dropped */

struct address {
	char *name;    /* decoded display name, "" if none */
	char *address; /* local@domain as written, "" if there is none */
};

struct address *address_new(const char *name, const char *address);
struct address *address_copy(const struct address *a);
void address_free(struct address *a);
AUTO_STRUCT(address, address_free)

/* The mailboxes of an unfolded header value (To, Cc, From ...), RFC 2047
 * decoded, groups flattened. Odd input gives what can be had, never an
 * error. You own the array of struct address. */
GPtrArray *address_parse_list(const char *unfolded);

/* One person in a trailer: plain text, not RFC 5322: quotes, commas and
 * parentheses belong to the name ("Jane \"JD\" Doe <j@x>"), <mailto:...> is
 * removed, a missing blank before '<' is accepted. `note` (may be NULL) gets
 * the text after '#', or of a trailing [note]; NULL if none. NULL if no
 * address is in it. */
struct address *address_parse_person(const char *text, char **note);

/*
 * The true author of a message whose list put its own address into From
 * (name "X via List", "'X' via List", or the address of a list in List-Id or
 * List-Post): X-Original-From, then the Reply-To that is not the list,
 * then the Cc whose name equals the cleaned name. Otherwise From itself.
 * Never NULL. `unmunged` (may be NULL) tells whether From was replaced.
 */
struct address *address_author(const header *h, gboolean *unmunged);

/* Equal by the rule of threads-patches 4.3: same address (case-blind),
 * equal without +tag, same local part with one domain a one-label sub-domain
 * of the other, or equal full names (NFC, case-folded, "Last, First"
 * swapped; a name of one word never counts). */
gboolean address_same_person(const struct address *a, const struct address *b);

/* A name as it is compared there: NFC, case-folded, blanks single, quotes and
 * "(Company)" dropped, "Last, First" turned. NULL if it is one word. */
char *address_name_key(const char *name);

#endif
