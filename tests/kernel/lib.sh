# tests/kernel/lib.sh - sourced by the t_*.sh scripts; works in bash, dash and busybox sh.
#
#   t NAME               start a case; it lasts until the next one or the end of the script
#   ok                   a check passed
#   fail WHY             a check failed; the script goes on
#   eq GOT WANT          the two strings are the same
#   has FILE PATTERN     FILE has a line that matches the extended regular expression
#   skip WHY             cannot be tested here; inside the VM, where everything is to be had, that fails
#   skip-kernel WHY      this kernel really lacks it: a skip also inside the VM
#   need CMD...          leave the whole script, as by skip, unless all the commands are there
#
# A case passes if at least one check passed and none failed: a case without a check fails, and so
# does one that is open when the script ends with an exit status other than 0.
#
# From tests/kernel/run: T_NAME (script), T_LOG (its output), T_RES (results, appended), T_AS (root or
# user), T_HERE (folder of the tests); the working folder is fresh and writable.

t_case=
t_state=
t_why=
t_from=0

# t_close: write the result of the open case.
t_close() {
	[ -n "$t_case" ] || return 0
	case ${t_state:-none} in
	none) t_state=FAIL t_why="no check was made" ;;
	skip) [ -z "${SONDE_VM:-}" ] || t_state=FAIL t_why="skipped inside the VM: $t_why" ;;
	kernel) t_state=skip ;;
	esac
	printf '%-4s %s.%s%s\n' "$t_state" "$T_NAME" "$t_case" "${t_why:+ ($t_why)}" >> "$T_RES" || exit 125   # as the runner knows
	[ "$t_state" != FAIL ] || tail -c "+$((t_from + 1))" "$T_LOG" | tail -n 60 | sed 's/^/    | /' >> "$T_RES"
	t_now
	echo "case $t_case took $((t_tenths - t_start)) tenths of a second"
	t_case=
}

# t_end STATUS: the script ends.
t_end() {
	if [ "$1" != 0 ]; then
		[ -n "$t_case" ] || t exit
		fail "the script ended with exit status $1"
	fi
	t_close
}

# t_now: tenths of seconds since the machine started, without a process.
t_now() {
	read -r t_tenths t_rest < /proc/uptime
	t_tenths=${t_tenths%.*}${t_tenths#*.}
	t_tenths=${t_tenths%?}
}

t() {
	t_close
	t_now
	t_case=$1 t_state= t_why= t_start=$t_tenths
	t_from=$(($(wc -c < "$T_LOG")))
}

ok() {
	[ -n "$t_state" ] || t_state=ok
}

fail() {
	echo "fail: $*"
	[ "$t_state" = FAIL ] || t_why=$*
	t_state=FAIL
}

skip() {
	[ "$t_state" = FAIL ] || t_state=skip t_why=$*
}

skip_kernel() {
	[ "$t_state" = FAIL ] || t_state=kernel t_why=$*
}

# A function of that name is not portable, an alias is.
[ -z "${BASH_VERSION:-}" ] || shopt -s expand_aliases
alias skip-kernel=skip_kernel

# differing A B: the lines that only one of them has, "-" or "+" in front: the form that the diffs of busybox and GNU share.
differing() {
	diff -U 0 "$1" "$2" | sed '/^[-+][-+][-+] /d; /^[-+]/!d'
}

# table_rows: of a report's table. perf's tip of the day, one of which speaks of 5%, is a comment as the heads are.
table_rows() {
	grep -v '^#' | grep '%'
}

# script_as_perf FILE FIELDS: sonde's; where this perf has no dsoff, it shows addresses of programs as places in their files.
script_as_perf() {
	if perf script -F list 2>&1 | grep -q dsoff; then
		sonde script -i "$1" -F "$2" 2> /dev/null
	else
		sonde script -i "$1" -F "$2,dso,dsoff" 2> /dev/null |
			awk '/^\t/ { $0 = sprintf("\t%16s", match($0, /\+0x[0-9a-f]+\)$/) ? substr($0, RSTART + 3, RLENGTH - 4) : $1) } { print }'
	fi
}

eq() {
	if [ "$1" = "$2" ]; then
		ok
	else
		fail "got '$1', not '$2'"
	fi
}

has() {
	if grep -qE -e "$2" "$1"; then
		ok
	else
		sed 's/^/has: /' "$1" | tail -n 40
		fail "no line of $1 matches '$2'"
	fi
}

need() {
	for t_cmd; do
		command -v "$t_cmd" > /dev/null && continue
		[ -n "$t_case" ] || t need
		skip "no command $t_cmd"
		exit 0
	done
}

trap 't_end $?' EXIT
trap 'exit 143' TERM
