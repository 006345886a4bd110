#!/bin/sh
# time: 800
# kernels: 6.12
# also: 5.10
# Probes in the kernel by the names of its source, with nothing but its BTF: what they print is compared with the kernel's
# own tracepoints and with what was done; lists with perf's.
. "$T_HERE/lib.sh"
. "$T_HERE/lib_probed.sh"

need sonde perf

# What every opening of a file passes, and the kernel's type information knows; its name, flags and mode, and a result.
F=do_sys_openat2 ARGS='filename:string how->flags how->mode' RESULT='$retval'
[ "$SONDE_VM" != 5.10 ] || F=do_filp_open ARGS='pathname->name:string op->open_flag:x32 op->mode' RESULT='$retval:s64'

# traced COMMAND...: run it with all the events of the group on, and those of opening files; the text is in trace, that of its
# own process alone in own: others may be in the middle of a call when it begins or ends.
traced() {
	echo 0 > $TRACING/tracing_on
	echo > $TRACING/trace
	for e in probed syscalls/sys_enter_openat syscalls/sys_exit_openat; do
		echo 1 > $TRACING/events/$e/enable
	done
	echo 1 > $TRACING/tracing_on
	"$@" > run.out 2>&1 &
	pid=$!
	wait $pid
	echo 0 > $TRACING/tracing_on
	for e in probed syscalls/sys_enter_openat syscalls/sys_exit_openat; do
		echo 0 > $TRACING/events/$e/enable
	done
	cat $TRACING/trace > trace
	grep -e "-$pid  *\[" trace > own
	echo > $TRACING/trace
	echo 1 > $TRACING/tracing_on
}

t function_with_arguments_and_members
define -a "probed:open=$F $ARGS dfd" -a "probed:opened=do_sys_openat2%return $RESULT"
traced sh -c ': > made-by-test; : < made-by-test; exec 7< /nowhere'
# O_LARGEFILE is the kernel's own doing.
has trace "open: \\($F\\+0x0/0x[0-9a-f]+\\) (file)?name(_string)?=\"made-by-test\" (open_)?flags?(_x32)?=0x20241 mode=0x(8)?1b6 dfd=-100\$"
has trace 'open: .* (file)?name(_string)?="made-by-test" (open_)?flags?(_x32)?=0x20000 mode=0x0 dfd=-100$'
has trace 'opened: \([^)]* <- do_sys_openat2\) arg1=-2$'

t return_values_are_those_of_the_system_call
awk '/ opened: / { sub(".*arg1=", ""); print }' own > ours
awk '/ sys_openat -> / { sub(".*-> ", ""); print }' own |
	while read -r v; do echo $((v)); done > theirs
[ -s theirs ] && cmp -s ours theirs && ok || fail "$(diff ours theirs)"

t list_is_perfs
sonde probe -l 'probed:*' 2> err | sed 's/  */ /g' > ours
perf probe -l 'probed:*' 2> perf.err | sed 's/  */ /g' > theirs
[ -s theirs ] && cmp -s ours theirs && ok || fail "$(diff ours theirs; cat err perf.err)"
gone

t addresses_and_offsets
addr=$(awk '$3 == "do_sys_openat2" && !$4 { print $1; exit }' /proc/kallsyms)
define -a "probed:address=0x$addr a=\$arg2:ustring" -a 'probed:offset=do_sys_openat2+16 how=%x2:x64'
traced cat /proc/version
has trace 'address: .* a="/proc/version"$'
eq "$(grep -c ' address: ' own)" "$(grep -c ' offset: ' own)"
gone

t module_function
modprobe -q dummy numdummies=0 || modprobe dummy
if [ "$SONDE_VM" = 5.10 ]; then
	# Modules have no BTF before 5.11: arguments are numbers there, and that is said.
	refused btf -n -a 'probed:m=dummy_dev_init dev->name:string'
	define -m dummy -a 'probed:m=dummy_dev_init $arg1'
else
	define -a 'probed:m=dummy_dev_init dev->name:string dev->mtu'
fi
traced /bin/ip link add probed7 type dummy
/bin/ip link del probed7
if [ "$SONDE_VM" = 5.10 ]; then
	has trace 'm: \(dummy_dev_init\+0x0/0x[0-9a-f]+ \[dummy\]\) arg1=0xffff'
else
	has trace 'm: \(dummy_dev_init\+0x0/0x[0-9a-f]+ \[dummy\]\) name(_string)?="probed7" mtu=(1500|0x5dc)$'
fi
gone
rmmod dummy

t pointers_through_pointers
define -a 'probed:exit=do_exit code' -a 'probed:comm=wake_up_new_task p->comm:string p->group_leader->pid p->real_parent->comm:string'
traced sh -c 'cat /dev/null & wait; (exit 5); :'
has trace ' comm: .* comm(_string)?="sh" pid=[0-9]+ comm(_string|_[0-9])*="(sh|busybox)"'
has trace ' exit: .* code=(1280|0x500)$'
gone

