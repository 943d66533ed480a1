#!/usr/bin/env bash
# All tests. Nothing is skipped: what a test needs is found, installed, or its absence fails.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/lib.sh
need_tools
need_lints
need_postgres
need_chromium
need_engines
npm_packages

# Not beside the build of the Rust program: that takes both cores, and tests of pages then wait for time they do not get.
say "The web app: types, lints, unit tests, size"
(cd frontend && npm run --silent typecheck && npm run --silent lint && npm test)
build_web
(cd frontend && npm run --silent budget)

say "Rust: format and lints"
cargo fmt --all --check
# Clippy compiles the workspace's crates while it reads them: what `cargo clippy` does, without building
# everything a second time for the tests. The variables are those `cargo clippy -- -D warnings` sets.
RUSTC_WORKSPACE_WRAPPER="$(rustc --print sysroot)/bin/clippy-driver"
CLIPPY_ARGS="-D__CLIPPY_HACKERY__warnings__CLIPPY_HACKERY__"
export RUSTC_WORKSPACE_WRAPPER CLIPPY_ARGS
# What nobody has edited yet is built once: keeping what the next build could use again takes time and gigabytes.
[ -d "${CARGO_TARGET_DIR:-target}/debug/incremental" ] || export CARGO_INCREMENTAL=0
cargo test --locked --workspace --all-targets --no-run

# The simulation is optimised code and takes minutes to build: in the background, on what the tests leave of the
# processors while they wait for clocks, sockets and pages. It gets nothing that one of them could use: a build of the same
# rank made crowds and pages miss their time. Its lints were the ones above.
building=$(mktemp)
trap 'kill $(jobs -p) 2>/dev/null || true; rm -f "$building"' EXIT
RUSTC_WRAPPER="$PWD/scripts/idly" env -u RUSTC_WORKSPACE_WRAPPER -u CLIPPY_ARGS \
  scripts/simulate.sh --build-only > "$building" 2>&1 &
simulation=$!

say "Rust: both databases, every crate"
cargo test --locked --workspace --all-targets --no-run --message-format=json 2> /dev/null | node scripts/rust-suites.mjs
cargo test --locked --workspace --doc

say "A release, installed as its document says"
scripts/production.sh sqlite postgres

# The program that the tests above ran.
PORTAGE_BIN=$(built_program) scripts/e2e.sh

say "The seeded simulation: 20,000 schedules"
wait "$simulation" || { cat "$building"; fail "The simulation could not be built."; }
env -u RUSTC_WORKSPACE_WRAPPER -u CLIPPY_ARGS scripts/simulate.sh 20000
