#!/bin/sh
# as: root
# time: 120
# sonde ftrace where the tracing file system is one of plain files, as tests/golden/ftrace has it: what the processes do that read its rings.
. "$T_HERE/lib.sh"

need sonde awk

SONDE=$(command -v sonde)
here=$PWD
cd "$T_HERE/../.." || exit 1
. tests/golden/ftrace/live.sh
cd "$here" || exit 1
trap 't_end $?; rm -rf "$d"' EXIT

# As the command of a record: of each of its readers the priority, the policy, and how often it gave its CPU away.
cat > readers << 'END'
#!/bin/sh
sleep "$1"
for p in $(cat /proc/$PPID/task/*/children); do
	[ "$(cat /proc/$p/comm)" = sonde ] || continue
	sed 's/.*) //' /proc/$p/stat | awk '{ printf "%s %s ", $38, $39 }'
	awk '/^voluntary/ { print $2 }' /proc/$p/status
done
END
chmod +x readers

# read_by SECONDS OPTION...
read_by() {
	seconds=$1
	shift
	sonde --sysroot $d ftrace record -q -o /some.dat --top -p function "$@" ./readers $seconds > seen 2> err || cat err
	read -r priority policy waits < seen
}

t readers_have_their_priority
read_by 0.3
eq "$priority $policy" "0 0"
read_by 0.3 -r 7
if grep -q 'not permitted\|no permission' err; then
	skip "$(cat err)"
else
	eq "$priority $policy" "7 1"
fi
sonde ftrace record -r 100 -e sched true 2> err
eq $? 2
has err 'priorities are 1 to 99'

# Plain files have something to read at all times: those who wait do so by naps of 20 ms.
t readers_that_poll_do_not_wait
read_by 0.5
plain=$waits
read_by 0.5 --poll
[ "$plain" -ge 5 ] && [ "$waits" -lt 5 ] && ok || fail "waited $plain times, and with --poll $waits"
