#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# A developer who runs user/kernel/into-tree gets the module as a part of a kernel source tree, in a
# form that kbuild reads.
# shellcheck source=tests/user/lib.sh
. "$(dirname "$0")/lib.sh"

scratch=$(mktemp -d)
tree=$scratch
misc=$tree/drivers/misc
there=$misc/barepmu

into_tree()
{
	status=0
	said=$("$top/user/kernel/into-tree" "$1" 2>&1) || status=$?
}

# line FILE TEXT: checks that FILE has the text line TEXT exactly once
line()
{
	[ "$(grep -cxF "$2" "$misc/$1")" -eq 1 ]
}

# kbuild NAME=VALUE...: lets make read the copied Makefile with these settings, and sets $made
kbuild()
{
	made=$(printf '%s\n' "include $there/Makefile" 'all:' \
		$'\t@echo "y=$(obj-y) m=$(obj-m) flags=$(ccflags-y)"' |
		make -s -f - CONFIG_X86_64=y CONFIG_X86_LOCAL_APIC=y CONFIG_PERF_EVENTS=y \
		CONFIG_PCI=y CONFIG_NET=y obj=drivers/misc/barepmu "$@" all 2>&1)
}

# reads TEXT: checks what make has read
reads()
{
	[[ $made == "$1" ]] || { echo "# $made"; false; }
}

# complete: checks that each object in the Makefile has its source, and that all headers were copied
complete()
{
	local object number=0

	while read -r object; do
		[ -e "$there/$object.c" ] || { echo "# $object"; return 1; }
		number=$((number + 1))
	done < <(sed -n 's/^\t\([a-z/_0-9]*\)\.o.*/\1/p' "$there/Makefile")
	[ "$number" -gt 40 ] && diff <(cd "$top" && find kmod arch uapi -name '*.h' | sort) \
		<(cd "$there" && find . -name '*.h' | sed 's|^\./||' | sort)
}

into_tree "$tree"
result "a folder without a kernel source is refused" [ "$status" -eq 1 ]
result "the error names the folder without a kernel source" says "barepmu: into-tree: $tree: no source of a kernel"
mkdir -p "$misc"
printf 'menu "Misc devices"\n\nsource "drivers/misc/keba/Kconfig"\nendmenu\n' >"$misc/Kconfig"
printf 'obj-y += keba/\n' >"$misc/Makefile"
: >"$tree/Kbuild"
into_tree "$tree"
result "a kernel source is accepted" [ "$status" -eq 0 ]
: >"$there/old"
into_tree "$tree"
result "a second run succeeds" [ "$status" -eq 0 ]
result "a second run removes files of the first" [ ! -e "$there/old" ]
result "Kconfig has the module once" line Kconfig 'source "drivers/misc/barepmu/Kconfig"'
result "Kconfig has the module within the menu" [ "$(tail -n 1 "$misc/Kconfig")" = endmenu ]
result "Kconfig keeps other entries of the menu" line Kconfig 'source "drivers/misc/keba/Kconfig"'
# shellcheck disable=SC2016
result "the Makefile has the module once" line Makefile 'obj-$(CONFIG_BAREPMU) += barepmu/'
result "all sources and headers are copied" complete
result "the copied Kconfig defines BAREPMU" grep -qx 'config BAREPMU' "$there/Kconfig"
kbuild CONFIG_BAREPMU=y srctree=/tree src=drivers/misc/barepmu
result "CONFIG_BAREPMU=y builds the module in, with headers of the source" reads \
	"y=barepmu.o m= flags=-I/tree/drivers/misc/barepmu/uapi -I/tree/drivers/misc/barepmu/arch -I/tree/drivers/misc/barepmu/kmod -Idrivers/misc/barepmu/kmod"
kbuild CONFIG_BAREPMU=m srctree=/tree src=/tree/drivers/misc/barepmu
result "CONFIG_BAREPMU=m builds a module if src is an absolute path" reads \
	"y= m=barepmu.o flags=-I/tree/drivers/misc/barepmu/uapi -I/tree/drivers/misc/barepmu/arch -I/tree/drivers/misc/barepmu/kmod -Idrivers/misc/barepmu/kmod"
finish
