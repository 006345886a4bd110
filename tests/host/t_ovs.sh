#!/bin/sh
# as: root
# time: 240
# sonde ovs and pmd polls: of loops whose turns, waits and packets are known, and of a real switch.
. "$T_HERE/../kernel/lib.sh"

need sonde workload awk

D=$PWD
ended() {
	for f in ovs-vswitchd ovsdb-server; do
		[ ! -s $D/$f.pid ] || kill "$(cat $D/$f.pid)"
	done
	[ -z "${loop:-}" ] || kill "$loop" 2> /dev/null
	[ -z "${other:-}" ] || kill "$other" 2> /dev/null
}
trap 'r=$?; ended; t_end $r' EXIT

# within WHAT GOT LEAST MOST: numbers with fractions.
within() {
	awk -v got="${2:-none}" -v least="$3" -v most="$4" 'BEGIN { exit !(got != "none" && got >= least && got <= most) }' && ok ||
		fail "$1: ${2:-none}, not $3 to $4"
}

# sum FILE COLUMN PATTERN: of rows (CSV with a head) that match, numbers of a column.
sum() {
	awk -F, -v column="$2" -v pattern="$3" '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
		NR > 1 && $0 ~ pattern { n += $at[column]; k++ }
		END { if (k) printf "%.0f", n }' "$1"
}

t wrong_command_lines
refused() {
	words=$1 want=$2
	sonde $words > out 2> err && fail "sonde $words" || has err "$want"
}
refused 'ovs' 'of what'
refused "ovs reval -p $$" 'no function dpif_flow_dump_create'
refused "ovs reval -p $$ --by markers" 'no marker udpif_revalidator:start_dump'
refused "ovs reval -p $$ --by luck" 'markers or functions'
refused 'ovs reval -i perf.data' 'no recording has them'
refused "ovs reval -t $$" 'one process'
refused "ovs reval -p $$ -e cpu-clock" 'no -e'
refused 'ovs reval -p 999999999' '999999999'
refused 'ovs delais' "did you mean 'delay'"
refused 'ovs delay -p 999999999' "999999999"
refused "ovs delay -p $$ -e cpu-clock" 'no -e'
refused "ovs delay -p $$ -k x" 'has no keys'
refused "ovs delay -p $$ -C 0" 'takes -p or -t'
refused "ovs delay -p $$ -i 500" 'takes a recording here'
refused "ovs delay -p $$ --sample-time soon" 'is no time'
refused "ovs delay -p $$ --sample-time 0" 'some length'
refused "ovs delay -p $$ --sample-interval -1" 'is no time'
refused "ovs delay -p $$ --trigger-delta 5" 'between --start-trigger'
refused "ovs delay -p $$ --skip-syscall-poll-events" 'left out of -s'
refused "ovs delay -p $$ -s -j" 'one or the other'
refused "ovs delay -p $$ --start-trigger u:main:nothing" 'no marker main:nothing'
refused "ovs delay -t $$ --start-trigger up:f" 'needs to know which'
refused "ovs loop -p $$ --by luck" 'markers, function or calls'
refused "ovs loop -p $$ --by markers" 'no marker main:run_start'
refused "ovs loop -p $$ --by function" 'no function poll_block'
refused "ovs loop -t $$" 'one process'
refused "ovs loop -p $$ --than no" 'is no time'
refused "ovs loop -p 999999999" '999999999'
refused "ovs upcalls -p $$" 'no function dpif_recv'
refused "ovs upcalls -i perf.data" 'no recording has them'
refused "ovs upcalls -C 0" 'one process'
refused "pmd polls -p $$" 'no thread that polls'
refused "pmd polls -t $$ --max-overhead no" 'is not a percentage'
refused "pmd polls -t $$ --func no_such_function" 'no function no_such_function'
refused "pmd polls -t $$" 'none of the functions that are known'
refused "pmd polls -i perf.data" 'no recording has that'

# A sample is 0.2 s, and a thread that does nothing but sleep has been in its one call for all of it.
t who_sleeps_has_slept_all_the_time
sleep 100 &
other=$!
sleep 0.3
sonde ovs delay -p $other --sample-time 0.2 -x, > out 2> err
eq $? 0
eq "$(grep -c '' out)" 2
has out '^1,[0-9]+,sleep,syscall,(clock_)?nanosleep,[0-9]+,1,1,200000000,,,,,200000000$'

