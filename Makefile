# What a person runs. Each target says in one line what it is for; the work is in scripts/.
.POSIX:
.PHONY: help run test hostile contract contract-long package browser guide git-edits faults check-faults check demo bench openapi bootstrap check-browser check-format check-clippy check-docs check-layers check-dependencies check-dependency-docs check-unused check-words check-names check-editor check-links check-settings check-deploy check-cycles check-features check-upgrade check-compatibility check-migrations check-advisories

CARGO = cargo
# What every build of a run shares, so that nothing is compiled twice.
BUILD = --workspace --exclude quire-pdf --locked $$(scripts/cargo-features)
# The typesetter takes as long to build as all the rest: apart, so that nothing else waits for it.
PDF = --package quire-pdf --locked

help:
	@echo 'make run     build Quire and serve on 127.0.0.1:8080 with a PostgreSQL of its own'
	@echo 'make test    run every test against a real PostgreSQL'
	@echo 'make hostile measure how time and memory grow on hostile input'
	@echo 'make faults  kill, stop and fill what Quire depends on under load, at most ten minutes'
	@echo 'make check   all that must hold before a change is taken'
	@echo 'make browser walk through published sites in Chromium; pictures go to target/screens'
	@echo 'make guide   write the pictures of docs/guide'
	@echo 'make git-edits make 1,000 random edits on both sides of a connected repository, against each kind of Git server'
	@echo 'make contract lint docs/openapi.json, walk with generated clients, and send requests made from it (make contract-long: an hour)'
	@echo 'make package make a Debian package, in target/debian'
	@echo 'make demo    walk through Quire with DOCS=a-zip-or-folder (this docs/ by default)'
	@echo 'make bench   measure throughput, latency, CPU, statements, memory and growth (docs/performance.md)'
	@echo 'make openapi write docs/openapi.json'

run: bootstrap
	@scripts/run

# A golden file that is missing or differs fails, and none is written.
test: export INSTA_UPDATE ?= no
test: bootstrap
	@scripts/bootstrap tests
	$(CARGO) build $(BUILD) --bin with-postgres
	"$${CARGO_TARGET_DIR:-target}/debug/with-postgres" -- scripts/with-s3 $(CARGO) test $(BUILD)
	$(CARGO) test $(PDF)

# The build is that of the tests.
contract: bootstrap
	$(CARGO) build $(BUILD) --bin quire
	@scripts/bootstrap contract
	scripts/contract

# All walks, axe-core on every page, and pictures of pages. BROWSER='keyboard' runs the files with that in their name.
BROWSER =
browser: bootstrap
	$(CARGO) build $(BUILD) --bin quire
	@scripts/bootstrap browser
	scripts/browser --grep . $(BROWSER)

# 1,000 random edits on both sides of a connected repository, against each kind of Git server.
git-edits: bootstrap
	@scripts/bootstrap tests
	$(CARGO) build $(BUILD) --bin with-postgres
	QUIRE_GIT_EDITS=1000 "$${CARGO_TARGET_DIR:-target}/debug/with-postgres" -- scripts/with-s3 \
	    $(CARGO) test $(BUILD) --test worker -- random_edits --nocapture

# The pictures of the user's guide, by the walk through its flows.
guide: bootstrap
	$(CARGO) build $(BUILD) --bin quire
	@scripts/bootstrap browser
	scripts/browser --grep 'flows of the guide' guide
	mkdir -p docs/images/guide
	cp "$${CARGO_TARGET_DIR:-target}/screens/guide/"*.png docs/images/guide/

# An hour of requests by schemathesis, each run with other ones.
contract-long:
	QUIRE_FUZZ_SECONDS=3600 QUIRE_FUZZ_EXAMPLES=200 QUIRE_FUZZ_SEED=$$(date +%s) $(MAKE) contract

# Built by the command of `make test`, so that only the test itself is linked in addition.
hostile: bootstrap
	$(CARGO) test $(BUILD) --test hostile_input

# FAULTS='--seed 7 --kind server-killed' sets the options of the program. Disks are filled on small mounted file systems, which
# needs root; what this machine does not allow is left out with a line.
faults: bootstrap
	@scripts/bootstrap faults
	$(CARGO) build --release --locked --package quire --package quire-bench $$(scripts/cargo-features)
	@"$${CARGO_TARGET_DIR:-target}/release/quire-faults" "$${CARGO_TARGET_DIR:-target}/release/quire" $${FAULTS:-}

# Each fault at least once, on the build of the tests.
check-faults: bootstrap
	@scripts/bootstrap faults
	$(CARGO) build $(BUILD) --bin quire --bin quire-faults
	@"$${CARGO_TARGET_DIR:-target}/debug/quire-faults" "$${CARGO_TARGET_DIR:-target}/debug/quire" --seconds 60

