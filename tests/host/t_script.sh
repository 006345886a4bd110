#!/bin/sh
# as: root
# time: 300
# sonde script and report -D against perf's texts of the same recordings: those that can be made here, and one with what no event of this
# machine has.
. "$T_HERE/lib.sh"

need sonde perf python3 workload

# What perf 6.1 has and later ones have not, or the other way round: how wide tasks are, how a branch was speculated, the last latency and a blank in
# front of a branch's file.
plain() {
	sed -E 's, +, ,g; s, $,,; s,(/[PM-]/[X-]/[A-]/[0-9]+/[A-Z_0-9]*)/(-|[A-Z_]+)( |$),\1\3,g; s, (\([^ ]*\))/,\1/,g
		s,(cycles [MPAT ]*[0-9a-f]+( [A-Z_0-9]+)?) (NON_)?SPEC[A-Z_]*$,\1,; s,(weight: [0-9]+\,0x[0-9a-f]+)\,.*,\1,'
}

# same COMMAND RECORDING OPTIONS...: both say the same, and more than nothing.
same() {
	command=$1 recording=$2
	shift 2
	perf $command -i $recording "$@" 2> perf.err | grep -v '^# To display the perf.data header\|^#$' | plain > theirs.txt
	sonde $command -i $recording "$@" 2> err | plain > ours.txt
	[ -s theirs.txt ] || fail "perf $command $* says nothing: $(head -n 2 perf.err)"
	cmp -s theirs.txt ours.txt && ok || fail "$command $* of $recording: $(diff theirs.txt ours.txt | head -n 6) $(head -n 2 err)"
}

program=$(command -v workload)
python3 "$SCRIPTS/fields.py" x86.data x86_64 "$program" || exit 1
python3 "$SCRIPTS/fields.py" arm.data aarch64 "$program" || exit 1

t fields_of_memory_accesses
for fields in data_src weight ins_lat addr,data_src,weight,ins_lat,phys_addr phys_addr,data_page_size,code_page_size; do
	same script x86.data -F hw:comm,$fields -F sw: -F raw:
done

t fields_of_registers
for file in x86 arm; do
	same script $file.data -F hw:comm,iregs -F sw: -F raw:
	same script $file.data -F hw:comm,uregs,iregs -F sw: -F raw:
done

t fields_of_branches
for fields in brstack brstacksym brstackoff brstack,dso brstacksym,dso; do
	same script x86.data -F hw:comm,$fields -F sw: -F raw:
done

t output_of_bpf_programs
same script x86.data -G -F hw:event -F raw:event
has ours.txt 'BPF string: "a text"'

# Addresses in chains are perf's own: where in the file, in 6.1.
t chains_end_at_a_function
for name in bare_leaf hot_b nothing; do
	perf script -i x86.data -F hw:ip,sym -F sw: -F raw: --stop-bt $name 2> perf.err | awk '{ print $2 }' | head -n 40 > theirs.txt
	sonde script -i x86.data -F hw:ip,sym -F sw: -F raw: --stop-bt $name 2> err | awk '{ print $2 }' | head -n 40 > ours.txt
	eq "$(cat ours.txt)" "$(cat theirs.txt)"
done

t headers_and_time_of_day
for file in x86 arm; do
	same script $file.data -F comm,misc,time
	same script $file.data -F comm,pid,tid,cpu,tod,time,event --ns
done

t times_since_others
same script x86.data -F time,event --reltime
same script x86.data -F time,event --deltatime --ns
same script x86.data --Latency -F comm,cpu,time

t records_beside_samples
same script x86.data --show-task-events --show-mmap-events --show-switch-events --show-namespace-events --show-cgroup-events \
	--show-bpf-events --show-lost-events -F comm,tid,pid,cpu,time,misc,event
for option in --show-task-events --show-mmap-events --show-switch-events --show-namespace-events --show-cgroup-events --show-bpf-events \
	--show-lost-events; do
	same script x86.data $option -F comm,time,event
done
same script x86.data -a --show-round-events -F comm,event

t from_one_event_to_another
same script x86.data --switch-on r11 -F comm,event
same script x86.data --switch-on bpf-output --switch-off r11 -F comm,time,event
same script x86.data --switch-on bpf-output --switch-off r11 --show-on-off-events -F comm,time,event

# The symbol beside changed code is the running kernel's, which may have hidden it.
t dumps
same script x86.data -D -G -F comm,event
same report x86.data -D
for file in group multi named tracepoints pipe dwarf clock; do
	same script "$T_HERE/../data/perf/$file.data" -D -G -F comm,event
done

t events_in_files_of_their_own
mkdir perfs ours
cp x86.data perfs && cp x86.data ours
(cd perfs && perf script -i x86.data -F comm,time,event --per-event-dump 2> /dev/null | sed 's,^\[ perf,[ ,' > told; rm x86.data)
(cd ours && sonde script -i x86.data -F comm,time,event --per-event-dump 2> /dev/null | sed 's,^\[ sonde,[ ,' > told; rm x86.data)
# perf cannot make the file of an event with a slash in its name, and then none at all.
eq "$(cat ours/*.dump | wc -l)" "$(sonde script -i x86.data -F comm,time,event 2> /dev/null | wc -l)"
eq "$(ls ours | tr '\n' ' ')" "told x86.data.bpf-output.dump x86.data.cycles.dump x86.data.r11.dump x86.data.some_pmu_config=1_.dump "
ln -s "$PWD/elsewhere" x86.data.cycles.dump
sonde script -i x86.data --per-event-dump > out 2> err
[ ! -e elsewhere ] && ok || fail "a link was followed"

t recorded_here
if ! perf record -q -e cpu-clock:u -c 500000 -d -W --data-page-size --code-page-size --phys-data --namespaces --user-regs=ax,bx,ip --intr-regs=ax,ip,sp \
	-k CLOCK_MONOTONIC -o here.data "$program" shape 100 2> err; then
	skip "perf cannot record: $(head -n 1 err)"
	exit 0
fi
same script here.data -F comm,ip,insn
same script here.data -F comm,ip,insn,insnlen
same script here.data -F comm,iregs,uregs,phys_addr,data_page_size,code_page_size,misc,tod
same script here.data -D -G -F comm,event,ip
same report here.data -D
for keys in time time,local_weight local_weight,comm; do
	perf report -i here.data --stdio -g none --no-children -s $keys --time-quantum 10ms 2> perf.err | table_rows > theirs.txt
	sonde report -i here.data -g none --no-children -s $keys --time-quantum 10ms 2> err | table_rows > ours.txt
	eq "$(sort ours.txt)" "$(sort theirs.txt)"
done
same script here.data --show-namespace-events --show-task-events -F comm,tid,event
perf record -q -e cpu-clock:u -e task-clock:u -c 1000000 -o two.data "$program" shape 50 2> err
(cd perfs && cp ../two.data . && perf script -i two.data --per-event-dump 2> /dev/null | sed 's,^\[ perf script: Wrote [0-9.]* MB,[ ,' > told)
(cd ours && cp ../two.data . && sonde script -i two.data --per-event-dump 2> /dev/null | sed 's,^\[ sonde script: Wrote [0-9.]* MB,[ ,' > told)
eq "$(cat ours/told)" "$(cat perfs/told)"
for file in perfs/two.data.*.dump; do
	eq "$(plain < ours/${file#*/})" "$(plain < $file)"
done
