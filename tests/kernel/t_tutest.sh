#!/bin/sh
# as: root
# time: 600
# kernels: 6.12
# trace-cmd's own unit tests, which call a trace-cmd that is us, and read our recordings by trace-cmd's library.
. "$T_HERE/lib.sh"

need sonde

t all_of_trace_cmds_tests
if [ ! -x /cache/utest/trace-utest ]; then
	skip-kernel "$(cat /cache/utest/why 2> /dev/null || echo 'not built: see tests/vm/utest')"
	exit 0
fi
mkdir utest tracecmd
cp /cache/utest/trace-utest utest
cp "$(command -v sonde)" tracecmd/trace-cmd
(cd utest && exec ./trace-utest -r trace-cmd) > out 2>&1
cat out
eq "$(grep -c '^ *Test: .*passed' out)" 8
eq "$(grep -cE '^ *Test: .*FAILED' out)" 0
sonde ftrace reset -q
