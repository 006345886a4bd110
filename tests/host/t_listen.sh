#!/bin/sh
# as: root user
# time: 300
# sonde ftrace listen with peers that mean harm, or have an accident.
. "$T_HERE/lib.sh"
. "$T_HERE/lib_wait.sh"

need sonde python3

rec=$T_HERE/../data/dat/v6.dat
cpus=$(sonde ftrace dump -i "$rec" --summary 2> /dev/null | grep -c 'CPU')
sonde ftrace report -i "$rec" > want 2> /dev/null

peer() {
	python3 "$T_HERE/../host/peer.py" "$@"
}

# In the background it is the process that a signal to it reaches.
held_peer() {
	exec python3 "$T_HERE/../host/peer.py" "$@"
}

# listens [OPTION...]: a listener of its own folder, $dir; its messages are in $dir.log
serial=0
listens() {
	serial=$((serial + 1))
	dir=dir$serial
	mkdir $dir
	sonde ftrace listen -p 0 -d $dir "$@" 2> $dir.log &
	listener=$!
	wait_for grep 'listening on port' $dir.log
	port=$(sed -n 's/.*listening on port \([0-9]*\).*/\1/p' $dir.log)
}

# ended [STATUS]: it ends with SIGINT, soon, whoever is connected.
ended() {
	kill -INT $listener
	within 30 is_over $listener || fail "it does not end"
	kill -KILL $listener 2> /dev/null
	wait $listener
	eq $? "${1:-0}"
	cat $dir.log
}

