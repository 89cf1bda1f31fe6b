# culprit - see README.md. One non-recursive Makefile; objects of each variant
# live in build/VARIANT. CFLAGS, LDFLAGS, PREFIX and DESTDIR are the packager's;
# WERROR= builds with a compiler that warns of more than gcc 12 does.
#
#   make [VARIANT=release|san|cov|fuzz]

VARIANT ?= release
B := build/$(VARIANT)
VERSION := 0.1.0

CC ?= cc
PKG_CONFIG ?= pkg-config
INSTALL ?= install
CFLAGS ?= -O2 -g
WERROR ?= -Werror
PREFIX ?= /usr/local
FUZZ_SECONDS ?= 30
SHARED ?= ../shared
JOBS ?= $(shell nproc 2>/dev/null || echo 1)
SUBMAKE = $(MAKE) --no-print-directory -s \
	$(if $(findstring -j,$(MAKEFLAGS)),,-j$(JOBS))
# Real mail for tests and bench, where there is some.
TEST_CORPUS ?= $(abspath $(wildcard $(SHARED)/corpus))
export TEST_CORPUS

PKGS_mail := glib-2.0 gio-2.0 gmime-3.0
PKGS_db := sqlite3 libzstd gio-2.0
PKGS_templates := glib-2.0 gio-2.0 jansson
PKGS_bot := libcurl libetpan libgit2 zlib libzstd jansson
PKGS := $(PKGS_mail) $(PKGS_db) $(PKGS_templates) $(PKGS_bot)

# What Debian 12 calls that, and what the tests need beyond it.
DEPS_BUILD := gcc make git pkg-config libglib2.0-dev libgmime-3.0-dev \
	libsqlite3-dev libzstd-dev libgit2-dev zlib1g-dev libjansson-dev \
	libcurl4-gnutls-dev libetpan-dev
DEPS_CHECK := check libsubunit-dev clang-format cppcheck shellcheck binutils gzip zstd \
	mandoc openssl python3 python3-pystache time dovecot-imapd \
	dovecot-lmtpd public-inbox python3-aiosmtpd strace

WARN := -Wall -Wextra $(WERROR) -Wshadow -Wstrict-prototypes \
	-Wmissing-prototypes -Wold-style-definition -Wvla -Wformat=2 \
	-Wwrite-strings -Wpointer-arith -Wundef -Wno-unused-parameter
HARDEN := -fstack-protector-strong -fPIE -D_GNU_SOURCE
HARDEN_LD := -pie -Wl,-z,relro,-z,now,-z,noexecstack

ifeq ($(VARIANT),san)
VARIANT_FLAGS := -O1 -g -fsanitize=address,undefined -fno-omit-frame-pointer \
	-fno-sanitize-recover=undefined
else ifeq ($(VARIANT),cov)
VARIANT_FLAGS := -O0 -g --coverage
else ifeq ($(VARIANT),fuzz)
CC := clang
VARIANT_FLAGS := -O1 -g -fsanitize=fuzzer-no-link,address,undefined \
	-fno-omit-frame-pointer -fno-sanitize-recover=undefined \
	-Wno-missing-field-initializers -Wno-error \
	-Wno-unused-variable
else ifneq ($(filter -O1 -O2 -O3 -Os,$(CFLAGS)),)
VARIANT_FLAGS := -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2
endif

# Debian's libetpan.pc leaks a -specs=...no-pie... flag: filtered here.
pkg_flags = $(filter-out -specs=%,$(shell $(PKG_CONFIG) $(1) 2>/dev/null))
MISSING := $(shell for p in $(sort $(PKGS)); do \
	$(PKG_CONFIG) --exists $$p 2>/dev/null || echo $$p; done)

ALL_CFLAGS = $(CFLAGS) -std=gnu11 $(WARN) $(HARDEN) $(VARIANT_FLAGS) -I. \
	-DCULPRIT_VERSION='"$(VERSION)"' -DG_LOG_DOMAIN='"culprit"' \
	$(PKG_CFLAGS)
PKG_CFLAGS := $(call pkg_flags,--cflags $(PKGS))
ALL_LDFLAGS = $(VARIANT_FLAGS) $(HARDEN_LD) $(LDFLAGS)

