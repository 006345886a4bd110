/* refused.c - options of perf record that sonde refuses: they would change the recording, or how it is made. */
#include "cmd/record/want.h"

#define AUX_WHY "the trace of an AUX area (SPE) is written as it comes: there are no pieces of it"
#define AUX_INSTEAD "-e arm_spe_0// records all of it; min_latency=N, load_filter=1 and -c N make it smaller"
#define READER_WHY "one thread writes all the rings into one file"
#define READER_INSTEAD "a larger -m lets them wait for it"
#define BPF_WHY "BPF programs in C are not compiled"
#define BPF_INSTEAD "-e kprobe:FUNCTION/ARGUMENTS/ with --filter looks at the same places"

const struct opt record_refused_opts[] = {
	OPT_REFUSED('S', "snapshot", OPT_OPTIONAL, "", AUX_WHY, AUX_INSTEAD),
	OPT_REFUSED(0, "aux-sample", OPT_OPTIONAL, "", AUX_WHY, AUX_INSTEAD),
	OPT_REFUSED(0, "transaction", OPT_NO_VALUE, "", "no arm64 processor tells of transactions",
		    "it is for perf on Intel's"),
	OPT_REFUSED(0, "kcore", OPT_NO_VALUE, "", "a copy of /proc/kcore is not made: the recording is one file",
		    "'report -k VMLINUX' has the kernel's names where its /proc/kallsyms is another one"),
	OPT_REFUSED(0, "max-overhead", 0, "",
		    "the events of a recording stay open: only counting switches probes off in turns",
		    "'sonde stat --max-overhead' does; -c and --filter make fewer samples, not fewer hits"),
	OPT_REFUSED(0, "threads", OPT_OPTIONAL, "", READER_WHY, READER_INSTEAD),
	OPT_REFUSED(0, "aio", OPT_OPTIONAL, "0", READER_WHY, READER_INSTEAD),
	OPT_REFUSED(0, "affinity", 0, "sys", READER_WHY, "'taskset -c CPUS sonde record' keeps it on some CPUs"),
	OPT_REFUSED(0, "mmap-flush", 0, "1", "all that is in the rings is written when one of them is half full",
		    "a larger -m writes less often and more at once; --no-buffering writes each sample"),
	OPT_REFUSED(0, "num-thread-synthesize", 0, "1", "one thread tells what runs already",
		    "--synth=no leaves that out; -p, -t and -u tell of some tasks only"),
	OPT_REFUSED(0, "debuginfod", OPT_OPTIONAL, "no", "nothing is fetched from servers",
		    "'report --symfs DIR' finds debug files below DIR, by path and build id"),
	OPT_REFUSED(0, "vmlinux", 0, "", "a recording needs no image of the kernel",
		    "'report -k VMLINUX' takes it, and 'probe -k VMLINUX' for variables and lines"),
	OPT_REFUSED(0, "clang-path", 0, "", BPF_WHY, BPF_INSTEAD),
	OPT_REFUSED(0, "clang-opt", 0, "", BPF_WHY, BPF_INSTEAD),
	OPT_END,
};
