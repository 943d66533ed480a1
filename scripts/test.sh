#!/usr/bin/env bash
# All tests. Nothing is skipped: what a test needs is found, installed, or its absence fails.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/lib.sh
need_tools
need_lints

# Clippy compiles the workspace's crates while it reads them: what `cargo clippy` does, without building
# everything a second time for the tests. The variables are those `cargo clippy -- -D warnings` sets.
RUSTC_WORKSPACE_WRAPPER="$(rustc --print sysroot)/bin/clippy-driver"
CLIPPY_ARGS="-D__CLIPPY_HACKERY__warnings__CLIPPY_HACKERY__"
export RUSTC_WORKSPACE_WRAPPER CLIPPY_ARGS
# What nobody has edited yet is built once: keeping what the next build could use again takes time and gigabytes.
# Cargo makes the folder also then: empty, it says that nobody builds the other way.
target=${CARGO_TARGET_DIR:-target}
[ -n "$(ls -A "$target/debug/incremental" 2> /dev/null)" ] || export CARGO_INCREMENTAL=0
# Libraries without unit tests of their own are not compiled a second time for them, as `--all-targets` would.
test_programs() { cargo test --locked --workspace --tests --benches --no-run "$@"; }

# While a fresh machine fetches and unpacks packages, its processors build what others wrote.
early=''
if [ ! -d "$target/debug" ]; then
  set -m
  test_programs > /dev/null 2>&1 &
  early=$!
  set +m
  trap 'kill -- "-$early" 2> /dev/null || true' EXIT
fi
need_postgres
need_chromium
need_engines
npm_packages
if [ -n "$early" ]; then
  kill -- "-$early" 2> /dev/null || true
  wait "$early" || true
  trap - EXIT
fi

say "Format, types and lints"
cargo fmt --all --check
node scripts/uncalled.mjs --quiet
(cd frontend && npm run --silent typecheck && npm run --silent lint)
test_programs
programs=$(mktemp)
test_programs --message-format=json 2> /dev/null > "$programs"

# Two processes run in the background. Each writes into a file, which is printed when the process has ended. When a test
# fails, both are stopped.
beside=$(mktemp -d)
trap 'kill $(jobs -p) 2> /dev/null || true; rm -rf "$beside" "$programs"' EXIT
node scripts/rust-suites.mjs --simulation "$beside/enough" < "$programs" > "$beside/simulation" 2>&1 &
simulation=$!

say "The web app: unit tests, size"
(cd frontend && npm test)
build_web
(cd frontend && npm run --silent budget)

say "Rust: both databases, every crate"
# Installing a release is mostly waiting for a server to start or stop.
scripts/production.sh sqlite postgres > "$beside/installation" 2>&1 &
installation=$!
node scripts/rust-suites.mjs < "$programs"
cargo test --locked --workspace --doc

# told PROCESS FILE COMPLAINT: waits for a background process, prints what it wrote, and fails if it failed.
told() {
  local code=0
  wait "$1" || code=$?
  cat "$2"
  [ "$code" = 0 ] || fail "$3"
}
say "A release, installed as its document says"
told "$installation" "$beside/installation" "A release could not be installed as docs/install.md says."

# The program that the tests above ran.
PORTAGE_BIN=$(built_program) scripts/e2e.sh

say "The seeded simulation"
touch "$beside/enough"
told "$simulation" "$beside/simulation" "The simulation has found a fault."
