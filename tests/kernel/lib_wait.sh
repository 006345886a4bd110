# tests/kernel/lib_wait.sh - waiting for what is to happen instead of for a time: a guest may stall for seconds, and is slow or
# quick; a bound only ends what will never happen. Sourced by tests (tests/host, too), and by the commands that they have traced:
#   sonde record ... -- sh -c ". $T_HERE/lib_wait.sh; runs_on /proc/$pid/stat 50"
#
#   within SECONDS CMD...     repeat CMD until it succeeds; at least once more when the time is over
#   wait_for CMD...           within two minutes; the case fails when it has not succeeded by then
#   runs_on STAT TICKS        wait until the task of that stat file has had so much more CPU time (hundredths of a second)
#   has_run STAT TICKS        it has had that much in all
#   child_has_run PID TICKS   the children of PID have
#   goes_on PID TICKS         wait until PID and those it has waited for have had so much more
#   has_used PID TICKS        they have had that much in all
#   comm_is PID NAME          that is what PID runs now
#   child_of PID NAME         print the number of PID's child that runs NAME
#   has_child PID NAME        there is one
#   taken_over PID            its SIGTERM and its like are blocked, for it reads them: from now on it ends itself, and before
#                             the kernel ends it (or, if the shell has started it in the background, SIGINT is lost)
#   is_over PID               it is gone, or a zombie
#   no_sonde                  no process of that name is left, guards neither: what they had to put back is back
#   counting PID              it has opened perf events
#   larger FILE BYTES         the file has more
#   has_lines FILE PATTERN N  at least N lines of FILE match
#   switches_of FILE          print the context switches in what `busybox time -v` said

uptime_s() {
	read -r w_now w_rest < /proc/uptime
	echo "${w_now%.*}"
}

within() {
	w_until=$(($(uptime_s) + $1))
	shift
	until "$@"; do
		[ "$(uptime_s)" -lt $w_until ] || { "$@"; return; }
		sleep 0.1
	done
}

wait_for() {
	within 120 "$@" > /dev/null 2>&1 || fail "in two minutes: not $*"
}

# stat: pid (name) state ppid ... utime stime cutime cstime
ticks_of() {
	cat "$1" 2> /dev/null | awk '{ sub(".*[)] ", ""); n += $12 + $13 } END { print n + 0 }'
}

has_run() {
	[ "$(ticks_of "$1")" -ge "$2" ]
}

runs_on() {
	within 100 has_run "$1" $(($(ticks_of "$1") + $2))
}

child_has_run() {
	cat /proc/[0-9]*/stat 2> /dev/null |
		awk -v parent="$1" -v t="$2" '{ sub(".*[)] ", "") } $2 == parent { n += $12 + $13 } END { exit n < t }'
}

ticks_used() {
	sed 's/.*) //' "/proc/$1/stat" 2> /dev/null | awk '{ n = $12 + $13 + $14 + $15 } END { print n + 0 }'
}

has_used() {
	[ "$(ticks_used "$1")" -ge "$2" ]
}

goes_on() {
	within 100 has_used "$1" $(($(ticks_used "$1") + $2))
}

comm_is() {
	[ "$(cat "/proc/$1/comm" 2> /dev/null)" = "$2" ]
}

child_of() {
	cat /proc/[0-9]*/stat 2> /dev/null |
		awk -v parent="$1" -v name="($2)" '$2 == name && $4 == parent { print $1; n++; exit } END { exit !n }'
}

has_child() {
	child_of "$@" > /dev/null
}

taken_over() {
	w_blocked=$(sed -n 's/^SigBlk:.*\(....\)$/\1/p' "/proc/$1/status" 2> /dev/null)
	[ $((0x0$w_blocked & 0x4000)) != 0 ]
}

is_over() {
	! grep -q '^State:.[^ZX]' "/proc/$1/status" 2> /dev/null
}

no_sonde() {
	! grep -qs '^sonde' /proc/[0-9]*/comm
}

counting() {
	ls -l "/proc/$1/fd" 2> /dev/null | grep -q 'anon_inode:\[perf_event\]'
}

larger() {
	[ -e "$1" ] && [ "$(stat -c %s "$1")" -gt "$2" ]
}

has_lines() {
	[ -e "$1" ] && [ "$(grep -cE -e "$2" "$1")" -ge "$3" ]
}

switches_of() {
	awk '/oluntary context switches:/ { n += $NF } END { print n + 0 }' "$1"
}
