#!/bin/sh
# as: root
# time: 120
# sonde pmd on a real switch and a real DPDK loop: its figures are held against what these say of themselves in the same seconds.
. "$T_HERE/../kernel/lib.sh"

need sonde awk

D=$PWD
ended() {
	for f in ovs-vswitchd ovsdb-server; do
		[ ! -s $D/$f.pid ] || kill "$(cat $D/$f.pid)"
	done
	[ -z "${loop:-}" ] || kill "$loop" 2> /dev/null
	[ -z "${testpmd:-}" ] || kill "$testpmd" 2> /dev/null
}
trap 'r=$?; ended; t_end $r' EXIT

# within WHAT GOT LEAST MOST: numbers with fractions.
within() {
	awk -v got="${2:-none}" -v least="$3" -v most="$4" 'BEGIN { exit !(got != "none" && got >= least && got <= most) }' && ok ||
		fail "$1: ${2:-none}, not $3 to $4"
}

t wrong_command_lines
sonde pmd steel > out 2> err
eq $? 2
has err "did you mean 'steal'"
sonde pmd -p 999999999 > out 2> err && fail 'no such process' || has err 'there is no process'
sonde pmd -p $$ > out 2> err && fail 'it does not poll' || has err 'no thread that polls was found in process'
sonde pmd steal -t 999999999 > out 2> err && fail 'no such thread' || has err 'there is no thread'
sonde pmd -e cpu-clock > out 2> err && fail 'its own events' || has err 'no -e'
sonde pmd steal -e cpu-clock > out 2> err && fail 'its own events' || has err 'no -e'
for view in "" steal flame; do
	sonde pmd $view -k x -t $$ > out 2> err && fail 'no keys' || has err 'has no keys'
done
sonde pmd -i 5 > out 2> err && fail '5 ms' || has err 'in ms, and at least 100'
sonde pmd -i perf.data > out 2> err && fail 'no recording has that' || has err 'no recording'
sonde pmd steal --than no -C 0 > out 2> err && fail 'no time' || has err 'is no time'
sonde pmd flame -e cpu-clock > out 2> err && fail 'its own events' || has err 'no -e'
sonde pmd flame -F 1000000 -t $$ > out 2> err && fail 'too often' || has err 'at most'
sonde pmd -- true > out 2> err && fail 'a command' || has err 'no view'

# A loop by DPDK's name, whose CPU somebody takes: of each second the longest gap, and who.
t worst_gap
taskset 2 sh -c 'echo rte-worker-7 > /proc/self/comm; while :; do :; done' &
loop=$!
sleep 0.3
sonde pmd -t $loop -i 1000 -N 3 -x, > out 2> err &
ours=$!
sleep 1.5
# Longer than what else runs on this machine takes the CPU at a time.
taskset 2 chrt -f 10 workload shape 600 > /dev/null
wait $ours
kill $loop
gaps() {
	awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } NR > 1 && $at["worst_gap_by"] == "preempted by workload" { print $at["worst_gap_us"] }' out
}
if [ -n "$(gaps)" ]; then
	within 'us of a gap' "$(gaps | sort -n | tail -n 1)" 590000 3000000
else
	fail "$(cat out err)"
fi

t a_loop_of_dpdk
if command -v dpdk-testpmd > /dev/null; then
	export XDG_RUNTIME_DIR=$D
	dpdk-testpmd --no-huge -m 128 --no-pci --vdev=net_null0 --vdev=net_null1 -l 0,1 --file-prefix sonde$$ -- \
		--forward-mode=io --auto-start --no-mlockall --total-num-mbufs=4096 --stats-period 1 > testpmd.log 2>&1 < /dev/null &
	testpmd=$!
	for i in $(seq 300); do
		sleep 0.1
		! grep -q 'Rx-pps:  *[1-9]' testpmd.log || break
	done
	# Two ports, each told once a second: the mean of the last seconds, which are not quite the same seconds: what else runs on
	# this machine takes the loop's CPU in some of them.
	for try in 1 2 3 4 5 6; do
		sonde pmd -p "$testpmd" -i 1000 -N 4 -x, > out 2> err
		code=$?
		theirs=$(sed -n 's/.*Rx-pps: *\([0-9]*\).*/\1/p' testpmd.log | tail -n 8 | awk '{ n += $1 } END { printf "%.0f", n / NR * 2 / 1000 }')
		ours=$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } $1 ~ /^rte/ { n += $at["kpps"]; k++ } END { printf "%.0f", n / k }' out)
		[ "$ours" -lt $((theirs * 8 / 10)) ] || [ "$ours" -gt $((theirs * 12 / 10)) ] || break
	done
	eq $code 0
	eq "$(grep -c '^rte-worker-1,1,' out)" 4
	within 'Kpps' "$ours" "$((theirs * 55 / 100))" "$((theirs * 18 / 10))"
	share=$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } $1 ~ /^rte/ { n += $at["on_cpu_percent"]; k++ } END { print n / k }' out)
	within 'on CPU' "$share" 1 100.5
	# What runs beside it on its CPU, and how long: as long as each of three loops takes, which run there one after the other.
	sonde pmd steal -p "$testpmd" -x, -o steal > said 2> err &
	ours=$!
	sleep 1
	for i in 1 2 3; do
		chrt -f 10 taskset -c 1 workload shape 60
	done
	sleep 0.5
	kill -INT $ours
	wait $ours
	cat said
	eq "$(awk -F, '$1 == "preempted" && $7 == "workload" { print ($2 >= 3) }' steal)" 1
	within 'us of the loops' "$(awk -F, '$1 == "preempted" && $7 == "workload" { print $3 }' steal)" 100000 900000
	has steal '^(interrupt|softirq),'
	kill "$testpmd"
	wait "$testpmd"
	testpmd=
