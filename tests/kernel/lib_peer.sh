# tests/kernel/lib_peer.sh - perf's own tests, from where perf's package puts them, with sonde under the name perf. Sourced behind
# lib.sh by tests of the host and of the guests; what the two leave out on purpose is in peer_attrs.list and peer_shell.list.
#
#   peer_begin           leave the whole script, as by skip, where perf or its tests are not there
#   peer_attrs N [LINE]  the tests of attributes, a case for each; N of them at least can be opened here, and LINE is all that the
#                        list has too many
#   peer_shell NAME...   shell tests, a case for each

peer_begin() {
	need sonde perf peerperf python3 bash
	peer_perf=$(command -v perf)
	peer_version=$(perf version | sed 's/^perf version \([0-9]*\.[0-9]*\).*/\1/')
	peer_tests=
	for peer_dir in /usr/lib/perf-core/tests "/usr/lib/perf_$peer_version-core/tests" /usr/libexec/perf-core/tests; do
		[ ! -e "$peer_dir/attr.py" ] || { peer_tests=$peer_dir; break; }
	done
	[ -n "$peer_tests" ] || { t peers_tests; skip "perf $peer_version without its tests"; exit 0; }
	mkdir -p names logs
	cp "$(command -v peerperf)" names/perf
}

peer_attrs() {
	python3 "$T_HERE/peer_attrs.py" "$peer_tests" "$T_HERE/peer_attrs.list" "$peer_version" "$peer_perf" "$PWD/names/perf" > attrs
	cat attrs
	grep -v '^skip\|^unneeded' attrs > judged
	while read -r peer_verdict peer_test peer_why; do
		t "$(echo "attr_${peer_test#test-}" | tr '+-' '__')"
		[ "$peer_verdict" = ok ] && ok || fail "$peer_verdict $peer_why"
	done < judged
	t attrs
	[ "$(grep -c '^ok ' attrs)" -ge "$1" ] && ok || fail "$(grep -c '^ok ' attrs) of them, not $1"
	[ $# = 1 ] || eq "$(sed -n 's/^unneeded //p' attrs)" "$2"
}

# peer_run PROGRAM NAME LOG: its exit status. perf's own runner goes by #!, but some of those with sh there need bash.
peer_run() {
	PATH=$PWD/names:$PATH PEERPERF=$1 PEERBENCH=$peer_perf timeout -k 5 300 bash "$peer_tests/shell/$2.sh" > "$3" 2>&1
	echo $?
}

# peer_listed NAME STATUS LOG: is each failure in the log excused by a line of the list?
peer_listed() {
	grep -v '^#' "$T_HERE/peer_shell.list" | awk -v v="$peer_version" -v n="$1" -v s="$2" \
		'($1 == "*" || $1 == v) && $2 == n && $3 == s { sub(/^[^ ]+ +[^ ]+ +[^ ]+ +/, ""); sub(/ *#.*/, ""); print }' > excuses
	[ -s excuses ] && grep -qf excuses "$3" && ! grep -vf excuses "$3" | grep -E 'Failed|FAIL|^failed:'
}

# What sonde does not pass is looked at with perf: a test that perf does not pass here says nothing of us.
peer_shell() {
	for peer_name; do
		t "$(echo "shell_$peer_name" | tr '+-' '__')"
		if [ ! -e "$peer_tests/shell/$peer_name.sh" ]; then
			skip-kernel "perf $peer_version has no such test"
			continue
		fi
		peer_status=$(peer_run sonde "$peer_name" "logs/$peer_name")
		if [ "$peer_status" = 0 ]; then
			grep -qE "^(\*|$peer_version) +$peer_name " "$T_HERE/peer_shell.list" && fail "passes, though it is in the list" || ok
			continue
		fi
		peer_theirs=$(peer_run "$peer_perf" "$peer_name" logs/theirs)
		if [ "$peer_theirs" != 0 ]; then
			skip-kernel "perf's own ends with $peer_theirs"
		elif peer_listed "$peer_name" "$peer_status" "logs/$peer_name"; then
			ok
		else
			cat "logs/$peer_name"
			fail "ends with $peer_status, and not for what is in the list"
		fi
	done
}
