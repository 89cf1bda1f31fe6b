/* unpack.c - gzip, zstd and plain files as one stream of bytes */
#include "bot/unpack.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include "bot/source.h"

#define IN_BYTES (64 * 1024)

enum packing { PACK_UNKNOWN, PACK_NONE, PACK_GZIP, PACK_ZSTD };

struct unpack {
	int fd;
	gboolean own_fd;
	char *name;
	gboolean (*stopped)(void);
	struct stat stat;
	enum packing packing;
	guint8 *in; /* IN_BYTES, as read from the file */
	gsize in_pos, in_len;
	gboolean in_end;
	gboolean between;  /* at the end of a member, before the next */
	gboolean trailing; /* other bytes follow the packed ones */
	z_stream z;
	ZSTD_DStream *zstd;
	guint64 given, max; /* bytes unpacked; 0: no limit */
};

static unpack *unpack_new(int fd, const char *name, gboolean (*stopped)(void))
{
	unpack *u = g_new0(unpack, 1);

	u->fd = fd;
	u->name = g_strdup(name);
	u->stopped = stopped;
	u->in = g_malloc(IN_BYTES);
	return u;
}

unpack *unpack_stream(int fd, const char *name, gboolean (*stopped)(void))
{
	return unpack_new(fd, name, stopped);
}

static const char *kind_of(mode_t mode)
{
	if (S_ISDIR(mode))
		return "a folder";
	if (S_ISFIFO(mode))
		return "a FIFO";
	if (S_ISSOCK(mode))
		return "a socket";
	return "a device";
}

unpack *unpack_open(const char *path, gboolean (*stopped)(void), GError **err)
{
	/* O_NONBLOCK: a FIFO without a writer would hang here */
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	struct stat st;
	unpack *u;

	if (fd < 0 || fstat(fd, &st) < 0) {
		g_set_error(err, SOURCE_ERROR, SOURCE_ERROR_OPEN, "%s: %s",
			    path, g_strerror(errno));
		if (fd >= 0)
			close(fd);
		return NULL;
	}
	if (!S_ISREG(st.st_mode)) {
		g_set_error(err, SOURCE_ERROR, SOURCE_ERROR_OPEN,
			    "%s: is %s, not a file", path, kind_of(st.st_mode));
		close(fd);
		return NULL;
	}
	u = unpack_new(fd, path, stopped);
	u->own_fd = TRUE;
	u->stat = st;
	return u;
}

void unpack_close(unpack *u)
{
	if (!u)
		return;
	if (u->packing == PACK_GZIP)
		inflateEnd(&u->z);
	ZSTD_freeDStream(u->zstd);
	if (u->own_fd)
		close(u->fd);
	g_free(u->in);
	g_free(u->name);
	g_free(u);
}

const char *unpack_name(const unpack *u)
{
	return u->name;
}

gboolean unpack_packed(const unpack *u)
{
	return u->packing == PACK_GZIP || u->packing == PACK_ZSTD;
}

const struct stat *unpack_stat(const unpack *u)
{
	return &u->stat;
}

int unpack_fd(const unpack *u)
{
	return u->fd;
}

/* ---- raw bytes */

static gboolean read_error(const unpack *u, GError **err, const char *why)
{
	g_set_error(err, SOURCE_ERROR, SOURCE_ERROR_READ, "%s: %s", u->name,
		    why);
	return FALSE;
}

static gboolean is_stopped(unpack *u, GError **err)
{
	if (!u->stopped || !u->stopped())
		return FALSE;
	g_set_error(err, SOURCE_ERROR, SOURCE_ERROR_STOPPED, "%s: interrupted",
		    u->name);
	return TRUE;
}

/* One read() into `buf`, waiting for streams; -1 with *err. */
static gssize read_some(unpack *u, void *buf, gsize len, GError **err)
{
	for (;;) {
		struct pollfd p = {.fd = u->fd, .events = POLLIN};
		gssize n;

		if (is_stopped(u, err))
			return -1;
		/* poll, since it ends at a signal even where read would not */
		if (!u->own_fd && poll(&p, 1, -1) < 0 && errno == EINTR)
			continue;
		n = read(u->fd, buf, len);
		if (n >= 0)
			return n;
		/* a file that makes us wait is none (/proc/kmsg) */
		if (errno != EINTR && (errno != EAGAIN || u->own_fd)) {
			read_error(u, err, g_strerror(errno));
			return -1;
		}
	}
}

/* Make `want` bytes available at in_pos unless the file ends before. */
static gboolean fill(unpack *u, gsize want, GError **err)
{
	if (u->in_pos > 0 && u->in_len - u->in_pos < want) {
		memmove(u->in, u->in + u->in_pos, u->in_len - u->in_pos);
		u->in_len -= u->in_pos;
		u->in_pos = 0;
	}
	while (!u->in_end && u->in_len - u->in_pos < want) {
		gssize n = read_some(u, u->in + u->in_len, IN_BYTES - u->in_len,
				     err);

		if (n < 0)
			return FALSE;
		if (n == 0)
			u->in_end = TRUE;
		u->in_len += n;
	}
	return TRUE;
}

static gboolean starts(const unpack *u, const char *magic, gsize len)
{
	return u->in_len - u->in_pos >= len &&
	       memcmp(u->in + u->in_pos, magic, len) == 0;
}

/* zstd frames, skippable ones included, which may come first */
static gboolean starts_zstd(const unpack *u)
{
	return starts(u, "\x28\xb5\x2f\xfd", 4) ||
	       (u->in_len - u->in_pos >= 4 &&
		(u->in[u->in_pos] & 0xf0) == 0x50 &&
		memcmp(u->in + u->in_pos + 1, "\x2a\x4d\x18", 3) == 0);
}

