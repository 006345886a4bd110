/* examples.c - of the help of `sonde record`. */
#include "cmd/record/want.h"

const char record_examples[] =
	"sonde record -a -g sleep 10\tthe whole system with call chains for ten seconds\n"
	"sonde record -F 99 -p 1234 -g -- sleep 5\ta running process\n"
	"sonde record -g ./a.out\ta program from start to end, with all its children\n"
	"sonde record --call-graph dwarf ./a.out\tone without frame pointers; the file stays as small\n"
	"sonde record --call-graph lr -F 20000 ./a.out\tonly who called, on arm64: each sample costs a register\n"
	"sonde record -e 'sched:*' -a --timeout 1000\tall scheduler tracepoints for a second\n"
	"sonde record -e sched:sched_switch --filter 'prev_prio < 100' -a sleep 1\tonly some of them\n"
	"sonde record -c 1 -e page-faults ./a.out\tevery page fault\n"
	"sonde record -a -g --overwrite --switch-output\tthe last moments, in a file of their own at each SIGUSR2\n"
	"sonde record -a --switch-output=1h --switch-max-files=24\ta file each hour, those of a day\n"
	"sonde record -a --control fifo:orders -D -1\t'echo enable > orders' begins, disable, stop\n"
	"sonde record -e arm_spe_0/load_filter=1,min_latency=30/ ./a.out\tloads that took long, by Arm's SPE\n"
	"sonde record --intr-regs=sp ./a.out\tregisters, too, for script -F iregs; also --user-regs\n"
	"sonde record -a --all-cgroups sleep 1\twhich control group each sample was in\n"
	"sonde record --off-cpu -g -p 1234 sleep 10\twhere it runs, and where it waits and how long\n"
	"sonde record --no-symbols -a -g sleep 10\tnamed by the files of the machine that reads it, only\n"
	"sonde record -a -o - sleep 1 | ssh host 'cat > perf.data'\tnothing is written on the board\n";
