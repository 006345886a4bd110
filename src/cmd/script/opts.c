/* opts.c - groups of script's options: side records, times, spans, and options that are refused. */
#include "cmd/script/want.h"

const struct opt script_show_opts[] = {
	OPT_FLAG(0, "show-task-events", struct script_show, tasks, "print fork, comm and exit records, too"),
	OPT_FLAG(0, "show-mmap-events", struct script_show, mmaps, "print mmap records, too"),
	OPT_FLAG(0, "show-switch-events", struct script_show, switches, "print context switch records, too"),
	OPT_FLAG(0, "show-namespace-events", struct script_show, namespaces, "print namespace records, too"),
	OPT_FLAG(0, "show-cgroup-events", struct script_show, cgroups, "print cgroup records, too"),
	OPT_FLAG(0, "show-bpf-events", struct script_show, bpf, "print BPF load and unload records, too"),
	OPT_FLAG(0, "show-text-poke-events", struct script_show, text_pokes,
		"print text poke records (changes of kernel code), too"),
	OPT_FLAG(0, "show-round-events", struct script_show, rounds,
		 "print finished-round records, too; all records in file order"),
	OPT_FLAG(0, "show-lost-events", struct script_show, lost, "print lost-event records, too"),
	OPT_END,
};

const struct opt script_times_opts[] = {
	OPT_FLAG(0, "ns", struct script_times, ns, "print timestamps with nanoseconds"),
	OPT_FLAG(0, "reltime", struct script_times, relative, "print times since the first line"),
	OPT_FLAG(0, "deltatime", struct script_times, delta, "print times since the previous line"),
	OPT_END,
};

const struct opt script_span_opts[] = {
	OPT_STR(0, "switch-on", struct script_span, on, "<event>", "start at the first sample of this event"),
	OPT_STR(0, "switch-off", struct script_span, off, "<event>", "stop at the next sample of this event"),
	OPT_FLAG(0, "show-on-off-events", struct script_span, ends_too,
		"print the samples of --switch-on and --switch-off, too"),
	OPT_END,
};

#define SCRIPTS_WHY "no scripts in other languages are run"
#define SCRIPTS_INSTEAD "script -j prints a line of JSON for each sample, for jq, Python and all others"
#define TRACES_WHY "instruction traces are not read"
#define TRACES_INSTEAD "-F +brstack shows the branches that samples have"
#define GUESTS_WHY "guests' samples are not resolved"
#define GUESTS_INSTEAD "record in the guest: sonde ftrace agent brings traces of both together"
#define FILTERS_WHY "filters in shared objects are not loaded: this is a static program"
#define FILTERS_INSTEAD "script -j | jq chooses by any field"

const struct opt script_refused_opts[] = {
	OPT_REFUSED('s', "script", 0, "", SCRIPTS_WHY, SCRIPTS_INSTEAD),
	OPT_REFUSED('g', "gen-script", 0, "", SCRIPTS_WHY, SCRIPTS_INSTEAD),
	OPT_REFUSED('l', "list", OPT_NO_VALUE, "", SCRIPTS_WHY, SCRIPTS_INSTEAD),
	OPT_REFUSED(0, "insn-trace", OPT_OPTIONAL, "", TRACES_WHY, TRACES_INSTEAD),
	OPT_REFUSED(0, "call-trace", OPT_OPTIONAL, "", TRACES_WHY, TRACES_INSTEAD),
	OPT_REFUSED(0, "call-ret-trace", OPT_OPTIONAL, "", TRACES_WHY, TRACES_INSTEAD),
	OPT_REFUSED(0, "graph-function", 0, "", TRACES_WHY, TRACES_INSTEAD),
	OPT_REFUSED(0, "xed", OPT_OPTIONAL, "", "instructions are not disassembled", "-F +insn shows their bytes"),
	OPT_REFUSED(0, "max-blocks", 0, "", "instructions between branches are not shown", TRACES_INSTEAD),
	OPT_REFUSED(0, "stitch-lbr", OPT_NO_VALUE, "", "call chains are not made of branch stacks",
		    "record with --call-graph fp or dwarf"),
	OPT_REFUSED(0, "addr-range", 0, "", "samples are not chosen by ranges of addresses",
		    "-S FUNCTION chooses them by function"),
	OPT_REFUSED(0, "show-kernel-path", OPT_NO_VALUE, "", "the kernel's symbols need not come from a file",
		    "-k FILE says which image is meant"),
	OPT_REFUSED(0, "debug-mode", OPT_NO_VALUE, "", "checks are always made: the last lines tell what is wrong",
		    "-v tells all of it"),
	OPT_REFUSED(0, "guest-code", OPT_NO_VALUE, "", GUESTS_WHY, GUESTS_INSTEAD),
	OPT_REFUSED(0, "guestkallsyms", 0, "", GUESTS_WHY, GUESTS_INSTEAD),
	OPT_REFUSED(0, "guestmodules", 0, "", GUESTS_WHY, GUESTS_INSTEAD),
	OPT_REFUSED(0, "guestmount", 0, "", GUESTS_WHY, GUESTS_INSTEAD),
	OPT_REFUSED(0, "guestvmlinux", 0, "", GUESTS_WHY, GUESTS_INSTEAD),
	OPT_REFUSED(0, "dlfilter", 0, "", FILTERS_WHY, FILTERS_INSTEAD),
	OPT_REFUSED(0, "dlarg", 0, "", FILTERS_WHY, FILTERS_INSTEAD),
	OPT_REFUSED(0, "list-dlfilters", OPT_NO_VALUE, "", FILTERS_WHY, FILTERS_INSTEAD),
	OPT_END,
};
