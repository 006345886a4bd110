#!/bin/sh
# as: root
# time: 1200
# kernels: 6.12-16k
# sonde report, script and flame beside this kernel's own perf on the same recordings, and the numbers that the workload is known for.
. "$T_HERE/lib.sh"
. "$T_HERE/lib_wait.sh"

need sonde workload perf awk

# From memory: where its pages come over 9p, modules are in it, whose samples perf loses in part.
cp "$(command -v workload)" .
PATH=$PWD:$PATH

# by_perf COMMAND...: perf with what it complains about, but for what it says at each sample.
by_perf() {
	perf "$@" 2> perf.err
	grep -v 'get_proc_name unsupported' perf.err | head -n 20 >&2
}

# share FILE SYMBOL: percent of the samples that are in it.
share() {
	sonde report -i "$1" --no-children -g none -q -s sym 2> /dev/null | awk -v s="$2" '$3 == s { sub("%", "", $1); print $1 }'
}

# close GOT WANT POINTS
close() {
	awk -v g="${1:-0}" -v w="$2" -v p="$3" 'BEGIN { d = g > w ? g - w : w - g; exit !(d <= p) }' && ok ||
		fail "got '$1', not within $3 of $2"
}

# count FILE [COLUMN]: samples of a profile, from its JSON.
count() {
	sonde report -i "$1" -j -s comm --comms workload -g none 2> /dev/null | tr ',{' '\n\n' | sed -n 's/^"samples"://p' | sed -n "${2:-1}p"
}

# The two tables without what differs on purpose: perf's tip, unknown addresses, and modules, for which perf says the kernel.
plain() {
	grep -v '^#' "$1" | grep -v '0x' | grep -v '^ *$' |
		sed '/\[vdso\]/!s/ \[[a-z0-9_.]*\] *\[k\]/ [kernel.kallsyms]  [k]/; s/ *$//'
}

# Versions of perf differ in the columns that they have for threads.
one_blank() {
	tr -s ' ' < "$1"
}

t shape_has_its_shares
# Until there are some 3000 samples, of which a share is off by 2.7 points at three standard deviations: an amount of time may
# go by with the machine standing still.
sonde record -q -e cpu-clock:u -F 2000 -m 64K --max-size 150K -o shape workload shape 600000
[ "$(count shape)" -gt 2000 ] && ok || fail "$(count shape) samples"
close "$(share shape hot_a)" 60 5
close "$(share shape hot_b)" 30 5
close "$(share shape hot_c)" 10 5

# The symbols are those that perf kept beside the recording: the running kernel's are not to be had.
t a_recording_with_a_copy_of_kcore
if perf record -q --kcore -a -e cpu-clock -o kcore workload shape 200 2> perf.err; then
	restrict=$(cat /proc/sys/kernel/kptr_restrict)
	echo 2 > /proc/sys/kernel/kptr_restrict
	sonde script -i kcore -F event,ip,sym > kcore.txt 2> err
	echo "$restrict" > /proc/sys/kernel/kptr_restrict
	has kcore.txt 'cpu-clock: +[0-9a-f]{16} [a-z_]*(cpu_idle|idle_call|do_idle|irq|lock|entry|softirq)'
else
	skip-kernel "perf makes no copy: $(head -n 1 perf.err)"
fi

t tree_has_its_branches
sonde record -q -g -e cpu-clock:u -F 2000 -m 64K --max-size 350K -o tree workload tree 600000
sonde flame -i tree --folded > folded
left=$(awk '/;left;leaf [0-9]+$/ { n += $NF } END { print n + 0 }' folded)
right=$(awk '/;right;leaf [0-9]+$/ { n += $NF } END { print n + 0 }' folded)
[ $((left + right)) -gt 2000 ] && ok || fail "$left and $right samples"
close "$((left * 100 / (left + right + 1)))" 75 5

t tree_report_shows_the_callers
sonde report -i tree --no-children -g callee -S leaf > tree.txt 2> /dev/null
has tree.txt '--[0-9.]+%--left$'
has tree.txt '--[0-9.]+%--right$'
sonde report -i tree > tree.txt 2> /dev/null
has tree.txt '^ +(9[0-9.]+|100.00)% +[0-9.]+%  workload  workload +\[\.\] tree$'

t page_faults_are_counted
sonde record -q -c 1 -e page-faults:u -o faults workload faults 1000
close "$(count faults)" 1000 60

