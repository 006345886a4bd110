/* code.h - instructions at sampled addresses, from the files that are mapped there. */
#ifndef SOURCE_CODE_H
#define SOURCE_CODE_H

#include "source/session.h"

/* The instruction of user code at an address, borrowed from its module; empty: it cannot be read. */
struct bytes code_insn(const struct session *s, const struct resolver_spaces *in, uint64_t ip);

#endif
