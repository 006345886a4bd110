/*
 * journal.h - the list of what a run has changed, on its way back: records in a file that survives the run.
 *
 * A record is "KIND a b c d\n", the lengths of four texts, and the texts; a torn one at the end does not count.
 * Journals lie in a folder of this user that nobody else can write to; they name the boot that they belong to.
 */
#ifndef TRACING_JOURNAL_H
#define TRACING_JOURNAL_H

#include "base/vec.h"
#include "tracing/tfs.h"

enum jkind {
	J_HEAD = 'J',       /* what: boot id, where: namespace of processes, as journal_namespace gives it */
	J_PUT = 'p',        /* where, what file, old: its old value */
	J_SET = 's',        /* where, what file, old: mark of the value it has got since */
	J_ADD = 'a',        /* where, what file, old: the line that removes what was added, is: what was added */
	J_NOT = 'c',        /* where, what file, is: it could not be added */
	J_MAKE = 'i',       /* where: an instance that was made */
	J_TOP = 't',        /* settings that exist once, and so for all runs, are changed from here on */
	J_KEEP = 'k',       /* nothing is to be put back before it is asked for */
	J_HAND = 'o',       /* what: process that begins to put back, old: when it started */
};

struct jrec {
	char kind;
	struct sv where, what, old, is;   /* where: name of the instance */
};

struct journal {
	const struct sys *sys;
	int fd;                 /* -1: in memory only */
	char path[TFS_PATH];
	VEC(char) log;
};

/* Make the file, locked. Without a place for it the journal is in memory, which is no error. */
int journal_init(struct journal *j, const struct sys *sys, struct err *e);
void journal_deinit(struct journal *j);   /* the file stays */

int journal_add(struct journal *j, const struct jrec *rec, struct err *e);

/* Next record of a log; false: none. */
bool journal_next(struct sv *log, struct jrec *rec);

/* Of this boot? log: from its start. */
bool journal_is_current(const struct sys *sys, struct sv log);

/* The i-th folder that may hold journals; false: no more. Their names start with JOURNAL_NAME, newest last when sorted.
 */
#define JOURNAL_NAME "undo-"
bool journal_folder(const struct sys *sys, unsigned i, char path[TFS_PATH]);

/*
 * What runs of other users have left in the folders that all share: it is theirs, and what it says is not to be
 * believed. Only for root, who can look into them.
 */
struct journal_foreign {
	int folder;         /* that user's, open: its name may be another folder's by now */
	const char *name;   /* in it */
	const char *path;   /* for people, and to open it, which may find something else */
	unsigned uid;
};
void journal_each_foreign(const struct sys *sys, void (*each)(void *arg, const struct journal_foreign *f), void *arg);

/* A regular file of that user, for reading; -errno. Waits for nobody. */
int journal_open_foreign(const struct sys *sys, const struct journal_foreign *f);

/* A journal that is not needed any more, and its folder in a shared one when it was the last. */
void journal_remove(const struct sys *sys, const char *path);
void journal_remove_folder(const struct sys *sys, const char *folder);

/* Is it there, ours, and closed to everybody else? */
bool journal_folder_is_safe(const struct sys *sys, const char *path);

/* Everything in it, malloc'ed. */
int journal_load(const struct sys *sys, int fd, char **text, size_t *n);
/* At most max bytes of another user's; -EFBIG. */
int journal_load_foreign(const struct sys *sys, int fd, unsigned uid, size_t max, char **text, size_t *n);

/* Start time of a process in clock ticks since boot; 0: there is none. */
uint64_t journal_started(const struct sys *sys, int pid);

/*
 * A list of functions comes into force when its descriptor is let go of (ftrace_regex_release), written to its end or
 * not. A killed process does that on its way out (kernel/exit.c: exit_files only queues it, exit_task_work does it, the
 * last number first), perhaps when another descriptor of it has given up the journal's lock already. Until
 * exit_signals SIGKILL is pending, from there on it has PF_EXITING, and in exit_notify, when all that is over, it
 * becomes a zombie.
 */
enum journal_life {
	JOURNAL_GONE,    /* no such process, a zombie, or a later one of the same number: nothing more will come */
	JOURNAL_DYING,   /* what it was writing may still come into force */
	JOURNAL_LIVES,
};
enum journal_life journal_life(const struct sys *sys, int pid, uint64_t started);

/* "sonde-PID-START" and more, with that separator: of a process that is no more, or is another one by now? */
bool journal_maker_is_gone(const struct sys *sys, struct sv name, char separator);

/* Where numbers of processes mean the same: "" in the first namespace, else "-nsNUMBER". */
enum { JOURNAL_NAMESPACE = 32 };
const char *journal_namespace(const struct sys *sys, char buf[JOURNAL_NAMESPACE]);

#endif
