/*
 * own.h - shared by profilers with events of their own: keys are fixed, and -e adds events shown between others
 * (untraced), or filters for existing ones.
 */
#ifndef PROF_OWN_H
#define PROF_OWN_H

#include "prof/latency.h"

/* Each -e that is not untraced must be one of these (NULL-terminated), without a key; missing ones are added. */
int own_events(struct prof *p, const char *const *events, struct err *e);

/* Index of a tap's event in the list, or -1. */
int own_event(const struct tap *t, const char *const *events);

/* Combine the event's filter with this one: "(A)&&(B)". */
int own_filter(struct prof *p, struct spec *s, const char *text, struct err *e);

/* A number of the hit by its kind's field, or `other` if this kernel lacks the field. */
uint64_t own_field(const struct hit *h, unsigned field, uint64_t other);

/* Columns for rows by thread: number and name, in front of the other ones. */
void own_thread_columns(struct latency_shape *s);
void own_put_thread(struct prof *p, struct table *t, uint64_t tid);

#endif
