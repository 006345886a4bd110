/* delay.h - the pieces of sonde ovs delay: delay.c takes events, delay_text.c prints samples. */
#ifndef POLL_DELAY_H
#define POLL_DELAY_H

#include "analyse/delays.h"
#include "engine/callers.h"
#include "poll/program.h"
#include "prof/tasks.h"

/* When a sample begins and ends. */
struct delay_times {
	const char *sample, *interval;   /* s; NULL: as usual */
	uint64_t count;                  /* samples; 0: as usual */
	const char *start, *stop;        /* triggers; NULL: none */
	uint64_t delta;                  /* ns: a sample between triggers that is shorter is not shown */
};

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

/* What /proc said of a thread when it began to be looked at; in the order of delays' threads. */
struct delay_found {
	char state;                      /* 'R', 'S', ...; 0: nothing */
	bool has_call;
	uint64_t call;                   /* that it was in */
	uint64_t ran;                    /* ns on a CPU, up to the last look */
	uint64_t turns;                  /* times that it was put on one */
};

struct delay {
	struct prof *prof;
	struct delays delays;
	struct prof_tasks tasks;
	VEC(struct delay_found) found;
	struct program_ids threads;      /* live: those that there were at the start */
	bool has_filter;                 /* the kernel gives events of these alone */
	uint64_t later;                  /* threads that began since then */
	struct callers callers;
	struct names who;                /* of interrupts */
	char *pids;                      /* of the program that was looked for */
	int start_spec, stop_spec;       /* DELAY_NO_SPEC: there is no such trigger */
	/* Samples. */
	uint64_t sample_ns, interval_ns, count, shown;
	uint64_t from, to;               /* of the one at hand, or (not in one) from: when the next may begin */
	uint64_t seen;                   /* the newest time that is known of */
	bool done;
	/* What is printed behind the tables. */
	struct mem_out lines;
	uint64_t no_room;                /* events that would have been too many */
	const struct hit *hit;           /* that is at hand */
};

/* Ask /proc of those that there are; say of those of which no event has told what they have been in all the time. */
int delay_find(struct delay *d);         /* 0 or -ENOMEM */
void delay_settle(struct delay *d);

/* A system call that has ended, for the list behind the tables. */
int delay_note_event(struct delay *d, const struct delay_piece *p);

/* The sample that is over. 0 or -ENOMEM. */
int delay_put(struct delay *d, struct out *o);

#endif
