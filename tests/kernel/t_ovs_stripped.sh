#!/bin/sh
# time: 300
# kernels: 6.12
# sonde ovs of Debian's Open vSwitch 3.5: static, stripped, no markers. What needs names says which, what does not works.
. "$T_HERE/lib.sh"
. "$T_HERE/lib_wait.sh"

need sonde

t starts
V=$(ls /usr/lib/openvswitch-*/ovs-vswitchd 2> /dev/null | head -n 1)
[ -n "$V" ] || { skip-kernel "its peer root has no openvswitch-switch"; exit 0; }
D=$PWD
ended() {
	for f in ovs-vswitchd ovsdb-server; do
		[ ! -s $D/$f.pid ] || kill "$(cat $D/$f.pid)"
	done
}
trap 'r=$?; ended; t_end $r' EXIT
export OVS_RUNDIR=$D OVS_LOGDIR=$D OVS_DBDIR=$D OVS_SYSCONFDIR=$D
ovsdb-tool create conf.db /usr/share/openvswitch/vswitch.ovsschema
ovsdb-server conf.db --remote=punix:$D/db.sock --pidfile --detach --no-chdir --log-file > log 2>&1 || { cat log; fail "ovsdb-server"; }
"$V" --enable-dummy=override --disable-system unix:$D/db.sock --pidfile --detach --no-chdir --log-file > log 2>&1 || fail "$(cat log)"
ovs-vsctl --db=unix:$D/db.sock --timeout=120 add-br br0 -- set bridge br0 datapath-type=dummy fail-mode=secure && ok || fail "ovs-vsctl"
pid=$(cat ovs-vswitchd.pid)

t what_needs_names_says_which
sonde ovs upcalls > out 2> err && fail "upcalls" || has err 'no function dpif_recv'
has err 'not stripped'
sonde ovs reval > out 2> err && fail "reval" || has err 'no function dpif_flow_dump_create'
has err 'not stripped'
sonde ovs reval --by markers > out 2> err && fail "reval" || has err 'no marker udpif_revalidator:start_dump'
sonde ovs loop --by function > out 2> err && fail "loop" || has err 'no function poll_block'
sonde ovs loop --by markers > out 2> err && fail "loop" || has err 'no marker main:run_start'

t what_needs_none_works
timeout -s INT 12 sonde ovs loop -x, > out 2> err
has err 'by the calls poll'
[ "$(awk -F, '$3 == "run" { n += $4 } END { print n + 0 }' out)" -ge 2 ] && ok || fail "$(cat out err)"
timeout -s INT 12 sonde ovs loop --perins -x, > out 2> err
has out ',revalidator[0-9]*,'
ls /proc/$pid/task > threads
sonde ovs delay --sample-time 3 -x, > out 2> err
eq $? 0
for tid in $(cat threads); do
	has out "^1,$tid,"
done
has out ',ovs-vswitchd,syscall,ppoll,'
sonde prof syscalls -p $pid -x, -- > out 2> err &
ours=$!
/bin/busybox sleep 6
kill -INT $ours
wait $ours
has out 'ppoll|epoll|futex'
# Its names are not there, its addresses are, and libc's names.
sonde record -q -g -e cpu-clock -F 500 -p $pid -o s.data -- /bin/busybox sleep 3 2> err
sonde report -i s.data --stdio -s dso,sym -g none > out 2> err
has out 'ovs-vswitchd|libc\.so|kernel'
