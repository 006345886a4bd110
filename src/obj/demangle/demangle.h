/*
 * demangle.h - names of C++ (Itanium ABI), Rust (legacy and v0, RFC 2603) and their clones as people write them.
 *
 * Nothing is allocated; at most 56 KB of stack on arm64, and bounded in depth, steps and output: a hostile name is
 * given back as it is. Shown as by c++filt -i of binutils 2.40, without parameters as c++filt -i -p.
 */
#ifndef OBJ_DEMANGLE_DEMANGLE_H
#define OBJ_DEMANGLE_DEMANGLE_H

#include "base/base.h"

enum demangle_style {
	DEMANGLE_FULL,      /* with parameters: "ns::klass::f(int, char const*) [clone .cold]" */
	DEMANGLE_SHORT,     /* without parameters and return type, Rust's without the hash: "ns::klass::f" */
};

/* Demangle to buf, NUL-terminated. False: not mangled, not understood, or too long; buf is then undefined. */
bool demangle(const char *name, enum demangle_style style, char *buf, size_t size);

#endif