# kept N: so many recordings are there, each that of the peer, and nothing else.
kept() {
	eq "$(ls $dir | grep -c .)" "$1"
	for f in $dir/*; do
		[ -e "$f" ] || break
		sonde ftrace report -i "$f" > got 2> /dev/null
		cmp got want && ok || fail "$f is not what was sent"
	done
}

t what_is_sent_is_kept
listens
peer $port send "$rec" > said
eq "$(tail -n 1 said)" closed
peer $port send "$rec" udp > said
eq "$(tail -n 1 said)" closed
kept 2
for f in $dir/*; do
	eq "$(stat -c %a "$f")" 600
done
ended

# Each of them ends without our doing.
t who_is_silent_is_dropped
listens --timeout 1
for how in silent half; do
	peer $port $how > said
	has said 'closed|reset|refused: '
done
peer $port send "$rec" > said
kept 1
ended

t as_much_is_said_as_asked_for
free=$(python3 -c 'import socket; s = socket.socket(); s.bind(("", 0)); print(s.getsockname()[1])')
for level in none err info; do
	dir=level-$level
	mkdir $dir
	sonde ftrace listen -p "$free" -d $dir --timeout 1 --verbose=$level 2> $dir.log &
	listener=$!
	sent() {
		peer "$free" send "$rec" > said 2>&1
	}
	wait_for sent
	peer "$free" half > said
	kept 1
	ended
done
eq "$(cat level-none.log)" ""
eq "$(grep -c . level-err.log) $(grep -cE 'listening|: connected|pages of' level-err.log)" "1 0"
for said in 'listening on' ': connected' 'pages of [0-9]+ CPUs'; do
	has level-info.log "$said"
done

t it_ends_inside_of_a_message
listens
peer $port half > said &
held=$!
wait_for grep connected said
wait_for grep connected $dir.log
ended
wait $held
kept 0

t peers_are_bounded
# Who has greeted is given as long as the test may take.
listens --max-peers 4 --timeout 300
# One address has half of the places.
for i in 1 2; do
	held_peer -s 127.0.0.2 $port idle > held$i &
	eval "held$i=\$!"
	wait_for grep connected held$i
done
two() {
	[ "$(grep -c connected $dir.log)" = 2 ]
}
wait_for two
peer -s 127.0.0.2 $port send "$rec" > said
has said 'closed|reset'
# It closes the connection first, and says so then.
wait_for grep -q 'a connection is refused: --max-peers' $dir.log
has $dir.log 'a connection is refused: --max-peers'
peer $port send "$rec" > said
eq "$(ls $dir | grep -c '\.dat$')" 1
kill $held1 $held2
wait $held1 $held2
# Their places are free again.
again() {
	peer -s 127.0.0.2 $port send "$rec" > said
	[ "$(ls $dir | grep -c '\.dat$')" = 2 ]
}
wait_for again
kept 2
ended

t the_disk_is_bounded
listens --max-size 1M
peer $port flood "$rec" > said
has said 'refused: .*room'
# What one counts beyond its bytes is given back when it has ended: who comes before that is refused, with the folder half empty.
is_full() {
	peer $port send "$rec" > said
	size=$(du -sk $dir | cut -f1)
	grep -q 'refused: .*room' said && [ "$size" -gt 500 ]
}
wait_for is_full
# The folder itself counts here.
[ "$size" -le 1100 ] && ok || fail "$size KB are there"
# What is carried away makes room.
rm $dir/*
peer $port send "$rec" > said
eq "$(tail -n 1 said)" closed
kept 1
ended

# Somebody is always there: what each recording takes on the disk counts, not what its making took.
t as_many_recordings_as_there_is_room_for
listens --max-size 1M
# One counts 64 KB, and more while it comes: who comes before that is given back may be refused.
n=0
other=
while [ $n -lt 60 ] && [ "$(ls $dir | grep -c '\.dat$')" -lt 15 ]; do
	before=$other
	held_peer $port half > held &
	other=$!
	wait_for grep -q connected held
	[ -z "$before" ] || kill $before
	peer $port send "$rec" > said
	n=$((n + 1))
done
peer $port send "$rec" > said
peer $port send "$rec" > said
wait_for grep -q 'the room for recordings is used up' $dir.log
eq "$(ls $dir | grep -c .)" 15
kill $other
wait $other 2> /dev/null
ended

# peer.py tells what a sender does, who sees the same.
t a_full_disk_is_an_error_on_both_sides
mkdir -p disk
if [ "$T_AS" = root ] && mount -t tmpfs -o size=12k none disk 2> /dev/null; then
	for size in 4k 8k 12k 16k; do
		mount -o remount,size=$size disk
		listens -d disk
		peer $port send "$rec" > said
		has said '^refused|^reset'
		within 10 grep -q 'No space left on device' $dir.log && ok || fail "nothing is said: $(cat $dir.log)"
		eq "$(ls disk)" ""
		ended
	done
	mount -o remount,size=1M disk
	listens -d disk
	peer $port send "$rec" > said
	eq "$(tail -n 1 said)" closed
	ended
	umount disk
else
	skip "root with mount is needed"
fi

t descriptors_run_out
(
	ulimit -n 40
	exec sonde ftrace listen -p 0 -d . -o few 2> few.log
) &
listener=$!
wait_for grep 'listening on port' few.log
port=$(sed -n 's/.*listening on port \([0-9]*\).*/\1/p' few.log)
peer $port cpus 100 > said
has said 'refused: .*([Oo]pen files|descriptors)'
has few.log '[Oo]pen files|descriptors'
peer $port cpus 2000 > said
has said 'refused: .*CPUs'
dir=few
mkdir few
peer $port send "$rec" > said
eq "$(tail -n 1 said)" closed
mv few.*.dat few
kept 1
ended

t strangers_at_a_rings_port
listens
peer $port stray "$rec" > said
eq "$(tail -n 1 said)" closed
peer $port stray "$rec" udp > said
eq "$(tail -n 1 said)" closed
kept 2
ended

# Who waits for the end of its output, as ssh does, gets it while the listener goes on.
t the_background_lets_go_of_the_caller
mkdir back
out=$(sonde ftrace listen -p 0 -D -l back.log -d back 2>&1)
eq $? 0
eq "$out" ''
has back.log 'listening on port'
port=$(sed -n 's/.*listening on port \([0-9]*\).*/\1/p' back.log)
out=$(sonde ftrace listen -p $port -D 2>&1)
eq $? 1
case $out in
*"cannot listen on port $port"*) ok ;;
*) fail "said: $out" ;;
esac
pid=$(ls -l /proc/[0-9]*/fd 2> /dev/null | awk '/^\/proc/ { split($1, p, "/") } /back.log$/ { print p[3]; exit }')
[ -n "$pid" ] && ok || fail "no background"
eq "$(sed 's/.*) //' "/proc/$pid/stat" | cut -d' ' -f4,5)" "$pid 0"
for fd in 0 1 2; do
	eq "$(readlink "/proc/$pid/fd/$fd")" /dev/null
done
peer $port send "$rec" > said
dir=back
kept 1
kill -TERM "$pid"
within 30 is_over "$pid" && ok || fail "it does not end"
