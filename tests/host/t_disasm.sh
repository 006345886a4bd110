#!/bin/sh
# as: user
# time: 200
# Instructions as text beside objdump's: whole libraries, the start of a kernel, words and bytes made up.
. "$T_HERE/lib.sh"

need codetext python3 aarch64-linux-gnu-objdump

cached=${CACHE:-build/cache}
case $cached in /*) ;; *) cached=$T_HERE/../../$cached ;; esac

t every_text_is_objdumps
set --
for file in root-bullseye/usr/lib/openvswitch-common/ovs-vswitchd root-bullseye/usr/lib/aarch64-linux-gnu/libcrypto.so.1.1 \
	root-bookworm/usr/lib/aarch64-linux-gnu/libc.so.6 kernel-6.12/Image; do
	[ ! -r "$cached/$file" ] || set -- "$@" "$cached/$file"
done
[ $# -gt 0 ] || echo "no code for arm64 in the cache: words made up alone"
python3 "$T_HERE/../host/disasm.py" "$(command -v codetext)" aarch64-linux-gnu-objdump "$@" random:1:250000 > texts.txt && ok || fail "$(cat texts.txt)"
cat texts.txt

t x86_texts_and_lengths_are_objdumps
x86_objdump=$(command -v x86_64-linux-gnu-objdump || command -v objdump)
if "$x86_objdump" --help 2> /dev/null | grep -q 'supported targets:.*elf64-x86-64'; then
	set --
	for file in /lib/x86_64-linux-gnu/libc.so.6 /lib/x86_64-linux-gnu/libm.so.6 /usr/bin/perf; do
		[ ! -r "$file" ] || set -- "$@" "$(readlink -f "$file")"
	done
	python3 "$T_HERE/../host/disasm.py" "$(command -v codetext)" "$x86_objdump" "$@" random:1:400000 > texts.txt && ok || fail "$(cat texts.txt)"
	cat texts.txt
else
	skip "no objdump for x86-64"
fi
