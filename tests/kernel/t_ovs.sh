#!/bin/sh
# time: 500
# kernels: 5.10
# sonde ovs and pmd polls on arm64: a loop whose turns are known, and Open vSwitch 2.15, whose library has the name of the
# function that waits.
. "$T_HERE/lib.sh"
. "$T_HERE/lib_wait.sh"

need sonde workload awk

D=$PWD
loop=
ended() {
	[ -z "$loop" ] || kill $loop 2> /dev/null
	for f in ovs-vswitchd ovsdb-server; do
		[ ! -s $D/$f.pid ] || kill "$(cat $D/$f.pid)"
	done
	for n in left right; do
		/bin/ip netns del $n 2> /dev/null
	done
}
trap 'r=$?; ended; t_end $r' EXIT

# sum FILE COLUMN PATTERN: of rows (CSV with a head) that match, numbers of a column.
sum() {
	awk -F, -v column="$2" -v pattern="$3" '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
		NR > 1 && $0 ~ pattern { n += $at[column]; k++ }
		END { if (k) printf "%.0f", n }' "$1"
}

t delay
workload loop 1000000 20000 > said &
loop=$!
/bin/busybox usleep 500000
sonde ovs delay -p $loop --sample-time 2 -x, > out 2> err
eq $? 0
# Turns of 20 ms and a little, waits of 5: what it ran, waited, and slept is the sample.
n=$(sum out count ',syscall,ppoll,')
[ "${n:-0}" -ge 10 ] && [ "$n" -le 81 ] && ok || fail "$n polls: $(cat out err)"
ns=$(sum out total_ns ',run,')
[ "$ns" -ge 800000000 ] && [ "$ns" -le 2000000000 ] && ok || fail "$ns ns: $(cat out err)"
[ "$(($(sum out total_ns ',(run|ready),') + $(sum out total_ns ',syscall,ppoll,')))" -ge 1900000000 ] && ok || fail "$(cat out err)"
sonde ovs delay -p $loop --start-trigger u:main:run_start --stop-trigger u:main:poll_block --sample-count 3 -x, > out 2> err
eq $? 0
eq "$(awk -F, '$4 == "run" && $9 >= 1000000 { n++ } END { print n + 0 }' out)" 3
eq "$(grep -c ',syscall,ppoll,' out)" 0

t loop
for by in markers function calls; do
	timeout -s INT 8 sonde ovs loop -p $loop --by $by -x, > out 2> err
	n=$(sum out count ',run,')
	[ "${n:-0}" -ge 5 ] && ok || fail "$by: $(cat out err)"
	eq "$(awk -F, '$3 == "run" { print ($6 >= 19900) } $3 == "wait" { print ($6 >= 4900 && $6 < 9000) }' out)" '1
1'
done
kill $loop
wait $loop

t polls
workload rx 100 > said &
loop=$!
/bin/busybox usleep 500000
sonde pmd polls -p $loop --func rx_burst -N 200 --max-overhead 50% -x, > out 2> err
eq $? 0
eq "$(awk -F, 'NR > 1 { print $1 }' out)" '0
8
32'
eq "$(awk -F, '$1 == 0 { print ($3 > 84 && $3 < 91) }' out)" 1
kill $loop
wait $loop
loop=
eq "$(grep -c rx_burst /sys/kernel/tracing/uprobe_events)" 0

