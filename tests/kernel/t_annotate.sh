#!/bin/sh
# as: root
# time: 120
# kernels: 6.12
# Instructions of the kernel as it runs, of a program, and what cannot be read.
. "$T_HERE/lib.sh"

need sonde workload

t the_running_kernel_is_read
sonde record -q -F 1000 -e cpu-clock:k -o kernel.data dd if=/dev/zero of=/dev/null bs=1M count=300 2> err.txt || fail "$(cat err.txt)"
sonde annotate -i kernel.data > kernel.txt 2> err.txt || fail "$(cat err.txt)"
grep -q "Disassembly of \[kernel.kallsyms\] for cpu-clock:k" kernel.txt && ok || fail "$(head kernel.txt; cat err.txt)"

t its_functions_end_with_what_ends_functions
# Between functions there is padding, and a pointer of the function tracer's in front of each: little is no code.
awk '$2 == ":" { n++ } /; undefined/ { bad++ } / ret$/ { ends++ } END { exit !(n > 50 && bad * 20 < n && ends) }' kernel.txt && ok ||
	fail "$(head -n 60 kernel.txt)"

t its_branches_have_names
grep -q ": *bl  *ffff[0-9a-f]* <[a-z_]" kernel.txt && ok || fail "$(head -n 60 kernel.txt)"

t samples_are_all_there
want=$(sonde report -i kernel.data -n --sort sym -x , -F sample,sym 2> /dev/null | awk -F, '/__arch_clear_user/ { print $1 }')
got=$(sonde annotate -n -i kernel.data __arch_clear_user 2> /dev/null | awk '$2 == ":" { sum += $1 } END { print sum }')
[ -n "$want" ] && [ "$want" = "$got" ] && ok || fail "report: $want, annotate: $got"
