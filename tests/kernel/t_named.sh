#!/bin/sh
# as: root
# time: 240
# kernels: 6.12-16k
# also: 5.10
# Recordings that name themselves: read where there is neither a file nor the kernel of this machine.
. "$T_HERE/lib.sh"

need sonde workload chroot perf

# elsewhere COMMAND...: as on a machine that has nothing but this sonde and the recordings here.
elsewhere() {
	mkdir -p else && cp "$(command -v sonde)" else/sonde && cp ./*.data else && chroot else /sonde "$@"
}

sonde record -q -a -g -e cpu-clock -F 997 -o all.data sh -c 'workload tree 1000; find /sys/kernel /host/bin | cat' > out 2> err

t the_kernel_and_programs_are_named_elsewhere
sonde script -i all.data -F ip,sym,symoff,dso --no-inline > here.txt 2> err
elsewhere script -i all.data -F ip,sym,symoff,dso --no-inline > there.txt 2> err
# The caller that only the link register has is put back by the program's code, which is not there.
sort -u here.txt > here
sort -u there.txt > there
eq "$(comm -13 here there)" ""
eq "$(comm -23 here there | grep 'kernel.kallsyms')" ""
has there.txt ' leaf.*workload'
has there.txt 'el0_svc.* .\[kernel.kallsyms\]'
named=$(grep -c '\[kernel.kallsyms\]' there.txt)
unnamed=$(grep -c 'unknown.* .\[kernel.kallsyms\]' there.txt)
[ $((unnamed * 100)) -le "$named" ] && ok || fail "$unnamed of $named places in the kernel have no name"

t rows_are_the_same_elsewhere
sonde report -i all.data -q --no-children -g none > here.txt 2> err
elsewhere report -i all.data -q --no-children -g none > there.txt 2> err
cmp here.txt there.txt && ok || fail "$(diff here.txt there.txt | head -n 6)"

t perf_passes_over_it
perf script -i all.data -F ip,sym > theirs.txt 2> warnings
eq "$(grep -v -i 'kernel\|kallsyms\|restricted\|get_proc_name' warnings)" ""
has theirs.txt ' leaf'

t they_are_left_out_when_asked
sonde record -q --no-symbols -g -e cpu-clock -F 997 -o plain.data workload tree 500
sonde script -i plain.data -F ip,sym,dso > here.txt 2> err
has here.txt ' leaf'
elsewhere script -i plain.data -F ip,sym,dso > there.txt 2> err
grep -q 'leaf' there.txt && fail "a name that was not recorded" || ok
