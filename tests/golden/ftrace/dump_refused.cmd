# What is not listed, and what tells it as well.
for o in --sections --strings; do $SONDE ftrace dump $o -i tests/data/dat/v7-zstd.dat; echo $?; done
$SONDE ftrace dump --options --flyrecord -i tests/data/dat/v7-zstd.dat | grep '@\|offset, size'