else
	skip "no dpdk here"
fi

t a_switch
V=$(command -v ovs-vswitchd || ls /usr/lib/openvswitch-*/ovs-vswitchd 2> /dev/null | head -n 1)
if [ -n "$V" ] && command -v ovsdb-server > /dev/null; then
	export OVS_RUNDIR=$D OVS_LOGDIR=$D OVS_DBDIR=$D OVS_SYSCONFDIR=$D
	ovsdb-tool create conf.db /usr/share/openvswitch/vswitch.ovsschema
	ovsdb-server conf.db --remote=punix:$D/db.sock --pidfile --detach --no-chdir --log-file > log 2>&1 || { cat log; fail "ovsdb-server"; }
	"$V" --enable-dummy=override --disable-system unix:$D/db.sock --pidfile --detach --no-chdir --log-file > log 2>&1 || fail "$(cat log)"
	vsctl() {
		ovs-vsctl --db=unix:$D/db.sock --timeout=60 "$@" || fail "ovs-vsctl $*"
	}
	vsctl add-br br0 -- set bridge br0 datapath-type=dummy fail-mode=secure
	vsctl set Open_vSwitch . other_config:pmd-cpu-mask=2
	for i in 1 2; do
		vsctl add-port br0 p$i -- set interface p$i type=dummy-pmd ofport_request=$i
	done
	ovs-ofctl add-flow br0 in_port=1,actions=output:2
	pid=$(cat ovs-vswitchd.pid)
	ctl=$D/ovs-vswitchd.$pid.ctl
	received() {
		ovs-appctl -t "$ctl" dpif-netdev/pmd-stats-show | awk '/^pmd thread/ { on = 1 } /^main/ { on = 0 } on && /packets received:/ { n += $3 } END { print n + 0 }'
	}
	packet='in_port(1),eth(src=50:54:00:00:00:09,dst=50:54:00:00:00:0a),eth_type(0x0800),ipv4(src=10.0.0.1,dst=10.0.0.2,proto=1,tos=0,ttl=64,frag=no),icmp(type=8,code=0)'
	before=$(received)
	sonde pmd -p "$pid" -i 1000 -x, > out 2> err &
	ours=$!
	for i in $(seq 300); do
		sleep 0.1
		! grep -q '^pmd' out || break
	done
	for i in $(seq 10); do
		ovs-appctl -t "$ctl" netdev-dummy/receive p1 "$packet" "$packet" "$packet" "$packet" "$packet" "$packet" "$packet" "$packet" "$packet" "$packet"
	done
	sleep 2.5
	kill -INT $ours
	wait $ours
	eq $? 0
	n=$(grep -c '^pmd-c01/id:[0-9]*,1,' out)
	[ "$n" -ge 3 ] && ok || fail "$n rows: $(cat out)"
	# Rates of a second each, in thousands: together what it counts itself.
	seen=$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } $1 ~ /^pmd/ { n += $at["kpps"] } END { printf "%.0f", n * 1000 }' out)
	eq "$(received)" "$((before + 100))"
	within 'packets by rate' "$seen" 90 110
	# A share in each row, and hardly any: a hundred packets are nothing.
	eq "$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } $1 ~ /^pmd/ && $at["busy_percent"] ~ /^[0-9]+\.[0-9]$/ && $at["busy_percent"] < 30 { k++ } END { print k + 0 }' out)" "$n"
	# A meter lets one packet a second pass: what it drops is what it says itself.
	ovs-ofctl -O OpenFlow13 add-meter br0 meter=1,pktps,burst,stats,bands=type=drop,rate=1,burst_size=1
	ovs-ofctl -O OpenFlow13 add-flow br0 in_port=1,actions=meter:1,output:2
	sonde pmd -p "$pid" -i 1000 -N 3 -x, > out 2> err &
	ours=$!
	for i in $(seq 300); do
		sleep 0.1
		! grep -q '^pmd' out || break
	done
	ovs-appctl -t "$ctl" netdev-dummy/receive p1 "$packet" "$packet" "$packet" "$packet" "$packet" "$packet" "$packet" "$packet" "$packet" "$packet"
	wait $ours
	metered=$(ovs-ofctl -O OpenFlow13 meter-stats br0 meter=1 | sed -n 's/^0: packet_count:\([0-9]*\) .*/\1/p')
	[ "${metered:-0}" -ge 5 ] && ok || fail "metered: $metered"
	eq "$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } /^all of/ { n += $at["dropped"] } END { print n }' out)" "$metered"
	has out "^all of $pid,.*,datapath_drop_meter $metered\$"
	eq "$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } /^pmd/ && $at["dropped"] != "0" { n++ } END { print n + 0 }' out)" 0
	# Who does not answer is told, and not asked again.
	kill -STOP "$pid"
	timeout 30 sonde pmd -p "$pid" -i 500 -N 2 > out 2> err
	eq $? 0
	kill -CONT "$pid"
	eq "$(grep -c 'no answer within' err)" 1
else
	skip "no openvswitch-switch here"
fi
