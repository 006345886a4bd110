# tests/vm/lib_archive.sh - sourced behind lib.sh by what takes files of Debian's archive: the one that this machine's apt uses. Trust goes
# keyring -> InRelease -> index -> file.

KEYRING=/usr/share/keyrings/debian-archive-keyring.gpg
FRESH=60	# minutes for which a suite's index is believed

# uri_of SUITE: the base URI it is found under.
uri_of() {
	local label=Debian uri
	case $1 in *-security) label=Debian-Security ;; esac
	uri=$(archive "$label")
	[ -n "$uri" ] || die "apt knows no archive labelled '$label': add a Debian source and apt-get update"
	echo "$uri"
}

# get URI FILE [SHA256]: download with apt's own transport, whole or not at all.
get() {
	rm -f "$2.part"
	/usr/lib/apt/apt-helper -q=2 -o Acquire::Retries=3 -o APT::Sandbox::User=root \
		download-file "$1" "$2.part" ${3:+"SHA256:$3"} > "$TMP/get.log" 2>&1 || {
		cat "$TMP/get.log" >&2
		return 1
	}
	[ -z "${3:-}" ] || echo "$3  $2.part" | sha256sum --check --quiet || return 1
	mv "$2.part" "$2"
}

# suite_index SUITE INDEX FILE: leaves that verified in $CACHE/lists/FILE; 2 if it cannot be downloaded.
suite_index() {
	local suite=$1 index=$2 file=$CACHE/lists/$3 base sum
	[ -z "$(find "$file" -mmin -$FRESH 2> /dev/null)" ] || return 0
	base=$(uri_of "$suite")dists/$suite
	get "$base/InRelease" "$TMP/InRelease" || return 2
	rm -f "$TMP/Release"
	gpgv -q --keyring "$KEYRING" --output "$TMP/Release" "$TMP/InRelease" 2> "$TMP/gpgv.log" || {
		cat "$TMP/gpgv.log" >&2
		die "InRelease of $suite has no good signature"
	}
	grep -qx "Codename: $suite" "$TMP/Release" || die "InRelease of $suite is of another suite"
	sum=$(awk -v f="$index" '/^[A-Z]/ { on = $1 == "SHA256:" } on && $3 == f { print $1 }' "$TMP/Release")
	[ -n "$sum" ] || die "InRelease of $suite does not list $index"
	get "$base/$index" "$TMP/index.xz" "$sum" || return 2
	mv "$TMP/index.xz" "$file"
}

# An archive that changes meanwhile gives an index that is not the one listed: 2 is worth another look, but for what is not
# there at all.
# index_locked SUITE INDEX FILE
index_locked() (
	lock "list-${3%.xz}"
	mkdir -p "$CACHE/lists"
	for try in 1 2 3; do
		status=0
		suite_index "$@" || status=$?
		[ $status = 2 ] && ! grep -q ' 404 ' "$TMP/get.log" && [ $try != 3 ] || return $status
		sleep $((try * 10))
	done
)
