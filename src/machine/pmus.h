/*
 * pmus.h - the machine's PMUs from /sys/bus/event_source/devices, read piece by piece as perf/pmu.h asks.
 * Cost: the list is one directory and up to four access() calls per PMU; nothing of it is read for software events.
 */
#ifndef MACHINE_PMUS_H
#define MACHINE_PMUS_H

#include "perf/pmu.h"
#include "sys/sys.h"

/* An empty model that fills itself. sys is borrowed as long as it lives. Release with pmus_deinit. */
void pmus_init(struct pmus *p, const struct sys *sys);

/* The same with every part of every PMU read, for listings. On error p is empty. */
int pmus_load(struct pmus *p, const struct sys *sys, struct err *e);

#endif
