/* bprint.h - the arguments of a trace_printk as the kernel packs them for its format (vbin_printf). */
#ifndef TRACEFS_PRINT_BPRINT_H
#define TRACEFS_PRINT_BPRINT_H

#include "tracefs/print/pointer.h"

/*
 * Only the machine and the names of ev are used, not raw and n. An argument beyond the end of args prints as nothing.
 */
void tbprint(const struct teval *ev, const char *fmt, struct traw args, struct out *o);

#endif
