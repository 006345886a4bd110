################################################################################
#
# sonde
#
################################################################################

SONDE_VERSION = 0.1
# The sources that this recipe lies in.
SONDE_SITE = $(BR2_EXTERNAL_SONDE_PATH)/../../..
SONDE_SITE_METHOD = local

SONDE_MAKE = $(TARGET_MAKE_ENV) $(MAKE) -C $(@D) CROSS_COMPILE="$(TARGET_CROSS)" ARCH=$(BR2_ARCH) WERROR=0

define SONDE_BUILD_CMDS
	$(SONDE_MAKE)
endef

define SONDE_INSTALL_TARGET_CMDS
	$(SONDE_MAKE) install DESTDIR="$(TARGET_DIR)" PREFIX=/usr
endef

$(eval $(generic-package))
