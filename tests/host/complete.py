"""complete.py SHELL FOLDER LINE... - what SHELL offers when LINE is typed and TAB pressed: "LINE<tab>WORD" for each word. FOLDER has
sonde.bash, or for zsh _sonde."""
import os
import pty
import re
import select
import subprocess
import sys
import time

BASH = 'source "$1"; COMP_LINE=$2 COMP_POINT=${#2}; COMP_WORDS=($2); _sonde; printf "%s\\n" "${COMPREPLY[@]}"'
# What is offered goes through compadd: -O fills an array with those that match.
ZSH = r"""
fpath=("$DIR" $fpath); autoload -U compinit; compinit -u -D; PS1=; unsetopt zle_bracketed_paste
compadd() {
	local -a hits; integer at=$@[(I)(-O|-A|-D)]
	(( at )) && { builtin compadd "$@"; return }
	builtin compadd -O hits "$@"; print -rl -- "<${^hits}>" >> $DIR/offered
	builtin compadd "$@"
}
"""


def bash(folder, lines):
    for line in lines:
        run = subprocess.run(["bash", "--norc", "-c", BASH, "bash", folder + "/sonde.bash", line], capture_output=True, text=True, check=False)
        sys.stderr.write(run.stderr)
        yield line, run.stdout.split("\n")


def wait_for(fd, text, seconds=20):
    got, end = b"", time.time() + seconds
    while text not in got and time.time() < end:
        if select.select([fd], [], [], 0.1)[0]:
            got += os.read(fd, 65536)
    return got


def zsh(folder, lines):
    with open(folder + "/.zshrc", "w", encoding="utf-8") as f:
        f.write(ZSH + "\nprint ready\n")
    offered = folder + "/offered"
    pid, fd = pty.fork()
    if not pid:
        os.execvpe("zsh", ["zsh", "-i"], dict(os.environ, ZDOTDIR=folder, DIR=folder, TERM="dumb"))
    wait_for(fd, b"ready")
    for line in lines:
        open(offered, "w", encoding="utf-8").close()
        os.write(fd, line.encode() + b"\t")
        end = time.time() + 20
        while not os.path.getsize(offered) and time.time() < end:
            wait_for(fd, b"\0", 0.1)
        # What follows is done when all of it was offered.
        os.write(fd, b"\x15print $((6 * 7))end\n")
        wait_for(fd, b"42end")
        with open(offered, encoding="utf-8") as f:
            yield line, re.findall(r"^<(.*)>$", f.read(), re.M)
    os.close(fd)
    os.waitpid(pid, 0)


for typed, words in {"bash": bash, "zsh": zsh}[sys.argv[1]](sys.argv[2], sys.argv[3:]):
    for word in words:
        if word:
            print(f"{typed}\t{word}")
