#!/bin/sh
# as: root
# time: 240
# kernels: 6.12
# Services as people run them, in one recording: Go and Rust without symbols, code made at run time, and a program that only a
# container has and that is gone by then. Read on a machine that has none of their files, nor this kernel.
. "$T_HERE/lib.sh"
. "$T_HERE/lib_wait.sh"

need sonde workload jitted unshare chroot

bin=/host/bin/probe
for program in goserved rsserved; do
	[ -x $bin/$program ] && continue
	t $program
	skip "no $program: it could not be built (tests/probe/build)"
	exit 0
done

# elsewhere COMMAND...: as on a machine that has nothing but this sonde and the recordings here.
elsewhere() {
	mkdir -p else && cp "$(command -v sonde)" else/sonde && cp ./*.data else && chroot else /sonde "$@"
}

mkdir box dumps
$bin/goserved 600000 2> go.said &
pids=$!
$bin/rsserved 600000 &
pids="$pids $!"
unshare -m -p -f sh -c 'mount -t tmpfs box box && cp "$(command -v workload)" box/inner && cd box && exec ./inner shape 600000' &
pids="$pids $!"
inner() {
	pidof inner > /dev/null
}
wait_for inner
sonde record -a -k mono -e cpu-clock -F 49 -m 8M --call-graph dwarf -o all.data jitted dumps 1500 > said 2> err
status=$?
inner=$(pidof inner)
kill -9 $pids $inner
wait 2> /dev/null
rm -rf dumps

t all_is_recorded
eq $status 0
has err 'code was made where other code had been'
eq "$(grep 'lost\|no names' err)" ""
eq "$(ls box)" ""	# its file went with the container

# Of each: the functions that are busy, and that no place has no name.
elsewhere script -i all.data -F comm,ip,sym,dso > script.txt 2> err
elsewhere report -i all.data -q --no-children -g none -s comm,sym > report.txt 2> err

# all_named COMM: of its samples, the innermost places have names.
all_named() {
	awk -v comm="$1" '
		/^[^ \t]/ { ours = $1 == comm; first = 1; next }
		NF && ours && first { first = 0; n++; if (/\[unknown\]/) bad[$0]++ }
		END { for (b in bad) { print bad[b] " of " n ": " b; sum += bad[b] }
			if (n < 20) print n + 0 " samples"; exit sum > 0 || n < 20 }' script.txt > unnamed && ok || fail "$1: $(head -n 5 unnamed)"
}

t go_without_symbols
has report.txt 'goserved .*\[\.\] main\.\(\*shop\)\.price'
has report.txt 'goserved .*\[\.\] served/stock\.Count\['
all_named goserved

t rust_without_symbols
has report.txt 'rsserved .*\[\.\] .*cook'
all_named rsserved

# The third function stands where the first one was, and gives it its name: the recording says so.
t code_made_at_run_time
for name in 'second\(int, long\)' third; do
	has report.txt "jitted .*\[\.\] $name"
done
all_named jitted

t a_container_that_is_gone
has report.txt 'inner .*\[\.\] hot_a'
all_named inner

# chain COMM LEAF CALLER...: of the samples in LEAF, in per mille those that these called, one by one (patterns).
chain() {
	comm=$1 leaf=$2
	shift 2
	awk -v comm="$comm" -v leaf="$leaf" -v callers="$*" '
		BEGIN { want = split(callers, caller, " ") }
		/^[^ \t]/ { ours = $1 == comm; depth = 0; next }
		!NF { if (in_leaf) { n++; right += met == want } in_leaf = met = 0; next }
		ours { depth++
			if (depth == 1) in_leaf = $0 ~ leaf
			else if (in_leaf && met == depth - 2 && met < want && $0 ~ caller[depth - 1]) met++ }
		END { print n ? int(right * 1000 / n) : "none" }' script.txt
}
at_least() {
	case $1 in
	none) fail "no samples" ;;
	*) [ "$1" -ge "$2" ] && ok || fail "$1 of 1000, not $2" ;;
	esac
}

t go_stacks_are_whole
at_least "$(chain goserved 'shop..price' 'shop..serve' 'main.main.func1' 'runtime.goexit')" 990

t rust_stacks_are_whole
at_least "$(chain rsserved 'cook' '(repeat|closure)')" 990