LAYERS := mail db templates bot
SRC_mail := $(wildcard mail/*.c)
SRC_db := $(wildcard db/*.c)
SRC_templates := $(wildcard templates/*.c)
SRC_bot := $(filter-out bot/main.c,$(wildcard bot/*.c))
objs = $(patsubst %.c,$(B)/%.o,$(1))

LIBS_mail = $(B)/libmail.a
LIBS_db = $(B)/libdb.a $(LIBS_mail)
LIBS_templates = $(B)/libtemplates.a
LIBS_bot = $(B)/libbot.a $(B)/libtemplates.a $(LIBS_db)
LD_mail := $(call pkg_flags,--libs $(PKGS_mail)) -lm
LD_db := $(call pkg_flags,--libs $(PKGS_db) $(PKGS_mail)) -lm
LD_templates := $(call pkg_flags,--libs $(PKGS_templates))
LD_bot := $(call pkg_flags,--libs $(PKGS)) -lm
LD_check := $(call pkg_flags,--libs check)

.PHONY: all
all: $(B)/culprit ## build the program: build/release/culprit

$(B)/culprit: $(B)/bot/main.o $(LIBS_bot)
	$(CC) $(ALL_LDFLAGS) -o $@ $^ $(LD_bot)

$(B)/libmail.a: $(call objs,$(SRC_mail)) $(B)/mail/resources.o
$(B)/libdb.a: $(call objs,$(SRC_db)) $(B)/db/resources.o
$(B)/libtemplates.a: $(call objs,$(SRC_templates)) $(B)/templates/resources.o
$(B)/libbot.a: $(call objs,$(SRC_bot))
$(B)/lib%.a:
	rm -f $@
	$(AR) rcs $@ $^

$(B)/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<
$(B)/%.o: $(B)/%.c
	$(CC) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

ifneq ($(MISSING),)
$(call objs,$(foreach l,$(LAYERS),$(SRC_$(l))) bot/main.c): | missing
.PHONY: missing
missing:
	@echo "missing: $(MISSING); \"make deps\" installs it" >&2; exit 1
endif

# Files compiled in (GResource): what is known of metrics, the schema, and all
# that pages are made of.
RES_mail := config/metrics.conf
RES_db := $(wildcard db/*.sql)
RES_templates := $(filter-out %.c %.h,$(wildcard templates/*.*))
.PRECIOUS: $(B)/%/resources.c $(B)/%/resources.xml
.SECONDEXPANSION:
$(B)/%/resources.xml: $$(RES_$$*) Makefile
	@mkdir -p $(@D)
	{ echo '<gresources><gresource prefix="/culprit/$*">'; \
	  for f in $(RES_$*); do echo "<file alias=\"$${f##*/}\">$$f</file>"; \
	  done; echo '</gresource></gresources>'; } > $@
$(B)/%/resources.c: $(B)/%/resources.xml $$(RES_$$*)
	glib-compile-resources --sourcedir=. --generate-source \
		--manual-register --c-name culprit_$* --target=$@ $<

# ---- tests: each file is a program that links only its layer and below
TESTS := $(wildcard $(foreach l,$(LAYERS),tests/$(l)/test_*.c))
TEST_BINS := $(patsubst %.c,$(B)/%,$(TESTS))
define test_rule
$(B)/tests/$(1)/test_%: $(B)/tests/$(1)/test_%.o $$(LIBS_$(1))
	$$(CC) $$(ALL_LDFLAGS) -o $$@ $$^ $$(LD_$(1)) $$(LD_check)
endef
$(foreach l,$(LAYERS),$(eval $(call test_rule,$(l))))
$(B)/tests/bench/%: $(B)/tests/bench/%.o $(LIBS_bot)
	$(CC) $(ALL_LDFLAGS) -o $@ $^ $(LD_bot)
