# Constants that are seldom needed lie in the program deflated: base/packed.h. It is linked once to see what they are, and again
# with that packed and only room for them (NOLOAD).
#
# PACKED_AT  their address: behind all else.

OBJCOPY ?= $(or $(if $(filter %gcc,$(GCC)),$(call has,$(GCC:gcc=objcopy))),$(call has,llvm-objcopy),objcopy)
NM := $(OBJCOPY:objcopy=nm)
PACKED_AT := 0x800000
with_packed = $(OBJS) $(B)/packed/$(1).o -Wl,-T,$(B)/packed/$(1).ld

$(B)/packed/none.gz: | $(MISSING)
	@mkdir -p $(@D)
	$(Q): >$@

$(B)/packed/%.o: $(B)/packed/%.gz toolchains/packed.S $(B)/flags
	$(Q)$(CC) $(if $(CLANG),--target=$(GNU)) -DPACKED_BYTES='"$<"' -c -o $@ toolchains/packed.S

$(B)/packed/none.ld $(B)/packed/all.ld: toolchains/packed.ld
	@mkdir -p $(@D)
	$(Q)sed 's/PACKED_AT/$(PACKED_AT)/; s/ LOADED / $(if $(filter %/all.ld,$@),(NOLOAD) )/' $< >$@

$(B)/packed/first: $(OBJS) $(B)/packed/none.o $(B)/packed/none.ld
	$(Q)$(call LINK,$(call with_packed,none))

$(B)/packed/all.gz: $(B)/packed/first
	$(call say,PACK,$@)
	$(Q)$(OBJCOPY) -O binary -j .packed $< $(@:.gz=) && gzip -9n <$(@:.gz=) >$@

# Nothing else has moved: what is packed and has pointers to other things would have wrong ones.
$(B)/sonde.full: $(OBJS) $(B)/packed/all.o $(B)/packed/all.ld
	$(call say,LINK,$@)
	$(Q)$(call LINK,$(call with_packed,all))
	$(Q)[ "$$($(NM) $@ | grep ' packed_bytes$$')" = "$$($(NM) $(B)/packed/first | grep ' packed_bytes$$')" ]

.SECONDARY: $(B)/packed/first $(B)/packed/all.gz $(B)/packed/all.o $(B)/packed/none.o
