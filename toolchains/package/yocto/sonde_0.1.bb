SUMMARY = "perf, trace-cmd and flame graphs in one static file"
LICENSE = "CLOSED"
SRC_URI = "file://sonde-${PV}.tar.gz"

COMPATIBLE_HOST = "(aarch64|x86_64).*-linux-musl"
# It is stripped, and so it is meant to be; its own link flags are those of a static file.
INSANE_SKIP:${PN} += "already-stripped ldflags"
INHIBIT_PACKAGE_STRIP = "1"

EXTRA_OEMAKE = "CC='${CC}' STRIP='${STRIP}' ARCH=${TARGET_ARCH} WERROR=0"

do_compile() {
	oe_runmake
}

do_install() {
	oe_runmake install DESTDIR=${D} PREFIX=${prefix}
}

FILES:${PN} += "${datadir}/bash-completion ${datadir}/zsh"
