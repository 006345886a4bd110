#!/bin/sh
# as: root
# time: 240
# Files that are kept by their build ids, and packed for another machine, beside perf and tar.
. "$T_HERE/lib.sh"

need sonde perf workload tar gcc

mkdir own peer
own() {
	HOME=$PWD/own "$@"
}
peer() {
	HOME=$PWD/peer "$@"
}
# rows HOME COMMAND...: of perf's the program's alone, for it has the vDSO's names from the kept files only, and of two names
# of one place it may take the other.
rows() {
	home=$1
	case $2 in
	perf) which=' prog ' ;;
	*) which=. ;;
	esac
	shift
	HOME=$PWD/$home "$@" -q -s dso,sym 2> err | sed 's/ *$//' | grep -- "$which"
}

t recording_works_here
cp "$(command -v workload)" prog
if ! HOME=$PWD/none perf record -q -N -e cpu-clock -F 999 -o p.data ./prog shape 300 > said 2>&1; then
	skip "cannot record: $(head -n 1 said)"
	exit 0
fi
rows none sonde report -i p.data > names.sonde
has names.sonde 'prog .*hot_a'
rows none perf report --stdio -i p.data > names.perf
has names.perf 'prog .*hot_a'

t what_is_kept_lies_where_perf_puts_it
own sonde buildid-cache -v -a "$PWD/prog,/bin/ls" 2> err
has err 'kept /bin/ls'
peer perf buildid-cache -a "$PWD/prog,/bin/ls"
(cd own && find . ! -type d | sort) > got
(cd peer && find . ! -type d ! -name probes | sort) > want
[ "$(wc -l < got)" = 4 ] && cmp got want && ok || fail "$(diff got want)"
(cd own && find . -type l -exec readlink {} +) | sort > got
(cd peer && find . -type l -exec readlink {} +) | sort > want
cmp got want && ok || fail "$(diff got want)"
cmp prog own/.debug"$PWD"/prog/*/elf && ok || fail 'it is not the same file'

t lists_are_those_of_perf
own sonde buildid-cache -a "[kernel.kallsyms],[vdso]" 2> err && ok || fail "$(cat err)"
# Digits in them are no numbers.
for id in 0e05 1305 1e05 e205; do
	echo 'int main(void) { return 0; }' | gcc -o "p$id" -x c - "-Wl,--build-id=0x${id}e45b96f4d3cdf7d54f5918c22807b4d62f8d" &&
		own sonde buildid-cache -a "$PWD/p$id" && ok || fail "no p$id"
done
own perf buildid-cache -l > want
own sonde buildid-cache -l > got
[ -s got ] && cmp got want && ok || fail "$(diff got want)"
HOME=$PWD/none sonde buildid-cache --missing p.data > got
HOME=$PWD/none perf buildid-cache --missing p.data > want 2> /dev/null
[ -s got ] && [ "$(sort got)" = "$(sort want)" ] && ok || fail "$(diff got want)"

t what_was_added_is_not_missing
own sonde buildid-cache -M p.data > got
eq "$(cat got)" ""

t programs_that_are_gone_have_their_names
mv prog away
for command in 'sonde report' 'perf report --stdio'; do
	rows own $command -i p.data > got
	cmp got "names.${command%% *}" && ok || fail "$command: $(diff got "names.${command%% *}" | head -n 4)"
done
rows none sonde report -i p.data > got
! grep -q hot_a got && ok || fail 'names of a file that is not there'

t another_folder_is_named
rows none sonde --buildid-dir own/.debug report -i p.data > got
cmp got names.sonde && ok || fail "$(diff got names.sonde | head -n 4)"
rows none sonde --buildid-dir=own/.debug report -i p.data | cmp - names.sonde && ok || fail 'not with ='
PERF_BUILDID_DIR=own/.debug rows none sonde report -i p.data | cmp - names.sonde && ok || fail 'not by the variable'
mkdir -p root && cp -r own/.debug root/
rows none sonde report --symfs "$PWD/root" -i p.data | cmp - names.sonde && ok || fail 'not below --symfs'

t another_build_in_its_place_is_not_taken
cp /bin/ls prog
rows own sonde report -i p.data | cmp - names.sonde && ok || fail 'not the names of the recorded one'
rm prog

t an_archive_is_all_that_another_machine_needs
mv away prog
HOME=$PWD/none sonde archive -v p.data > said 2> err
has said 'tar xvf p.data.tar.gz -C ~/.debug'
has err "$PWD/prog"
mv prog away
mkdir -p there/.debug
tar xf p.data.tar.gz -C there/.debug 2> err && ok || fail "$(cat err)"
eq "$(cat err)" ""
for command in 'sonde report' 'perf report --stdio'; do
	rows there $command -i p.data > got
	cmp got "names.${command%% *}" && ok || fail "$command: $(diff got "names.${command%% *}" | head -n 4)"
done

t what_is_kept_is_packed_when_the_file_is_gone
own sonde archive -i p.data -o p.tar > said 2> err
tar tf p.tar > got 2> err
has got 'prog/[0-9a-f]*/elf'
HOME=$PWD/none sonde archive -i p.data -o q.tar > said 2> err
has err "left out: .*/prog: "
has err '1 of [0-9]* files are left out'

t long_names_are_packed
long=$(printf 'a%.0s' $(seq 120))
mkdir -p "$long" && cp away "$long/prog"
HOME=$PWD/none perf record -q -N -e cpu-clock -F 999 -o long.data "$long/prog" shape 100 > said 2>&1
HOME=$PWD/none sonde archive long.data > said 2> err
mkdir -p far/.debug
tar xf long.data.tar.gz -C far/.debug 2> err
eq "$(cat err)" ""
rm -r "$long"
rows far sonde report -i long.data > got
has got 'prog .*hot_a'

t what_is_forgotten_is_gone
mv away prog
own sonde buildid-cache -v -r "$PWD/prog" 2> err
has err forgotten
own sonde buildid-cache -l > got
! grep -q prog got && ok || fail 'it is still there'
own sonde buildid-cache -a "$PWD/prog" && own sonde buildid-cache -v -u "$PWD/prog" 2> err
has err 'kept'
own sonde buildid-cache --purge "$PWD/prog,/usr/bin/none"
own sonde buildid-cache -l > got
! grep -q prog got && ok || fail 'it is still there'
own sonde buildid-cache -P
own sonde buildid-cache -l > got
eq "$(cat got)" ""
eq "$(cd own && find . ! -type d)" ""

t links_that_lead_out_are_not_followed
mkdir -p victim/0011223344556677 own/.debug/.build-id/00 && touch victim/0011223344556677/elf
ln -s ../../../../victim/0011223344556677 own/.debug/.build-id/00/11223344556677
own sonde buildid-cache -P 2> err
has err 'leads out'
[ -e victim/0011223344556677/elf ] && ok || fail 'a file outside was removed'

t what_has_no_build_id_is_told
echo text > text
own sonde buildid-cache -a text 2> err
eq $? 1
has err 'text has no build id'
own sonde buildid-cache -k x 2> err
has err 'are not kept'
sonde archive --unpack 2> err
has err 'tar xf FILE'
sonde archive --all 2> err
has err 'the recording itself'
sonde buildid-cache --debuginfod 2> err
has err 'from the network'
sonde buildid-cache --target-ns 1 2> err
has err '/proc/PID/root'
own sonde buildid-cache --force -l > got
eq "$(cat got)" ""
