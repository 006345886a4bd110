/*
 * packed.h - constant data that is seldom needed: the linked program has it deflated (toolchains/packed.mk), and it is
 * where it belongs in memory from the first packed_need() on. Until then there are zeros, so whoever hands it out calls
 * that first.
 *
 * PACKED(text) is a text in a table of constants, for people who ask for help; toolchains/packed.ld names whole files.
 * Programs that were linked without that script, such as tests, have all in its place.
 */
#ifndef BASE_PACKED_H
#define BASE_PACKED_H

#ifdef PACKED_IN_PLACE
#define PACKED(text) text
#else
#define PACKED(text) ((const char[]){ text })
#endif

/* By any thread; pack/ has it. */
void packed_need(void);

#endif
