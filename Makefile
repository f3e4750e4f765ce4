# The commands of the project; `make` alone lists them.

SWIFT ?= swift
PREFIX ?= /usr/local
DESTDIR ?=
# The project's address on the web, for the package, which loads its pictures from there.
HOMEPAGE ?=
# The key that signs a release's checksums, as gpg knows it; none is needed.
SIGNING_KEY ?=

# The oldest supported version of Swift, as in Package.swift.
SWIFT_VERSION := 6.2
SWIFT_SOURCES := Sources Libraries/Sources Libraries/Package.swift Tests Package.swift

# The C functions in Swift modules have a stack protector, as Swift's own have. _FORTIFY_SOURCE is quirk fortify-twice.
HARDENED := -Xcc -fstack-protector-strong
# Any folder builds the same bytes. Paths of the folder, the hashes of incremental builds (made from paths) and debug
# information (names folders of clang's module cache) are left out. The map lists what was linked.
REPRODUCIBLE := -Xswiftc -file-prefix-map -Xswiftc "$(CURDIR)=bedside" \
	-Xswiftc -Xfrontend -Xswiftc -disable-incremental-llvm-codegen -debug-info-format none \
	-Xlinker --build-id=sha1 -Xlinker --Map=.build/static/bedside.map

# The installed program needs no Swift library, has no run path and binds all symbols at start. It is optimised for size,
# because code that is not in the processor's cache costs more than some extra instructions: unused and equal functions
# are removed, what a monitor seldom runs lies together, and relocations are packed (needs glibc 2.36). The C++ library is
# linked statically: the program uses 0.1 MB of it, the shared library would take ten times as much memory.
ARCHIVES := .build/static/archives
SELDOM := .make/seldom.ld
# What `bedside --version` says of the commit. It is linked in, so that another commit compiles nothing again.
IDENTITY := .build/static/identity.o
STATIC := --configuration release --static-swift-stdlib --disable-local-rpath -Xlinker -z -Xlinker now \
	-Xswiftc -Osize -Xswiftc -use-ld=lld -Xlinker --icf=all -Xlinker --no-export-dynamic \
	-Xswiftc -Xfrontend -Xswiftc -function-sections -Xlinker --script=$(SELDOM) -Xlinker $(IDENTITY) \
	-Xswiftc -L$(ARCHIVES) -Xswiftc -Xclang-linker -Xswiftc -static-libgcc -Xlinker -z -Xlinker pack-relative-relocs \
	$(HARDENED) $(REPRODUCIBLE) --scratch-path .build/static --product bedside
BUILD_STATIC = .make/archives $(SWIFT) $(ARCHIVES) && .make/identity object $(SWIFT) $(IDENTITY) && \
	rm -f $(PROGRAM) && $(SWIFT) build $(STATIC)
PROGRAM := .build/static/release/bedside

# Builds to run and test are incremental and not optimised, and have no index for editors and no information for
# debuggers, which would double the time. `swift build` alone requests both, so in the same folder it would compile
# everything again: use another --scratch-path for it.
QUICK := --disable-index-store -debug-info-format none
QUICK_PROGRAM := .build/debug/bedside
BUILD_QUICK = $(SWIFT) build $(QUICK) --product bedside

# Debian packages.
TO_RUN := libdbus-1-dev libncurses-dev libsqlite3-dev pkg-config dbus-daemon
TO_RUN_WARD := $(TO_RUN) libmosquitto1 mosquitto
# With the headers of libraries that are loaded at run time, to compare our declarations with them.
TO_TEST := $(TO_RUN) libasound2-dev libcurl4-openssl-dev libgcrypt20-dev libmosquitto-dev libssl-dev fish less libfaketime mandoc libvterm-dev mosquitto openssl sqlite3 zsh jq python3-cryptography \
	python3-dbus python3-gi python3-html5lib python3-jinja2 python3-jsonschema python3-markdown python3-paho-mqtt python3-prometheus-client python3-scipy
