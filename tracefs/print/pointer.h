/* pointer.h - the kernel's extensions of %p: symbols, network addresses, UUIDs, hex and bit strings. */
#ifndef TRACEFS_PRINT_POINTER_H
#define TRACEFS_PRINT_POINTER_H

#include "tracefs/print/eval.h"
#include "tracefs/print/print.h"
#include "tracefs/print/spec.h"

/* Write value v by a %p conversion; count is the '*' argument of %*ph and %*pb, -1 when there is none. */
void tptr_write(const struct teval *ev, const struct tspec *s, struct tval v, int64_t count, struct out *o);

/* Is the width argument of this conversion (%*ph, %*pb) a length of data? */
bool tptr_takes_length(const struct tspec *s);

/* name+0xoffset/0xsize [module] for %pS; 0xaddress when the address has no symbol. */
void tptr_symbol(const struct tprint_names *names, uint64_t addr, char style, struct out *o);

#endif
