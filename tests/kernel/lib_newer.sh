# tests/kernel/lib_newer.sh - a perf of 6.7 or later, which knows what this machine's may not. Sourced behind lib.sh by tests of the host and
# of the guests.
#
#   newer_perf ARGUMENTS...   this machine's, or the cached one under emulation
#   newer_begin               leave the whole script where there is none

# The emulated one finds symbols of programs elsewhere: chains are compared by the machine's own.
newer_perf() {
	case $newer_root in
	own) perf "$@" ;;
	*) qemu-aarch64-static -L "$newer_root" "$newer_root/usr/bin/perf" "$@" ;;
	esac
}

newer_begin() {
	need sonde perf python3 awk
	newer_cache=${CACHE:-build/cache}
	case $newer_cache in /*) ;; *) newer_cache=$T_HERE/../../$newer_cache ;; esac
	newer_root=$newer_cache/root-trixie
	newer_version=$(perf version | sed 's/^perf version \([0-9]*\)\.\([0-9]*\).*/\1 \2/')
	[ "$(echo "$newer_version" | awk '{ print ($1 > 6 || ($1 == 6 && $2 > 6)) }')" = 0 ] || newer_root=own
	[ "$newer_root" != own ] || return 0
	[ -x "$newer_root/usr/bin/perf" ] && command -v qemu-aarch64-static > /dev/null && return 0
	t newer_perf
	skip "no perf of 6.7 or later"
	exit 0
}
