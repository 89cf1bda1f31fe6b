/* patch_id.c - git's stable patch id, without git
 * Every file's lines are hashed without blanks, the digests are added up.
 * Hunks end by their line counts; line numbers and "index" lines are left
 * out. What git does with odd input is done here, too: the id of a mail must
 * be the one that everybody else computes for it. */
#include "mail/patch_id.h"

#include <string.h>

#define SHA1_BYTES   20
#define OID_HEX	     40
#define BUFFER_BYTES 8192
#define MAX_HUNK     100000000 /* lines; git reads no more than an int */

enum line_use {
	LINE_HASH, /* belongs to the change */
	LINE_SKIP,
	LINE_END, /* the change ends before this line */
};

struct patch_id {
	enum patch_id_mode mode;
	GChecksum *sum; /* of the file at hand */
	guint8 result[SHA1_BYTES];
	gsize hashed; /* bytes that entered any digest */
	int before;   /* lines left of the hunk; both -1 in a file's head */
	int after;
	gboolean binary;
	char pre[OID_HEX + 1]; /* blob ids of the last "index" line */
	char post[OID_HEX + 1];
	gsize used; /* of buffer */
	guint8 buffer[BUFFER_BYTES];
};

static gboolean starts(const char *line, gsize len, const char *word)
{
	gsize n = strlen(word);

	return len >= n && !memcmp(line, word, n);
}

static void feed_buffer(struct patch_id *id)
{
	if (id->used)
		g_checksum_update(id->sum, id->buffer, (gssize)id->used);
	id->used = 0;
}

/* git takes these four for blanks, not the form feed, and stops at a NUL. */
static const guint8 is_black[256] = {
	[1 ... 8] = 1,
	[11 ... 12] = 1,
	[14 ... 31] = 1,
	[33 ... 255] = 1,
};

static void feed_line(struct patch_id *id, const char *line, gsize len)
{
	const char *nul = memchr(line, '\0', len);
	gsize left = nul ? (gsize)(nul - line) : len;

	while (left) {
		gsize n = MIN(left, BUFFER_BYTES - id->used);
		gsize used = id->used;

		for (gsize i = 0; i < n; i++) {
			guint8 c = (guint8)line[i];

			id->buffer[used] = c;
			used += is_black[c];
		}
		id->hashed += used - id->used;
		id->used = used;
		line += n;
		left -= n;
		if (id->used == BUFFER_BYTES)
			feed_buffer(id);
	}
}

/* Add the digest of the file at hand to the result, least byte first. */
static void flush_file(struct patch_id *id)
{
	guint8 digest[SHA1_BYTES];
	gsize len = sizeof(digest);
	guint carry = 0;

	feed_buffer(id);
	g_checksum_get_digest(id->sum, digest, &len);
	g_checksum_reset(id->sum);
	for (gsize i = 0; i < SHA1_BYTES; i++) {
		carry += id->result[i] + digest[i];
		id->result[i] = (guint8)carry;
		carry >>= 8;
	}
}

static void copy_oid(char *oid, const char *from, const char *to)
{
	gsize n = MIN((gsize)(to - from), OID_HEX);

	memcpy(oid, from, n);
	oid[n] = '\0';
}

/* "a..b mode" of an index line: the ids stand for a binary file's bytes. */
static void read_index(struct patch_id *id, const char *line, gsize len)
{
	const char *from = line + strlen("index ");
	const char *end = line + len;
	const char *dots = g_strstr_len(line, (gssize)len, "..");
	const char *stop;

	if (!dots)
		return;
	stop = memchr(dots, ' ', (gsize)(end - dots));
	if (!stop)
		stop = end;
	if (dots < from || stop < dots + 2)
		return;
	copy_oid(id->pre, from, dots);
	copy_oid(id->post, dots + 2, stop);
}

/* Digits of one side of "@@ -a,b +c,d"; NULL if it is not of that form. */
static const char *read_range(const char *p, const char *end, int *count)
{
	gboolean digits = FALSE;

	for (*count = 1; p < end && g_ascii_isdigit(*p); p++)
		digits = TRUE;
	if (p == end || *p != ',')
		return digits ? p : NULL;
	digits = FALSE;
	*count = 0;
	for (p++; p < end && g_ascii_isdigit(*p); p++) {
		digits = TRUE;
		*count = MIN(*count * 10 + (*p - '0'), MAX_HUNK);
	}
	return digits ? p : NULL;
}

