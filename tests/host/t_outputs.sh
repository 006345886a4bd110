#!/bin/sh
# as: root user
# Files that the tool makes, where others have laid links and files before: root in a folder such as /tmp.
. "$T_HERE/lib.sh"
. "$T_HERE/lib_wait.sh"

need sonde

cp "$T_HERE/../data/dat/v6.dat" in.dat || exit 1
mkdir shared
chmod 1777 shared

# made NAME: the commands that write a file of that name; each may fail.
made() {
	sonde stat -e cpu-clock:u -o "$1" true
	sonde stat -e cpu-clock:u -o "$1" --append true
	sonde record -q -e cpu-clock:u -o "$1" true
	sonde ftrace split -i in.dat -o "$1"
	sonde ftrace restore -i in.dat -o "$1" in.dat
} > /dev/null 2> err

t private_by_mode
umask 022
sonde ftrace split -i in.dat -o part.dat 2> err
eq "$(stat -c %a part.dat)" 600

t a_link_of_ours_is_followed
ln -s target link
sonde ftrace split -i in.dat -o link 2> err
[ -L link ] && [ -s target ] && ok || fail "the link was replaced, or not followed"

t what_is_no_file_stays_what_it_is
for how in 'stat -e cpu-clock:u' 'record -q -e cpu-clock:u'; do
	sonde $how -o /dev/stdout true 2> err | cat > through
	[ -s through ] && ok || fail "$how -o /dev/stdout: $(cat err)"
	mkfifo pipe
	cat pipe > through &
	sonde $how -o pipe true 2> err
	wait $!
	[ -p pipe ] && [ -s through ] && ok || fail "$how -o pipe: $(cat err)"
	# A reader that comes late is waited for.
	{ sleep 1; cat pipe > through; } &
	sonde $how -o pipe true 2> err
	wait $!
	[ -s through ] && ok || fail "$how -o pipe, a late reader: $(cat err)"
	rm pipe
	sonde $how -o /dev/null true 2> err
	[ -c /dev/null ] && [ -L /dev/stdout ] && ok || fail "$how has removed a device"
done

# What cannot be read, or is asked for in the wrong way, destroys nothing.
t what_is_there_stays_until_there_is_more
echo none > junk
for how in 'kvm stat report -i junk' 'sched timehist -i junk' 'lock report -i junk' 'kmem stat -i junk' 'why -i junk 1' 'trace -i junk' \
	'prof trace' 'prof top -i in.dat' 'flame -i junk' 'timeline -i junk' 'convert --to json -i junk' 'archive -i junk'; do
	echo precious > keep
	sonde $how -o keep > out 2> err && fail "$how has not failed"
	eq "$how: $(cat keep)" "$how: precious"
	rm keep
	sonde $how -o keep > out 2> err
	[ ! -e keep ] && ok || fail "$how leaves a file of which nothing came"
done
sonde prof trace -i in.dat -e sched:sched_switch -o keep 2> err
[ -s keep ] && ok || fail "$(cat err)"
echo precious > keep
sonde prof trace -i in.dat -e sched:sched_switch/next_pid==-7/ -o keep 2> err
[ -s keep ] && fail "what was there is still there: $(cat err)" || ok
# Live it goes when the look begins, whenever there is something to tell.
if sonde prof top -e sched:sched_switch -- true > /dev/null 2>&1; then
	echo precious > keep
	sonde prof top -e sched:sched_switch -i 60000 -o keep > out 2> err &
	wait_for sh -c '[ ! -s keep ]'
	kill -TERM $!
	wait
	grep -q precious keep && fail "it is still there" || ok
fi

if [ "$T_AS" = user ]; then
	exit 0
fi

t links_of_others_lead_nowhere
# Whatever the kernel has set: what is tested is ours.
other=65534
for link in dangling there; do
	ln -s "$PWD/victim-$link" shared/$link
	chown -h $other:$other shared/$link
done
echo precious > victim-there
for n in dangling there; do
	made shared/$n
	has err 'it is a link of user 65534'
done
[ ! -e victim-dangling ] && ok || fail "a file was made behind a dangling link"
eq "$(cat victim-there)" precious

t files_of_others_get_nothing
: > shared/theirs
chown $other:$other shared/theirs
made shared/theirs
has err 'it is a file of user 65534'
eq "$(stat -c '%s %u' shared/theirs)" "0 $other"

t names_beside_follow_no_link
echo precious > victim
cpu=0
while [ $cpu -lt 64 ]; do
	ln -s "$PWD/victim" shared/out.dat.cpu$cpu
	cpu=$((cpu + 1))
done
sonde ftrace split -i in.dat -o shared/out.dat 2> err
eq $? 0
eq "$(cat victim)" precious
chown -h $other:$other shared/out.dat.cpu* 2> /dev/null
rm -f shared/out.dat
ln -s "$PWD/victim" shared/out.dat.cpu0 2> /dev/null && chown -h $other:$other shared/out.dat.cpu0
sonde ftrace split -i in.dat -o shared/out.dat 2> err
eq $? 1
eq "$(cat victim)" precious
has err 'it is a link of user 65534'
