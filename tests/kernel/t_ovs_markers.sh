#!/bin/sh
# as: root
# time: 400
# kernels: 6.12
# sonde ovs of an Open vSwitch that has its markers: what they tell is what the switch says of itself, and what other ways tell.
. "$T_HERE/lib.sh"
. "$T_HERE/lib_wait.sh"

need sonde awk

t starts
V=/cache/ovs
if [ ! -x $V/ovs-vswitchd ]; then
	skip-kernel "$(head -n 2 $V/why 2> /dev/null || echo 'not built: make ovs')"
	exit 0
fi
D=$PWD
PATH=$V:$PATH
ended() {
	for f in ovs-vswitchd ovsdb-server; do
		[ ! -s $D/$f.pid ] || kill "$(cat $D/$f.pid)"
	done
	for n in left right; do
		/bin/ip netns del $n 2> /dev/null
	done
}
trap 'r=$?; ended; t_end $r' EXIT
export OVS_RUNDIR=$D OVS_LOGDIR=$D OVS_DBDIR=$D OVS_SYSCONFDIR=$D
modprobe veth
modprobe openvswitch
ovsdb-tool create conf.db $V/vswitch.ovsschema
ovsdb-server conf.db --remote=punix:$D/db.sock --pidfile --detach --no-chdir --log-file > log 2>&1 || { cat log; fail "ovsdb-server"; }
vsctl() {
	ovs-vsctl --db=unix:$D/db.sock --timeout=120 "$@" || fail "ovs-vsctl $*"
}
vsctl --no-wait init
ovs-vswitchd unix:$D/db.sock --pidfile --detach --no-chdir --log-file > log 2>&1 || fail "$(cat log)"
vsctl add-br br0
pid=$(cat ovs-vswitchd.pid)
ctl=$D/ovs-vswitchd.$pid.ctl
sonde prof usdt list $V/ovs-vswitchd > out 2> err
for m in main:run_start main:poll_block udpif_revalidator:start_dump udpif_revalidator:sweep_done dpif_recv:recv_upcall; do
	has out "^$m@"
done
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

# Both at once: the same turns.
t loop
timeout -s INT 12 sonde ovs loop --by markers -x, > markers 2> err &
ours=$!
timeout -s INT 12 sonde ovs loop --by calls -x, > calls 2> err2
wait $ours
has err2 'by the calls poll'
for f in markers calls; do
	awk -F, '$3 == "run" { print $4 }' $f > $f.n
done
cat markers calls
[ "$(cat markers.n)" -ge 4 ] && [ $(($(cat markers.n) - $(cat calls.n))) -le 3 ] && [ $(($(cat calls.n) - $(cat markers.n))) -le 3 ] && ok || fail "$(cat markers.n calls.n)"

t delay_between_markers
sonde ovs delay --start-trigger u:main:run_start --stop-trigger u:main:poll_block --sample-count 3 -x, > out 2> err
eq $? 0
has out ',ovs-vswitchd,run,'
# Its main thread, which the markers are of, does not wait between them; others do.
has out "^[0-9]*,$pid,ovs-vswitchd,run,"
eq "$(grep -c "^[0-9]*,$pid,.*,syscall,ppoll," out)" 0

t upcalls
missed() {
	ovs-appctl -t "$ctl" dpctl/show | sed -n 's/.*lookups:.*missed:\([0-9]*\) .*/\1/p'
}
sonde ovs upcalls -x, > out 2> err &
ours=$!
within 300 grep -q dpif_operate /sys/kernel/tracing/uprobe_events && ok || fail "no probes"
sleep 3
before=$(missed)
for i in 1 2 3 4 5 6; do
	ovs-appctl -t "$ctl" dpctl/del-flows
	ping_once > ping 2>&1
done
sleep 2
after=$(missed)
kill -INT $ours
wait $ours
eq $? 0
n=$(awk -F, '$5 == "total" { n += $3 } END { print n + 0 }' out)
[ "$((after - before))" -ge 6 ] && [ "$n" -ge "$((after - before))" ] && [ "$n" -le "$((after - before + 3))" ] && ok || fail "$n of $((after - before)): $(cat out err)"

t reval
ovs-appctl -t "$ctl" revalidator/purge
/bin/ip netns exec left /bin/busybox ping -c 60 10.9.0.2 > ping 2>&1 &
pings=$!
sonde ovs reval --by markers -x, > out 2> err &
ours=$!
within 300 grep -q start_dump /sys/kernel/tracing/uprobe_events && ok || fail "no probes"
sleep 8
flows=$(ovs-appctl -t "$ctl" dpctl/dump-flows | grep -c '')
ovs-appctl -t "$ctl" upcall/show > told
kill $pings
kill -INT $ours
wait $ours
eq $? 0
cat out
[ "$(awk -F, 'NR > 1 && $3 ~ /^revalidator/' out | grep -c '')" -ge 4 ] && ok || fail "$(cat out err)"
[ "${flows:-0}" -ge 2 ] && [ "$(awk -F, 'NR > 1 && $5 > n { n = $5 } END { print n + 0 }' out)" -ge "$((flows - 1))" ] && ok || fail "$flows: $(cat out ping)"
eq "$(awk -F, 'NR == 2 { print $10 }' out)" "$(sed -n 's/.*(limit \([0-9]*\)).*/\1/p' told | head -n 1)"
eq "$(grep -c 'ovs-vswitchd' /sys/kernel/tracing/uprobe_events)" 0
