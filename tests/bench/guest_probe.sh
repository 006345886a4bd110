#!/bin/sh
# guest_probe.sh - in a guest: probes defined and functions listed by sonde and perf in turn. Ratios sonde/perf.
#
#   define    CPU time and peak memory of defining one probe with the kernel's debug information (VMLINUX, if there is one)
#             and with none
#   list      the functions of the largest file there is
. "$(dirname "$0")/guest_lib.sh"
RUNS=${RUNS:-3}
VMLINUX=${VMLINUX:-/host/vmlinux}

# timed COMMAND...: "CPU PEAK_KB" of it; its output is thrown away.
timed() {
	busybox time -f '%U %S %M' -o times "$@" > /dev/null 2> timed.err || { echo "failed: $*" >&2; tail -3 timed.err >&2; }
	tail -n 1 times | awk '{ print $1 + $2, $3 }'
}

# both NAME ARGUMENT...: `sonde probe` and `perf probe` with the same words.
both() {
	name=$1
	shift
	rm -f cpu.* mem.*
	for i in $(seq "$RUNS"); do
		for t in sonde perf; do
			timed $t probe "$@" > one
			cut -d' ' -f1 one >> cpu.$t
			cut -d' ' -f2 one >> mem.$t
		done
	done
	row "$name, CPU" "$(median < cpu.sonde)" "$(median < cpu.perf)" s
	row "$name, memory" "$(median < mem.sonde)" "$(median < mem.perf)" KiB
}

echo "                                          sonde       peer unit        ratio"
both 'define, no debug information' -D do_sys_openat2
if [ -e "$VMLINUX" ]; then
	cp "$VMLINUX" vmlinux    # where reading it costs both the same
	cat vmlinux > /dev/null
	both 'define by debug information' -k vmlinux -D 'vfs_read file count'
	both 'define a static function' -k vmlinux -D 'do_sys_openat2 filename how'
	both 'define an inlined function' -k vmlinux -D 'fput file'
	both "functions of $(($(wc -c < vmlinux) >> 20)) MiB" -x vmlinux -F
	rm vmlinux
else
	echo "  no $VMLINUX: defining by debug information is not measured"
fi
lib=$(ls -S /usr/lib/aarch64-linux-gnu/*.so.* | head -n 1)
both "functions of ${lib##*/}" -x "$lib" -F
