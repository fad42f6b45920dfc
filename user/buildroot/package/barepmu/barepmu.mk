# SPDX-License-Identifier: GPL-2.0
################################################################################
#
# barepmu
#
################################################################################

BAREPMU_VERSION = $(shell sed -n 's/^.define BPMU_VERSION "\(.*\)"/\1/p' \
	$(BAREPMU_SITE)/user/lib/base/version.h)
BAREPMU_SITE = $(abspath $(BR2_EXTERNAL_BAREPMU_PATH)/../..)
BAREPMU_SITE_METHOD = local
BAREPMU_OVERRIDE_SRCDIR_RSYNC_EXCLUSIONS = --exclude /build
BAREPMU_LICENSE = GPL-2.0
BAREPMU_LICENSE_FILES = LICENSE
BAREPMU_DEPENDENCIES = elfutils jansson libmicrohttpd libmnl libseccomp ncurses

define BAREPMU_BUILD_CMDS
	$(TARGET_MAKE_ENV) $(MAKE) -C $(@D)/user static CC="$(TARGET_CC)" \
		PARTS=$(BR2_PACKAGE_BAREPMU_PARTS) CURSES=
endef

define BAREPMU_INSTALL_TARGET_CMDS
	$(INSTALL) -D -m 0755 $(@D)/build/barepmu-static \
		$(TARGET_DIR)/usr/sbin/barepmu
endef

ifeq ($(BR2_PACKAGE_BAREPMU_BUILT_IN),y)
define BAREPMU_INTO_TREE
	$(BAREPMU_SITE)/user/kernel/into-tree $(LINUX_DIR)
endef
LINUX_POST_PATCH_HOOKS += BAREPMU_INTO_TREE

define BAREPMU_LINUX_CONFIG_FIXUPS
	$(call KCONFIG_ENABLE_OPT,CONFIG_BAREPMU)
endef
else
$(eval $(kernel-module))
endif

$(eval $(generic-package))
