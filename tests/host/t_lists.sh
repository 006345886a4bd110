#!/bin/sh
# as: root
# time: 200
# What a recording has, as perf lists it: events with all attributes, build ids; beside the perf of this machine on recordings
# that it makes itself, and on those of other perfs, machines and kinds that it can read.
. "$T_HERE/lib.sh"

need sonde perf

here=$T_HERE/../..
data=$here/tests/data/perf

# alike FILE OPTION...: evlist says the same of it, but for what is no event
alike() {
	of=$1
	shift
	perf evlist -i "$of" "$@" 2> /dev/null | grep -v '^#' > want
	sonde evlist -i "$of" "$@" | grep -v '^#' > got
	[ -s want ] && cmp want got && ok || fail "$of $*: $(diff want got | head -n 5)"
}

perf record -q -o one.data -e cpu-clock -F 999 true 2> /dev/null
perf record -q -o many.data -e '{cpu-clock,page-faults}' -e context-switches -c 1 --call-graph fp true 2> /dev/null
perf record -q -o regs.data -e cpu-clock --call-graph dwarf -d -W --phys-data true 2> /dev/null
perf record -q -o traced.data -e sched:sched_switch -e sched:sched_process_exit -e cpu-clock -a true 2> /dev/null

t events_are_those_of_perf
for file in one many regs traced; do
	# Copies of registers and tracepoints are not to be had on every machine.
	case $file in regs | traced) [ -s $file.data ] || continue ;; esac
	for how in -F -v -vF --trace-fields '-v --trace-fields'; do
		alike $file.data $how
	done
	alike $file.data
done
# perf's -g counts what stands in a group, whoever leads it.
alike many.data -g
for file in big_endian clock group multi tracepoints stat; do
	alike "$data/$file.data" -v
done

t what_sonde_records_perf_lists_the_same_way
sonde record -q -o own.data -e '{cpu-clock,page-faults}' -e context-switches -g true
for how in -F -v -g; do
	alike own.data $how
done

t build_ids_are_those_of_perf
n=0
for file in one.data many.data traced.data own.data "$data"/*.data; do
	perf buildid-list -i "$file" 2> /dev/null | sort > want
	[ -s want ] || continue
	sonde buildid-list -i "$file" | sort > got
	cmp want got && ok || fail "$file: $(diff want got | head -n 5)"
	n=$((n + 1))
done
[ $n -ge 8 ] && ok || fail "only $n recordings were compared"
for file in one.data "$data/clock.data"; do
	perf buildid-list -H -i "$file" 2> /dev/null | sort > want
	sonde buildid-list -H -i "$file" | sort > got
	cmp want got && ok || fail "$file, with hits: $(diff want got | head -n 5)"
done

t the_kernel_and_a_program_have_theirs
[ "$(sonde buildid-list -k)" = "$(perf buildid-list -k)" ] && ok || fail "kernel: $(sonde buildid-list -k)"
for file in $(command -v sonde) $(command -v perf) $(command -v ls) /bin/sh; do
	[ "$(sonde buildid-list -i "$file")" = "$(perf buildid-list -i "$file")" ] && ok || fail "$file"
done

t features_have_the_names_of_perf
perf version --build-options 2> /dev/null | sed -n 's/^ *\([^:]*\): \[.*\] *# *\(.*\)/\1 \2/p' > theirs
[ -s theirs ] && ok || fail "perf lists none"
while read -r name macro; do
	# perf has had several macros for the same thing.
	sonde check feature "$name" > said || :
	grep -q '^ *[^ ]*: \[ \(on \|OFF\) \]  # HAVE_' said && ok || fail "$name, $macro: $(cat said)"
done < theirs

t events_into_a_file
sonde list --output listed.txt sw 2> err > out
eq $? 0
[ ! -s out ] && ok || fail "on standard output, too"
has listed.txt '^  page-faults OR faults'
sonde list -o /nosuch/listed.txt sw 2> err
eq $? 1
has err 'nosuch'
