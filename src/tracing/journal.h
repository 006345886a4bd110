/*
 * journal.h - what a run has changed and how to undo it: records in a file that survives the run.
 *
 * A record is "KIND a b c d\n", the lengths of four texts, and the texts; a truncated record at the end is ignored.
 * Journals lie in a folder of this user that nobody else can write to; they name the boot that they belong to.
 */
#ifndef TRACING_JOURNAL_H
#define TRACING_JOURNAL_H

#include "base/vec.h"
#include "tracing/tfs.h"

enum jkind {
	J_HEAD = 'J',       /* what: boot id, where: pid namespace as from journal_namespace */
	J_PUT = 'p',        /* where, what file, old: its old value */
	J_SET = 's',        /* where, what: the file, old: mark of its latest value (value_mark) */
	J_ADD = 'a',        /* where, what: the file, old: the line that removes the addition, is: the addition */
	J_NOT = 'c',        /* where, what: the file, is: the addition failed */
	J_MAKE = 'i',       /* where: the instance that was made */
	J_TOP = 't',        /* from here on settings are changed that all runs share */
	J_KEEP = 'k',       /* undo only when asked to (`reset`) */
	J_HAND = 'o',       /* what: pid of a process that begins to undo, old: its start time */
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

/* Create and lock the file. Without a writable place the journal stays in memory, which is no error. */
int journal_init(struct journal *j, const struct sys *sys, struct err *e);
void journal_deinit(struct journal *j);   /* the file stays */

int journal_add(struct journal *j, const struct jrec *rec, struct err *e);

/* Take the next record off a log; false: none. */
bool journal_next(struct sv *log, struct jrec *rec);

/* Does the log belong to this boot? log: from its start. */
bool journal_is_current(const struct sys *sys, struct sv log);

/*
 * The i-th folder that may hold journals; false: no more. Names of journals start with JOURNAL_NAME and sort by age,
 * the newest last.
 */
#define JOURNAL_NAME "undo-"
bool journal_folder(const struct sys *sys, unsigned i, char path[TFS_PATH]);

/*
 * Journals of other users in the folders that all users share. Their contents cannot be trusted. Only root can look
 * into those folders.
 */
struct journal_foreign {
	int folder;         /* open descriptor of that user's folder: its path may lead to another one by now */
	const char *name;   /* of the journal in that folder */
	const char *path;   /* for messages and to open it, which may find another file */
	unsigned uid;
};
void journal_each_foreign(const struct sys *sys, void (*each)(void *arg, const struct journal_foreign *f), void *arg);

/* Open a regular file of that user for reading; never blocks. -errno. */
int journal_open_foreign(const struct sys *sys, const struct journal_foreign *f);

/* Remove a journal that is not needed any more, and with the last one its folder in a shared folder. */
void journal_remove(const struct sys *sys, const char *path);
void journal_remove_folder(const struct sys *sys, const char *folder);

/* Does the folder exist, is it ours, and inaccessible to others? */
bool journal_folder_is_safe(const struct sys *sys, const char *path);

/* Read all of it into malloc'ed memory. */
int journal_load(const struct sys *sys, int fd, char **text, size_t *n);
/* Read at most max bytes of another user's journal; -EFBIG. */
int journal_load_foreign(const struct sys *sys, int fd, unsigned uid, size_t max, char **text, size_t *n);

/* Start time of a process in clock ticks since boot; 0: no such process. */
uint64_t journal_started(const struct sys *sys, int pid);

/*
 * A function list comes into force when its descriptor is released (ftrace_regex_release), fully written or not. A
 * killed process releases descriptors late in its exit (kernel/exit.c: exit_files only queues that, exit_task_work does
 * it, the highest number first), perhaps after another of its descriptors gave up the journal's lock. Until
 * exit_signals SIGKILL is pending, from there on PF_EXITING is set, and in exit_notify, after all that, the process
 * becomes a zombie.
 */
enum journal_life {
	JOURNAL_GONE,    /* no such process, a zombie, or the pid was reused: no change will follow */
	JOURNAL_DYING,   /* what it was writing may still come into force */
	JOURNAL_LIVES,
};
enum journal_life journal_life(const struct sys *sys, int pid, uint64_t started);

/* Is the process in a name "sonde-PID-START..." (with that separator) dead, or its pid reused? */
bool journal_maker_is_gone(const struct sys *sys, struct sv name, char separator);

/* The pid namespace, in which pids are valid: "" for the initial one, else "-nsNUMBER". */
enum { JOURNAL_NAMESPACE = 32 };
const char *journal_namespace(const struct sys *sys, char buf[JOURNAL_NAMESPACE]);

#endif
