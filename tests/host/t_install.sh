#!/bin/bash
# as: root
# time: 240
# make install: what stands where, pages that the readers of pages take without a word, and what shells make of the completions.
. "$T_HERE/lib.sh"

need sonde make mandoc groff zsh python3
top=$T_HERE/../..
to=$PWD/root

# in_tree TARGET VARIABLE=VALUE...
in_tree() {
	env -u MAKEFLAGS -u MFLAGS make -C "$top" --no-print-directory "$@"
}

t install_puts_the_file_its_pages_and_completions
in_tree install DESTDIR="$to" PREFIX=/usr > log 2>&1 || { cat log; fail "make install: $?"; }
bin=$to/usr/bin
[ "$("$bin/sonde" --version)" = "$(sonde --version)" ] && [ "$(ls "$bin")" = sonde ] && ok || fail "in bin: $(ls "$bin")"
{
	ls "$top"/src/cmd/cmd_*.c | sed 's/.*cmd_/sonde-/'
	ls "$top"/src/cmd/ftrace/verb_*.c | sed 's/.*verb_/sonde-ftrace-/'
} | sed 's/\.c$/.1/; s/_/-/g' > want.txt
sonde manual --list | cut -f 1 | sed 's/$/.1/' | sort > listed.txt
ls "$to/usr/share/man/man1" | sort > pages.txt
cmp listed.txt pages.txt && ok || fail "not the pages that are listed"
[ "$(grep -Fxc -f want.txt pages.txt)" = "$(wc -l < want.txt)" ] && ok || fail "commands without a page"

t every_page_is_clean
for page in "$to"/usr/share/man/man1/*.1; do
	mandoc -Tlint -W warning "$page"
	groff -ww -z -man "$page"
done > lint.txt 2>&1
[ ! -s lint.txt ] && ok || { cat lint.txt; fail "pages with faults"; }

t a_page_says_what_the_help_says
MANPAGER=cat man -l "$to/usr/share/man/man1/sonde-ftrace-hist.1" > page.txt 2> /dev/null || mandoc -Tascii "$to/usr/share/man/man1/sonde-ftrace-hist.1" |
	col -b > page.txt
# Each long option of the help is an option of the page.
for option in $(sonde ftrace hist --help | grep -o '^ .\{5\}--[a-z0-9-]*' | grep -o -e '--.*'); do
	grep -q -e "$option" page.txt || echo "$option"
done > lacking.txt
[ "$(grep -c -e -- page.txt)" -gt 10 ] && [ ! -s lacking.txt ] && ok || { cat lacking.txt; fail "the page lacks options"; }

t links_only_when_asked_for_and_nobody_elses_file_goes
in_tree install DESTDIR="$to" PREFIX=/usr LINKS="perf trace-cmd" > log 2>&1 || fail "make install: $?"
[ "$("$bin/perf" --version)" = "$(sonde --version)" ] && [ "$(readlink "$bin/trace-cmd")" = sonde ] && ok || fail "links: $(ls -l "$bin")"
in_tree install DESTDIR="$to" PREFIX=/usr LINKS=perf > log 2>&1 && ok || fail "a second install: $(cat log)"
echo theirs > "$bin/perf-prof"
in_tree install DESTDIR="$to" PREFIX=/usr LINKS=perf-prof > log 2>&1 && fail "another program's name was taken" || ok
[ "$(cat "$bin/perf-prof")" = theirs ] && ok || fail "another program is gone"

completions=$PWD/completions
mkdir completions
cp "$to/usr/share/bash-completion/completions/sonde" completions/sonde.bash
cp "$to/usr/share/zsh/site-functions/_sonde" completions/
touch somefile.data
# What is typed, and what is offered then.
cat > typed <<-END
	sonde rec	record
	sonde ftrace funcp	funcprofile
	sonde record --fre	--freq
	sonde ftrace hist --ke	--key
	sonde list -	--json
	sonde report -i some	somefile.data
	sonde report --input=some	somefile.data
	sonde record -F 99 mktem	mktemp
	sonde record -a -- mktem	mktemp
	sonde record -e cpu-cl	cpu-clock
END
for shell in bash zsh; do
	t ${shell}_completes_our_command_lines
	mapfile -t lines < <(cut -f 1 typed)
	python3 "$top/tests/host/complete.py" $shell "$completions" "${lines[@]}" > offered
	[ "$(wc -l < typed)" = 10 ] && ok || fail "lines are lost"
	while read -r line; do
		grep -qFx -e "$line" offered && ok || fail "not offered: $line"
	done < typed
done

t uninstall_takes_away_what_install_put_there
in_tree uninstall DESTDIR="$to" PREFIX=/usr > log 2>&1 || fail "make uninstall: $?"
[ "$(find "$to" ! -type d)" = "$bin/perf-prof" ] && ok || fail "left: $(find "$to" ! -type d)"
