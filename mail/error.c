/* error.c - the quark of MAIL_ERROR */
#include "mail/error.h"

G_DEFINE_QUARK(mail - error - quark, mail_error)
