/*
 * want.h - what the user of record, start, set, stream, extract and profile wants: trace-cmd's options as data, parsed
 * into plans. A verb embeds struct want in its own and puts OPT_SUB(want_opts, struct mine, want) into its table.
 *
 * Order matters, as in trace-cmd: -f and -R belong to the -e before them, -v makes each -e after it an exclusion, -B
 * begins another buffer to which the options after it belong, and those behind -A are a guest's until the next -B.
 */
#ifndef CMD_FTRACE_WANT_H
#define CMD_FTRACE_WANT_H

#include "base/arena.h"
#include "base/opt.h"
#include "cmd/ftrace/loglevel.h"
#include "live/run.h"
#include "live/run_probes.h"

/* -A: another machine records, too; its options are sent to its agent. */
struct want_guest {
	const char *where;             /* NAME@CID:PORT, CID:PORT, HOST:PORT */
	const char *name;              /* --name; NULL */
	VEC(const char *) args;
	bool has_clock;
};

enum { WANT_GUESTS = 16 };

struct want_guests {
	struct want_guest v[WANT_GUESTS];
	size_t n;
	bool inside;                   /* the options being parsed are for the last guest */
	bool has_tsync;
	int64_t tsync_ms;              /* --tsync-interval; 0: compare clocks at the ends only; < 0: never */
};

/* The recording, and where it goes. */
struct want_file {
	const char *output;            /* -o */
	const char *host;              /* -N */
	bool tcp;                      /* -t: accepted, TCP is always used */
	uint64_t max_kb, file_version; /* -m --file-version; 0 not given */
	const char *compression, *temp, *ts_offset;
	bool date, proc_map;
};

/* The command, and how it is run. */
struct want_work {
	const char *user;              /* --user */
	struct account account;        /* of that user */
	struct child_how child;        /* as that account; without --user as ours */
	bool only_command;             /* -F */
	bool follow;                   /* -c */
	bool daemonize, fork;
};

/* --profile and what belongs to it. */
struct want_prof {
	bool on;
	bool irqs_global, only_given, by_comm;   /* -G -S --by-comm */
	struct opt_list hooks;         /* -H */
	bool to_stderr;
};

struct want {
	VEC(struct plan) plans;        /* [0] the main buffer, then those of -B; ready after want_finish */
	struct plan now;               /* the plan whose options are being parsed */
	plan_words deleted;            /* -v -B: instances to be removed (set) */
	struct arena arena;
	struct run_probes *probes;     /* probes within -e; NULL: none, or before want_probes() */
	uint64_t interval_us, priority;   /* -s -r; 0 not given */
	struct want_file file;
	struct want_guests guest;
	struct want_work work;
	struct want_prof prof;
	bool negate;                   /* -v */
	bool top;                      /* --top */
	bool keep;                     /* -k */
	bool quiet;                    /* -q */
	bool all_formats;              /* -a */
	bool missing_ok;               /* -i */
	bool poll, ignored;
	enum loglevel loglevel;        /* --verbose, --debug */
};

extern const struct opt want_opts[];

/* Must something be traced? It must for all verbs but set. */
enum want_least { WANT_ANYTHING, WANT_SOMETHING };

/*
 * Call it after parsing. Refuses contradictions, adds threads and children of -P with -c, and drops the main plan if
 * all options were for -B buffers. plans.n is at least 1 then.
 */
int want_finish(struct want *w, const struct sys *sys, enum want_least least, struct err *e);

/* After want_finish(): no event and no tracer was given, though perhaps guests were. */
bool want_traces_nothing(const struct want *w);
void want_deinit(struct want *w);

/* After want_finish(): -EINVAL if an option has no effect in this verb, or with the other options. */
enum want_verb { WANT_RECORD = 1, WANT_PROFILE = 2, WANT_STREAM = 4, WANT_START = 8, WANT_SET = 16 };

int want_check(const struct want *w, enum want_verb verb, bool has_command, struct err *e);

/*
 * Define the probes within -e, and put their events' names into the plans, before the plans are applied. The undo
 * removes the probes again, after want_deinit() or before it.
 */
int want_probes(struct want *w, const struct sys *sys, struct undo *u, const struct tfs *top, struct err *e);

/* want_probes() as run_want.before; want: the run's arg. */
int want_before(void *want, struct run *r, struct err *e);

#endif
