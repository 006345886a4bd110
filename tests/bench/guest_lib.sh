# guest_lib.sh - for the benches that run in a guest. Sourced.

# median: of one number a line.
median() {
	sort -n | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'
}

# row NAME OURS THEIRS UNIT
row() {
	awk -v n="$1" -v a="$2" -v b="$3" -v u="$4" 'BEGIN { printf "%-36s %10.4g %10.4g %-8s %8.4f\n", n, a, b, u, (b ? a / b : 0) }'
}