t context_switches_are_counted
# A timer may end before the task sleeps, and others may take the CPU: what the kernel says of the process is what is wanted.
sonde record -q -c 1 -e context-switches -o switches busybox time -v workload switches 500 2> rusage
want=$(switches_of rusage)
[ "$want" -ge 50 ] && ok || fail "$want context switches: $(cat rusage)"
close "$(count switches)" "$want" $((want / 10))

t forks_are_counted
sonde record -q -e sched:sched_process_fork -o forks workload forks 50
eq "$(count forks)" 50

t system_calls_are_counted
sonde record -q -e raw_syscalls:sys_enter -o calls workload syscalls 3000
close "$(count calls)" 3000 60

t flat_table_is_perfs
# Not the moments of exec(), when perf still knows what the program before had where the new one has nothing: of processes that
# all run what they are to run.
workload demo 600000 &
demo=$!
# demo_tasks: it, and its four children, all of them beyond their beginning.
demo_tasks() {
	cat /proc/[0-9]*/stat | awk -v p=$demo '
		$1 == p || $4 == p && $14 + $15 > 5 && ++n { print $1; names = names $2 }
		END { exit n < 4 || names !~ /demo-tree/ || names !~ /demo-calls/ }' > tasks
}
within 100 demo_tasks 2> /dev/null
tasks=$(tr '\n' , < tasks)
sonde record -q -g -e cpu-clock -F 2000 -m 64K --max-size 700K -o flat -p "${tasks%,}"
eq $? 0
kill $(cat tasks)
wait
by_perf report -i flat --stdio --no-children -g none > perf.txt
sonde report -i flat --no-children -g none > sonde.txt 2> /dev/null
# Rows of equal weight are in the order of all their columns.
plain perf.txt | sort > perf.plain
plain sonde.txt | sort > sonde.plain
[ "$(grep -c . perf.plain)" -gt 10 ] && ok || fail "perf shows nothing"
# Functions with several names may be called by another of them: as many as differ are told, a few are not wrong.
differ=$(differing perf.plain sonde.plain | grep -c .)
[ "$differ" -le $(($(grep -c . perf.plain) / 10)) ] && ok || fail "$differ lines differ: $(differing perf.plain sonde.plain | head -n 20)"

t comm_table_is_perfs
by_perf report -i flat --stdio --no-children -g none -n -s comm | table_rows | sort > perf.txt
sonde report -i flat --no-children -g none -n -s comm 2> /dev/null | table_rows | sort > sonde.txt
eq "$(cat sonde.txt)" "$(cat perf.txt)"

# perf counts modules that it has no file of to the kernel, or loses their samples, and a row less may be a column less wide:
# user space is compared.
t perfs_recording_is_read
perf record -q -g -e cpu-clock -F 2000 -m 16 --max-size 250K -o byperf workload tree 600000
sonde report -i byperf -s comm,dso --no-children -g none 2> /dev/null | table_rows | grep -v '\[' | sed 's/ *$//' | tr -s ' ' > sonde.txt
by_perf report -i byperf --stdio -s comm,dso --no-children -g none | table_rows | grep -v '\[' | sed 's/ *$//' | tr -s ' ' > perf.txt
has perf.txt workload
eq "$(cat sonde.txt)" "$(cat perf.txt)"

# samples: each as one line, "what it is|addresses".
samples() {
	awk -v RS= -F '\n' '{ s = $1 "|"; for (i = 2; i <= NF; i++) { gsub(/[ \t]/, "", $i); s = s " " $i }; print s }'
}

# same_chains PERF SONDE: the samples that are not the same in both, or have more than a leaf's caller beside perf's addresses.
same_chains() {
	awk -F '|' '
		function one_more(less, more,   a, b, n, m, i, k) {
			n = split(less, a, " ")
			m = split(more, b, " ")
			for (i = k = 1; k <= m; k++)
				i += i <= n && a[i] == b[k]
			return m == n + 1 && i == n + 1
		}
		NR == FNR { theirs[$1] = theirs[$1] "/" $2; next }
		{ ours[$1] = ours[$1] "/" $2 }
		END {
			for (s in theirs)
				if (!(s in ours)) { print "not ours: " s; bad = 1 }
			for (s in ours) {
				if (theirs[s] != ours[s] && !one_more(theirs[s], ours[s])) { print s ": " theirs[s] ", ours " ours[s]; bad = 1 }
			}
			exit bad
		}' "$1" "$2"
}