TO_DOCUMENT := $(TO_RUN) python3-markdown
TO_CHECK_DOCUMENTS := $(TO_DOCUMENT) chromium python3-html5lib
TO_MEASURE := $(TO_RUN) gcc libc6-dev libasound2-dev libmosquitto-dev libvterm-dev python3-venv htop btop sqlite3 mosquitto mosquitto-clients openssl
TO_TEST_EXPORTS := $(TO_RUN) curl python3-venv sqlite3 gnuplot-nox jq victoria-metrics
TO_TEST_BROKERS := $(TO_TEST) python3-venv
TO_TEST_BLUEZ := $(TO_TEST) bluez dbus iproute2 python3 python3-venv util-linux \
	linux-source-6.1 gcc libc6-dev make bison flex bc patch xz-utils
TO_PACKAGE := $(TO_RUN) debhelper dpkg-dev fakeroot binutils python3
TO_CHECK_PACKAGE := $(TO_PACKAGE) lintian piuparts debootstrap diffoscope-minimal appstream desktop-file-utils gnupg mandoc \
	man-db python3-venv systemd
TO_CHECK_ARM64 := gcc-aarch64-linux-gnu
TO_SHOOT := $(TO_RUN_WARD) xvfb xterm tmux fonts-dejavu-core imagemagick curl gnuplot-nox jq victoria-metrics

.SILENT:
.DEFAULT_GOAL := help
.PHONY: help run run-ward test golden docs docs-check test-bluez bluez-shell fuzz nights break-nights hazards clients exports brokers bench bench-quick \
	format lint screenshots build install uninstall deb deb-check release arm64-check clean swift FORCE \
	packages-to-run packages-to-run-ward packages-to-test packages-to-test-bluez packages-to-test-exports \
	packages-to-measure packages-to-shoot packages-to-package packages-to-check-package \
	packages-to-check-arm64 packages-to-test-brokers packages-to-document packages-to-check-documents

help:  ## List the commands
	awk -F ':.*## *' '/^[a-z-]+:.*## / { printf "make %-12s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

run: swift packages-to-run  ## Build and run, on simulated sensors where there is no Bluetooth; ARGS="--bed 12" adds options
	$(BUILD_QUICK)
	.make/run $(QUICK_PROGRAM) $(ARGS)

run-ward: swift packages-to-run-ward  ## Show a ward on this computer alone: a broker, twelve simulated beds, the collector; ARGS="calm fever" chooses stories
	$(BUILD_QUICK)
	.make/run-ward $(QUICK_PROGRAM) $(ARGS)

test: swift packages-to-test $(if $(ONLY),,lint)  ## Check format and rules, run all tests, render the documentation, build a package outside; ONLY=Monitoring runs the tests of one module
	ONLY="$(ONLY)" .make/test $(SWIFT) $(QUICK)

golden: swift packages-to-test  ## Rewrite the golden files; then read git diff Tests
	ONLY="$(or $(ONLY),$(notdir $(patsubst %/Golden,%,$(wildcard Tests/*/*/Golden))))" BEDSIDE_UPDATE_GOLDEN=1 .make/test $(SWIFT) $(QUICK)

docs: swift packages-to-document  ## Render the documentation into .build/documentation, and its pages for any host into site there; a warning is an error
	$(SWIFT) build $(QUICK)
	# The one module with articles that the program does not use, with those that it uses.
	$(SWIFT) build $(QUICK) --target HealthDevices
	.make/docs $(SWIFT) $(QUICK)

docs-check: docs packages-to-check-documents  ## Check those pages in a browser on a small screen: links, pictures, width
	.make/docs-check .build/documentation/site .build/documentation/looked-at

test-bluez: swift packages-to-test-bluez  ## Run the end-to-end tests against the real bluetoothd, in a virtual machine
	.make/test-bluez $(SWIFT) $(QUICK)

bluez-shell: swift packages-to-test-bluez  ## Open a shell where bedside meets the real bluetoothd and virtual sensors
	$(BUILD_QUICK)
	Tests/BluetoothdMachine/shell $(QUICK_PROGRAM) $(ARGS)

