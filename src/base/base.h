/*
 * base.h - what every file may assume: exact-width integers, sizes, and a list of C library functions not to be used.
 * Every .c and .h of the project includes this first, directly or through another base header.
 */
#ifndef BASE_BASE_H
#define BASE_BASE_H

#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
#define UNUSED __attribute__((unused))

/* A broken invariant of sonde's own traps, for a debugger. The C library's assert would link all of its stdio. */
#undef assert
#define assert(x) ((x) ? (void)0 : __builtin_trap())

/* printf.c has these two, without musl's 128-bit floating point. Code still calls them snprintf and vsnprintf. */
int fmt_vsnprintf(char *buf, size_t size, const char *f, va_list ap) PRINTF(3, 0);
int fmt_snprintf(char *buf, size_t size, const char *f, ...) PRINTF(3, 4);
#define snprintf fmt_snprintf
#define vsnprintf fmt_vsnprintf

/* Round v up to a multiple of a, a power of two. The caller makes sure that it does not overflow. */
#define ALIGN_UP(v, a) (((v) + ((a) - 1)) & ~((a) - 1))

/* No bounds, depends on the locale, or reports no errors: base/str.h and base/fmt.h have replacements. */
#pragma GCC poison strcpy strcat sprintf vsprintf gets strtok strncpy strncat atoi atol atoll
#undef alloca
#pragma GCC poison alloca

#endif