t script_is_perfs
for f in flat byperf; do
	by_perf script -i $f -F comm,tid,time,event,ip > perf.txt
	script_as_perf $f comm,tid,time,event,ip > sonde.txt
	[ "$(grep -c . perf.txt)" -gt 100 ] && ok || fail "perf shows nothing"
	# Callers of address 0, where frame records end, are not shown; perf adds callers of leaf functions, at odd addresses.
	one_blank perf.txt | grep -v -e '^[[:space:]]*0$' -e '^[[:space:]][ 0-9a-f]*[13579bdf]$' | samples | sort > perf.plain
	one_blank sonde.txt | samples | sort > sonde.plain
	same_chains perf.plain sonde.plain > wrong && ok || fail "$f: $(grep -c . wrong) samples differ: $(head -n 20 wrong)"
done

t script_of_tracepoints_is_perfs
sonde record -q -a -e sched:sched_switch,sched:sched_wakeup,sched:sched_process_fork -o trace workload switches 100
# The kernel's own text: trace-cmd's plugins, where they are installed, give perf another one for some events.
plugins=$(echo /usr/lib/*/traceevent/plugins)
[ ! -d "$plugins" ] || mount -t tmpfs none "$plugins"
by_perf script -i trace > perf.txt
[ ! -d "$plugins" ] || umount "$plugins"
sonde script -i trace 2> /dev/null > sonde.txt
[ "$(grep -c . perf.txt)" -gt 20 ] && ok || fail "perf shows nothing"
# perf forgets the names of tasks that have ended.
one_blank perf.txt | sed 's/^ *[^ ]* \([0-9]* \[\)/\1/' > perf.plain
one_blank sonde.txt | sed 's/^ *[^ ]* \([0-9]* \[\)/\1/' > sonde.plain
differ=$(differing perf.plain sonde.plain | grep -c .)
[ "$differ" = 0 ] && ok || fail "$differ lines differ: $(differing perf.plain sonde.plain | head -n 20)"

# same_rows FILE KEY: as perf's (no KEY: what it sorts by without one); rows of equal weight, which perf orders by the bytes of numbers, may be in another order.
same_rows() {
	by_perf report -i "$1" --stdio --no-children -g none ${2:+-s "$2"} > perf.txt
	sonde report -i "$1" --no-children -g none ${2:+-s "$2"} 2> /dev/null > sonde.txt
	plain perf.txt | sort > perf.plain
	plain sonde.txt | sort > sonde.plain
	has perf.plain '%  *[^ ]'
	eq "$(cat sonde.plain)" "$(cat perf.plain)"
}

# Where perf has plugins, they write sched_switch in words of their own: its texts are compared raw.
t fields_of_tracepoints_are_perfs
for key in next_comm,sched_switch.next_pid comm,next_prio,prev_state/raw 'sched_switch.*/raw'; do
	same_rows trace "$key"
done
same_rows forks child_comm,trace
same_rows forks trace_fields

t fields_of_probes_are_perfs
probes=/sys/kernel/tracing/kprobe_events
echo 'p:fields/open do_sys_openat2 dfd=$arg1:s32 filename_string=+0($arg2):ustring' >> $probes || fail "no probe"
sonde record -q -e fields:open -o opens sh -c 'cat /proc/version /proc/cmdline; head -n 1 /proc/meminfo' > /dev/null
echo '-:fields/open' >> $probes
for key in "" comm,filename_string open.dfd,fields:open.filename_string/raw trace; do
	same_rows opens "$key"
done

t fields_of_a_trace_dat
if command -v trace-cmd > /dev/null; then
	trace-cmd record -q -e sched:sched_switch -o fields.dat workload switches 100
	want=$(trace-cmd report -R -i fields.dat | grep -c 'prev_comm=workload ')
	got=$(sonde report -i fields.dat -x, -F sample,sched_switch.prev_comm 2> /dev/null | sed -n 's/,workload$//p')
	[ "${want:-0}" -gt 0 ] && ok || fail "trace-cmd shows nothing"
	eq "$got" "$want"
fi

t flame_graph_stands_alone
sonde flame -i tree -o tree.svg 2> msg
has msg 'tree.svg: [0-9,]+ samples'
has tree.svg '^<\?xml|^<svg'
has tree.svg 'left'
grep -q 'href="http' tree.svg && fail "it needs the network" || ok

t filters
eq "$(sonde script -i flat --comms demo-tree -F comm -G 2> /dev/null | sort -u | sed 's/ *$//;s/^ *//')" demo-tree
sonde report -i flat -s cpu -C 0 -g none --no-children -q > cpu.txt 2> /dev/null
has cpu.txt '100.00%'

t a_cut_recording_is_shown_as_far_as_it_goes
head -c 20000 flat > cut
sonde report -i cut -g none > cut.txt 2> cut.err
eq $? 1
has cut.txt '%'
has cut.err 'cut|breaks off'