# File by file: as a whole module, Swift 6.3 refuses the tests' support with "circular reference".
fuzz: swift packages-to-test  ## Look for damaged files, for untruths in ten million stories, then for values that crash a decoder or a driver, until stopped; ARGS="-runs=1000000" adds libFuzzer options
	BEDSIDE_TESTS="AppearanceTests DashboardTests Fuzzing HonestyTests MonitoringTests MonitorLinkTests VitalDecodersTests WardScreenTests" \
		BEDSIDE_MUTANTS=2000 BEDSIDE_CHANGES=5000 BEDSIDE_STRINGS=20000 BEDSIDE_OCTET_STRINGS=10000000 BEDSIDE_STORIES=10000000 BEDSIDE_LINES=1000000 BEDSIDE_FAULTS=10000 BEDSIDE_STEPS=80 BEDSIDE_ALL_CASES=1 \
		$(SWIFT) test $(QUICK) -Xswiftc -O --scratch-path .build/stories
	SWIFT=$(SWIFT) Tests/Fuzzing/run $(ARGS)

# With the library of the machine beside the program; the program shows Swift's concurrency to it, so it is linked dynamically.
nights: swift packages-to-test  ## Simulate nights of the whole program with faults between any two steps; SEED=7 repeats one, NIGHTS=1000 HOURS=8
	$(SWIFT) build $(QUICK) --configuration release --scratch-path .build/nights --product bedside
	BEDSIDE_TESTS=Simulation $(SWIFT) build $(QUICK) --configuration release --scratch-path .build/nights --build-tests
	BEDSIDE_NIGHT=$(or $(SEED),$$(date +%Y%j)000) BEDSIDE_NIGHTS=$(or $(NIGHTS),$(if $(SEED),1,100)) BEDSIDE_NIGHT_HOURS=$(or $(HOURS),1) \
		BEDSIDE_NIGHT_SHRINK=1 $(if $(SEED),BEDSIDE_NIGHT_KEEP=1) \
		.build/nights/release/BedsidePackageTests.xctest --testing-library swift-testing --filter '^Simulation\.NightTests.*nothing' 2>&1 \
		| tee .build/nights/said
	grep --quiet ': checked [1-9]' .build/nights/said
	! grep --quiet '✘' .build/nights/said

break-nights: swift packages-to-test  ## Break the program on purpose, and require that simulated nights notice it; ARGS names files of Tests/Simulation/Breakages
	BEDSIDE_TESTS=Simulation BEDSIDE_NIGHTS=100 Tests/HonestyTests/break $(SWIFT) $(ARGS)

hazards: swift packages-to-test  ## Remove controls of the article Hazards, and require that their tests fail; ARGS=stale-number tries one
	SWIFT=$(SWIFT) Tests/Hazards/run $(ARGS)

clients: swift packages-to-measure  ## Check with Python's bleak that other BlueZ clients can use the simulator
	$(BUILD_QUICK)
	Tests/Bluetooth/BlueZSimulatorTests/clients/run $(QUICK_PROGRAM)

exports: swift packages-to-test-exports  ## Read exports with independent programs: FHIR, pandas, gnuplot
	$(BUILD_QUICK)
	Tests/Storing/RecordingTests/exports/run $(QUICK_PROGRAM)

brokers: swift packages-to-test-brokers  ## Run the core of a ward's tests against another broker than mosquitto: amqtt
	SWIFT=$(SWIFT) Tests/EndToEnd/Peers/brokers/run

bench: swift packages-to-measure packages-to-test-bluez $(PROGRAM)  ## Compare processor time, latency and memory with other programs, and time builds and tests
	SWIFT=$(SWIFT) Tests/Benchmarks/run $(PROGRAM)
	SWIFT=$(SWIFT) Tests/Benchmarks/decoders/run
	SWIFT=$(SWIFT) Tests/Benchmarks/library/run

bench-quick: swift packages-to-measure $(PROGRAM)  ## Measure the most important figures in two minutes: notifications, screen, latency, memory
	SWIFT=$(SWIFT) Tests/Benchmarks/run $(PROGRAM) --quick

# With --parallel swift format opens all files at once, which can exceed the limit of open files (512 or 1024).
format: swift  ## Format the Swift sources
	$(SWIFT) format --in-place --recursive $(SWIFT_SOURCES)

