/* refused.c - by their names alone: why, and what to do instead, is told by the whole sonde. */
#include "cmd/record/want.h"

#define WHY "not available"
#define INSTEAD "the whole sonde ('make') tells why, and what to do instead"
#define NOT(letter, name, flags, but) OPT_REFUSED(letter, name, flags, but, WHY, INSTEAD)

const struct opt record_refused_opts[] = {
	NOT(0, "switch-output-event", 0, ""),
	NOT('S', "snapshot", OPT_OPTIONAL, ""),
	NOT(0, "aux-sample", OPT_OPTIONAL, ""),
	NOT(0, "transaction", OPT_NO_VALUE, ""),
	NOT(0, "off-cpu", OPT_NO_VALUE, ""),
	NOT(0, "kcore", OPT_NO_VALUE, ""),
	NOT(0, "max-overhead", 0, ""),
	NOT(0, "threads", OPT_OPTIONAL, ""),
	NOT(0, "aio", OPT_OPTIONAL, "0"),
	NOT(0, "affinity", 0, "sys"),
	NOT(0, "mmap-flush", 0, "1"),
	NOT(0, "num-thread-synthesize", 0, "1"),
	NOT(0, "debuginfod", OPT_OPTIONAL, "no"),
	NOT(0, "vmlinux", 0, ""),
	NOT(0, "clang-path", 0, ""),
	NOT(0, "clang-opt", 0, ""),
	OPT_END,
};