BENCH_BINS := $(patsubst %.c,$(B)/%,$(wildcard tests/bench/*.c))
.PRECIOUS: $(B)/tests/%.o

E2E := $(filter-out tests/e2e/lib.sh,$(wildcard tests/e2e/*.sh))

# Fuzzers: with libFuzzer in VARIANT=fuzz, else a program that replays files.
FUZZERS := $(patsubst tests/fuzz/fuzz_%.c,%,$(wildcard tests/fuzz/fuzz_*.c))
FUZZ_BINS := $(FUZZERS:%=$(B)/tests/fuzz/fuzz_%)
REPLAY_BINS := $(FUZZERS:%=$(B)/tests/fuzz/replay_%)
$(B)/tests/fuzz/fuzz_%: $(B)/tests/fuzz/fuzz_%.o $(LIBS_bot)
	$(CC) $(ALL_LDFLAGS) -fsanitize=fuzzer -o $@ $^ $(LD_bot)
$(B)/tests/fuzz/replay_%: $(B)/tests/fuzz/fuzz_%.o \
		$(B)/tests/fuzz/replay.o $(LIBS_bot)
	$(CC) $(ALL_LDFLAGS) -o $@ $^ $(LD_bot)

.PHONY: tests objects
tests: $(TEST_BINS)
objects: $(call objs,$(foreach l,$(LAYERS),$(SRC_$(l))) bot/main.c $(TESTS))

# Everything that a check run needs of one variant.
.PHONY: check-build
check-build: $(B)/culprit $(TEST_BINS) $(REPLAY_BINS) $(BENCH_BINS)

.PHONY: check check-run san
check: ## install what is missing, build, run all tests and checks
	@tools/deps $(DEPS_BUILD) $(DEPS_CHECK)
	@$(MAKE) --no-print-directory check-run
check-run:
	@$(SUBMAKE) check-build VARIANT=release
	@$(SUBMAKE) check-build VARIANT=san
	@{ tools/check-list release $(FUZZERS); \
	   tools/check-list san $(FUZZERS); \
	   tools/check-list lint; \
	   tools/check-list shared $(SHARED); } | tests/run -
san: ## all tests under the address and undefined behaviour sanitizers
	@$(SUBMAKE) check-build VARIANT=san
	@tools/check-list san $(FUZZERS) | tests/run -

.PHONY: cov
cov: ## test coverage by file
	@$(SUBMAKE) check-build VARIANT=cov
	@find build/cov -name '*.gcda' -delete
	@tools/check-list cov $(FUZZERS) | tests/run -
	@tools/coverage build/cov $(foreach l,$(LAYERS),$(SRC_$(l)))

.PHONY: fuzz fuzz-build
fuzz: ## run each fuzzer for FUZZ_SECONDS (30) seconds
	@$(SUBMAKE) fuzz-build VARIANT=fuzz
	@tools/fuzz build/fuzz $(FUZZ_SECONDS) $(FUZZERS)
fuzz-build: $(FUZZ_BINS)

.PHONY: soak
soak: ## what takes too long for check: many mails, many faults
	@$(SUBMAKE) all VARIANT=release
	@tools/check-list soak | tests/run -

.PHONY: lint
lint: ## format, forbidden calls and words, layers, sizes, static analysis
	@tools/check-list lint | tests/run -

.PHONY: bench bench-build
bench: ## measure with the mail of TEST_CORPUS
	@$(SUBMAKE) bench-build VARIANT=release
	@tests/bench/bench.sh build/release/culprit
bench-build: all $(BENCH_BINS)

.PHONY: golden
golden: ## write the expected files of tests, and the manual, anew
	@$(SUBMAKE) check-build VARIANT=release
	@tools/manual build/release/culprit docs/culprit.1
	@tools/readme --write build/release/culprit README.md
	@TEST_GOLDEN=write; export TEST_GOLDEN; \
		tools/check-list release | tests/run -
	@git diff --stat

.PHONY: demo
demo: ## install what is missing, build, show culprit at work
	@tools/deps $(DEPS_BUILD)
	@$(SUBMAKE) all VARIANT=release
	@tools/demo build/release/culprit build/demo

.PHONY: deps
deps: ## install the Debian packages that building and testing need
	@tools/deps $(DEPS_BUILD) $(DEPS_CHECK)

DOCDIR = $(DESTDIR)$(PREFIX)/share/doc/culprit
MANDIR = $(DESTDIR)$(PREFIX)/share/man
COMPDIR = $(DESTDIR)$(PREFIX)/share/bash-completion/completions
UNITDIR = $(DESTDIR)$(PREFIX)/lib/systemd/system
USERDIR = $(DESTDIR)$(PREFIX)/lib/sysusers.d
UNITS := culprit.service culprit-sync.service culprit-sync.timer

.PHONY: install uninstall
install: all ## install below DESTDIR PREFIX
	$(INSTALL) -d $(DESTDIR)$(PREFIX)/bin $(DOCDIR) $(MANDIR)/man1 \
		$(COMPDIR) $(UNITDIR) $(USERDIR)
	$(INSTALL) -m 755 $(B)/culprit $(DESTDIR)$(PREFIX)/bin/culprit
	$(INSTALL) -m 644 docs/culprit.1 $(MANDIR)/man1/culprit.1
	$(INSTALL) -m 644 README.md LICENSE config/culprit.conf $(DOCDIR)
	$(B)/culprit help --completion > $(COMPDIR)/culprit
	for unit in $(UNITS); do \
		sed 's|@bindir@|$(PREFIX)/bin|' config/$$unit \
			> $(UNITDIR)/$$unit || exit 1; \
	done
	$(INSTALL) -m 644 config/culprit.sysusers $(USERDIR)/culprit.conf
uninstall: ## remove what install put there
	rm -f $(DESTDIR)$(PREFIX)/bin/culprit $(MANDIR)/man1/culprit.1 \
		$(COMPDIR)/culprit $(UNITS:%=$(UNITDIR)/%) \
		$(USERDIR)/culprit.conf
	rm -rf $(DOCDIR)

.PHONY: dist
dist: ## pack the sources of the commit checked out
	@mkdir -p build
	git archive --prefix=culprit-$(VERSION)/ -o \
		build/culprit-$(VERSION).tar.gz HEAD

.PHONY: clean help
clean: ## remove build/
	rm -rf build
help: ## print this list
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/\1\t\2/p' Makefile | sort | \
		awk -F '\t' '{ printf "%-10s %s\n", $$1, $$2 }'

-include $(shell find $(B) -name '*.d' 2>/dev/null)
