# The two commands that matter: make demo, make test.
TAGS := gocv_specific_modules
# No stamp of the version: a clone that belongs to somebody else builds too.
export GOFLAGS := -tags=$(TAGS) -buildvcs=false
export PKG_CONFIG_PATH := $(CURDIR)/.build/pkgconfig:$(PKG_CONFIG_PATH)
# Go's cache does not look into opencv4.pc, but here: so it tells a static
# OpenCV from Debian's.
export CGO_LDFLAGS = $(shell sed -n 's/^Libs: \(-L[^ ]*\).*/\1/p' .build/pkgconfig/opencv4.pc 2>/dev/null)
# .ci/setup puts a Go here where the system's is too old to fetch one itself.
export PATH := $(CURDIR)/.build/go/bin:$(PATH)
# A Go older than go.mod asks for fetches the right one by itself.
export GOTOOLCHAIN ?= auto

.PHONY: build test computed race outside ablate lines demo film lint bench bench-peers figures release test-release test-windows env clean
build:
	@.ci/setup build
	go build -ldflags "-X main.version=$$(.ci/version)" -o onlooker ./cmd/onlooker

# What people download, in dist: for Windows and for Linux.
release test-windows: export TAGS := $(TAGS)
release:
	@.ci/setup release
	.ci/release

# What make release made for Linux, in Debians that have nothing else.
test-release:
	@.ci/setup release
	.ci/bare

# The program for Windows, under Wine.
test-windows:
	@.ci/setup windows
	.ci/windows

# What has a display, a browser or a clock in it waits most of its time, and the program's own
# tests are the longest: those that open pages or pictures in a browser, or put drafts right, run
# in a line beside the others. What only computes has the processors then, behind them: beside a
# solver's tests that came first a page on two cores missed its frames. AFTER=outside: what is
# made after that.
PAGES := Page|Phone|Draft|Taught
test:
	@.ci/setup test
	$(MAKE) --no-print-directory lint
	go test -vet=off -c -o .build/onlooker.test ./cmd/onlooker
	nice -n 19 make --no-print-directory computed $(AFTER) & computed=$$!; \
	( cd cmd/onlooker && ../../.build/onlooker.test -test.timeout 30m -test.run '$(PAGES)' && \
	go test -vet=off -timeout 30m -p 1 ../internal/... ) & pages=$$!; failed=0; \
	( cd cmd/onlooker && ../../.build/onlooker.test -test.timeout 30m -test.skip '$(PAGES)' ) || failed=1; \
	wait $$pages && wait $$computed && exit $$failed

# The tests of what only computes, the longest first.
computed:
	go test -vet=off -timeout 60m ./vision/witness $$(go list ./... | grep -v /cmd)
	go test -vet=off -tags $(TAGS),matprofile ./vision/locate -run MatLeaks

# What was read and solved of things that nobody here chose, against the record.
# ALL=1: every board; SETS=captures,site: these sets; UPDATE=1: a new record.
outside:
	@.ci/setup build
	go build -ldflags "-X main.version=$$(.ci/version)" -o onlooker ./cmd/onlooker
	go run ./cmd/internal/dev/outside -sets "$(SETS)" $(if $(ALL),-all) $(if $(UPDATE),-update) $(if $(VERBOSE),-v)

# Parts of the program switched off (OFF='vision/flow.hidden vision/locate.Find': functions
# that return nothing found at once), and what the record says then; nothing of it is in
# the sources or in a release.
ablate:
	@.ci/setup build
	go run ./cmd/internal/dev/ablate -o .build/ablated $(OFF)
	go run ./cmd/internal/dev/outside -program .build/ablated -sets "$(SETS)" $(if $(ALL),-all) -v

# Lines of Go by package beside their ceilings; UPDATE=1: lowers these. .ci/lines has more.
lines:
	@.ci/lines $(if $(UPDATE),lower)

# The packages under the race detector; RACE=./cmd/internal/...: these.
race:
	@.ci/setup test
	go test -race -timeout 60m -p 1 $(or $(RACE),./...)

lint:
	@bad=$$(gofmt -l $$(ls -d */)); if [ -n "$$bad" ]; then echo "gofmt wants to change: $$bad"; exit 1; fi
	@.ci/lines -q
	go vet ./...
	go tool staticcheck ./...

bench:
	@.ci/setup test
	go test -run '^$$' -bench . -benchtime 1x ./...

# Against other programs on the same puzzles, in turns: CLONES are folders of clones that
# cmd/internal/dev/outside/peers.tsv names. PROGRAM=FILE: this onlooker.
bench-peers: build
	go run ./cmd/internal/dev/outside -peers -program "$(or $(PROGRAM),./onlooker)" $(CLONES)

# What the READMEs claim, measured and written there. ROWS=captures,site: these
# rows; ROWS=none: none, the tables alone.
figures:
	@.ci/setup test
	go build -ldflags "-X main.version=$$(.ci/version)" -o onlooker ./cmd/onlooker
	go run ./cmd/internal/dev/outside -figures -sets "$(ROWS)"

# eval "$(make -s env)" in a shell, and plain go commands work.
env:
	@.ci/setup build >&2
	@echo "export GOFLAGS='$(GOFLAGS)' PKG_CONFIG_PATH='$(PKG_CONFIG_PATH)' CGO_LDFLAGS='$(CGO_LDFLAGS)' GOTOOLCHAIN='$(GOTOOLCHAIN)' PATH='$(CURDIR)/.build/go/bin':\"\$$PATH\""

demo:
	@.ci/setup demo
	go build -ldflags "-X main.version=$$(.ci/version)" -o onlooker ./cmd/onlooker
	go run ./cmd/internal/dev/demo ./onlooker

# The moving picture of the front page: the practice Challenge, played.
film:
	@.ci/setup film
	go build -ldflags "-X main.version=$$(.ci/version)" -o onlooker ./cmd/onlooker
	env -u DISPLAY go run ./cmd/internal/dev/demo -film .github/challenge.gif ./onlooker

clean:
	rm -rf .build demo dist onlooker onlooker.exe
