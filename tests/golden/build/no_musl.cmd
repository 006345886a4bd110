# Without a static musl: what to do.
env -u MAKEFLAGS -u MFLAGS make MUSL=none O="$(mktemp -u)" 2>&1 | sed -n 's/^no static musl for [a-z0-9_]* /no static musl /p'
