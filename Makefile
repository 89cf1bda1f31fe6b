# culprit - see README.md. One non-recursive Makefile; objects of each variant
# live in build/VARIANT. CFLAGS, LDFLAGS, PREFIX and DESTDIR are the packager's.
#
#   make [VARIANT=release|san|cov|fuzz]

VARIANT ?= release
B := build/$(VARIANT)
VERSION := 0.1.0

CC ?= cc
PKG_CONFIG ?= pkg-config
CFLAGS ?= -O2 -g
PREFIX ?= /usr/local
PKGS_mail := glib-2.0 gmime-3.0
PKGS_db := sqlite3 libzstd gio-2.0
PKGS_templates := glib-2.0 gio-2.0 jansson
PKGS_bot := libgit2 zlib libzstd jansson
PKGS := $(PKGS_mail) $(PKGS_db) $(PKGS_templates) $(PKGS_bot)

WARN := -Wall -Wextra -Werror -Wshadow -Wstrict-prototypes \
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
	-fno-omit-frame-pointer
else
VARIANT_FLAGS := -D_FORTIFY_SOURCE=2
endif

# Debian's libetpan.pc leaks a -specs=...no-pie... flag: filtered here.
pkg_cflags = $(filter-out -specs=%,$(shell $(PKG_CONFIG) --cflags $(1)))
pkg_libs = $(filter-out -specs=%,$(shell $(PKG_CONFIG) --libs $(1)))

ALL_CFLAGS = $(CFLAGS) -std=gnu11 $(WARN) $(HARDEN) $(VARIANT_FLAGS) -I. \
	-DCULPRIT_VERSION='"$(VERSION)"' -DG_LOG_DOMAIN='"culprit"' \
	$(PKG_CFLAGS)
PKG_CFLAGS := $(call pkg_cflags,$(PKGS))
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
LD_mail := $(call pkg_libs,$(PKGS_mail))
LD_db := $(call pkg_libs,$(PKGS_db) $(PKGS_mail)) -lm
LD_templates := $(call pkg_libs,$(PKGS_templates))
LD_bot := $(call pkg_libs,$(PKGS)) -lm
LD_mail += -lm
LD_check := $(call pkg_libs,check)

.PHONY: all
all: $(B)/culprit

$(B)/culprit: $(B)/bot/main.o $(LIBS_bot)
	$(CC) $(ALL_LDFLAGS) -o $@ $^ $(LD_bot)

$(B)/libmail.a: $(call objs,$(SRC_mail))
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

# Files compiled in (GResource): the schema, and all that pages are made of.
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
.PRECIOUS: $(B)/tests/%.o

.PHONY: tests objects
tests: $(TEST_BINS)
objects: $(foreach l,$(LAYERS),$(call objs,$(SRC_$(l)))) \
	$(patsubst %.c,$(B)/%.o,$(TESTS))

.PHONY: clean
clean:
	rm -rf build

-include $(shell find $(B) -name '*.d' 2>/dev/null)