static gboolean begin(unpack *u, GError **err)
{
	if (!fill(u, 6, err))
		return FALSE;
	if (starts(u, "\3757zXZ", 5) || starts(u, "BZh", 3) ||
	    starts(u, "PK\x03\x04", 4))
		return read_error(u, err,
				  "is packed with something else than gzip or "
				  "zstd; unpack it first");
	if (starts(u, "\x1f\x8b", 2)) {
		if (inflateInit2(&u->z, 15 + 16) != Z_OK)
			return read_error(u, err, "gzip can't be set up");
		u->packing = PACK_GZIP;
	} else if (starts_zstd(u)) {
		u->zstd = ZSTD_createDStream();
		u->packing = PACK_ZSTD;
	} else {
		u->packing = PACK_NONE;
	}
	return TRUE;
}

/* ---- unpacking */

/* After a member: TRUE if another follows. Zeros may fill up the file. */
static gboolean next_member(unpack *u, gboolean *more, GError **err)
{
	*more = FALSE;
	for (;;) {
		if (!fill(u, 4, err))
			return FALSE;
		if (u->in_pos == u->in_len)
			return TRUE;
		if (u->in[u->in_pos] != 0)
			break;
		u->in_pos++;
	}
	*more = u->packing == PACK_GZIP ? starts(u, "\x1f\x8b", 2)
					: starts_zstd(u);
	u->trailing = !*more;
	return TRUE;
}

static gssize truncated(unpack *u, GError **err)
{
	read_error(u, err, "is truncated");
	return -1;
}

/* One step of gzip: bytes written to `buf`, or -1. */
static gssize step_gzip(unpack *u, char *buf, gsize len, GError **err)
{
	int rc;

	u->z.next_in = u->in + u->in_pos;
	u->z.avail_in = u->in_len - u->in_pos;
	u->z.next_out = (guint8 *)buf;
	u->z.avail_out = len;
	rc = inflate(&u->z, Z_NO_FLUSH);
	u->in_pos = u->in_len - u->z.avail_in;
	if (rc == Z_STREAM_END) {
		inflateReset(&u->z);
		u->between = TRUE;
	} else if (rc != Z_OK && rc != Z_BUF_ERROR) {
		g_set_error(err, SOURCE_ERROR, SOURCE_ERROR_READ,
			    "%s: is damaged: %s", u->name,
			    u->z.msg ? u->z.msg : "bad gzip data");
		return -1;
	}
	return len - u->z.avail_out;
}

static gssize step_zstd(unpack *u, char *buf, gsize len, GError **err)
{
	ZSTD_inBuffer in = {u->in, u->in_len, u->in_pos};
	ZSTD_outBuffer out = {buf, len, 0};
	gsize rc = ZSTD_decompressStream(u->zstd, &out, &in);

	if (ZSTD_isError(rc)) {
		g_set_error(err, SOURCE_ERROR, SOURCE_ERROR_READ,
			    "%s: is damaged: %s", u->name,
			    ZSTD_getErrorName(rc));
		return -1;
	}
	u->in_pos = in.pos;
	if (rc == 0)
		u->between = TRUE;
	return out.pos;
}

static gssize read_packed(unpack *u, char *buf, gsize len, GError **err)
{
	/* ends: each turn takes input or gives output, or the file is out */
	for (;;) {
		gsize had;
		gssize n;

		if (u->between) {
			gboolean more;

			if (!next_member(u, &more, err))
				return -1;
			if (!more)
				return 0;
			u->between = FALSE;
		}
		if (!fill(u, 1, err))
			return -1;
		had = u->in_len - u->in_pos;
		n = u->packing == PACK_GZIP ? step_gzip(u, buf, len, err)
					    : step_zstd(u, buf, len, err);
		if (n != 0)
			return n;
		if (u->between || had != u->in_len - u->in_pos)
			continue;
		if (u->in_end || had == IN_BYTES)
			return truncated(u, err);
		if (!fill(u, had + 1, err))
			return -1;
	}
}

static gssize read_plain(unpack *u, char *buf, gsize len, GError **err)
{
	gsize have = u->in_len - u->in_pos;

	if (have == 0)
		return u->in_end ? 0 : read_some(u, buf, len, err);
	have = MIN(have, len);
	memcpy(buf, u->in + u->in_pos, have);
	u->in_pos += have;
	return have;
}

static gssize within_limit(unpack *u, gssize n, GError **err)
{
	u->given += (guint64)MAX(n, 0);
	if (!u->max || u->given <= u->max)
		return n;
	g_set_error(err, SOURCE_ERROR, SOURCE_ERROR_READ,
		    "%s: unpacks to more than %" G_GUINT64_FORMAT " bytes",
		    u->name, u->max);
	return -1;
}

gssize unpack_read(unpack *u, char *buf, gsize len, GError **err)
{
	gssize n;

	len = MIN(len, G_MAXINT32);
	if (u->packing == PACK_UNKNOWN && !begin(u, err))
		return -1;
	n = u->packing == PACK_NONE ? read_plain(u, buf, len, err)
				    : read_packed(u, buf, len, err);
	return within_limit(u, n, err);
}

void unpack_limit(unpack *u, guint64 max)
{
	u->max = max;
}

gboolean unpack_end(const unpack *u, GError **err)
{
	return !u->trailing ||
	       read_error(u, err, "other bytes follow the packed ones");
}

gboolean unpack_seek(unpack *u, guint64 offset, GError **err)
{
	u->in_pos = u->in_len = 0;
	u->in_end = FALSE;
	return lseek(u->fd, (off_t)offset, SEEK_SET) >= 0 ||
	       read_error(u, err, g_strerror(errno));
}
