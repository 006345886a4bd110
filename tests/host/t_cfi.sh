#!/bin/sh
# as: user
# time: 120
# Call frame information of programs and libraries as they are found on machines, row by row as readelf has it, for both architectures.
. "$T_HERE/lib.sh"

need cfitext readelf python3

t every_row_is_readelfs
cached=${CACHE:-build/cache}/root-trixie/usr
case $cached in /*) ;; *) cached=$T_HERE/../../$cached ;; esac
set --
for file in /bin/bash /lib/*-linux-gnu/libc.so.6 /lib/*-linux-gnu/ld-linux*.so.* "$cached"/bin/bash "$cached"/bin/trace-cmd \
	"$cached"/lib/aarch64-linux-gnu/libc.so.6 "$cached"/lib/aarch64-linux-gnu/libstdc++.so.6; do
	[ ! -r "$file" ] || set -- "$@" "$file"
done
if python3 "$T_HERE/../host/cfi.py" "$(command -v cfitext)" "$@" > cfi.txt; then
	ok
else
	fail "$(cat cfi.txt)"
fi