# It is stopped in the middle of nothing: that is a block of its own.
t who_is_stopped
kill -STOP $other
sleep 0.2
sonde ovs delay -p $other --sample-time 0.2 -x, > out 2> err
has out ',sleep,stopped,,,1,1,200000000,,,,,200000000$'
kill $other
kill -CONT $other
wait $other
other=

# A thread that could run all the time ran or waited for its CPU, to the nanosecond, whatever else this machine did.
t running_and_waiting_fill_the_sample
workload shape 60000 &
other=$!
sleep 0.2
sonde ovs delay -p $other --sample-count 3 --sample-time 0.3 --sample-interval 0.1 -x, > out 2> err
eq $? 0
if grep -q 'events were lost' err; then
	skip "this machine was too busy: $(cat err)"
else
	# A switch that the kernel does not tell of (some in ten thousand) leaves out what it would have ended, and is counted.
	for i in 1 2 3; do
		ns=$(sum out total_ns "^$i,.*,(run|ready),")
		if grep -q 'are left out' err; then
			within 'run and ready' "$ns" 150000000 300000000
		else
			eq "$ns" 300000000
		fi
	done
	eq "$(grep -c '^sample,' out)" 1
	# What the kernel itself adds up.
	before=$(cut -d' ' -f1 /proc/$other/schedstat)
	sonde ovs delay -p $other --sample-time 1 -x, > out 2> err
	after=$(cut -d' ' -f1 /proc/$other/schedstat)
	[ "$(sum out total_ns ',run,')" -le $((after - before + 4000000)) ] && ok || fail "$((after - before)): $(cat out)"
fi
kill $other
wait $other
other=

# N turns of 2 ms, and waits of 5 ms between them: what it says of itself is the oracle.
t calls_that_are_known
workload loop 1000000 2000 > said &
loop=$!
sleep 0.3
sonde ovs delay -p $loop --sample-time 1 -x, > out 2> err
eq $? 0
n=$(sum out count ',syscall,p?poll,')
within 'polls in a second' "$n" 20 145
within 'ns of one' "$(($(sum out total_ns ',syscall,p?poll,') / n))" 4900000 20000000
within 'least' "$(sum out min_ns ',syscall,p?poll,')" 4990000 5300000
# With the others as its text has them.
sonde ovs delay -p $loop > out 2> err
for block in 'SYSCALL' 'THREAD RUN' 'THREAD READY'; do
	has out "\[$block STATISTICS\]"
done
has out '^ +[0-9]+ workload +\[SYSCALL STATISTICS\]$'
has out '^ {28}NAME +NUMBER +COUNT +TOTAL ns +MAX ns'
has out '^ {28}SCHED_CNT +TOTAL ns +MIN ns +MAX ns|^ {28} +SCHED_CNT +TOTAL ns +MIN ns +MAX ns'
# Each call that was long.
sonde ovs delay -p $loop --sample-time 1 -s 4ms -g > out 2> err
has out '^# SYSCALL EVENTS:'
eq "$(awk '/^# SYSCALL EVENTS/ { on = 1 } on && $4 == "workload" { n++; if ($5 < 4000 || $6 !~ /^p?poll$/) bad++ } END { print (n > 10), bad + 0 }' out)" '1 0'
has out '^ +[0-9a-f]+ main \(workload\)$'
sonde ovs delay -p $loop --sample-time 0.3 -s --skip-syscall-poll-events > out 2> err
eq "$(awk '/^# SYSCALL EVENTS/ { on = 1 } on && $6 ~ /poll/' out)" ''
sonde ovs delay -p $loop -j > out 2> err
has out '"block":"run","name":null'

# From one marker to the other: each sample is one turn.
# A CPU whose idle task tells of no switch (RCU does not watch it: some virtual ones) has something else to do here.
t triggers
busy=
for cpu in $(seq "$(nproc)"); do
	nice -n 19 workload shape 600000 &
	busy="$busy $!"
