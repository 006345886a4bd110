# A thread by DPDK's name on the second CPU, and what took it: programs of a higher priority, interrupts.
of() { echo "# $*"; $SONDE --sysroot tests/none pmd steal -i tests/data/prof/steal.data "$@" 2>&1; }
of
of --than 15ms --perins -q
of -i 500 --input tests/data/prof/steal.data -x,
of -C 0
of -t 1 -j