t switch
V=$(ls /usr/lib/openvswitch-*/ovs-vswitchd /usr/sbin/ovs-vswitchd 2> /dev/null | head -n 1)
[ -n "$V" ] || { skip-kernel "its peer root has no openvswitch-switch"; exit 0; }
export OVS_RUNDIR=$D OVS_LOGDIR=$D OVS_DBDIR=$D OVS_SYSCONFDIR=$D
# An extracted package has no links that its scripts would make.
mkdir lib
for f in /usr/lib/openvswitch-common/lib*.so.0.0.0 /usr/lib/*/libopenvswitch*.so.0.0.0; do
	[ ! -e "$f" ] || ln -sf "$f" "lib/$(basename "$f" .0.0)"
done
export LD_LIBRARY_PATH=$D/lib:/usr/lib/openvswitch-common
ovsdb-tool create conf.db /usr/share/openvswitch/vswitch.ovsschema
ovsdb-server conf.db --remote=punix:$D/db.sock --pidfile --detach --no-chdir --log-file > log 2>&1 || { cat log; fail "ovsdb-server"; }
modprobe veth
modprobe openvswitch
vsctl() {
	ovs-vsctl --db=unix:$D/db.sock --timeout=120 "$@" || fail "ovs-vsctl $*"
}
vsctl --no-wait init
"$V" unix:$D/db.sock --pidfile --detach --no-chdir --log-file > log 2>&1 || fail "$(cat log)"
vsctl add-br br0
pid=$(cat ovs-vswitchd.pid)
ls /proc/$pid/task > threads
sonde ovs delay --sample-time 3 -x, > out 2> err
eq $? 0
# It was found by its name, and each thread is there.
for tid in $(cat threads); do
	has out "^1,$tid,"
done
has out ',ovs-vswitchd,syscall,ppoll,'
timeout -s INT 15 sonde ovs loop -x, > out 2> err
has err 'by poll_block, which waits'
n=$(sum out count ',run,')
[ "${n:-0}" -ge 2 ] && ok || fail "$(cat out err)"
timeout -s INT 15 sonde ovs loop --perins -x, > out 2> err
has out ',revalidator[0-9]*,'

# Packets that the kernel's datapath has no flow for, as it counts them itself, are the upcalls.
t upcalls
i=0
for n in left right; do
	/bin/ip netns add $n
	/bin/ip netns exec $n /bin/sh -c 'echo 1 > /proc/sys/net/ipv6/conf/all/disable_ipv6; echo 1 > /proc/sys/net/ipv6/conf/default/disable_ipv6'
	/bin/ip link add $n type veth peer name inner netns $n
	/bin/ip link set $n up
	/bin/ip -n $n addr add 10.9.0.$((i += 1))/24 dev inner
	/bin/ip -n $n link set inner up
	vsctl add-port br0 $n
done
ping_once() {
	/bin/ip netns exec left /bin/busybox ping -c 1 -W 10 10.9.0.2
}
ping_once > out 2>&1 || cat out
has out '1 packets received'
ctl=$D/ovs-vswitchd.$pid.ctl
missed() {
	ovs-appctl -t "$ctl" dpctl/show | sed -n 's/.*lookups:.*missed:\([0-9]*\) .*/\1/p'
}
/bin/busybox sleep 3
sonde ovs upcalls -x, > out 2> err &
ours=$!
# The probes are there.
within 300 grep -q dpif_operate /sys/kernel/tracing/uprobe_events && ok || fail "no probes"
/bin/busybox sleep 5
before=$(missed)
for i in 1 2 3 4 5 6; do
	ovs-appctl -t "$ctl" dpctl/del-flows
	ping_once > ping 2>&1
done
/bin/busybox sleep 2
after=$(missed)
kill -INT $ours
wait $ours
eq $? 0
[ "$((after - before))" -ge 6 ] && ok || fail "$before to $after: $(cat ping)"
n=$(awk -F, '$5 == "total" { n += $3; b += $6 } END { print n + 0, b + 0 }' out)
# What came while the probes were put in is in it, too.
[ "${n% *}" -ge "$((after - before))" ] && [ "${n% *}" -le "$((after - before + 3))" ] && ok || fail "$n of $((after - before)): $(cat out err)"
[ "${n#* }" -ge 6 ] && ok || fail "$n batches"
eq "$(grep -c dpif_ /sys/kernel/tracing/uprobe_events)" 0

# Its own revalidators: what they dump are the flows that dpctl shows, and the switch says the same of its dumps' number.
t reval
# What dpctl removed it takes for installed.
ovs-appctl -t "$ctl" revalidator/purge
/bin/ip netns exec left /bin/busybox ping -c 60 10.9.0.2 > ping 2>&1 &
pings=$!
sonde ovs reval -x, > out 2> err &
ours=$!
within 300 grep -q dpif_flow_dump /sys/kernel/tracing/uprobe_events && ok || fail "no probes"
/bin/busybox sleep 6
flows=$(ovs-appctl -t "$ctl" dpctl/dump-flows | grep -c '')
ovs-appctl -t "$ctl" upcall/show > told
kill $pings
kill -INT $ours
wait $ours
eq $? 0
has err 'by functions of its library'
[ "$(awk -F, 'NR > 1 && $3 ~ /^revalidator/' out | grep -c '')" -ge 6 ] && ok || fail "$(cat out err)"
[ "${flows:-0}" -ge 2 ] && [ "$(awk -F, 'NR > 1 && $5 > n { n = $5 } END { print n + 0 }' out)" -ge "$((flows - 1))" ] && ok || fail "$flows: $(cat out ping)"
# Half a second by default between one and the next, and what the switch tells of its limit.
eq "$(awk -F, 'NR > 2 && $13 != "" { n++; bad += $13 > 900 } END { print (n >= 4 && bad <= 1) }' out)" 1
eq "$(awk -F, 'NR == 2 { print $10 }' out)" "$(sed -n 's/.*(limit \([0-9]*\)).*/\1/p' told | head -n 1)"
eq "$(grep -c dpif_ /sys/kernel/tracing/uprobe_events)" 0
