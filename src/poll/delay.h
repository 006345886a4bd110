/* delay.h - shared by the files of sonde ovs delay: delay.c takes events, delay_text.c prints samples. */
#ifndef POLL_DELAY_H
#define POLL_DELAY_H

#include "analyse/delays.h"
#include "engine/callers.h"
#include "poll/program.h"
#include "prof/tasks.h"

/* Options: when a sample begins and ends. */
struct delay_times {
	const char *sample, *interval;   /* option texts, s; NULL: the default */
	uint64_t count;                  /* samples; 0: the default */
	const char *start, *stop;        /* triggers; NULL: none */
	uint64_t delta;                  /* ns: samples between triggers that are shorter are not shown */
};

/* Which system calls to list: those that took longer than `least` ns. */
struct delay_events {
	bool on, no_poll;
	uint64_t least;                  /* ns */
};

struct delay_want {
	struct prof_want prof;
	struct delay_times times;
	struct delay_events events;
};

enum { DELAY_NO_SPEC = -1 };

/* A thread's state according to /proc at the start; indexed like delays.threads. */
struct delay_found {
	char state;                      /* 'R', 'S', ...; 0: unknown */
	bool has_call;
	uint64_t call;                   /* number of the system call that it was in */
	uint64_t ran;                    /* CPU time in ns, when last read */
	uint64_t turns;                  /* number of times that it was scheduled in */
};

struct delay {
	struct prof *prof;
	struct delays delays;
	struct prof_tasks tasks;
	VEC(struct delay_found) found;
	struct program_ids threads;      /* live: the program's threads at the start */
	bool has_filter;                 /* the kernel filters events by these threads */
	uint64_t later;                  /* number of threads that began after the start */
	struct callers callers;
	struct names who;                /* names of interrupts */
	char *pids;                      /* -p of the program that was found by name, to be freed */
	int start_spec, stop_spec;       /* index of the trigger's event; DELAY_NO_SPEC: no such trigger */
	/* Samples. */
	uint64_t sample_ns, interval_ns, count, shown;
	uint64_t from, to;               /* of the current sample; between samples, from: when the next may begin */
	uint64_t seen;                   /* time of the newest event */
	bool done;
	/* The list of system calls, printed behind the tables. */
	struct mem_out lines;
	uint64_t no_room;                /* calls for which the list had no room */
	const struct hit *hit;           /* the current event */
};

/* Read the states of all threads from /proc; later, use them for threads that had no events in the sample. */
int delay_find(struct delay *d);         /* 0 or -ENOMEM */
void delay_settle(struct delay *d);

/* Add a finished system call to the list behind the tables. */
int delay_note_event(struct delay *d, const struct delay_piece *p);

/* Print the finished sample. 0 or -ENOMEM. */
int delay_put(struct delay *d, struct out *o);

#endif
