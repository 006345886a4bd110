/*
 * base.h - what every file may assume: exact integers, sizes, and names that nobody may use.
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

/* A broken invariant of our own: ends here, for a debugger. The text of the C library's costs its whole stdio. */
#undef assert
#define assert(x) ((x) ? (void)0 : __builtin_trap())

/* printf.c: without musl's floating point. The names stay those that everybody knows. */
int fmt_vsnprintf(char *buf, size_t size, const char *f, va_list ap) PRINTF(3, 0);
int fmt_snprintf(char *buf, size_t size, const char *f, ...) PRINTF(3, 4);
#define snprintf fmt_snprintf
#define vsnprintf fmt_vsnprintf

/* Round up to a power of two multiple. The caller has bounded v. */
#define ALIGN_UP(v, a) (((v) + ((a) - 1)) & ~((a) - 1))

/* Unbounded, locale-bound or error-blind: base/str.h and base/fmt.h have the replacements. */
#pragma GCC poison strcpy strcat sprintf vsprintf gets strtok strncpy strncat atoi atol atoll
#undef alloca
#pragma GCC poison alloca

#endif
