# tests/captures/lib.sh - sourced behind tests/kernel/lib.sh by both halves of a capture (see run).
#
# In the guest, where it is made, all of it in one case, `recorded`:
#   begin NAME           what is taken from now on belongs to the case of that name
#   lacks WHY            this kernel has nothing for it
#   take                 make a folder for one comparison, $taken
#   keep FILE...         the end: cases, and these files, become the capture
#
# On the host, in $CAPTURE:
#   cases                run `compare FOLDER` for each comparison of each case
#   case_is NAME         the same for one case, which the script has begun

begin() {
	c_cases=$((${c_cases:-0} + 1)) c_takes=0
	c_dir=cases/$(printf '%02d-%s' $c_cases "$1")
	echo "begin $1"
	mkdir -p "$c_dir"
}

lacks() {
	echo "$1" > "$c_dir/lacks"
}

take() {
	c_takes=$((c_takes + 1))
	taken=$c_dir/$(printf '%02d' $c_takes)
	mkdir "$taken"
}

keep() {
	tar -cf /host/capture.tar cases "$@" && ok || fail "tar"
}

case_of() {
	if [ -e "$1/lacks" ]; then
		skip-kernel "$(cat "$1/lacks")"
		return
	fi
	for c_dir in "$1"/[0-9]*; do
		compare "$c_dir"
	done
}

cases() {
	for c_case in "$CAPTURE"/cases/*; do
		t "${c_case##*/[0-9][0-9]-}"
		case_of "$c_case"
	done
}

case_is() {
	case_of "$CAPTURE"/cases/[0-9][0-9]-"$1"
}
