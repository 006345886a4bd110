# tests/kernel/lib_wait.sh - sourced behind lib.sh by tests that wait for another process: for what it has done, never for a
# time. A guest may stall for seconds and is slow or quick, so a bound is only there to end what will never happen.
# tests/host has the same.

uptime_s() {
	read -r t_now _ < /proc/uptime
	echo "${t_now%.*}"
}

# within SECONDS COMMAND...: try it until it succeeds; at least once more when the time is over.
within() {
	t_until=$(($(uptime_s) + $1))
	shift
	until "$@"; do
		[ "$(uptime_s)" -lt $t_until ] || { "$@"; return; }
		sleep 0.1
	done
}

# taken_over PID: its SIGTERM and its like are blocked, for it reads them: from now on it ends itself, and before the kernel ends it
# (or, if the shell has started it in the background, SIGINT is lost).
taken_over() {
	t_blocked=$(sed -n 's/^SigBlk:.*\(....\)$/\1/p' "/proc/$1/status" 2> /dev/null)
	[ $((0x0$t_blocked & 0x4000)) != 0 ]
}

# child PID NAME: the processes of that name that PID has started; false while there is none. (stat: pid (name) state ppid.)
child() {
	cat /proc/[0-9]*/stat 2> /dev/null | sed -n "s/^\([0-9]*\) ($2) [A-Z] $1 .*/\1/p" | grep .
}

has_child() {
	child "$@" > /dev/null
}

# ticks PID: the CPU time that it and those that it has waited for have used, in hundredths of a second.
ticks() {
	sed 's/.*) //' "/proc/$1/stat" | awk '{ print $12 + $13 + $14 + $15 }'
}

has_run() {
	[ "$(ticks "$1")" -ge "$2" ]
}

# goes_on PID TICKS: it has run for so long from now on.
goes_on() {
	within 100 has_run "$1" $(($(ticks "$1") + $2))
}

# no_sonde: no process of that name is left, guards neither: what they had to put back is back.
no_sonde() {
	! grep -qs '^sonde' /proc/[0-9]*/comm
}
