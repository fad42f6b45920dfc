# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
#
# Builds kernels from Debian's linux-source package. Sourced by scripts of tests/vm/, after
# apt.sh; they set $dir, a folder below build/vm, for the source and the log.

version=6.12
debian=bookworm
tree=${dir:?}/source
tools=$dir/tools
log=$dir/log

# Unpacks programs and libraries of kbuild that the host may lack; they run without installation.
unpack_tools()
{
	apt_only "$debian" "$tools" bison flex libelf-dev libelf1 m4
}

# Unpacks the kernel's source without the C files of drivers that are not built, which are four
# fifths of it; all Kconfig files must be there.
unpack_source()
{
	apt_only "$debian" "$dir.package" -t "$debian-backports" \
		"linux-source-$version"
	mkdir -p "$tree"
	tar -xJf "$dir.package/usr/src/linux-source-$version.tar.xz" \
		-C "$tree" --strip-components=1 \
		--exclude='*/drivers/gpu/*.[ch]' \
		--exclude='*/drivers/media/*.[ch]' \
		--exclude='*/drivers/net/ethernet/*.[ch]' \
		--exclude='*/drivers/net/wireless/*.[ch]' \
		--exclude='*/drivers/staging/*.[ch]' \
		--exclude='*/sound/*.[ch]' \
		--exclude='*/tools/testing' \
		--exclude='*/Documentation/*/*'
	rm -rf "$dir.package"
}

# prepare NAME: unpacks the tools and the source into an empty $dir; NAME is the kernel's in
# messages
prepare()
{
	echo "building the $1 (some minutes)" >&2
	rm -rf "$dir"
	mkdir -p "$dir"
	unpack_tools
	unpack_source
}

# quietly COMMAND...: runs COMMAND with its output in the log; if it fails, prints the log and exits
quietly()
{
	"$@" >>"$log" 2>&1 && return 0
	tail -n 30 "$log" >&2
	fail "${0##*/}" "failed: $*"
}

# kbuild ARGUMENT...: runs make with these arguments in the kernel's source
kbuild()
{
	PATH="$tools/usr/bin:$PATH" BISON_PKGDATADIR="$tools/usr/share/bison" \
		M4="$tools/usr/bin/m4" make -s -C "$tree" ARCH=x86_64 \
		HOSTCFLAGS="-I$tools/usr/include" \
		HOSTLDFLAGS="-L$tools/usr/lib/x86_64-linux-gnu" "$@"
}

# configure FRAGMENT: configures the kernel by a file of symbols, and fails unless each symbol has
# its value from that file in the final configuration
configure()
{
	quietly kbuild KCONFIG_ALLCONFIG="$1" allnoconfig
	lost=$(grep '^CONFIG_' "$1" | grep -vxF -f "$tree/.config" | tr '\n' ' ')
	set=$(sed -n 's/^# \(CONFIG_.*\) is not set$/\1=/p' "$1" |
		grep -F -f - "$tree/.config" | grep '^CONFIG_' | tr '\n' ' ')
	[ -z "$lost$set" ] || fail "${1##*/}" "did not take: $lost$set"
}
