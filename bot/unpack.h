/* unpack.h - reading a file through whatever it is packed with
 * Told by its first bytes, never by its name: gzip, zstd, or plain. Knows
 * nothing of mail. */
#ifndef BOT_UNPACK_H
#define BOT_UNPACK_H

#include <glib.h>
#include <sys/stat.h>

typedef struct unpack unpack;

/* Open a regular file. Others (folders, FIFOs, devices, sockets) are refused,
 * and opening never blocks. NULL with SOURCE_ERROR_OPEN, "PATH: why". */
unpack *unpack_open(const char *path, gboolean (*stopped)(void), GError **err);
/* A stream that is open already: stdin, a pipe. `fd` stays the caller's. */
unpack *unpack_stream(int fd, const char *name, gboolean (*stopped)(void));
void unpack_close(unpack *u);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(unpack, unpack_close)

/*
 * Up to `len` unpacked bytes; 0 at the end; -1 and *err: SOURCE_ERROR_READ
 * (truncated, damaged, unreadable), SOURCE_ERROR_STOPPED. What came before an
 * error is good.
 */
gssize unpack_read(unpack *u, char *buf, gsize len, GError **err);

/* More than `max` bytes unpacked are SOURCE_ERROR_READ: a small file may hold
 * endless ones. Not limited without this. */
void unpack_limit(unpack *u, guint64 max);

/* To be asked at the end: FALSE with SOURCE_ERROR_READ if the file goes on
 * with bytes that are not packed. What was read is whole nevertheless. */
gboolean unpack_end(const unpack *u, GError **err);

/* Go on at `offset` of a plain file that was opened by path. */
gboolean unpack_seek(unpack *u, guint64 offset, GError **err);

const char *unpack_name(const unpack *u);
gboolean unpack_packed(const unpack *u); /* known after a read */
/* When it was opened; all zero for a stream. */
const struct stat *unpack_stat(const unpack *u);
int unpack_fd(const unpack *u);

#endif
