#!/bin/sh
# time: 1200
# kernels: 6.12
# Every definition of tests/probe/defs on the programs it is for: what the probes print in the kernel's own text is what
# the program's source says; what perf can define too prints the same there.
. "$T_HERE/lib.sh"

need sonde
PROBES=$(dirname "$T_HERE")/bin/probe
TRACING=/sys/kernel/tracing
t programs
[ -s "$PROBES/defs" ] || { skip "the programs are not built"; exit 0; }
[ ! -s "$PROBES/missing" ] || cat "$PROBES/missing"
ok

# What is read from debug information that lies elsewhere or is written in another way.
FEW='^(add a b|ten a|take_outer o->next|take_outer o->in[.]low|twice v|add%return|add global_pair|done|matrix[.]c:[0-9]+ sum)'

# rows PROGRAM [FEW]: its lines of the table, as "N PEER DEFINITION VALUES" with tabs, in the file rows.
rows() {
	awk -F ' [|] ' -v p="$1" -v few="${2:-.}" '
		/^#/ || !NF { next }
		{ n = split($1, g, " +"); hit = 0 }
		{ for (i = 1; i <= n; i++) {
			re = g[i]; if (re == "") continue
			gsub("[.]", "[.]", re); gsub("[*]", ".*", re); gsub("[?]", ".", re)
			if (p ~ "^" re "$") hit = 1
		} }
		{ d = $3; sub("^ *", "", d); sub(" *$", "", d) }
		hit && d ~ few { v = $4; for (i = 5; i <= NF; i++) v = v " | " $i
			w = $2; gsub(" ", "", w); sub(" *$", "", v); printf "%d\t%s\t%s\t%s\n", NR, w, d, v }' "$PROBES/defs" > rows
}

# define PROGRAM PREFIX PEER TOOL...: all rows of that peer at once, as events PREFIX + row in a group of that name; one by one
# when that fails, so that the bad one is known.
define() {
	file=$PROBES/$1 prefix=$2 only=$3
	shift 3
	tool=$*
	set --
	while IFS='	' read -r n who d v; do
		case $only$v in perf*) [ "$who" = perf ] || continue ;; esac
		case $v in NO*) continue ;; esac
		set -- "$@" -a "probed:$prefix$n=$d"
		[ $# -lt 100 ] || { define_some "$@"; set --; }
	done < rows
	[ $# = 0 ] || define_some "$@"
}

define_some() {
	$tool probe -q -x "$file" "$@" > define.out 2>&1 < /dev/null && return
	grep . define.out | head -n 3
	while [ $# -gt 0 ]; do
		$tool probe -q -x "$file" -a "$2" > define.out 2>&1 < /dev/null || {
			fail "not defined: $tool probe -x ${file##*/} '${2#*=}': $(grep -m 1 . define.out)"
		}
		shift 2
	done
}

# refused PROGRAM: what must be, is, with the word that the table has.
refused() {
	while IFS='	' read -r n who d v; do
		case $v in NO*) ;; *) continue ;; esac
		if out=$(sonde probe -x "$PROBES/$1" -D "$d" 2>&1 < /dev/null); then
			fail "$1: '$d' is taken: $out"
			continue
		fi
		case $out in
		*"${v#NO }"*) ok ;;
		*) fail "$1: '$d': no '${v#NO }' in: $out" ;;
		esac
	done < rows
}

# hits COMMAND...: run it; its events are in the file hits.
hits() {
	echo > $TRACING/trace
	echo 1 > $TRACING/events/probed/enable
	"$@" > /dev/null
	eq $? 0
	echo 0 > $TRACING/events/probed/enable
	cat $TRACING/trace > hits
	echo > $TRACING/trace
}

# compare PREFIX PEER PROGRAM: the hits of each row against its values; one process for all.
compare() {
	awk -F '\t' -v prefix="$1" -v only="$2" '
		NR == FNR {
			if (/^#/ || !match($0, ": [ps][0-9]+[_a-z0-9]*: [(]"))
				next
			e = substr($0, RSTART + 2, RLENGTH - 5); sub("_.*", "", e)
			v = substr($0, RSTART + RLENGTH); sub("^[^)]*[)] ?", "", v)
			got[e] = got[e] (n[e]++ ? "; " : "") v
			next
		}
		$4 ~ /^NO/ || only == "perf" && $2 != "perf" { next }
		{ e = prefix $1; re = $4; gsub(/[][().+\\]/, "[&]", re); gsub("[*]", ".*", re) }
		$4 == "+" { if (!n[e]) print "never hit: " $3; next }
		$4 ~ /^[0-9]+x$/ { if (n[e] + 0 != $4 + 0) print n[e] + 0 " hits, not " $4 + 0 ": " $3; next }
		got[e] !~ "^" re "$" { print $3 ": got \"" got[e] "\", not \"" $4 "\"" }' hits rows > bad
	[ -s bad ] || { ok; return; }
	cat bad
	read -r first < bad
	fail "$3: $first"
}

# program NAME [RUN [FEW]]: the whole of it; RUN is what is run, another one when NAME is a library.
program() {
	t "$1"
	[ -e "$PROBES/$1" ] || { skip "$1 is not built: see tests/probe/build"; return; }
	rows "$1" "${3:-}"
	refused "$1"
	define "$1" s any sonde
	case " $PEERS " in *" $1 "*) define "$1" p perf perf ;; esac
	if [ -d $TRACING/events/probed ]; then
		hits "$PROBES/${2:-$1}"
		compare s any "$1"
		case " $PEERS " in *" $1 "*) compare p perf "perf, $1" ;; esac
	fi
	sonde probe -q -d 'probed:*' > out 2>&1 || { [ ! -d $TRACING/events/probed ] || fail "$(cat out)"; }
	[ ! -d $TRACING/events/probed ] && ok || fail "left: $(ls $TRACING/events/probed)"
}

PEERS=
mkdir upper work
modprobe overlay && mount -t overlay -o "lowerdir=/usr/lib,upperdir=$PWD/upper,workdir=$PWD/work" usrlib /usr/lib &&
	mkdir -p /usr/lib/debug && cp -r "$PROBES/debug/." /usr/lib/debug/

for p in ${PROGRAMS:-mg0 mg2 mc0 mc2 mg1 mc1d4 xx0 xx2 gofull gobare rsold rsnew usdt excl bare2 syms2 mg2static}; do
	case $SONDE_VM/$p in 6.12/mg0 | 6.12/mg2 | 6.12/mc2) PEERS=$p ;; *) PEERS= ;; esac
	program "$p"
done
program libprobed.so puser
# Where the debug information is elsewhere, or is written in another way: nothing but the reading differs.
[ "$SONDE_VM" != 6.12 ] || for p in mg2d4 mg2zlib mg2zstd mg2bti mg2split mg2split4 mg2dwp4 mc2dwp mc2bti mg2link mg2id mg2dwz; do
	program "$p" "$p" "$FEW"
done
umount /usr/lib 2> /dev/null || umount -l /usr/lib
exit 0
