include $(sort $(wildcard $(BR2_EXTERNAL_SONDE_PATH)/package/*/*.mk))