static void read_hunk(struct patch_id *id, const char *line, gsize len)
{
	const char *end = line + len;
	const char *p = read_range(line + 4, end, &id->before);

	if (p && end - p > 2 && p[0] == ' ' && p[1] == '+')
		read_range(p + 2, end, &id->after);
}

static gboolean is_oid(const char *p, const char *end)
{
	if (end - p < OID_HEX)
		return FALSE;
	for (int i = 0; i < OID_HEX; i++)
		if (!g_ascii_isxdigit(p[i]))
			return FALSE;
	return TRUE;
}

/* A line that names the next commit, as "git log" and format-patch do. */
static gboolean names_commit(const char *line, gsize len)
{
	gsize skip = starts(line, len, "commit ") ? 7
		     : starts(line, len, "From ") ? 5
						  : 0;

	return is_oid(line + skip, line + len);
}

static enum line_use read_head(struct patch_id *id, const char *line, gsize len)
{
	if (starts(line, len, "GIT binary patch") ||
	    starts(line, len, "Binary files")) {
		id->binary = TRUE;
		id->before = 0;
		feed_line(id, id->pre, strlen(id->pre));
		feed_line(id, id->post, strlen(id->post));
		flush_file(id);
		return LINE_SKIP;
	}
	if (starts(line, len, "index ")) {
		read_index(id, line, len);
		return LINE_SKIP;
	}
	if (starts(line, len, "--- ")) {
		id->before = id->after = 1;
		return LINE_HASH;
	}
	return len && g_ascii_isalpha(*line) ? LINE_HASH : LINE_END;
}

static enum line_use read_between(struct patch_id *id, const char *line,
				  gsize len)
{
	if (starts(line, len, "@@ -")) {
		read_hunk(id, line, len);
		return LINE_SKIP;
	}
	if (!starts(line, len, "diff "))
		return LINE_END;
	flush_file(id);
	id->before = id->after = -1;
	return LINE_HASH;
}

/* `line` without its newline. */
static enum line_use read_line(struct patch_id *id, const char *line, gsize len)
{
	enum line_use use = LINE_HASH;

	if (starts(line, len, "\\ ") && len >= 12)
		return LINE_SKIP;
	if (names_commit(line, len))
		return LINE_END;
	if (!id->hashed && !starts(line, len, "diff "))
		return LINE_SKIP;
	if (id->before == -1)
		use = read_head(id, line, len);
	if (use != LINE_HASH)
		return use;
	if (id->binary) {
		if (!starts(line, len, "diff "))
			return LINE_SKIP;
		id->binary = FALSE;
		id->before = -1;
		return LINE_SKIP;
	}
	if (id->before == 0 && id->after == 0) {
		use = read_between(id, line, len);
		if (use != LINE_HASH)
			return use;
	}
	if (len ? *line == ' ' : id->mode == PATCH_ID_BLANKS) {
		id->before--;
		id->after--;
	} else if (len) {
		id->before -= *line == '-';
		id->after -= *line == '+';
	}
	return LINE_HASH;
}

static char *to_hex(const guint8 *bytes)
{
	static const char digits[] = "0123456789abcdef";
	char *hex = g_malloc(OID_HEX + 1);

	for (int i = 0; i < SHA1_BYTES; i++) {
		hex[2 * i] = digits[bytes[i] >> 4];
		hex[2 * i + 1] = digits[bytes[i] & 15];
	}
	hex[OID_HEX] = '\0';
	return hex;
}

char *patch_id_compute(const char *text, gsize len, enum patch_id_mode mode)
{
	struct patch_id id;
	const char *p = text;
	const char *end = text + len;
	enum line_use use = LINE_SKIP;

	memset(&id, 0, offsetof(struct patch_id, buffer));
	id.mode = mode;
	id.before = id.after = -1;
	id.sum = g_checksum_new(G_CHECKSUM_SHA1);
	while (p < end && (use != LINE_END || !id.hashed)) {
		const char *eol = memchr(p, '\n', (gsize)(end - p));
		const char *stop = eol ? eol : end;

		use = read_line(&id, p, (gsize)(stop - p));
		if (use == LINE_HASH)
			feed_line(&id, p, (gsize)(stop - p));
		p = eol ? eol + 1 : end;
	}
	flush_file(&id);
	g_checksum_free(id.sum);
	return id.hashed ? to_hex(id.result) : NULL;
}
