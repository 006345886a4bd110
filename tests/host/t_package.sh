#!/bin/bash
# as: root
# time: 1500
# make dist, and the recipes of toolchains/package: the Debian package as its own tools build, install, run and remove it; the others'
# steps with the variables that their systems give, and a toolchain as theirs are.
. "$T_HERE/lib.sh"

need sonde make git dpkg-buildpackage aarch64-linux-gnu-gcc qemu-aarch64-static
top=$(cd "$T_HERE/../.." && pwd)
version=$(sonde --version | cut -d ' ' -f 2)
name=sonde-$version
unset MAKEFLAGS MFLAGS MAKELEVEL
export GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=safe.directory GIT_CONFIG_VALUE_0='*'

t dist_is_the_same_bytes_twice
make -C "$top" --no-print-directory dist > log 2>&1 || { tail -n 20 log; fail "make dist: $?"; }
built=${O:-build}
case $built in /*) ;; *) built=$top/$built ;; esac
cp -r "$built/dist" dist
(cd dist && sha256sum -c SHA256SUMS > ../sums) && [ "$(grep -c ': OK$' sums)" = 3 ] && ok || fail "the sums: $(cat dist/SHA256SUMS)"
# Other permissions, other times, another folder.
git -C "$top" ls-files -z | (cd "$top" && tar -c --null -T -) | (umask 077 && mkdir clone && tar -xm -C clone)
git init -q clone && git -C clone add -A
git -C clone -c user.name=x -c user.email=x commit -qm x
(cd clone && umask 027 && SOURCE_DATE_EPOCH=$(git -C "$top" log -1 --format=%ct) toolchains/dist "$PWD/../again" "$name" "$built/$(uname -m)/doc" \
	"$built/aarch64/sonde" "$built/x86_64/sonde")
cmp dist/SHA256SUMS again/SHA256SUMS && ok || fail "two distributions differ"
rm -rf clone again

t the_sources_bring_their_pages_and_nothing_of_this_machine
tar -xzf "dist/$name.tar.gz"
[ -s "$name/doc/man/sonde-record.1" ] && [ -s "$name/doc/sonde.bash" ] && [ -x "$name/tests/setup" ] && ok || fail "lacking: $(ls "$name")"
tar -tvzf "dist/$name.tar.gz" | grep -v ' 0/0 ' | grep -q . && fail "somebody's files" || ok

t deb_is_built_installed_run_and_removed
cp -r "$name/toolchains/package/debian" "$name/"
[ "$(dpkg-parsechangelog -l "$name/debian/changelog" -S Version)" = "$version-1" ] && ok || fail "the package is not of version $version"
(cd "$name" && DEB_BUILD_OPTIONS=noopt dpkg-buildpackage -b -us -uc -d) > log 2>&1 || { tail -n 20 log; fail "dpkg-buildpackage: $?"; }
deb=$(echo sonde_*.deb)
# A root with nothing in it but dpkg's own lists.
mkdir -p root/var/lib/dpkg/{info,updates,triggers} root/usr/bin
touch root/var/lib/dpkg/{status,available}
package() {
	dpkg --root="$PWD/root" --force-script-chrootless --force-architecture --log=/dev/null "$@"
}
package -i "$deb" > log 2>&1 || { cat log; fail "dpkg -i: $?"; }
[ "$(chroot root /usr/bin/sonde --version)" = "$(sonde --version)" ] && ok || fail "installed, but it does not run"
[ -s root/usr/share/man/man1/sonde-ftrace-record.1.gz ] && [ -s root/usr/share/zsh/vendor-completions/_sonde ] && ok || fail "$(find root/usr)"
package --verify sonde > log 2>&1 && [ ! -s log ] && ok || fail "verify: $(cat log)"
package -P sonde > log 2>&1 || fail "dpkg -P: $?"
[ -z "$(find root -name '*sonde*' ! -path 'root/var/*')" ] && ok || fail "left: $(find root -name '*sonde*')"

# The others build for arm64 with a toolchain of their own; one build serves them all.
"$top/tests/toolchain" "$PWD/toolchain" aarch64
PATH=$PWD/toolchain/bin:$PATH
musl=aarch64-linux-musl
# Their make, but that objects are kept from one to the next, and that it is quick.
mkdir tools
printf '#!/bin/sh\nexec %s -j"$(nproc)" "$@" O=%s DEBUG=1\n' "$(command -v make)" "$PWD/objects" > tools/make
chmod +x tools/make
PATH=$PWD/tools:$PATH

# installed FOLDER: an arm64 file in usr/bin that runs
installed() {
	got=$(qemu-aarch64-static "$1/usr/bin/sonde" --version)
	[ "$got" = "$(sonde --version)" ] && ok || fail "$1: '$got', $(tail -n 3 log)"
}

t alpine
(
	CARCH=aarch64 CROSS_COMPILE=$musl- pkgdir=$PWD/alpine
	. "$top/toolchains/package/alpine/APKBUILD"
	[ "$pkgver" = "$version" ] && cd "$name" && build && package
) > log 2>&1 || fail "APKBUILD: $(tail -n 3 log)"
grep -i warning log && fail "it does not compile without a word" || ok
installed alpine

t yocto
(
	# Its variables, as bitbake gives them to the shell functions.
	CC="$musl-gcc" STRIP=$musl-strip TARGET_ARCH=aarch64 D=$PWD/yocto prefix=/usr
	recipe=$(echo "$top"/toolchains/package/yocto/sonde_*.bb)
	[ "${recipe##*_}" = "$version.bb" ] || exit 1
	eval "$(sed -n '/^do_/,/^}/p' "$recipe")"
	flags=$(sed -n 's/^EXTRA_OEMAKE = //p' "$recipe")
	oe_runmake() { eval make "$(eval echo "$flags")" '"$@"'; }
	cd "$name" && do_compile && do_install
) > log 2>&1 || fail "bitbake's steps: $(tail -n 3 log)"
installed yocto

# What Buildroot and OpenWrt define, so that their files' own steps are what runs.
t buildroot
cat > buildroot.mk <<-END
	BR2_EXTERNAL_SONDE_PATH := $top/toolchains/package/buildroot
	BR2_ARCH := aarch64
	TARGET_CROSS := $PWD/toolchain/bin/$musl-
	TARGET_DIR := $PWD/buildroot
	MAKE := $PWD/tools/make
	all: \$(BR2_EXTERNAL_SONDE_PATH)/package/sonde/sonde.mk
	include \$(BR2_EXTERNAL_SONDE_PATH)/external.mk
	.RECIPEPREFIX = >
	all: @D = $PWD/$name
	all:
	> \$(SONDE_BUILD_CMDS)
	> \$(SONDE_INSTALL_TARGET_CMDS)
END
make -f buildroot.mk all > log 2>&1 || fail "Buildroot's steps: $(tail -n 3 log)"
grep -qx "SONDE_VERSION = $version" "$top/toolchains/package/buildroot/package/sonde/sonde.mk" && ok || fail "not of version $version"
installed buildroot

t openwrt
: > rules.mk
mkdir include
: > include/package.mk
cat > openwrt.mk <<-END
	TOPDIR := $PWD
	INCLUDE_DIR := $PWD/include
	TARGET_CROSS := $musl-
	ARCH := aarch64
	MAKE := $PWD/tools/make
	include $top/toolchains/package/openwrt/Makefile
	PKG_BUILD_DIR := $PWD/$name
	.RECIPEPREFIX = >
	all:
	> test \$(PKG_VERSION) = $version
	> \$(Build/Compile)
	> \$(call Package/sonde/install,$PWD/openwrt)
END
make -f openwrt.mk all > log 2>&1 || fail "OpenWrt's steps: $(tail -n 3 log)"
installed openwrt
[ "$(find openwrt -type f)" = openwrt/usr/bin/sonde ] && ok || fail "more than the program: $(find openwrt)"
