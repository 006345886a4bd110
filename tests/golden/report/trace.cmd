# A recording of nothing but tracepoints, as perf shows it: by the events' texts; with another key beside them; and what keys there are.
r="$SONDE --sysroot tests/none report -i tests/data/perf/tracepoints.data -g none"; $r; $r -q -s +comm; $r -x, -s trace_fields; $r -s nosuch
