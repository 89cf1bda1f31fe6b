/* metric_priv.h - what stands in metrics.conf, ready to be asked
 * For the metric*.c files alone. */
#ifndef MAIL_METRIC_PRIV_H
#define MAIL_METRIC_PRIV_H

#include "mail/metric.h"

#define METRIC_MAX_SECTIONS 1000
#define METRIC_MAX_PATTERNS 10000 /* of the file */
#define METRIC_MAX_NAME	    64	  /* bytes of a section's name */
#define METRIC_MAX_LINE	    400

struct metric_glob {
	char *text;
	guint len;
	gboolean is_tail; /* one "*", at its beginning */
	enum metric_direction direction;
};

struct metric_section {
	char *name;
	char *alias;	     /* today's name; NULL */
	GPtrArray *globs;    /* of struct metric_glob, in order */
	GHashTable *renames; /* old to new, behind the first dot; NULL none */
};

struct metric_rules {
	GHashTable *sections; /* by name, of struct metric_section; owns */
	GPtrArray *wild;      /* those whose name has a "*" */
	GHashTable *monitors; /* set of names */
	GPtrArray *failures;  /* of struct metric_glob */
	GPtrArray *healthy;
};

/* NULL and *problem, which you own: the first line that is wrong. */
struct metric_rules *metric_rules_parse(const char *text, gsize len,
					char **problem);
void metric_rules_free(struct metric_rules *r);
AUTO_STRUCT(metric_rules, metric_rules_free)

gboolean metric_glob_fits(const struct metric_glob *g, const char *text,
			  gsize len);

/* mail/builtin.c: config/metrics.conf as it was when this was compiled. */
const char *builtin_metrics(gsize *len);

#endif
