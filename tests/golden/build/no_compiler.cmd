# Without the compiler that was asked for.
d=$(mktemp -d); env -u MAKEFLAGS -u MFLAGS -u CC make ARCH=aarch64 CROSS_COMPILE=nowhere- O="$d" 2>&1 | sed "/^make/d; s/^[a-z/]*.mk:[0-9]*: //"; rm -r "$d"
