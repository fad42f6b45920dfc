# SPDX-License-Identifier: GPL-2.0
#
# An external tree of Buildroot: make BR2_EXTERNAL=.../user/buildroot menuconfig
include $(BR2_EXTERNAL_BAREPMU_PATH)/package/barepmu/barepmu.mk
