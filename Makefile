# The two commands that matter: make demo, make test.
TAGS := gocv_specific_modules,gocv_calib3d,gocv_features2d
export GOFLAGS := -tags=$(TAGS)
export PKG_CONFIG_PATH := $(CURDIR)/.build/pkgconfig:$(PKG_CONFIG_PATH)
# A Go older than go.mod asks for fetches the right one by itself.
export GOTOOLCHAIN ?= auto

.PHONY: build test demo lint bench env
build:
	@.ci/setup build
	go build -o onlooker ./cmd/onlooker

test:
	@.ci/setup test
	$(MAKE) --no-print-directory lint
	go test ./...

lint:
	@bad=$$(gofmt -l .); if [ -n "$$bad" ]; then echo "gofmt wants to change: $$bad"; exit 1; fi
	go vet ./...
	go tool staticcheck ./...

bench:
	@.ci/setup test
	go test -run '^$$' -bench . -benchtime 1x ./...

# eval "$(make env)" in a shell, and plain go commands work.
env:
	@.ci/setup build >&2
	@echo 'export GOFLAGS=$(GOFLAGS) PKG_CONFIG_PATH=$(PKG_CONFIG_PATH)'

demo: build
	@echo "no demo yet"
