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
# Cargo makes the folder also then: empty, it says that nobody builds the other way.
[ -n "$(ls -A "${CARGO_TARGET_DIR:-target}/debug/incremental" 2> /dev/null)" ] || export CARGO_INCREMENTAL=0
cargo test --locked --workspace --all-targets --no-run

say "Rust: both databases, every crate"
cargo test --locked --workspace --all-targets --no-run --message-format=json 2> /dev/null | node scripts/rust-suites.mjs
cargo test --locked --workspace --doc

say "A release, installed as its document says"
scripts/production.sh sqlite postgres

# The program that the tests above ran.
PORTAGE_BIN=$(built_program) scripts/e2e.sh
