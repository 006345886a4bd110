#!/bin/sh
# as: root
# time: 120
# kernels: 6.12
# also: 5.10
# Counts by periods, from a group that a timer reads and from here: a program's calls are all found, and hardware counters are those of perf.
. "$T_HERE/lib.sh"

need sonde workload awk

calls="raw_syscalls:sys_enter/id==173/alias=calls/"

t stat_counts_a_command
sonde prof stat -e "$calls" --period 20ms -i 200 -x, -- workload syscalls 20000 > out 2> err
eq $? 0
eq "$(awk -F, '$1 == "calls" { n += $3 } END { print n }' out)" 20000

# live N, recorded N: calls that are seen while a program makes N of them, and the shell its own.
live() {
	sonde prof hrcount -e "$calls" --period 20ms -i 200 -x, -- sh -c "sleep 0.2; workload syscalls $1; sleep 0.2" > out 2> err
	awk -F, '$1 == "calls" { n += $3 } END { print n }' out
}

recorded() {
	sonde record -q -a -o group.data -e '{cpu-clock/period=20000000/,raw_syscalls:sys_enter}:S' --filter id==173 -- \
		sh -c "sleep 0.2; workload syscalls $1; sleep 0.2" 2> err
	sonde prof hrcount -i group.data -e raw_syscalls:sys_enter -x, > out 2> err
	awk -F, 'NR > 1 { n += $3 } END { print n }' out
}

t hrcount_counts_cpus
eq $(($(live 20000) - $(live 1000))) 19000

t hrcount_of_a_recording_is_the_same
eq $(($(recorded 20000) - $(recorded 1000))) 19000

t hrtimer_finds_the_periods
sonde prof hrtimer -e "$calls" --period 20ms -g 'calls > 100' -- sh -c 'sleep 0.2; workload syscalls 20000; sleep 0.2' > out 2> err
has out 'hrtimer: cpu-clock [0-9]+ ns'
has out 'el0_svc|el0t_64_sync'

t cycles_and_instructions
sonde prof hwstat -i 5000 -x, -- workload shape 300 > out 2> err
eq $? 0
has out '^cpu,cycles,instructions,ipc,ghz,run_percent$'
[ "$(awk -F, 'NR > 1 && $2 > 0 { n++ } END { print n + 0 }' out)" -ge 1 ] && ok || fail "$(cat out)"

t what_is_written_to_an_address
at=$(workload where)
sonde prof breakpoint "$at/4:w" -- workload writes 200 > out 2> err
has err '200 accesses, 200 shown; of 0 '
eq "$(sed -n 's/.* data \([0-9]*\) (4 bytes) .* write_here (workload)$/\1/p' out | awk '$1 != NR' | wc -l)" 0
eq "$(grep -c ' data ' out)" 200
sonde prof breakpoint -g --filter 'data > 190 && data % 2 == 0' "$at/4:w" -- workload writes 200 > out 2> err
eq "$(grep -c ' data ' out)" 5
has out '^    [0-9a-f]{16} main'
sonde prof breakpoint --regs -N 2 "$at/4:rw" -- workload writes 200 > out 2> err
has out ' x0 [0-9a-f]{16}'
# A recording has no registers unless they were asked for.
sonde record -q -o w.data --intr-regs -e "mem:$at/4:w" -- workload writes 50 2> err
sonde prof breakpoint -i w.data "$at/4:w" > out 2> err
eq "$(grep -c ' data ' out)" 50
sonde prof breakpoint -i w.data 0x1000/4:w > out 2> err && fail 'another address' || has err 'has no event mem:0x1000'
sonde record -q -o w.data -e "mem:$at/4:w" -- workload writes 5 2> err
sonde prof breakpoint -i w.data --regs "$at/4:w" > out 2> err && fail 'no registers' || has err '--intr-regs'
