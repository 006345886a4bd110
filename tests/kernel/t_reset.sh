#!/bin/sh
# time: 300
# kernels: 6.12
# also: 5.10 6.12-16k
# Root puts back what another user's dead run has left in the tracing file system, and believes none of its journals.
. "$T_HERE/lib.sh"
. "$T_HERE/lib_wait.sh"

need sonde setpriv

T=/sys/kernel/tracing
USER_ID=${UID_USER:-1000}
PLACE=/tmp/sonde-$USER_ID
USER="/usr/bin/setpriv --reuid $USER_ID --regid $USER_ID --clear-groups --inh-caps=-all env -u TMPDIR"
FILES="current_tracer trace_clock tracing_cpumask events/irq/softirq_raise/enable events/irq/softirq_raise/filter
	set_event_pid options/overwrite"
PATH=$PATH:/usr/sbin:/sbin

settings() {
	for f in $FILES; do
		echo "$f: $(cat $T/$f)"
	done
	echo "size: $(sed 's/.*expanded: //; s/)//' $T/buffer_size_kb | awk '{ print int($1 / 64) }')"
}
guards() {
	grep -l '^sonde-guard' /proc/[0-9]*/comm 2> /dev/null | cut -d/ -f3
}

# A group that may trace, as administrators make one.
rm -rf "$PLACE"
mkdir of_user
chown "$USER_ID" of_user
chgrp -R "$USER_ID" $T 2> /dev/null
chmod -R g+rwX $T 2> /dev/null
grep -q "^[^:]*:[^:]*:$USER_ID:" /etc/passwd 2> /dev/null || {
	had_passwd=$(cat /etc/passwd 2> /dev/null)
	made_passwd=1
	echo "tracer:x:$USER_ID:$USER_ID::/:/bin/sh" >> /etc/passwd
}
settings > before

t killed_run_of_a_user
(cd of_user && exec $USER sonde ftrace record --top -e irq:softirq_raise -f 'vec == 99' -C mono -b 100 -o e.dat sleep 1000) \
	> told 2>&1 &
main=$!
within 60 grep -q 1 $T/events/irq/softirq_raise/enable && ok || { cat told; fail "it does not record"; }
ls "$PLACE"/undo-* > journals 2> /dev/null
wait_for has_child $main sleep
load=$(child_of $main sleep)
kill -9 $(guards) $main $load
wait $main 2> /dev/null
within 60 no_sonde || fail "left: $(grep -s '^sonde' /proc/[0-9]*/comm)"
has journals undo-
sonde reset --ours > told
has told "left by a run of user $USER_ID: .*--all-users"
settings | cmp -s before - && fail "nothing was left to put back" || ok
sonde reset --all-users > told
has told '^trace_clock: local'
settings > after
cmp -s before after && ok || { cat told; fail "$(diff before after)"; }
# The files of the rings are the user's own matter.
$USER sonde reset --ours > told
[ ! -e "$PLACE" ] && ok || fail "left: $(ls "$PLACE")"

# journal RECORD...: the user's, of a process that is dead
journal() {
	mkdir -p "$PLACE"
	chmod 700 "$PLACE"
	{
		boot=$(cat /proc/sys/kernel/random/boot_id)
		printf 'J 0 %d 0 0\n%s' ${#boot} "$boot"
		printf '%s' "$@"
	} > "$PLACE/undo-$start-$dead-0"
	chmod 600 "$PLACE/undo-$start-$dead-0"
	chown -R "$USER_ID" "$PLACE"
}
# record KIND WHAT OLD: as journals have it
record() {
	printf '%s 0 %d %d 0\n%s%s' "$1" ${#2} ${#3} "$2" "$3"
}
sh -c 'cut -d" " -f1,22 /proc/self/stat' > who
read -r dead start < who

t probes_of_the_dead_go_and_those_of_others_stay
echo "p:sonde_${dead}_$start/here vfs_read" >> $T/kprobe_events
echo "p:theirs/here vfs_read" >> $T/kprobe_events
mkdir $T/instances/sonde-$dead-$start
instance='i 0 0 0 0
'
journal "$(record a kprobe_events "-:sonde_${dead}_$start/here")" "$instance" "$(record a kprobe_events -:theirs/here)"
sonde reset --all-users > told
has told "^kprobe_events: -:sonde_${dead}_$start/here"
has told "user $USER_ID: left as it is: kprobe_events: -:theirs/here"
eq "$(grep -c sonde_ $T/kprobe_events)" 0
eq "$(grep -c theirs/here $T/kprobe_events)" 1
[ ! -e $T/instances/sonde-$dead-$start ] && ok || fail "the instance is left"
echo "-:theirs/here" >> $T/kprobe_events

t hostile_journals
echo precious > precious
chmod 600 precious
# A record of a kind that there is not, and what others may not do.
journal "$(record f "$PWD/precious" '')" "$(record p "$PWD/precious" x)" "$(record p "../../../..$PWD/precious" x)"
mkfifo "$PLACE/undo-1-$dead-1"
chown "$USER_ID" "$PLACE/undo-1-$dead-1"
sonde ftrace reset --all-users > told
eq "$(grep -c 'left as it is' told)" 2
has told 'undo-1-.*not that user.s own file'
eq "$(cat precious)" precious

t the_last_one_takes_its_folder_along
rm -rf "$PLACE"
journal
sonde reset --all-users > told
has told 'done with$'
[ ! -e "$PLACE" ] && ok || fail "left: $(ls "$PLACE")"
sonde reset --all-users > told
has told '^nothing of ours was left$'
journal
sonde reset --all-users --quiet > told
eq "$?$(cat told)" 0
[ ! -e "$PLACE" ] && ok || fail "left: $(ls "$PLACE")"
$USER sonde reset --all-users > told 2>&1 && fail "done for a user" || has told 'only root'

rm -rf "$PLACE"
[ -z "${made_passwd:-}" ] || printf '%s' "${had_passwd:+$had_passwd
}" > /etc/passwd
chgrp -R 0 $T 2> /dev/null
chmod -R g-w $T 2> /dev/null
