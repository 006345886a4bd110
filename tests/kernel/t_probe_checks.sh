#!/bin/sh
# time: 900
# kernels: 6.12
# also: 5.10
# What sonde probe tells of the kernel before it asks it: -n and the real thing say the same. Lists by filters are perf's.
. "$T_HERE/lib.sh"
. "$T_HERE/lib_probed.sh"

need sonde perf

# Told before the kernel is asked, and so by -n, too.
t no_instruction_begins_there
addr=$(awk '$3 == "do_sys_openat2" && !$4 { print $1; exit }' /proc/kallsyms)
for n in -n -f; do
	refused 'no instruction begins there' $n do_sys_openat2+18
	refused 'no instruction begins there' $n "0x$(printf %x $((0x$addr + 18)))"
	refused '%return needs its start' $n "0x$(printf %x $((0x$addr + 16)))%return"
done
sonde probe -n "probed:n=0x$(printf %x $((0x$addr + 16)))" > out 2>&1
has out '^  probed:n +\(on do_sys_openat2\+16\)$'

t what_is_on_the_kernels_lists
f=$(awk '{ print $2; exit }' /sys/kernel/debug/kprobes/blacklist)
refused "the kernel refuses $f" -n "$f"
refused "the kernel refuses $f" "$f"
# Where the function tracer has its own call no probe of arm64 can be; the kernel tells where that is since 6.5.
if [ -f $TRACING/available_filter_functions_addrs ]; then
	refused do_sys_openat2 do_sys_openat2+4
	refused 'patches this instruction for its tracers' -n do_sys_openat2+4
fi

t module_that_is_not_there
refused 'module nosuch is not loaded' -m nosuch -F
refused 'module nosuch is not loaded' -m nosuch -n nosuch_init
modprobe -q dummy numdummies=0 || modprobe dummy
refused "did you mean 'dummy'?" -m dumy -F
rmmod dummy

t lists_by_filters
define probed:one=do_sys_openat2
define probed:two=do_exit
define probed:three=kernel_clone
# All that filters have, in one: perf takes ten seconds for a list.
f='(*:one|*:two|*:three)&probed:*&!*:two'
sonde probe -l "$f" 2> err | sed 's/  */ /g' > ours
perf probe -l "$f" 2> perf.err | sed 's/  */ /g' > theirs
[ "$(grep -c probed: theirs)" = 2 ] && cmp -s ours theirs && ok || fail "$f: $(diff ours theirs; cat err perf.err)"
sonde probe -l none > out 2> err
eq "$? $(grep -c . out)" "0 0"
has err 'none of the probes matches'
refused "did you mean 'probed:two'?" -d tow
sonde probe -n -d 'o*|probed:three' > out 2>&1
eq "$(tr '\n' ' ' < out)" "Would remove event: probed:one Would remove event: probed:three "
sonde probe -d 'probed:*&!*:two' > out 2>&1
eq "$(ls -d $TRACING/events/probed/t* $TRACING/events/probed/o* 2> /dev/null)" $TRACING/events/probed/two
gone

# named PROGRAM DEFINITION NAME...: these events, and no others.
named() {
	file=$(dirname "$T_HERE")/bin/probe/$1 what=$2
	[ -x "$file" ] || { skip "$1 is not built"; return; }
	shift 2
	eq "$what: $(sonde probe -x "$file" -D "$what" 2>&1 | sed 's,^[pr]:[^/]*/\([^ ]*\) .*,\1,' | sort -u | tr '\n' ' ')" "$what: $* "
}

# As perf names them: people's next command has the name.
t names_of_events
named mg2 aliased aliased
named mg2 short_ short_
named mg0 matrix.c:$(awk '/KEPT int aliased/ { print NR + 2 }' "$(dirname "$T_HERE")/bin/probe/src/matrix.c") aliased
named mg0 add:0 add
named mg2 twice twice
# An inlined function, at an offset from the one around it.
at=$(sonde probe -n -x "$(dirname "$T_HERE")/bin/probe/mg2" twice 2>&1 | sed -n 's/.*twice, inlined in \([a-z_]*+[0-9]*\) .*/\1/p' | head -n 1)
named mg2 "$at" "${at%+*}"
# Each name that is listed is one that can be probed.
for p in rsold rsnew xx2; do
	p=$(dirname "$T_HERE")/bin/probe/$p
	[ -x "$p" ] || { skip "$p is not built"; continue; }
	sonde probe -x "$p" -F '*rust::*|zoo::*' | head -n 20 > list
	while read -r f; do
		sonde probe -x "$p" -D "\"$f\"" > out 2>&1 && ok || fail "$f: $(cat out)"
	done < list
	[ -s list ] && ok || fail "nothing is listed"
done

t inline_by_names_of_go_and_rust
p=$(dirname "$T_HERE")/bin/probe
sonde stat -x, -o csv -e "uprobe:probed/deep/pkg.(*Store).Save@$p/gofull" -- "$p/gofull" > out 2>&1 || cat out
has csv '^2,.*uprobe:probed/deep/pkg\.\(\*Store\)\.Save,'
# Its C library is too new for the oldest root: the name is looked at.
sonde stat -x, -o csv -e "uprobe:rust::largest*@$p/rsold" -- true > out 2>&1 || cat out
has csv '^0,.*uprobe:rust::largest,'

# Linux 5.10 reads zeroes at @+OFFSET.
t globals_of_a_program
for p in mg2static mg0static; do
	p=$(dirname "$T_HERE")/bin/probe/$p
	[ -x "$p" ] || { skip "$p is not built"; continue; }
	sonde record -q -o g.data -e "uprobe:add@\"$p\"/global_count global_pair.y/" -- "$p" > /dev/null 2> err
	eq "$(sonde script -i g.data | sed -n 's/.* global_count=\([-0-9]*\) y=\([-0-9]*\)$/\1 \2/p' | sort | uniq -c | sed 's/^ *//')" "3 41 -6"
done
exit 0
