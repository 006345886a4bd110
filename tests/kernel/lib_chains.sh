# tests/kernel/lib_chains.sh - programs of known call chains (tests/chains), recorded, and how many of their samples have them. Sourced
# behind lib.sh.
#
#   chains_ours PROGRAM MODE    a case: record it with call graphs of that mode, dwarf or fp; at least 99 % of the samples in the
#                               innermost function of each shape have the shape's chain, or CHAINS_LEAST of 1000
#   chains_theirs PROGRAM MODE  perf's score of a recording of its own, for the table
#   chains_table                what was measured

CHAINS=/host/chains
CHAINS_MS=60	# of each shape

# chains_score TEXT TRUTH MODE NM: "OF1000 SAMPLES LEAVES-WITHOUT-SAMPLES WRONG..." of a script's text; NM may be empty.
chains_score() {
	awk -v mode="$3" -v nm="$4" -v truth="$2" '
	function plain(s) {
		sub(/ \(inlined\)$/, "", s)
		sub(/::h[0-9a-f]+$/, "", s)
		while (gsub(/<[^<>]*>/, "", s)) ;
		sub(/\(([^*].*)?$/, "", s)
		sub(/\.(abi0|cold|part|constprop|isra).*/, "", s)
		sub(/.* /, "", s)
		return s
	}
	function value(hex, i, v) {
		for (i = 1; i <= length(hex); i++)
			v = v * 16 + index("123456789abcdef", substr(hex, i, 1))
		return v
	}
	# Of a file that has no names. Those further out are return addresses.
	function named(address, is_return, s, i, v) {
		if (!((address, is_return) in known)) {
			v = value(address) - is_return
			for (i = 1; i <= n_nm && !(v >= from[i] && v < to[i]); i++) ;
			known[address, is_return] = i <= n_nm ? name[i] : s
		}
		return known[address, is_return]
	}
	function is_right(t, n_t, k, i) {
		k = 1
		for (i = 1; i <= n_t; i++) {
			if (t[i] == "?" || t[i] == "*") {
				if (k > depth || f[k] ~ /m_/)
					return 0
				k++
			}
			if (t[i] == "*" || t[i] == "~") {
				while (k <= depth && f[k] !~ /m_/ && f[k] != t[i + 1])
					k++
			} else if (t[i] != "?") {
				if (k > depth || f[k] != t[i])
					return 0
				k++
			}
		}
		return 1
	}
	function end(n_t, t, i, line) {
		if (depth && f[1] in chain) {
			n[f[1]]++
			all++
			n_t = split(chain[f[1]], t, " ")
			if (is_right(t, n_t)) {
				right++
			} else {
				for (i = 1; i <= depth; i++)
					line = line " " f[i]
				wrong[line]++
			}
		}
		depth = 0
	}
	BEGIN {
		while ((getline < truth) > 0) {
			if (mode == "fp")
				gsub(/ \([^)*]*\)/, "")
			else
				while (match($0, / \([^)*]*\)/))
					$0 = substr($0, 1, RSTART) substr($0, RSTART + 2, RLENGTH - 3) substr($0, RSTART + RLENGTH)
			chain[$1] = $0
		}
		while (nm != "" && (getline < nm) > 0) {
			name[++n_nm] = $3
			from[n_nm] = value($1)
			to[n_nm] = from[n_nm] + value($2)
		}
	}
	/^[^ \t]/ || NF == 0 { end(); next }
	{
		address = $1
		sub(/^[ \t]*[0-9a-f]+ /, "")
		s = plain($0)
		f[depth + 1] = n_nm ? named(address, depth > 0, s) : s
		depth++
	}
	END {
		end()
		for (leaf in chain)
			few = few (n[leaf] < 2 ? "," leaf : "")
		print all ? int(right * 1000 / all) : 0, all + 0, few == "" ? "none" : few
		for (line in wrong)
			print "  " wrong[line] " times" line
	}' "$1"
}

