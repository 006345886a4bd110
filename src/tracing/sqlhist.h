/*
 * sqlhist.h - what a statement of sqlhist stands for: a histogram of one event, or an event made of two, with the
 * histograms that make it. It stays when we have gone: no journal undoes it.
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
	const char *name;                /* of the event; NULL: Anonymous */
	enum sqlhist_when when;
	const char *var;                 /* an item's name: MAX, CHANGE */
	unsigned actions;                /* enum sqlhist_do; 0: TRACE */
	struct opt_list save;            /* fields of the event that is joined */
};

struct sqlhist {
	struct hsql q;
	struct evfile from, to;
	const char *name;
	bool joined;                     /* else start alone, and define is empty */
	const char *list;                /* the file that takes the definition */
	char define[TRIGGER_MAX], start[TRIGGER_MAX], end[TRIGGER_MAX];
};

/* Only the texts, for the events of t. -EINVAL, -ENOENT with marks and near names. To be followed by sqlhist_deinit. */
int sqlhist_init(struct sqlhist *s, const struct tfs *t, const struct sqlhist_want *w, struct err *e);
void sqlhist_deinit(struct sqlhist *s);

/* The commands that would do it, below `dir`: a histogram in the buffer `in` ("" the top one). */
void sqlhist_print(const struct sqlhist *s, const char *dir, const char *in, struct out *o);

/* Do it; a histogram in t. All or nothing. */
int sqlhist_apply(const struct sqlhist *s, const struct tfs *t, struct err *e);

#endif
