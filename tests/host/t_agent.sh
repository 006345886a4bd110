#!/bin/sh
# as: root user
# time: 200
# sonde ftrace agent with who may not ask, and with requests that are none or ask for what an agent does not do. What it
# does do is for kernels that let it: t_tagent.
. "$T_HERE/lib.sh"
. "$T_HERE/lib_wait.sh"

need sonde python3

asker() {
	python3 "$T_HERE/../host/asker.py" "$@" > said
	tail -n 1 said
}

# listens OPTION...: an agent for this machine; its port is in port.
listens() {
	rm -f log
	sonde ftrace agent -p 0 "$@" 2> log &
	agent=$!
	wait_for grep 'listening on' log
	port=$(sed -n 's/.*listening on port \([0-9]*\).*/\1/p' log)
}

ends() {
	kill -INT $agent
	wait_for is_over $agent
	wait $agent
	eq $? 0
	cat log
}

t only_the_one_that_is_named
listens -N 127.0.0.2
asker $port ask -e sched > how
has how '^(closed|reset)$'
has log '127.0.0.1:[0-9]+ may not ask'
eq "$(asker -s 127.0.0.2 $port junk)" 'refused: no request has come: Bad message'
ends

t who_is_silent_is_dropped
listens -N 127.0.0.1 --timeout 1
for how in silent half; do
	eq "$(asker $port $how)" 'refused: no request has come: Operation timed out'
done
ends

t no_request
listens -N 127.0.0.1
eq "$(asker $port kind)" 'refused: what came is no request for a trace'
eq "$(asker $port lie)" 'refused: what came is no request for a trace'
eq "$(asker $port ask)" 'refused: no event and no tracer was given'
ends

# Whatever would leave something here, write here, or go elsewhere.
t what_an_agent_does_not_do
listens -N 127.0.0.1 --verbose
for options in '-o x' '-N 127.0.0.1:1' '-A 127.0.0.1:1' -k '-m 10' '--temp .' '--user nobody' --daemonize --proc-map -F '-B other'; do
	eq "$(asker $port ask $options -e sched)" "refused: ${options%% *}: an agent does not do that"
done
eq "$(asker $port ask -e sched ls)" "refused: 'ls': an agent runs no commands"
eq "$(asker $port ask -e sched -- ls)" "refused: 'ls': an agent runs no commands"
eq "$(asker $port ask -p wakeup)" 'refused: -p wakeup leaves a text, which cannot be sent'
eq "$(asker $port ask -e sched --evnt)" "refused: unknown option --evnt"
eq "$(asker $port ask -e sched --file-version 6 --compression zstd)" 'refused: a file of version 6 cannot be compressed'
eq "$(asker $port ask -e sched --compression lzma)" "refused: --compression: none, zstd, zlib or any, not 'lzma'"
eq "$(ls | grep -vxE 'how|log|said')" ''
ends

# The second is told so at once; the first is still being served.
t one_at_a_time
listens -N 127.0.0.1
python3 "$T_HERE/../host/asker.py" $port silent > first &
first=$!
wait_for grep connected first
wait_for grep ': connected' log
eq "$(asker $port ask -e sched)" 'refused: this agent records for somebody else now'
wait $first
ends

# It ends at once, whoever is connected.
t it_ends_with_a_client
listens -N 127.0.0.1
python3 "$T_HERE/../host/asker.py" $port silent > first &
first=$!
wait_for grep ': connected' log
ends
wait $first

t in_the_background
sonde ftrace agent -p 0 -N 127.0.0.1 -D 2> log
eq $? 0
port=$(sed -n 's/.*listening on port \([0-9]*\).*/\1/p' log)
eq "$(asker $port ask)" 'refused: no event and no tracer was given'
agent=$(pgrep -n -f "ftrace agent -p 0 -N 127.0.0.1 -D")
kill -INT $agent
wait_for is_over $agent

t wrong_usage
sonde ftrace agent -P 3 2> err
eq $? 2
has err 'run the agent in the guest'
sonde ftrace agent -N nowhere.invalid 2> err
eq $? 2
has err "no address is known for 'nowhere.invalid'"
sonde ftrace agent -N 127.0.0.1 --cid 3 2> err
eq $? 2
sonde ftrace agent --notimeout 2> err
eq $? 2
has err '--timeout S'
sonde ftrace agent --debug -p port 2> err
eq $? 2
has err "'port' is no port"

# What record is asked of guests, before anybody is asked.
t record_with_guests_that_cannot_be
sonde ftrace record -A 127.0.0.1:1 -e sched -o x.dat true 2> err
eq $? 2
has err '-o: behind -A options are the guest'
sonde ftrace record -A nowhere.invalid:7 -e sched true 2> err
eq $? 1
has err 'NAME@CID:PORT'
sonde ftrace record -A 127.0.0.1:1 -e sched true 2> err
eq $? 1
has err '127.0.0.1: cannot connect to port 1: Connection refused'
sonde ftrace record -A 127.0.0.1:1 --file-version 6 --compression none -e sched true 2> err
eq $? 1
has err '127.0.0.1: cannot connect to port 1: Connection refused'
sonde ftrace record --name x -e sched true 2> err
eq $? 2
has err 'before any -A'
sonde ftrace record -A 127.0.0.1:1 --name ../x -e sched true 2> err
eq $? 2
sonde ftrace record -A 127.0.0.1:1 --tsync-interval often -e sched true 2> err
eq $? 2
sonde ftrace record --tsync-interval 5 -e sched true 2> err
eq $? 2
has err 'goes with -A'
sonde ftrace record -N 127.0.0.1:1 -A 127.0.0.1:1 -e sched true 2> err
eq $? 2
sonde ftrace start -e sched -A 127.0.0.1:1 2> err
eq $? 2
has err 'only record has guests record'
eq "$(ls | grep -c dat)" 0
