#!/bin/sh
# time: 600
# kernels: 5.10
# How long Open vSwitch takes to forward a packet: from netdev_rxq_recv to the return of netdev_send, both in its library, with
# two name spaces that ping each other through it. Nothing is lost, and each call is counted once: the switch's own counters
# are the oracle.
. "$T_HERE/lib.sh"
. "$T_HERE/lib_wait.sh"

need sonde
V=$(ls /usr/lib/openvswitch-*/ovs-vswitchd /usr/sbin/ovs-vswitchd 2> /dev/null | head -n 1)
t switch
[ -n "$V" ] || { skip "no openvswitch-switch in the peer root"; exit 0; }
D=$PWD
export OVS_RUNDIR=$D OVS_LOGDIR=$D OVS_DBDIR=$D OVS_SYSCONFDIR=$D
# An extracted package has no links that its scripts would make.
mkdir lib
for f in /usr/lib/openvswitch-common/lib*.so.0.0.0 /usr/lib/*/libopenvswitch*.so.0.0.0; do
	[ ! -e "$f" ] || ln -sf "$f" "lib/$(basename "$f" .0.0)"
done
export LD_LIBRARY_PATH=$D/lib:/usr/lib/openvswitch-common

ended() {
	for f in ovs-vswitchd ovsdb-server; do
		[ ! -s $f.pid ] || kill "$(cat $f.pid)"
	done
	for n in left right; do
		/bin/ip netns del $n 2> /dev/null
	done
}
trap 'r=$?; ended; t_end $r' EXIT

modprobe veth
modprobe tun
ovsdb-tool create conf.db /usr/share/openvswitch/vswitch.ovsschema
ovsdb-server conf.db --remote=punix:$D/db.sock --pidfile --detach --no-chdir --log-file > log 2>&1 || { cat log; fail "ovsdb-server"; }
vsctl() {
	ovs-vsctl --db=unix:$D/db.sock --timeout=120 "$@" || fail "ovs-vsctl $*"
}
vsctl --no-wait init
"$V" unix:$D/db.sock --pidfile --detach --no-chdir --log-file > log 2>&1 || { cat log; fail "ovs-vswitchd"; }
vsctl add-br br0 -- set bridge br0 datapath_type=netdev
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
# Nobody speaks but the pings, so that the packets of a recording can be counted: addresses are known from the start.
mac() {
	/bin/ip netns exec $1 /bin/cat /sys/class/net/inner/address
}
/bin/ip -n left neigh replace 10.9.0.2 lladdr $(mac right) nud permanent dev inner
/bin/ip -n right neigh replace 10.9.0.1 lladdr $(mac left) nud permanent dev inner
pid=$(cat ovs-vswitchd.pid)
lib=$(sed -n 's,.* \(/.*libopenvswitch-.*\),\1,p' /proc/$pid/maps | head -n 1)
/bin/ip netns exec left /bin/busybox ping -c 2 -W 10 10.9.0.2 > out 2>&1 || cat out
has out '[1-9] packets received'
answered=$(sed -n 's/.* \([0-9]*\) packets received.*/\1/p' out)

# Written once, for a command of a recording as well. sent: how many packets the switch has sent, as it counts them itself;
# each of its threads keeps a count of its own and adds it to the total when it wakes, at most once a second
# (lib/coverage.c). settled NUMBER: when the total is at least that and no longer moves.
cat > switch.sh << 'END'
sent() {
	ovs-appctl -t "$1" coverage/show | sed -n 's/^netdev_sent .*total: //p'
}
sent_all() {
	[ "$(sent "$1")" -ge "$2" ]
}
settled() {
	within 100 sent_all "$1" "$2"
	last=
	while now=$(sent "$1") && [ "$now" != "$last" ]; do
		last=$now
		busybox usleep 1500000
	done
	echo "$now"
}
END
. ./switch.sh
ctl=$D/ovs-vswitchd.$pid.ctl
# pinged SENT: an answer is there before the switch has returned from sending it. Packets that have waited for a switch that
# stalled go in one call: then there will not be so many.
cat > pinged << END
. "$T_HERE/lib_wait.sh"
. "$D/switch.sh"
/bin/ip netns exec left /bin/busybox ping -c 5 10.9.0.2
within 20 sent_all "$ctl" \$1 || settled "$ctl" 0
END

t probes
sonde probe -x "$lib" -F > out 2> err
has out '^netdev_rxq_recv$'
has out '^netdev_send$'
sonde probe -x "$lib" ovs:recv=netdev_rxq_recv > out 2>&1 && ok || { cat out; fail "recv"; }
sonde probe -x "$lib" 'ovs:sent=netdev_send%return $retval:s32' > out 2>&1 && ok || { cat out; fail "sent"; }
eq "$(grep -c . /sys/kernel/tracing/uprobe_events)" 2

t ping_without_loss
before=$(settled "$ctl" $((answered * 2)))
sonde record -o ovs.data -e ovs:recv -e ovs:sent -p "$pid" -- /bin/sh pinged $((before + 10)) > out 2> err
eq $? 0
has out '5 packets transmitted, 5 packets received, 0% packet loss'
after=$(settled "$ctl" $((before + 2)))

t forward_time
sonde script -i ovs.data -F comm,tid,time,event,trace > out 2> err || cat err
# Between two packets that a thread sends there is one that it has received, however long it takes.
awk '{ match($0, "[0-9]+ +[0-9]+[.][0-9]+:"); split(substr($0, RSTART, RLENGTH - 1), f, " +"); tid = f[1]; now = f[2] + 0 }
	/ovs:recv:/ { since[tid] = now; recv++ }
	/ovs:sent:/ { n++; d = now - since[tid]; if (!since[tid] || d < 0) bad++; since[tid] = 0; if (d > max) max = d; sum += d }
	END { printf "%d received, %d sent, mean %.0f us, longest %.0f us, bad %d\n", recv, n, n ? sum / n * 1e6 : 0, max * 1e6, bad }' out > times
cat times
has times '^[1-9][0-9]* received, [1-9][0-9]* sent, .* bad 0$'

t forward_time_as_a_table
sonde ftrace latency -a --from ovs:recv --to ovs:sent --key common_pid -- /bin/ip netns exec left /bin/busybox ping -c 5 10.9.0.2 > out 2> err
eq $? 0
has out '5 packets received, 0% packet loss'
has out '^# ovs:recv => ovs:sent: [1-9][0-9]* times  min .* p50 .* p95 .* p99 .* max '
has out '^ +[0-9]+ - [0-9]+ +[um]s \| +[1-9]'

t every_call_once
# Five requests and their answers, in ten calls or fewer.
n=$(sed 's/.*received, \([0-9]*\) sent.*/\1/' times)
echo "switch: $before to $after; probes: $n"
eq "$n" "$((after - before))"
[ "$n" -ge 2 ] && [ "$n" -le 10 ] && ok || fail "$n calls for ten packets"

t the_end
sonde probe -q -d 'ovs:*' > out 2>&1 && ok || { cat out; fail "not removed"; }
daemons="$pid $(cat ovsdb-server.pid)"
ended
no_daemon() {
	! kill -0 $daemons 2> /dev/null
}
within 100 no_daemon || fail "a daemon stays"
eq "$(/bin/ip netns list | grep -c .)" 0
exit 0
