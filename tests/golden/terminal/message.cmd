# A message with a name in it; and what is ours, colours, arrives.
tests/golden/tty $SONDE report -i "$(printf 'no\033[31m\233')" 2>&1 | cat -v
TERM=xterm tests/golden/tty $SONDE --sysroot tests/data/root/vm doctor 2>&1 | grep '\[3.m' | head -n 2 | cat -v
