# arm64: Debian's cross compiler (or the native one) with a static musl.
GNU     := aarch64-linux-gnu
MUSL    := aarch64-linux-musl
MACHINE := aarch64
EMULATE := qemu-aarch64-static
# Code and data lie within 1 MB of each other: an address takes one instruction instead of two.
CODE_MODEL := -mcmodel=tiny
