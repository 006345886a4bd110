# x86_64: Debian's native compiler with a static musl.
GNU     := x86_64-linux-gnu
MUSL    := x86_64-linux-musl
MACHINE := x86_64
EMULATE := qemu-x86_64-static
