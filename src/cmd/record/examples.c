/* examples.c - the examples in the help of `sonde record`. */
#include "cmd/record/want.h"

const char record_examples[] =
	"sonde record -a -g sleep 10\tsystem-wide with call chains, for ten seconds\n"
	"sonde record -F 99 -p 1234 -g -- sleep 5\ta running process\n"
	"sonde record -g ./a.out\ta program and its children, from start to end\n"
	"sonde record --call-graph dwarf ./a.out\ta program without frame pointers; the file stays small\n"
	"sonde record --call-graph lr -F 20000 ./a.out\tonly the caller, on arm64: one register per sample\n"
	"sonde record -e 'sched:*' -a --timeout 1000\tall scheduler tracepoints for a second\n"
	"sonde record -e sched:sched_switch --filter 'prev_prio < 100' -a sleep 1\tfiltered\n"
	"sonde record -c 1 -e page-faults ./a.out\tevery page fault\n"
	"sonde record -a -g --overwrite --switch-output\tflight recorder: a file at each SIGUSR2\n"
	"sonde record -a --switch-output=1h --switch-max-files=24\tone file per hour, for one day\n"
	"sonde record -a --control fifo:orders -D -1\t'echo enable > orders' starts; also disable, stop\n"
	"sonde record -e arm_spe_0/load_filter=1,min_latency=30/ ./a.out\tslow loads, with Arm's SPE\n"
	"sonde record --intr-regs=sp ./a.out\tregisters, for script -F iregs; also --user-regs\n"
	"sonde record -a --all-cgroups sleep 1\tthe cgroup of each sample\n"
	"sonde record --off-cpu -g -p 1234 sleep 10\ton-CPU samples, and off-CPU times\n"
	"sonde record --no-symbols -a -g sleep 10\tsymbols only from files of the reporting machine\n"
	"sonde record -a -o - sleep 1 | ssh host 'cat > perf.data'\twrite nothing on the board\n";
