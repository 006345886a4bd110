/*
 * pmus.h - the machine's PMUs from /sys/bus/event_source/devices, read lazily for perf/pmu.h. Cost: the list is one
 * directory and up to four access() calls per PMU; software events need none of it.
 */
#ifndef MACHINE_PMUS_H
#define MACHINE_PMUS_H

#include "perf/pmu.h"
#include "sys/sys.h"

/* An empty model that fills itself on demand. sys must outlive it. Release with pmus_deinit. */
void pmus_init(struct pmus *p, const struct sys *sys);

/* The same with every part of every PMU read at once, for listings. On error p is empty. */
int pmus_load(struct pmus *p, const struct sys *sys, struct err *e);

#endif
