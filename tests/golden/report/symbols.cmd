# Where the recorded machine's programs and kernel lie, and names as the linker has them. scopes.data is of tests/data/dwarf/types4, called /tmp/scopes, and
# --no-demangle's names are those of perf 6.12; it shows parameters, too. For vmlinux see vmlinux.S.
d=$(mktemp -d)
mkdir $d/tmp
cp tests/data/dwarf/types4 $d/tmp/scopes
in=tests/data/perf/scopes.data
by_report() { $SONDE report -q -s sym -F overhead -i $in "$@" | grep .; }
by_script() { $SONDE script -F ip,sym -i $in "$@"; }
by_flame() { $SONDE flame --folded -e mem:0x400160:x -i $in "$@" 2> $d/err; }
by_report --symfs tests/none
by_report --symfs $d
by_report --symfs $d --no-demangle
by_script --symfs tests/none
by_script --symfs $d
by_script --symfs $d --no-demangle
by_flame --symfs tests/none
by_flame --symfs $d
by_flame --symfs $d --no-demangle
rm -r $d
in=tests/data/perf/arm-clock.data
by_report() { $SONDE --sysroot tests/none report -q --no-children -g none -s sym -i $in "$@" | head -n 3; }
by_script() { $SONDE --sysroot tests/none script -F ip,sym -i $in "$@" | grep -c clock_; }
by_flame() { $SONDE --sysroot tests/none flame --folded -i $in "$@" | grep -c clock_; }
by_report --vmlinux tests/data/perf/vmlinux
by_script --vmlinux tests/data/perf/vmlinux
by_flame --vmlinux tests/data/perf/vmlinux
