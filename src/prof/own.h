/*
 * own.h - what profilers have in common that bring events of their own: their keys are known, -e adds events that are
 * seen between others (untraced), or says more of those that are there.
 */
#ifndef PROF_OWN_H
#define PROF_OWN_H

#include "prof/latency.h"

/* Each -e that is not untraced must be one of these (NULL at the end), and none has a key; the missing are added. */
int own_events(struct prof *p, const char *const *events, struct err *e);

/* The place of a tap's event among them, or -1. */
int own_event(const struct tap *t, const char *const *events);

/* Of the event's filter and this one both: "(A)&&(B)". */
int own_filter(struct prof *p, struct spec *s, const char *text, struct err *e);

/* A number of the hit by its kind's field, or `other` where this kernel has no such field. */
uint64_t own_field(const struct hit *h, unsigned field, uint64_t other);

/* Rows by thread: its number and name, in front of what else names them. */
void own_thread_columns(struct latency_shape *s);
void own_put_thread(struct prof *p, struct table *t, uint64_t tid);

#endif