chains_nm() {
	[ ! -e "$CHAINS/$1.nm" ] || echo "$CHAINS/$1.nm"
}

# chains_graph MODE: the options for it.
chains_graph() {
	[ "$1" = fp ] && echo -g || echo --call-graph dwarf
}

chains_ours() {
	t "$1_$2"
	if [ ! -e "$CHAINS/$1" ]; then
		skip "there is no $1"
		return
	fi
	for chains_ms in $CHAINS_MS $((4 * CHAINS_MS)) $((16 * CHAINS_MS)); do
		sonde record -q -e cpu-clock:u -F 997 $(chains_graph "$2") -o chains.data "$CHAINS/$1" $chains_ms > out 2>&1 || cat out
		sonde script -i chains.data -F comm,ip,sym > text 2> err
		chains_score text "$CHAINS/$1.truth" "$2" "$(chains_nm "$1")" > score
		read -r chains_right chains_all chains_few < score
		# Where the emulator has to wait for the host the time goes on, and samples are left out: longer, then.
		case $chains_few in *,*,*,*) ;; *) [ "$chains_all" -lt 20 ] || break ;; esac
	done
	echo "$1 $2 ours $chains_right $chains_all" >> chains.table
	cat err
	sort -k 1,1nr score | head -n 12
	[ "$chains_right" -ge "${CHAINS_LEAST:-990}" ] && ok || fail "$chains_right of 1000"
	[ "$chains_all" -ge 20 ] && ok || fail "few samples: $chains_all"
	# One may be unlucky: an emulated processor is interrupted at some instructions only.
	case $chains_few in *,*,*,*) fail "no samples in $chains_few" ;; *) ok ;; esac
}

# As where stacks that perf has copied are tested: it may ask for a register that the kernel refuses.
chains_regs=$(for n in 0 1 2; do for k in 0 1 2 3 4 5 6 7 8 9; do echo "x$((n * 10 + k)),"; done; done | tr -d '\n')lr,sp,pc

chains_theirs() {
	[ -e "$CHAINS/$1" ] || return 0
	set -- "$1" "$2" perf record -q -e cpu-clock:u -F 997 $(chains_graph "$2") -o perf.data
	chains_program=$1 chains_mode=$2
	shift 2
	"$@" "$CHAINS/$chains_program" $CHAINS_MS > out 2>&1 ||
		"$@" --user-regs="$chains_regs" "$CHAINS/$chains_program" $CHAINS_MS > out 2>&1 || cat out
	perf script -i perf.data --no-inline -F comm,ip,sym > text 2> err
	# What is inlined takes a process for each address.
	grep -v m_inline_leaf "$CHAINS/$chains_program.truth" > truth
	chains_score text truth "$chains_mode" "$(chains_nm "$chains_program")" > score
	read -r chains_right chains_all chains_few < score
	echo "$chains_program $chains_mode perf $chains_right $chains_all" >> chains.table
	sort -k 1,1nr score | head -n 6 | sed 's/^/perf: /'
	# the same recording, read by us
	[ "$chains_mode" = dwarf ] || return 0
	sonde script -i perf.data --no-inline -F comm,ip,sym > text 2> err
	chains_score text truth "$chains_mode" "$(chains_nm "$chains_program")" > score
	read -r chains_right chains_all chains_few < score
	echo "$chains_program $chains_mode reads $chains_right $chains_all" >> chains.table
}

chains_table() {
	echo "program        mode   of 1000 right: ours, perf, perf's recording read by us"
	awk '{ k = $1 " " $2; if (!(k in seen)) { seen[k]; order[++n] = k } v[k, $3] = $4 }
		END { for (i = 1; i <= n; i++) { split(order[i], p, " ")
			printf "%-14s %-5s %5s %5s %5s\n", p[1], p[2], v[order[i], "ours"], v[order[i], "perf"], v[order[i], "reads"] } }' chains.table
}
