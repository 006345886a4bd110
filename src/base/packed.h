/*
 * packed.h - constant data that is seldom needed. The program file holds it deflated (toolchains/packed.mk); the first
 * packed_need() inflates it to its address. Before that, zeros are there, so each function that returns such data calls
 * packed_need() first.
 *
 * PACKED(text) puts one text of a table of constants, such as a help text, into this data; toolchains/packed.ld lists
 * files whose constants all go there. Programs linked without that script, such as tests, have them not deflated.
 */
#ifndef BASE_PACKED_H
#define BASE_PACKED_H

#ifdef PACKED_IN_PLACE
#define PACKED(text) text
#else
#define PACKED(text) ((const char[]){ text })
#endif

/* May be called by any thread. Defined in pack/. */
void packed_need(void);

#endif
