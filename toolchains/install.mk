# make install, uninstall, dist: PREFIX, DESTDIR, and LINKS="perf trace-cmd perf-prof", names under which sonde takes their command
# lines; none unless asked for, for they are other programs' names.

PREFIX  ?= /usr/local
BINDIR  ?= $(PREFIX)/bin
MANDIR  ?= $(PREFIX)/share/man
BASHDIR ?= $(PREFIX)/share/bash-completion/completions
ZSHDIR  ?= $(PREFIX)/share/zsh/site-functions
LINKS   ?=

# A source tarball brings the pages. Otherwise the program writes them, if it can run here; if not, it is installed alone.
DOC := $(if $(wildcard doc/man/sonde.1),doc,$(if $(if $(RUN),$(call has,$(RUN)),yes),$(if $(BOARD),,$(B)/doc)))
PUT := install -m 644

$(B)/doc: $(B)/sonde toolchains/doc
	$(Q)toolchains/doc $@ $(RUN) $(B)/sonde

.PHONY: install uninstall doc
doc: $(DOC)

install: $(B)/sonde $(DOC)
	install -d '$(DESTDIR)$(BINDIR)'
	install -m 755 $(B)/sonde '$(DESTDIR)$(BINDIR)/sonde'
	$(Q)for name in $(LINKS); do \
		link='$(DESTDIR)$(BINDIR)'/$$name; \
		[ "$$(readlink "$$link")" = sonde ] || ln -s sonde "$$link" || exit 1; done
ifneq ($(DOC),)
	install -d '$(DESTDIR)$(MANDIR)/man1' '$(DESTDIR)$(BASHDIR)' '$(DESTDIR)$(ZSHDIR)'
	$(PUT) $(DOC)/man/*.1 '$(DESTDIR)$(MANDIR)/man1/'
	$(PUT) $(DOC)/sonde.bash '$(DESTDIR)$(BASHDIR)/sonde'
	$(PUT) $(DOC)/_sonde '$(DESTDIR)$(ZSHDIR)/_sonde'
else
	@echo 'no manual and no completions: this machine cannot run the program that writes them' >&2
endif

# What an install with the same variables put there, and its links.
uninstall:
	$(Q)for name in perf trace-cmd perf-prof; do \
		link='$(DESTDIR)$(BINDIR)'/$$name; [ "$$(readlink "$$link")" != sonde ] || rm "$$link"; done
	rm -f '$(DESTDIR)$(BINDIR)/sonde' '$(DESTDIR)$(BASHDIR)/sonde' '$(DESTDIR)$(ZSHDIR)/_sonde' \
		'$(DESTDIR)$(MANDIR)'/man1/sonde.1 '$(DESTDIR)$(MANDIR)'/man1/sonde-*.1

# make dist: sources with the pages in them, and the two static binaries, with checksums.
VERSION := $(shell sed -n 's/^$(HASH)define SONDE_VERSION "\(.*\)"/\1/p' src/cmd/cmd.h)

.PHONY: dist
dist:
	@$(SUB) ARCH=$(HOST) all doc
	@$(SUB) ARCH=$(if $(filter aarch64,$(HOST)),x86_64,aarch64) all
	toolchains/dist $(O)/dist sonde-$(VERSION) $(O)/$(HOST)/doc $(O)/aarch64/sonde $(O)/x86_64/sonde
	@cat $(O)/dist/SHA256SUMS