done
for pair in 'u:main:run_start u:main:poll_block' 'ur:poll_block up:poll_block'; do
	sonde ovs delay -p $loop --start-trigger ${pair% *} --stop-trigger ${pair#* } --trigger-delta 1000000 --sample-count 5 -x, > out 2> err
	eq $? 0
	for i in 1 2 3 4 5; do
		within "sample $i" "$(sum out total_ns "^$i,.*,(run|ready),")" 1990000 200000000
	done
	eq "$(grep -c ',syscall,p*poll,' out)" 0
done
# None is that long: nothing is shown, and that is said.
timeout -s INT 2 sonde ovs delay -p $loop --start-trigger u:main:run_start --stop-trigger u:main:poll_block --trigger-delta 10000000000 > out 2> err
eq "$(grep -c STATISTICS out)" 0
has err 'no sample'
# Of a length, from an event of the kernel on.
sonde ovs delay -p $loop --start-trigger t:raw_syscalls:sys_enter --sample-time 50ms -x, > out 2> err
within 'run and ready' "$(sum out total_ns ',run,|,ready,')" 5000000 50000000
within 'polls' "$(sum out total_ns ',syscall,p?poll,')" 5000000 50000000
kill $busy

t a_main_loop
for by in markers function calls; do
	timeout -s INT 3 sonde ovs loop -p $loop --by $by -x, > out 2> err
	case $by in
	markers) has err 'by the markers main:run_start and main:poll_block' ;;
	function) has err 'by poll_block, which waits' ;;
	calls) has err 'by the calls poll' ;;
	esac
	for row in 'run 1990 20000' 'wait 4990 20000'; do
		set -- $row
		n=$(sum out count ",$1,")
		within "$by: turns" "$n" 40 430
		within "$by: $1 p50" "$(sum out p50_us ",$1,")" $2 $3
		within "$by: $1 least" "$(sum out min_us ",$1,")" $2 $(($2 + 1500))
	done
done
sonde ovs loop -p $loop --by function --func no_such_function > out 2> err && fail 'no such function' || has err 'no function no_such_function'
timeout -s INT 2 sonde ovs loop -p $loop --func poll_block --by function -x, > out 2> err
within 'turns' "$(sum out count ',run,')" 50 300
# The markers come first.
timeout -s INT 2 sonde ovs loop -p $loop --than 1ms > out 2> err
has err 'by the markers'
has out '^20.* \[[0-9]{3}\] [0-9.]+: workload [0-9]+ ran 2\.[0-9]+ ms$'
timeout -s INT 2 sonde ovs loop -p $loop --than 100s > out 2> err
eq "$(grep -c ' ran ' out)" 0
kill $loop
wait $loop
loop=
# All of a run, with the turns that it counted itself.
sonde record -q -o marks.data -e "usdt:main:run_start@\"$(command -v workload)\"" -e "usdt:main:poll_block@\"$(command -v workload)\"" \
	-- workload loop 50 1000 > said 2> err
sonde ovs loop -i marks.data -x, > out 2> err
read -r turns ran waited < said
eq "$(sum out count ',run,')" "$turns"
eq "$(sum out count ',wait,')" "$((turns - 1))"
within 'us that ran' "$(sum out total_us ',run,')" "$((ran / 1000 - 5000))" "$((ran / 1000 + 5000))"
sonde record -q -o none.data -e cpu-clock -- true > out 2>&1
refused 'ovs loop -i none.data' 'neither main:run_start'

# Of 16 polls one returns 8 packets, one 32; what a packet takes the loop has measured itself.
t polls
workload rx 3 > alone
workload rx 12 > said &
loop=$!
sleep 0.5
sonde pmd polls -p $loop --func rx_burst --max-overhead 10% -x, > out 2> err
eq $? 0
wait $loop
loop=
total=$(sum out polls ',')
[ "${total:-0}" -ge 500 ] && ok || fail "$total polls: $(cat out err)"
within 'share of empty polls' "$(sum out share_percent '^0,')" 87 88
within 'share of 8' "$(awk -F, '$1 == 8 { print $3 }' out)" 5.5 7
within 'share of 32' "$(awk -F, '$1 == 32 { print $3 }' out)" 5.5 7
eq "$(grep -c '' out)" 4
known=$(awk '/ ns$/ { print $1 }' said)
within "ns of a packet of 32, where $known are known" "$(awk -F, '$1 == 32 { print $7 }' out)" "$(awk -v n=$known 'BEGIN { print n * 0.75 }')" "$(awk -v n=$known 'BEGIN { print n * 1.35 }')"
has err 'rx_burst of .*workload, probed for [0-9]+ of [0-9]+ ms'
# A second of its CPU time has as many polls as one without probes, but for that share.
rate() {
	sed -n 's/.* polls, \([0-9]*\) a second.*/\1/p' $1
}
within 'polls of a CPU second' "$(rate said)" $(($(rate alone) * 75 / 100)) $(($(rate alone) * 130 / 100))
eq "$(grep -c rx_burst /sys/kernel/tracing/uprobe_events)" 0
workload rx 60 > said &
loop=$!
sleep 0.5
sonde pmd polls -p $loop --func rx_burst -N 300 --max-overhead 100 > out 2> err
eq $? 0
has out 'polls, 8[78]\.[0-9]+ % empty, packets a poll: 2\.[0-9]+'
kill $loop
wait $loop
loop=