lint: swift  ## Check the format and the rules in .swift-format
	$(SWIFT) format lint --strict --recursive $(SWIFT_SOURCES)

screenshots: swift packages-to-shoot  ## Take the pictures in screenshots/ anew, from the real program
	$(BUILD_QUICK)
	screenshots/take $(QUICK_PROGRAM)

build: $(PROGRAM)  ## Build the small, fast program that is installed and packaged; it needs no Swift

# make would split a name with a space, so find compares the sources.
$(PROGRAM): FORCE
	.make/is-built $(PROGRAM) Package.swift $(SELDOM) Sources Libraries && .make/identity is $(IDENTITY) || { \
		.make/not-through-sudo $(PROGRAM) && \
		.make/check-swift $(SWIFT) $(SWIFT_VERSION) && .make/install-packages "build and run" $(TO_RUN) && \
		$(BUILD_STATIC) && touch $(PROGRAM); }

install: $(PROGRAM)  ## Install below PREFIX, /usr/local by default: copies what `make build` has built
	.make/check-binary $(PROGRAM)
	.make/install install $(PROGRAM) "$(DESTDIR)" "$(PREFIX)" "$(HOMEPAGE)"
	echo "Installed below $(DESTDIR)/:"
	.make/install list $(PROGRAM) "$(DESTDIR)" "$(PREFIX)"

deb: packages-to-package $(PROGRAM)  ## Build a Debian package in .build/deb, with its bill of materials; HOMEPAGE=https://… adds the project's address
	.make/check-binary $(PROGRAM)
	.make/deb $(PROGRAM) .build/static/bedside.map "$(HOMEPAGE)"

release: deb  ## Put what a release's page holds into .build/release-files: package, archive, checksums; SIGNING_KEY=… signs these
	.make/release $(PROGRAM) "$(HOMEPAGE)" "$(SIGNING_KEY)"

deb-check: release packages-to-check-package  ## Check these files: lintian, piuparts, bare Debian 12 and 13, with and without root, and whether another folder gives the same octets; CHECKS="archive same" makes some
	SWIFT=$(SWIFT) .make/deb-check "$(HOMEPAGE)" $(CHECKS)

arm64-check: swift packages-to-check-arm64  ## Compile the C wrappers for arm64, and search for code that depends on one architecture
	.make/check-arm64 $(SWIFT) $(filter %-dev,$(TO_RUN))

uninstall:  ## Remove what install has installed below PREFIX; records and settings stay
	.make/install uninstall - "$(DESTDIR)" "$(PREFIX)"

clean:  ## Remove everything that was built
	rm -rf .build

swift:
	.make/check-swift $(SWIFT) $(SWIFT_VERSION)

packages-to-run:
	.make/install-packages "build and run" $(TO_RUN)

packages-to-run-ward:
	.make/install-packages "run a ward" $(TO_RUN_WARD)

packages-to-test:
	.make/install-packages "run its tests" $(TO_TEST)

packages-to-test-bluez:
	.make/install-packages "run its tests with the real bluetoothd" $(TO_TEST_BLUEZ)

packages-to-test-brokers:
	.make/install-packages "test another broker" $(TO_TEST_BROKERS)

packages-to-test-exports:
	.make/install-packages "test its exports" $(TO_TEST_EXPORTS)

packages-to-measure:
	.make/install-packages "measure itself" $(TO_MEASURE)

packages-to-package:
	.make/install-packages "build its Debian package" $(TO_PACKAGE)

packages-to-check-package:
	.make/install-packages "check its Debian package" $(TO_CHECK_PACKAGE)

packages-to-document:
	.make/install-packages "render its documentation" $(TO_DOCUMENT)

packages-to-check-documents:
	.make/install-packages "check its documentation in a browser" $(TO_CHECK_DOCUMENTS)

packages-to-check-arm64:
	.make/install-packages "check what it needs on arm64" $(TO_CHECK_ARM64)

packages-to-shoot:
	.make/install-packages "take its pictures" $(TO_SHOOT)
