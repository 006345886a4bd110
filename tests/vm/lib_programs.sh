# tests/vm/lib_programs.sh - sourced by tests/probe/build and tests/chains/build: many programs of a few sources, of compilers that
# ccache knows nothing of. What came of the same sources and compilers before, in whatever folder, is in the cache.
#
#   programs_begin FOLDER OUTDIR   $OUT, OUTDIR's whole path, is empty, ours and the working folder; all is over if it has them
#   programs_end                   it has them

CROSS=${CROSS:-aarch64-linux-gnu}

# programs_begin FOLDER OUTDIR: FOLDER has the sources.
programs_begin() {
	mkdir -p "$2" && OUT=$(cd "$2" && pwd) || exit 1
	want=$({ find "$1" -type f -print0 | sort -z | xargs -0 cat; cat "${BASH_SOURCE[0]}"; $CROSS-gcc --version; $CROSS-ld --version
		clang --version; go version; /usr/bin/rustc --version; } 2>&1 | sha256sum | cut -c 1-16)
	kept=$(. "$VM/lib.sh" && echo "$CACHE/programs")/${1##*/}-$want
	[ "$(cat "$OUT/.stamp" 2> /dev/null)" != "$want" ] || exit 0
	[ -e "$OUT/.stamp" ] || rmdir "$OUT" || exit 1	# not ours to delete
	rm -rf "$OUT"
	cp -r "$kept" "$OUT" 2> /dev/null && touch "$kept" && exit 0
	rm -rf "$OUT" && mkdir -p "$OUT" && cd "$OUT" || exit 1
	echo unfinished > .stamp
}

# What nobody has asked for in two weeks goes. Where a program is missing it may be there the next time.
programs_end() {
	echo "$want" > "$OUT/.stamp"
	[ ! -e "$OUT/missing" ] && mkdir -p "${kept%/*}" && cp -r "$OUT" "$kept.$$" || return 0
	mv -T "$kept.$$" "$kept" 2> /dev/null || rm -rf "$kept.$$"
	find "${kept%/*}" -mindepth 1 -maxdepth 1 -mtime +14 -exec rm -rf {} +
}
