# arm64: Debian's cross compiler (or the native one) with a static musl.
GNU     := aarch64-linux-gnu
MUSL    := aarch64-linux-musl
MACHINE := aarch64
EMULATE := qemu-aarch64-static
# What is small enough for code and data within 1 MB of each other takes one instruction for an address instead of two. The
# whole tool is larger.
CODE_MODEL := $(if $(BOARD),-mcmodel=tiny)
