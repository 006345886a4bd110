#!/bin/sh
# as: user
# time: 200
# A64 instructions as text beside objdump's: whole libraries, the start of a kernel, words made up; and what annotate makes of them.
. "$T_HERE/lib.sh"

need a64text python3 aarch64-linux-gnu-objdump

cached=${CACHE:-build/cache}
case $cached in /*) ;; *) cached=$T_HERE/../../$cached ;; esac

t every_text_is_objdumps
set --
for file in root-bullseye/usr/lib/openvswitch-common/ovs-vswitchd root-bullseye/usr/lib/aarch64-linux-gnu/libcrypto.so.1.1 \
	root-bookworm/usr/lib/aarch64-linux-gnu/libc.so.6 kernel-6.12/Image; do
	[ ! -r "$cached/$file" ] || set -- "$@" "$cached/$file"
done
[ $# -gt 0 ] || echo "no code for arm64 in the cache: words made up alone"
python3 "$T_HERE/../host/disasm.py" "$(command -v a64text)" aarch64-linux-gnu-objdump "$@" random:1:250000 > texts.txt && ok || fail "$(cat texts.txt)"
cat texts.txt
