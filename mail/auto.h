/* auto.h - g_autoptr for open structs: g_autoptr(patch_auto) p = ...; */
#ifndef MAIL_AUTO_H
#define MAIL_AUTO_H

#include <glib.h>

#define AUTO_STRUCT(name, free_fn)       \
	typedef struct name name##_auto; \
	G_DEFINE_AUTOPTR_CLEANUP_FUNC(name##_auto, free_fn)

#endif
