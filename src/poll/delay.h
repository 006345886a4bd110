/* delay.h - shared by the files of sonde ovs delay: delay.c takes events, delay_text.c prints samples. */
#ifndef POLL_DELAY_H
#define POLL_DELAY_H

#include "analyse/delays.h"
#include "engine/callers.h"
#include "poll/program.h"
#include "prof/tasks.h"

/* Options: when a sample begins and ends. */
struct delay_times {
	const char *sample, *interval;   /* s; NULL: default */
	uint64_t count;                  /* number of samples; 0: default */
	const char *start, *stop;        /* trigger events; NULL: none */
	uint64_t delta;                  /* ns: skip samples between triggers that are shorter */
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

/* State of a thread in /proc when tracking began; in the order of delays' threads. */
struct delay_found {
	char state;                      /* 'R', 'S', ...; 0: unknown */
	bool has_call;
	uint64_t call;                   /* system call that it was in */
	uint64_t ran;                    /* ns on a CPU, by the last reading */
	uint64_t turns;                  /* number of times that it got a CPU */
};

struct delay {
	struct prof *prof;
	struct delays delays;
	struct prof_tasks tasks;
	VEC(struct delay_found) found;
	struct program_ids threads;      /* live: threads that existed at the start */
	bool has_filter;                 /* the kernel filters events for these threads */
	uint64_t later;                  /* number of threads that started later */
	struct callers callers;
	struct names who;                /* names of interrupts */
	char *pids;                      /* of the program given by name */
	int start_spec, stop_spec;       /* DELAY_NO_SPEC: no such trigger */
	/* Samples. */
	uint64_t sample_ns, interval_ns, count, shown;
	uint64_t from, to;               /* of the current sample; without one, from: earliest begin of the next */
	uint64_t seen;                   /* the newest time known */
	bool done;
	/* Printed behind the tables. */
	struct mem_out lines;
	uint64_t no_room;                /* events dropped for lack of room */
	const struct hit *hit;           /* the current one */
};

/* Read /proc for existing threads; at the end settle the states of those without events. */
int delay_find(struct delay *d);         /* 0 or -ENOMEM */
void delay_settle(struct delay *d);

/* Add a finished system call to the list behind the tables. */
int delay_note_event(struct delay *d, const struct delay_piece *p);

/* Print the sample that has ended. 0 or -ENOMEM. */
int delay_put(struct delay *d, struct out *o);

#endif
