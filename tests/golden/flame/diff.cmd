# Beside an older recording: both weights, and colours by what has become of it.
f="$SONDE --sysroot tests/none flame --max-stack 3"
p=tests/data/perf
$f --diff $p/clock.data --folded $p/multi.data 2>/dev/null | head -n 12
$f --diff $p/clock.data -o - $p/multi.data 2>/dev/null | grep -o '([-+][0-9.]*, itself [-+][0-9.]*)</title>.*class="[^"]*"' | sed 's/<.*class/ class/' | head -n 12
$f --diff $p/clock.data -o - $p/clock.data 2>/dev/null | grep -o '([-+][0-9.]*, itself [-+][0-9.]*)' | sort -u
$f --diff $p/clock.data -e nothing $p/multi.data
$f --diff $p/tracepoints.data $p/clock.data
$f --diff tests/none/at_all $p/clock.data
