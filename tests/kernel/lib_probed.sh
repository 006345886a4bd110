# tests/kernel/lib_probed.sh - sourced behind lib.sh by tests that define probes of the kernel, in the group probed.

TRACING=/sys/kernel/tracing

# define ARGUMENT...: as events of the group probed.
define() {
	sonde probe -q "$@" > out 2>&1 && ok || { cat out; fail "sonde probe $*"; }
}

# gone: nothing is left of the group.
gone() {
	sonde probe -q -d 'probed:*' > out 2>&1 || fail "$(cat out)"
	[ ! -d $TRACING/events/probed ] && ok || fail "left: $(ls $TRACING/events/probed)"
}

# refused TEXT ARGUMENT...
refused() {
	text=$1
	shift
	if out=$(sonde probe "$@" 2>&1); then
		fail "taken: sonde probe $*"
		return
	fi
	case $out in
	*"$text"*) ok ;;
	*) fail "no '$text' in: $out" ;;
	esac
}