# Each round has 1,000 flows: 100 are checked, 10 removed, and 20 ms are waited.
t rounds_of_revalidators
workload reval 100000 1000 &
loop=$!
sleep 0.3
for by in markers functions; do
	timeout -s INT 4 sonde ovs reval -p $loop --by $by -x, > out 2> err
	n=$(grep -c '' out)
	[ "$n" -ge 10 ] && ok || fail "$n rows: $(cat out err)"
	# The first one may have begun before.
	eq "$(awk -F, 'NR > 2 { print $5, $7, ($13 == "" || $13 >= 20), ($11 > 0 && $11 < 1000) }' out | sort -u)" '1000 10 1 1'
	[ $by = markers ] && known='1000 100 20' || known='  '
	eq "$(awk -F, 'NR > 2 { print $4, $6, $12 }' out | sort -u)" "$known"
	has err "by (its markers|functions of its library)"
done
sonde ovs reval -p $loop -i 200 > out 2> err &
other=$!
sleep 2
kill -INT $other
wait $other
eq $? 0
other=
[ "$(grep -c '^ *TIME s' out)" -ge 3 ] && ok || fail "$(cat out)"
has out '^[0-9]+ dumps: p50 '
has out '^[0-9]+ waits: p50 2[0-9]'
kill $loop
wait $loop
loop=
eq "$(grep -c dpif_ /sys/kernel/tracing/uprobe_events)" 0

t a_switch
V=$(command -v ovs-vswitchd || ls /usr/lib/openvswitch-*/ovs-vswitchd 2> /dev/null | head -n 1)
if [ -n "$V" ] && command -v ovsdb-server > /dev/null; then
	export OVS_RUNDIR=$D OVS_LOGDIR=$D OVS_DBDIR=$D OVS_SYSCONFDIR=$D
	ovsdb-tool create conf.db /usr/share/openvswitch/vswitch.ovsschema
	ovsdb-server conf.db --remote=punix:$D/db.sock --pidfile --detach --no-chdir --log-file > log 2>&1 || { cat log; fail "ovsdb-server"; }
	"$V" --enable-dummy=override --disable-system unix:$D/db.sock --pidfile --detach --no-chdir --log-file > log 2>&1 || fail "$(cat log)"
	ovs-vsctl --db=unix:$D/db.sock --timeout=60 add-br br0 -- set bridge br0 datapath-type=dummy fail-mode=secure || fail "ovs-vsctl"
	pid=$(cat ovs-vswitchd.pid)
	sleep 1
	[ "$(pgrep -cx ovs-vswitchd)" != 1 ] && who="-p $pid" || who=
	ls /proc/$pid/task > threads
	sonde ovs delay $who --sample-time 1 -x, > out 2> err
	eq $? 0
	# Each of its threads is there, those that slept for all of the second with nothing else.
	for tid in $(cat threads); do
		has out "^1,$tid,"
	done
	has out ',ovs-vswitchd,syscall,p?poll,'
	has out ',urcu[0-9]*,syscall,p?poll,[0-9]+,[0-9]+,[0-9]+,(999|1000)[0-9]{6},'
	# A poll begins and ends with each of its turns.
	timeout -s INT 4 sonde ovs loop $who -x, > out 2> err
	has err 'by the (calls poll|markers)|by poll_block'
	[ "$(sum out count ',run,')" -ge 2 ] && ok || fail "$(cat out)"
	# What others of it wait so: none of those is in the rows of its main thread.
	timeout -s INT 4 sonde ovs loop $who --perins --by calls -x, > out 2> err
	has out ',revalidator[0-9]*,'
else
	skip "no openvswitch-switch here"
fi