# Against a running server when QUIRE_URL, QUIRE_TOKEN and QUIRE_ORGANIZATION name one.
DOCS = docs
demo: bootstrap
	$(CARGO) build --release --locked --package quire --package quire-bench $$(scripts/cargo-features)
	@"$${CARGO_TARGET_DIR:-target}/release/quire-demo" "$${CARGO_TARGET_DIR:-target}/release/quire" "$(DOCS)"

# BENCH='words of names' measures single cases, BENCH_SECONDS sets the time of each, AGAINST=binary compares with another build,
# BENCH_BASELINE=results.json fails when a figure is worse than there by more than BENCH_MARGIN.
bench: bootstrap
	@scripts/tool oha 1.16.0 release
	$(CARGO) build --release --locked --package quire --package quire-bench $$(scripts/cargo-features)
	@mkdir -p "$${CARGO_TARGET_DIR:-target}/bench"
	@"$${CARGO_TARGET_DIR:-target}/release/quire-bench" --oha "$$(scripts/tool oha 1.16.0 release)" \
		--json "$${CARGO_TARGET_DIR:-target}/bench/results.json" \
		$${AGAINST:+--against "$$AGAINST"} "$${CARGO_TARGET_DIR:-target}/release/quire" $${BENCH:-}
	@[ -n "$${BENCH:-}" ] || QUIRE_BIN="$${CARGO_TARGET_DIR:-target}/release/quire" scripts/browser --grep . --workers 1 figures weights large

# A test compares the file with the code.
openapi:
	$(CARGO) run --quiet --locked --package quire $$(scripts/cargo-features) -- openapi > docs/openapi.json.new
	mv docs/openapi.json.new docs/openapi.json

# The quick gates come first. A new gate is a target and a word in this list.
check: bootstrap check-format check-words check-names check-editor check-links check-settings check-deploy check-compatibility check-migrations check-layers check-cycles check-features check-dependency-docs check-unused check-dependencies check-advisories check-clippy check-docs test hostile contract check-browser check-faults check-upgrade
	@echo 'make check: all gates hold'

# A Debian package of the optimized build.
package: bootstrap
	$(CARGO) build --release --locked --package quire --package quire-pdf $$(scripts/cargo-features)
	"$$(scripts/tool cargo-deb 3.8.0)" --no-build --locked --package quire

bootstrap:
	@scripts/bootstrap

# The walks of `make browser` that are not tagged @full.
check-browser: bootstrap
	$(CARGO) build $(BUILD) --bin quire
	@scripts/bootstrap browser
	scripts/browser

# Data of each release in tests/releases, migrated and checked by the build of the tests.
check-upgrade: bootstrap
	$(CARGO) build $(BUILD) --bin quire
	scripts/upgrade

# The API of the last release is still there.
check-compatibility:
	python3 tests/releases/compatibility_test.py
	scripts/check-compatibility

# Migrations of releases are as they were, and newer ones hold no strong lock for long.
check-migrations:
	scripts/check-migrations

check-format:
	$(CARGO) fmt --all --check

check-clippy:
	$(CARGO) clippy $(BUILD) --all-targets -- -D warnings
	$(CARGO) clippy $(PDF) --all-targets -- -D warnings

check-docs:
	RUSTDOCFLAGS='-D warnings' $(CARGO) doc $(BUILD) --no-deps

# The arrows of docs/architecture.md.
check-layers:
	scripts/check-layers

# No cycle of files within a crate, apart from those of scripts/cycles-allowed.
check-cycles:
	scripts/check-cycles

# `make demo` compiles nothing of the server that `make run` has compiled.
check-features:
	scripts/check-features

# Licenses, sources and banned crates: deny.toml.
check-dependencies:
	"$$(scripts/tool cargo-deny 0.20.2)" --locked check --hide-inclusion-graph bans licenses sources

# Advisories of RustSec about dependencies, where their database can be fetched.
check-advisories:
	scripts/check-advisories

check-dependency-docs:
	scripts/check-dependency-docs

# The style of CONTRIBUTING.md.
check-words:
	scripts/check-words

# The Dockerfile, the unit of systemd, the rules of Prometheus and the dashboard of Grafana.
check-deploy:
	scripts/check-deploy

# Names between backticks in documentation and descriptions of the API.
check-names:
	scripts/check-names

# The bundle of the editor is that of its sources, and its tests pass.
check-editor: bootstrap
	@scripts/bootstrap browser
	scripts/vendor-editor --check

# Relative links and anchors between Markdown files.
check-links:
	scripts/check-links

# The table of settings in docs/operations.md.
check-settings:
	scripts/check-settings

check-unused:
	"$$(scripts/tool cargo-machete 0.9.2)"