t variables_of_a_function
sonde probe -V $F > out 2>&1
has out 'dfd'
has out '(file|path)name'
[ $F = do_filp_open ] || has out 'open_how ?\*.*how'

t functions_by_pattern
sonde probe -F 'do_sys_open*' 2> err | sort > ours
awk '$2 ~ /^[tT]$/ && $3 ~ /^do_sys_open/ { print $3 }' /proc/kallsyms | sort -u > theirs
[ -s theirs ] && cmp -s ours theirs && ok || fail "$(diff ours theirs)"

# A size is known by the next symbol that is not at the same address.
t sizes_of_functions
sonde probe -v -F do_sys_openat2 > out 2> err
want=$(awk '$3 == "do_sys_openat2" { a = $1 } { print $1 }  END { print "=" a }' /proc/kallsyms | sort -u |
	awk '/^=/ { a = substr($0, 2); next } $0 > a && !next_one { next_one = $0 } END { print a, next_one }')
set -- $want
eq "$(awk '{ print $1, $2, $4 }' out)" "$1 $((0x$2 - 0x$1)) do_sys_openat2"

t what_is_not_there
refused do_sys_openat2 -n do_sys_openat3
[ $F = do_filp_open ] || refused how -n 'do_sys_openat2 how->nothing'
refused dfd -n "$F dfd->x"
refused do_sys_openat2 -n 'do_sys_openat2+1000000'
# Where the function tracer has its own call no probe can be.
[ "$SONDE_VM" != 6.12 ] || refused do_sys_openat2 'do_sys_openat2+4'

t what_the_kernel_forbids
# Each kernel tells what it forbids.
f=$(awk '{ print $2; exit }' /sys/kernel/debug/kprobes/blacklist)
refused "$f" "$f"

t one_bad_one_and_nothing_is_defined
sonde probe -q -a probed:good=do_sys_openat2 -a probed:bad=there_is_no_such_function > out 2>&1 && fail "taken" || ok
[ ! -d $TRACING/events/probed ] && ok || fail "left: $(ls $TRACING/events/probed)"

t names_that_are_taken
define probed:one=do_sys_openat2
refused 'probed:one' probed:one=do_sys_openat2
define -f probed:one=do_sys_openat2
[ -d $TRACING/events/probed/one_1 ] && ok || fail "no one_1: $(ls $TRACING/events/probed)"
gone

t counting_with_children
# An event that is inherited by what the command starts: those must be able to start.
sonde stat -x, -o csv -e kprobe:__arm64_sys_getppid sh -c 'workload syscalls 20; workload syscalls 30; exit 7' > out 2>&1
eq $? 7
n=$(sed -n 's/^\([0-9]*\),.*kprobe:__arm64_sys_getppid.*/\1/p' csv)
[ "${n:-0}" -ge 50 ] && [ "$n" -le 60 ] && ok || fail "$n calls, not 50: $(cat csv out)"

t two_places_of_one_name
sonde stat -x, -o csv -e kprobe:__arm64_sys_getppid -e kprobe:__arm64_sys_getppid workload syscalls 30 > out 2>&1
eq $? 0
sed -n 's/^\([0-9]*\),.*kprobe:__arm64_sys_getppid.*/\1/p' csv > counts
eq "$(wc -l < counts)" 2
while read -r n; do
	[ "$n" -ge 30 ] && [ "$n" -le 35 ] && ok || fail "$n calls, not 30: $(cat csv out)"
done < counts

t debug_information
# The package of the kernel with debug information is too big to be there always.
k=$(find /cache/dbg -name "vmlinux-$(uname -r)" 2> /dev/null | head -n 1)
if [ -n "$k" ]; then
	define -k "$k" -a 'probed:locals=vfs_open path->dentry->d_name.name:string'
	traced cat /proc/version
	has trace 'name(_string)?="version"'
	gone
	# BTF alone gives the same, to the byte.
	for d in 'do_sys_openat2 filename:string how->flags how->mode' 'vfs_read file->f_path.dentry->d_name.name:string count pos' \
		'vfs_write file->f_mode $params' 'do_sys_openat2%return $retval'; do
		# Kernel 5.10 leaves some static functions out.
		sonde probe -V "${d%%[ %]*}" > btf 2> err || continue
		sonde probe -D "$d" > btf 2> err || fail "$d: $(cat err)"
		sonde probe -k "$k" -D "$d" > dwarf 2> err || fail "$d: $(cat err)"
		cmp -s btf dwarf && ok || fail "BTF: $(cat btf) DWARF: $(cat dwarf)"
	done
	# What BTF does not have: variables inside of a function, and members through them.
	for n in 2 3 4 5 6 7 8 9 10 11 12; do
		grep -q ' irqfd_inject$' /proc/kallsyms || break
		sonde probe -k "$k" -D "irqfd_inject:$n kvm->userspace_pid:x64" > out 2>&1 && break
	done
	! grep -q ' irqfd_inject$' /proc/kallsyms || has out 'irqfd_inject_L[0-9]+ .*userspace_pid(_x64)?=\+[0-9]+\('
else
	skip-kernel "no vmlinux with debug information here"
fi
exit 0
