# SPDX-License-Identifier: GPL-2.0
SUMMARY = "Performance counters of the whole machine, without perf: the tool"
require barepmu.inc

DEPENDS = "elfutils jansson libmicrohttpd libmnl libseccomp ncurses"
# loaded when they are needed: "top", "serve" and its sandbox, functions in reports
RRECOMMENDS:${PN} = "kernel-module-barepmu libmicrohttpd libseccomp libdw ncurses-libncursesw"

inherit systemd
SYSTEMD_SERVICE:${PN} = "barepmu-serve.service"
SYSTEMD_AUTO_ENABLE = "disable"

# libpfm4 and Zydis are in no core: no names of libpfm4's, no "decan"
CFLAGS:append = " -DBPMU_NO_PFM"
EXTRA_OEMAKE = "-C ${S}/user CC='${CC}' ZYDIS= PREFIX=${prefix} LIBDIR=${baselib}"

do_compile() {
    oe_runmake all
}

do_install() {
    oe_runmake install DESTDIR=${D}
}

FILES:${PN} += "${datadir}/barepmu ${datadir}/bash-completion ${systemd_system_unitdir}"
