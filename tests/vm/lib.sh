# tests/vm/lib.sh - sourced by the scripts of this folder: places, the table of kernels, small verbs.
#
# CACHE  everything downloaded or derived from downloads (default build/cache of the repository)
# O      the build folder (default build of the repository)

set -eu -o pipefail

VM=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
TOP=${VM%/tests/vm}
O=$(realpath -m "${O:-$TOP/build}")
CACHE=$(realpath -m "${CACHE:-$TOP/build/cache}")
KERNELS="5.10 6.1 6.1-rt 6.12 6.12-16k"

TIED="setpriv --pdeathsig TERM --"	# prefix of a command that must not outlive this script

die() {
	echo "${0##*/}: $*" >&2
	exit 1
}

# kernel_suite KERNEL: the Debian suite that has it, and whose peers (perf, trace-cmd) fit it.
kernel_suite() {
	case $1 in
	5.10) echo bullseye ;;
	6.1 | 6.1-rt) echo bookworm ;;
	6.12 | 6.12-16k) echo trixie ;;
	*) die "unknown kernel '$1' (one of: $KERNELS)" ;;
	esac
}

# kernel_package KERNEL: an extended regular expression for its package name, without ABI twins
# such as -cloud or -unsigned.
kernel_package() {
	case $1 in
	5.10 | 6.1) echo "linux-image-${1/./\\.}\\.[0-9]+-[0-9]+-arm64" ;;
	6.1-rt) echo 'linux-image-6\.1\.[0-9]+-[0-9]+-rt-arm64' ;;
	6.12) echo 'linux-image-6\.12\.[0-9]+[+]deb13-arm64' ;;
	6.12-16k) echo 'linux-image-6\.12\.[0-9]+[+]deb13-arm64-16k' ;;
	esac
}

# archive LABEL: the base URI of apt's archive with that label, ending in a slash.
archive() {
	apt-get indextargets --format '$(LABEL)|$(REPO_URI)' 2> /dev/null |
		awk -F'|' -v want="$1" '$1 == want { sub("/*$", "/", $2); print $2; exit }'
}

# lock NAME: hold $CACHE/.lock-NAME until this process ends. Children inherit it on purpose:
# the work is over when the last of them is gone.
lock() {
	local fd
	mkdir -p "$CACHE"
	exec {fd}> "$CACHE/.lock-$1"
	flock "$fd"
}

# rust_lib: print the folder of Debian's standard library of Rust for arm64, unpacked in the cache; the compiler is the host's.
rust_lib() (
	dir=$CACHE/rustlib
	[ -d "$dir" ] || {
		lock rustlib
		[ -d "$dir" ] || "$VM/deb" libstd-rust-dev "$dir" "$(. /etc/os-release && echo "$VERSION_CODENAME")" > /dev/null
	} >&2
	echo "$dir/usr/lib/rustlib/aarch64-unknown-linux-gnu/lib"
)

# scratch: a fresh folder $TMP inside the cache (so that mv into place is atomic), gone on exit.
# What killed runs left is swept: the name holds the owner's pid.
scratch() {
	local d pid
	mkdir -p "$CACHE"
	for d in "$CACHE"/.tmp-*; do
		pid=${d#"$CACHE/.tmp-"}
		[ -e "/proc/${pid%-*}" ] || rm -rf "$d"
	done
	TMP=$(mktemp -d "$CACHE/.tmp-$$-XXXXXX")
	trap 'rm -rf "$TMP"' EXIT
	trap 'exit 130' INT TERM HUP
}
