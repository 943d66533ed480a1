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

# Not beside the build of the Rust program: that takes both cores, and tests of pages then wait for time they do not get.
say "The web app: types, lints, unit tests, size"
(cd frontend && npm run --silent typecheck && npm run --silent lint && npm test)
build_web
(cd frontend && npm run --silent budget)

say "Rust: format and lints"
cargo fmt --all --check
test_programs

say "Rust: both databases, every crate"
# Installing a release is mostly waiting for a server to start or stop: it is done beside them, and told after them.
told=$(mktemp)
scripts/production.sh sqlite postgres > "$told" 2>&1 &
installing=$!
trap 'kill "$installing" 2> /dev/null || true; rm -f "$told"' EXIT
test_programs --message-format=json 2> /dev/null | node scripts/rust-suites.mjs
cargo test --locked --workspace --doc

say "A release, installed as its document says"
installed=0
wait "$installing" || installed=$?
cat "$told"
rm -f "$told"
trap - EXIT
[ "$installed" = 0 ] || fail "A release could not be installed as docs/install.md says."

# The program that the tests above ran.
PORTAGE_BIN=$(built_program) scripts/e2e.sh
