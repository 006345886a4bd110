/*
 * sqlhist.h - carries out a statement of sqlhist: a histogram of one event, or a synthetic event of two with the
 * histograms that generate it. They outlive the process: no journal undoes them.
 */
#ifndef TRACING_SQLHIST_H
#define TRACING_SQLHIST_H

#include "base/fmt.h"
#include "base/opt.h"
#include "tracefs/grammar/hsql.h"
#include "tracefs/grammar/trigger.h"
#include "tracing/evfile.h"

enum sqlhist_when { SQLHIST_MATCH, SQLHIST_MAX, SQLHIST_CHANGE };
enum sqlhist_do { SQLHIST_TRACE = 1, SQLHIST_SNAPSHOT = 2, SQLHIST_SAVE = 4 };

struct sqlhist_want {
	const char *sql;
	const char *name;                /* of the synthetic event; NULL: Anonymous */
	enum sqlhist_when when;
	const char *var;                 /* name of an item, for MAX and CHANGE */
	unsigned actions;                /* enum sqlhist_do; 0: TRACE */
	struct opt_list save;            /* fields of the joined event */
};

struct sqlhist {
	struct hsql q;
	struct evfile from, to;
	const char *name;
	bool joined;                     /* else only `start` is used, and `define` is empty */
	const char *list;                /* the tracefs file that takes the definition */
	char define[TRIGGER_MAX], start[TRIGGER_MAX], end[TRIGGER_MAX];
};

/*
 * Make only the texts, for the events of t. -EINVAL, -ENOENT with marks and near names. Call sqlhist_deinit after any
 * result.
 */
int sqlhist_init(struct sqlhist *s, const struct tfs *t, const struct sqlhist_want *w, struct err *e);
void sqlhist_deinit(struct sqlhist *s);

/* Print the equivalent shell commands, below `dir`; in: the buffer of a histogram ("": the top one). */
void sqlhist_print(const struct sqlhist *s, const char *dir, const char *in, struct out *o);

/* Carry it out; a histogram in t. All or nothing. */
int sqlhist_apply(const struct sqlhist *s, const struct tfs *t, struct err *e);

#endif
